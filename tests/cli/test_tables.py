"""`clir table ...`: on the tiny experiment, and on files alone."""

import json
from pathlib import Path

import pytest

from clir_cli.cli.tables import Format
from clir_cli.translation.formats.reading import FORMATS, read_table_file
from clir_cli.translation.table import TranslationTable

from .conftest import Call

DATA = Path(__file__).parents[1] / "data" / "tables"
LEX = str(DATA / "toy.lex.f2e")


def test_show_sums_up_what_it_shows(call: Call) -> None:
    shown = call("table", "show", "--table", LEX, "HAUS", "heim")
    assert shown.out == (
        "word\tkey\ttranslation\tp\tsum\n"
        "HAUS\thaus\thome\t0.5000\t0.5000\nHAUS\thaus\thouse\t0.5000\t1.0000\nheim\theim\thome\t1.0000\t1.0000\n"
    )
    assert "house" not in call("table", "show", "--table", LEX, "haus", "--top", "1").out


def test_show_takes_words_of_the_other_side(call: Call) -> None:
    shown = call("table", "show", "--table", LEX, "home", "--inverse")
    assert shown.out.splitlines()[1:] == ["home\thome\theim\t0.6667\t0.6667", "home\thome\thaus\t0.3333\t1.0000"]


def test_show_names_near_words(call: Call) -> None:
    unknown = call("table", "show", "--table", LEX, "hauss")
    assert (unknown.code, unknown.err) == (1, f"Error: {LEX} does not have hauss: did you mean `haus`?\n")
    both = call("table", "show", "--table", LEX, "haus", "xy", "xz")
    assert (both.code, "does not have xy, xz." in both.err, "house" in both.out) == (1, True, True)


def test_a_table_is_imported_with_a_report_and_then_named_by_its_folder(call: Call, folder: Path) -> None:
    done = call(
        "table", "import", str(DATA / "toy.t3.final"), "--out", "giza", "--vocabularies", *map(str, vocabularies())
    )
    assert done.out == ("10 entries of 5 words: giza\nRead as giza: 13 entries; left out: 3 of the empty word.\n")
    assert TranslationTable.load(folder / "giza").row("ein") == {"a": 1.0}
    assert json.loads((folder / "giza" / "report.json").read_text())["null"] == 3
    assert "ein\tein\ta\t1.0000" in call("table", "show", "--table", "giza", "ein").out


def vocabularies() -> tuple[Path, Path]:
    return DATA / "de.vcb", DATA / "en.vcb"


def test_import_refuses_the_wrong_direction_and_writes_nothing(call: Call, folder: Path) -> None:
    refused = call("table", "import", LEX, "--out", "new", "--format", "matclir")
    assert (refused.code, "conditional on the second column" in refused.err) == (1, True)
    assert not (folder / "new").exists()
    assert call("table", "import", LEX, "--out", "new", "--format", "matclir", "--swap").code == 0


def test_import_turns_round(call: Call, folder: Path) -> None:
    done = call("table", "import", str(DATA / "toy.fast-psq.json"), "--out", "psq", "--format", "fast-psq")
    assert done.out.endswith("6 entries. Turned round by Bayes' rule.\n")
    assert TranslationTable.load(folder / "psq").row("heim") == {"home": 1.0}
    call("table", "import", str(DATA / "toy.fast-psq.json"), "--out", "psq", "--format", "fast-psq", "--no-invert")
    assert "home" in TranslationTable.load(folder / "psq")


@pytest.mark.parametrize("format", ["matclir", "moses-lex", "fast-psq"])
def test_what_is_exported_is_read_back(format: str, call: Call, folder: Path) -> None:
    assert call("table", "export", LEX, "out.gz", "--format", format).code == 0
    table = read_table_file(folder / "out.gz", format, invert=False)[0]
    assert table.row("home" if format == "fast-psq" else "haus") == pytest.approx(
        {"heim": 2 / 3, "haus": 1 / 3} if format == "fast-psq" else {"home": 0.5, "house": 0.5}
    )
    assert call("table", "export", LEX, "inverse.txt", "--inverse").code == 0
    assert (folder / "inverse.txt").read_text().startswith("a ein 1.0\n")


