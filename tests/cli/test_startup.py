"""What starting the program costs and lets out."""

import os
import subprocess
import sys

import pytest

HEAVY = {"torch", "transformers", "pyserini", "jnius", "pandas", "numpy", "scipy", "numba", "nltk", "ir_measures"}
HEAVY |= {"yaml", "huggingface_hub", "rich"}

PROBE = """
import sys
from clir_cli.cli.app import run
code = run({arguments})
print("modules:", *sorted({{name.split(".")[0] for name in sys.modules}}))
sys.exit(code)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["run-all", "--help"], ["table", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    probe = PROBE.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("modules: ")[2].split())
    assert "typer" in loaded, "the probe reads what was imported"
    assert loaded & HEAVY == set()


def test_the_package_itself_imports_nothing() -> None:
    probe = "import sys, clir_cli; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "clir_cli" in loaded
    assert loaded & HEAVY == set()


def test_nothing_phones_home() -> None:
    probe = "import os, clir_cli.cli.app; print(os.environ['HF_HUB_DISABLE_TELEMETRY'], os.environ['DO_NOT_TRACK'])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "1"]


def test_a_terminal_with_few_letters_is_no_error() -> None:
    probe = "import sys; sys.argv = ['clir', 'table', 'Łódź']; from clir_cli.cli.app import main; main()"
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252:strict"}
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, env=environment)
    assert (done.returncode, b"Traceback" in done.stderr) == (2, False)
    assert b"No such command '?\xf3d?'" in done.stderr


def test_help_is_grouped_by_the_flow(capsys: pytest.CaptureFixture[str]) -> None:
    from clir_cli.cli.app import run

    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    places = [
        said.index(f"{panel}:") for panel in ("Data", "First stage", "Re-ranking", "Results", "The whole experiment")
    ]
    assert places == sorted(places)
