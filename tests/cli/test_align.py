"""`clir align`: tables of an experiment, and links, tables and error rates from files alone."""

import gzip
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clir_cli.translation.table import TranslationTable

from .conftest import Call

FILES = ("--bitext", "bitext.deu", "bitext.eng")
FILLED = "knowledge: {align: {%s}}\n    pairs: [deu-eng]"


def set_up(folder: Path, source: str, target: str, align: str = "") -> None:
    (folder / "bitext.deu").write_text(source, encoding="utf-8")
    (folder / "bitext.eng").write_text(target, encoding="utf-8")
    if align:
        file = folder / "experiments.yaml"
        file.write_text(file.read_text().replace("pairs: [deu-eng]", FILLED % align))


GERMAN = "Das Haus, 7!\n\nDas Haus schwimmt.\nDer Baum schwimmt.\nDer Baum.\nDie Katze.\nDas Wasser.\nHaus Baum\n"
ENGLISH = "The house, 7!\nblank\nThe house floats.\nThe tree floats.\nThe tree.\nThe cat.\nThe water.\nhouse tree\n"


def test_a_table_of_a_pair_and_what_was_left_out(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH, "max_length: 4")
    done = call("align", "--pair", "deu-eng")
    assert done.code == 0, done.err
    head, row = (line.split("\t") for line in done.out.splitlines())
    assert head == ["pair", "source", "lines", "blank", "too long", "unequal", "words", "entries", "table"]
    assert row[:6] == ["deu-eng", "bitext", "6", "1", "1", "0"]
    made = Path(row[-1])
    table = TranslationTable.load(made / "table")
    assert set(table.source_words) == {"haus", "schwimmt", "baum", "katze", "wasser"}
    assert set(table.target_words) <= {"house", "floats", "tree", "cat", "water"}, "no stop word, no punctuation"
    links = gzip.decompress((made / "links.txt.gz").read_bytes()).decode().split("\n")
    assert len(links) == 8 + 1
    assert (links[0], links[1]) == ("", ""), "too long with its punctuation, and blank"
    assert "0-0" in links[7].split(), "positions of the words that the aligner saw"
    report = json.loads((made / "report.json").read_text())
    assert (report["prepared"]["blank"], report["learned"]["tool"], report["words"]) == (1, "clir", 5)
    assert len(report["learned"]["log_likelihoods"]) == 3 + 5 + 1
    assert not (made / "state").exists()


def test_content_words_alone(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH, "words: content, max_length: 2, table: links, symmetrisation: intersection")
    done = call("align")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].split("\t")[2:6] == ["7", "1", "0", "0"]


def test_unequal_files_are_refused_with_both_counts(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH + "one more\n")
    for arguments in ((), (*FILES, "--out", "made")):
        done = call("align", *arguments)
        assert done.code == 1
        assert "bitext.deu has 8 lines, " in done.err
        assert "bitext.eng has 9." in done.err
    assert not (folder / "made" / "table").exists()


def test_files_need_no_experiment(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH)
    (folder / "experiments.yaml").unlink()
    done = call("align", *FILES, "--out", "new", "--languages", "deu", "eng", "-q")
    assert done.code == 0, done.err
    assert done.out.splitlines()[1].split("\t")[:4] == ["7", "1", "0", "0"]
    assert sorted(path.name for path in (folder / "new").iterdir()) == [
        "inverse-table", "links.txt", "report.json", "table",
    ]  # fmt: skip
    assert "haus" in TranslationTable.load(folder / "new" / "table")
    assert "house" in TranslationTable.load(folder / "new" / "inverse-table")
    assert "das" not in TranslationTable.load(folder / "new" / "table")
    assert (folder / "new" / "links.txt").read_text().count("\n") == 8
    assert json.loads((folder / "new" / "report.json").read_text())["settings"]["aligner"]["hmm"] == 5
    assert "house" in call("table", "show", "--table", "new", "Haus").out


def test_text_that_is_tokenised_already(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH)
    assert call("align", *FILES, "--out", "new", "--split", "spaces", "--hmm", "1", "--table", "links").code == 0
    assert "Haus," in TranslationTable.load(folder / "new" / "table")
    assert call("align", *FILES, "--out", "new", "--split", "spaces", "--lower").code == 0
    words = TranslationTable.load(folder / "new" / "table").source_words
    assert {"haus,", "das"} <= set(words)
    assert "Haus," not in words


def test_gold_of_the_first_lines(call: Call, folder: Path) -> None:
    set_up(folder, "a b\nb a\nc\n" * 20, "x y\ny x\nz\n" * 20)
    (folder / "gold.wa").write_text("1 1 1 S\n1 2 2 S\n2 1 1\n2 2 2 P\n3 1 1 S\n")
    done = call("align", *FILES, "--gold", "gold.wa", "--split", "spaces", "--all", "-q")
    assert done.code == 0, done.err
    rows = [line.split("\t") for line in done.out.splitlines()[2:]]
    assert rows[0] == ["links", "AER", "precision", "recall", "F1", "count", "sentences"]
    assert rows[1] == ["agreement", "0.0000", "1.0000", "1.0000", "1.0000", "5", "3"]
    assert [row[0] for row in rows[1:]] == [
        "agreement", "forward", "backward", "intersection", "union", "grow-diag", "grow-diag-final",
        "grow-diag-final-and",
    ]  # fmt: skip
    one = call("align", *FILES, "--gold", "gold.wa", "--split", "spaces", "--symmetrise", "union", "-q")
    assert [line.split("\t")[0] for line in one.out.splitlines()[3:]] == ["union"]


