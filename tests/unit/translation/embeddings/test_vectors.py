"""Reading .vec files: only the wanted rows, odd words, and headers that lie."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from clir_cli.errors import DataError, Faults
from clir_cli.translation.embeddings.vectors import read_vectors

FORMAT = "The first line of a .vec file is `words dimension`, every other one `word v1 v2 ...`."


def written(tmp_path: Path, text: str, name: str = "small.vec") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_words_become_keys_and_the_first_of_a_key_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "5 3\nKäse 1 2 3\nhaus 0.5 -1e-2 0\nHaus 9 9 9\nkase 8 8 8\nnull 0 0 0\n")
    vectors = read_vectors(path)
    assert vectors.words == ["haus", "kase"]
    np.testing.assert_allclose(vectors.values, [[0.5, -0.01, 0], [1, 2, 3]])
    assert vectors.values.dtype == np.float32
    assert (vectors.rows, vectors.duplicates) == (5, 2)


def test_only_wanted_rows_are_parsed(tmp_path: Path) -> None:
    path = written(tmp_path, "3 2\nhaus 1 2\nbaum nan nan\nheim 3 4\n")
    vectors = read_vectors(path, {"haus", "heim", "nirgends"})
    assert vectors.words == ["haus", "heim"]
    assert vectors.rows == 3


def test_gzip_trailing_spaces_crlf_and_odd_words(tmp_path: Path) -> None:
    # A no-break space, a next-line mark and a line separator are no ends of words or lines; fastText ends lines with a
    # space, and has a row whose word is empty.
    text = "6 2\r\n10\u00a0000 1 2 \na\u0085b 3 4 \nc\u2028d 5 6 \n 7 8\nheim 1 0\r\nhaus 0 1"
    path = tmp_path / "odd.vec.gz"
    path.write_bytes(gzip.compress(text.encode()))
    vectors = read_vectors(path)
    assert vectors.words == ["10\u00a0000", "a\u0085b", "c\u2028d", "haus", "heim"]
    assert vectors.rows == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("haus 1 2\n", "1: 'haus 1 2' is not a number of words and a dimension. " + FORMAT),
        ("2 0\n", "1: '2 0' is not a number of words and a dimension. " + FORMAT),
        ("2 2\nhaus 1 2\nheim 1 2 3\n", "3: 3 values, but the first line promises 2. " + FORMAT),
        ("2 2\nhaus 1 2\nheim\n", "3: 0 values, but the first line promises 2. " + FORMAT),
        ("3 2\nhaus 1 2\nheim 1 2\n", "1: the first line promises 3 words, but there are 2. " + FORMAT),
        ("1 2\nhaus 1 2\nheim 1 2\n", "1: the first line promises 1 words, but there are 2. " + FORMAT),
        ("1 2\nhaus 1 nan\n", "2: the vector of 'haus' holds a value that is not finite. Get the file again."),
        ("1 2\nhaus 1 1e99\n", "2: the vector of 'haus' holds a value that is not finite. Get the file again."),
        ("1 2\nhaus 1 x\n", "2: the vector of 'haus' holds what is no number. Get the file again."),
        ("1 2\nhaus x 1\n", "2: the vector of 'haus' holds what is no number. Get the file again."),
        ("1 2\nhaus 1 2x\n", "2: the vector of 'haus' holds what is no number. Get the file again."),
        ("1 2\nhaus 1  2\n", "2: 3 values, but the first line promises 2. " + FORMAT),
    ],
)
def test_faults(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(DataError) as caught:
        read_vectors(path)
    assert str(caught.value) == f"{path}:{message}"


def test_bytes_that_are_not_utf_8_and_gzip_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "latin.vec"
    path.write_bytes(b"2 2\nhaus 1 2\nk\xe4se 1 2\n")
    with pytest.raises(DataError, match=r"latin\.vec:3: byte 0xe4 at offset 1 of the line is not utf-8"):
        read_vectors(path)
    text = "".join(f"w{n} {n * 7919 % 1013} {n * n % 977}\n" for n in range(1, 500))
    packed = gzip.compress(f"499 2\n{text}".encode())
    path = tmp_path / "short.vec.gz"
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match=r"short\.vec\.gz:\d+: the gzip file is cut short or damaged"):
        read_vectors(path)


def test_reading_goes_on_after_faults(tmp_path: Path) -> None:
    faults = Faults()
    path = written(tmp_path, "9 2\nhaus 1 2\nheim 1\nbaum 1 nan\napfel 3 4\n")
    assert read_vectors(path, on_fault=faults).words == ["apfel", "haus"]
    assert faults.count == 3
