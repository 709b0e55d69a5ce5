"""A tiny experiment in a folder of its own, and the program called in it."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from clir_cli.cli.app import run

EXPERIMENT = """\
artifacts: made
experiments:
  tiny:
    description: Two words
    collections: {eng: documents.tsv}
    topics: {deu: topics.deu.tsv, eng: topics.eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {deu-eng: [bitext.deu, bitext.eng]}
    pairs: [deu-eng]
    models: []
    training: {folds: {count: 3}}
"""
WORDS = [("haus", "house"), ("baum", "tree"), ("katze", "cat"), ("wasser", "water")]


class Said(NamedTuple):
    """What a call wrote, and its exit code."""

    code: int
    out: str
    err: str


Call = Callable[..., Said]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLIR_ARTIFACTS", raising=False)
    files = {
        "experiments.yaml": EXPERIMENT,
        "documents.tsv": "".join(
            f"d{i}\tA {eng}, a {eng} and a {WORDS[i - 1][1]}\n" for i, (_, eng) in enumerate(WORDS)
        ),
        "topics.deu.tsv": "".join(f"{i}\t{deu}\n" for i, (deu, _) in enumerate(WORDS)),
        "topics.eng.tsv": "".join(f"{i}\t{eng}\n" for i, (_, eng) in enumerate(WORDS)),
        "qrels.txt": "".join(f"{i} 0 d{i} 1\n" for i in range(len(WORDS))),
        "bitext.deu": "".join(f"{deu}\n" for deu, _ in WORDS) * 3,
        "bitext.eng": "".join(f"{eng}\n" for _, eng in WORDS) * 3,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def call(folder: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    def call_clir(*arguments: str) -> Said:
        capsys.readouterr()
        code = run(list(arguments))
        return Said(code, *capsys.readouterr())

    return call_clir
