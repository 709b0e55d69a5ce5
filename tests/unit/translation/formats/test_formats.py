"""Every format in files of the real tools, or as those write them, read as P(document word | query word)."""

import gzip
import math
from pathlib import Path

import pytest

from clir_cli.translation.formats.reading import FORMATS, read_table_file, tell_format

DATA = Path(__file__).parents[3] / "data" / "tables"
VOCABULARIES = (DATA / "de.vcb", DATA / "en.vcb")
IDS = {"vocabularies": VOCABULARIES}


def read(name, format="auto", **rest):
    table, report = read_table_file(DATA / name, format, **rest)
    return {word: table.row(word) for word in table.source_words}, report


def test_giza_rows_are_of_source_ids():
    rows, report = read("toy.t3.final", **IDS)
    assert rows["haus"] == pytest.approx({"home": 0.645255, "house": 0.332063, "the": 0.0226822})
    assert (report.format, report.entries, report.null, report.words) == ("giza", 13, 3, 5)
    assert read("toy.t3.final", vocabularies=(DATA / "moses.de.vcb", DATA / "en.vcb"))[0] == rows


def test_giza_with_words_needs_no_vocabulary():
    rows, report = read("toy.actual.t3.final")
    assert rows == read("toy.t3.final", **IDS)[0]
    assert report.null == 3


def test_the_inverse_of_giza_is_of_target_words():
    rows, report = read("toy.ti.final", **IDS)
    assert rows["home"] == pytest.approx({"haus": 0.65, "heim": 0.35})
    assert (report.format, report.null) == ("giza-inverse", 1)
    assert read("toy.actual.ti.final")[0] == rows


def test_the_inverse_of_giza_is_turned_round_with_the_counts_of_its_vocabulary():
    rows, report = read("toy.ti.final", invert=True, **IDS)
    # P(haus | home) 18 and P(haus | house) 6: counts of home and house.
    assert rows["haus"]["home"] == pytest.approx(0.65 * 18 / (0.65 * 18 + 0.94 * 6 + 0.02 * 24))
    assert report.is_inverted


def test_moses_has_the_conditioning_word_second():
    rows, _ = read("toy.lex.f2e")
    assert rows["haus"] == {"house": 0.5, "home": 0.5}
    assert rows["heim"] == {"home": 1.0}
    rows, _ = read("toy.lex.e2f")
    assert rows["home"] == {"haus": 0.5, "heim": 0.5}


def test_null_of_moses_is_dropped_on_both_sides(tmp_path):
    path = tmp_path / "lex.f2e"
    path.write_text("house haus 0.75\nNULL haus 0.25\nthe NULL 1\n")
    table, report = read_table_file(path)
    assert table.row("haus") == {"house": 0.75}
    assert (len(table), report.null, report.pruned_rows) == (1, 2, 1)


def test_the_direction_decides_the_score_of_a_phrase_table(tmp_path):
    rows, report = read("toy.phrase-table")
    assert rows["haus"] == {"home": 0.5, "house": 0.5}
    assert (report.entries, report.several_words) == (8, 3)
    assert read("toy.phrase-table", swap=True)[0]["home"] == {"haus": 0.5, "heim": 0.5}
    path = tmp_path / "scores.gz"
    path.write_bytes(gzip.compress(b"haus ||| home ||| 0.1 0.2 0.3 0.4\n"))
    assert read_table_file(path)[0].row("haus") == pytest.approx({"home": 0.3})
    assert read_table_file(path, swap=True)[0].row("home") == pytest.approx({"haus": 0.1})


def test_fast_align_writes_natural_logarithms():
    rows, report = read("toy.fast_align.fwd.p")
    assert rows["haus"] == pytest.approx({"home": math.exp(-0.438118), "house": math.exp(-1.10243)})
    assert (report.format, report.null) == ("fast-align", 2)
    assert read("toy.fast_align.rev.p")[0]["home"] == pytest.approx({"haus": 0.6453, "heim": 0.3321}, abs=1e-4)


def test_counts_of_eflomal_become_probabilities_of_either_direction():
    rows, report = read("toy.priors")
    assert rows["haus"] == pytest.approx({"house": 1 / 3, "home": 2 / 3})
    assert (report.format, report.entries, report.other_lines) == ("eflomal", 6, 12)
    assert read("toy.priors", swap=True)[0]["home"] == pytest.approx({"haus": 2 / 3, "heim": 1 / 3})


def test_patapsco_has_query_words_outside():
    assert read("toy.patapsco.json", "patapsco")[0]["haus"] == pytest.approx({"home": 0.667, "house": 0.333})


