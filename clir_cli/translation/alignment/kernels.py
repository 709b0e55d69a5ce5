"""The loops of the aligner, compiled: posteriors of one sentence pair after the other, and their sums.

Shapes: a pair has I source and J target words. ``forward`` is the model in which every target word comes from a source
word, or from nothing: its posteriors are ``g1`` [J, I]; ``backward`` has the sides exchanged: ``g2`` [I, J]. Both are
flat arrays whose rows are padded to a multiple of 8, the number of float32 in a vector register; indices are unsigned,
or numba would check each for being negative, and no loop would be vectorised.

``cells`` float32 [cells + 1, 4] and ``counts`` int64 [cells + 1, 2] are one block of memory: P(t | s), P(s | t) and, in
the place of the other two, ``counts[:, 1]``, so that a cell that was read is at hand when it is added to. Counts are
whole numbers of 1 / ONE: integers add up to the same in any order, hence on any number of threads.

All in one file, constants too: numba keeps compiled functions on disk, and looks at a function's own file only to tell
whether they are out of date. And all in one function: sums may be reordered (``fastmath``), and of a function that is
called there would be a copy by itself and one within its caller, optimised apart. Which of them is called depended on
whether the process had compiled them or found them on disk, and with it the last digits of a table.
"""

from typing import Any

import numba
import numpy as np

_options: dict[str, Any] = {"cache": True, "nogil": True, "fastmath": {"reassoc", "contract", "arcp", "nsz"}}
_compiled: Any = numba.njit(error_model="numpy", **_options)
_inlined: Any = numba.njit(error_model="numpy", inline="always", **_options)

WINDOW = 8
"""Jumps of up to so many words, either way, have a weight each; all wider ones share one."""
WIDTHS = 2 * WINDOW + 1
ONE = float(1 << 24)
"""A count of 1."""
POSITIONS, HMM = 0, 1
PRODUCT, FORWARD, BACKWARD = 0, 1, 2
"""What is counted: the product of both posteriors (agreement), or those of one direction."""
_FLOOR = np.float32(1e-7)
"""Probability of a pair of words without a cell, or without a count left."""
_EVERY = 4
"""Jumps, of which there are few kinds, are counted in every fourth pair."""
_U: Any = np.uint64
_F: Any = np.float32


