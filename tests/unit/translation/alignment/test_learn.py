"""The aligner as a whole."""

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from clir_cli.translation.alignment import cells as cells_module
from clir_cli.translation.alignment.aligned import Alignment
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare
from clir_cli.translation.alignment.symmetrise import METHODS, symmetrise
from clir_cli.translation.table import TranslationTable
from tests.unit.translation.alignment.hmm_reference import FLOOR
from tests.unit.translation.alignment.planted import planted

TOY = [
    (["das", "haus"], ["the", "house"]),
    (["das", "buch"], ["the", "book"]),
    (["ein", "buch"], ["a", "book"]),
    (["ein", "haus"], ["a", "home"]),
    (["das", "haus", "das", "heim"], ["the", "the", "home"]),
]
ALONE = {"agreement": False, "family_weight": 0.0}
WHOLE = {"min_probability": 0.0, "max_translations": 10**6}
PLANTED, DICTIONARY = planted()


@pytest.fixture(scope="module")
def planted_text() -> PreparedText:
    return prepare(PLANTED)


@pytest.fixture(scope="module")
def small_text() -> PreparedText:
    return prepare(PLANTED[:150])


def same_table(one: TranslationTable, other: TranslationTable) -> bool:
    return (one.source_words, one.target_words) == (other.source_words, other.target_words) and all(
        np.array_equal(getattr(one.probabilities, name), getattr(other.probabilities, name))
        for name in ("data", "indices", "indptr")
    )


def same(one: Alignment, other: Alignment) -> bool:
    links = [(found.forward, found.backward, *_arrays(found)) for found in (one, other)]
    return (
        same_table(one.table(**WHOLE), other.table(**WHOLE))
        and same_table(one.table(inverse=True, **WHOLE), other.table(inverse=True, **WHOLE))
        and all(np.array_equal(a, b) for a, b in zip(*links, strict=True))
        and one.report == other.report
    )


def _arrays(found: Alignment) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return found.agreed.start, found.agreed.source, found.agreed.target


def dictionary_em(pairs, iterations, null):
    """IBM Model 1 by dictionaries: P(t | s) after ``iterations`` and one more, and the log-likelihoods of all but the
    first. Nothing has a fixed probability, and a distribution over words that begins as their frequency. The first
    counts are those of the aligner: 1 / (I J) for every link."""
    p, n = defaultdict(float), Counter(t for _, target in pairs for t in target)
    for source, target in pairs:
        for s in source:
            for t in target:
                p[s, t] += 1 / (len(source) * len(target))
    likelihoods = []
    for _ in range(iterations):
        rows = Counter()
        for (s, _), count in p.items():
            rows[s] += count
        p, n_total = {(s, t): count / rows[s] for (s, t), count in p.items()}, sum(n.values())
        counts, n_counts, likelihood = defaultdict(float), Counter(), 0.0
        for source, target in pairs:
            for t in target:
                from_nothing = null * n[t] / n_total
                links = [(s, (1 - null) / len(source) * (p[s, t] + FLOOR)) for s in source]
                total = from_nothing + sum(q for _, q in links)
                likelihood += np.log(total)
                n_counts[t] += from_nothing / total
                for s, q in links:
                    counts[s, t] += q / total
        p, n = counts, n_counts
        likelihoods.append(likelihood)
    rows = Counter()
    for (s, _), count in p.items():
        rows[s] += count
    return {(s, t): count / rows[s] for (s, t), count in p.items()}, likelihoods


def entries(table: TranslationTable) -> dict[tuple[str, str], float]:
    return {(s, t): p for s in table.source_words for t, p in table.row(s).items()}


