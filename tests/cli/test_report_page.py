"""`clir report --html` and `clir figures` on an experiment without re-rankers."""

from pathlib import Path

from .conftest import Call


def test_pages_and_figures_of_a_finished_run(call: Call, folder: Path) -> None:
    first = call("run-all", "--jobs", "1")
    assert first.code == 0, first.err
    file = folder / "made" / "results" / "tiny" / "report.html"
    assert first.err.splitlines()[-1] == f"Report: {file}"
    text = file.read_text(encoding="utf-8")
    assert "<h1>tiny</h1>" in text
    assert "Two words" in text
    assert ">haus</td>" in text, "topics are shown with their text"
    assert "No model was trained here" in text
    assert "known words with a link to the collection" in text

    again = call("report", "--html", "--output", "page.html")
    assert (again.code, again.out) == (0, "page.html\n")
    assert (folder / "page.html").read_bytes() == file.read_bytes()
    refused = call("report", "--html", "--format", "csv")
    assert (refused.code, "Leave out --format." in refused.err) == (2, True)
    (folder / "page.html").unlink()
    assert call("report", "--html", "--output", ".").out == "report.html\n"

    licensed = call("report", "--html", "--quiet", "--set", "report.text=ids", "--output", "ids.html")
    assert licensed.code == 0, licensed.err
    text = (folder / "ids.html").read_text(encoding="utf-8")
    assert "its text is licensed" in text
    for word in ("haus", "house", "katze", "wasser"):
        assert word not in text.lower()
    assert '<th scope="row" data-sort="0">0</th>' in text

    figures = file.with_name("figures")
    figures.mkdir()
    for name in ("topics-deu-eng-gone-smt-MAP.pdf", "mine.pdf"):
        (figures / name).write_text("old")
    done = call("figures", "--quiet")
    assert done.code == 0, done.err
    names = {f"topics-deu-eng-smt-human-{measure}.{format}" for measure in ("MAP", "P-10") for format in ("pdf", "png")}
    assert {Path(line).name for line in done.out.splitlines()} == names
    assert {path.name for path in figures.iterdir()} == {*names, "mine.pdf"}
    assert done.err == "", "an experiment without models lacks no figure of them"
    assert call("figures", "--quiet", "--format", "svg", "--output", "drawn").code == 0
    assert {path.suffix for path in (folder / "drawn").iterdir()} == {".svg"}
    refused = call("figures", "--output", "topics.deu.tsv")
    assert (refused.code, "a folder is expected here" in refused.err) == (1, True)


def test_without_judgements_there_is_no_page(call: Call, folder: Path) -> None:
    file = folder / "experiments.yaml"
    file.write_text(file.read_text().replace("    qrels: {eng: qrels.txt}\n", ""), encoding="utf-8")
    refused = call("report", "--html", "--quiet")
    assert (refused.code, "Without judgements there are no tables." in refused.err) == (2, True)
    assert not (folder / "made" / "index").exists(), "nothing is made in vain"