def test_diff_tells_words_of_one_table_and_distances(call: Call, folder: Path) -> None:
    (folder / "one.txt").write_text("haus house 1\nheim home 1\nbuch book 0.5\nbuch volume 0.5\n")
    (folder / "two.txt").write_text("haus house 1\nheim house 1\nbuch book 0.75\nbuch volume 0.25\ndom cathedral 1\n")
    assert call("table", "diff", "one.txt", "two.txt").out.splitlines() == [
        "\tone.txt\ttwo.txt",
        "words\t3\t4",
        "entries\t4\t5",
        "words the other lacks\t0\t1",
        "Only in two.txt: dom",
        "3 words are in both: mean distance 0.4167 (0 equal, 1 nothing in common), the same best translation for 2 "
        "(66.7 %).",
        "word\tdistance\tone.txt\ttwo.txt",
        "heim\t1.0000\thome 1.00\thouse 1.00",
        "buch\t0.2500\tbook 0.50, volume 0.50\tbook 0.75, volume 0.25",
    ]
    assert "word\t" not in call("table", "diff", "one.txt", "one.txt").out


def test_diff_of_a_pair_and_a_file(call: Call, folder: Path) -> None:
    call("table", "export", "deu-eng", "same.txt")
    assert "mean distance 0.0000" in call("table", "diff", "deu-eng", "same.txt").out


def test_coverage_of_a_pair(call: Call, folder: Path) -> None:
    (folder / "topics.deu.tsv").write_text("0\thaus\n1\tbaum fremdling\n2\tkatze\n3\tunbekannt fremdling\n")
    done = call("table", "coverage", "deu-eng")
    assert done.out.splitlines()[:4] == [
        "pair\twhat\tknown\tof\tshare",
        "deu-eng\tdifferent query words\t3\t5\t60.0 %",
        "deu-eng\tquery words\t3\t6\t50.0 %",
        "deu-eng\tknown words with a link to the collection\t3\t3\t100.0 %",
    ]
    assert done.out.splitlines()[-2:] == ["deu-eng\t3\t2\t2\tunbekannt, fremdling", "deu-eng\t1\t1\t2\tfremdling"]
    assert "Warning" not in done.err
    assert call("table", "coverage", "--worst", "0").out.count("\n") == 5
    ids = call("table", "coverage", "--set", "report.text=ids").out
    assert "fremdling" not in ids
    assert "deu-eng\t1\t1\t2\t2\n" in ids


def test_coverage_of_files(call: Call, folder: Path) -> None:
    (folder / "words.txt").write_text("das Haus\n\nBücherei\n")
    done = call("table", "coverage", "--table", LEX, "--topics", "topics.deu.tsv", "--words", "words.txt")
    assert "toy.lex.f2e\tquery words\t3\t7\t42.9 %\n" in done.out
    assert "toy.lex.f2e\twords.txt:3\t1\t1\tbucherei\n" in done.out
    fewer = call("table", "coverage", "--table", LEX, "--words", "words.txt", "--language", "deu")
    assert "toy.lex.f2e\tquery words\t1\t2\t50.0 %\n" in fewer.out


def test_a_table_of_another_pair_is_a_warning(call: Call, folder: Path) -> None:
    (folder / "words.txt").write_text("the house\na home\n")
    turned = call("table", "coverage", "--table", LEX, "--words", "words.txt")
    assert turned.err == (
        f"Warning: Only 0 of 4 (0.0 %) words of the queries are in {LEX}, but 4 of 4 (100.0 %) are among its "
        "translations: it looks like the table of the opposite direction. Take the table of the other direction, or "
        "turn this one round by Bayes' rule (`invert: true`).\n"
    )
    (folder / "words.txt").write_text("la maison\nune porte\n")
    other = call("table", "coverage", "--table", LEX, "--words", "words.txt")
    assert other.err.endswith("it looks like the table of another pair. Check its languages and the file.\n")
    assert other.code == 0


