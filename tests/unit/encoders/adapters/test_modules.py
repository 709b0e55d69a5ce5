"""Bottlenecks, invertible adapters and where they stand."""

import pytest
import torch

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape, count_weights
from clir_cli.encoders.adapters.bottleneck import Bottleneck
from clir_cli.encoders.adapters.invertible import Invertible
from clir_cli.encoders.adapters.places import AdapterSet
from clir_cli.encoders.encoder import new_encoder
from clir_cli.errors import DataError

WIDTH = 6
PIECES = torch.tensor([[2, 5, 7, 3, 9, 11, 3], [2, 8, 3, 6, 3, 0, 0]])
REAL = PIECES != 0
TYPES = torch.zeros_like(PIECES)
SIDES = torch.arange(7) >= torch.tensor([4, 3])[:, None]


def drawn(shape, seed):
    """An adapter that does something."""
    adapter = Adapter(shape)
    with torch.no_grad():
        for number, parameter in enumerate(adapter.parameters()):
            parameter.normal_(0, 0.4, generator=torch.Generator().manual_seed(100 * seed + number))
    return adapter


def encoder(layers=3):
    return new_encoder(20, layers=layers, width=WIDTH, heads=3, inner=7, positions=12, seed=4).eval()


def filled(languages=("som",), task=None, layers=3, shape=None, **choices):
    """(encoder, its adapters)."""
    made = encoder(layers)
    shape = shape or AdapterShape(WIDTH, layers)
    adapters = AdapterSet(layers, **choices)
    for seed, language in enumerate(languages, 1):
        adapters.add_language(language, drawn(shape, seed))
    if task is not None:
        adapters.add_task("encoder", task)
    for number, layer in enumerate(made.layers):
        adapters.fill_layer(layer, number, "encoder")
    adapters.fill_inputs(made)
    return made, adapters


@pytest.mark.parametrize(
    ("shape", "weights"),
    [
        (AdapterShape(768, 12, invertible=None), 7_077_888),
        (AdapterShape(768, 12), 7_077_888 + 294_912),
        (AdapterShape(768, 12, 16, invertible=None), 884_736),
        (AdapterShape(768, 12, left_out=(11,), invertible=None), 11 * 2 * 768 * 384),
    ],
)
def test_weights_without_biases_are_those_of_the_papers_table_5(shape, weights):
    assert count_weights([Adapter(shape)], biases=False) == weights


def test_equation_2_by_hand():
    """Both adapters add to the same r; the task adapter reads what the language adapter gives, before any norm."""
    task = drawn(AdapterShape(WIDTH, 3, 3, None), 7)
    made, adapters = filled(task=task)
    adapters.speak("som", "som")
    place, r, norm = made.layers[1].adapt, torch.randn(2, 5, WIDTH), made.layers[1].norm
    language, own = adapters.switch.languages["som"].bottleneck(1), task.bottleneck(1)
    with torch.no_grad():
        la = language.up(torch.relu(language.down(norm(r)))) + r
        expected = own.up(torch.relu(own.down(la))) + r
        torch.testing.assert_close(place(r, norm, None), expected)


def test_adapterhub_stacks_otherwise():
    task = drawn(AdapterShape(WIDTH, 3, 3, None), 7)
    made, adapters = filled(task=task, stacking="adapterhub")
    adapters.speak("som", "som")
    place, r, norm = made.layers[1].adapt, torch.randn(2, 5, WIDTH), made.layers[1].norm
    language, own = adapters.switch.languages["som"].bottleneck(1), task.bottleneck(1)
    with torch.no_grad():
        la = language(norm(r)) + r
        torch.testing.assert_close(place(r, norm, None), own(norm(la)) + la)
        adapters.switch.stacking = "paper"
        assert not torch.allclose(place(r, norm, None), own(norm(la)) + la)


@pytest.mark.parametrize("stacking", ["paper", "adapterhub"])
def test_fresh_adapters_change_nothing(stacking):
    plain = encoder()(PIECES, TYPES, REAL)
    made, adapters = filled(
        languages=(), task=Adapter(AdapterShape(WIDTH, 3, 16, None)).start(1, "task"), stacking=stacking
    )
    adapters.add_language("som", Adapter(AdapterShape(WIDTH, 3)).start(1, "som"))
    for languages in ((None, None), ("som", "som"), ("som", None)):
        adapters.speak(*languages)
        with torch.no_grad():
            assert torch.equal(made(PIECES, TYPES, REAL, sides=SIDES), plain)
        assert torch.equal(made(PIECES, TYPES, REAL, sides=SIDES), plain)  # no in-place sums where gradients are asked


