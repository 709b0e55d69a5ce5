"""Texts as inputs with hidden pieces."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clir_cli.errors import DataError
from clir_cli.training.masking import InputCutter, Masker
from clir_cli.training.vocabulary import learn_vocabulary

CLS, SEP, MASK = 2, 3, 4


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from transformers import AutoTokenizer

    folder: Path = tmp_path_factory.mktemp("pieces") / "vocabulary"
    learn_vocabulary(["a b c d e f g h i j k l m n o p q r s t u v w x y z [ ]"], 200, folder)
    return AutoTokenizer.from_pretrained(folder)


def read(tokenizer: Any, pieces: Any) -> str:
    return " ".join(tokenizer.convert_ids_to_tokens([int(piece) for piece in pieces]))


def cut(tokenizer: Any, *texts: Any, max_pieces: int) -> list[str]:
    return [read(tokenizer, text.pieces) for text in InputCutter(tokenizer, max_pieces).cut(texts)]


def test_a_text_stands_between_special_pieces(tokenizer: Any) -> None:
    (text,) = InputCutter(tokenizer, 16).cut(["a b c"])
    assert read(tokenizer, text.pieces) == "[CLS] a b c [SEP]"
    assert text.types.tolist() == [0, 0, 0, 0, 0]
    assert text.may_hide.tolist() == [False, True, True, True, False]


def test_a_long_text_becomes_inputs_end_to_end(tokenizer: Any) -> None:
    assert cut(tokenizer, "a b c d e f g", max_pieces=5) == [
        "[CLS] a b c [SEP]",
        "[CLS] d e f [SEP]",
        "[CLS] g [SEP]",
    ]


def test_two_parts_are_one_input_of_two_types(tokenizer: Any) -> None:
    (text,) = InputCutter(tokenizer, 16).cut([("a b", "c d e")])
    assert read(tokenizer, text.pieces) == "[CLS] a b [SEP] c d e [SEP]"
    assert text.types.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert text.may_hide.tolist() == [False, True, True, False, True, True, True, False]


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("a b c d e f", "g h i j k l"), "[CLS] a b c [SEP] g h i j [SEP]"),  # both too long: the room of 7 is halved
        (("a", "g h i j k l m n"), "[CLS] a [SEP] g h i j k l [SEP]"),
        (("a b c d e f g h", "m n"), "[CLS] a b c d e [SEP] m n [SEP]"),
    ],
)
def test_a_part_fills_what_the_other_leaves(tokenizer: Any, parts: tuple[str, str], expected: str) -> None:
    assert cut(tokenizer, parts, max_pieces=10) == [expected]


def test_parts_without_pieces_are_left_out(tokenizer: Any) -> None:
    assert cut(tokenizer, "", ("", " "), ("", "b"), "c", max_pieces=8) == ["[CLS] b [SEP]", "[CLS] c [SEP]"]


def test_a_special_piece_spelt_in_a_text_is_text(tokenizer: Any) -> None:
    (text,) = InputCutter(tokenizer, 20).cut(["a [SEP] b"])
    assert [int(piece) for piece in text.pieces].count(SEP) == 1


def test_no_room_is_refused(tokenizer: Any) -> None:
    with pytest.raises(DataError, match="no room"):
        InputCutter(tokenizer, 4)


def test_of_the_chosen_pieces_80_percent_are_masked_10_random_and_10_stay(tokenizer: Any) -> None:
    inputs = InputCutter(tokenizer, 64).cut(["a " * 62] * 400)
    batch = Masker(tokenizer, 0.15).hide(inputs, np.random.default_rng(1))
    chosen = batch.pieces[batch.hidden]
    original = int(inputs[0].pieces[1])
    assert len(chosen) / (62 * 400) == pytest.approx(0.15, abs=0.01)
    assert float((chosen == MASK).float().mean()) == pytest.approx(0.8, abs=0.03)
    # A random piece is the original one time in as many as there are ordinary pieces.
    assert float((chosen == original).float().mean()) == pytest.approx(0.1, abs=0.03)
    random_pieces = chosen[(chosen != MASK) & (chosen != original)]
    assert len(set(random_pieces.tolist())) > 20
    assert int(random_pieces.min()) > MASK  # never a special piece


def test_answers_are_the_pieces_that_were_there_and_the_rest_is_untouched(tokenizer: Any) -> None:
    inputs = InputCutter(tokenizer, 16).cut(["a b c d e f", "g h", ("i j k", "l m")])
    batch = Masker(tokenizer, 0.5).hide(inputs, np.random.default_rng(2))
    restored = batch.pieces.clone()
    restored[batch.hidden] = batch.answers
    for row, text in enumerate(inputs):
        length = len(text.pieces)
        assert restored[row, :length].tolist() == text.pieces.tolist()
        assert batch.types[row, :length].tolist() == text.types.tolist()
        assert batch.real[row].tolist() == [True] * length + [False] * (batch.pieces.shape[1] - length)
        assert not batch.hidden[row, :length][~np.array(text.may_hide)].any()
        assert not batch.hidden[row, length:].any()
        assert not restored[row, length:].any()  # [PAD] is 0
    assert len(batch.answers) == int(batch.hidden.sum()) > 1


def test_one_piece_is_hidden_at_least(tokenizer: Any) -> None:
    inputs = InputCutter(tokenizer, 16).cut(["a b", "c d e"])
    for seed in range(20):
        batch = Masker(tokenizer, 1e-9).hide(inputs, np.random.default_rng(seed))
        assert len(batch.answers) == 1
        assert int(batch.answers[0]) > MASK


def test_the_same_dice_hide_the_same_pieces(tokenizer: Any) -> None:
    inputs = InputCutter(tokenizer, 16).cut(["a b c d e f", "g h i j"])
    masker = Masker(tokenizer, 0.3)
    one, same, other = (masker.hide(inputs, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one.pieces.equal(same.pieces)
    assert not one.hidden.equal(other.hidden)


def test_a_tokenizer_without_a_mask_is_refused(tokenizer: Any) -> None:
    import copy

    without = copy.deepcopy(tokenizer)
    without.mask_token = None
    with pytest.raises(DataError, match="masking"):
        Masker(without, 0.15)


def test_inputs_take_four_bytes_a_piece_and_know_their_lengths(tokenizer: Any) -> None:
    texts: list[Any] = ["a b c d e f g", ("a b", "c d e"), "a"] * 300
    inputs = InputCutter(tokenizer, 16).cut(texts)
    assert inputs.lengths.tolist() == [len(text.pieces) for text in inputs]
    assert len(inputs.__reduce_ex__(4)[2]["_pieces"]) == 300 * (7 + 5 + 1)
    assert [read(tokenizer, text.pieces) for text in inputs[1:3]] == ["[CLS] a b [SEP] c d e [SEP]", "[CLS] a [SEP]"]
