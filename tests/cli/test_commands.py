"""The commands on a tiny experiment without neural models."""

import typing
from pathlib import Path

import pytest
import typer
import yaml

from clir_cli.cli import making
from clir_cli.cli.app import app
from clir_cli.cli.checkup import hub
from clir_cli.config.load import load_experiment
from clir_cli.errors import UsageError

from .conftest import Call


def test_from_raw_files_to_the_table_and_nothing_the_second_time(call: Call, folder: Path) -> None:
    planned = call("run-all", "--dry-run", "--explain")
    assert planned.code == 0
    assert "align\tdeu-eng\tit was never made" in planned.out
    assert not (folder / "made" / "align").exists()

    first = call("run-all", "--jobs", "2")
    assert first.code == 0, first.err
    assert "Human translation" in first.out
    assert "> retrieve deu-eng smt" in first.err
    assert (folder / "made" / "results" / "tiny" / "runs" / "deu-eng.smt.trec").read_text().startswith("0 Q0 d0 1 ")

    second = call("run-all")
    assert second.out == first.out
    assert ">" not in second.err

    shown = call("table", "show", "deu-eng", "Haus")
    assert shown.out.startswith("word\tkey\ttranslation\tp\tsum\nHaus\thaus\thouse\t")
    unknown = call("table", "show", "deu-eng", "hauss")
    assert (unknown.code, "did you mean `haus`?" in unknown.err) == (1, True)
    assert call("table", "export", "deu-eng", "table.txt", "-q").err == ""
    assert "haus house " in (folder / "table.txt").read_text()

    links = call("matrices", "--show", "0", "d0")
    assert links.out.splitlines()[:2] == ["0: haus", "d0: A house, a house and a water"]
    assert "haus\thouse\t" in links.out
    assert "did you mean `d0`" in call("matrices", "--show", "0", "d00").err

    values = call("evaluate", "--topics")
    assert "deu-eng\tsmt\tP@10\t0\t0.1000" in values.out
    assert "deu-eng\thuman\tAP@100\t4\t" in call("evaluate").out

    assert "|" in call("report", "--format", "markdown").out
    call("report", "--format", "all", "--output", "tables")
    assert {"table.md", "table.tex", "table.csv"} <= {file.name for file in (folder / "tables").iterdir()}
    refused = call("report", "--format", "all", "--output", "qrels.txt")
    problem = "Error: qrels.txt: a folder is expected here, and this is a file.\nName a folder.\n"
    assert (refused.code, refused.err) == (1, problem)
    through = call("report", "--output", "qrels.txt/table.txt")
    assert "qrels.txt/table.txt: nothing can be made there: qrels.txt is a file and not a folder." in through.err

    assert "align\t1\t1 there\t" in call("status").out
    assert "nothing would be made" in call("run-all", "--dry-run").out

    call("align", "--set", "knowledge.align.hmm=1")
    assert "align/deu-eng-" in call("clean", "--dry-run").out
    # The links go too: a table without re-rankers has no use for them.
    assert "2 folders" in call("clean", "--yes").out
    assert call("clean", "--yes").out == "Nothing is left over.\n"


def test_clean_refuses_where_an_experiment_cannot_be_read(call: Call, folder: Path) -> None:
    file = folder / "experiments.yaml"
    file.write_text(file.read_text() + "  far: {extends: tiny, qrels: {eng: '${FAR}/qrels.txt'}}\n", encoding="utf-8")
    refused = call("clean", "--yes")
    assert (refused.code, "far cannot be read here" in refused.err) == (2, True)
    assert call("clean", "--yes", "--without", "far").out == "Nothing is left over.\n"


def test_the_sample_is_written_the_same_twice(call: Call, folder: Path) -> None:
    arguments = ("--topics", "2", "--documents", "30", "--seed", "3")
    assert "30 documents, 2 topics" in call("sample", "one", *arguments).out
    assert call("sample", "two", *arguments).code == 0
    one, two = (sorted((folder / name).iterdir()) for name in ("one", "two"))
    assert [file.name for file in one] == [file.name for file in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))


def test_the_printed_configuration_is_an_experiment(call: Call, folder: Path) -> None:
    printed = call("config", "--set", "retrieval.k1=2").out
    (folder / "printed.yaml").write_text(yaml.safe_dump({"experiments": yaml.safe_load(printed)}), encoding="utf-8")
    assert load_experiment(folder / "printed.yaml").settings.retrieval.k1 == 2
    assert call("config", "--list").out == "experiment\tdescription\ntiny\tTwo words\n"


def test_every_key_is_described(call: Call) -> None:
    described = call("config", "--describe").out
    assert "  k1: 1.2  # BM25's term frequency saturation.\n" in described
    assert "  copy: never  # " in described
    keys = yaml.safe_load(described)
    assert keys["training"]["folds"]["count"] == 5
    assert keys["models"]["<name>"]["mat_layers"] == [-3, -2]


def test_every_command_has_the_debug_option_and_a_help_text() -> None:
    def leaves(command: typing.Any) -> list[typing.Any]:
        inner = getattr(command, "commands", None)
        return [command] if inner is None else [leaf for child in inner.values() for leaf in leaves(child)]

    commands = leaves(typer.main.get_command(app))
    assert len(commands) >= 16
    for command in commands:
        assert command.help
        assert any("--debug" in parameter.opts for parameter in command.params)


class _Stage:
    kind = "train"

    def __init__(self, checkpoint: str | None) -> None:
        self.settings = {"encoder": {"checkpoint": checkpoint, "revision": "abc"}}


@pytest.mark.parametrize(
    ("checkpoint", "cached", "said", "offline"),
    [("hub/model", False, True, False), ("hub/model", True, False, True), (None, False, False, True)],
)
def test_downloads_are_announced_and_the_net_is_left_alone_otherwise(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    checkpoint: str | None,
    cached: bool,
    said: bool,
    offline: bool,
) -> None:
    import os

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(making, "is_cached", lambda name, revision: cached)
    monkeypatch.setattr(hub, "why_unreachable", lambda address: None)
    making.announce_downloads([_Stage(checkpoint)], quiet=False)  # type: ignore[list-item]
    assert ("Downloading hub/model (revision abc) from huggingface.co" in capsys.readouterr().err) == said
    assert (os.environ.pop("HF_HUB_OFFLINE", "") == "1") == offline


def test_a_checkpoint_that_cannot_be_fetched_is_told_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setattr(making, "is_cached", lambda name, revision: False)
    with pytest.raises(UsageError) as caught:
        making.announce_downloads([_Stage("hub/model")], quiet=False)  # type: ignore[list-item]
    assert caught.value.problem.startswith(
        "hub/model is not on this machine and cannot be fetched from http://127.0.0.1:9: "
    )


def test_a_dry_run_of_clean_says_what_cannot_be_told_apart(call: Call, folder: Path) -> None:
    with (folder / "experiments.yaml").open("a") as file:
        file.write("  other:\n    extends: tiny\n    qrels: {eng: nowhere.txt}\n")
    refused = call("clean")
    assert (refused.code, "Give them up with --without other." in refused.err) == (2, True)
    shown = call("clean", "--dry-run")
    assert shown.code == 0
    assert "To clean all the same: clir clean --without other" in shown.out


def test_systems_of_the_first_stage_alone_are_tested_against_each_other(call: Call) -> None:
    assert call("run-all", "--jobs", "1").code == 0
    assert "SMT vs Human translation" in call("report").out
