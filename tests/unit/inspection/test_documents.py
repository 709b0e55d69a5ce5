"""A collection of any size is looked at in little memory."""

import tracemalloc
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.inspection.documents import inspect_documents, inspect_pools
from clir_cli.inspection.findings import Findings
from clir_cli.inspection.languages import LanguageGuesser
from clir_cli.records import Document

GUESSER = LanguageGuesser()
STOP = frozenset({"the"})


def look(documents: Iterator[Document] | list[Document], findings: Findings) -> object:
    about = findings.about("collection eng")
    return inspect_documents(documents, about, language="eng", stop=STOP, guesser=GUESSER)


def many(count: int) -> Iterator[Document]:
    for number in range(count):
        yield Document(f"LA{number:06}", f"the {number % 7} house stood on a hill and nobody lived there " * 40)


def test_memory_is_ids_not_texts() -> None:
    findings = Findings()
    look(many(100), findings)  # caches and lists of stop words
    tracemalloc.start()
    look(many(3_000), findings)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    texts = sum(len(document.text) for document in many(3_000))
    assert peak < texts / 10  # a document is about 2,000 characters, and 250 bytes are kept of it
    assert peak / 3_000 < 400


def test_a_million_duplicates_are_one_finding_with_few_examples() -> None:
    findings = Findings()
    look((Document("a", f"house {number}") for number in range(20_000)), findings)
    (found,) = findings
    assert found.count == 19_999
    assert len(found.examples) <= 5


@given(
    st.lists(
        st.builds(Document, st.text(min_size=1), st.text(st.characters(exclude_categories=[])), st.text()), max_size=8
    )
)
@settings(max_examples=100)
def test_any_documents_can_be_looked_at(documents: list[Document]) -> None:
    findings = Findings()
    collected = look(documents, findings)
    assert all(document.id in collected for document in documents)  # type: ignore[operator]
    assert findings.has_errors() or documents


def test_pools_whose_documents_are_there_say_nothing() -> None:
    findings = Findings()
    about = findings.about("collection eng")
    documents = [Document("LA94-1", "house"), Document("GH95-1", "hill")]
    collected = inspect_documents(documents, about, language="eng", stop=STOP, guesser=GUESSER)
    inspect_pools(collected, about, {"1-40": ["LA94"], "41-90": ["LA94", "GH95"]})
    assert list(findings) == []
    inspect_pools(collected, about, {"1-40": ["LA95", "LA94"], "41-90": ["GH96"]})
    (found,) = findings
    assert found.message == "2 beginnings of ids in `pools` fit no document."
    assert found.examples == ["LA95 (pool of 1-40)", "GH96 (pool of 41-90)"]
    assert found.hint == "Ids here look like LA94-1."
