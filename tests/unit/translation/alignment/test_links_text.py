import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError, Faults
from clir_cli.translation.alignment.links_text import HINT, read_links_text, write_links_text
from clir_cli.translation.alignment.prepared_text import prepare
from clir_cli.translation.alignment.symmetrise import Links


def make_links(pairs):
    start = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    flat = [link for pair in pairs for link in pair]
    return Links(start, np.array([i for i, _ in flat], np.int16), np.array([j for _, j in flat], np.int16))


TEXT = prepare(
    [([], ["x"]), (["a", "b"], ["x", "y", "z"]), (["a"], []), ([], []), (["c"], ["x"]), (["d"], ["y"]), (["e"], [])]
)
LINKS = make_links([[(0, 0), (0, 2), (1, 1)], [], [(0, 0)]])


def test_a_line_stands_for_every_line_of_the_input(tmp_path):
    write_links_text(tmp_path / "links.txt", LINKS, TEXT)
    assert (tmp_path / "links.txt").read_bytes() == b"\n0-0 0-2 1-1\n\n\n\n0-0\n\n"


def test_they_read_back(tmp_path):
    path = tmp_path / "links.gz"
    write_links_text(path, LINKS, TEXT)
    found = read_links_text(path, TEXT)
    assert [found.of(k) for k in range(len(found))] == [LINKS.of(k) for k in range(3)]
    # Without the text every line is a pair.
    assert read_links_text(path).start.tolist() == [0, 0, 3, 3, 3, 3, 4, 4]
    assert found.source.dtype == found.target.dtype == np.int16


@st.composite
def links_of_pairs(draw):
    link = st.tuples(st.integers(0, 120), st.integers(0, 120))
    return draw(st.lists(st.lists(link, unique=True, max_size=6), min_size=1, max_size=6))


@given(links_of_pairs())
@settings(max_examples=100, deadline=None)
def test_order_and_spaces_do_not_matter(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("links") / "links.txt"
    lines = ["\t".join(f"{i}-{j} " for i, j in pair) for pair in pairs]
    path.write_text("\r\n".join(lines) + "\r\n")
    found = read_links_text(path)
    assert [found.of(k) for k in range(len(found))] == [sorted(pair) for pair in pairs]


def test_more_lines_than_a_block(tmp_path):
    text = prepare([(["a"], ["b", "c"]), ([], [])] * 12_345)
    links = make_links([[(0, k % 2)] if k % 3 else [] for k in range(12_345)])
    write_links_text(tmp_path / "links", links, text)
    found = read_links_text(tmp_path / "links", text)
    for name in ("start", "source", "target"):
        assert np.array_equal(getattr(found, name), getattr(links, name))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0-0 1", "'1' is no link."),
        ("0-0 1-", "'1-' is no link."),
        ("-1-0", "'-1-0' is no link."),
        ("0-0-0", "'0-0-0' is no link."),
        ("0-0,1-1", "'0-0,1-1' is no link."),
        ("0?0", "'0?0' is no link."),
        ("0-0 0-é", "'0-é' is no link."),
        ("1-2 0-0 1-2", "1-2 is there a second time."),
        ("0-32767", "position 32767 is larger than 32766."),
        ("99999999-0", "position 99999999 is larger than 32766."),
    ],
)
def test_what_is_no_link_is_refused_with_its_place(tmp_path, line, problem):
    path = tmp_path / "links.txt"
    path.write_text(f"0-0\n{line}\n2-2\n", encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_links_text(path)
    assert str(error.value) == f"{path}:2: {problem} {HINT}"
    faults = Faults()
    found = read_links_text(path, on_fault=faults)
    assert [found.of(k) for k in range(len(found))] == [[(0, 0)], [], [(2, 2)]]
    assert faults.examples == [str(error.value)]


@pytest.mark.parametrize(
    ("links", "problem"),
    [
        ("2-0", "position 2 is outside the source sentence, which has 2 words."),
        ("0-0 1-3", "position 3 is outside the target sentence, which has 3 words."),
    ],
)
def test_positions_outside_a_sentence_are_refused(tmp_path, links, problem):
    path = tmp_path / "links.txt"
    path.write_text(f"\n{links}\n\n\n\n\n\n")
    with pytest.raises(DataError) as error:
        read_links_text(path, TEXT)
    assert str(error.value) == f"{path}:2: {problem} {HINT}"


@pytest.mark.parametrize("lines", [0, 6, 8])
def test_the_number_of_lines_is_the_texts(tmp_path, lines):
    path = tmp_path / "links.txt"
    path.write_text("\n" * lines)
    with pytest.raises(DataError) as error:
        read_links_text(path, TEXT)
    assert str(error.value) == (
        f"{path} has {lines} lines, the parallel text 7. "
        "Links need a line for every line of the text, also where it is blank."
    )


def test_gzip_cut_short(tmp_path):
    path = tmp_path / "links.gz"
    noise = "".join(f"{(7 * k * k) % 101}-{(k * k * k) % 103}\n" for k in range(10_000))
    path.write_bytes(gzip.compress(noise.encode())[:-2000])
    with pytest.raises(DataError, match="the gzip file is cut short or damaged"):
        read_links_text(path)
