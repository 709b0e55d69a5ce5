"""Passages side by side."""

import numpy as np
import pytest

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.inputs import Passage
from tests.cutting import passages

LAYOUT = Layout(before=(7,), between=(8,), after=(9,), types=(0, 0, 0, 1, 1), pad=5)


def text(keys: str, pieces: tuple[int, ...] | None = None) -> Text:
    names = keys.split()
    numbers = np.repeat(np.arange(len(names)), pieces or [1] * len(names)).astype(np.int32)
    return Text(np.arange(100, 100 + len(numbers), dtype=np.int32), numbers, names)


def one(query: Text, document: Text, links=None, arm="translation") -> Passage:
    (passage,) = passages(query, document, links or {}, LAYOUT, arm=arm)
    return passage


def test_slots_line_up_across_passages():
    links = {"cat": {"katze": 0.75}}
    short = one(text("cat"), text("katze", (2,)), links)
    long = one(text("the cat", (1, 2)), text("die katze und"), links)
    batch = collate([short, long], LAYOUT)
    assert batch.pieces.tolist() == [[7, 100, 8, 100, 101, 9, 5, 5, 5], [7, 100, 101, 102, 8, 100, 101, 102, 9]]
    assert batch.types.tolist() == [[0, 0, 0, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1, 1, 1, 1]]
    assert batch.mask.tolist() == [[True] * 6 + [False] * 3, [True] * 9]
    # slots: query words 0-1, document words 2-4, special pieces 5-7, padding 8
    assert batch.knowledge.slots.tolist() == [[5, 0, 6, 2, 2, 7, 8, 8, 8], [5, 0, 1, 1, 6, 2, 3, 4, 7]]
    assert batch.knowledge.sizes.tolist() == [[1, 1, 2, 1, 1, 1, 1, 1, 3], [1, 2, 1, 1, 1, 1, 1, 1, 1]]
    assert batch.knowledge.links.tolist() == [[[0.75, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0.75, 0]]]


def test_no_mask_where_nothing_is_padded():
    passage = one(text("a b"), text("c"))
    assert collate([passage, passage], LAYOUT).mask is None
    assert len(collate([passage, passage], LAYOUT)) == 2


@pytest.mark.parametrize("arm", ["identity", None])
def test_arms_without_knowledge(arm):
    batch = collate([one(text("a"), text("b"), arm=arm)], LAYOUT)
    assert batch.knowledge is None
    assert batch.arm == arm


def test_blocks_carry_words_but_no_links():
    batch = collate([one(text("a"), text("b", (3,)), {"a": {"b": 0.5}}, arm="blocks")], LAYOUT)
    assert batch.knowledge.links is None
    assert batch.knowledge.sizes.tolist() == [[1, 3, 1, 1, 1, 1]]


def test_arms_do_not_mix():
    with pytest.raises(ValueError, match="different arms"):
        collate([one(text("a"), text("b")), one(text("a"), text("b"), arm="blocks")], LAYOUT)


def test_empty_query_and_document():
    batch = collate([one(text(""), text("")), one(text("a"), text("b"))], LAYOUT)
    assert batch.pieces.tolist() == [[7, 8, 9, 5, 5], [7, 100, 8, 100, 9]]


def test_moving_to_a_device_keeps_everything():
    batch = collate([one(text("a"), text("b"), {"a": {"b": 0.5}}), one(text("a"), text("b c"))], LAYOUT).to("meta")
    knowledge = batch.knowledge
    tensors = (batch.pieces, batch.types, batch.mask, knowledge.slots, knowledge.sizes, knowledge.links)
    assert {tensor.device.type for tensor in tensors} == {"meta"}
