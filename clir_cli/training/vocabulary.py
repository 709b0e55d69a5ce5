"""A WordPiece vocabulary learned from text, the same to the byte on every run.

The trainer of the ``tokenizers`` library breaks ties by hash order: two runs on one text give other ids and even
other pieces. Ids are rows of the embedding matrix, so nothing after it could be reproduced. This is the same
method (byte pair encoding of words, Sennrich et al. 2016, written with WordPiece's ``##``) with every tie decided
by the strings themselves. Words are cut and folded by the library's own BERT rules.
"""

import heapq
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress

SPECIAL_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LONGEST_WORD = 100
"""Characters; a longer word is ``[UNK]`` to WordPiece, so nothing is learned from it."""


def count_words(texts: Iterable[str], progress: ProgressCallback = no_progress) -> Counter[str]:
    """Words of ``texts`` as BERT's uncased tokenizer sees them (lower case, no accents, punctuation apart) -> count."""
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    normaliser = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=True, lowercase=True)
    cutter = BertPreTokenizer()
    counts: Counter[str] = Counter()
    for done, text in enumerate(texts, start=1):
        counts.update(word for word, _ in cutter.pre_tokenize_str(normaliser.normalize_str(text)))
        if done % 1000 == 0:
            progress(done, None, "counting words")
    return counts


def learn_pieces(counts: Mapping[str, int], size: int) -> list[str]:
    """At most ``size`` word pieces, in the order of their ids: special pieces, characters, then merges.

    Every kept character stands alone and as ``##c``, so that any word spelt in known characters has pieces. Of a
    script with very many characters only the most frequent are kept, in half of the vocabulary. The most frequent
    pair of neighbours is then merged again and again; ties go to the pair that sorts first. A pair seen once is
    not worth a piece, so the list may stay shorter than ``size``.
    """
    characters = Counter[str]()
    for word, count in counts.items():
        for character in word:
            characters[character] += count
    kept = sorted(characters, key=lambda character: (-characters[character], character))[: max(1, size // 4)]
    alphabet = sorted(kept)
    pieces = [*SPECIAL_PIECES, *alphabet, *(f"##{character}" for character in alphabet)]
    known = set(pieces)
    usable = {word: count for word, count in sorted(counts.items()) if len(word) <= LONGEST_WORD and set(word) <= known}
    for piece in _merges(usable):
        if len(pieces) >= size:
            break
        if piece not in known:  # two merges can spell one piece: a+bc and ab+c
            pieces.append(piece)
            known.add(piece)
    return pieces


def _merges(counts: Mapping[str, int]) -> Iterable[str]:
    """The merged pieces of byte pair encoding, most frequent first."""
    words = [[word[0], *(f"##{character}" for character in word[1:])] for word in counts]
    weights = list(counts.values())
    totals: Counter[tuple[str, str]] = Counter()
    places: dict[tuple[str, str], set[int]] = {}
    for number, word in enumerate(words):
        for pair in pairwise(word):
            totals[pair] += weights[number]
            places.setdefault(pair, set()).add(number)
    queue = [(-total, pair) for pair, total in totals.items()]
    heapq.heapify(queue)
    while queue:
        negative, pair = heapq.heappop(queue)
        if -negative != totals[pair]:  # an old entry: the count has changed since
            if totals[pair] > 0:
                heapq.heappush(queue, (-totals[pair], pair))
            continue
        if -negative < 2:
            return
        merged = pair[0] + pair[1].removeprefix("##")
        grown = set()
        for number in places.pop(pair):
            old, new = words[number], _join(words[number], pair, merged)
            for neighbours in pairwise(old):
                totals[neighbours] -= weights[number]
            for neighbours in pairwise(new):
                totals[neighbours] += weights[number]
                places.setdefault(neighbours, set()).add(number)
                grown.add(neighbours)
            words[number] = new
        for neighbours in grown:
            heapq.heappush(queue, (-totals[neighbours], neighbours))
        yield merged


def _join(word: list[str], pair: tuple[str, str], merged: str) -> list[str]:
    """``word`` with every occurrence of ``pair``, from the left, replaced by ``merged``."""
    joined, position = [], 0
    while position < len(word):
        if tuple(word[position : position + 2]) == pair:
            joined.append(merged)
            position += 2
        else:
            joined.append(word[position])
            position += 1
    return joined


def write_tokenizer(pieces: list[str], folder: Path, positions: int) -> None:
    """An uncased BERT tokenizer with these pieces, as ``AutoTokenizer.from_pretrained(folder)`` loads it.

    ``positions``: longest input of the encoder, in pieces. ``folder`` appears whole or not at all.
    """
    from transformers import BertTokenizer

    tokenizer = BertTokenizer(
        vocab={piece: number for number, piece in enumerate(pieces)},
        do_lower_case=True,
        strip_accents=True,
        model_max_length=positions,
    )
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    tokenizer.save_pretrained(partial)
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def learn_vocabulary(
    texts: Iterable[str], size: int, folder: Path, *, positions: int = 512, progress: ProgressCallback = no_progress
) -> int:
    """Learn ``size`` word pieces from ``texts`` and write the tokenizer to ``folder``; how many there are.

    Raises ``DataError`` where the texts hold no words.
    """
    counts = count_words(texts, progress)
    if not counts:
        raise DataError("The pre-training texts hold no words.", "Check what `pretrain` reads.")
    pieces = learn_pieces(counts, size)
    write_tokenizer(pieces, folder, positions)
    return len(pieces)
