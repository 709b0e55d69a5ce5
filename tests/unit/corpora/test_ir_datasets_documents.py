"""Collections of the ir_datasets package, here made from local files through its own classes."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from clir_cli.corpora.ir_datasets_documents import read_ir_dataset
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document

ir_datasets = pytest.importorskip("ir_datasets", reason="the ir_datasets package is not installed")


class Page(NamedTuple):
    """A document type that has a title and other fields."""

    doc_id: str
    title: str
    text: str
    url: str

    def default_text(self) -> str:
        return f"{self.title} {self.text} {self.url}"


class Abstract(NamedTuple):
    """A document type that has no text of that name."""

    doc_id: str
    abstract: str

    def default_text(self) -> str:
        return self.abstract


class LocalFile:
    """Where ir_datasets reads from: a file that is there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def path(self, force: bool = True) -> str:
        return str(self._path)

    def stream(self) -> Any:
        return self._path.open("rb")


def register(name: str, docs: Any) -> str:
    ir_datasets.registry.register(name, ir_datasets.Dataset(docs))
    return name


def tsv(tmp_path: Path, content: str, cls: Any) -> Any:
    path = tmp_path / "docs.tsv"
    path.write_text(content, encoding="utf-8")
    return ir_datasets.formats.TsvDocs(LocalFile(path), doc_cls=cls)


def test_title_and_text_of_a_tsv_collection(tmp_path: Path) -> None:
    name = register("clir-test/pages", tsv(tmp_path, "d1\tTitel\tDer Té\x07xt\thttp://a\nd2\t\tzwei\thttp://b\n", Page))
    assert list(read_ir_dataset(name)) == [Document("d1", "Der Té xt", "Titel"), Document("d2", "zwei")]


def test_without_a_field_text_the_default_text_is_read(tmp_path: Path) -> None:
    name = register("clir-test/abstracts", tsv(tmp_path, "d1\tOnly this\n", Abstract))
    assert list(read_ir_dataset(name)) == [Document("d1", "Only this")]


def test_a_trec_collection_through_its_own_parser(tmp_path: Path) -> None:
    path = tmp_path / "docs.sgml"
    path.write_text("<DOC>\n<DOCNO> A1 </DOCNO>\n<TITLE>t</TITLE>\n<TEXT>\none\n</TEXT>\n</DOC>\n")
    docs = ir_datasets.formats.TrecDocs(LocalFile(path), parser="sax")
    assert list(read_ir_dataset(register("clir-test/trec", docs))) == [Document("A1", "one", "t")]


def test_an_id_that_is_no_column_is_a_fault(tmp_path: Path) -> None:
    name = register("clir-test/ids", tsv(tmp_path, "d 1\tone\nd2\ttwo\n", Abstract))
    with pytest.raises(DataError) as caught:
        list(read_ir_dataset(name))
    assert caught.value.problem == "clir-test/ids, document 1: the id 'd 1' has white space in it."
    faults = Faults()
    assert list(read_ir_dataset(name, faults)) == [Document("d2", "two")]
    assert faults.count == 1


def test_an_unknown_name_is_answered_with_near_ones() -> None:
    with pytest.raises(DataError) as caught:
        list(read_ir_dataset("neuclir/1/zz"))
    assert caught.value.problem == "The ir_datasets package knows no collection 'neuclir/1/zz'."
    assert "neuclir/1/zh" in caught.value.hint
    with pytest.raises(DataError, match=r"ir-datasets.com"):
        list(read_ir_dataset("@@@@@@"))


def test_a_collection_without_documents(tmp_path: Path) -> None:
    ir_datasets.registry.register("clir-test/nothing", ir_datasets.Dataset(ir_datasets.formats.BaseQrels()))
    with pytest.raises(DataError, match="'clir-test/nothing' has no documents"):
        list(read_ir_dataset("clir-test/nothing"))
    with pytest.raises(DataError, match="'clir-test/blank' is empty"):
        list(read_ir_dataset(register("clir-test/blank", tsv(tmp_path, "", Abstract))))


def test_what_the_package_fails_at_is_told(tmp_path: Path) -> None:
    name = register("clir-test/gone", tsv(tmp_path, "d1\tone\n", Abstract))
    (tmp_path / "docs.tsv").unlink()
    with pytest.raises(DataError) as caught:
        list(read_ir_dataset(name))
    assert "cannot read the collection 'clir-test/gone'" in caught.value.problem
    assert "docs.tsv" in caught.value.problem


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)  # what an import finds where it is not installed
    with pytest.raises(DataError) as caught:
        list(read_ir_dataset("antique"))
    assert caught.value.problem == (
        "The collection 'antique' is read by the ir_datasets package, which is not installed."
    )
    assert caught.value.hint == "Run: pip install 'clir[datasets]'"
