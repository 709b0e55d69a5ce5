"""One job with adapters: only what is new moves, and only that is kept."""

from pathlib import Path
from typing import Any, Literal

import pytest
import torch
from safetensors.torch import load_file, save_file

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import write_adapter
from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import DataError
from clir_cli.rerankers.adapters import AdapterPlan, give_adapters, trained_parts
from clir_cli.rerankers.build import load_reranker, new_reranker
from clir_cli.rerankers.parts import load_languages, load_parts, save_parts
from clir_cli.rerankers.reading import PassageReader
from clir_cli.training.fold import FoldAdapters, Recipe, train_fold
from clir_cli.training.pairs import draw_pairs
from tests.tiny_collection import TinyCollection, make_collection

RECIPE = Recipe(epochs=2, learning_rate=1e-9, forward=2, effective=4)
KINDS: dict[str, dict[str, Any]] = {
    "mart": {"kind": "mart", "mat_layers": [-1]},
    "m2bert": {"kind": "bert"},
    "mores": {"kind": "mores"},
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=7)


@pytest.fixture(scope="module")
def languages(tiny: TinyCollection, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str | Path]:
    encoder = load_encoder(tiny.folder)
    found: dict[str, str | Path] = {}
    for seed, language in enumerate(("deu", "eng", "som"), 1):
        adapter = Adapter(AdapterShape(encoder.width, len(encoder.layers)))
        with torch.no_grad():
            for number, parameter in enumerate(adapter.parameters()):
                parameter.normal_(0, 0.3, generator=torch.Generator().manual_seed(100 * seed + number))
        found[language] = tmp_path_factory.getbasetemp() / f"adapter-{language}"
        write_adapter(Path(found[language]), adapter, language, "bert")
    return found


def with_adapters(known: dict[str, str | Path], /, **changes: Any) -> FoldAdapters:
    return FoldAdapters(
        **{
            "plan": AdapterPlan(reduction=4), "query": "deu", "document": "eng",
            "languages": {name: known[name] for name in ("deu", "eng")}, "revisions": {}, "invertible": True,
            "learning_rate": 1e-2, **changes,
        }
    )  # fmt: skip


def train(tiny: TinyCollection, folder: Path, adapters: FoldAdapters, name: str = "mart") -> None:
    drawn = draw_pairs(tiny.queries, tiny.qrels, tiny.candidates, exists=tiny.documents, epochs=RECIPE.epochs)
    train_fold(
        tiny.folder, folder, build=KINDS[name], topics=["t1", "t2", "t3", "t4", "t5"], pairs=drawn.pairs,
        queries=tiny.queries, documents=tiny.pieces(), links=tiny.links, validate=None, recipe=RECIPE,
        adapters=adapters,
    )  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_only_what_moved_is_kept_and_scores_again_over_its_start(
    tiny: TinyCollection, languages: dict[str, str | Path], tmp_path: Path, name: str
) -> None:
    train(tiny, tmp_path, with_adapters(languages), name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "parts", "report.json"]
    weights = load_file(tmp_path / "parts" / "parts.safetensors")
    assert not [key for key in weights if not key.startswith(("task.", "head.", "mat."))]
    assert float(weights["head.weight"].abs().sum()) > 0
    assert all(float(value.abs().sum()) > 0 for key, value in weights.items() if key.endswith("up.weight"))
    model, tokenizer = load_parts(tiny.folder, tmp_path / "parts")
    load_languages(model, languages, revisions={}, invertible=True)
    start = load_encoder(tiny.folder).state_dict()
    assert all(torch.equal(value, start[key]) for key, value in model.encoder.state_dict().items() if key in start)
    assert model.adapters is not None
    reader = PassageReader(model, tokenizer, queries=tiny.queries, documents=tiny.pieces(), links=tiny.links)
    batch = reader.batch(reader.read("t6", next(iter(tiny.qrels["t6"]))))
    scores = []
    for query in ("deu", "som"):
        model.adapters.speak(query, "eng")
        with torch.no_grad():
            scores.append(model(batch))
    assert not torch.equal(*scores)


def test_the_same_job_gives_the_same_parts_and_another_language_others(
    tiny: TinyCollection, languages: dict[str, str | Path], tmp_path: Path
) -> None:
    for part, changes in (
        ("one", {}),
        ("two", {}),
        ("som", {"query": "som", "languages": languages}),
        ("none", {"query": None, "document": None, "languages": {}}),
        ("without", {"invertible": False}),
    ):
        train(tiny, tmp_path / part, with_adapters(languages, **changes), "m2bert")
    found = {path.parent.parent.name: path.read_bytes() for path in tmp_path.glob("*/parts/parts.safetensors")}
    assert found["one"] == found["two"]
    assert len({found[name] for name in ("one", "som", "none", "without")}) == 4


def test_a_missing_adapter_and_another_start_are_told(
    tiny: TinyCollection, languages: dict[str, str | Path], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="There is no adapter of language swa here"):
        train(tiny, tmp_path / "a", with_adapters(languages, query="swa"))
    with pytest.raises(DataError, match="There is no folder"):
        train(tiny, tmp_path / "b", with_adapters(languages, languages={"deu": tmp_path / "nowhere"}))
    train(tiny, tmp_path / "c", with_adapters(languages))
    other = make_collection(tmp_path / "other", topics=2).folder
    weights = load_file(other / "model.safetensors")
    weights["embeddings.LayerNorm.bias"] += 1
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(DataError) as caught:
        load_parts(other, tmp_path / "c" / "parts")
    assert caught.value.problem == (
        f"The parts in {tmp_path / 'c' / 'parts'} were trained over another encoder than {other}."
    )
    (tmp_path / "c" / "parts" / "parts.safetensors").unlink()
    with pytest.raises(DataError, match="holds no whole parts of a re-ranker"):
        load_parts(tiny.folder, tmp_path / "c" / "parts")
    with pytest.raises(DataError):
        load_reranker(tmp_path / "c" / "parts")


@pytest.mark.parametrize("kind", ["bert", "mart"])
def test_the_parts_take_the_space_of_their_numbers(tmp_path: Path, kind: Literal["bert", "mart"]) -> None:
    """At the size of BERT base, but for what is frozen and small here; task adapters and head alone, and with M^tr."""
    model = new_reranker(new_encoder(50, layers=12, width=768, heads=12, inner=8, positions=9), kind=kind)
    give_adapters(model, AdapterPlan())
    count = sum(value.numel() for value in trained_parts(model).values())
    assert count > 12 * 2 * 768 * 48
    save_parts(model, tmp_path / "parts", {"kind": kind}, AdapterPlan(), 1)
    size = sum(path.stat().st_size for path in (tmp_path / "parts").iterdir())
    assert 4 * count < size < 1.02 * 4 * count
