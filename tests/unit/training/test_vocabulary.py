"""Word pieces learned from text."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.training.vocabulary import SPECIAL_PIECES, count_words, learn_pieces, learn_vocabulary

WORDS = st.dictionaries(st.text("abcde", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=20)


def merges(counts: dict[str, int], size: int = 1000) -> list[str]:
    """The learned pieces of more than one character."""
    return [piece for piece in learn_pieces(counts, size)[5:] if len(piece.removeprefix("##")) > 1]


def test_words_are_lower_case_without_accents_and_apart_from_punctuation() -> None:
    assert count_words(["Die Größe, die größte!", "DIE"]) == Counter(
        {"die": 3, "große": 1, "großte": 1, ",": 1, "!": 1}
    )


def test_special_pieces_come_first_then_every_character_alone_and_inside_a_word() -> None:
    pieces = learn_pieces({"ba": 1}, 100)
    assert pieces == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b"]


def test_the_most_frequent_neighbours_are_merged_first() -> None:
    # l-o 7 times, o-w 7 times, w-e 2, e-r 2: "##ow" sorts before "lo", so o-w goes first; then l-ow; then e-r.
    assert merges({"low": 5, "lower": 2}) == ["##ow", "low", "##er", "lower"]


def test_a_pair_seen_once_is_no_piece() -> None:
    assert merges({"ab": 1, "cd": 2}) == ["cd"]


def test_two_ways_to_spell_a_piece_give_one_piece() -> None:
    pieces = learn_pieces({"xab": 6, "xabc": 5, "yabc": 5, "xbc": 9}, 1000)
    assert len(pieces) == len(set(pieces))


def test_a_script_of_very_many_characters_takes_half_of_the_vocabulary() -> None:
    counts = {chr(0x4E00 + number): 100 - number for number in range(90)} | {"ab": 50, "abab": 50}
    pieces = learn_pieces(counts, 40)
    assert len(pieces) <= 40
    assert chr(0x4E00) in pieces
    assert chr(0x4E00 + 80) not in pieces
    assert "ab" in pieces


@given(WORDS, st.integers(20, 60))
def test_pieces_are_distinct_parts_of_words_and_no_more_than_asked_for(counts: dict[str, int], size: int) -> None:
    pieces = learn_pieces(counts, size)
    assert len(pieces) == len(set(pieces)) <= size
    for piece in pieces[len(SPECIAL_PIECES) :]:
        bare = piece.removeprefix("##")
        assert any(
            bare in word if piece.startswith("##") else word.startswith(bare) or len(bare) == 1 for word in counts
        )


@given(WORDS, st.randoms())
def test_the_order_of_the_words_does_not_matter(counts: dict[str, int], dice) -> None:
    shuffled = list(counts.items())
    dice.shuffle(shuffled)
    assert learn_pieces(dict(shuffled), 200) == learn_pieces(counts, 200)


def test_any_word_in_known_characters_has_pieces(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    learn_vocabulary(["Straße und Wasser, überall Wasser."], 200, tmp_path / "vocabulary", positions=64)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "vocabulary")
    assert tokenizer.tokenize("WÄSSER") == ["wasser"]
    assert "[UNK]" not in tokenizer.tokenize("rettew, brussels")
    assert tokenizer.tokenize("?") == ["[UNK]"]
    assert tokenizer.model_max_length == 64
    # Offsets are in the raw text, accents or not.
    assert tokenizer("ÜBERALL", add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"][-1][1] == 7
    pair = tokenizer("wasser", "wasser")
    assert tokenizer.convert_ids_to_tokens(pair["input_ids"]) == ["[CLS]", "wasser", "[SEP]", "wasser", "[SEP]"]
    assert pair["token_type_ids"] == [0, 0, 0, 1, 1]


def test_two_processes_with_other_hashes_write_the_same_bytes(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from clir_cli.training.vocabulary import learn_vocabulary\n"
        "parts = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je']\n"  # every word as often as every other: ties all over
        "words = {a + b + c for a in parts for b in parts for c in parts}\n"  # a set: its order is the hashes'
        "learn_vocabulary((' '.join(words) for _ in range(3)), 150, Path(sys.argv[1]))\n"
    )
    written = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        subprocess.run(
            [sys.executable, "-c", program, str(folder)], check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert {"tokenizer.json", "tokenizer_config.json"} <= written[0].keys()


def test_texts_without_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no words"):
        learn_vocabulary(["", " \n"], 100, tmp_path / "vocabulary")
    assert not (tmp_path / "vocabulary").exists()
