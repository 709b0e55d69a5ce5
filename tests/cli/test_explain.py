"""`clir explain`: one document's score taken apart, and the documents that were moved most."""

import re
from pathlib import Path

import pytest

from clir_cli.cli.app import run as call
from clir_cli.pipeline.plan import Plan
from clir_cli.trec import read_run

from .test_mores import folder, make

__all__ = ["folder"]
MODELS = ("models.mart={}", "models.m2bert={}", "evaluation.compare=mart")
SETS = [part for text in MODELS for part in ("--set", text)]


@pytest.fixture(scope="module")
def plan(folder: Path) -> Plan:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        return make(folder, "rerank", *MODELS)


@pytest.fixture(autouse=True)
def here(folder: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CLIR_ARTIFACTS", raising=False)


def explain(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert call(["explain", "--quiet", *SETS, *arguments]) == code
    said = capsys.readouterr()
    return said.out, said.err


def runs(plan: Plan, model: str) -> tuple[dict[str, list[tuple[str, float]]], dict[str, list[tuple[str, float]]]]:
    (first,) = [stage for stage in plan.stages if stage.kind == "retrieve"]
    (second,) = [stage for stage in plan.targets if stage.model == model]
    return read_run(plan.artifact(first) / "run.trec"), read_run(plan.artifact(second) / "run.trec")  # type: ignore[return-value]


def table(said: str, head: str) -> list[list[str]]:
    """The rows that follow a head."""
    lines = said.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head)) + 1
    end = next((number for number, line in enumerate(lines[start:], start) if "\t" not in line), len(lines))
    return [line.split("\t") for line in lines[start:end]]


