"""Methods and engines of the first stage, from the settings to tables, runs and exported queries."""

from pathlib import Path

from clir_cli.trec import read_run
from tests.tiny_collection import make_collection

from .conftest import Call

NO_JAVA = ("--set", "retrieval.heap=1m")
"""No Java machine starts with that little."""


def runs_of(folder: Path) -> Path:
    return folder / "made" / "results" / "tiny" / "runs"


def test_the_sparse_engine_ranks_as_lucene_does_and_needs_no_java(call: Call, folder: Path) -> None:
    assert call("run-all", "-q").code == 0
    lucene = {path.name: read_run(path) for path in runs_of(folder).glob("*.trec")}
    assert set(lucene) == {"deu-eng.smt.trec", "deu-eng.human.trec"}
    failed = call("retrieve", "-q", *NO_JAVA, "--set", "retrieval.k1=1")
    assert (failed.code != 0, "Java" in failed.err) == (True, True)

    table = call("report").out
    found = call("run-all", "-q", *NO_JAVA, "--set", "retrieval.engine=sparse")
    assert found.code == 0, found.err
    assert found.out == table
    for name, run in lucene.items():
        other = read_run(runs_of(folder) / name)
        assert {t: [d for d, _ in r] for t, r in other.items()} == {t: [d for d, _ in r] for t, r in run.items()}


def test_psq_is_a_row_a_run_and_a_comparison(call: Call, folder: Path) -> None:
    chosen = ("--set", "retrieval.methods=[smt, psq]", "--set", "retrieval.engine=sparse", *NO_JAVA)
    rows = call("retrieve", *chosen).out.splitlines()
    assert [row.split("\t")[:2] for row in rows[1:]] == [["deu-eng", system] for system in ("smt", "psq", "human")]

    result = call("run-all", *chosen)
    assert result.code == 0, result.err
    assert [line.split()[0] for line in result.out.splitlines() if line.startswith(("SMT ", "PSQ "))][:2] == [
        "SMT",
        "PSQ",
    ]
    comparisons = (folder / "made" / "results" / "tiny" / "comparisons.csv").read_text()
    assert any(line.count("psq") and line.count("smt") for line in comparisons.splitlines())
    names = {path.name for path in runs_of(folder).iterdir()}
    assert {"deu-eng.psq.trec", "deu-eng.psq.queries.txt", "deu-eng.smt.trec"} <= names
    assert "#combine( " in (runs_of(folder) / "deu-eng.psq.queries.txt").read_text()
    assert (runs_of(folder) / "deu-eng.psq.trec").read_text().split()[-1] == "psq"

    assert "deu-eng\tpsq\tP@10\t0\t0.1000" in call("evaluate", "--topics", *chosen).out
    assert (folder / "made" / "index").is_dir()
    assert [path.name.rpartition("-")[0] for path in (folder / "made" / "index").iterdir()] == ["eng-sparse"]


def test_psq_alone_takes_smts_place(call: Call) -> None:
    chosen = ("--set", "retrieval.methods=[psq]", *NO_JAVA, "--set", "retrieval.engine=sparse")
    shown = call("run-all", "-q", *chosen)
    assert shown.code == 0, shown.err
    assert "PSQ" in shown.out
    assert "SMT" not in shown.out


def test_a_method_that_is_none_is_told(call: Call) -> None:
    wrong = call("retrieve", "--set", "retrieval.methods=[pqs]")
    assert wrong.code == 2
    assert "retrieval.methods" in wrong.err


def test_dense_retrieval_is_a_row_a_run_and_a_comparison_without_translations(call: Call, folder: Path) -> None:
    make_collection(folder / "encoder")
    chosen = ("--set", "retrieval.methods=[smt, dense]", "--set", "retrieval.engine=sparse", *NO_JAVA)
    wrong = call("run-all", *chosen)
    assert wrong.code == 2
    assert "dense retrieval needs an encoder: give `retrieval.dense.checkpoint`" in wrong.err

    chosen = (*chosen, "--set", "retrieval.dense={checkpoint: encoder, query_prefix: 'query: '}")
    result = call("run-all", *chosen, "--jobs", "1")
    assert result.code == 0, result.err
    rows = [line.split()[0] for line in result.out.splitlines() if line.startswith(("SMT ", "Dense ", "Human "))]
    assert rows[:3] == ["SMT", "Dense", "Human"]
    comparisons = (folder / "made" / "results" / "tiny" / "comparisons.csv").read_text().splitlines()
    assert any(line.count("dense") and line.count("smt") for line in comparisons)
    run = read_run(runs_of(folder) / "deu-eng.dense.trec")
    assert {topic: len(found) for topic, found in run.items()} == {"0": 4, "1": 4, "2": 4, "3": 4}
    assert (runs_of(folder) / "deu-eng.dense.queries.txt").read_text().splitlines()[0] == "0\tquery: haus"

    assert len(list((folder / "made" / "embed").iterdir())) == 1
