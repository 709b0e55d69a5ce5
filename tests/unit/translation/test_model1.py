import math
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from clir_cli.errors import DataError
from clir_cli.translation.model1 import learn_model1

TOY = [
    (["das", "haus"], ["the", "house"]),
    (["das", "buch"], ["the", "book"]),
    (["ein", "buch"], ["a", "book"]),
    (["ein", "haus"], ["a", "home"]),
    (["das", "haus", "das", "heim"], ["the", "the", "home"]),
]
PLAIN = {"smoothing": 0.0, "min_probability": 0.0, "max_translations": 1000}


def dictionary_em(pairs, iterations, null_word):
    """Model 1 as the textbook writes it, sentence by sentence; also the log-likelihood before each iteration."""
    targets = {t for _, target in pairs for t in target}
    p = defaultdict(lambda: 1 / len(targets))
    likelihoods = []
    for _ in range(iterations):
        count, total, likelihood = defaultdict(float), defaultdict(float), 0.0
        for source, target in pairs:
            source = [*source, None] if null_word else source
            for t in target:
                norm = sum(p[s, t] for s in source)
                likelihood += math.log(norm / len(source))
                for s in source:
                    count[s, t] += p[s, t] / norm
                    total[s] += p[s, t] / norm
        p = defaultdict(float, {(s, t): c / total[s] for (s, t), c in count.items()})
        likelihoods.append(likelihood)
    return p, likelihoods


@pytest.mark.parametrize("null_word", [True, False])
def test_it_is_model_1(null_word):
    table, report = learn_model1(TOY, iterations=4, null_word=null_word, **PLAIN)
    expected, likelihoods = dictionary_em(TOY, 4, null_word)
    found = {(s, t): p for s in table.source_words for t, p in table.row(s).items()}
    assert found == pytest.approx({(s, t): p for (s, t), p in expected.items() if s is not None}, abs=1e-6)
    assert report.log_likelihoods == pytest.approx(likelihoods, rel=1e-6)


def test_the_likelihood_never_falls():
    likelihoods = learn_model1(TOY, iterations=15, smoothing=0.0)[1].log_likelihoods
    assert all(after >= before for before, after in pairwise(likelihoods))


def test_one_iteration_by_hand():
    # Uniform start: every target word is shared out equally over its source words. "haus" stands once beside "house"
    # and once beside "home" (half of each), and twice beside "the"/"a" (half of each).
    table, _ = learn_model1(TOY[:1] + TOY[3:4], iterations=1, null_word=False, **PLAIN)
    assert table.row("haus") == pytest.approx({"the": 0.25, "house": 0.25, "a": 0.25, "home": 0.25})
    assert table.row("das") == pytest.approx({"the": 0.5, "house": 0.5})


def test_smoothing_keeps_a_rare_word_from_collecting_garbage():
    # "haus" has two translations, so in its only sentence the rare word "selten" explains "house" as well as "haus"
    # does, and plain EM lets it: it has nothing else to explain. The other words make the vocabulary large.
    pairs = [(["haus"], ["house"]), (["haus"], ["home"])] * 20 + [(["haus", "selten"], ["house", "rare"])]
    pairs += [([f"s{i}"], [f"t{i}"]) for i in range(100)]
    plain = learn_model1(pairs, iterations=5, **PLAIN)[0].row("selten")
    smoothed = learn_model1(pairs, iterations=5, **(PLAIN | {"smoothing": 0.1}))[0].row("selten")
    assert smoothed["house"] < 0.7 * plain["house"]
    # The last iteration is plain: a rare word's probabilities are not diluted.
    assert sum(smoothed.values()) == pytest.approx(1, abs=1e-5)


def test_null_has_no_row_and_takes_words_that_stand_everywhere():
    pairs = [([f"s{i}"], [f"t{i}", "the"]) for i in range(20)]
    with_null = learn_model1(pairs, iterations=10, **PLAIN)[0]
    without = learn_model1(pairs, iterations=10, null_word=False, **PLAIN)[0]
    assert with_null.source_words == without.source_words == sorted(f"s{i}" for i in range(20))
    assert with_null.row("s3")["the"] < 0.1 < without.row("s3")["the"]


def test_pruning_keeps_probabilities_as_they_are():
    whole = learn_model1(TOY, **PLAIN)[0]
    cut = learn_model1(TOY, smoothing=0.0, min_probability=0.1, max_translations=2)[0]
    for word in cut.source_words:
        assert cut.top(word, 9) == [entry for entry in whole.top(word, 2) if entry[1] >= 0.1]
    assert sum(cut.row("haus").values()) < 1


def test_words_that_lose_every_entry_leave_the_table():
    pairs = [(["viel"], [f"t{i}" for i in range(50)]), (["eins"], ["t1"])]
    table, report = learn_model1(pairs, null_word=False, min_probability=0.5)
    assert table.source_words == ["eins"]
    assert table.target_words == ["t1"]
    assert (report.source_words, report.target_words, report.entries) == (1, 1, 1)


def test_unusable_pairs_are_counted():
    pairs = [*TOY, ([], ["x"]), (["x"], []), (["y"] * 6, ["x"]), (["y"], ["x"] * 6), (["y"] * 5, ["x"])]
    report = learn_model1(pairs, max_length=5)[1]
    assert (report.pairs, report.skipped_empty, report.skipped_long) == (6, 2, 2)
    assert (report.source_tokens, report.target_tokens) == (17, 12)


def test_no_usable_pair_is_an_error():
    with pytest.raises(DataError, match=r"no usable sentence pair \(1 with an empty side, 0 over 100 words\)"):
        learn_model1([([], ["x"])])


def same(one, other):
    return one.source_words == other.source_words and all(
        np.array_equal(getattr(one.probabilities, name), getattr(other.probabilities, name))
        for name in ("data", "indices", "indptr")
    )


def test_a_run_that_was_stopped_goes_on_and_ends_with_the_same_bits(tmp_path):
    expected, expected_report = learn_model1(TOY, iterations=6)
    seen = []

    def stop_at_the_fourth(done, total, text):
        seen.append(done)
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_model1(TOY, iterations=6, state=tmp_path, progress=stop_at_the_fourth)
    del seen[:-1]
    table, report = learn_model1(TOY, iterations=6, state=tmp_path, progress=lambda done, *_: seen.append(done))
    assert seen == [3, 3, 4, 5, 6]  # where it was stopped, then what was still to do
    assert same(table, expected)
    assert report == expected_report


def test_state_of_another_text_or_damaged_state_is_not_used(tmp_path):
    learn_model1(TOY, iterations=3, state=tmp_path)
    assert same(learn_model1(TOY[:4], iterations=3, state=tmp_path)[0], learn_model1(TOY[:4], iterations=3)[0])
    (tmp_path / "em.npz").write_bytes(b"PK\x03\x04 half a file")
    assert same(learn_model1(TOY, iterations=3, state=tmp_path)[0], learn_model1(TOY, iterations=3)[0])
    # The last iteration differs from the others, so another number of iterations is another run.
    assert same(learn_model1(TOY, iterations=4, state=tmp_path)[0], learn_model1(TOY, iterations=4)[0])
