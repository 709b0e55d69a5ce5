"""What a MORES is made of, how it begins, and that its parts are the paper's equations."""

from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.errors import DataError
from clir_cli.rerankers.build import build_reranker, load_reranker, save_reranker
from clir_cli.rerankers.mores.model import Mores
from tests.tiny_collection import TinyCollection, make_collection


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=2, others=4)


def mores(tiny: TinyCollection, **build: Any) -> Mores:
    model, _ = tiny.reranker(kind="mores", **build)
    assert isinstance(model, Mores)
    return model


def test_a_block_is_the_papers_equations(tiny: TinyCollection) -> None:
    """Cross-attention, self-attention and FFN, each with its residual and layer norm, in that order."""
    block = mores(tiny, block_start="random").block(0)
    generator = torch.Generator().manual_seed(1)
    q, d = torch.randn(3, 5, 16, generator=generator), torch.randn(3, 7, 16, generator=generator)

    def attend(part: Any, asks: torch.Tensor, over: torch.Tensor) -> torch.Tensor:
        heads = []
        for head in range(2):
            rows = slice(8 * head, 8 * head + 8)
            k, v = part.key(over)[..., rows], part.value(over)[..., rows]
            weights = (part.query(asks)[..., rows] @ k.transpose(1, 2) / 8**0.5).softmax(-1)
            heads.append(weights @ v)
        return part.output(torch.cat(heads, -1))

    crossed = block.cross.norm(attend(block.cross, q, d) + q)
    own = block.layer.attend
    looked = own.norm(attend(own, crossed, crossed) + crossed)
    feed = block.layer.feed
    expected = block.layer.norm(feed.outer(torch.nn.functional.gelu(feed.inner(looked))) + looked)
    attended = block.cross.attend(q, *block.cross.keys_and_values(d), None)
    torch.testing.assert_close(block(q, attended, None, None), expected)
    torch.testing.assert_close(block(q, attended, None, None, first_only=True), expected[:, :1])


@pytest.mark.parametrize("blocks", [1, 2, 3])
def test_query_layers_and_blocks_are_the_encoders_layers(tiny: TinyCollection, blocks: int) -> None:
    model = mores(tiny, blocks=blocks)
    layers = model.encoder.layers
    assert model.query is not None
    assert len(model.query.layers) == len(layers) - blocks == 4 - blocks
    copied = [*model.encoder.embeddings.parameters(), *layers[: 4 - blocks].parameters()]
    for mine, theirs in zip(model.query.parameters(), copied, strict=True):
        assert torch.equal(mine, theirs)
        assert mine is not theirs
    for number in range(blocks):
        block, layer = model.block(number), layers[4 - blocks + number]
        assert all(torch.equal(*pair) for pair in zip(block.layer.parameters(), layer.parameters(), strict=True))
        assert all(torch.equal(*pair) for pair in zip(block.cross.parameters(), layer.attend.parameters(), strict=True))


def test_random_draws_the_cross_attention_and_nothing_else(tiny: TinyCollection) -> None:
    paper, drawn = mores(tiny), mores(tiny, block_start="random")
    differ = {name for name, value in paper.own_weights().items() if not torch.equal(value, drawn.own_weights()[name])}
    assert differ >= {f"block.0.cross.{part}.weight" for part in ("query", "key", "value", "output")}
    assert all(name.startswith("block.0.cross.") for name in differ)


@torch.no_grad()
def test_equal_begins_with_an_eye_for_equal_vectors(tiny: TinyCollection) -> None:
    cross = mores(tiny, block_start="equal").block(0).cross
    vectors = torch.nn.functional.layer_norm(torch.randn(40, 16, generator=torch.Generator().manual_seed(1)), (16,))
    scores = (cross.query(vectors) @ cross.key(vectors).T).softmax(-1)
    assert float(scores.diagonal().mean()) > 0.9
    plain = mores(tiny, block_start="random").block(0).cross
    assert float((plain.query(vectors) @ plain.key(vectors).T).softmax(-1).diagonal().mean()) < 0.5


def test_tied_shares_layers(tiny: TinyCollection) -> None:
    tied, apart = mores(tiny, tied=True), mores(tiny)
    assert not any(name.startswith("query.") for name in tied.own_weights())
    size = sum(p.numel() for p in apart.query.parameters())  # type: ignore[union-attr]
    assert sum(p.numel() for p in apart.parameters()) - sum(p.numel() for p in tied.parameters()) == size


def test_init_identity_begins_as_without_knowledge(tiny: TinyCollection) -> None:
    plain, reader = tiny.reranker(kind="mores", blocks=2)
    for arm in ("translation", "identity", "blocks"):
        model, own = tiny.reranker(kind="mores", blocks=2, arm=arm, init="identity")
        given = [own.read("t1", f"t1-d{number}")[0] for number in range(6)]
        same = [reader.read("t1", f"t1-d{number}")[0] for number in range(6)]
        assert torch.equal(model(own.batch(given)), plain(reader.batch(same)))


def test_too_many_blocks(tiny: TinyCollection) -> None:
    with pytest.raises(DataError, match="4 interaction blocks leave no layer of 4 to read queries"):
        mores(tiny, blocks=4)


@pytest.mark.parametrize("adapt", ["all", "interaction", "representation"])
def test_what_moves(tiny: TinyCollection, adapt: str) -> None:
    model, reader = tiny.reranker(kind="mores", adapt=adapt, arm="identity")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    groups = [list(group) for group in model.parameter_groups()]
    optimiser = torch.optim.AdamW([{"params": group} for group in groups if group], lr=0.01, weight_decay=0.1)
    model(reader.batch(reader.read("t1", "t1-d0"))).sum().backward()
    optimiser.step()
    moved = {name.split(".")[0] for name, value in model.state_dict().items() if not torch.equal(value, before[name])}
    parts = {"representation": {"encoder", "query"}, "interaction": {"blocks", "head"}}
    assert moved == (parts["representation"] | parts["interaction"] if adapt == "all" else parts[adapt])


@pytest.mark.parametrize("build", [{}, {"tied": True, "blocks": 2}, {"arm": "translation", "blocks": 2}])
def test_saved_and_loaded(tiny: TinyCollection, tmp_path: Path, build: dict[str, Any]) -> None:
    model, reader = tiny.reranker(kind="mores", **build)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(5)) * 0.01)
    save_reranker(model, load_tokenizer(tiny.folder), tmp_path / "model")
    loaded, _ = load_reranker(tmp_path / "model")
    assert loaded.description == model.description
    batch = reader.batch(reader.read("t1", "t1-d1"))
    assert torch.equal(loaded(batch), model(batch))


def test_knowledge_goes_on_from_a_mores_without(tiny: TinyCollection, tmp_path: Path) -> None:
    """All weights that both have are taken; another number of blocks is refused."""
    plain, reader = tiny.reranker(kind="mores", block_start="random", seed=3)
    save_reranker(plain, load_tokenizer(tiny.folder), tmp_path / "model")
    model = build_reranker(tmp_path / "model", kind="mores", arm="translation", init="identity", seed=9).eval()
    own = tiny.reader(model)
    assert torch.equal(model(own.batch(own.read("t1", "t1-d1"))), plain(reader.batch(reader.read("t1", "t1-d1"))))
    with pytest.raises(DataError, match="is a MORES with blocks 1, not 2"):
        build_reranker(tmp_path / "model", kind="mores", blocks=2)
