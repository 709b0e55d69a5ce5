import numpy as np
import pytest
from scipy.special import digamma

from clir_cli.translation.alignment import maximise
from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, ONE, PRODUCT

# Word 0 has the translations 0, 1, 2, word 1 has 1, word 2 none, word 3 has 2 and 0.
START = np.array([0, 3, 4, 4, 6])
TARGET = np.array([0, 1, 2, 1, 2, 0], np.int32)
COUNTS = np.array([2.0, 1.0, 1.0, 3.0, 0.0, 0.5])
DENSE = np.array([[2, 1, 1], [0, 3, 0], [0, 0, 0], [0.5, 0, 0]])
HAS_CELL = np.array([[1, 1, 1], [0, 1, 0], [0, 0, 0], [1, 0, 1]], bool)


def memory(counts=COUNTS) -> tuple[np.ndarray, np.ndarray]:
    """``cells, counts`` as the model has them: one block of memory, and a last cell for words without one."""
    cells = np.full((len(counts) + 1, 4), 0.25, np.float32)
    whole = cells.view(np.int64)
    whole[:, 1] = np.round(np.append(counts, 77) * ONE)
    return cells, whole


def dense(cells: np.ndarray, side: int) -> np.ndarray:
    table = np.zeros(DENSE.shape)
    for s in range(len(START) - 1):
        for c in range(START[s], START[s + 1]):
            table[s, TARGET[c]] = cells[c, side]
    return table


def check(cells: np.ndarray, direction: int, forward: np.ndarray, backward: np.ndarray) -> None:
    """Only what ``direction`` names has changed, and never the last cell."""
    untouched = np.where(HAS_CELL, 0.25, 0)
    np.testing.assert_allclose(dense(cells, 0), untouched if direction == BACKWARD else forward, rtol=1e-6)
    np.testing.assert_allclose(dense(cells, 1), untouched if direction == FORWARD else backward, rtol=1e-6)
    assert cells[-1, :2].tolist() == [0.25, 0.25]


def by_sum(table: np.ndarray, axis: int) -> np.ndarray:
    total = table.sum(axis, keepdims=True)
    return np.divide(table, total, out=np.zeros(table.shape), where=total > 0)


@pytest.mark.parametrize("direction", [PRODUCT, FORWARD, BACKWARD])
def test_relative_counts(direction):
    cells, counts = memory()
    kept = counts[:, 1].copy()
    maximise.normalise(counts, cells, START, TARGET, 3, direction)
    check(cells, direction, by_sum(DENSE, 1), by_sum(DENSE, 0))
    np.testing.assert_array_equal(counts[:, 1], kept)


@pytest.mark.parametrize("direction", [PRODUCT, FORWARD, BACKWARD])
@pytest.mark.parametrize("prior", [1e-3, 0.2, 1.0])
def test_the_mean_field_step(direction, prior):
    cells, counts = memory()
    maximise.normalise_by_bayes(counts, cells, START, TARGET, 3, direction, prior)
    # prior is given to the cells of a row only
    shapes = np.where(HAS_CELL, DENSE + prior, 0)
    rows, columns = shapes.sum(1, keepdims=True), shapes.sum(0, keepdims=True)
    forward = np.where(HAS_CELL, np.exp(digamma(np.where(HAS_CELL, shapes, 1)) - digamma(rows + ~HAS_CELL)), 0)
    backward = np.where(HAS_CELL, np.exp(digamma(np.where(HAS_CELL, shapes, 1)) - digamma(columns + ~HAS_CELL)), 0)
    check(cells, direction, forward, backward)


def test_a_sparse_prior_takes_from_the_small_and_sums_to_less_than_one():
    plain, counts = memory()
    maximise.normalise(counts, plain, START, TARGET, 3, PRODUCT)
    sparse, counts = memory()
    maximise.normalise_by_bayes(counts, sparse, START, TARGET, 3, PRODUCT, 1e-3)
    assert (dense(sparse, 0).sum(1) <= 1).all()
    ratio = (sparse[:3, 0] / plain[:3, 0]).tolist()  # counts 2, 1, 1
    assert ratio[0] > ratio[1] == pytest.approx(ratio[2])
    assert sparse[4, 0] == 0  # a count of 0 is a probability of 0, not a number too small to divide by


@pytest.mark.parametrize("low", [1e-6, 1e-3, 0.1, 1.0, 5.0, 6.0, 100.0])
def test_digamma(low):
    for x in np.geomspace(low, 10 * low, 50):
        assert maximise._digamma(x) == pytest.approx(digamma(x), rel=1e-9, abs=1e-9)
