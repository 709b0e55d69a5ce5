"""The aligner's models as the papers write them: float64, one loop a sum, nothing shared with the kernels."""

from itertools import product

import numpy as np

from clir_cli.translation.alignment.jumps import WINDOW, Jumps

FLOOR = 1e-7
"""What the kernels add to every probability of a pair of words."""


def weight(jumps: Jumps, width: int) -> float:
    return float(jumps.weights[width + WINDOW]) if abs(width) <= WINDOW else float(jumps.far)


def start_and_moves(jumps: Jumps, states: int) -> tuple[np.ndarray, np.ndarray]:
    """P(first position) [states], and P(position i | position i' before) [i', i]."""
    start = np.array([jumps.first[min(i, len(jumps.first) - 1)] for i in range(states)])
    moves = np.array([[weight(jumps, i - before) for i in range(states)] for before in range(states)])
    return start / start.sum(), moves / moves.sum(1, keepdims=True)


def enumerate_alignments(e: np.ndarray, n: np.ndarray, null: float, jumps: Jumps) -> tuple[np.ndarray, float]:
    """Posteriors [steps, states] and log-likelihood by the definition: the sum over all alignments.

    ``e`` [steps, states]: P(word | word at the position); ``n`` [steps]: P(word | nothing). Every word stands at a
    position and comes from the word there, or from nothing, which leaves the position as it was (at the beginning:
    any position, all alike).
    """
    steps, states = e.shape
    start, moves = start_and_moves(jumps, states)
    posterior, total = np.zeros((steps, states)), 0.0
    for path in product(product(range(states), (False, True)), repeat=steps):
        p, before = 1.0, -1
        for j, (i, comes_from_nothing) in enumerate(path):
            if comes_from_nothing:
                p *= null * n[j] * (1 / states if j == 0 else float(i == before))
            else:
                p *= (1 - null) * e[j, i] * (start[i] if j == 0 else moves[before, i])
            before = i
        total += p
        for j, (i, comes_from_nothing) in enumerate(path):
            posterior[j, i] += 0 if comes_from_nothing else p
    return posterior / total, float(np.log(total))


def forward_backward(
    e: np.ndarray, n: np.ndarray, null: float, jumps: Jumps
) -> tuple[np.ndarray, float, dict[int, float]]:
    """Posteriors [steps, states], log-likelihood, and the expected number of jumps of each width.

    Twice as many states as positions, as in Och and Ney (2003): ``states + i`` is nothing at position i.
    """
    steps, states = e.shape
    start, moves = start_and_moves(jumps, states)
    begin = np.concatenate(((1 - null) * start, np.full(states, null / states)))
    move = np.tile(np.hstack(((1 - null) * moves, null * np.eye(states))), (2, 1))
    emit = np.hstack((e, np.repeat(n[:, None], states, 1)))
    alpha, beta, scale = np.zeros(emit.shape), np.ones(emit.shape), np.zeros(steps)
    for j in range(steps):
        alpha[j] = emit[j] * (begin if j == 0 else alpha[j - 1] @ move)
        scale[j] = alpha[j].sum()
        alpha[j] /= scale[j]
    widths: dict[int, float] = {}
    for j in range(steps - 1, 0, -1):
        beta[j - 1] = move @ (emit[j] * beta[j]) / scale[j]
        together = alpha[j - 1][:, None] * move * (emit[j] * beta[j])[None, :] / scale[j]
        for before in range(2 * states):
            for i in range(states):
                width = i - before % states
                widths[width] = widths.get(width, 0.0) + together[before, i]
    return (alpha * beta)[:, :states], float(np.log(scale).sum()), widths


def positions(e: np.ndarray, n: np.ndarray, null: float, tension: float) -> tuple[np.ndarray, float]:
    """Posteriors [steps, states] and log-likelihood of Model 1 (``tension`` 0) or of Dyer et al.'s (2013) Model 2."""
    steps, states = e.shape
    i, j = np.arange(1, states + 1)[None, :] / states, np.arange(1, steps + 1)[:, None] / steps
    prior = np.exp(-tension * np.abs(i - j))
    prior *= (1 - null) / prior.sum(1, keepdims=True)
    joint = prior * e
    total = joint.sum(1) + null * n
    return joint / total[:, None], float(np.log(total).sum())
