"""Re-ranking of files by the library: what the command's tests do not reach."""

from pathlib import Path
from typing import Any

import pytest

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.errors import DataError, UsageError
from clir_cli.records import Run
from clir_cli.rerankers.mores.represent import represent
from clir_cli.reranking.from_files import Texts, rerank_files
from clir_cli.trec import write_run
from tests.tiny_collection import TinyCollection, make_collection


@pytest.fixture
def tiny(tmp_path: Path) -> TinyCollection:
    tiny = make_collection(tmp_path / "encoder", topics=2)
    (tmp_path / "documents.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.documents.items()))
    (tmp_path / "topics.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.queries.items()))
    write_run(tmp_path / "run.trec", tiny.candidates, "x")
    return tiny


def rerank(tiny: TinyCollection, model: Any, **more: Any) -> Run:
    folder = tiny.folder.parent
    texts = Texts([folder / "topics.tsv"], [folder / "documents.tsv"])
    out = folder / "out.trec"
    return rerank_files(model, load_tokenizer(tiny.folder), folder / "run.trec", texts, out, links=tiny.links, **more)


def test_stored_representations_give_the_same_run(tiny: TinyCollection, tmp_path: Path) -> None:
    model, _ = tiny.reranker(kind="mores")
    online = rerank(tiny, model)
    stored, names = tmp_path / "stored", list(tiny.documents)
    represent(stored, model, load_tokenizer(tiny.folder), tiny.pieces(), names, dtype="float16")
    (tmp_path / "documents.tsv").unlink()  # it is not read
    found = rerank(tiny, model, representations=stored)
    assert found.keys() == online.keys()
    for topic in online:
        scores = dict(online[topic])
        assert dict(found[topic]) == pytest.approx(scores, abs=1e-3)
        assert dict(found[topic]) != scores  # from float16


def test_representations_that_do_not_fit(tiny: TinyCollection, tmp_path: Path) -> None:
    model, _ = tiny.reranker(kind="mores")
    represent(tmp_path / "stored", model, load_tokenizer(tiny.folder), tiny.pieces(), list(tiny.documents)[1:])
    with pytest.raises(DataError, match=r"1 document of the run has no representation in .*stored: t1-d0\."):
        rerank(tiny, model, representations=tmp_path / "stored")
    with pytest.raises(UsageError, match=r"Only a MORES reads stored representations\."):
        rerank(tiny, tiny.reranker()[0], representations=tmp_path / "stored")


def test_two_texts_of_one_document(tiny: TinyCollection, tmp_path: Path) -> None:
    with (tmp_path / "documents.tsv").open("a") as file:
        file.write(f"t1-d0\t{tiny.documents['t1-d0']}\n")  # the same again is nothing
    model, _ = tiny.reranker()
    assert len(rerank(tiny, model)["t1"]) == len(tiny.candidates["t1"])
    with (tmp_path / "documents.tsv").open("a") as file:
        file.write("t1-d0\tanother text\n")
    with pytest.raises(DataError, match="two documents t1-d0 with different texts"):
        rerank(tiny, model)
    assert not (tmp_path / ".out.trec.partial" / "shards").exists()
