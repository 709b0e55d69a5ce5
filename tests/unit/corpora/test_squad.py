"""Paragraphs of SQuAD-format JSON as documents, its questions as topics with one judgement each."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.squad import Question, read_squad
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document
from clir_cli.trec import is_column

BAD = Path(__file__).parents[2] / "data" / "documents"
HINT = "SQuAD's form is data, paragraphs, context and qas."

ARTICLES: list[dict[str, Any]] = [
    {
        "title": "Über Berge",
        "paragraphs": [
            {"context": "Der Berg\nruft.", "qas": [{"id": "q1", "question": "Wer ruft?", "answers": []}]},
            {"context": "Das Tal schweigt."},
        ],
    },
    {"paragraphs": [{"context": "Without a title.", "qas": [{"id": "q2", "question": "Why?"}]}]},
    {"title": "Über  Berge", "paragraphs": [{"context": "Der Berg\nruft.", "qas": [{"id": "q3", "question": "Was?"}]}]},
    {"title": 5, "paragraphs": []},
]
DOCUMENTS = [
    Document("Über_Berge-1", "Der Berg\nruft.", "Über Berge"),
    Document("Über_Berge-2", "Das Tal schweigt.", "Über Berge"),
    Document("2-1", "Without a title."),
    Document("Über_Berge-3", "Der Berg\nruft.", "Über  Berge"),  # the same paragraph, an id of its own
]


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_paragraphs_are_documents(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"version": "1.1", "data": ARTICLES})
    assert list(read_documents([path])) == DOCUMENTS
    assert list(read_documents([path], "squad")) == DOCUMENTS
    packed = tmp_path / "b"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(read_documents([packed])) == DOCUMENTS


def test_questions_are_topics_with_their_document(tmp_path: Path) -> None:
    documents, questions = read_squad(write(tmp_path / "a.json", {"data": ARTICLES}))
    assert documents == DOCUMENTS
    assert questions == [
        Question("q1", "Wer ruft?", "Über_Berge-1"),
        Question("q2", "Why?", "2-1"),
        Question("q3", "Was?", "Über_Berge-3"),
    ]


def test_faults_of_questions_are_told_after_those_of_paragraphs() -> None:
    path = BAD / "squad_faults.json"
    faults = Faults()
    documents, questions = read_squad(path, on_fault=faults)
    assert [document.id for document in documents] == ["A-1", "A-4", "C-1"]
    assert questions == [Question("q1", "Why?", "A-1")]
    assert [fault for fault in faults.examples if "question" in fault or "qas'" in fault] == [
        f"{path}: article 1, paragraph 1, question 2: there is no text 'question'. {HINT}",
        f"{path}: article 1, paragraph 1, question 3: there is no text 'id'. {HINT}",
        f"{path}: article 1, paragraph 4: there is no list 'qas'. {HINT}",
    ]
    with pytest.raises(DataError, match="question 2"):
        read_squad(path)


@pytest.mark.parametrize(
    ("content", "reason"), [("[" * 100_000, "recursion"), ('{"data": ' + "9" * 5000 + "}", "digits")]
)
def test_json_that_python_does_not_read(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(DataError, match=f"a.json: not JSON that can be read.*{reason}"):
        list(read_documents([path], "squad"))


paragraphs = st.fixed_dictionaries(
    {"context": st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1)}
)
articles = st.fixed_dictionaries(
    {"paragraphs": st.lists(paragraphs, max_size=3)}, optional={"title": st.text("ab _1-\t", max_size=3)}
)


@settings(max_examples=100)
@given(st.lists(articles, max_size=5))
def test_every_paragraph_is_read_once_with_an_id_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, data: list[dict[str, Any]]
) -> None:
    path = write(tmp_path_factory.getbasetemp() / "squad.json", {"data": data})
    contexts = [paragraph["context"] for article in data for paragraph in article["paragraphs"]]
    documents, _ = read_squad(path, on_fault=Faults())
    assert [document.text for document in documents] == [text for text in contexts if text.strip()]
    assert len({document.id for document in documents}) == len(documents)
    assert all(is_column(document.id) for document in documents)
