"""PanLex: meanings joined in SQL, qualities by source group, errors that name what is near."""

import sqlite3
from pathlib import Path

import pytest

from clir_cli.errors import DataError, Faults
from clir_cli.translation.dictionaries.entries import DictionaryEntry
from clir_cli.translation.dictionaries.panlex import read_panlex, uids_of
from clir_cli.translation.dictionaries.reading import read_dictionary

NONE = frozenset[str]()
BAD = Path("tests/data/dictionaries")
VARIETIES = {1: "eng-000", 2: "deu-000", 3: "swh-000", 4: "deu-001"}
EXPRESSIONS = {
    10: (1, "house"), 11: (1, "home"), 12: (1, "dwelling house"), 13: (1, "tree"),
    20: (2, "Haus"), 21: (2, "Heim"), 22: (2, "Baum"),
    30: (3, "nyumba"), 40: (4, "Hoamat"),
}  # fmt: skip
# meaning: (quality, source group, expressions)
MEANINGS = {
    100: (5, 1, (10, 11, 20, 30)),
    101: (7, 1, (10, 20)),  # the same group as 100: the better one counts
    102: (2, 2, (10, 20, 21)),
    103: (4, 3, (12, 20)),
    104: (9, 3, (13, 22)),
    105: (3, 4, (11, 40)),
}


def database(path: Path, *, indexed: bool = True) -> Path:
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE lv (lv INTEGER PRIMARY KEY, uid TEXT, lc TEXT, vc INTEGER, tt TEXT)")
        made.execute(f"CREATE TABLE ex (ex INTEGER{' PRIMARY KEY' if indexed else ''}, lv INTEGER, tt TEXT)")
        made.execute("CREATE TABLE dnx (mn INTEGER, ex INTEGER, uq INTEGER, ap INTEGER, ui INTEGER)")
        made.executemany("INSERT INTO lv (lv, uid) VALUES (?, ?)", VARIETIES.items())
        made.executemany("INSERT INTO ex VALUES (?, ?, ?)", [(ex, lv, tt) for ex, (lv, tt) in EXPRESSIONS.items()])
        rows = [(mn, ex, uq, mn * 10, ui) for mn, (uq, ui, group) in MEANINGS.items() for ex in group]
        made.executemany("INSERT INTO dnx VALUES (?, ?, ?, ?, ?)", rows)
        if indexed:
            made.execute("CREATE INDEX dnx_mn ON dnx (mn)")
            made.execute("CREATE INDEX dnx_ex ON dnx (ex)")
            made.execute("CREATE INDEX ex_lv ON ex (lv, tt)")
    made.close()
    return path


EXPECTED = {
    ("Haus", "house", 9.0), ("Haus", "home", 5.0), ("Haus", "dwelling house", 4.0), ("Heim", "house", 2.0),
    ("Baum", "tree", 9.0),
}  # fmt: skip


@pytest.mark.parametrize("indexed", [True, False])
def test_all_expressions_of_a_meaning_and_the_best_quality_of_each_source_group(tmp_path: Path, indexed: bool) -> None:
    path = database(tmp_path / "db.sqlite", indexed=indexed)
    assert set(read_panlex(path, [["deu-000"], ["eng-000"]])) == EXPECTED
    turned = {DictionaryEntry(target, source, quality) for source, target, quality in EXPECTED}
    assert set(read_panlex(path, [["eng-000"], ["deu-000"]])) == turned


def test_a_word_asked_one_by_one_gives_the_same(tmp_path: Path) -> None:
    """The sum that PanLex's own tools make for one expression."""
    path = database(tmp_path / "db.sqlite")
    query = """SELECT t, SUM(q) FROM (SELECT b.tt AS t, MAX(x.uq) AS q FROM dnx x JOIN ex a ON a.ex = x.ex
        JOIN dnx y ON y.mn = x.mn JOIN ex b ON b.ex = y.ex
        WHERE x.ex <> y.ex AND a.lv = 2 AND a.tt = ? AND b.lv = 1 GROUP BY b.tt, x.ui) GROUP BY t"""
    with sqlite3.connect(path) as asked:
        found = {(word, *row) for word in ("Haus", "Heim", "Baum") for row in asked.execute(query, (word,))}
    asked.close()
    assert set(read_panlex(path, [["deu-000"], ["eng-000"]])) == found