def test_validate_warns_of_a_table_of_another_pair(call: Call, folder: Path) -> None:
    (folder / "table.txt").write_text("house haus 1\ntree baum 1\ncat katze 1\nwater wasser 1\n")
    done = call("validate", "--json", "--set", "knowledge.table=table.txt")
    found = [finding for finding in json.loads(done.out)["findings"] if finding["code"] == "other-pair"]
    assert [finding["level"] for finding in found] == ["warning"]
    assert "it looks like the table of the opposite direction" in found[0]["message"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["coverage", "--table", LEX], "--table needs --topics or --words, and no pair."),
        (["coverage", "deu-eng", "--table", LEX, "--words", "x"], "--table needs --topics or --words, and no pair."),
        (["coverage", "--words", "x"], "--topics, --words and --language go with --table."),
        (["coverage", "deu-fra"], "There is no pair 'deu-fra'."),
        (["show", "deu-eng"], "Missing argument 'WORD...'."),
        (["import", LEX], "Missing option '--out'"),
        (["import", LEX, "--out", "x", "--format", "moses"], "Invalid value for '--format'"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, call: Call) -> None:
    done = call("table", *arguments)
    assert (done.code, said in done.err) == (2, True), done.err


def test_the_commands_know_every_format() -> None:
    assert {format.value for format in Format} == {"auto", *FORMATS}


def test_tables_are_mixed(call: Call, folder: Path) -> None:
    (folder / "one.txt").write_text("haus house 1\nbuch book 1\n")
    (folder / "two.txt").write_text("haus house 0.5\nhaus home 0.5\ndom house 1\n")
    done = call("table", "mix", "one.txt=3", "two.txt=1", "--out", "mixed")
    assert done.out == "4 entries of 3 words: mixed\n"
    assert TranslationTable.load(folder / "mixed").row("haus") == pytest.approx({"house": 0.875, "home": 0.125})
    assert json.loads((folder / "mixed" / "report.json").read_text()) == {"weights": {"one.txt": 3.0, "two.txt": 1.0}}
    assert call("table", "mix", "deu-eng=1", "one.txt=1", "--out", "pair").code == 0


def test_tables_meet_in_a_language_between(call: Call, folder: Path) -> None:
    (folder / "one.txt").write_text("guri house 0.6\nguri home 0.4\n")
    (folder / "two.txt").write_text("house haus 1\ntree baum 1\n")
    done = call("table", "pivot", "one.txt", "two.txt", "--out", "joined")
    assert done.out.splitlines() == [
        "1 entries of 1 words: joined",
        "1 words between are in both; of a word's probability 0.60 is left on average of 1.00: "
        "0.40 met no second table, 0.00 was pruned.",
    ]
    assert TranslationTable.load(folder / "joined").row("guri") == pytest.approx({"haus": 0.6})
    refused = call("table", "pivot", "one.txt", LEX, "--out", "none")
    assert (refused.code, "translates into none of the words" in refused.err) == (1, True)
    assert not (folder / "none").exists()


def test_a_table_is_turned_round(call: Call, folder: Path) -> None:
    assert call("table", "invert", LEX, "--out", "turned").code == 0
    table = TranslationTable.load(folder / "turned")
    assert table.row("home") == pytest.approx({"heim": 2 / 3, "haus": 1 / 3})


@pytest.mark.parametrize("part", ["one.txt", "one.txt=", "=1", "one.txt=0", "one.txt=-1", "one.txt=nan", "one.txt=x"])
def test_a_part_of_a_mixture_has_a_weight(part: str, call: Call) -> None:
    done = call("table", "mix", part, "--out", "x")
    assert (done.code, f"{part} is not TABLE=WEIGHT with a weight above 0." in done.err) == (2, True)
    assert call("table", "mix", f"{LEX}=1", f"{LEX}=2", "--out", "x").code == 2
