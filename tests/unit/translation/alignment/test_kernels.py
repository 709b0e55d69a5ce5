"""The E-step against float64 references that share nothing with it."""

from itertools import pairwise

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher as Dispatcher

from clir_cli.translation.alignment import kernels
from clir_cli.translation.alignment.jumps import WIDTHS, WINDOW, JumpCounts, Jumps
from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, HMM, ONE, POSITIONS, PRODUCT
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare
from tests.unit.translation.alignment.hmm_reference import FLOOR, enumerate_alignments, forward_backward, positions

SIZES = (1, 3, 5, 7, 11, 19, 33)  # 19 and 33 are longer than the window; 33 is one more than four registers
# Long and short in turn, so that what a sentence leaves behind in the buffers would show in the next one.
SHAPES = [(long, short) for long in SIZES for short in SIZES] + [(33, 8), (8, 33), (16, 1), (1, 16), (9, 10)]


def text_of(shapes: list[tuple[int, int]]) -> PreparedText:
    """Pairs of these shapes in which no word comes twice: every cell is one link."""
    pairs = [
        ([f"s{k}.{i}" for i in range(sources)], [f"t{k}.{j}" for j in range(targets)])
        for k, (sources, targets) in enumerate(shapes)
    ]
    return prepare(pairs, max_ratio=1000)


def random_jumps(rng: np.random.Generator) -> Jumps:
    return Jumps(rng.random(WIDTHS) + 1e-3, 0.02, rng.random(WIDTHS + 1) + 0.01)


