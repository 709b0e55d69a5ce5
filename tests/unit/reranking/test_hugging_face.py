"""Re-rankers as transformers' Auto classes see them."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification, AutoTokenizer

import clir_cli.hugging_face as ours
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import DataError, UsageError
from clir_cli.rerankers.build import build_reranker, save_reranker
from clir_cli.rerankers.folder import add_use
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.scoring import Scorer
from tests.tiny_collection import TinyCollection, make_collection

KINDS = ["bert", "mart", "mores"]


class Saved(NamedTuple):
    tiny: TinyCollection
    models: dict[str, Reranker]
    folders: dict[str, Path]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    folder = tmp_path_factory.mktemp("hugging_face")
    tiny = make_collection(folder / "encoder", topics=1)
    models, folders = {}, {}
    for kind in KINDS:
        parts: dict[str, Any] = {} if kind == "mores" else {"arm": "translation"}
        models[kind] = build_reranker(tiny.folder, kind=kind, seed=3, **parts).eval()  # type: ignore[arg-type]
        folders[kind] = folder / kind
        save_reranker(models[kind], load_tokenizer(tiny.folder), folders[kind])
        add_use(folders[kind], reading={"text": "raw", "max_pieces": 40, "document_pieces": 60}, links=None, card="x\n")
    return Saved(tiny, models, folders)


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_trip_gives_the_same_bytes(saved: Saved, tmp_path: Path, kind: str) -> None:
    folder = saved.folders[kind]
    config = AutoConfig.from_pretrained(folder)
    assert (type(config), config.model_type) == (ours.ClirRerankerConfig, "clir-reranker")
    assert (config.num_labels, config.reranker["kind"]) == (1, kind)
    for auto in (AutoModel, AutoModelForSequenceClassification):
        model = auto.from_pretrained(folder)
        assert type(model) is ours.ClirReranker
        assert not model.training
        (tmp_path / "again").mkdir(exist_ok=True)
        (tmp_path / "again" / "notes.txt").write_text("stays")
        model.save_pretrained(tmp_path / "again")
        written = {file.name: file.read_bytes() for file in (tmp_path / "again").iterdir()}
        assert written.pop("notes.txt") == b"stays"
        assert written == {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "README.md"}
    assert "auto_map" not in json.loads(written["config.json"])


@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_texts_are_those_of_the_pipeline(saved: Saved, kind: str) -> None:
    tiny, names = saved.tiny, [entry.document for entry in saved.tiny.candidates["t1"]]
    model = AutoModelForSequenceClassification.from_pretrained(saved.folders[kind])
    reader = tiny.reader(saved.models[kind], max_pieces=40, document_pieces=60)
    expected = Scorer(saved.models[kind], reader).score("t1", names)
    texts = [tiny.documents[name] for name in names]
    found = model.score(tiny.queries["t1"], texts, links=tiny.links["t1"])
    assert found == expected
    assert model.score(tiny.queries["t1"], []) == []
    with pytest.raises(TypeError, match="does not know pieces"):
        model.score(tiny.queries["t1"], texts, links=tiny.links["t1"], pieces=20)


def test_forward_reads_what_the_tokenizer_gives(saved: Saved) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(saved.folders["bert"])
    tokenizer = AutoTokenizer.from_pretrained(saved.folders["bert"])
    texts = list(saved.tiny.documents.values())[:3]
    pairs = tokenizer(
        [saved.tiny.queries["t1"]] * 3, texts, padding=True, truncation=True, max_length=40, return_tensors="pt"
    )
    with torch.no_grad():
        given = model(**pairs, labels=torch.tensor([1, 0, 0]))
        alone = [
            model(
                **tokenizer(saved.tiny.queries["t1"], text, truncation=True, max_length=40, return_tensors="pt")
            ).logits
            for text in texts
        ]
    assert given.logits.shape == (3, 1)
    torch.testing.assert_close(given.logits, torch.cat(alone), rtol=1e-5, atol=1e-6)
    assert float(given.loss) > 0


def test_forward_with_knowledge(saved: Saved) -> None:
    tiny, names = saved.tiny, [entry.document for entry in saved.tiny.candidates["t1"]][:3]
    model = AutoModelForSequenceClassification.from_pretrained(saved.folders["mart"])
    reader = tiny.reader(saved.models["mart"])
    batch = reader.batch([reader.read("t1", name)[0] for name in names])
    inputs = {"input_ids": batch.pieces, "token_type_ids": batch.types, "attention_mask": batch.mask}
    known = batch.knowledge
    with torch.no_grad():
        found = model(**inputs, slots=known.slots, sizes=known.sizes, links=known.links).logits
        assert torch.equal(found.squeeze(-1), saved.models["mart"](batch))
        with pytest.raises(ValueError, match="needs `slots`, `sizes` and `links`"):
            model(**inputs)


def test_what_is_missing_is_said(saved: Saved) -> None:
    mart = AutoModel.from_pretrained(saved.folders["mart"])
    with pytest.raises(UsageError, match="reads translations"):
        mart.score("a", ["b"])
    with pytest.raises(ValueError, match="`batch` of query and document apart"):
        AutoModel.from_pretrained(saved.folders["mores"])(input_ids=torch.ones(1, 4, dtype=torch.long))
    with pytest.raises(DataError, match="holds no re-ranker"):
        ours.ClirReranker.from_pretrained(saved.tiny.folder)


def test_a_model_of_a_configuration_alone(saved: Saved) -> None:
    config = AutoConfig.from_pretrained(saved.folders["mart"])
    model = AutoModelForSequenceClassification.from_config(config)
    assert model.reranker.description == saved.models["mart"].description
    assert model.num_parameters() == sum(parameter.numel() for parameter in saved.models["mart"].parameters())


def test_its_encoder_starts_other_models(saved: Saved) -> None:
    encoder = load_encoder(saved.folders["mart"], layers=2)
    theirs = saved.models["mart"].encoder
    assert torch.equal(encoder.layers[1].norm.bias, theirs.layers[1].norm.bias)
    assert torch.equal(build_reranker(saved.folders["mart"]).head.weight, saved.models["mart"].head.weight)  # type: ignore[arg-type]
