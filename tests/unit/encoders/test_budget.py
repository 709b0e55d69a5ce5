"""Every input in one batch, the longest first, no batch over its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.encoders.budget import default_tokens, plan_batches
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
def test_on_a_cpu_a_wide_encoder_reads_less_at_once(inner: int, tokens: int) -> None:
    encoder = new_encoder(10, layers=1, width=8, heads=1, inner=inner, positions=8)
    assert default_tokens(encoder) == tokens


def test_a_budget_holds_something() -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        plan_batches([1], 0)
