"""PanLex as one list a language, joined by meaning."""

from pathlib import Path

import pytest

from clir_cli.errors import DataError, Faults
from clir_cli.translation.dictionaries.panlex_meanings import read_meanings
from clir_cli.translation.dictionaries.reading import read_dictionary

NONE = frozenset[str]()
HEADER = "id\tlangvar\ttxt\ttxt_degr\tmeaning\tlangvar_uid\n"


def lists(folder: Path) -> list[Path]:
    german = [("Haus", 1, "000"), ("Haus", 2, "000"), ("Heim", 2, "000"), ("Baum", 3, "000"), ("Hoamat", 2, "001")]
    english = [("house", 1), ("home", 2), ("dwelling", 2), ("war", 9)]
    rows = [f"7\t8\t{text}\tx\t{meaning}\tdeu-{variety}\n" for text, meaning, variety in german]
    paths = [folder / "deu.tsv", folder / "eng.tsv"]
    paths[0].write_text(HEADER + "".join(rows), encoding="utf-8")
    rows = [f"7\t8\t{text}\tx\t{meaning}\teng-000\n" for text, meaning in english]
    paths[1].write_text(HEADER + "".join(rows), encoding="utf-8")
    return paths


def test_two_lists_are_a_dictionary_in_either_direction(tmp_path: Path) -> None:
    paths = lists(tmp_path)
    table, report = read_dictionary(paths, NONE, NONE, languages=("deu", "eng"))
    assert table.row("haus") == pytest.approx({"house": 1 / 3, "home": 1 / 3, "dwelling": 1 / 3})
    assert table.row("heim") == {"home": 0.5, "dwelling": 0.5}
    assert (report.entries, report.words, report.formats) == (5, 2, ("panlex", "panlex"))
    table, _ = read_dictionary(paths[::-1], NONE, NONE, languages=("eng", "deu"))
    assert table.row("home") == {"haus": 0.5, "heim": 0.5}
    table, _ = read_dictionary(paths, NONE, NONE, languages=("deu", "eng"), uids={"deu": ["deu-000", "deu-001"]})
    assert table.row("hoamat") == {"home": 0.5, "dwelling": 0.5}


def test_a_language_that_no_list_has(tmp_path: Path) -> None:
    paths = lists(tmp_path)
    with pytest.raises(DataError) as caught:
        read_dictionary(paths[:1], NONE, NONE, languages=("deu", "eng"))
    assert str(caught.value) == (
        f"{paths[0]}: there is no expression of eng-000. "
        "There are deu-000, deu-001. Name the uids, and one list of each language."
    )
    with pytest.raises(DataError, match=r"single languages\. Say which two are meant"):
        read_dictionary(paths, NONE, NONE)


def test_lines_at_fault(tmp_path: Path) -> None:
    paths = lists(tmp_path)
    with paths[0].open("a", encoding="utf-8") as file:
        file.write("7\t8\tKrieg\tx\tnine\tdeu-000\n7\t8\tKrieg\n")
    with pytest.raises(DataError) as caught:
        list(read_meanings(paths, [["deu-000"], ["eng-000"]]))
    assert str(caught.value) == f"{paths[0]}:7: the meaning 'nine' is no number. Get the file again."
    faults = Faults()
    assert len(list(read_meanings(paths, [["deu-000"], ["eng-000"]], faults))) == 5
    assert faults.count == 2
    assert faults.examples[1] == f"{paths[0]}:8: 3 columns, but the first line names 6. Get the file again."
