"""The translation branch reads the rows that M^tr over query and document has for query pieces."""

from typing import Any

import numpy as np
import pytest
import torch

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.mat import MixedAttention, folded_heads
from clir_cli.rerankers.mores.batch import collate_apart
from clir_cli.rerankers.mores.knowledge import rows_of_queries, translate
from clir_cli.translation.matrix import Piece, lay_out, translation_matrix
from tests.cutting import passages

APART = Layout(before=(1,), between=(2, 1), after=(2,), types=(0,) * 5, pad=0, cut=1)
QUERY = [("haus", 2), ("am", 1), ("see", 3)]
DOCUMENTS = {
    "links, twice": [("house", 3), ("the", 1), ("lake", 2), ("house", 1), ("sea", 1)],
    "one word": [("sea", 2)],
    "nothing linked": [("other", 1), ("words", 2), ("here", 1)],
    "empty": [],
}
LINKS = {"haus": {"house": 0.6875, "home": 0.3125}, "see": {"lake": 0.625, "sea": 0.25}}
"""Numbers that float32, as which links are kept, holds exactly."""


def text(words: list[tuple[str, int]]) -> Text:
    numbers = np.repeat(np.arange(len(words)), [count for _, count in words]).astype(np.int32)
    return Text(numbers + 5, numbers, [key for key, _ in words])


def dense_rows(document: list[tuple[str, int]], arm: Any) -> tuple[np.ndarray, int]:
    """M^tr of ``[CLS] q [SEP] [CLS] d [SEP]``, its rows of query positions, and how many those are."""
    pieces = lay_out(QUERY, document)
    query_length = 2 + sum(count for _, count in QUERY)
    pieces.insert(query_length, Piece("special", 3))  # the document's own [CLS]
    return translation_matrix(pieces, LINKS, arm)[:query_length], query_length


@pytest.mark.parametrize("arm", ["translation", "blocks"])
def test_rows_equal_the_dense_definition(arm: Any) -> None:
    generator = torch.Generator().manual_seed(1)
    cut = [passages(text(QUERY), text(words), LINKS, APART, arm=arm)[0] for words in DOCUMENTS.values()]
    batch = collate_apart(cut, APART)
    knowledge = batch.knowledge
    assert knowledge is not None
    longest = batch.documents.pieces.shape[1]
    q = torch.randn(len(cut), 8, 5, generator=generator, dtype=torch.float64)
    d = torch.randn(len(cut), longest, 5, generator=generator, dtype=torch.float64)  # padding is noise, too
    translated = None if knowledge.links is None else translate(knowledge.links.double(), d)
    slots, sizes = knowledge.slots[batch.owners], knowledge.sizes[batch.owners]
    found = rows_of_queries(q, slots, sizes, translated)
    for number, words in enumerate(DOCUMENTS.values()):
        matrix, length = dense_rows(words, arm)
        assert length == 8
        own = torch.cat([q[number], d[number, : matrix.shape[1] - length]])
        torch.testing.assert_close(found[number], torch.from_numpy(matrix) @ own, rtol=0, atol=1e-10)


def test_one_query_serves_many_documents() -> None:
    """The broadcast form, which stored documents are scored with, gives the same rows."""
    cut = [passages(text(QUERY), text(words), LINKS, APART)[0] for words in DOCUMENTS.values()]
    batch = collate_apart(cut, APART)
    knowledge = batch.knowledge
    assert knowledge is not None
    assert knowledge.links is not None
    assert len(knowledge.slots) == 1
    q = torch.randn(1, 8, 5, generator=torch.Generator().manual_seed(1))
    d = torch.randn(*batch.documents.pieces.shape, 5, generator=torch.Generator().manual_seed(2))
    translated = translate(knowledge.links, d)
    once = rows_of_queries(q, knowledge.slots, knowledge.sizes, translated)
    each = rows_of_queries(
        q.expand(len(cut), -1, -1), knowledge.slots[batch.owners], knowledge.sizes[batch.owners], translated
    )
    torch.testing.assert_close(once, each)


def test_the_folded_head_maps_rows_as_the_two_maps_do() -> None:
    """And mapping rows is mapping pieces and mixing then: rows of M^tr sum to one."""
    mix = MixedAttention(5, dropout=0.0).double()
    mix.start("paper", 1, "mix")
    torch.nn.init.normal_(mix.head.value.bias, generator=torch.Generator().manual_seed(3))
    rows = torch.from_numpy(dense_rows(DOCUMENTS["links, twice"], "translation")[0])
    h = torch.randn(rows.shape[1], 5, dtype=torch.float64, generator=torch.Generator().manual_seed(4))
    by_pieces = mix.head.output(rows @ mix.head.value(h))
    plain = mix.head.map(rows @ h)
    with folded_heads(mix):
        folded = mix.head.map(rows @ h)
    torch.testing.assert_close(plain, by_pieces, rtol=0, atol=1e-10)
    torch.testing.assert_close(folded, by_pieces, rtol=0, atol=1e-10)
