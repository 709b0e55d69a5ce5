"""Ding, FreeDict and MUSE: what counts as a pair of a word and a translation, and what is wrong with a file."""

import gzip
from pathlib import Path

import pytest

from clir_cli.errors import DataError, Faults
from clir_cli.translation.dictionaries.ding import read_ding
from clir_cli.translation.dictionaries.entries import without_notes
from clir_cli.translation.dictionaries.freedict import read_freedict
from clir_cli.translation.dictionaries.muse import read_muse

DATA = Path("tests/data/dictionaries")


def pairs(entries) -> list[tuple[str, str]]:  # type: ignore[no-untyped-def]
    return [(entry.source, entry.target) for entry in entries]


def test_ding() -> None:
    assert pairs(read_ding(DATA / "small.ding.txt")) == [
        ("Haus", "house"), ("Haus", "building"), ("Gebäude", "house"), ("Gebäude", "building"),
        ("Häuser", "houses"),
        ("wahrnehmen", "perceive"), ("wahrnehmen lassen", "let perceive"),
        ("Europäische Zentralbank", "European Central Bank"), ("Europäische Zentralbank", "ECB"),
        ("EZB", "European Central Bank"), ("EZB", "ECB"),
        ("kaum/selten", "hardly/rarely"),
        ("Krieg dich wieder ein!", "Keep your hair on!"),
        ("Schifffahrt", "shipping"),
    ]  # fmt: skip


def test_a_line_of_ding_with_unequal_sides() -> None:
    path = DATA / "unequal.ding.txt"
    with pytest.raises(DataError) as caught:
        list(read_ding(path))
    assert str(caught.value) == (
        f"{path}:2: 3 sub-entries on the left and 2 on the right. "
        "A line is `left; synonym | sub-entry :: right; synonym | sub-entry`; is it Ding's format?"
    )


def test_a_line_of_ding_without_sides() -> None:
    path = DATA / "no_sides.ding.txt"
    with pytest.raises(DataError) as caught:
        list(read_ding(path))
    assert str(caught.value) == (
        f"{path}:3: 0 times `::`, which stands once on a line. "
        "A line is `left; synonym | sub-entry :: right; synonym | sub-entry`; is it Ding's format?"
    )
    faults = Faults()
    assert pairs(read_ding(path, faults)) == [("Haus", "house"), ("Baum", "tree")]
    assert faults.count == 1


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Haus {n} [arch.] (alt)", "Haus"),
        ("a (b (c) d) e", "a e"),
        ("a (b | c) d", "a (b | c) d"),  # a bracket across sub-entries is a slip of the pen
        ("a ( b", "a ( b"),
        ("(be)leben", "leben"),
        ("", ""),
    ],
)
def test_notes_go(text: str, plain: str) -> None:
    assert without_notes(text) == plain


def test_freedict() -> None:
    expected = [
        ("arusi", "wedding"), ("arusi", "marriage"), ("arusi", "union"),
        ("harusi", "wedding"), ("harusi", "marriage"), ("harusi", "union"),
        ("nyumba", "house"), ("nyumba", "home"), ("chumba", "room"),
    ]  # fmt: skip
    assert pairs(read_freedict(DATA / "small.tei")) == expected


def test_freedict_gzipped_and_in_another_encoding(tmp_path: Path) -> None:
    text = (DATA / "small.tei").read_text(encoding="utf-8").replace("nyumba", "nyümba")
    path = tmp_path / "small.tei.gz"
    path.write_bytes(gzip.compress(text.replace("UTF-8", "iso-8859-1").encode("iso-8859-1")))
    assert ("nyümba", "house") in pairs(read_freedict(path))


def test_entries_leave_the_memory(tmp_path: Path) -> None:
    """All 12,000 of them at once would take 20 MB and more."""
    import tracemalloc

    path = tmp_path / "large.tei"
    head = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>\n'
    entry = "<entry><form><orth>maji</orth></form><sense><def>water</def></sense></entry>\n"
    path.write_text(head + entry * 12_000 + "</body></text></TEI>\n", encoding="utf-8")
    tracemalloc.start()
    assert sum(1 for _ in read_freedict(path)) == 12_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6


def test_damaged_xml() -> None:
    path = DATA / "damaged.tei"
    with pytest.raises(DataError) as caught:
        list(read_freedict(path))
    assert (
        str(caught.value)
        == f"{path}:5: the XML is damaged (mismatched tag). Get the file again, in its current release (TEI P5)."
    )
    faults = Faults()
    assert pairs(read_freedict(path, faults)) == [("maji", "water")]
    assert faults.count == 1


def test_xml_cut_short() -> None:
    path = DATA / "cut_short.tei"
    with pytest.raises(DataError) as caught:
        list(read_freedict(path))
    assert (
        str(caught.value)
        == f"{path}:5: the XML is damaged (no element found). Get the file again, in its current release (TEI P5)."
    )


def test_an_older_tei() -> None:
    path = DATA / "p4.tei"
    with pytest.raises(DataError) as caught:
        list(read_freedict(path))
    assert str(caught.value) == (
        f"{path}: its root is <TEI.2> without a namespace, which is not TEI P5. "
        "FreeDict's current releases are TEI P5; older ones are not read."
    )


def test_muse() -> None:
    assert pairs(read_muse(DATA / "small.muse.txt")) == [("haus", "house"), ("haus", "home"), ("heim", "home")]


def test_a_word_may_hold_an_odd_space(tmp_path: Path) -> None:
    path = tmp_path / "odd.txt"
    path.write_text("10\u00a0000 ten\n\n", encoding="utf-8")
    assert pairs(read_muse(path)) == [("10\u00a0000", "ten")]


def test_a_line_of_muse_with_three_words() -> None:
    path = DATA / "three_words.muse.txt"
    with pytest.raises(DataError) as caught:
        list(read_muse(path))
    assert str(caught.value) == (
        f"{path}:2: 3 words, but a MUSE dictionary has two on a line. If columns are parted by tabs, set `format: tsv`."
    )