@pytest.mark.parametrize("model", ["mart", "m2bert", "mores-mat"])
def test_the_score_is_that_of_the_runs_and_its_parts_add_up(
    plan: Plan, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    first, second = runs(plan, model)
    topic = next(iter(second))
    document, score = second[topic][0]
    rank = [entry[0] for entry in first[topic]].index(document) + 1
    said, _ = explain(capsys, "--topic", topic, "--doc", document, "--model", model)
    assert f"rank {rank} of {len(first[topic])}, score {first[topic][rank - 1][1]:.4f}" in said
    assert f"(model of fold 1, which tests this topic): rank 1 of {len(second[topic])}" in said
    assert f"score {score:.4f}." in said
    assert "In the run it has" not in said
    *parts, total = table(said, "query word\tdocument word\tweight")
    assert total[0] == "sum"
    assert float(total[-1]) == pytest.approx(first[topic][rank - 1][1], abs=1e-4)
    assert sum(float(part[-1]) for part in parts) == pytest.approx(float(total[-1]), abs=1e-3)
    *passages, mean = table(said, "passage\twords")
    assert float(mean[-1]) == pytest.approx(sum(float(one[-1]) for one in passages) / len(passages), abs=1e-4)
    if model == "m2bert":
        assert "BERT (no ranking step) reads no translations" in said or "m2BERT reads no translations" in said
        assert "The score without" not in said
        return
    linked = {row[0] for row in table(said, "query word\tdocument word\tp")}
    without = table(said, "left out\tlinks")
    assert {row[0] for row in without} - {"all of them"} == linked
    for row in without:
        assert float(row[2]) - score == pytest.approx(float(row[3]), abs=2e-4)


def test_the_page_is_written_beside_what_is_said(
    plan: Plan, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _, second = runs(plan, "mart")
    topic = next(iter(second))
    document = second[topic][0][0]
    said, _ = explain(capsys, "--topic", topic, "--doc", document, "--html", str(tmp_path / "page.html"))
    assert said.splitlines()[-1] == str(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    for link in table(said, "query word\tdocument word\tp"):
        assert re.search(rf"<mark class=.*{link[1]}<sup>", page)
    _, error = explain(capsys, "--topic", topic, "--html", "page.html", code=2)
    assert "--html goes with --doc." in error
    _, error = explain(capsys, "--topic", topic, "--doc", document, "--html", str(tmp_path), code=1)
    assert "a file is expected here, and this is a folder." in error


@pytest.mark.parametrize("system", ["psq", "human"])
def test_other_first_stages_without_a_re_ranker(folder: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    sets = ["models=[]", "retrieval.methods=[psq]"]
    if system == "human":
        table_lines = (line.split("\t") for line in (folder / "table.tsv").read_text().splitlines())
        words = {word: translation for word, translation, _ in table_lines}
        asked = (line.split("\t") for line in (folder / "topics.deu.tsv").read_text().splitlines())
        lines = (f"{id}\t{' '.join(words[word] for word in text.split())}\n" for id, text in asked)
        (folder / "topics.eng.tsv").write_text("".join(lines))
        sets = ["models=[]", "topics.eng=topics.eng.tsv", "pairs.deu-eng.knowledge={source: none}"]
    made = make(folder, "retrieve", *sets)
    (stage,) = [stage for stage in made.targets if stage.name.endswith(system)]
    topic, ranking = next(
        (topic, ranking) for topic, ranking in read_run(made.artifact(stage) / "run.trec").items() if ranking
    )
    document, score = ranking[0]
    capsys.readouterr()
    arguments = [part for text in sets for part in ("--set", text)]
    assert call(["explain", "--quiet", *arguments, "--topic", topic, "--doc", document]) == 0
    said = capsys.readouterr().out
    assert f"rank 1 of {len(ranking)}, score {score:.4f}" in said
    assert "deu-eng has no re-ranker" in said
    *parts, total = table(said, "query word\tdocument word\tweight")
    assert float(total[-1]) == pytest.approx(score, abs=1e-4)
    assert sum(float(part[-1]) for part in parts) == pytest.approx(score, abs=1e-3)


def test_a_query_that_finds_nothing(folder: Path, plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = runs(plan, "mart")
    (folder / "more.tsv").write_text((folder / "topics.deu.tsv").read_text() + "t99\t" + "haus\n")
    sets = ["topics.deu=more.tsv", "models=[]"]
    make(folder, "retrieve", *sets)
    capsys.readouterr()
    arguments = [part for text in sets for part in ("--set", text)]
    document = first["t1"][0][0]
    assert call(["explain", "--quiet", *arguments, "--topic", "t99", "--doc", document]) == 0
    said = capsys.readouterr().out
    assert "haus\t1\t1.000\thaus 1.000" in said  # not in the table: it stands for itself
    assert "The document holds no word that the query asks for." in said
    assert "not among the 0 documents of the list; its score would be 0.0000" in said


def test_licensed_text_stays_out(plan: Plan, folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, second = runs(plan, "mart")
    topic = next(iter(second))
    document = second[topic][0][0]
    page = tmp_path / "1.html"
    said, _ = explain(capsys, "--set", "report.text=ids", "--topic", topic, "--doc", document, "--html", str(page))
    files = ("topics.deu.tsv", "documents.tsv")
    lines = [line for name in files for line in (folder / name).read_text().splitlines()]
    texts = {line.split("\t")[0]: line for line in lines}
    shown = set(re.findall(r"\w+", said + re.sub(r"(?s)<style>.*</style>|<[^>]*>", " ", page.read_text())))
    secret = {word for name in (topic, document) for word in texts[name].split("\t", 1)[1].split()}
    assert len(secret) > 5
    assert shown & secret == set()
    assert "q1" in shown
    assert table(said, "query word\tdocument word\tweight")


def test_the_most_moved(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = runs(plan, "mart")
    said, remark = explain(capsys, "--top", "2")
    rows = table(said, "topic\tdocument\trelevance\tbefore\tafter\tmoved")
    assert 1 <= len(rows) <= 4
    for topic, document, _, before, after, moved in rows:
        assert first[topic][int(before) - 1][0] == document
        assert second[topic][int(after) - 1][0] == document
        assert int(moved) == int(before) - int(after) != 0
    largest = max(
        [entry[0] for entry in first[topic]].index(document) - new
        for topic, ranking in second.items()
        for new, (document, _) in enumerate(ranking)
    )
    assert int(rows[0][-1]) == largest
    assert f"{len(second)} topics" in remark
    one, _ = explain(capsys, "--topic", rows[0][0])
    assert {row[0] for row in table(one, "topic\t")} == {rows[0][0]}


def test_what_is_not_there_is_said(plan: Plan, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, second = runs(plan, "mart")
    topic = next(iter(second))
    other = next(
        name for name in (line.split("\t")[0] for line in (folder / "topics.deu.tsv").open()) if name not in second
    )
    for arguments, problem in (
        (["--topic", "t77"], "deu-eng has no topic t77: did you mean `t7`?"),
        (["--topic", topic, "--doc", f"{topic}-d77"], f"has no document {topic}-d77: did you mean `{topic}-d7`"),
        (["--topic", topic, "--model", "marts"], "deu-eng has no model marts: did you mean `mart`"),
        (["--topic", other, "--doc", f"{other}-d1"], f"Topic {other} is tested in fold"),
        (["--doc", f"{topic}-d1"], "--doc goes with --topic."),
    ):  # fmt: skip
        _, error = explain(capsys, *arguments, code=2)
        assert problem in error