@_compiled
def expect(  # type: ignore[no-untyped-def]
    first, last, base, ids, offsets, sources, source_start, targets, target_start, cells, counts,
    null_source, null_target, null_source_counts, null_target_counts, null, model, tension1, tension2,
    weights1, far1, first1, weights2, far2, first2, jumps1, jumps2, distances,
    counted, does_forward, does_backward, threshold, forward, backward, agreed, longest,
):  # fmt: skip
    """The E-step over the pairs ``first`` to ``last``; returns the log-likelihood of what was done.

    ``null``: probability of coming from nothing; ``null_source`` and ``null_target`` float32: which words do. Expected
    counts are added to ``counts``, ``null_..._counts`` (int64), ``jumps1``, ``jumps2`` (``JumpCounts.array``) and
    ``distances`` [2, 3] (``_positions``). Where ``agreed`` has room, the links are written: ``forward`` int16, the best
    source position of every target word or -1, ``backward`` likewise, and ``agreed`` uint8 as ``ids``: 1 where the
    product of the posteriors is above ``threshold``.
    """
    width = longest + 8
    e1, e2 = np.zeros(width * width, np.float32), np.zeros(width * width, np.float32)
    g1, g2 = np.zeros(width * width, np.float32), np.zeros(width * width, np.float32)
    alpha, both = np.zeros(width * width, np.float32), np.zeros(width * width, np.float32)
    rows = np.zeros((7, width + 3 * WINDOW), np.float32)
    inverse1, inverse2 = np.zeros(width, np.float32), np.zeros(width, np.float32)
    n1, n2, rest = np.zeros(width, np.float32), np.zeros(width, np.float32), np.zeros(width, np.float32)
    near1, near2 = (weights1 - far1).astype(np.float32), (weights2 - far2).astype(np.float32)
    start1, start2 = first1.astype(np.float32), first2.astype(np.float32)
    writes = len(agreed) > 0
    likelihood = 0.0
    for k in range(first, last):
        size1, size2 = source_start[k + 1] - source_start[k], target_start[k + 1] - target_start[k]
        s0, t0 = source_start[k], target_start[k]
        uI, uJ = _U(size1), _U(size2)
        wide1, wide2 = (uI + _U(7)) // _U(8) * _U(8), (uJ + _U(7)) // _U(8) * _U(8)
        at = _U(offsets[k] - base)
        for j in range(uJ):
            n1[j] = null_target[targets[t0 + np.int64(j)]]
            for i in range(uI, wide1):
                e1[j * wide1 + i] = _F(0)
        for i in range(uI):
            n2[i] = null_source[sources[s0 + np.int64(i)]]
            for j in range(uJ):
                c = ids[at + i * uJ + j]
                e1[j * wide1 + i] = cells[c, 0] + _FLOOR
                e2[i * wide2 + j] = cells[c, 1] + _FLOOR
            for j in range(uJ, wide2):
                e2[i * wide2 + j] = _F(0)
        if model == HMM:
            counts_jumps = k % _EVERY == 0
            if does_forward:
                _scale(size1, weights1, far1, null, inverse1)
                likelihood += _hidden_markov(
                    uI, uJ, wide1, e1, n1, near1, _F(far1), inverse1, start1, null, alpha, both, rows, g1, jumps1,
                    counts_jumps,
                )  # fmt: skip
            if does_backward:
                _scale(size2, weights2, far2, null, inverse2)
                likelihood += _hidden_markov(
                    uJ, uI, wide2, e2, n2, near2, _F(far2), inverse2, start2, null, alpha, both, rows, g2, jumps2,
                    counts_jumps,
                )  # fmt: skip
        else:
            if does_forward:
                likelihood += _positions(uI, uJ, wide1, e1, n1, null, tension1, g1, rows[0], distances[0])
            if does_backward:
                likelihood += _positions(uJ, uI, wide2, e2, n2, null, tension2, g2, rows[0], distances[1])
        one = _F(ONE)
        if does_forward:
            for j in range(uJ):
                rest[j] = _F(1)
        for i in range(uI):
            left = _F(1)
            for j in range(uJ):
                a = g1[j * wide1 + i] if does_forward else _F(1)
                b = g2[i * wide2 + j] if does_backward else _F(1)
                rest[j] -= a
                left -= b
                q = a * b if counted == PRODUCT else (a if counted == FORWARD else b)
                counts[ids[at + i * uJ + j], 1] += np.int64(q * one)
            if does_backward and counted != FORWARD:
                null_source_counts[sources[s0 + np.int64(i)]] += np.int64(max(left, _F(0)) * one)
        if does_forward and counted != BACKWARD:
            for j in range(uJ):
                null_target_counts[targets[t0 + np.int64(j)]] += np.int64(max(rest[j], _F(0)) * one)
        if writes:
            _best(uI, uJ, wide1, g1, forward, t0)
            _best(uJ, uI, wide2, g2, backward, s0)
            for i in range(uI):
                for j in range(uJ):
                    agreed[at + i * uJ + j] = g1[j * wide1 + i] * g2[i * wide2 + j] > threshold
    return likelihood


@_inlined
def _best(states, steps, wide, gamma, chosen, begin):  # type: ignore[no-untyped-def]
    """The likeliest state of each step, or -1 where nothing is likelier than it."""
    for j in range(steps):
        best, at, total = _F(0), np.int64(-1), _F(0)
        for i in range(states):
            value = gamma[j * wide + i]
            total += value
            if value > best:
                best, at = value, np.int64(i)
        chosen[begin + np.int64(j)] = at if best > _F(1) - total else -1


