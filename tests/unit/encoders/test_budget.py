"""Every input in one batch, the longest first, no batch over its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.encoders.budget import bytes_on_cpu, default_tokens, plan_batches
from clir_cli.encoders.encoder import new_encoder


@given(st.lists(st.integers(0, 60), max_size=40), st.integers(1, 200))
def test_all_once_longest_first_within_the_budget(lengths: list[int], tokens: int) -> None:
    batches = [batch.tolist() for batch in plan_batches(lengths, tokens)]
    order = [number for batch in batches for number in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[number] for number in order] == sorted(lengths, reverse=True)
    for batch in batches:
        assert len(batch) * lengths[batch[0]] <= tokens or len(batch) == 1
    for batch in batches[:-1]:  # none but the last is smaller than it could be
        assert (len(batch) + 1) * max(1, lengths[batch[0]]) > tokens  # an empty one counts as a piece


@pytest.mark.parametrize(("inner", "tokens"), [(256, 2048), (1536, 341), (3072, 170)])
def test_on_a_cpu_a_wide_encoder_reads_less_at_once(inner: int, tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clir_cli.encoders.budget.bytes_on_cpu", lambda: 1 << 21)
    encoder = new_encoder(10, layers=1, width=8, heads=1, inner=inner, positions=8)
    assert default_tokens(encoder) == tokens


@pytest.mark.parametrize(("cache", "found"), [(1 << 21, 3 << 21), (1 << 19, 1 << 21), (0, 1 << 21), (-1, 1 << 21)])
def test_on_a_cpu_a_larger_cache_takes_larger_batches(cache: int, found: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: cache)
    assert bytes_on_cpu() == found


def test_where_the_cache_is_not_known_batches_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr("os.sysconf", unknown)
    assert bytes_on_cpu() == 1 << 21


def test_a_budget_holds_something() -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        plan_batches([1], 0)
