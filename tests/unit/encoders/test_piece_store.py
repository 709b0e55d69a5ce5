"""Word pieces on disk are those of the texts."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clir_cli.encoders.piece_store import PieceStore, write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError

TEXTS = {"a": "The katze, the house!", "b": "", "c": "haus", "d": "...", "e": "der katze haus der"}


@pytest.fixture
def store(tmp_path: Path, word_pieces) -> PieceStore:
    return write_pieces(tmp_path / "pieces", TEXTS.items(), TextEncoder(word_pieces), max_pieces=6)


def test_gives_what_the_encoder_gave(store: PieceStore, word_pieces) -> None:
    encoder = TextEncoder(word_pieces)
    keys = list(store.vocabulary)
    assert len(store) == len(TEXTS)
    for id, text in TEXTS.items():
        expected, found = encoder.encode(text, 6), store.get(id)
        assert found.pieces.tolist() == expected.pieces.tolist()
        assert found.words.tolist() == expected.words.tolist()
        assert [keys[number] for number in found.keys] == expected.keys


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(texts=st.lists(st.text(alphabet="katzehus .,'é\n", max_size=30), min_size=1, max_size=8))
def test_any_texts(texts: list[str], tmp_path_factory: pytest.TempPathFactory, word_pieces, sentence_pieces) -> None:
    for tokenizer in (word_pieces, sentence_pieces):
        encoder = TextEncoder(tokenizer)
        folder = tmp_path_factory.mktemp("pieces")
        store = write_pieces(folder, ((str(n), text) for n, text in enumerate(texts)), encoder, max_pieces=10)
        for number, text in enumerate(texts):
            expected, found = encoder.encode(text, 10), store.get(str(number))
            assert found.words.tolist() == expected.words.tolist()
            assert found.keys.tolist() == [store.vocabulary[key] for key in expected.keys]


def test_many_texts_at_once_are_those_one_by_one(word_pieces, sentence_pieces) -> None:
    texts = [f"katze {number} house" * (number % 3) for number in range(600)]  # more than the tokenizer gets at once
    for tokenizer in (word_pieces, sentence_pieces):
        encoder = TextEncoder(tokenizer)
        for text, found in zip(texts, encoder.encode_all(texts, 7), strict=True):
            alone = encoder.encode(text, 7)
            assert (found.pieces.tolist(), found.words.tolist(), found.keys) == (
                alone.pieces.tolist(), alone.words.tolist(), alone.keys,
            )  # fmt: skip


def test_arrays_stay_on_disk(store: PieceStore, tmp_path: Path) -> None:
    pieces = store.get("a").pieces
    while isinstance(pieces.base, np.ndarray):
        pieces = pieces.base
        if isinstance(pieces, np.memmap):
            return
    pytest.fail("the pieces were read into memory")


def test_a_document_that_is_not_there(store: PieceStore) -> None:
    with pytest.raises(DataError, match="Document z is not in the collection"):
        store.get("z")
    assert "a" in store
    assert "z" not in store


def test_a_half_written_store_is_refused_and_made_again(tmp_path: Path, word_pieces) -> None:
    def broken():
        yield from list(TEXTS.items())[:2]
        raise KeyboardInterrupt

    encoder = TextEncoder(word_pieces)
    with pytest.raises(KeyboardInterrupt):
        write_pieces(tmp_path / "pieces", broken(), encoder, max_pieces=6)
    with pytest.raises(DataError, match="holds no whole word pieces"):
        PieceStore(tmp_path / "pieces")
    assert len(write_pieces(tmp_path / "pieces", TEXTS.items(), encoder, max_pieces=6)) == len(TEXTS)


def test_a_store_cut_short_is_refused(store: PieceStore, tmp_path: Path) -> None:
    path = tmp_path / "pieces" / "pieces.raw"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DataError, match="holds no whole word pieces"):
        PieceStore(tmp_path / "pieces")


def test_the_fingerprint_tells_tokenizers_apart_and_not_their_use(word_pieces, sentence_pieces) -> None:
    encoder = TextEncoder(word_pieces)
    before = encoder.fingerprint
    encoder.encode("katze haus", 1)  # leaves a truncation behind in the tokenizer
    assert encoder.fingerprint == before == TextEncoder(word_pieces).fingerprint
    assert len({before, TextEncoder(word_pieces, "folded").fingerprint, TextEncoder(sentence_pieces).fingerprint}) == 3


def test_what_it_was_made_by_is_written(store: PieceStore, tmp_path: Path, word_pieces) -> None:
    about = json.loads((tmp_path / "pieces" / "about.json").read_text())
    assert about == {"encoder": TextEncoder(word_pieces).fingerprint, "max_pieces": 6}
