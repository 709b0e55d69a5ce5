"""Stored documents give the scores of documents that are read; what does not belong together is refused."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.errors import DataError
from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.represent import represent
from clir_cli.rerankers.mores.representations import Representations, shard_file
from clir_cli.rerankers.mores.represented import RepresentedScorer, score_represented
from clir_cli.reranking.scoring import Scorer
from tests.tiny_collection import TinyCollection, make_collection

BUILDS = {
    "one block": {},
    "two blocks": {"blocks": 2, "tied": True, "block_start": "random"},
    "translations": {"blocks": 2, "arm": "translation"},
    "identity": {"arm": "identity"},
    "word blocks": {"arm": "blocks"},
}
WAYS = [("s1", False), ("s1", True), ("s2", False)]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    tiny = make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=2, others=6)
    tiny.documents["long"] = " ".join(" ".join(tiny.documents.values()).split()[:120])
    tiny.documents["empty"] = ""
    return tiny


def store(tiny: TinyCollection, folder: Path, model: Any, **options: Any) -> Representations:
    tokenizer = load_tokenizer(tiny.folder)
    return represent(folder, model, tokenizer, tiny.pieces(), list(tiny.documents), **options)


def scorer(tiny: TinyCollection, model: Any, kept: Representations, **options: Any) -> RepresentedScorer:
    return RepresentedScorer(
        model, kept, load_tokenizer(tiny.folder), queries=tiny.queries, links=tiny.links, **options
    )


@pytest.mark.parametrize("build", BUILDS)
def test_every_way_scores_as_online(tiny: TinyCollection, tmp_path: Path, build: str) -> None:
    model, reader = tiny.reranker(kind="mores", **BUILDS[build])
    documents = random.Random(1).sample(list(tiny.documents), len(tiny.documents))
    online = {topic: Scorer(model, reader).score(topic, documents) for topic in tiny.queries}
    assert len(set(online["t1"])) == len(documents)
    assert online["t1"] != pytest.approx(online["t2"], abs=1e-4)
    for strategy, absorb in WAYS:
        kept = store(tiny, tmp_path / f"{strategy}", model, strategy=strategy, dtype="float32", shard_bytes=20_000)
        assert shard_file(kept.folder, 2).is_file()  # several shards
        for topic in tiny.queries:
            for rows in (None, 64):
                found = score_represented(scorer(tiny, model, kept, absorb=absorb, rows=rows), topic, documents)
                assert found == pytest.approx(online[topic], rel=1e-5, abs=1e-5)


def test_translations_reach_the_scores(tiny: TinyCollection, tmp_path: Path) -> None:
    model, _ = tiny.reranker(kind="mores", arm="translation")
    kept = store(tiny, tmp_path / "kept", model)
    with_links = scorer(tiny, model, kept).score("t1", list(tiny.documents))
    tiny_without = TinyCollection(tiny.folder, tiny.queries, tiny.documents)
    without = scorer(tiny_without, model, kept).score("t1", list(tiny.documents))
    linked = [abs(one - other) > 1e-4 for one, other in zip(with_links, without, strict=True)]
    assert linked[list(tiny.documents).index("t1-d6")]  # a relevant document
    assert not linked[list(tiny.documents).index("empty")]


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 2e-3), ("bfloat16", 2e-2)])
def test_half_the_space_for_nearly_the_same_scores(
    tiny: TinyCollection, tmp_path: Path, dtype: Any, tolerance: float
) -> None:
    model, reader = tiny.reranker(kind="mores", blocks=2)
    documents = list(tiny.documents)
    whole = store(tiny, tmp_path / "whole", model, strategy="s2", dtype="float32")
    kept = store(tiny, tmp_path / "kept", model, strategy="s2", dtype=dtype)
    assert kept.bytes_per_document == whole.bytes_per_document / 2
    online = Scorer(model, reader).score("t1", documents)
    assert scorer(tiny, model, kept).score("t1", documents) == pytest.approx(online, abs=tolerance)


def test_bytes_are_the_same_after_a_kill(tiny: TinyCollection, tmp_path: Path) -> None:
    """A shard half written, the next ones not there: what a kill leaves."""
    model, _ = tiny.reranker(kind="mores", arm="translation")
    options = {"strategy": "s2", "shard_bytes": 15_000}
    whole = store(tiny, tmp_path / "whole", model, **options)
    cut = tmp_path / "cut"
    shutil.copytree(whole.folder, cut)
    (cut / "done.json").unlink()
    shard_file(cut, 1).with_suffix(".partial").write_bytes(shard_file(cut, 1).read_bytes()[:100])
    for number in range(1, 40):
        shard_file(cut, number).unlink(missing_ok=True)
    with pytest.raises(DataError, match="holds no whole representations"):
        Representations(cut)
    store(tiny, cut, model, **options)
    files = sorted(path.name for path in whole.folder.iterdir())
    assert files == sorted(path.name for path in cut.iterdir() if path.suffix != ".partial")
    assert all((cut / name).read_bytes() == (whole.folder / name).read_bytes() for name in files)


class TestRefused:
    @pytest.fixture
    def model(self, tiny: TinyCollection) -> Mores:
        found = tiny.reranker(kind="mores")[0]
        assert isinstance(found, Mores)
        return found

    @pytest.fixture
    def kept(self, tiny: TinyCollection, tmp_path: Path, model: Mores) -> Representations:
        return store(tiny, tmp_path / "kept", model)

    def test_another_models(self, tiny: TinyCollection, model: Mores, kept: Representations) -> None:
        other, _ = tiny.reranker(kind="mores")
        with torch.no_grad():
            other.encoder.layers[-1].norm.weight[0] += 0.001
        with pytest.raises(DataError, match=r"were made by another model.*clir represent"):
            scorer(tiny, other, kept)

    def test_s1_serves_models_with_another_interaction(
        self, tiny: TinyCollection, model: Mores, kept: Representations, tmp_path: Path
    ) -> None:
        """Nothing of it is stored; of keys and values there is."""
        other, reader = tiny.reranker(kind="mores", seed=2)
        with torch.no_grad():
            other.block(0).cross.key.weight[0] += 0.5
        documents = list(tiny.documents)
        assert scorer(tiny, other, kept).score("t1", documents) == pytest.approx(
            Scorer(other, reader).score("t1", documents), abs=2e-3
        )
        with pytest.raises(DataError, match="were made by another model"):
            scorer(tiny, other, store(tiny, tmp_path / "s2", model, strategy="s2"))

    def test_another_way(self, tiny: TinyCollection, model: Mores, kept: Representations) -> None:
        for options, what in (
            ({"strategy": "s2"}, "strategy, columns, model"),
            ({"dtype": "bfloat16"}, "dtype"),
            ({"max_pieces": 20}, "max_pieces"),
        ):
            with pytest.raises(DataError, match=f"holds representations made with another {what}"):
                store(tiny, kept.folder, model, **options)

    def test_another_tokenizers(
        self, tiny: TinyCollection, model: Mores, kept: Representations, tmp_path: Path
    ) -> None:
        tokenizer = load_tokenizer(tiny.folder)
        tokenizer.add_tokens(["zzz"])
        with pytest.raises(DataError, match="made with another tokenizer"):
            RepresentedScorer(model, kept, tokenizer, queries=tiny.queries, links={})

    def test_a_cut_shard(self, kept: Representations) -> None:
        file = shard_file(kept.folder, 0)
        size = file.stat().st_size
        with file.open("r+b") as stream:
            stream.truncate(size - 7)
        with pytest.raises(DataError, match=rf"00000.raw has {size - 7} bytes, not {size}: the representations"):
            Representations(kept.folder)
        file.unlink()
        with pytest.raises(DataError, match=r"00000\.raw is missing"):
            Representations(kept.folder)

    def test_a_document_that_is_not_there(self, tiny: TinyCollection, model: Mores, kept: Representations) -> None:
        with pytest.raises(DataError, match="Document new has no representation in"):
            scorer(tiny, model, kept).score("t1", ["t1-d0", "new"])

    def test_no_words_for_translations(self, tiny: TinyCollection, kept: Representations) -> None:
        reading, _ = tiny.reranker(kind="mores", arm="translation")
        with pytest.raises(DataError, match="do not say which words the documents hold"):
            scorer(tiny, reading, kept)