@_inlined
def _positions(states, steps, wide, e, n, null, tension, gamma, prior, distances):  # type: ignore[no-untyped-def]
    """Posteriors under IBM Model 1 (``tension`` 0) or 2 with the diagonal of Dyer et al. (2013):

        P(i | j) = (1 - null) exp(-tension |i / I - j / J|) / sum over i

    Adds to ``distances``: the expected |i / I - j / J| by the prior less that by the posterior, the prior's variance
    (together a step of Newton's method for ``tension``), and the number of words.
    """
    likelihood = 0.0
    places, words = _F(states), _F(steps)
    for j in range(steps):
        row = j * wide
        total, mean, square = _F(0), _F(0), _F(0)
        if tension > 0:
            for i in range(states):
                distance = abs(_F(i + _U(1)) / places - _F(j + _U(1)) / words)
                p = np.exp(-tension * distance)
                prior[i] = p
                total += p
                mean += p * distance
                square += p * distance * distance
        else:
            for i in range(states):
                prior[i] = _F(1)
            total = places
        scale = (_F(1) - null) / total
        found = null * n[j]
        for i in range(states):
            p = e[row + i] * prior[i] * scale
            gamma[row + i] = p
            found += p
        likelihood += np.log(found)
        found = _F(1) / found
        mass, expected = _F(0), _F(0)
        for i in range(states):
            gamma[row + i] *= found
        if tension > 0:
            for i in range(states):
                p = gamma[row + i]
                mass += p
                expected += p * abs(_F(i + _U(1)) / places - _F(j + _U(1)) / words)
            mean /= total
            distances[0] += mass * mean - expected
            distances[1] += mass * (square / total - mean * mean)
            distances[2] += mass
    return likelihood


@_inlined
def _scale(states, weights, far, null, inverse):  # type: ignore[no-untyped-def]
    """``inverse[i'] = (1 - null) / sum of the weights of all jumps from i'``."""
    for a in range(states):
        begin, end = max(0, WINDOW - a), min(WIDTHS, WINDOW + states - a)
        total = far * (states - (end - begin))
        for d in range(begin, end):
            total += weights[d]
        inverse[a] = (1 - null) / total


