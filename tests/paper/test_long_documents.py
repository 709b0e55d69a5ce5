"""Long documents: 800 pieces are read, split evenly, and the scores of the real parts averaged (MAT, section 4.2)."""

import numpy as np
import torch

from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.build import average_passages, new_reranker
from tests.cutting import passages

LAYOUT = Layout(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1), pad=0)


def text(pieces: int, pieces_per_word: int = 1) -> Text:
    numbers = (np.arange(pieces) // pieces_per_word).astype(np.int32)
    keys = [f"w{number}" for number in sorted(set(numbers.tolist()))]
    return Text(10 + np.arange(pieces, dtype=np.int32) % 30, numbers, keys)


def document_parts(query: int, document: int, **options) -> list[int]:
    """Document pieces in each passage."""
    found = passages(text(query), text(document), {}, LAYOUT, **options)
    return [len(passage.pieces) - query - 3 for passage in found]


def test_a_document_that_fits_is_one_passage():
    assert document_parts(12, 497) == [497]  # 1 + 12 + 1 + 497 + 1 = 512


def test_one_piece_more_and_it_is_split_evenly():
    assert document_parts(12, 498) == [249, 249]
    assert document_parts(12, 501) == [251, 250]


def test_only_800_pieces_are_read():
    assert document_parts(12, 5000) == [400, 400]


def test_three_passages_beside_a_long_query():
    assert document_parts(109, 800) == [400, 400]
    assert document_parts(110, 800) == [267, 267, 266]


def test_the_query_is_in_every_passage_whole():
    found = passages(text(12), text(800), {}, LAYOUT)
    for passage in found:
        assert passage.pieces[1:13].tolist() == text(12).pieces.tolist()
        assert passage.query_words == 12


def test_a_word_on_the_border_counts_in_both_passages():
    # words of two pieces; 501 pieces are cut after 251, inside word 125
    found = passages(text(12), text(501, pieces_per_word=2), {"w3": {"w125": 0.5}}, LAYOUT)
    assert [passage.links[1].tolist() for passage in found] == [[125], [0]]


def test_the_split_depends_on_the_document_alone_and_only_real_passages_are_averaged():
    encoder = new_encoder(40, layers=2, width=8, heads=2, inner=9, positions=40, dropout=0.0, seed=1)
    model = new_reranker(encoder, kind="mart", mat_layers=[0], seed=1).eval()
    with torch.no_grad():
        model.head.weight.mul_(50)

    def scores(*documents: Text) -> list[float]:
        parts = [passages(text(4), document, {"w1": {"w2": 0.5}}, LAYOUT, max_pieces=40) for document in documents]
        batch = collate([passage for found in parts for passage in found], LAYOUT)
        with torch.no_grad():
            return average_passages(model(batch), [len(found) for found in parts]).tolist()

    short, long = text(5), text(100)
    alone = scores(short) + scores(long)
    np.testing.assert_allclose(scores(short, long), alone, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(scores(long, short, long), [alone[1], alone[0], alone[1]], rtol=1e-5, atol=1e-6)


def test_the_mean_of_logits_is_the_logit_of_the_mean_vector():
    head, vectors = torch.nn.Linear(6, 1), torch.randn(3, 6)
    mean = average_passages(head(vectors).squeeze(-1), [3])
    torch.testing.assert_close(mean, head(vectors.mean(dim=0)))
