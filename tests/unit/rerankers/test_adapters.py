"""Adapters in m2BERT, MART and MORES."""

import copy

import pytest
import torch

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape, count_weights
from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.rerankers.adapters import (
    AdapterPlan,
    add_languages,
    count_moving,
    give_adapters,
    trained_parts,
)
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.build import build_reranker
from clir_cli.rerankers.mores.batch import collate_apart
from tests.cutting import passages

LINKS = {"katze": {"cat": 0.75, "the": 0.125}, "haus": {"house": 0.5}}
DOCUMENTS = ["the cat", "house cat, house. the end of the very long story of a dog", "a", "katze haus", "the the", ""]
MODELS = {
    "m2bert": {"kind": "bert"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mores": {"kind": "mores", "blocks": 2},
    "mores tied, with knowledge": {"kind": "mores", "tied": True, "arm": "translation"},
}


@pytest.fixture(scope="module")
def read(word_pieces):
    """(model, repeat) -> its passages; (model, passages) -> a batch."""
    encode = TextEncoder(word_pieces)

    def read(model, repeat=1):
        query, layout = encode.encode("die Katze der Haus"), read_layout(word_pieces, apart=model.apart)
        found = [
            passage
            for text in DOCUMENTS * repeat
            for passage in passages(query, encode.encode(text), LINKS, layout, max_pieces=40, arm=model.arm)
        ]
        return found, lambda some: (collate_apart if model.apart else collate)(some, layout)

    return read


def with_adapters(folder, name, languages=("som", "eng"), *, fresh=False, **plan):
    model = build_reranker(folder, **MODELS[name], seed=2).eval()
    with torch.no_grad():
        model.head.weight.mul_(50)
    give_adapters(model, AdapterPlan(**plan), seed=3)
    shape = AdapterShape(model.encoder.width, len(model.encoder.layers))
    made = {language: Adapter(shape).start(seed, language) for seed, language in enumerate(languages)}
    if not fresh:
        with torch.no_grad():
            for seed, part in enumerate([*made.values(), *model.adapters.tasks.values()]):
                for number, parameter in enumerate(part.parameters()):
                    parameter.normal_(0, 0.2, generator=torch.Generator().manual_seed(31 * seed + number))
    add_languages(model, made)
    return model


def scores(model, found, batch, size):
    with torch.no_grad():
        return torch.cat([model(batch(found[start : start + size])) for start in range(0, len(found), size)])


@pytest.mark.parametrize("name", MODELS)
def test_fresh_adapters_change_no_score(encoder_folder, read, name):
    """Bit for bit what the same model without any gives (frozen too: torch multiplies frozen weights otherwise)."""
    plain = build_reranker(encoder_folder, **MODELS[name], seed=2).eval()
    for parameter in plain.parameter_groups()[0]:
        parameter.requires_grad_(False)
    model = with_adapters(encoder_folder, name, fresh=True)
    with torch.no_grad():
        plain.head.weight.mul_(50)
    found, batch = read(plain)
    before = scores(plain, found, batch, 4)
    for languages in ((None, None), ("som", "eng"), ("som", "som")):
        model.adapters.speak(*languages)
        assert torch.equal(scores(model, found, batch, 4), before)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("segments", ["own", "document"])
def test_scores_do_not_depend_on_the_neighbours(encoder_folder, read, name, segments):
    model = with_adapters(encoder_folder, name, segments=segments)
    model.adapters.speak("som", "eng")
    found, batch = read(model, repeat=4)
    alone = scores(model, found, batch, 1)
    assert float(alone.std()) > 1e-3
    for size in (7, 32):
        torch.testing.assert_close(scores(model, found, batch, size), alone, rtol=1e-5, atol=1e-5)
    model.adapters.speak("eng", "som")
    assert not torch.allclose(scores(model, found, batch, 7), alone, atol=1e-3)


@pytest.mark.parametrize("name", MODELS)
def test_scoring_is_what_training_sees(encoder_folder, read, name):
    """In-place sums and the absorbed last layer are for scoring alone."""
    model = with_adapters(encoder_folder, name)
    model.adapters.speak("som", "eng")
    found, batch = read(model)
    torch.testing.assert_close(
        model(batch(found)).detach(), scores(model, found, batch, len(found)), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize("name", MODELS)
def test_all_else_stays_byte_for_byte(encoder_folder, read, name):
    model = with_adapters(encoder_folder, name, fresh=True).train()
    model.adapters.speak("som", "eng")
    before = copy.deepcopy(model.state_dict())
    parts = set(trained_parts(model))
    groups = [(group, 0.01) for group in model.parameter_groups()]
    optimiser = build_optimiser("adamw", groups, weight_decay=0.1)
    found, batch = read(model)
    for _ in range(2):
        optimiser.zero_grad()
        model(batch(found)).square().sum().backward()
        optimiser.step()
    changed = {key for key, value in model.state_dict().items() if not torch.equal(value, before[key])}
    assert changed
    assert all(key.startswith(("head.", "adapters.tasks.")) or ".mix." in key for key in changed)
    assert any(key.startswith("adapters.tasks.") and ".up." in key for key in changed)
    count = sum(value.numel() for value in trained_parts(model).values())
    assert count == count_moving(model)
    assert set(trained_parts(model)) == parts
    assert count < sum(value.numel() for value in before.values()) / 4 or "mart" in name or "knowledge" in name


def test_task_weights_of_a_cross_encoder_and_of_mores(encoder_folder):
    m2bert, mores = (with_adapters(encoder_folder, name, reduction=16) for name in ("m2bert", "mores"))
    width, layers = m2bert.encoder.width, len(m2bert.encoder.layers)
    assert count_weights([m2bert.adapters.tasks], biases=False) == layers * 2 * width * (max(1, width // 16))
    assert count_weights([mores.adapters.tasks], biases=False) == 2 * layers * 2 * width * (max(1, width // 16))


def test_an_adapter_of_another_encoder_is_refused(encoder_folder):
    model = with_adapters(encoder_folder, "m2bert")
    width, layers = model.encoder.width, len(model.encoder.layers)
    for shape, what in (
        (AdapterShape(width + 2, layers), f"width {width + 2}, this one has {width}"),
        (AdapterShape(width, layers + 1), f"layers {layers + 1}, this one has {layers}"),
    ):
        with pytest.raises(DataError) as caught:
            add_languages(model, {"swa": Adapter(shape)})
        assert caught.value.problem == f"Adapter swa is for an encoder of {what}."
    with pytest.raises(DataError, match="has adapters already"):
        give_adapters(model, AdapterPlan())


def test_another_language_is_a_switch_and_nothing_else(encoder_folder, read):
    """One process serves all pairs: weights of encoder, task and other languages are the same objects as before."""
    model = with_adapters(encoder_folder, "mart")
    before = {name: value.data_ptr() for name, value in model.state_dict().items()}
    model.adapters.speak("som", "eng")
    found, batch = read(model)
    first = scores(model, found, batch, 4)
    shape = AdapterShape(model.encoder.width, len(model.encoder.layers))
    add_languages(model, {"swa": Adapter(shape).start(9, "swa")})
    model.adapters.speak("swa", "eng")
    assert not torch.allclose(scores(model, found, batch, 4), first, atol=1e-3)
    model.adapters.speak("som", "eng")
    assert torch.equal(scores(model, found, batch, 4), first)
    assert {name: value.data_ptr() for name, value in model.state_dict().items() if name in before} == before


def test_the_document_begins_after_the_separator(encoder_folder, read, word_pieces):
    found, batch = read(build_reranker(encoder_folder))
    made = batch(found)
    separator = word_pieces.sep_token_id
    for row, passage in enumerate(found):
        pieces = passage.pieces.tolist()
        begin = int(made.begins[row])
        assert pieces[begin - 1] == separator
        assert pieces[:begin].count(separator) == 1
        assert made.sides[row].tolist() == [place >= begin for place in range(made.pieces.shape[1])]
