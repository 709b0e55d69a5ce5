"""Question-answering data in the JSON of SQuAD (XQuAD, MLQA): its paragraphs are documents, its questions topics.

A paragraph has no id of its own there. It gets the title of its article, a hyphen and its number among the paragraphs
of that title in the file, counted from 1: ``Super_Bowl_50-3``. White space in a title becomes ``_``, and an article
without title goes by its own number. So the same file always gives the same ids, and none twice.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clir_cli.corpora.json_lines import refuse_half_characters
from clir_cli.corpora.plain_text import without_controls
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_text
from clir_cli.records import Document


class Question(NamedTuple):
    """A question, and the paragraph that answers it: a topic and its one judgement."""

    id: str
    text: str
    document: str


def read_squad_documents(
    path: Path, encoding: str = "utf-8", on_fault: FaultHandler = stop_at_fault
) -> Iterator[Document]:
    """The paragraphs of a file, which is in memory as a whole: the context is the text, the article's title the title.

    Faults, with the place: text that is no JSON (nothing of the file is read), a part that has another form (it is left
    out), and those of ``lines.read_text``.
    """
    return (document for document, _, _ in _read_paragraphs(path, encoding, on_fault))


def read_squad(
    path: Path, encoding: str = "utf-8", on_fault: FaultHandler = stop_at_fault
) -> tuple[list[Document], list[Question]]:
    """The paragraphs and the questions of a file; faults as for the documents, and a question without id or text."""
    documents: list[Document] = []
    questions: list[Question] = []
    for document, paragraph, place in _read_paragraphs(path, encoding, on_fault):
        documents.append(document)
        for number, question in enumerate(_items(paragraph, "qas", place, on_fault), start=1):
            try:
                id, text = (_string(question, name, f"{place}, question {number}") for name in ("id", "question"))
            except DataError as fault:
                on_fault(fault)
            else:
                questions.append(Question(id, text, document.id))
    return documents, questions


def _read_paragraphs(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[tuple[Document, Any, str]]:
    """Each paragraph as a document, as it stands in the file, and where (``file: article 1, paragraph 2``)."""
    count_of_title: dict[str, int] = {}
    for number, article in enumerate(_items(_load(path, encoding, on_fault), "data", str(path), on_fault), start=1):
        title = ""
        if isinstance(article, dict) and isinstance(article.get("title"), str):
            title = without_controls(article["title"]).strip()
        name = "_".join(title.split()) or str(number)
        paragraphs = _items(article, "paragraphs", f"{path}: article {number}", on_fault)
        for in_article, paragraph in enumerate(paragraphs, start=1):
            count_of_title[name] = count_of_title.get(name, 0) + 1
            place = f"{path}: article {number}, paragraph {in_article}"
            try:
                text = _string(paragraph, "context", place)
                refuse_half_characters(title, place)
            except DataError as fault:
                on_fault(fault)
            else:
                yield Document(f"{name}-{count_of_title[name]}", text, title), paragraph, place


def _load(path: Path, encoding: str, on_fault: FaultHandler) -> Any:
    content = "".join(portion for _, portion in read_text(path, encoding, on_fault))
    if not content or content.isspace():
        return {"data": []}
    try:
        return json.loads(content, strict=False)
    except json.JSONDecodeError as error:
        problem = f"{path}:{error.lineno}: not JSON ({error.msg} at column {error.colno})."
        on_fault(DataError(problem, "Is the file cut short?"))
    except (ValueError, RecursionError) as error:
        on_fault(DataError(f"{path}: not JSON that can be read ({error}).", "Is it SQuAD-format JSON?"))
    return {"data": []}


def _items(value: Any, name: str, place: str, on_fault: FaultHandler) -> list[Any]:
    items = value.get(name) if isinstance(value, dict) else None
    if isinstance(items, list):
        return items
    if not (name == "qas" and isinstance(value, dict) and items is None):  # a paragraph may have no questions
        on_fault(
            DataError(f"{place}: there is no list {name!r}.", "SQuAD's form is data, paragraphs, context and qas.")
        )
    return []


def _string(value: Any, name: str, place: str) -> str:
    text = value.get(name) if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise DataError(f"{place}: there is no text {name!r}.", "SQuAD's form is data, paragraphs, context and qas.")
    refuse_half_characters(text, place)
    return without_controls(text)