def test_a_table_by_quality_and_uniform(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    table, report = read_dictionary(path, NONE, NONE, languages=("deu", "eng"), weights="quality")
    assert table.row("haus") == pytest.approx({"house": 9 / 14, "home": 5 / 14})
    assert (report.entries, report.used, report.several_words, report.formats) == (5, 4, 1, ("panlex",))
    table, _ = read_dictionary(path, NONE, NONE, languages=("deu", "eng"))
    assert table.row("haus") == {"house": 0.5, "home": 0.5}


def test_varieties(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    assert uids_of("deu", {}) == ["deu-000"]
    table, _ = read_dictionary(path, NONE, NONE, languages=("swa", "eng"))  # Swahili's own code there is swh
    assert table.row("nyumba") == {"house": 0.5, "home": 0.5}
    uids = {"deu": ["deu-000", "deu-001"]}
    table, _ = read_dictionary(path, NONE, NONE, languages=("deu", "eng"), uids=uids)
    assert table.row("hoamat") == {"home": 1.0}


def test_the_database_is_not_written_to(tmp_path: Path) -> None:
    path = database(tmp_path / "a name with ? and #.sqlite")
    before = path.read_bytes()
    assert len(list(read_panlex(path, [["deu-000"], ["eng-000"]]))) == 5
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_variety_that_is_not_there(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    with pytest.raises(DataError) as caught:
        read_dictionary(path, NONE, NONE, languages=("deu", "eng"), uids={"deu": ["deu-007"]})
    assert str(caught.value) == (
        f"{path}: there is no language variety deu-007. It has deu-000, deu-001. Name the uids that are meant."
    )
    with pytest.raises(DataError, match=r"no language variety som-000\. It has swh-000"):
        read_dictionary(path, NONE, NONE, languages=("som", "eng"))


def test_languages_are_needed(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    with pytest.raises(DataError) as caught:
        read_dictionary(path, NONE, NONE)
    assert str(caught.value) == f"{path}: a PanLex database holds all languages. Say which two are meant."


def test_a_database_that_is_not_panlex(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE lv (lv INTEGER, uid TEXT)")
    made.close()
    with pytest.raises(DataError) as caught:
        list(read_panlex(path, [["deu-000"], ["eng-000"]]))
    assert str(caught.value) == (
        f"{path}: this SQLite database is not PanLex's: it has no table ex. Is it PanLex Lite's db.sqlite?"
    )
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE ex (ex INTEGER, lv INTEGER, tt TEXT)")
        made.execute("CREATE TABLE dnx (mn INTEGER, ex INTEGER)")
    made.close()
    with pytest.raises(DataError, match=r"not PanLex's: table dnx has no column ui, uq\."):
        list(read_panlex(path, [["deu-000"], ["eng-000"]]))


def test_a_database_that_is_damaged(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    path.write_bytes(path.read_bytes()[:200] + b"\0" * 2000)
    with pytest.raises(DataError, match=r"db\.sqlite: SQLite cannot read this database \("):
        list(read_panlex(path, [["deu-000"], ["eng-000"]]))


def test_a_file_that_is_no_database() -> None:
    path = BAD / "prose.txt"
    with pytest.raises(DataError) as caught:
        read_dictionary(path, NONE, NONE, format="panlex", languages=("deu", "eng"))
    assert str(caught.value) == (
        f"{path}: this is neither a SQLite database nor text parted by tabs. PanLex Lite's file is db.sqlite, unpacked."
    )
    missing = BAD / "nothing.sqlite"
    with pytest.raises(DataError) as caught:
        read_dictionary(missing, NONE, NONE, format="panlex", languages=("deu", "eng"))
    assert str(caught.value) == f"{missing}: there is no such file. Check the path."


def test_an_expression_that_is_not_utf_8_is_left_out(tmp_path: Path) -> None:
    path = database(tmp_path / "db.sqlite")
    with sqlite3.connect(path) as made:
        made.execute("UPDATE ex SET tt = CAST(x'48e475736572' AS TEXT) WHERE ex = 20")
    made.close()
    faults = Faults()
    found = set(read_panlex(path, [["deu-000"], ["eng-000"]], on_fault=faults))
    assert found == {entry for entry in EXPECTED if entry[0] != "Haus"}
    assert faults.count == 3
    assert faults.examples[0] == f"{path}: the expression b'H\\xe4user' is not utf-8. Get the database again."


def test_pairs_taken_from_the_database(tmp_path: Path) -> None:
    path = tmp_path / "deu-eng.tsv"
    path.write_text("Haus\thouse\t9\nHaus\thome\t5\n", encoding="utf-8")
    table, report = read_dictionary(path, NONE, NONE, format="panlex", weights="quality")
    assert table.row("haus") == pytest.approx({"house": 9 / 14, "home": 5 / 14})
    assert report.formats == ("panlex",)
