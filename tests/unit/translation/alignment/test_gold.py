import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError, Faults
from clir_cli.translation.alignment.gold import (
    NAACL,
    PHARAOH,
    AlignmentScore,
    Gold,
    GoldSentence,
    read_gold,
    score_links,
    write_gold,
)
from clir_cli.translation.alignment.symmetrise import Links

OTHER_TEXT = "Is it the gold of this text?"
EXCHANGED = "Is it the gold of this text, and are source and target not exchanged?"


def make_links(pairs):
    start = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    flat = [link for pair in pairs for link in pair]
    return Links(start, np.array([i for i, _ in flat], np.int16), np.array([j for _, j in flat], np.int16))


def make_gold(sentences):
    return Gold({line: GoldSentence(sure, sure | possible) for line, (sure, possible) in sentences.items()})


GOLD = make_gold({0: ({(0, 0), (1, 2)}, {(1, 1)}), 2: (set(), {(0, 3)})})


@pytest.mark.parametrize(
    "content",
    [
        "1 1 1 S\n1 2 2 P\n1 2 3 S\n3 1 4 P\n",
        "3 1 4 P\n\n1 1 1\n1 2 2 P\n1 2 3\n1 2 3 P\n",  # no mark is sure; sure outdoes possible; order does not matter
        "0001 01 01 S\n1 2 2 P\r\n1 2 3 S\n3 1 4 P",
        "0-0 1?1 1-2\n\n0?3\n",
        "1-2 0-0 1?2 1?1\n\n0?3",
    ],
)
def test_both_formats_are_told_by_look(tmp_path, content):
    path = tmp_path / "gold"
    path.write_text(content)
    assert read_gold(path) == GOLD


def test_they_are_written_and_read_back(tmp_path):
    write_gold(tmp_path / "gold.wa", GOLD, "naacl")
    write_gold(tmp_path / "gold.pharaoh", GOLD, "pharaoh")
    assert (tmp_path / "gold.wa").read_text() == "1 1 1 S\n1 2 2 P\n1 2 3 S\n3 1 4 P\n"
    assert (tmp_path / "gold.pharaoh").read_text() == "0-0 1?1 1-2\n\n0?3\n"


link_sets = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5)
golds = st.dictionaries(st.integers(0, 6), st.tuples(link_sets, link_sets).filter(any), min_size=1).map(make_gold)


@given(golds, st.sampled_from(["naacl", "pharaoh"]))
@settings(max_examples=60, deadline=None)
def test_every_gold_reads_back(tmp_path_factory, gold, form):
    path = tmp_path_factory.mktemp("gold") / "gold"
    write_gold(path, gold, form)
    assert read_gold(path) == gold


@pytest.mark.parametrize(
    ("content", "line", "problem", "hint"),
    [
        ("1 1 1 S\n1 1 S P 4\n", 2, "5 columns, not 3 or 4.", NAACL),
        ("1 1\n", 1, "2 columns, not 3 or 4.", NAACL),
        ("1 1 1\n2 x 1 S\n", 2, "'x' is no position.", NAACL),
        ("1 -1 1 S\n", 1, "'-1' is no position.", NAACL),
        ("1 1 0 S\n", 1, "0 is no position.", NAACL),
        ("1 1 1 s\n", 1, "'s' is neither S nor P.", NAACL),
        ("0-0\n0-0 1:1\n", 2, "'1:1' is no link.", PHARAOH),
        ("0-0\n1 1 1 S\n", 2, "'1' is no link.", PHARAOH),
        ("3 1 1 S\n", 1, "sentence 3 is outside the text, which has 2.", OTHER_TEXT),
        ("2 1 1 S\n2 2 1 S\n", 2, "word 2 is outside the source sentence, which has 1 words.", EXCHANGED),
        ("0-0\n0-0 0?5\n", 2, "word 6 is outside the target sentence, which has 5 words.", EXCHANGED),
    ],
)
def test_faults_tell_file_and_line(tmp_path, content, line, problem, hint):
    path = tmp_path / "gold"
    path.write_text(content)
    with pytest.raises(DataError) as error:
        read_gold(path, [(2, 3), (1, 5)])
    assert str(error.value) == f"{path}:{line}: {problem} {hint}"


