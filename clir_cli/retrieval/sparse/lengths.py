"""Document lengths as Lucene keeps them: one byte, exact up to 39 words, then with four binary digits.

Source: SmallFloat.intToByte4 and byte4ToInt of Lucene 9. A length below 24 is its own code. Above, what exceeds 24 is
cut to its four highest binary digits: eight codes for each power of two, so an error of up to one part in eight.
"""

import numpy as np

FREE = 24
"""Codes that stand for themselves: 255 less the code of the largest number that four digits can say of an int."""

_DIGITS = 3
"""Binary digits after the first."""


def encode(lengths: np.ndarray) -> np.ndarray:
    """Lengths, integers from 0, as codes: uint8, rounded down."""
    beyond = np.maximum(np.asarray(lengths, np.int64) - FREE, 0)
    # frexp is exact: a length has fewer digits than a double; its exponent is the number of binary digits
    digits = np.frexp(beyond.astype(np.float64))[1].astype(np.int64)
    shift = np.maximum(digits - _DIGITS - 1, -1)
    is_long = digits > _DIGITS
    code = np.where(is_long, ((beyond >> np.maximum(shift, 0)) & 7) | ((shift + 1) << _DIGITS), beyond)
    return np.where(np.asarray(lengths) < FREE, lengths, FREE + code).astype(np.uint8)


def decode(codes: np.ndarray) -> np.ndarray:
    """The length that each code stands for: int64."""
    beyond = np.asarray(codes, np.int64) - FREE
    shift = (beyond >> _DIGITS) - 1
    value = np.where(shift < 0, beyond & 7, ((beyond & 7) | 8) << np.maximum(shift, 0))
    return np.asarray(np.where(beyond < 0, codes, FREE + value), np.int64)