def test_fast_psq_is_turned_round():
    rows, report = read("toy.fast-psq.json", "fast-psq")
    assert rows["haus"] == pytest.approx({"home": 0.667 / 1.667, "house": 1 / 1.667})
    assert report.is_inverted
    weighed = read("toy.fast-psq.json", "fast-psq", prior={"home": 18, "house": 6})[0]
    assert weighed["haus"] == pytest.approx({"home": 0.667 * 18 / (0.667 * 18 + 6), "house": 6 / (0.667 * 18 + 6)})
    assert set(weighed) == {"haus", "heim"}
    assert read("toy.fast-psq.json", "fast-psq", invert=False)[0]["home"] == pytest.approx(
        {"haus": 0.667, "heim": 0.333}
    )


def test_json_may_lie_on_many_lines_and_hold_any_word(tmp_path):
    path = tmp_path / "table.json"
    path.write_text('\ufeff{\n "a\\"}{" : {"\\u00fcber":\n1},\n"New York": {"x": 0.5}, "e": {}}\n', encoding="utf-8")
    table, report = read_table_file(path, "patapsco")
    assert table.row('a"}{') == {"uber": 1.0}
    assert report.several_words == 1


def test_large_json_is_read_in_portions(tmp_path, monkeypatch):
    rows = ", ".join(f'"w{i}": {{"t{i}": 0.5, "u": 0.0{i + 1}}}' for i in range(30))
    path = tmp_path / "table.json"
    path.write_text("{" + rows + "}")
    whole = read_table_file(path, "patapsco")[0]
    monkeypatch.setattr("clir_cli.lines._PORTION", 7)
    parts = read_table_file(path, "patapsco")[0]
    assert len(parts) == 30
    assert all(parts.row(word) == whole.row(word) for word in whole.source_words)


def test_cells_of_several_words_are_left_out_and_counted():
    rows, report = read("toy.tsv")
    assert rows == {"buch": {"book": 1.0}, "haus": {"house": 0.5, "home": 0.25}}
    assert (report.entries, report.several_words, report.pruned_rows) == (4, 1, 1)


def test_spellings_that_become_equal_are_counted(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text("Haus house 1\nhaus home 0.5\nhaus Home 0.25\n")
    table, report = read_table_file(path)
    assert table.row("haus") == {"house": 0.5, "home": 0.375}
    assert (report.merged_words, len(table)) == (2, 1)
    assert report.translations == 2


def test_odd_white_space_and_line_ends_part_nothing_else(tmp_path):
    path = tmp_path / "table.txt"
    path.write_bytes("a\xa0b x 0.5\r\n\tc\ty 0.5 \n\nd\u2028e z 1".encode())
    assert read_table_file(path)[0].source_words == ["a\xa0b", "c", "d\u2028e"]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("toy.t3.final", "giza"), ("toy.actual.ti.final", "giza-inverse"), ("toy.lex.e2f", "moses-lex"),
        ("toy.phrase-table", "moses-phrases"), ("toy.fast_align.rev.p", "fast-align"), ("toy.priors", "eflomal"),
        ("toy.tsv", "tsv"), ("toy.txt", "matclir"),
    ],
)  # fmt: skip
def test_formats_are_told_by_name_or_look(name, format, tmp_path):
    assert tell_format(DATA / name) == format
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress((DATA / name).read_bytes()))
    assert tell_format(packed) == format
    if format not in ("giza", "giza-inverse", "moses-lex"):
        assert tell_format((tmp_path / "any").write_bytes((DATA / name).read_bytes()) and tmp_path / "any") == format


def test_ids_are_told_where_vocabularies_are_given():
    assert tell_format(DATA / "numbers.txt", has_vocabularies=True) == "giza"


def test_faults_of_single_entries_may_be_passed_over(tmp_path):
    faults = []
    for name, format in (("nan.txt", "matclir"), ("negative.txt", "matclir"), ("nan.json", "patapsco")):
        table, _ = read_table_file(DATA / name, format, on_fault=faults.append)
        assert table.row("haus") == {"house": 0.5}
    table, _ = read_table_file(DATA / "three-scores.phrase-table", on_fault=faults.append)
    assert table.row("das") == {"the": 1.0}
    assert len(faults) == 4


def test_every_format_has_a_name_of_its_own():
    assert set(FORMATS) == {
        "matclir", "tsv", "giza", "giza-inverse", "moses-lex", "moses-phrases", "fast-align", "eflomal", "patapsco",
        "fast-psq",
    }  # fmt: skip