class Run:
    """One E-step with random parameters, and the same in float64."""

    def __init__(
        self,
        shapes,
        kind,
        counted=PRODUCT,
        directions=(True, True),
        tension=0.0,
        null=0.15,
        text=None,
        likely=1.0,
        cuts=(),
    ):
        rng = np.random.default_rng(7)
        self.text = text = text_of(shapes) if text is None else text
        self.model = model = Model(text, null)
        self.kind, self.tension, self.null = kind, tension, null
        model.cells[:-1, :2] = likely * rng.random((len(model.pairs), 2)) ** 4
        model.cells[rng.random(len(model.cells)) < 0.2, :2] = 0
        model.null_source = rng.dirichlet(np.ones(len(text.source_words))).astype(np.float32)
        model.null_target = rng.dirichlet(np.ones(len(text.target_words))).astype(np.float32)
        model.jumps = random_jumps(rng), random_jumps(rng)
        (self.stretch,) = model.pairs.stretches()
        self.jumps = JumpCounts(), JumpCounts()
        self.distances = np.zeros((2, 3))
        self.forward = np.full(len(text.targets), -9, np.int16)
        self.backward = np.full(len(text.sources), -9, np.int16)
        self.agreed = np.full(len(self.stretch.ids), 9, np.uint8)
        longest = max(np.diff(text.source_start).max(), np.diff(text.target_start).max())
        self.likelihood = 0.0
        for first, last in pairwise((0, *cuts, len(text))):
            self.likelihood += kernels.expect(
                first, last, 0, self.stretch.ids, model.pairs.offsets, text.sources, text.source_start, text.targets,
                text.target_start, model.cells, model.counts, model.null_source, model.null_target, *model.null_counts,
                np.float32(null), kind, np.float32(tension), np.float32(tension),
                model.jumps[0].weights, model.jumps[0].far, model.jumps[0].first,
                model.jumps[1].weights, model.jumps[1].far, model.jumps[1].first,
                self.jumps[0].array, self.jumps[1].array, self.distances, counted, *directions,
                np.float32(0.3), self.forward, self.backward, self.agreed, int(longest),
            )  # fmt: skip

    def cells(self, k: int) -> np.ndarray:
        """The cell numbers [I, J] of pair k."""
        offsets, text = self.model.pairs.offsets, self.text
        width = text.target_start[k + 1] - text.target_start[k]
        return self.stretch.ids[offsets[k] : offsets[k + 1]].reshape(-1, width)

    def counts(self, k: int) -> np.ndarray:
        return self.model.counts[self.cells(k), 1] / ONE

    def null_counts(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        text = self.text
        source = self.model.null_counts[0][text.sources[text.source_start[k] : text.source_start[k + 1]]]
        target = self.model.null_counts[1][text.targets[text.target_start[k] : text.target_start[k + 1]]]
        return source / ONE, target / ONE

    def emissions(self, k: int) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
        """``e, n`` as the reference takes them, forward and backward."""
        text, model, ids = self.text, self.model, self.cells(k)
        sources = text.sources[text.source_start[k] : text.source_start[k + 1]]
        targets = text.targets[text.target_start[k] : text.target_start[k + 1]]
        p = model.cells[ids].astype(np.float64)
        forward = p[:, :, 0].T + FLOOR, model.null_target[targets].astype(np.float64)
        return forward, (p[:, :, 1] + FLOOR, model.null_source[sources].astype(np.float64))

    def expected(self, k: int) -> tuple[np.ndarray, np.ndarray, float, float]:
        """Posteriors [J, I] and [I, J], log-likelihoods."""
        found = []
        for (e, n), jumps in zip(self.emissions(k), self.model.jumps, strict=True):
            if self.kind == HMM:
                found.append(forward_backward(e, n, self.null, jumps)[:2])
            else:
                found.append(positions(e, n, self.null, self.tension))
        (g1, first), (g2, second) = found
        return g1, g2, first, second


MODELS = [(HMM, 0.0), (POSITIONS, 0.0), (POSITIONS, 4.0)]


@pytest.mark.parametrize(("kind", "tension"), MODELS)
def test_posteriors_and_likelihoods_are_those_of_the_reference(kind, tension):
    forward = Run(SHAPES, kind, FORWARD, tension=tension)
    backward = Run(SHAPES, kind, BACKWARD, tension=tension)
    together = Run(SHAPES, kind, PRODUCT, tension=tension)
    likelihood = 0.0
    for k in range(len(SHAPES)):
        g1, g2, first, second = forward.expected(k)
        likelihood += first + second
        np.testing.assert_allclose(forward.counts(k), g1.T, atol=3e-6, rtol=0)
        np.testing.assert_allclose(backward.counts(k), g2, atol=3e-6, rtol=0)
        np.testing.assert_allclose(together.counts(k), g1.T * g2, atol=3e-6, rtol=0)
        for run in (forward, together):
            np.testing.assert_allclose(run.null_counts(k)[1], 1 - g1.sum(1), atol=1e-5, rtol=0)
        for run in (backward, together):
            np.testing.assert_allclose(run.null_counts(k)[0], 1 - g2.sum(1), atol=1e-5, rtol=0)
    # Whoever trains one direction keeps what the other knows about nothing.
    assert not forward.model.null_counts[0].any()
    assert not backward.model.null_counts[1].any()
    for run in (forward, backward, together):
        assert run.likelihood == pytest.approx(likelihood, rel=1e-6)


@pytest.mark.parametrize(("kind", "tension"), MODELS)
def test_one_direction_by_itself(kind, tension):
    both = Run(SHAPES, kind, FORWARD, tension=tension)
    alone = Run(SHAPES, kind, FORWARD, (True, False), tension=tension)
    other = Run(SHAPES, kind, BACKWARD, (False, True), tension=tension)
    np.testing.assert_array_equal(alone.model.counts[:, 1], both.model.counts[:, 1])
    assert alone.likelihood + other.likelihood == pytest.approx(both.likelihood, rel=1e-9)
    assert not alone.model.null_counts[0].any()
    assert not other.model.null_counts[1].any()
    assert not alone.jumps[1].array.any()
    assert not other.jumps[0].array.any()


@pytest.mark.parametrize(("kind", "tension"), MODELS)
def test_links_are_the_likeliest_and_those_of_a_high_product(kind, tension):
    run = Run(SHAPES, kind, tension=tension)
    offsets = run.model.pairs.offsets
    nothing = 0
    for k in range(len(SHAPES)):
        g1, g2, *_ = run.expected(k)
        for gamma, start, links in (
            (g1, run.text.target_start, run.forward),
            (g2, run.text.source_start, run.backward),
        ):
            choices = np.column_stack((gamma, 1 - gamma.sum(1)))
            best = np.sort(choices, 1)
            clear = best[:, -1] - best[:, -2] > 1e-5
            expected = np.where(choices.argmax(1) == gamma.shape[1], -1, choices.argmax(1))
            np.testing.assert_array_equal(links[start[k] : start[k + 1]][clear], expected[clear])
            nothing += (expected == -1).sum()
        found = run.agreed[offsets[k] : offsets[k + 1]].reshape(g2.shape)
        clear = np.abs(g1.T * g2 - 0.3) > 1e-5
        np.testing.assert_array_equal(found[clear], (g1.T * g2 > 0.3)[clear])
    assert nothing > 10
    assert 10 < run.agreed.sum() < len(run.agreed)


@pytest.mark.parametrize(("kind", "tension"), MODELS)
def test_text_may_be_worked_in_parts(kind, tension):
    whole, parts = Run(SHAPES, kind, tension=tension), Run(SHAPES, kind, tension=tension, cuts=(1, 6, 23))
    np.testing.assert_array_equal(parts.model.counts[:, 1], whole.model.counts[:, 1])
    for name in ("forward", "backward", "agreed"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    for one, other in zip(parts.jumps, whole.jumps, strict=True):
        np.testing.assert_allclose(one.array, other.array, rtol=1e-9)
    np.testing.assert_allclose(parts.distances, whole.distances, rtol=1e-9)
    assert parts.likelihood == pytest.approx(whole.likelihood, rel=1e-12)


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (1, 4), (4, 1), (3, 3)])
def test_forward_backward_is_the_sum_over_all_alignments(shape):
    run = Run([shape], HMM, FORWARD)
    other = Run([shape], HMM, BACKWARD)
    (forward, backward), jumps = run.emissions(0), run.model.jumps
    g1, first = enumerate_alignments(*forward, run.null, jumps[0])
    g2, second = enumerate_alignments(*backward, run.null, jumps[1])
    np.testing.assert_allclose(run.counts(0), g1.T, atol=1e-6)
    np.testing.assert_allclose(other.counts(0), g2, atol=1e-6)
    assert run.likelihood == pytest.approx(first + second, rel=1e-6)