def test_a_trained_language_changes_something_and_none_nothing():
    plain = encoder()(PIECES, TYPES, REAL)
    made, adapters = filled()
    adapters.speak("som", "som")
    assert not torch.allclose(made(PIECES, TYPES, REAL), plain, atol=1e-2)
    adapters.speak(None, None)
    assert torch.equal(made(PIECES, TYPES, REAL), plain)


def test_every_piece_goes_through_the_adapter_of_its_own_text():
    made, adapters = filled(languages=("som", "eng"))
    states = {}
    for segments, query, document in [("own", "som", "eng"), ("query", "som", "eng"), ("document", "som", "eng")]:
        adapters.segments = segments
        adapters.speak(query, document)
        with torch.no_grad():  # one layer and the inputs: attention mixes what comes after
            states[segments] = made.states(PIECES, TYPES, REAL, sides=SIDES)[0]
    own = states["own"]
    assert torch.equal(own, torch.where(SIDES[..., None], states["document"], states["query"]))
    assert not torch.equal(states["document"], states["query"])
    place, r, norm = made.layers[0].adapt, torch.randn(2, 7, WIDTH), made.layers[0].norm
    som, eng = (adapters.switch.languages[name].bottleneck(0) for name in ("som", "eng"))
    adapters.segments = "own"
    adapters.speak("som", "eng")
    with torch.no_grad():
        expected = torch.where(SIDES[..., None], eng(norm(r)), som(norm(r))) + r
        torch.testing.assert_close(place(r, norm, SIDES), expected)
        torch.testing.assert_close(place(r, norm, "query"), som(norm(r)) + r)
        torch.testing.assert_close(place(r, norm, "document"), eng(norm(r)) + r)


def test_two_languages_and_nobody_saying_whose_pieces_are_whose_is_refused():
    made, adapters = filled(languages=("som", "eng"))
    adapters.speak("som", "eng")
    assert adapters.tells_sides
    with pytest.raises(ValueError, match="whose"):
        made(PIECES, TYPES, REAL)
    with pytest.raises(DataError) as caught:
        adapters.speak("som", "swa")
    assert caught.value.problem == "There is no adapter of language swa here (there are: som, eng)."


@pytest.mark.parametrize("sides", ["query", SIDES])
@torch.no_grad()
def test_the_first_row_alone_is_that_of_the_whole(sides):
    """What scoring asks of the last layer, with adapters of both kinds and two languages."""
    task = drawn(AdapterShape(WIDTH, 3, 3, None), 7)
    made, adapters = filled(languages=("som", "eng"), task=task)
    adapters.speak("som", "eng")
    made.double()
    adapters.double()
    whole = made(PIECES, TYPES, REAL, sides=sides)
    torch.testing.assert_close(
        made(PIECES, TYPES, REAL, sides=sides, first_only=True), whole[:, :1], rtol=0, atol=1e-12
    )


def test_the_last_layers_language_adapter_can_be_dropped():
    made, adapters = filled(drop_last=True, shape=AdapterShape(WIDTH, 3, invertible=None))
    adapters.speak("som", "som")
    last, r = made.layers[2], torch.randn(2, 5, WIDTH)
    assert torch.equal(last.adapt(r, last.norm, None), r)
    assert not torch.equal(made.layers[1].adapt(r, last.norm, None), r)
    shaped, adapters = filled(shape=AdapterShape(WIDTH, 3, invertible=None, left_out=(2,)))
    adapters.speak("som", "som")
    assert torch.equal(shaped(PIECES, TYPES, REAL), made(PIECES, TYPES, REAL))


@pytest.mark.parametrize("width", [6, 7])
def test_the_inverse_is_exact(width):
    part = Invertible(width).double()
    with torch.no_grad():
        for number, parameter in enumerate(part.parameters()):
            parameter.normal_(0, 0.7, generator=torch.Generator().manual_seed(number))
        e = torch.randn(3, 5, width, dtype=torch.float64)
        assert not torch.allclose(part(e), e, atol=0.1)
        torch.testing.assert_close(part.inverse(part(e)), e, rtol=0, atol=1e-12)
        torch.testing.assert_close(part(part.inverse(e)), e, rtol=0, atol=1e-12)


def test_gradients_reach_a_fresh_bottleneck_in_two_steps():
    part = Bottleneck(6, 3)
    part.start(1, "x")
    x = torch.randn(4, 6)
    part(x).sum().backward()
    assert part.up.weight.grad.abs().sum() > 0
    assert part.down.weight.grad.abs().sum() == 0
    with torch.no_grad():
        part.up.weight.add_(part.up.weight.grad)
    part(x).sum().backward()
    assert part.down.weight.grad.abs().sum() > 0


def test_unknown_words_are_refused():
    with pytest.raises(DataError, match="no activation 'cubic'"):
        Bottleneck(6, 3, "cubic")
    with pytest.raises(DataError, match="no 'hub'"):
        AdapterSet(3, stacking="hub")
