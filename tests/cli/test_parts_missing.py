"""Whole runs of experiments that lack judgements or parallel text, that have pools, that must not show text."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clir_cli.config.load import load_experiment
from clir_cli.pipeline.export import export
from clir_cli.pipeline.plan import make_plan
from clir_cli.trec import read_run
from tests.tiny_collection import make_collection

from .conftest import Call


def change(folder: Path, *changes: tuple[str, str]) -> None:
    file = folder / "experiments.yaml"
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def test_without_judgements_there_are_runs_and_no_table(call: Call, folder: Path) -> None:
    change(folder, ("    qrels: {eng: qrels.txt}\n", ""))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert done.out == "Without judgements there are runs, but no tables: deu-eng.\n"
    results = folder / "made" / "results" / "tiny"
    assert {file.name for file in (results / "runs").iterdir()} == {
        "deu-eng.smt.trec", "deu-eng.human.trec", "deu-eng.smt.queries.txt", "deu-eng.human.queries.txt",
        "deu-eng.smt.trec.json", "deu-eng.human.trec.json",
    }  # fmt: skip
    assert read_run(results / "runs" / "deu-eng.smt.trec")["0"][0].document == "d0"
    assert not list(results.glob("table*"))
    report = call("report")
    assert (report.code, "Without judgements there are no tables." in report.err) == (2, True)


def test_human_translations_alone_are_enough(call: Call, folder: Path) -> None:
    change(folder, ("bitext: {deu-eng: [bitext.deu, bitext.eng]}", "knowledge: {source: none}"))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert "Human translation" in done.out
    assert "SMT" not in done.out
    assert call("align").code == 2


def test_a_word_list_is_enough(call: Call, folder: Path) -> None:
    lines = ["house\tHaus\t9", "tree\tBaum\t9", "cat\tKatze\t9", "water\tWasser\t9", "a big house\tHaus\t1"]
    (folder / "words.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    dictionary = "knowledge: {dictionary: {path: words.tsv, source: 2, target: 1}}"
    change(folder, ("bitext: {deu-eng: [bitext.deu, bitext.eng]}", dictionary))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert call("table", "show", "deu-eng", "Haus").out == (
        "word\tkey\ttranslation\tp\tsum\nHaus\thaus\thouse\t1.0000\t1.0000\n"
    )


def test_topics_search_the_pool_of_their_year(call: Call, folder: Path) -> None:
    pools = "{path: documents.tsv, pools: [{topics: 0-1, documents: [d0, d1]}, {topics: 2, documents: [d]}]}"
    change(folder, ("{eng: documents.tsv}", "{eng: " + pools + "}"))
    with (folder / "qrels.txt").open("a") as file:
        file.write("0 0 d3 1\n")  # outside the pool of topic 0
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    run = read_run(folder / "made" / "results" / "tiny" / "runs" / "deu-eng.smt.trec")
    assert {topic: {entry.document for entry in run[topic]} for topic in run} == {
        "0": {"d0", "d1"}, "1": {"d1"}, "2": {"d2", "d3"},
    }  # fmt: skip
    note = " ".join(done.out.split())
    assert "topics that no pool of the collection is for are left out (1: 3)" in note
    assert "1 judgements of documents outside their topic's pool are left out" in note


def test_intersected_topics_leave_a_note(call: Call, folder: Path) -> None:
    (folder / "topics.fra.tsv").write_text("C000\tmaison\nC001\tarbre\nC002\tchat\n", encoding="utf-8")
    change(folder, ("topics: {deu:", "topics: {intersect: [deu, fra], fra: topics.fra.tsv, deu:"))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert "topics that not all of topics.intersect have are left out (1: 3)" in " ".join(done.out.split())
    assert "3 topics" in done.out


def test_faulty_documents_stop_the_run_or_leave_a_note(call: Call, folder: Path) -> None:
    with (folder / "documents.tsv").open("a", encoding="utf-8") as file:
        file.write("d4 a house without a tab\n")
    stopped = call("run-all", "--jobs", "1")
    assert stopped.code == 1
    assert "documents.tsv:5: there is no tab." in stopped.err
    change(folder, ("{eng: documents.tsv}", "{eng: {path: documents.tsv, faults: skip}}"))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert "1 faulty documents of the collection are left out" in " ".join(done.out.split())


def test_text_stays_at_home(call: Call, folder: Path) -> None:
    change(folder, ("    models: []\n", "    models: []\n    report: {text: ids}\n"))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    links = call("matrices", "--show", "0", "d0")
    assert links.out.splitlines()[0] == "0 and d0; words by their number (report.text: ids)"
    assert links.out.splitlines()[2].startswith("1\t2\t")
    assert not list((folder / "made" / "results" / "tiny" / "runs").glob("*queries*"))
    for file in (folder / "made" / "results").rglob("*"):
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            assert not any(word in text for word in ("haus", "house", "wasser", "katze")), file


def test_a_model_that_nobody_trains(call: Call, folder: Path) -> None:
    from clir_cli.encoders.checkpoint import load_tokenizer
    from clir_cli.rerankers.build import build_reranker, save_reranker

    tiny = make_collection(folder / "encoder")
    save_reranker(build_reranker(tiny.folder, seed=3), load_tokenizer(tiny.folder), folder / "ranker")
    change(
        folder,
        ("    qrels: {eng: qrels.txt}\n", ""),
        ("    models: []\n", "    models: [zero-shot]\n    encoder: {checkpoint: ./ranker, max_pieces: 48}\n"),
    )
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    run = read_run(folder / "made" / "results" / "tiny" / "runs" / "deu-eng.zero-shot.trec")
    first_stage = read_run(folder / "made" / "results" / "tiny" / "runs" / "deu-eng.smt.trec")
    assert {topic: {entry.document for entry in run[topic]} for topic in run} == {
        topic: {entry.document for entry in first_stage[topic]} for topic in first_stage
    }
    listed = call("rerank")
    assert "deu-eng\tzero-shot\tall\t" in listed.out
    (folder / "qrels.txt").touch()
    change(folder, ("    pairs: [deu-eng]\n", "    pairs: [deu-eng]\n    qrels: {eng: qrels.txt}\n"))
    table = call("run-all", "--jobs", "1")
    assert table.code == 0, table.err
    assert "Zero-shot" in table.out


def test_what_is_left_out_is_told_without_a_table_too(call: Call, folder: Path) -> None:
    pools = "{path: documents.tsv, faults: skip, pools: [{topics: 0-1, documents: [d]}]}"
    with (folder / "documents.tsv").open("a", encoding="utf-8") as file:
        file.write("d4 a house without a tab\n")
    change(folder, ("    qrels: {eng: qrels.txt}\n", ""), ("{eng: documents.tsv}", "{eng: " + pools + "}"))
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1] == (
        "deu-eng: 1 faulty documents of the collection are left out; "
        "topics that no pool of the collection is for are left out (2: 2, 3)."
    )


def test_results_are_replaced_and_notes_beside_them_stay(call: Call, folder: Path) -> None:
    results = folder / "made" / "results" / "tiny"
    (results / "runs").mkdir(parents=True)
    for name in ("notes.txt", "tested-folds.table.txt", "runs/deu-eng.gone.trec", "runs/plot.png"):
        (results / name).write_text("x")
    assert call("run-all", "--jobs", "1").code == 0
    assert (results / "notes.txt").exists()
    assert (results / "runs" / "plot.png").exists()
    assert not (results / "tested-folds.table.txt").exists()
    assert not (results / "runs" / "deu-eng.gone.trec").exists()
    assert (results / "table.txt").exists()


def test_two_that_export_at_the_same_time(call: Call, folder: Path) -> None:
    assert call("run-all", "--jobs", "1").code == 0
    plan = make_plan(load_experiment(folder / "experiments.yaml"))
    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(lambda: [export(plan) for _ in range(20)]) for _ in range(2)]
        assert {len(one.result()) for one in done} == {20}


def test_chosen_folds_win_over_those_of_a_pair(call: Call, folder: Path) -> None:
    change(folder, ("    pairs: [deu-eng]\n", "    pairs: {deu-eng: {training: {folds: {run: [1]}}}}\n"))
    change(folder, ("    models: []\n", "    models: [m2bert]\n    encoder: some-hub/model\n"))
    plan = call("run-all", "--dry-run", "--fold", "2")
    assert "train\tdeu-eng m2bert fold 2" in plan.out
    assert "fold 1" not in plan.out


def test_a_file_without_experiments_has_no_leftovers(call: Call, folder: Path) -> None:
    (folder / "experiments.yaml").write_text("experiments: {}\n")
    done = call("clean", "--dry-run")
    assert (done.code, "experiments.yaml has no experiments" in done.err) == (2, True)
