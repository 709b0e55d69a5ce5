"""Words, pieces and passages."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.normalise import words
from clir_cli.encoders.layout import Layout, read_layout
from clir_cli.encoders.piece_store import number_keys
from clir_cli.encoders.pieces import Text, TextEncoder
from clir_cli.errors import DataError
from clir_cli.rerankers.inputs import index_links
from tests.cutting import passages

LAYOUT = Layout(before=(101,), between=(102,), after=(103,), types=(0, 0, 0, 1, 1), pad=0)


def text_of(*lengths: int, first_piece: int = 200, prefix: str = "w") -> Text:
    """A text whose words have the given numbers of pieces; piece ids count up."""
    count = sum(lengths)
    numbers = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    return Text(
        np.arange(first_piece, first_piece + count, dtype=np.int32),
        numbers.astype(np.int32),
        [f"{prefix}{number}" for number in range(len(lengths))],
    )


def spelled(encoder: TextEncoder, tokenizer, text: str) -> list[tuple[str, str]]:
    """(piece, key of its word) for each piece."""
    encoded = encoder.encode(text)
    pieces = tokenizer.convert_ids_to_tokens(encoded.pieces.tolist())
    return [(piece, encoded.keys[word]) for piece, word in zip(pieces, encoded.words, strict=True)]


def test_wordpiece_pieces_belong_to_the_word_that_holds_their_first_letter(word_pieces):
    found = spelled(TextEncoder(word_pieces), word_pieces, "Die Kätze, cat.")
    assert [piece for piece, _ in found] == ["d", "##i", "##e", "kat", "##ze", ",", "cat", "."]
    assert [key for _, key in found] == ["die", "die", "die", "katze", "katze", ",", "cat", "."]


def test_sentencepiece_spaces_and_punctuation(sentence_pieces):
    found = spelled(TextEncoder(sentence_pieces), sentence_pieces, "die  l'eau haus.\"")
    assert found == [
        ("▁die", "die"),
        ("▁l'", "l"),  # the apostrophe has no piece of its own
        ("eau", "eau"),
        ("▁haus", "haus"),
        ('."', '."'),
    ]


def test_a_piece_of_white_space_belongs_to_the_next_word(sentence_pieces):
    assert spelled(TextEncoder(sentence_pieces), sentence_pieces, "  é") == [("▁", "e"), ("é", "e")]


def test_folded_text_is_what_the_encoder_reads(sentence_pieces):
    found = spelled(TextEncoder(sentence_pieces, "folded"), sentence_pieces, "Öde Straße")
    assert "".join(piece for piece, _ in found) == "▁ode▁strasse"
    assert {key for _, key in found} == {"ode", "strasse"}


def test_unknown_letters_keep_their_word(word_pieces):
    assert spelled(TextEncoder(word_pieces), word_pieces, "кот cat") == [("[UNK]", "кот"), ("cat", "cat")]


def test_special_pieces_in_a_text_are_text(word_pieces, sentence_pieces):
    for tokenizer, text in ((word_pieces, "a [SEP] [PAD] b"), (sentence_pieces, "a</s><pad> b")):
        pieces = TextEncoder(tokenizer).encode(text).pieces
        assert not set(pieces.tolist()) & (set(tokenizer.all_special_ids) - {tokenizer.unk_token_id})


def test_words_without_pieces_leave_no_number(word_pieces):
    encoded = TextEncoder(word_pieces).encode("cat katze haus", max_pieces=2)
    assert encoded.keys == ["cat", "katze"]
    assert encoded.words.tolist() == [0, 1]


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_nothing_to_read(word_pieces, sentence_pieces, text):
    for tokenizer in (word_pieces, sentence_pieces):
        encoded = TextEncoder(tokenizer).encode(text)
        assert (len(encoded.pieces), len(encoded.words), encoded.keys) == (0, 0, [])


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abzß éÉ'.,-1\n\u0301кот̈\u00a0", max_size=40))
def test_every_piece_has_a_word_and_every_word_a_piece(word_pieces, sentence_pieces, text):
    for tokenizer in (word_pieces, sentence_pieces):
        encoded = TextEncoder(tokenizer).encode(text)
        assert len(encoded.words) == len(encoded.pieces)
        assert sorted(set(encoded.words.tolist())) == list(range(len(encoded.keys)))
        assert (np.diff(encoded.words) >= 0).all()
        assert set(encoded.keys) <= {word.key for word in words(text)}


def test_layouts_of_both_families(word_pieces, sentence_pieces):
    bert = read_layout(word_pieces)
    cls, sep, pad = (word_pieces.convert_tokens_to_ids(piece) for piece in ("[CLS]", "[SEP]", "[PAD]"))
    assert bert == Layout((cls,), (sep,), (sep,), (0, 0, 0, 1, 1), pad)
    assert read_layout(sentence_pieces) == Layout((0,), (2, 2), (2,), (0, 0, 0, 0, 0), 1)


def test_a_tokenizer_without_special_pieces_is_refused():
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    bare = Tokenizer(models.WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    with pytest.raises(DataError, match="no special pieces"):
        read_layout(PreTrainedTokenizerFast(tokenizer_object=bare, unk_token="[UNK]", pad_token="a"))
    with pytest.raises(DataError, match="no special pieces around a text"):
        read_layout(PreTrainedTokenizerFast(tokenizer_object=bare, unk_token="[UNK]", pad_token="a"), apart=True)
    with pytest.raises(DataError, match="no piece for padding"):
        read_layout(PreTrainedTokenizerFast(tokenizer_object=bare, unk_token="[UNK]"))


def test_layouts_of_texts_apart(word_pieces, sentence_pieces):
    cls, sep, pad = (word_pieces.convert_tokens_to_ids(piece) for piece in ("[CLS]", "[SEP]", "[PAD]"))
    bert = read_layout(word_pieces, apart=True)
    assert bert == Layout((cls,), (sep, cls), (sep,), (0, 0, 0, 0, 0), pad, cut=1)
    assert (bert.specials, bert.query_specials, bert.document_specials) == (4, 2, 2)
    assert read_layout(sentence_pieces, apart=True) == Layout((0,), (2, 0), (2,), (0, 0, 0, 0, 0), 1, cut=1)


def test_one_passage_by_hand():
    (passage,) = passages(text_of(1, 2), text_of(2, 1, first_piece=300, prefix="d"), {"w1": {"d0": 0.5}}, LAYOUT)
    assert passage.pieces.tolist() == [101, 200, 201, 202, 102, 300, 301, 302, 103]
    assert passage.types.tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert passage.words.tolist() == [4, 0, 1, 1, 5, 2, 2, 3, 6]
    assert (passage.query_words, passage.document_words) == (2, 2)
    assert [part.tolist() for part in passage.links] == [[1], [0], [0.5]]


def test_every_occurrence_is_linked():
    query = text_of(1, 1, 1)._replace(keys=["cat", "the", "cat"])
    document = text_of(1, 1, 1, 1)._replace(keys=["katze", "kater", "und", "katze"])
    (passage,) = passages(query, document, {"cat": {"katze": 0.5, "kater": 0.25, "mieze": 0.1}}, LAYOUT)
    entries = list(zip(*(part.tolist() for part in passage.links), strict=True))
    assert entries == [(0, 0, 0.5), (0, 1, 0.25), (0, 3, 0.5), (2, 0, 0.5), (2, 1, 0.25), (2, 3, 0.5)]


@pytest.mark.parametrize("arm", ["identity", "blocks", None])
def test_only_the_translation_arm_carries_links(arm):
    (passage,) = passages(text_of(1), text_of(1, prefix="d"), {"w0": {"d0": 0.5}}, LAYOUT, arm=arm)
    assert len(passage.links[0]) == 0
    assert passage.arm == arm


def test_an_empty_document_is_one_passage():
    (passage,) = passages(text_of(1), text_of(), {"w0": {"d0": 0.5}}, LAYOUT)
    assert passage.pieces.tolist() == [101, 200, 102, 103]
    assert passage.document_words == 0


def test_an_empty_query_is_allowed():
    (passage,) = passages(text_of(), text_of(1), {"w0": {"w0": 0.5}}, LAYOUT)
    assert passage.pieces.tolist() == [101, 102, 200, 103]
    assert len(passage.links[0]) == 0


def test_a_query_that_leaves_no_room_is_cut_to_half_of_it():
    links = {"w2": {"w1": 0.5}, "w3": {"w1": 0.5}}
    found = passages(text_of(*[3] * 20), text_of(*[1] * 12), links, LAYOUT, max_pieces=19)
    # 16 pieces are free: 8 for the query (a word of three pieces is cut), 8 for the document
    assert [len(passage.pieces) for passage in found] == [3 + 8 + 6, 3 + 8 + 6]
    assert found[0].query_words == 3
    assert found[0].links[0].tolist() == [2]


def test_no_room_at_all_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="leaves no room"):
        passages(text_of(1), text_of(1), {}, LAYOUT, max_pieces=4)


@settings(max_examples=80, deadline=None)
@given(
    query=st.integers(0, 40),
    lengths=st.lists(st.integers(1, 4), max_size=60),
    max_pieces=st.integers(8, 60),
    limit=st.integers(1, 120),
)
def test_passages_cover_the_document_once_and_evenly(query, lengths, max_pieces, limit):
    document = text_of(*lengths, first_piece=1000)
    found = passages(text_of(*[1] * query), document, {}, LAYOUT, max_pieces=max_pieces, document_pieces=limit)
    parts = [passage.pieces[passage.pieces >= 1000] for passage in found]
    assert np.concatenate(parts).tolist() == document.pieces[:limit].tolist()
    assert max(len(passage.pieces) for passage in found) <= max_pieces
    sizes = [len(part) for part in parts]
    assert all(size == sizes[0] for size in sizes[:-1])
    assert sizes[-1] <= sizes[0]
    room = max_pieces - 3 - min(query, (max_pieces - 3) // 2)
    assert len(found) <= max(1, -(-min(sum(lengths), limit) // room))


words_of = st.lists(st.sampled_from("abcdef"), max_size=8)
links_of = st.dictionaries(
    st.sampled_from("abcdef"),
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.125, 1, width=32), max_size=5),
    max_size=5,
)


@given(query=words_of, document=words_of, links=links_of, kept=st.integers(0, 8))
def test_links_found_by_arrays_are_those_of_the_definition(query, document, links, kept):
    def text(keys):
        numbers = np.arange(len(keys), dtype=np.int32)
        return Text(numbers, numbers, keys)

    numbers = {key: number for number, key in enumerate(dict.fromkeys(document))}
    pieces = number_keys(text(document), numbers)
    words, places, p = index_links(text(query), links, numbers).find(pieces.keys, kept)
    expected = [
        (word, place, links[one][other])
        for word, one in enumerate(query[:kept])
        for place, other in enumerate(document)
        if other in links.get(one, {})
    ]
    assert list(zip(words.tolist(), places.tolist(), p.tolist(), strict=True)) == expected


def test_apart_a_document_is_cut_without_regard_to_the_query(word_pieces):
    layout = read_layout(word_pieces, apart=True)
    encoder = TextEncoder(word_pieces)
    document = encoder.encode("the house " * 30)  # 60 pieces, 18 fit beside [CLS] and [SEP]
    for asked in ("haus", "der katze haus der katze haus"):
        query = encoder.encode(asked)
        found = passages(query, document, {}, layout, max_pieces=20)
        assert [len(passage.pieces) - passage.query_length for passage in found] == [17] * 4
        for passage in found:
            assert passage.query_length == len(query.pieces) + 2
            assert passage.pieces[0] == passage.pieces[passage.query_length] == word_pieces.cls_token_id
            assert passage.pieces[passage.query_length - 1] == passage.pieces[-1] == word_pieces.sep_token_id
            assert sorted(set(passage.words.tolist())) == list(range(passage.words.max() + 1))


def test_together_the_query_length_is_the_whole_input(word_pieces):
    encoder = TextEncoder(word_pieces)
    (passage,) = passages(encoder.encode("haus"), encoder.encode("the house"), {}, read_layout(word_pieces))
    assert passage.query_length == len(passage.pieces) == 6
