import numpy as np

from clir_cli.retrieval.sparse.lengths import decode, encode


def small_float(length):
    """SmallFloat.intToByte4 as it is told: below 24 free codes, then four digits of the rest and an exponent."""
    if length < 24:
        return length
    rest = length - 24
    digits = rest.bit_length()
    return 24 + (rest if digits < 4 else ((rest >> (digits - 4)) & 7) | ((digits - 3) << 3))


def test_codes_are_those_of_small_float():
    lengths = [*range(3000), 10**5, 10**6 + 1, 2**31 - 1]
    assert encode(np.array(lengths)).tolist() == [small_float(n) for n in lengths]


def test_a_code_stands_for_the_smallest_length_that_has_it():
    codes = np.arange(256).astype(np.uint8)
    lengths = decode(codes)
    assert encode(lengths).tolist() == list(range(256))
    assert (np.diff(lengths) > 0).all()
    assert encode(lengths[1:] - 1).tolist() == list(range(255))


def test_lengths_are_exact_to_39_and_then_at_most_an_eighth_too_small():
    assert decode(encode(np.array([0, 23, 24, 39, 40, 41, 110, 300]))).tolist() == [0, 23, 24, 39, 40, 40, 104, 280]
    lengths = np.arange(40, 100_000)
    lost = lengths - decode(encode(lengths))
    assert lost.min() == 0
    assert (lost <= lengths / 8).all()
