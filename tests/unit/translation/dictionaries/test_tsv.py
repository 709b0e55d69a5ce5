"""Word lists: uniform weights, words as everywhere, entries of several words counted."""

from pathlib import Path

import pytest

from clir_cli.errors import DataError
from clir_cli.translation.dictionaries.reading import read_dictionary

NONE = frozenset[str]()


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "words.tsv"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_translation_of_a_word_has_the_same_probability(tmp_path: Path) -> None:
    path = written(tmp_path, "Haus\thouse\t9\nhaus\thome\t1\nHaus\thouse\t3\nKäse\tcheese\t1\n")
    table, report = read_dictionary(path, NONE, NONE)
    assert table.row("haus") == {"house": 0.5, "home": 0.5}
    assert table.row("kase") == {"cheese": 1.0}
    assert (report.entries, report.used, report.words) == (4, 4, 2)


def test_columns_say_the_direction(tmp_path: Path) -> None:
    path = written(tmp_path, "Haus\thouse\nHeim\thouse\n")
    table, _ = read_dictionary(path, NONE, NONE, columns=(2, 1))
    assert table.row("house") == {"haus": 0.5, "heim": 0.5}
    assert "haus" not in table


def test_entries_that_are_not_words_are_counted_and_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "Haus\tblock of flats\nder\thouse\nHaus\t42\n\nHaus\tto house\n")
    table, report = read_dictionary(path, frozenset({"der"}), frozenset({"to", "of"}))
    assert table.row("haus") == {"house": 1.0}  # `to` is a stop word: the entry is one word
    assert (report.entries, report.used, report.several_words, report.no_word) == (4, 1, 1, 2)


def test_a_line_without_the_column(tmp_path: Path) -> None:
    path = written(tmp_path, "Haus\thouse\nHaus house\n")
    with pytest.raises(DataError) as caught:
        read_dictionary(path, NONE, NONE)
    assert str(caught.value) == (
        f"{path}:2: 1 columns, but column 2 is asked for. "
        "Columns are parted by tabs; `dictionary: {path: .., source: 1, target: 2}` says which are read."
    )


def test_a_list_without_a_usable_entry(tmp_path: Path) -> None:
    path = written(tmp_path, "ein Haus\tthe house\n")
    with pytest.raises(DataError, match="none of its 1 entries is one word on both sides"):
        read_dictionary(path, NONE, NONE)
