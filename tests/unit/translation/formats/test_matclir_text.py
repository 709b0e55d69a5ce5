import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.translation.formats.matclir_text import read_table, write_table
from clir_cli.translation.table import TranslationTable

WORDS = st.text(alphabet="abcdöжカ𐐨", min_size=1, max_size=4).map(lambda word: word.replace("ö", "o"))
ROWS = st.dictionaries(WORDS, st.floats(2**-30, 1, width=32), min_size=1, max_size=5).map(
    lambda row: {word: p / max(1.0, sum(row.values())) for word, p in row.items()}
)


def table_of(tmp_path, text):
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    return read_table(path)


def test_columns_are_source_target_probability(tmp_path):
    table = table_of(tmp_path, "haus house 0.75\nhaus home 0.25\n\nbuch\tbook\t1\n")
    assert table.row("haus") == {"house": 0.75, "home": 0.25}
    assert table.row("buch") == {"book": 1.0}


def test_words_are_folded_as_texts_are(tmp_path):
    table = table_of(tmp_path, "Straße Street 0.5\nStraße street 0.25\nÜber über 1\n")
    assert table.row("strasse") == {"street": 0.75}
    assert table.row("uber") == {"uber": 1.0}


def test_source_words_that_become_equal_share_a_row(tmp_path):
    assert table_of(tmp_path, "Haus house 1\nhaus home 0.5\n").row("haus") == {"house": 0.5, "home": 0.25}


def test_entries_of_zero_are_no_entries(tmp_path):
    table = table_of(tmp_path, "haus house 0\nbuch book 0.5\n")
    assert "haus" not in table
    assert table.target_words == ["book"]


def test_gzip_is_read_as_it_is(tmp_path):
    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(b"haus house 0.5\n"))
    assert read_table(path).row("haus") == {"house": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("haus house 0.5\nhaus home\n", r"table\.txt:2: 2 columns, not 3"),
        ("haus house 0.5 1\n", r"table\.txt:1: 4 columns"),
        ("haus house half\n", r"table\.txt:1: 'half' is no number"),
        ("haus house nan\n", r"table\.txt:1: nan is no probability"),
        ("haus house -0.1\n", r"table\.txt:1: -0\.1 is no probability"),
        ("haus house 1.5\n", r"table\.txt:1: 1\.5 is no probability"),
        ("haus house 0.5\nbuch book 1\nhaus house 0.2\n", r"table\.txt:3: haus house is there a second time"),
        ("house haus 1\nheim haus 0.4\nheim heim 0.7\n", r"probabilities of heim sum to 1\.1"),
        ("\n\n", "the table is empty"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        table_of(tmp_path, text)


@given(st.dictionaries(WORDS, ROWS, min_size=1, max_size=6))
def test_what_is_written_is_read_back(tmp_path_factory, rows):
    table = TranslationTable.from_dict(rows)
    path = tmp_path_factory.mktemp("table") / "table.txt"
    write_table(path, table)
    again = read_table(path)
    assert again.source_words == table.source_words
    assert all(again.row(word) == table.row(word) for word in table.source_words)
