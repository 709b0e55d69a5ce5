"""A small experiment whose files are there, and a way to write others."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.errors import ConfigError

SMALL = """\
experiments:
  small:
    collections: {eng: documents.jsonl}
    topics: {deu: topics.deu.tsv, som: topics.som.tsv, eng: topics.eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {deu-eng: [deu.gz, eng.gz], som-eng: [som.gz, eng.gz]}
    pairs: [deu-eng]
    encoder: some-hub/encoder
"""
FILES = ["documents.jsonl", "topics.deu.tsv", "topics.som.tsv", "topics.eng.tsv", "qrels.txt", "deu.gz"]
FILES += ["som.gz", "eng.gz"]

Load = Callable[..., Experiment]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).touch()
    return tmp_path


@pytest.fixture
def load(folder: Path) -> Load:
    """Load an experiment from text (default: the small one); ``extra`` is appended to it."""

    def load_text(
        text: str = SMALL, name: str | None = None, sets: Sequence[str] = (), extra: str = "", **environ: str
    ) -> Experiment:
        file = folder / "experiments.yaml"
        file.write_text(text + extra, encoding="utf-8")
        return load_experiment(file, name, sets, environ)

    return load_text


@pytest.fixture
def problems(load: Load) -> Callable[..., list[str]]:
    """The problems of what ``load`` refuses, one a line."""

    def refused(*arguments: object, **named: object) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load(*arguments, **named)
        lines = caught.value.problem.splitlines()
        return [line.strip() for line in lines[1:]] if len(lines) > 1 else [lines[0].removesuffix(".")]

    return refused
