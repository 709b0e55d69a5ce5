"""The translation head by words equals the dense matrix, and gradients flow where they should."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.mat import Knowledge, MixedAttention, TranslationHead, folded_heads, mix_words, to_pieces
from clir_cli.translation.matrix import lay_out, translation_matrix
from tests.cutting import passages

LAYOUT = Layout(before=(1,), between=(2,), after=(3,), types=(0, 0, 0, 1, 1), pad=0)
WIDTH = 5

Words = list[tuple[str, int]]
words_of = st.lists(st.tuples(st.sampled_from("abcde"), st.integers(1, 3)), max_size=7)
links_of = st.dictionaries(
    st.sampled_from("abcde"),
    st.dictionaries(st.sampled_from("abcde"), st.floats(0, 1, width=32), max_size=4),
    max_size=4,
)


def as_text(words: Words) -> Text:
    numbers = np.repeat(np.arange(len(words)), [count for _, count in words]).astype(np.int32)
    return Text(np.arange(10, 10 + len(numbers), dtype=np.int32), numbers, [key for key, _ in words])


def dense_head(head: TranslationHead, h: torch.Tensor, matrix: np.ndarray) -> torch.Tensor:
    """W_o (M^tr (W_v h)) with the m x m matrix of the definition; ``h`` [m, d]."""
    return head.output(torch.from_numpy(matrix) @ head.value(h))


def new_head(seed: int = 3) -> TranslationHead:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TranslationHead(WIDTH).double()


@settings(max_examples=60, deadline=None)
@given(inputs=st.lists(st.tuples(words_of, words_of), min_size=1, max_size=4), links=links_of, data=st.data())
def test_equals_the_dense_definition(inputs, links, data):
    arm = data.draw(st.sampled_from(["translation", "identity", "blocks"]))
    found = [passages(as_text(query), as_text(document), links, LAYOUT, arm=arm) for query, document in inputs]
    batch = collate([passage for (passage,) in found], LAYOUT)
    head = new_head()
    h = torch.randn(*batch.pieces.shape, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ours = head(h, batch.knowledge)
    for row, (query, document) in enumerate(inputs):
        matrix = translation_matrix(lay_out(query, document), links, arm)
        theirs = dense_head(head, h[row, : len(matrix)], matrix)
        assert (ours[row, : len(matrix)] - theirs).abs().max().item() < 1e-10


@settings(max_examples=40, deadline=None)
@given(query=words_of, document=words_of, links=links_of, arm=st.sampled_from(["translation", "identity", "blocks"]))
def test_folded_into_one_matrix_it_is_the_same(query, document, links, arm):
    """W_o (M (W_v h + b_v)) + b_o = (W_o W_v) (M h) + (W_o b_v + b_o): nothing stands between, rows of M sum to 1."""
    (passage,) = passages(as_text(query), as_text(document), links, LAYOUT, arm=arm)
    batch = collate([passage], LAYOUT)
    head = new_head()
    h = torch.randn(*batch.pieces.shape, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    before = head(h, batch.knowledge)
    with folded_heads(head):
        folded = head(h, batch.knowledge)
    torch.testing.assert_close(folded, before, rtol=0, atol=1e-12)
    assert torch.equal(head(h, batch.knowledge), before)


def test_the_first_piece_needs_no_knowledge():
    """[CLS] is a word of its own: its row of M^tr is the identity's, so the last layer may look at it alone."""
    query, document = [("a", 2), ("b", 1)], [("c", 3), ("d", 1)]
    (passage,) = passages(as_text(query), as_text(document), {"a": {"c": 0.5, "d": 0.25}}, LAYOUT)
    knowledge = collate([passage], LAYOUT).knowledge
    head = new_head()
    h = torch.randn(1, len(passage.pieces), WIDTH, dtype=torch.float64)
    torch.testing.assert_close(head(h, knowledge)[:, :1], head(h[:, :1], None), rtol=0, atol=1e-12)