def test_a_line_at_fault_can_be_left_out(tmp_path):
    path = tmp_path / "gold"
    path.write_text("0-0 1-1\n0-0 1=1\n2-2\n")
    faults = Faults()
    assert read_gold(path, on_fault=faults) == make_gold({0: ({(0, 0), (1, 1)}, set()), 2: ({(2, 2)}, set())})
    assert faults.count == 1


def test_neither_format(tmp_path):
    path = tmp_path / "gold"
    path.write_text("\nwo 1 2\n")
    with pytest.raises(DataError) as error:
        read_gold(path)
    assert str(error.value) == (
        f"{path}:2: 'wo' begins neither a NAACL nor a Pharaoh alignment. "
        "NAACL lines are `sentence source target S`, Pharaoh lines `0-0 1?2`."
    )
    path.write_text("\n\n")
    with pytest.raises(DataError) as error:
        read_gold(path)
    assert str(error.value) == f"{path}: there are no links in this file. Is it the gold alignment?"


def test_scores_by_hand():
    # Sentence 0: 0-0 is sure, 1-1 possible, 0-2 wrong; sure 1-2 is missed. Sentence 2: 0-3 is possible.
    # |A| = 4, |S| = 2, |A & S| = 1, |A & P| = 3; sentence 1 has no gold.
    links = make_links([[(0, 0), (0, 2), (1, 1)], [(5, 5)], [(0, 3)]])
    score = score_links(links, GOLD)
    assert score == AlignmentScore(
        aer=pytest.approx(1 - (1 + 3) / (4 + 2)), precision=0.75, recall=0.5, f1=pytest.approx(0.6),
        links=4, sure=2, possible=4, sentences=2,
    )  # fmt: skip


def test_gold_of_a_later_part_of_the_text_and_of_pairs_that_were_dropped():
    # The text has 10 lines before the gold's first sentence, and that sentence was dropped.
    links = make_links([[(0, 0)], [(7, 7)], [(0, 3), (1, 3)]])
    score = score_links(links, GOLD, np.array([0, 11, 12]), first=10)
    assert (score.links, score.sure, score.possible) == (2, 2, 4)
    assert (score.precision, score.recall) == (0.5, 0)
    assert score.aer == pytest.approx(1 - 1 / 4)


def test_perfect_and_no_links():
    assert score_links(make_links([[(0, 0), (1, 2)]]), GOLD).aer == 0
    nothing = score_links(make_links([[], [], []]), GOLD)
    assert (nothing.aer, nothing.precision, nothing.recall, nothing.f1) == (1, 0, 0, 0)


REAL = os.environ.get("CLIR_REAL_DATA")


@pytest.mark.real
@pytest.mark.skipif(not REAL, reason="CLIR_REAL_DATA names no public collections")
@pytest.mark.parametrize(
    ("name", "sentences", "sure", "possible"),
    [
        ("de-en-europarl", 100, 1232, 0),
        ("fr-en-hansards", 447, 4038, 13400),
        ("fr-en-hansards-trial", 37, 338, 1446),
    ],
)
def test_real_gold_reads_the_same_in_both_formats(name, sentences, sure, possible):
    folder = Path(REAL) / "alignments" / name
    sides = ((folder / f"{side}.txt").read_text(encoding="utf-8").splitlines() for side in ("source", "target"))
    lengths = [(len(source.split()), len(target.split())) for source, target in zip(*sides, strict=True)]
    gold = read_gold(folder / "gold.wa", lengths)
    assert read_gold(folder / "gold.pharaoh", lengths) == gold
    assert len(gold.sentences) == sentences
    assert sum(len(links.sure) for links in gold.sentences.values()) == sure
    assert sum(len(links.possible) for links in gold.sentences.values()) == sure + possible
