"""The files of the sample look like those of the collections they are made after."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html import unescape

import pytest

from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.topics import read_topics
from tests.unit.corpora.sample_files import (
    COMMITTED,
    DOCUMENT_FILES,
    TEXT_FIELDS,
    TOPIC_FILES,
    blocks_of,
    content_of,
    documents_of,
    qrels_of,
    topics_of,
)

DAY = r"(0[1-9]|1[0-2])([0-2][0-9]|3[01])"
LAYOUTS = {
    "documents.eng.sgml.gz": (rf"LA{DAY}94-\d{{4}}", "DATE HEADLINE TEXT DOCID"),
    "documents.deu.rundschau.sgml.gz": (rf"FR94{DAY}-\d{{6}}", "DOCID WEEK TITLE TEXT"),
    "documents.deu.sda.sgml.gz": (rf"SDA\.94{DAY}\.\d{{4}}", "DOCID NO DATE KW TI LD TX ST"),
    "documents.fra.lemonde.sgml.gz": (
        rf"LEMONDE94-\d{{6}}-1994{DAY}|LEMONDE95-\d{{6}}",
        "DOCID TITLE LEAD1 TEXT SUBJECTS",
    ),
    "documents.fra.ats.sgml.gz": (rf"ATS\.9[45]{DAY}\.\d{{4}}", "DOCID NO DATE KW TI LD TX ST"),
    "documents.ita.lastampa.sgml.gz": (r"LASTAMPA94-\d{6}", "DOCID TITLE TEXT"),
    "documents.ita.agz.sgml.gz": (rf"AGZ\.9[45]{DAY}\.\d{{4}}", "DOCID NO DATE KW TI LD TX ST"),
    "documents.spa.efe.sgml.gz": (
        rf"EFE1994{DAY}-\d{{5}}",
        "DOCID DATE TIME SCATE FICHEROS DESTINO CATEGORY CLAVE NUM PRIORIDAD TITLE TEXT",
    ),
}


@pytest.mark.parametrize("name", list(LAYOUTS))
def test_documents_have_the_numbers_and_fields_of_their_collection(name: str) -> None:
    number, fields = LAYOUTS[name]
    blocks = blocks_of(name)
    assert content_of(COMMITTED / name).count(b"<DOC>") == len(blocks) > 200  # each number once
    for id, block in blocks.items():
        assert re.fullmatch(number, id), id
        assert set(block) - {"DOCNO", "P"} <= set(fields.split()), id
    assert set().union(*blocks.values()) - {"DOCNO", "P"} == set(fields.split())


def test_every_collection_has_its_own_documents() -> None:
    assert [len(documents_of(language)) for language in DOCUMENT_FILES] == [1800, 900, 900, 900, 900]
    ids = [id for language in DOCUMENT_FILES for id in documents_of(language)]
    assert len(ids) == len(set(ids))


def test_agencies_have_several_paragraphs_and_some_begin_in_the_middle_of_a_line() -> None:
    for name in ("documents.deu.sda.sgml.gz", "documents.fra.ats.sgml.gz"):
        assert all(len(block["TX"]) >= 2 for block in blocks_of(name).values())
        text = content_of(COMMITTED / name)
        assert text.count(b"\n<TX>") > 100
        assert text.count(b" <TX>") > 100


def test_some_documents_of_the_second_year_have_everything_in_the_title() -> None:
    blocks = blocks_of("documents.ita.agz.sgml.gz")
    whole = [id for id, block in blocks.items() if "TX" not in block]
    assert 10 < len(whole) < 0.3 * len(blocks)
    assert all(id.startswith("AGZ.95") and len(blocks[id]["TI"][0].split()) > 25 for id in whole)


def test_la_stampa_is_ascii_and_writes_accents_after_the_letter() -> None:
    text = content_of(COMMITTED / "documents.ita.lastampa.sgml.gz").decode("ascii")
    assert text.count("citta'") > 0
    assert text.count("Poiche'") > 10


def test_ampersands_stand_alone_or_as_entities() -> None:
    texts = {name: content_of(COMMITTED / name) for name in LAYOUTS}
    assert b"(sda &amp; dpa)" in texts["documents.deu.sda.sgml.gz"]
    assert b" &amp; " in texts["documents.deu.rundschau.sgml.gz"]
    assert b"(ats & ansa)" in texts["documents.ita.agz.sgml.gz"]


@pytest.mark.parametrize("language", ["deu", "fra", "ita", "spa"])
def test_fields_to_leave_out_hold_words_that_no_text_has(language: str) -> None:
    def words(text: str) -> set[str]:
        return {word.lower() for word in re.findall(r"[^\W\d_]+", text)}

    hidden: set[str] = set()
    for name in DOCUMENT_FILES[language]:
        for block in blocks_of(name).values():
            for field, texts in block.items():
                if field not in (*TEXT_FIELDS, "DOCNO", "DOCID"):
                    hidden |= words(" ".join(texts))
    assert len(hidden) >= 4
    texts = " ".join(documents_of(language).values()) + " ".join(topic.text() for topic in topics_of(language))
    assert hidden & words(texts) == set()
    assert len(re.findall("94F|DP0|TELEDESPACHO|Kalenderwoche", texts)) == 0


@pytest.mark.parametrize("language", list(DOCUMENT_FILES))
def test_judgements_are_of_documents_in_the_files(language: str) -> None:
    qrels = qrels_of(language)
    assert list(qrels) == list(range(1, 121))
    documents = documents_of(language)
    assert {document for judged in qrels.values() for document in judged} <= documents.keys()
    fewest, most = (4, 9) if language == "eng" else (3, 5)
    assert all(fewest <= sum(judged.values()) <= most for judged in qrels.values())
    assert all(0 in judged.values() for judged in qrels.values())


def test_judgements_spell_topics_as_the_real_ones_do() -> None:
    spelled = {
        language: [
            re.split(r"[ \t]", line)[0] for line in (COMMITTED / f"qrels.{language}.txt").read_text().split("\n")
        ]
        for language in DOCUMENT_FILES
    }
    assert spelled["eng"][0] == "C001"
    assert spelled["deu"][0] == spelled["spa"][0] == "1"
    assert spelled["fra"][0] == spelled["ita"][0] == "1-AH"
    assert "120" in spelled["deu"]
    assert "\t" in (COMMITTED / "qrels.spa.txt").read_text()


def test_earlier_french_topics_are_judged_on_the_first_year_only() -> None:
    first = ("LEMONDE94", "ATS.94")
    for number, judged in qrels_of("fra").items():
        in_first = [document for document in judged if document.startswith(first)]
        assert number > 60 or len(in_first) == len(judged)
        assert number > 60 or any(judged[document] for document in in_first)
    later = [document for number, judged in qrels_of("fra").items() if number > 60 for document in judged]
    assert 0.3 < sum(document.startswith(first) for document in later) / len(later) < 0.7


def test_later_documents_tell_stories_of_earlier_topics_too() -> None:
    """So the pool matters: a run that ranks them is not judged on them."""
    topics = {int(topic.id.removesuffix("-AH")): topic for topic in topics_of("fra")}
    later = {id: text.lower() for id, text in documents_of("fra").items() if not re.match(r"LEMONDE94|ATS\.94", id)}
    told = 0
    for number in range(1, 61):
        judged_words = [
            set(documents_of("fra")[id].lower().split()) for id, grade in qrels_of("fra")[number].items() if grade
        ]
        own = set.intersection(*judged_words) & set(re.findall(r"\w+", topics[number].text().lower()))
        told += any(word in text for word in own if len(word) > 6 for text in later.values())
    assert told > 5


def test_french_topics_are_xml() -> None:
    root = ElementTree.fromstring((COMMITTED / "topics.fra.xml").read_bytes())
    assert (root.tag, len(root)) == ("topics", 120)
    for number, topic in enumerate(root, 1):
        assert (topic.tag, topic.attrib) == ("topic", {"lang": "fr"})
        assert [field.tag for field in topic] == ["identifier", "title", "description", "narrative"]
        assert topic[0].text == f"{number}-AH"
        assert all(field.text for field in topic)


def test_italian_topics_leave_their_tags_open() -> None:
    text = (COMMITTED / "topics.ita.txt").read_text("iso-8859-1")
    assert text.count("<top>") == text.count("</top>") == text.count("<I-narr>") == 120
    assert re.findall(r"</(?!top>)", text) == []
    assert len(re.findall(r"<I-desc>\n.+\n.+\n\n<I-narr>", text)) > 10  # descriptions of two lines
    assert "&" not in text


def test_spanish_topics_have_a_field_more_now_and_then() -> None:
    text = (COMMITTED / "topics.spa.sgml").read_text("iso-8859-1")
    assert len(re.findall(r"</ES-title>\n<ES-nota> Anotación del traductor </ES-nota>\n<ES-desc>", text)) == 17
    rest = text.replace("Anotación del traductor", "")
    assert not re.search("Anotación|traductor", rest)


@pytest.mark.parametrize("language", ["som", "swa"])
def test_blocks_of_topics_go_on_in_a_second_line(language: str) -> None:
    blocks = (COMMITTED / f"topics.{language}.txt").read_text("utf-8").strip().split("\n\n")
    assert len(blocks) == 120
    for block in blocks:
        assert re.fullmatch(r"query_id: C\d{3}\ntitle: .+\ndescription: .+(\n.+)?", block), block
    assert sum(block.count("\n") == 3 for block in blocks) > 5


@pytest.mark.parametrize("language", list(DOCUMENT_FILES))
def test_the_readers_of_the_project_read_the_same_documents(language: str) -> None:
    paths = [COMMITTED / name for name in DOCUMENT_FILES[language]]
    read = {document.id: document for document in read_documents(paths, "clef", "iso-8859-1")}
    texts = documents_of(language)
    assert read.keys() == texts.keys()
    for id, document in read.items():
        assert Counter(document.full_text.split()) == Counter(unescape(texts[id]).split()), id


@pytest.mark.parametrize("language", list(TOPIC_FILES))
def test_the_readers_of_the_project_read_the_same_topics(language: str) -> None:
    utf_8 = language in ("fra", "swa", "som")
    read = read_topics([COMMITTED / TOPIC_FILES[language]], encoding="utf-8" if utf_8 else "iso-8859-1")
    assert [(topic.id, topic.text()) for topic in read] == [(topic.id, topic.text()) for topic in topics_of(language)]
