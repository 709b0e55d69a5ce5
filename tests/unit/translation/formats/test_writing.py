"""Tables as other programs read them, written and read back."""

import json

import pytest

from clir_cli.translation.formats.moses_lex import write_moses_lex
from clir_cli.translation.formats.psq_json import write_fast_psq
from clir_cli.translation.formats.reading import read_table_file
from clir_cli.translation.table import TranslationTable

TABLE = TranslationTable.from_dict({"haus": {"house": 0.6, "home": 0.3, "hut": 1e-9}, "heim": {"home": 1.0}})


def rows_of(table):
    return {word: table.row(word) for word in table.source_words}


def about(table):
    return {word: pytest.approx(row, abs=1e-7) for word, row in rows_of(table).items()}


def test_moses_reads_target_source_p(tmp_path):
    write_moses_lex(tmp_path / "lex.f2e", TABLE)
    assert (tmp_path / "lex.f2e").read_text() == ("house haus 0.6000000\nhome haus 0.3000000\nhome heim 1.0000000\n")
    assert rows_of(read_table_file(tmp_path / "lex.f2e")[0]) == about(TABLE.above(1e-8))


def test_both_files_of_moses(tmp_path):
    write_moses_lex(tmp_path / "lex.e2f.gz", TABLE.inverse())
    assert read_table_file(tmp_path / "lex.e2f.gz")[0].row("home") == pytest.approx({"haus": 3 / 13, "heim": 10 / 13})


def test_fast_psq_reads_document_words_outside(tmp_path):
    write_fast_psq(tmp_path / "psq.json", TABLE.inverse())
    assert list(json.loads((tmp_path / "psq.json").read_text(encoding="utf-8"))["home"]) == ["heim", "haus"]
    written = read_table_file(tmp_path / "psq.json", "fast-psq", invert=False)[0]
    assert rows_of(written) == about(TABLE.inverse())


def test_turned_round_twice_with_the_mass_of_the_words_between_it_is_the_same(tmp_path):
    write_fast_psq(tmp_path / "psq.json", TABLE.inverse())
    mass = {word: sum(TABLE.row(source).get(word, 0) for source in TABLE.source_words) for word in TABLE.target_words}
    again = read_table_file(tmp_path / "psq.json", "fast-psq", prior=mass)[0]
    assert rows_of(again) == about(TABLE.renormalised())


def test_a_table_without_words_is_written(tmp_path):
    empty = TranslationTable.from_dict({})
    write_fast_psq(tmp_path / "psq.json", empty)
    write_moses_lex(tmp_path / "lex", empty)
    assert json.loads((tmp_path / "psq.json").read_text()) == {}
    assert (tmp_path / "lex").read_text() == ""
