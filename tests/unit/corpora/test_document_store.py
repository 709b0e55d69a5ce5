"""A collection is stored once and read back, document by document."""

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.document_store import DocumentStore, write_store
from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document

NO_STOP: frozenset[str] = frozenset()
DOCUMENTS = [
    Document("d2", "Das Haus über der Straße.", "Ein Titel"),
    Document("d10", ""),
    Document("d1", "Zeile eins\nZeile zwei"),
    Document("d3", "1994: 3.5 -- die"),
]


def test_documents_are_found_by_id(tmp_path: Path) -> None:
    write_store(DOCUMENTS, tmp_path, frozenset({"das", "der", "die"}))
    store = DocumentStore(tmp_path)
    assert store.ids == ["d2", "d10", "d1", "d3"]
    assert len(store) == 4
    assert "d10" in store
    assert "d4" not in store
    assert store.text("d2") == "Ein Titel\nDas Haus über der Straße."
    assert store.title("d2") == "Ein Titel"
    assert (store.text("d10"), store.title("d10")) == ("", "")
    assert list(store) == [(document.id, document.full_text) for document in DOCUMENTS]


def test_content_keys_stand_line_by_line(tmp_path: Path) -> None:
    write_store(DOCUMENTS, tmp_path, frozenset({"das", "der", "die"}))
    store = DocumentStore(tmp_path)
    assert store.tokens_path.read_text(encoding="utf-8") == ("ein titel haus uber strasse\n\nzeile eins zeile zwei\n\n")
    assert store.vocabulary == ["ein", "eins", "haus", "strasse", "titel", "uber", "zeile", "zwei"]


def test_the_report_counts_and_names_the_empty_and_the_double(tmp_path: Path) -> None:
    report = write_store([*DOCUMENTS, DOCUMENTS[0], DOCUMENTS[0]], tmp_path, frozenset({"das", "der", "die"}))
    assert (report.documents, report.empty, report.duplicates) == (4, 2, 2)
    assert (report.tokens, report.vocabulary) == (9, 8)
    assert report.empty_ids == ["d10", "d3"]
    assert report.duplicate_ids == ["d2", "d2"]
    assert DocumentStore(tmp_path).report == report
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["documents"] == 4


def test_one_id_with_two_texts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two documents d1 with different texts"):
        write_store([Document("d1", "a"), Document("d1", "b")], tmp_path, NO_STOP)
    with pytest.raises(DataError, match="no whole document store"):
        DocumentStore(tmp_path)


def test_faults_are_left_out_counted_and_told_with_those_of_the_reader(tmp_path: Path) -> None:
    faults = Faults(keep=3)
    faults(DataError("a.tsv:1: there is no tab.", "Add one."))  # the reader's
    documents = [
        *DOCUMENTS,
        Document("d1", "another text"),
        Document("a b", "x"),
        Document("a", "\ud83d"),
        DOCUMENTS[2],
    ]
    report = write_store(documents, tmp_path, NO_STOP, faults=faults)
    assert DocumentStore(tmp_path).ids == ["d2", "d10", "d1", "d3"]
    assert DocumentStore(tmp_path).text("d1") == "Zeile eins\nZeile zwei"
    assert DocumentStore(tmp_path).report == report
    assert (report.documents, report.duplicates, report.faults) == (4, 1, 4)
    assert report.fault_examples == [
        "a.tsv:1: there is no tab. Add one.",
        "There are two documents d1 with different texts. Give each its own id; `clir validate` says where they are.",
        "The document id 'a b' has white space in it. Ids are columns in runs.",
    ]


def test_no_readable_document_is_an_error_that_tells_the_first_fault(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        write_store([Document("a b", "x")], tmp_path, NO_STOP, faults=Faults())
    assert caught.value.problem == "None of the collection's documents can be read: 1 faults."
    assert caught.value.hint.startswith("The first is: The document id 'a b'")


def test_a_report_from_before_faults_were_counted_is_read(tmp_path: Path) -> None:
    report = write_store(DOCUMENTS, tmp_path, NO_STOP)
    path = tmp_path / "report.json"
    old = {key: value for key, value in json.loads(path.read_text()).items() if not key.startswith("fault")}
    path.write_text(json.dumps(old))
    assert DocumentStore(tmp_path).report == report
    assert (report.faults, report.fault_examples) == (0, [])


def test_a_failure_leaves_no_store_that_looks_whole(tmp_path: Path) -> None:
    write_store(DOCUMENTS, tmp_path, NO_STOP)

    def broken():
        yield DOCUMENTS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_store(broken(), tmp_path, NO_STOP)
    with pytest.raises(DataError, match="no whole document store"):
        DocumentStore(tmp_path)


def test_files_that_do_not_fit_together_are_noticed(tmp_path: Path) -> None:
    write_store(DOCUMENTS, tmp_path, NO_STOP)
    with (tmp_path / "texts.bin").open("ab") as file:
        file.write(b"more")
    with pytest.raises(DataError, match="do not fit together"):
        DocumentStore(tmp_path)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (Document("a b", "x"), "'a b' has white space"),
        (Document("a", "\ud83d"), "Document a holds half of a character"),
    ],
)
def test_documents_that_cannot_be_stored(tmp_path: Path, document: Document, message: str) -> None:
    with pytest.raises(DataError, match=message):
        write_store([document], tmp_path, NO_STOP)


def test_no_documents_and_unknown_documents(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no documents"):
        write_store([], tmp_path, NO_STOP)
    write_store(DOCUMENTS, tmp_path, NO_STOP)
    with pytest.raises(DataError, match="Document d4 is not in the collection"):
        DocumentStore(tmp_path).text("d4")


def test_a_collection_of_empty_documents(tmp_path: Path) -> None:
    report = write_store([Document("a", ""), Document("b", "")], tmp_path, NO_STOP)
    assert report.empty == 2
    assert list(DocumentStore(tmp_path)) == [("a", ""), ("b", "")]
    assert DocumentStore(tmp_path).vocabulary == []


def test_a_store_goes_to_another_process_by_its_folder(tmp_path: Path) -> None:
    write_store(DOCUMENTS, tmp_path, NO_STOP)
    packed = pickle.dumps(DocumentStore(tmp_path))
    assert len(packed) < 1000
    assert pickle.loads(packed).text("d1") == "Zeile eins\nZeile zwei"


def test_progress_ends_with_the_number_of_documents(tmp_path: Path) -> None:
    calls: list[tuple[int, int | None]] = []
    documents = (Document(str(number), "x") for number in range(2500))
    write_store(documents, tmp_path, NO_STOP, lambda done, total, text: calls.append((done, total)))
    assert calls == [(1000, None), (2000, None), (2500, 2500)]


any_text = st.text(st.characters(codec="utf-8"), max_size=30)
collections = st.lists(
    st.builds(Document, st.text("ab1é-", min_size=1, max_size=5), any_text, any_text),
    min_size=1, max_size=6, unique_by=lambda document: document.id,
)  # fmt: skip


@settings(max_examples=30)
@given(collections)
def test_what_is_stored_is_read_back(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    folder = tmp_path_factory.getbasetemp() / "store"
    write_store(documents, folder, NO_STOP)
    store = DocumentStore(folder)
    assert [(id, store.text(id), store.title(id)) for id in store.ids] == [
        (document.id, document.full_text, document.title) for document in documents
    ]
    with store.tokens_path.open(encoding="utf-8", newline="\n") as file:
        lines = [line.removesuffix("\n").split(" ") if line != "\n" else [] for line in file]
    assert lines == [content_keys(document.full_text, NO_STOP) for document in documents]