@pytest.mark.parametrize("pairs", [TOY, PLANTED[:60]])
@pytest.mark.parametrize("null", [0.1, 0.4])
def test_model_1_by_itself_is_the_textbook_s(pairs, null):
    found = learn(prepare(pairs), AlignerSettings(model1=5, hmm=0, null=null, **ALONE))
    forward, first = dictionary_em(pairs, 5, null)
    backward, second = dictionary_em([(t, s) for s, t in pairs], 5, null)
    table, inverse = entries(found.table(**WHOLE)), entries(found.table(inverse=True, **WHOLE))
    for learned, expected in ((table, forward), (inverse, backward)):
        assert {pair: learned.get(pair, 0.0) for pair in expected} == pytest.approx(expected, abs=2e-5)
        assert set(learned) <= set(expected)
    likelihoods = found.report.log_likelihoods
    assert likelihoods[1:] == pytest.approx([a + b for a, b in zip(first, second, strict=True)], rel=1e-5)
    words = [len({word for pair in pairs for word in pair[side]}) for side in (0, 1)]
    tokens = [sum(len(pair[side]) for pair in pairs) for side in (0, 1)]
    assert likelihoods[0] == pytest.approx(-np.dot(tokens, np.log(words)))


@pytest.mark.parametrize("pairs", [TOY, PLANTED[:150]])
def test_the_likelihood_of_a_direction_by_itself_never_falls(pairs):
    settings = AlignerSettings(model1=12, hmm=0, **ALONE)
    likelihoods = learn(prepare(pairs), settings).report.log_likelihoods
    assert all(after >= before - 1e-6 * abs(before) for before, after in pairwise(likelihoods))


def test_the_better_model_explains_the_text_better(small_text):
    # Jumps are learned from every fourth pair, so a step may fall a little; steps by families or agreement are no EM.
    likelihoods = learn(small_text, AlignerSettings(model1=4, hmm=6, **ALONE)).report.log_likelihoods
    assert all(after >= before - 1e-3 * abs(before) for before, after in pairwise(likelihoods))
    assert likelihoods[-1] > likelihoods[4] + 0.01 * abs(likelihoods[4])
    distant = learn(small_text, AlignerSettings(model1=4, model2=6, hmm=0, **ALONE)).report.log_likelihoods
    assert distant[-1] > likelihoods[4]


@pytest.mark.parametrize(
    "settings",
    [
        AlignerSettings(),
        AlignerSettings(model1=4, model2=3, hmm=0),
        AlignerSettings(family_weight=0.0),
        AlignerSettings(family_weight=0.0, bayes=0.01),
        AlignerSettings(agreement=False),
    ],
)
def test_a_planted_dictionary_is_found(planted_text, settings):
    found = learn(planted_text, settings)
    frequency = Counter(word for source, _ in PLANTED for word in source)
    frequent = [word for word in DICTIONARY if frequency[word] >= 10]
    assert len(frequent) > 100
    table, inverse = found.table(), found.table(inverse=True)
    right = [table.top(word, 1)[0][0] == DICTIONARY[word] for word in frequent]
    assert sum(right) > 0.95 * len(right)
    back = [inverse.top(DICTIONARY[word], 1)[0][0] == word for word in frequent]
    assert sum(back) > 0.95 * len(back)
    good = total = 0
    for k, (source, target) in enumerate(PLANTED):
        for i, j in found.links().of(k):
            good += DICTIONARY.get(source[i]) == target[j]
            total += 1
    assert good > 0.93 * total
    assert total > 0.75 * sum(word in DICTIONARY for source, _ in PLANTED for word in source)


@pytest.mark.parametrize("settings", [AlignerSettings(), AlignerSettings(model2=2, **ALONE)])
def test_text_the_other_way_round_gives_the_other_tables(small_text, settings):
    found, swapped = learn(small_text, settings), learn(small_text.swapped(), settings)
    for inverse in (False, True):
        one, other = entries(found.table(inverse=inverse)), entries(swapped.table(inverse=not inverse))
        close = [
            pair for pair in one.keys() & other.keys() if one[pair] == pytest.approx(other[pair], rel=1e-3, abs=1e-5)
        ]
        assert len(close) > 0.99 * max(len(one), len(other))
    if settings.agreement:
        assert sum(a == b for a, b in zip(found.forward, swapped.backward, strict=True)) > 0.99 * len(found.forward)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"agreement": False},
        {"model2": 2, "family_weight": 0.0, "bayes": 0.1},
        {"model1": 1, "model2": 2, "hmm": 0, "agreement": False},
    ],
)
def test_the_same_bits_for_any_number_of_threads(small_text, settings, monkeypatch):
    monkeypatch.setattr(cells_module, "_BLOCK", 500)  # small, or one thread would have all of the work
    one, *others = (learn(small_text, AlignerSettings(threads=threads, **settings)) for threads in (1, 2, 3))
    assert all(same(one, other) for other in others)


