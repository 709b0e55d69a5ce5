"""The Mixed Attention layer, checked against numbers one can work out by hand.

With W_v = W_o = identity and one-hot hidden vectors, the translation head gives out the rows of M^tr themselves: so
the matrices below are read off the head that the models use, which never builds a matrix. The numbers are those of
the authors' own function for the same words and probabilities.
"""

import numpy as np
import pytest
import torch

from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.build import new_reranker
from clir_cli.rerankers.mat import MixedAttention, TranslationHead
from tests.cutting import passages

LAYOUT = Layout(before=(1,), between=(2,), after=(3,), types=(0, 0, 0, 1, 1), pad=0)


def text(words: str) -> Text:
    """``kat+ze`` is one word of two pieces; ids do not matter here."""
    split = [word.split("+") for word in words.split()]
    numbers = np.repeat(np.arange(len(split)), [len(pieces) for pieces in split]).astype(np.int32)
    return Text(10 + np.arange(len(numbers), dtype=np.int32), numbers, ["".join(pieces) for pieces in split])


def batch_of(query: str, document: str, table: dict, arm: str = "translation"):
    return collate(passages(text(query), text(document), table, LAYOUT, arm=arm), LAYOUT)


def matrix_of(query: str, document: str, table: dict, arm: str = "translation") -> np.ndarray:
    """M^tr as the translation head applies it."""
    batch = batch_of(query, document, table, arm)
    size = batch.pieces.shape[1]
    head = TranslationHead(size)
    with torch.no_grad():
        for linear in (head.value, head.output):
            linear.weight.copy_(torch.eye(size))
            linear.bias.zero_()
        return head(torch.eye(size)[None], batch.knowledge)[0].numpy()


def assert_rows(matrix: np.ndarray, rows: list[list[float]]) -> None:
    """Compare what lies between [CLS] and the last [SEP]; these two, like every special piece, see only themselves."""
    assert matrix[0].tolist() == [1.0, *[0.0] * (len(matrix) - 1)]
    assert matrix[-1].tolist() == [*[0.0] * (len(matrix) - 1), 1.0]
    np.testing.assert_allclose(matrix[1:-1, 1:-1], rows, atol=5e-5)
    np.testing.assert_allclose(matrix.sum(axis=1), 1.0, atol=1e-6)


def test_lemma_1_a_word_keeps_1_over_1_plus_p():
    # cat [SEP] katze, P(katze | cat) = .8: 1 / 1.8 and .8 / 1.8
    assert_rows(
        matrix_of("cat", "katze", {"cat": {"katze": 0.8}}),
        [[0.5556, 0, 0.4444], [0, 1, 0], [0.4444, 0, 0.5556]],
    )


def test_pieces_of_a_word_share_its_weight():
    # cat [SEP] kat ##ze: 1 / (1 + .8 + .8); and 1 + 1 + .8 for the pieces of katze
    assert_rows(
        matrix_of("cat", "kat+ze", {"cat": {"katze": 0.8}}),
        [
            [0.3846, 0, 0.3077, 0.3077],
            [0, 1, 0, 0],
            [0.2857, 0, 0.3571, 0.3571],
            [0.2857, 0, 0.3571, 0.3571],
        ],
    )


def test_two_translations_and_a_word_without_any():
    assert_rows(
        matrix_of("cat", "katze kater haus", {"cat": {"katze": 0.6, "kater": 0.3}}),
        [
            [0.5263, 0, 0.3158, 0.1579, 0],
            [0, 1, 0, 0, 0],
            [0.3750, 0, 0.6250, 0, 0],
            [0.2308, 0, 0, 0.7692, 0],
            [0, 0, 0, 0, 1],
        ],
    )


def test_a_translation_that_occurs_twice_counts_twice():
    assert_rows(
        matrix_of("cat", "katze katze", {"cat": {"katze": 0.6}}),
        [[0.4545, 0, 0.2727, 0.2727], [0, 1, 0, 0], [0.3750, 0, 0.6250, 0], [0.3750, 0, 0, 0.6250]],
    )