@_inlined
def _spread(values, weights, rest, out, wide):  # type: ignore[no-untyped-def]
    """``out[i] = rest + sum over d of weights[d] values[i - d]``, d from -WINDOW to WINDOW.

    ``values`` begins with WINDOW zeros and ends with as many. Eight sums at once, each in two parts, stay in registers:
    written out, because loops over so few are not vectorised.
    """
    for block in range(wide // _U(8)):
        k = block * _U(8)
        a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = rest
        b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = _F(0)
        for d in range(_U(WINDOW)):
            o = _U(2) * d + k
            w, v = weights[_U(2 * WINDOW) - _U(2) * d], weights[_U(2 * WINDOW - 1) - _U(2) * d]
            a0 += w * values[o]
            a1 += w * values[o + _U(1)]
            a2 += w * values[o + _U(2)]
            a3 += w * values[o + _U(3)]
            a4 += w * values[o + _U(4)]
            a5 += w * values[o + _U(5)]
            a6 += w * values[o + _U(6)]
            a7 += w * values[o + _U(7)]
            b0 += v * values[o + _U(1)]
            b1 += v * values[o + _U(2)]
            b2 += v * values[o + _U(3)]
            b3 += v * values[o + _U(4)]
            b4 += v * values[o + _U(5)]
            b5 += v * values[o + _U(6)]
            b6 += v * values[o + _U(7)]
            b7 += v * values[o + _U(8)]
        o = _U(2 * WINDOW) + k
        w = weights[_U(0)]
        out[k] = a0 + b0 + w * values[o]
        out[k + _U(1)] = a1 + b1 + w * values[o + _U(1)]
        out[k + _U(2)] = a2 + b2 + w * values[o + _U(2)]
        out[k + _U(3)] = a3 + b3 + w * values[o + _U(3)]
        out[k + _U(4)] = a4 + b4 + w * values[o + _U(4)]
        out[k + _U(5)] = a5 + b5 + w * values[o + _U(5)]
        out[k + _U(6)] = a6 + b6 + w * values[o + _U(6)]
        out[k + _U(7)] = a7 + b7 + w * values[o + _U(7)]


@_inlined
def _hidden_markov(  # type: ignore[no-untyped-def]
    states, steps, wide, e, n, near, far, inverse, start, null, alpha, both, rows, gamma, jumps, counts_jumps
):
    """Posteriors ``gamma`` [steps, states] under the HMM of Vogel et al. (1996) by the forward-backward algorithm.

    A word that comes from nothing leaves the position where it was (Och and Ney 2003 double the states for this; here
    ``both`` = ``alpha`` + the mass that is at a position through nothing, which needs no second set). ``near``: the
    weights of jumps less ``far``; ``far`` is added for all positions at once.
    """
    values, out, beta, x, scale = rows[0], rows[1], rows[2], rows[3], rows[4]
    backwards = near[::-1].copy()
    likelihood = 0.0
    for i in range(wide + _U(3 * WINDOW)):
        values[i] = x[i] = _F(0)
    for i in range(wide):
        beta[i] = _F(0)
    total = _F(0)
    for i in range(states):
        total += start[min(i, _U(WIDTHS))]
    share = (_F(1) - null) / total
    nothing = null * n[0] / _F(states)
    total = _F(0)
    for i in range(wide):
        alpha[i] = both[i] = _F(0)
    for i in range(states):
        alpha[i] = start[min(i, _U(WIDTHS))] * share * e[i]
        both[i] = alpha[i] + nothing
        total += both[i]
    scale[0] = _F(1) / total
    likelihood += np.log(total)
    for i in range(states):
        alpha[i] *= scale[0]
        both[i] *= scale[0]
    for j in range(_U(1), steps):
        now, before = j * wide, (j - _U(1)) * wide
        mass = _F(0)
        for i in range(states):
            value = both[before + i] * inverse[i]
            values[i + _U(WINDOW)] = value
            mass += value
        _spread(values, near, mass * far, out, wide)
        nothing = null * n[j]
        total = _F(0)
        for i in range(wide):
            value = out[i] * e[now + i]
            alpha[now + i] = value
            value += nothing * both[before + i]
            both[now + i] = value
            total += value
        factor = _F(1) / total
        scale[j] = factor
        likelihood += np.log(total)
        for i in range(wide):
            alpha[now + i] *= factor
            both[now + i] *= factor
    for i in range(states):
        beta[i] = _F(1)
    j = steps
    while j > _U(0):
        j -= _U(1)
        now = j * wide
        for i in range(wide):
            gamma[now + i] = alpha[now + i] * beta[i]
        if j == _U(0):
            break
        before = now - wide
        mass = _F(0)
        for i in range(wide):
            value = e[now + i] * beta[i] * scale[j]
            x[i + _U(WINDOW)] = value
            mass += value
        _spread(x, backwards, mass * far, out, wide)
        if counts_jumps:
            _count_jumps(states, wide, both, before, inverse, values, x, mass, jumps)
        nothing = null * n[j] * scale[j]
        for i in range(states):
            beta[i] = out[i] * inverse[i] + nothing * beta[i]
    if counts_jumps:
        for i in range(states):
            jumps[_U(WIDTHS + 1) + min(i, _U(WIDTHS))] += gamma[i]
        beyond = 0
        places: Any = np.int64(states)
        for a in range(places):
            beyond += places - (min(WIDTHS, WINDOW + places - a) - max(0, WINDOW - a))
        jumps[2 * WIDTHS + 2] += np.int64(steps) - 1
        jumps[2 * WIDTHS + 3] += (np.int64(steps) - 1) * beyond / states
    return likelihood


@_inlined
def _count_jumps(states, wide, both, before, inverse, values, x, mass, jumps):  # type: ignore[no-untyped-def]
    """Add the expected jumps of one step, each less its weight, which is multiplied in at the end."""
    come_from = _F(0)
    for i in range(states):
        value = both[before + i] * inverse[i]
        values[i + _U(WINDOW)] = value
        come_from += value
    inside = _F(0)
    for d in range(_U(WIDTHS)):
        total = _F(0)
        for i in range(wide):
            total += values[i + _U(2 * WINDOW) - d] * x[i + _U(WINDOW)]
        jumps[d] += total
        inside += total
    jumps[WIDTHS] += max(come_from * mass - inside, _F(0))
