"""Reading CLEF's SGML, against lxml and Beautiful Soup, which the public loaders of CLEF use; same files, same run.

    python -m benchmarks.read [--documents 3000] [--words 400] [--rounds 5]

All get a file in the layout of the Los Angeles Times and one in that of the Swiss news agency and give id, title and
text of every document, equal to the last character. lxml parses a whole file into a tree (its HTML parser is the one
that forgives bare ampersands); Beautiful Soup gets one document after another, as a file is too much for it, and only a
tenth of them. CPU seconds of this process, median of the rounds. The ratio is against lxml, the faster one, over both
files.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lxml.html
from bs4 import BeautifulSoup

from benchmarks._timing import cpu_seconds
from clir_cli.corpora.clef_collections import clef_layout
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.sample.latimes import latimes_sgml, number_latimes
from clir_cli.records import Document

TARGET = 1.0
SHARE = 10  # Beautiful Soup gets one document in so many


def draw_documents(count: int, words: int, seed: int = 1) -> Iterator[Document]:
    """Documents of made-up words, some with accents, in lines of 12; frequencies fall as in text."""
    numbers = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyzéüñ"
    vocabulary = ["".join(numbers.choices(letters, k=numbers.randint(2, 10))) for _ in range(40_000)]
    weights = [1 / rank for rank in range(2, 40_002)]
    for id in number_latimes(count):
        drawn = numbers.choices(vocabulary, weights, k=words)
        lines = [" ".join(drawn[start : start + 12]) + "." for start in range(0, words, 12)]
        yield Document(id, "\n".join(lines), " ".join(drawn[:8]).capitalize())


def agency_sgml(documents: list[Document], lines_per_field: int = 6) -> Iterator[str]:
    """The same in the tags of the Swiss news agency, whose text is in several TX."""
    for number, document in enumerate(documents, 1):
        id = f"SDA.940101.{number:04d}"
        first, *lines = document.text.split("\n")
        yield f"<DOC>\n<DOCNO>{id}</DOCNO>\n<DOCID>{id}</DOCID>\n<NO>{number}</NO>\n<KW>Wort, Wort</KW>\n"
        yield f"<TI>{document.title}</TI>\n<LD>{first}</LD>\n"
        for start in range(0, len(lines), lines_per_field):
            yield "<TX>" + "\n".join(lines[start : start + lines_per_field]) + "</TX>\n"
        yield "</DOC>\n"


def read_by_lxml(path: Path) -> list[Document]:
    """The whole file as one tree."""
    root = lxml.html.fromstring(f"<root>{path.read_text(encoding='iso-8859-1')}</root>")
    return [_as_document(document, _children_of_lxml) for document in root.iter("doc")]


def read_by_soup(path: Path) -> list[Document]:
    """Document by document."""
    blocks = path.read_text(encoding="iso-8859-1").split("</DOC>\n")[:-1][::SHARE]
    return [_as_document(BeautifulSoup(block, "lxml").doc, _children_of_soup) for block in blocks]


def _children_of_lxml(document: Any) -> list[tuple[str, str]]:
    return [(child.tag, child.text_content()) for child in document]


def _children_of_soup(document: Any) -> list[tuple[str, str]]:
    return [(child.name, child.get_text()) for child in document.find_all(recursive=False)]


def _as_document(document: Any, children: Callable[[Any], list[tuple[str, str]]]) -> Document:
    fields = [(name.upper(), " ".join(text.split())) for name, text in children(document)]
    id = next(text for name, text in fields if name == "DOCNO")
    layout = clef_layout(id)
    assert layout is not None
    texts = [text for name, text in fields if name in layout.text]
    return Document(id, "\n".join(texts), " ".join(text for name, text in fields if name in layout.title))


def main() -> None:
    """Check that all give the same documents, time them, print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=3000)
    parser.add_argument("--words", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    documents = list(draw_documents(options.documents, options.words))
    total = {"ours": 0.0, "lxml": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in (("Los Angeles Times", latimes_sgml(documents)), ("SDA", agency_sgml(documents))):
            path = Path(folder, name)
            path.write_text("".join(lines), encoding="iso-8859-1")
            found = list(read_documents([path], "clef"))
            if read_by_lxml(path) != found or read_by_soup(path) != found[::SHARE]:
                raise SystemExit(f"{name}: the readers give different documents")
            times = {
                "ours": cpu_seconds(lambda path=path: list(read_documents([path], "clef")), options.rounds),
                "lxml": cpu_seconds(lambda path=path: read_by_lxml(path), options.rounds),
            }
            soup = cpu_seconds(lambda path=path: read_by_soup(path), 1) * SHARE
            print(f"{name}: {len(found)} documents of {options.words} words, {path.stat().st_size / 2**20:.1f} MiB")
            for reader, seconds in (*times.items(), ("Beautiful Soup", soup)):
                print(f"  {reader:14s} {len(found) / seconds:7.0f} documents a second")
            total = {reader: seconds + times[reader] for reader, seconds in total.items()}
    print(f"read: ratio {total['lxml'] / total['ours']:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