def test_two_query_words_with_one_translation():
    assert_rows(
        matrix_of("cat kitty", "katze", {"cat": {"katze": 0.6}, "kitty": {"katze": 0.2}}),
        [[0.6250, 0, 0, 0.3750], [0, 0.8333, 0, 0.1667], [0, 0, 1, 0], [0.3333, 0.1111, 0, 0.5556]],
    )


def test_only_the_direction_from_query_to_document_is_used():
    assert_rows(matrix_of("cat", "katze", {"katze": {"cat": 0.8}}), np.eye(3).tolist())


def test_the_placebo_is_the_identity_and_blocks_lie_between():
    table = {"cat": {"katze": 0.8}}
    assert_rows(matrix_of("cat", "kat+ze", table, "identity"), np.eye(4).tolist())
    assert_rows(
        matrix_of("cat", "kat+ze", table, "blocks"),
        [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5]],
    )


def norm(x: np.ndarray) -> np.ndarray:
    """Layer norm with weight 1 and bias 0."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)


def test_the_layer_is_the_papers_equation():
    # h' = LN_1(h + MH(h)) + LN_2(h + TH(h)); out = LN_3(h' + FFN(h')), here in plain numpy
    encoder = new_encoder(20, layers=1, width=6, heads=2, inner=7, positions=16, dropout=0.0, seed=3).double()
    layer = new_reranker(encoder, kind="mart", mat_layers=[0], seed=3).double().eval().encoder.layers[0]
    batch = batch_of("cat", "kat+ze haus", {"cat": {"katze": 0.75}})
    h = torch.randn(1, 7, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        ours = layer(h, None, batch.knowledge)[0].numpy()

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        part = layer.get_submodule(name)
        return x @ part.weight.detach().numpy().T + part.bias.detach().numpy()

    x = h[0].numpy()
    heads = []
    for head in (slice(0, 3), slice(3, 6)):
        query, key, value = (linear(f"attend.{name}", x)[:, head] for name in ("query", "key", "value"))
        weights = np.exp(query @ key.T / np.sqrt(3))
        heads.append(weights / weights.sum(axis=1, keepdims=True) @ value)
    multi_head = linear("attend.output", np.concatenate(heads, axis=1))
    matrix = matrix_of("cat", "kat+ze haus", {"cat": {"katze": 0.75}})
    translated = linear("mix.head.output", matrix @ linear("mix.head.value", x))
    mixed = norm(x + multi_head) + norm(x + translated)
    inner = linear("feed.inner", mixed)
    gelu = inner * 0.5 * (1 + torch.erf(torch.from_numpy(inner) / 2**0.5).numpy())
    np.testing.assert_allclose(ours, norm(mixed + linear("feed.outer", gelu)), atol=1e-6)


def test_a_mat_layer_adds_1_18_million_weights_at_mberts_width():
    # the paper counts 2 * 768^2; with the biases and the new layer norm
    part = MixedAttention(768, dropout=0.1)
    assert sum(parameter.numel() for parameter in part.parameters()) == 2 * (768**2 + 768) + 2 * 768 == 1_182_720
    assert part.head.value.weight.numel() + part.head.output.weight.numel() == 1_179_648


def test_only_the_mat_layers_see_the_table():
    encoder = new_encoder(20, layers=4, width=6, heads=2, inner=7, positions=16, dropout=0.0, seed=3)
    model = new_reranker(encoder, kind="mart", mat_layers=[-3, -2], seed=3).eval()
    with_table = batch_of("cat", "katze", {"cat": {"katze": 0.8}})
    without = batch_of("cat", "katze", {})
    h = torch.randn(1, 5, 6)
    with torch.no_grad():
        changed = [
            not torch.equal(layer(h, None, with_table.knowledge), layer(h, None, without.knowledge))
            for layer in model.encoder.layers
        ]
    assert changed == [False, True, True, False]


@pytest.mark.parametrize("query", ["cat", "cat the"])
def test_query_words_do_not_see_each_other(query):
    matrix = matrix_of(f"{query} dog", "katze", {"cat": {"katze": 0.8, "dog": 0.9}})
    assert matrix[1, 2:-2].tolist() == [0.0] * (len(query.split()) + 1)
