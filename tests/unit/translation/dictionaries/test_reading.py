"""A dictionary of any format as a table: formats told apart, directions, weights, what is a word."""

from pathlib import Path

import pytest

from clir_cli.corpora.normalise import stop_words
from clir_cli.errors import DataError, Faults
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.dictionaries.recognise import recognise_format

DATA = Path("tests/data/dictionaries")
NONE = frozenset[str]()


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("small.ding.txt", "ding"),
        ("small.tei", "freedict"),
        ("p4.tei", "freedict"),
        ("three_words.muse.txt", None),
        ("no_quality.tsv", "tsv"),
        ("mixed_encodings.tsv", "tsv"),
        ("prose.txt", None),
    ],
)
def test_formats_are_told_apart(name: str, format_: str | None) -> None:
    path = DATA / name
    if format_:
        assert recognise_format(path) == format_
        return
    with pytest.raises(DataError) as caught:
        recognise_format(path)
    assert str(caught.value) == (
        f"{path}: its format cannot be told: no tabs, no XML, no `::`, and not two words a line. "
        "Set `format` to tsv, muse, panlex, freedict or ding."
    )


def test_muse_is_told_by_two_words_a_line(tmp_path: Path) -> None:
    path = tmp_path / "de-en.txt"
    path.write_text("haus house\nhaus home\n", encoding="utf-8")
    table, report = read_dictionary(path, NONE, NONE)
    assert table.row("haus") == {"house": 0.5, "home": 0.5}
    assert report.formats == ("muse",)


@pytest.mark.parametrize("name", ["small.ding.txt", "small.tei"])
def test_sides_can_be_turned_round(name: str) -> None:
    forward, _ = read_dictionary(DATA / name, NONE, NONE)
    backward, _ = read_dictionary(DATA / name, NONE, NONE, columns=(2, 1))
    cells = {(source, target) for source in forward.source_words for target in forward.row(source)}
    assert cells == {(target, source) for source in backward.source_words for target in backward.row(source)}
    assert len(cells) > 5
    with pytest.raises(DataError, match="sides 1 and 3 are asked for, but a "):
        read_dictionary(DATA / name, NONE, NONE, columns=(1, 3))


def test_several_files_are_one_dictionary(tmp_path: Path) -> None:
    more = tmp_path / "more.tsv"
    more.write_text("nyumba\thouse\nnyumba\thut\n", encoding="utf-8")
    table, report = read_dictionary([DATA / "small.tei", more], NONE, NONE)
    assert table.row("nyumba") == pytest.approx({"house": 1 / 3, "home": 1 / 3, "hut": 1 / 3})
    assert (report.entries, report.words, report.translations) == (11, 4, 10)
    assert report.formats == ("freedict", "tsv")


def test_quality_weights_add_up(tmp_path: Path) -> None:
    path = tmp_path / "rated.tsv"
    path.write_text("Haus\thouse\t6\nhaus\tHouse\t2\nHaus\thome\t2\nHaus\tcard\t0\nx\ty\t1\n", encoding="utf-8")
    table, report = read_dictionary(path, NONE, NONE, weights="quality")
    assert table.row("haus") == pytest.approx({"house": 0.8, "home": 0.2})
    assert (report.used, report.no_quality, report.translations) == (4, 1, 3)
    table, report = read_dictionary(path, NONE, NONE)
    assert table.row("haus") == pytest.approx({"house": 1 / 3, "home": 1 / 3, "card": 1 / 3})
    assert report.no_quality == 0


def test_how_often_an_entry_is_given_is_its_quality_where_there_is_no_other(tmp_path: Path) -> None:
    path = tmp_path / "de-en.txt"
    path.write_text("haus house\nhaus home\nhaus house\n", encoding="utf-8")
    table, _ = read_dictionary(path, NONE, NONE, weights="quality")
    assert table.row("haus") == pytest.approx({"house": 2 / 3, "home": 1 / 3})


def test_one_stop_word_may_stand_before_a_word(tmp_path: Path) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_text(
        "fliehen\tto escape\nsich irren\terr\nirren\tblow up\nhaare\tkeep your hair on\nfliehen\tthe\n",
        encoding="utf-8",
    )
    table, report = read_dictionary(path, stop_words("iso", "deu"), stop_words("iso", "eng"))
    assert table.row("fliehen") == {"escape": 1.0}
    assert table.row("irren") == {"err": 1.0}
    assert (report.used, report.several_words, report.no_word) == (2, 2, 1)
    path.write_text("fliehen\tto escape\nsich irren\terr\n", encoding="utf-8")
    with pytest.raises(DataError, match="none of its 2 entries"):  # without stop words, these are phrases
        read_dictionary(path, NONE, NONE)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "quality_is_no_number.tsv",
            "2: column 3 holds 'good', which is no quality (a number from 0). "
            "Set `weights: uniform`, or name a list that has qualities there.",
        ),
        (
            "quality_is_negative.tsv",
            "2: column 3 holds '-1', which is no quality (a number from 0). "
            "Set `weights: uniform`, or name a list that has qualities there.",
        ),
        (
            "no_quality.tsv",
            "2: 2 columns, but column 3 is asked for. Set `weights: uniform`, or name a list that has qualities there.",
        ),
        (
            "mixed_encodings.tsv",
            "2: byte 0xe4 at offset 1 of the line is not utf-8. Try `encoding: iso-8859-1` for this file.",
        ),
    ],
)
def test_a_line_at_fault(name: str, message: str) -> None:
    path = DATA / name
    with pytest.raises(DataError) as caught:
        read_dictionary(path, NONE, NONE, weights="uniform" if "mixed" in name else "quality")
    assert str(caught.value) == f"{path}:{message}"


def test_a_gzip_file_cut_short() -> None:
    path = DATA / "cut_short.tsv.gz"
    with pytest.raises(DataError, match=r"cut_short\.tsv\.gz:\d+: the gzip file is cut short or damaged\."):
        read_dictionary(path, NONE, NONE)


def test_reading_goes_on_after_faults(tmp_path: Path) -> None:
    faults = Faults()
    files = [tmp_path / "missing.tsv", DATA / "quality_is_no_number.tsv", DATA / "prose.txt"]
    table, report = read_dictionary(files, NONE, NONE, weights="quality", on_fault=faults)
    assert table.row("haus") == {"house": 1.0}
    assert (faults.count, report.entries, report.formats) == (3, 1, ("tsv",))