def test_gradients_equal_those_of_the_dense_definition():
    query, document = [("a", 2), ("b", 1)], [("c", 3), ("d", 1), ("c", 3)]
    links = {"a": {"c": 0.5, "d": 0.25}, "b": {"d": 0.125}}
    (passage,) = passages(as_text(query), as_text(document), links, LAYOUT)
    knowledge = collate([passage], LAYOUT).knowledge
    matrix = translation_matrix(lay_out(query, document), links)
    head, weight = new_head(), torch.randn(len(matrix), WIDTH, dtype=torch.float64)

    def gradients(result) -> list[torch.Tensor]:
        h = torch.linspace(-1, 1, len(matrix) * WIDTH, dtype=torch.float64).view(-1, WIDTH).requires_grad_()
        head.zero_grad()
        (result(h) * weight).sum().backward()
        return [h.grad, *(parameter.grad.clone() for parameter in head.parameters())]

    ours = gradients(lambda h: head(h[None], knowledge)[0])
    theirs = gradients(lambda h: dense_head(head, h, matrix))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


def test_words_by_hand():
    # one passage: query word 0 (one piece), document words 1 (two pieces) and 2 (one), a special piece 3
    knowledge = Knowledge(
        slots=torch.tensor([[3, 0, 1, 1, 2]]), sizes=torch.tensor([[1.0, 2, 1, 1]]), links=torch.tensor([[[0.5, 0.0]]])
    )
    h = torch.tensor([[[9.0], [1], [2], [4], [8]]])
    # query: (1 + .5 (2 + 4)) / (1 + .5 * 2) = 2; first document word: (6 + .5 * 1) / (2 + .5) = 2.6
    torch.testing.assert_close(mix_words(h, knowledge), torch.tensor([[[2.0], [2.6], [8.0], [9.0]]]))
    rows = to_pieces(torch.tensor([[[2.0], [2.6], [8.0], [9.0]]]), knowledge.slots)
    assert rows.flatten().tolist() == pytest.approx([9.0, 2.0, 2.6, 2.6, 8.0])


def test_empty_slots_give_no_nan_not_even_in_gradients():
    (long,) = passages(as_text([("a", 1)] * 4), as_text([("b", 2)] * 5), {"a": {"b": 1.0}}, LAYOUT)
    (short,) = passages(as_text([]), as_text([]), {}, LAYOUT)
    batch = collate([long, short], LAYOUT)
    h = torch.randn(*batch.pieces.shape, WIDTH, requires_grad=True)
    part = MixedAttention(WIDTH, dropout=0.0)
    part(h, h, batch.knowledge).square().sum().backward()
    assert torch.isfinite(h.grad).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in part.parameters())


def test_new_parameters_at_a_small_width():
    assert sum(parameter.numel() for parameter in MixedAttention(WIDTH, dropout=0.1).parameters()) == 2 * 25 + 4 * 5


def test_start_paper():
    part = MixedAttention(192, dropout=0.1)
    part.start("paper", seed=1, name="mat.3")
    for linear in (part.head.value, part.head.output):
        # 0.02 at the width of 768; half the width is passed on by as many times sqrt(2), a quarter by twice as much.
        assert linear.weight.std().item() == pytest.approx(0.04, rel=0.05)
        assert linear.weight.mean().item() == pytest.approx(0.0, abs=1e-3)
        assert not linear.bias.any()
    assert (part.norm.weight == 1).all()
    assert not part.norm.bias.any()


def test_start_identity_adds_nothing_yet_learns():
    part = MixedAttention(WIDTH, dropout=0.0)
    part.start("identity", seed=1, name="mat.3")
    h, a, target = torch.randn(3, 2, 7, WIDTH, generator=torch.Generator().manual_seed(0))
    assert torch.equal(part(h, a, None), a)
    optimiser = torch.optim.Adam(part.parameters(), lr=0.05)
    loss = []
    for step in range(30):
        optimiser.zero_grad()
        value = (part(h, a, None) - target).square().mean()
        value.backward()
        loss.append(value.item())
        if step == 0:
            assert part.norm.weight.grad.any()
            assert not part.head.output.weight.grad.any()  # reached from the second step on
        if step == 1:
            assert part.head.output.weight.grad.any()
            assert part.head.value.weight.grad.any()
        optimiser.step()
    assert loss[-1] < 0.9 * loss[0]


def test_dropout_is_on_the_branch_only():
    part = MixedAttention(WIDTH, dropout=1.0)
    part.start("paper", seed=1, name="x")
    h = torch.randn(1, 3, WIDTH)
    torch.testing.assert_close(part(h, h, None), h + part.norm(h))