def test_jumps_are_counted_in_every_fourth_pair():
    run = Run(SHAPES, HMM)
    for direction in (0, 1):
        counted, jumps = run.jumps[direction], run.model.jumps[direction]
        near, far, first = np.zeros(WIDTHS), 0.0, np.zeros(WIDTHS + 1)
        steps = far_places = 0.0
        for k in range(0, len(SHAPES), 4):
            e, n = run.emissions(k)[direction]
            gamma, _, widths = forward_backward(e, n, run.null, jumps)
            for width, count in widths.items():
                if abs(width) <= WINDOW:
                    near[width + WINDOW] += count
                else:
                    far += count
            for i, p in enumerate(gamma[0]):
                first[min(i, WIDTHS)] += p
            states = e.shape[1]
            steps += len(e) - 1
            far_places += (len(e) - 1) * sum(
                abs(i - before) > WINDOW for i in range(states) for before in range(states)
            ) / states  # fmt: skip
        assert far > 1
        np.testing.assert_allclose(counted.near * jumps.weights, near, rtol=1e-4, atol=1e-5)
        assert counted.far * jumps.far == pytest.approx(far, rel=1e-3)
        np.testing.assert_allclose(counted.first, first, rtol=1e-4, atol=1e-5)
        assert counted.steps == steps
        assert counted.far_places == pytest.approx(far_places)


@pytest.mark.parametrize("direction", [0, 1])
def test_distances_lead_to_the_tension_of_the_highest_likelihood(direction):
    # Newton's step takes the derivative of the expected log prior by the tension, and its second derivative.
    tension, step = 4.0, 1e-4
    run = Run(SHAPES, POSITIONS, tension=tension)
    slopes = []
    for at in (tension - step, tension + step):
        slope = 0.0
        for k in range(len(SHAPES)):
            gamma = run.expected(k)[direction]
            steps, states = gamma.shape
            i, j = np.arange(1, states + 1)[None, :] / states, np.arange(1, steps + 1)[:, None] / steps
            distance = np.abs(i - j)
            prior = np.exp(-at * distance)
            prior /= prior.sum(1, keepdims=True)
            slope += (gamma.sum(1) * (prior * distance).sum(1)).sum() - (gamma * distance).sum()
        slopes.append(slope)
    assert run.distances[direction, 0] == pytest.approx(sum(slopes) / 2, rel=1e-4)
    assert run.distances[direction, 1] == pytest.approx((slopes[0] - slopes[1]) / (2 * step), rel=1e-3)


def test_words_that_come_again_add_up():
    text = prepare([(["a", "b", "a"], ["x", "y", "x"]), (["b", "a"], ["x"])])
    run = Run(None, HMM, text=text)
    expected = np.zeros(len(run.model.counts))
    for k in range(2):
        g1, g2, *_ = run.expected(k)
        np.add.at(expected, run.cells(k), g1.T * g2)
    np.testing.assert_allclose(run.model.counts[:, 1] / ONE, expected, atol=1e-6)
    assert len(run.model.pairs) == 4


@pytest.mark.parametrize("kind", [HMM, POSITIONS])
def test_without_any_probability_left_the_numbers_stay_finite(kind):
    shapes = [(33, 33), (100, 3), (3, 100), (1, 1)]
    run = Run(shapes, kind, null=1e-6, likely=0.0)
    assert run.likelihood == pytest.approx(sum(sum(run.expected(k)[2:]) for k in range(len(shapes))), rel=1e-6)
    assert (run.model.counts[:, 1] >= 0).all()
    for k in range(len(shapes)):
        g1, g2, *_ = run.expected(k)
        np.testing.assert_allclose(run.counts(k), g1.T * g2, atol=1e-5, rtol=0)


def test_what_may_reorder_sums_is_one_function() -> None:
    """Or results would depend on whether a process compiled it, or found it on disk."""
    found = {name: value for name, value in vars(kernels).items() if isinstance(value, Dispatcher)}
    reordered = {name for name, value in found.items() if value.targetoptions.get("fastmath")}
    assert {"expect", "_hidden_markov", "_positions"} <= reordered
    assert {name for name in reordered if found[name].targetoptions.get("inline") != "always"} == {"expect"}
