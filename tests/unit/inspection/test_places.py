"""Places are taken from messages, and documents are found in files."""

import gzip
from pathlib import Path

import pytest

from clir_cli.inspection.places import file_of, places_of, split_place


@pytest.mark.parametrize(
    ("problem", "place", "message"),
    [
        ("a/b.tsv:12: there is no tab.", "a/b.tsv:12", "there is no tab."),
        ("a/b.tsv: there is no such file.", "a/b.tsv", "there is no such file."),
        ("a/c/d.tsv:3: 'x: y' is odd: here.", "a/c/d.tsv:3", "'x: y' is odd: here."),
        ("a/b.tsv.old:12: it is.", "", "a/b.tsv.old:12: it is."),
        ("Two documents: both d1.", "", "Two documents: both d1."),
        ("a/b.tsv has 3 lines: too few.", "", "a/b.tsv has 3 lines: too few."),
    ],
)
def test_the_place_is_what_begins_with_one_of_the_paths(problem: str, place: str, message: str) -> None:
    assert split_place(problem, [Path("a/b.tsv"), Path("a/c")]) == (place, message)


def test_a_place_belongs_to_a_file() -> None:
    assert file_of("a.tsv:12") == "a.tsv"
    assert file_of("c:/x/a.tsv") == "c:/x/a.tsv"
    assert file_of("") == ""


def test_documents_are_found_in_every_format(tmp_path: Path) -> None:
    files = {
        "a.tsv": "d1\tabout d2\nd2\tabout d1\n",
        "b.jsonl": '{"text": "d1", "id": "d2"}\n{"_id": "d1", "text": "\\"id\\": x"}\n{"docno": "d\\u0033"}\n',
        "c.sgml": "<DOC>\n<DOCNO> d1 </DOCNO>\n<TEXT>d2</TEXT>\n</DOC>\n<DOC><DOCNO>\nd2\n</DOCNO></DOC>\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with gzip.open(tmp_path / "d.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("d1\tx\n")
    sources = [(path, "utf-8") for path in sorted(tmp_path.iterdir())]
    found = places_of(sources, {"d1", "d2", "d3", "d4"})
    assert {id: [place.removeprefix(f"{tmp_path}/") for place in places] for id, places in found.items()} == {
        "d1": ["a.tsv:1", "b.jsonl:2", "c.sgml:2", "d.tsv.gz:1"],
        "d2": ["a.tsv:2", "b.jsonl:1", "c.sgml:6"],
        "d3": ["b.jsonl:3"],
    }