@pytest.mark.parametrize("settings", [AlignerSettings(), AlignerSettings(model2=2, **ALONE)])
def test_the_same_bits_stretch_by_stretch(settings, monkeypatch):
    # All pairs have 12 links, so that blocks are the same where stretches are of whole blocks: sums are made by block.
    pairs = [(source[:3], target[:4]) for source, target in PLANTED if len(source) >= 3 and len(target) >= 4][:203]
    text = prepare(pairs)
    monkeypatch.setattr(cells_module, "_BLOCK", 60)
    whole = learn(text, settings)
    monkeypatch.setattr(cells_module, "_FREQUENT", 10**9)
    for most in (60, 240, 1000 // 60 * 60):
        monkeypatch.setattr(cells_module, "MOST_NUMBERS", most)
        assert same(learn(text, settings), whole)


def test_rare_meetings_of_frequent_words_change_little(planted_text, monkeypatch):
    monkeypatch.setattr(cells_module, "MOST_NUMBERS", 20_000)
    found = learn(planted_text)
    assert found.report.cells < learn_cells(planted_text, monkeypatch)
    table = found.table()
    frequency = Counter(word for source, _ in PLANTED for word in source)
    frequent = [word for word in DICTIONARY if frequency[word] >= 10]
    assert sum(table.top(word, 1)[0][0] == DICTIONARY[word] for word in frequent) > 0.95 * len(frequent)


def learn_cells(text: PreparedText, monkeypatch) -> int:
    monkeypatch.setattr(cells_module, "MOST_NUMBERS", 1 << 27)
    return learn(text, AlignerSettings(model1=1, hmm=0)).report.cells


@pytest.mark.parametrize("agreement", [True, False])
def test_texts_of_one_pair_and_of_one_word_sentences(agreement):
    settings = AlignerSettings(model2=1, agreement=agreement)
    one = learn(prepare([(["a"], ["b"])]), settings)
    assert one.table().row("a") == {"b": 1.0}
    assert one.table(inverse=True).row("b") == {"a": 1.0}
    assert one.links().of(0) == [(0, 0)]
    words = learn(prepare([([f"s{k}"], [f"t{k}"]) for k in range(5)] * 3), settings)
    assert entries(words.table()) == pytest.approx({(f"s{k}", f"t{k}"): 1.0 for k in range(5)})
    assert [words.links().of(k) for k in range(15)] == [[(0, 0)]] * 15
    long = learn(prepare([(["a", "b", "c"], ["x"])]), settings)
    assert set(entries(long.table(**WHOLE))) == {("a", "x"), ("b", "x"), ("c", "x")}
    assert np.isfinite(long.report.log_likelihoods).all()


def test_frequent_words_that_meet_but_once_may_leave_no_cell_at_all(monkeypatch):
    monkeypatch.setattr(cells_module, "MOST_NUMBERS", 1)
    monkeypatch.setattr(cells_module, "_FREQUENT", 0)
    found = learn(prepare([(["a"], ["x"]), (["b"], ["y"])]))
    assert found.report.cells == len(found.table()) == len(found.table(inverse=True)) == 0
    assert [found.links().of(k) for k in range(2)] == [[], []]
    assert np.isfinite(found.report.log_likelihoods).all()


def test_links_by_every_method(small_text):
    found = learn(small_text)
    assert len(found.forward) == len(small_text.targets)
    assert len(found.backward) == len(small_text.sources)
    for method in METHODS:
        expected = symmetrise(
            found.forward, found.backward, small_text.source_start, small_text.target_start, method
        )  # fmt: skip
        links = found.links(method)
        assert [links.of(k) for k in range(len(links))] == [expected.of(k) for k in range(len(expected))]
    agreed = found.links()
    assert agreed is found.agreed
    assert len(agreed) == len(small_text)
    for k in range(len(agreed)):
        links = agreed.of(k)
        assert links == sorted(set(links))
        for i, j in links:
            assert 0 <= i < small_text.source_start[k + 1] - small_text.source_start[k]
            assert 0 <= j < small_text.target_start[k + 1] - small_text.target_start[k]
    # Most of what both directions choose is above the threshold, and little else.
    both = found.links("intersection")
    common = sum(len(set(agreed.of(k)) & set(both.of(k))) for k in range(len(agreed)))
    assert common > 0.8 * max(len(agreed.source), len(both.source))


def test_tables_are_pruned_and_rows_sum_to_one_before(small_text):
    found = learn(small_text)
    for inverse in (False, True):
        whole = found.table(inverse=inverse, **WHOLE)
        sums = np.asarray(whole.probabilities.sum(1)).ravel()
        np.testing.assert_allclose(sums, 1, atol=1e-4)
        cut = found.table(inverse=inverse, min_probability=0.05, max_translations=2)
        for word in whole.source_words:
            assert cut.top(word, 9) == [entry for entry in whole.top(word, 2) if entry[1] >= 0.05]


def test_the_report(small_text):
    report = learn(small_text, AlignerSettings(model1=2, model2=1, hmm=1)).report
    assert report.models == ("model1", "model1", "model2", "hmm")
    assert len(report.log_likelihoods) == 5
    assert (report.pairs, report.source_tokens) == (150, sum(len(source) for source, _ in PLANTED[:150]))
    assert (report.source_words, report.target_words) == (len(small_text.source_words), len(small_text.target_words))
    met = {(s, t) for source, target in PLANTED[:150] for s in source for t in target}
    assert report.cells == len(met)


@pytest.mark.parametrize("agreement", [True, False])
def test_progress_never_goes_back_and_ends_with_all(small_text, agreement, monkeypatch):
    monkeypatch.setattr(cells_module, "_BLOCK", 2000)
    seen: list[tuple[int, int | None, str]] = []
    settings = AlignerSettings(model1=2, model2=1, hmm=2, agreement=agreement)
    learn(small_text, settings, progress=lambda *told: seen.append(told))
    done = [at for at, _, _ in seen]
    assert done == sorted(done)
    assert len({total for _, total, _ in seen}) == 1
    assert seen[-1][0] == seen[-1][1]
    messages = [text.split(",")[0] for _, _, text in seen]
    assert list(dict.fromkeys(messages)) == ["IBM Model 1", "IBM Model 2", "HMM", "links and tables", "aligned"]
    assert "log-likelihood -" in seen[-1][2]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model1": -1}, "iterations"),
        ({"model1": 0, "model2": 0, "hmm": 0}, "one at least"),
        ({"null": 0.0}, "between 0 and 1"),
        ({"null": 1.0}, "between 0 and 1"),
        ({"null": float("nan")}, "between 0 and 1"),
        ({"family_weight": -1.0}, "weights are 0 or more"),
        ({"bayes": -0.1, "family_weight": 0.0}, "weights are 0 or more"),
        ({"family_weight": float("nan")}, "weights are 0 or more"),
        ({"bayes": float("inf"), "family_weight": 0.0}, "weights are 0 or more"),
        ({"threads": 0}, "threads are 1 or more"),
        ({"family_letters": 0}, "family_letters 1 or more"),
        ({"bayes": 0.1}, "set one of them to 0"),
    ],
)
def test_settings_out_of_range(settings, message):
    with pytest.raises(ValueError, match=message):
        AlignerSettings(**settings)


def test_threads_do_not_decide():
    assert AlignerSettings(threads=1).deciding() == AlignerSettings(threads=7).deciding()
    changed = [
        {"model1": 4}, {"model2": 1}, {"hmm": 4}, {"agreement": False}, {"null": 0.2}, {"family_weight": 1.0},
        {"family_letters": 4}, {"family_weight": 0.0, "bayes": 0.1},
    ]  # fmt: skip
    assert len({AlignerSettings(**settings).deciding() for settings in [{}, *changed]}) == len(changed) + 1
