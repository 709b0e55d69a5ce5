"""What is said when something is wrong, and the exit code."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clir_cli.cli import align, settings
from clir_cli.errors import DataError

from .conftest import Call


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["traim"], "No such command 'traim'. Did you mean 'train'"),
        (["train", "--modle", "mart"], "No such option: --modle"),
        (["train", "--fold", "zero"], "Invalid value for '--fold'"),
        (["table", "show", "deu-eng"], "Missing argument 'WORD...'"),
        (["align", "-e", "tyni"], "experiments.yaml has no experiment `tyni`: did you mean `tiny`?"),
        (["align", "-p", "deu-egn"], "There is no pair 'deu-egn'.\nDid you mean 'deu-eng'?"),
        (["run-all", "--force", "alin"], "There is no stage 'alin'.\nDid you mean 'align'?"),
        (["run-all", "-m", "mart"], "There is no model 'mart'."),
        (
            ["config", "--set", "retreival.k1=3"],
            "--set retreival.k1=3: unknown key `retreival`: did you mean `retrie",
        ),
        (["config", "--config", "nowhere.yaml"], "nowhere.yaml cannot be read (No such file or directory)."),
        (["report", "--format", "all"], "--format all writes several files.\nSay where with --output FOLDER."),
        (["pretrain"], "Experiment tiny has no `pretrain` section."),
        (["clean", "--without", "x"], "experiments.yaml has no experiment `x`"),
        (["sample", "new", "--documents", "5"], "No such sample can be made"),
    ],
)
def test_wrong_usage_is_one_sentence_and_code_2(call: Call, arguments: list[str], said: str) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert said in done.err
    assert done.err.startswith("Error: ")
    assert "Traceback" not in done.err
    assert done.out == ""


def test_missing_files_are_listed_together(call: Call, folder: Path) -> None:
    (folder / "qrels.txt").unlink()
    (folder / "bitext.eng").unlink()
    done = call("run-all", "--dry-run")
    assert done.code == 2
    assert "experiments.yaml has 2 problems:" in done.err
    assert "experiments.yaml:7: experiments.tiny.qrels.eng: `qrels.txt` does not exist" in done.err


def test_no_command_shows_the_help_and_is_a_usage_error(call: Call) -> None:
    done = call()
    assert done.code == 2
    assert "run-all" in done.out + done.err


def test_bad_data_is_code_1(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise DataError("topics.tsv:3: a topic without text.", "Give it a title.")

    monkeypatch.setattr(align, "align", broken)
    done = call("align")
    assert (done.code, done.err) == (1, "Error: topics.tsv:3: a topic without text.\nGive it a title.\n")


def test_a_fault_of_ours_shows_its_traceback_only_with_debug(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise KeyError("gone")

    monkeypatch.setattr(settings, "show_settings", broken)
    done = call("config")
    assert done.code == 1
    assert done.err == "Error: Unexpected KeyError: 'gone'.\nThis is a fault of clir; --debug shows where.\n"
    with pytest.raises(KeyError):
        call("config", "--debug")


def test_the_system_says_no(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise OSError(28, "No space left on device", "made/x")

    monkeypatch.setattr(align, "align", broken)
    done = call("align")
    assert done.code == 1
    assert done.err.startswith("Error: No space left on device (made/x).\n")


def test_ctrl_c_ends_with_130_and_the_command_to_go_on(folder: Path) -> None:
    slow = (
        "import sys, time; from clir_cli.cli import app, align\n"
        "def wait(*_):\n    print('waiting', flush=True)\n    time.sleep(60)\n"
        "align.align = wait\n"
        "app.main(['align', '--set', 'description=two words'])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == ("Interrupted. Everything finished is kept. Go on with: clir align --set 'description=two words'\n")
