"""The committed sample, read by means of its own: the readers of the project have tests with it elsewhere."""

import gzip
import re
from functools import cache
from pathlib import Path

from clir_cli.records import Topic

COMMITTED = Path(__file__).parents[3] / "data" / "sample"
DOCUMENT_FILES = {
    "eng": ["documents.eng.sgml.gz"],
    "deu": ["documents.deu.rundschau.sgml.gz", "documents.deu.sda.sgml.gz"],
    "fra": ["documents.fra.lemonde.sgml.gz", "documents.fra.ats.sgml.gz"],
    "ita": ["documents.ita.lastampa.sgml.gz", "documents.ita.agz.sgml.gz"],
    "spa": ["documents.spa.efe.sgml.gz"],
}
TOPIC_FILES = {
    "deu": "topics.deu.sgml",
    "eng": "topics.eng.sgml",
    "fra": "topics.fra.xml",
    "ita": "topics.ita.txt",
    "som": "topics.som.txt",
    "spa": "topics.spa.sgml",
    "swa": "topics.swa.txt",
}
TEXT_FIELDS = ("HEADLINE", "TITLE", "TEXT", "TI", "LD", "TX", "LEAD1")
Block = dict[str, list[str]]


def content_of(path: Path) -> bytes:
    """What is in the file: compressors may differ between machines, what they compress may not."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@cache
def blocks_of(name: str) -> dict[str, Block]:
    """DOCNO -> field -> its texts, for a file of documents."""
    text = content_of(COMMITTED / name).decode("iso-8859-1")
    blocks: dict[str, Block] = {}
    for content in re.findall(r"<DOC>(.*?)</DOC>", text, re.DOTALL):
        fields: Block = {}
        for tag, inside in re.findall(r"<([A-Z0-9]+)>(.*?)</\1>", content, re.DOTALL):
            fields.setdefault(tag, []).append(" ".join(inside.replace("<P>", " ").replace("</P>", " ").split()))
        blocks[fields["DOCNO"][0]] = fields
    return blocks


@cache
def documents_of(language: str) -> dict[str, str]:
    """DOCNO -> text, for a collection."""
    return {
        id: " ".join(part for field in TEXT_FIELDS for part in fields.get(field, []))
        for name in DOCUMENT_FILES[language]
        for id, fields in blocks_of(name).items()
    }


@cache
def qrels_of(language: str) -> dict[int, dict[str, int]]:
    """Topic number -> document -> grade."""
    qrels: dict[int, dict[str, int]] = {}
    for line in (COMMITTED / f"qrels.{language}.txt").read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(int(topic.strip("C").removesuffix("-AH")), {})[document] = int(grade)
    return qrels


@cache
def topics_of(language: str) -> list[Topic]:
    """The topics of a language, from the layout that its file has."""
    path = COMMITTED / TOPIC_FILES[language]
    text = path.read_text("iso-8859-1" if path.suffix == ".sgml" or language == "ita" else "utf-8")
    if path.suffix == ".sgml":
        one = r"<num> (\S+) </num>\n<..-title> (.*?) </..-title>\n(?:<..-nota>.*\n)?<..-desc> (.*?) </..-desc>()"
    elif path.suffix == ".xml":
        one = r"<identifier>(.*?)</identifier>\s*<title>(.*?)</title>\s*<description>(.*?)</description>()"
    elif language == "ita":
        one = r"<num> (\S+)\n\n<I-title> (.*)\n\n<I-desc>\n((?:.+\n)+)\n<I-narr>\n((?:.+\n)+)</top>"
    else:
        one = r"query_id: (\S+)\ntitle: (.*)\ndescription: ((?:.+\n)+)()\n"
    return [Topic(*(" ".join(part.split()) for part in parts)) for parts in re.findall(one, text)]