def test_gold_with_a_text_of_its_own(call: Call, folder: Path) -> None:
    set_up(folder, "Haus Baum\nKatze\n" * 20, "house tree\ncat\n" * 20)
    (folder / "gold.deu").write_text("Das Haus\nKatze Baum\n")
    (folder / "gold.eng").write_text("the house\ncat tree\n")
    (folder / "gold.txt").write_text("0?0 1-1\n0-0 1-1\n")
    gold = ("--gold", "gold.txt", "--gold-text", "gold.deu", "gold.eng")
    done = call("align", *FILES, *gold, "--out", "new", "-q")
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1].split("\t")[:4] == ["agreement", "0.0000", "1.0000", "1.0000"]
    assert (folder / "new" / "links.txt").read_text() == "0-0 1-1\n0-0\n" * 20
    assert (folder / "new" / "gold-links.txt").read_text() == "0-0 1-1\n0-0 1-1\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--hmm", "3", "--out", "x"], "--out, --hmm go with --bitext."),
        ([*FILES], "Say where the table is to go with --out FOLDER."),
        ([*FILES, "--out", "x", "--pair", "deu-eng"], "--bitext needs no experiment."),
        ([*FILES, "--out", "x", "--all"], "--gold-text and --all go with --gold."),
        ([*FILES, "--out", "x", "--lower"], "--lower goes with --split spaces."),
        ([*FILES, "--out", "x", "--hmm", "0", "--model1", "0"], "The iterations of the models are 0 or more, and one"),
        ([*FILES, "--out", "x", "--bayes", "1"], "set one of them to 0."),
        ([*FILES, "--out", "x", "--max-length", "99999"], "Max_length is 99999"),
        ([*FILES, "--out", "x", "--min-probability", "2"], "Invalid value for '--min-probability'"),
        ([*FILES, "--out", "x", "--symmetrise", "all"], "Invalid value for '--symmetrise'"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, call: Call, folder: Path) -> None:
    done = call("align", *arguments)
    assert (done.code, said in done.err) == (2, True), done.err
    assert not (folder / "x").exists()


def test_a_gold_alignment_that_is_none_is_told_before_the_work(call: Call, folder: Path) -> None:
    (folder / "gold.txt").write_text("1 2\n")
    done = call("align", *FILES, "--gold", "gold.txt", "--out", "new")
    assert (done.code, "gold.txt:1" in done.err) == (1, True)
    assert not (folder / "new").exists()


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ("1 1 1\n2 1 1\n3 1 4\n", "gold.txt:3: word 4 is outside the target sentence, which has 3 words."),
        ("3 4 1\n", "gold.txt:1: word 4 is outside the source sentence, which has 3 words."),
        ("1 1 1\n9 1 1\n", "gold.txt:2: sentence 9 is outside the text, which has 3."),
    ],
)
@pytest.mark.parametrize("has_own_text", [True, False])
def test_a_gold_alignment_of_another_text(has_own_text: bool, gold: str, said: str, call: Call, folder: Path) -> None:
    sentences = "a b c\na b\na b c\n"
    set_up(folder, sentences, sentences)
    (folder / "gold.txt").write_text(gold)
    if has_own_text:
        for language in ("deu", "eng"):
            (folder / f"gold.{language}").write_text(sentences)
        set_up(folder, "a b c d e\n" * 30, "a b c d e\n" * 30)
    given = ("--gold-text", "gold.deu", "gold.eng") if has_own_text else ()
    done = call("align", *FILES, "--split", "spaces", "--gold", "gold.txt", *given, "--out", "new", "-q")
    assert (done.code, said in done.err) == (1, True), done.err
    assert not (folder / "new").exists()


def test_a_folder_of_the_user_that_is_called_as_the_state_is_stays(call: Call, folder: Path) -> None:
    set_up(folder, GERMAN, ENGLISH.replace("blank", ""))
    mine = folder / "state" / "of-the-nation.txt"
    mine.parent.mkdir()
    mine.write_text("precious")
    done = call("align", *FILES, "--out", ".", "-q")
    assert done.code == 0, done.err
    assert [file.name for file in mine.parent.iterdir()] == [mine.name]
    assert mine.read_text() == "precious"


def test_killed_and_called_again_it_ends_with_the_same_bytes(folder: Path) -> None:
    numbers = random.Random(5)
    lines = [[numbers.randrange(3000) for _ in range(15)] for _ in range(3000)]
    set_up(folder, *("".join(" ".join(f"{side}{n}" for n in line) + "\n" for line in lines) for side in "st"))
    command = [str(Path(sys.executable).with_name("clir")), "align", *FILES, "--split", "spaces", "--hmm", "8", "-q"]
    subprocess.run([*command, "--out", "whole"], check=True, capture_output=True)
    kills = 0
    for _ in range(4):
        running = subprocess.Popen([*command, "--out", "killed"], stdout=subprocess.DEVNULL)
        state, before = folder / "killed" / "state" / "aligner.npz", time.time_ns()
        while running.poll() is None and not (state.exists() and state.stat().st_mtime_ns > before):
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
        kills += state.exists()
        if not state.exists():
            break
    assert kills > 0
    subprocess.run([*command, "--out", "killed"], check=True, capture_output=True)
    for name in ("links.txt", "table/data.npy", "inverse-table/data.npy", "report.json"):
        assert (folder / "killed" / name).read_bytes() == (folder / "whole" / name).read_bytes(), name
    assert not (folder / "killed" / "state").exists()


def test_eflomal_makes_links_and_a_table_of_them(call: Call, folder: Path) -> None:
    pytest.importorskip("eflomal")
    set_up(folder, GERMAN * 5, ENGLISH * 5, "tool: eflomal")
    done = call("align")
    assert done.code == 0, done.err
    assert call("align", *FILES, "--out", "new", "--tool", "eflomal", "-q").code == 0
    assert len(TranslationTable.load(folder / "new" / "table")) > 0
