import sys
import tempfile

import numpy as np
import pytest

from clir_cli.errors import StageError
from clir_cli.translation.alignment import eflomal
from clir_cli.translation.alignment.eflomal import align_with_eflomal, count_iterations, find_eflomal
from clir_cli.translation.alignment.prepared_text import prepare

try:
    find_eflomal()
    INSTALLED = True
except StageError:
    INSTALLED = False

needs_eflomal = pytest.mark.skipif(not INSTALLED, reason="the optional package eflomal is not installed")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where temporary files go."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def reordered_text():
    """Word for word, but that the target says every sentence backwards, and says "zzz" to nothing at its end."""
    rng = np.random.default_rng(1)
    sentences = [rng.choice(40, size=rng.integers(2, 7), replace=False).tolist() for _ in range(400)]
    return prepare(([f"s{w}" for w in words], [*(f"T{w}" for w in words[::-1]), "zzz"]) for words in sentences)


@needs_eflomal
def test_links_are_source_positions_and_target_positions(folder):
    text = reordered_text()
    forward, backward = align_with_eflomal(text, threads=1)
    assert forward.dtype == backward.dtype == np.int16
    assert (len(forward), len(backward)) == (len(text.targets), len(text.sources))
    lengths = np.diff(text.source_start)
    expected_forward = np.concatenate([[*range(n - 1, -1, -1), -1] for n in lengths])
    expected_backward = np.concatenate([range(n - 1, -1, -1) for n in lengths])
    # It samples: nearly all is right, whatever the seed. With sides or directions exchanged hardly anything is.
    assert (backward == expected_backward).mean() > 0.9
    assert (forward == expected_forward)[expected_forward >= 0].mean() > 0.9
    assert list(folder.iterdir()) == []


@needs_eflomal
def test_sentences_that_are_too_long_for_it_have_no_links(folder):
    pairs = [(["a", "b"], ["x", "y"])] * 50 + [(["a"] * 1100, ["x"] * 1100)] + [(["a", "b"], ["x", "y"])]
    text = prepare(pairs, max_length=2000)
    forward, backward = align_with_eflomal(text, threads=1)
    assert (forward[100:1200] == -1).all()
    assert (backward[100:1200] == -1).all()
    assert forward[-2:].max() >= 0


def test_a_failure_is_told_and_leaves_nothing_behind(folder, monkeypatch):
    program = folder.parent / f"{folder.name}-failing"
    program.write_text("#!/bin/sh\necho one >&2; echo out of something >&2; exit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(eflomal, "find_eflomal", lambda: program)
    with pytest.raises(StageError) as error:
        align_with_eflomal(prepare([(["a"], ["b"])]))
    assert str(error.value) == (
        "eflomal ended with status 3: out of something. "
        "Is there enough memory, and room where temporary files go (TMPDIR)?"
    )
    assert list(folder.iterdir()) == []


def test_without_the_package(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "eflomal", raising=False)
    sys.path_importer_cache.clear()
    with pytest.raises(StageError) as error:
        align_with_eflomal(prepare([(["a"], ["b"])]))
    assert str(error.value) == (
        "The aligner eflomal is not installed. Install it with `pip install 'clir[eflomal]'` "
        "(it is compiled: gcc is needed), or choose another tool."
    )


@needs_eflomal
def test_iterations_are_those_of_its_own_command(monkeypatch):
    cython = pytest.importorskip("eflomal.cython")
    commands = []
    monkeypatch.setattr(cython.subprocess, "run", lambda command, check: commands.append(command))
    for pairs in (1, 400, 34_000, 2_000_000, 10_000_000):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(f"{pairs} 3\n")
            file.flush()
            cython.align(file.name, file.name)
        command = commands[-1]
        assert count_iterations(pairs) == tuple(int(command[command.index(f"-{model}") + 1]) for model in (1, 2, 3))
