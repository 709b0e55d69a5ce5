"""The places of a layer."""

import copy

import torch
from torch import nn

from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.layer import compile_layers, set_dropout


def layer():
    return new_encoder(20, layers=1, width=6, heads=3, inner=7, positions=12, seed=4).layers[0].eval()


class Mix(nn.Module):
    def forward(self, h, a, knowledge):
        return a + knowledge * h


class FreshAdapter(nn.Module):
    def forward(self, r, norm, sides):
        return r + 0 * norm(r)


class Adapter(nn.Module):
    def forward(self, r, norm, sides):
        return 2 * norm(r) - r


@torch.no_grad()
def test_mix_sees_what_came_in_what_attention_made_and_the_knowledge():
    part, h = layer(), torch.randn(2, 5, 6)
    a = part.attend(h, None) + 3.0 * h
    part.mix = Mix()
    torch.testing.assert_close(part(h, None, 3.0), part.norm(a + part.feed(a)))


@torch.no_grad()
def test_a_fresh_adapter_changes_nothing():
    part, h = layer(), torch.randn(2, 5, 6)
    before = part(h)
    part.adapt = FreshAdapter()
    assert torch.equal(part(h), before)


@torch.no_grad()
def test_adapt_sees_the_sum_before_and_after_its_norm():
    part, h = layer(), torch.randn(2, 5, 6)
    a = part.attend(h, None)
    r = a + part.feed(a)
    part.adapt = Adapter()
    torch.testing.assert_close(part(h), part.norm(2 * part.norm(r) - r))


@torch.no_grad()
def test_attention_may_look_at_other_texts():
    part, h, source = layer().attend, torch.randn(2, 5, 6), torch.randn(2, 3, 6)
    mask = torch.tensor([[True, True, True], [True, False, False]])
    attended = part.attend(h, *part.keys_and_values(source), mask)
    assert attended.shape == (2, 5, 6)
    alone = part.attend(h[1:], *part.keys_and_values(source[1:, :1]), None)
    torch.testing.assert_close(attended[1:], alone)


@torch.no_grad()
def test_the_first_row_alone_is_that_of_the_whole():
    part, h = layer().double(), torch.randn(3, 5, 6, dtype=torch.float64)
    part.adapt = Adapter()
    for mask in (None, torch.arange(5) < torch.tensor([5, 1, 3])[:, None]):
        torch.testing.assert_close(part.first(h, mask), part(h, mask)[:, :1], rtol=0, atol=1e-12)


def test_dropout_rates_are_read_when_used():
    part = layer().train()
    set_dropout(part, 0.0)
    h = torch.randn(1, 4, 6)
    assert torch.equal(part(h), part(h))
    set_dropout(part, 0.5)
    assert not torch.equal(part(h), part(h))


def test_layers_that_are_alike_share_what_is_compiled():
    import torch._dynamo as dynamo

    plain = new_encoder(50, layers=2, width=6, heads=3, inner=7, positions=12, dropout=0.0)
    compiled = copy.deepcopy(plain)
    compile_layers(compiled, backend="aot_eager")  # the same way through torch.compile, without a C++ compiler
    assert list(compiled.state_dict()) == list(plain.state_dict())
    dynamo.reset()
    dynamo.utils.counters.clear()
    for length in (5, 7, 11):
        pieces = torch.randint(0, 50, (3, length))
        results = [encoder(pieces, torch.zeros_like(pieces)) for encoder in (plain, compiled)]
        torch.testing.assert_close(*results, rtol=1e-5, atol=1e-6)
        for result in results:
            result.square().sum().backward()
    for weight, other in zip(plain.parameters(), compiled.parameters(), strict=True):
        torch.testing.assert_close(weight.grad, other.grad, rtol=1e-4, atol=1e-6)
    assert dynamo.utils.counters["stats"]["unique_graphs"] == 1
