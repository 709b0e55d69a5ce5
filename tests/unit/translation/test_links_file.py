import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.translation.links_file import read_links, write_links

LINKS = {
    "C041": {"haus": {"house": 0.5, "home": 0.25}, "straße": {"дом": 1.0}},
    "42-AH": {},
    "7": {"haus": {"house": 0.5}},
}
WORD = st.text(alphabet="ab ß\t\x85\u2028д𐐨", min_size=1, max_size=3)
ROWS = st.dictionaries(WORD, st.dictionaries(WORD, st.floats(0, 1, width=32), min_size=1, max_size=3), max_size=3)


def test_links_come_back_as_they_were(tmp_path):
    write_links(tmp_path / "new" / "links.npz", LINKS)
    again = read_links(tmp_path / "new" / "links.npz")
    assert again == LINKS
    assert list(again) == list(LINKS)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["links.npz"]


def test_the_same_links_make_the_same_bytes(tmp_path):
    write_links(tmp_path / "one", LINKS)
    write_links(tmp_path / "two", LINKS)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@settings(max_examples=40)
@given(st.dictionaries(WORD, ROWS, max_size=3))
def test_any_links_come_back(tmp_path_factory, links):
    path = tmp_path_factory.mktemp("links") / "links.npz"
    write_links(path, links)
    assert read_links(path) == links


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "links.npz"
    np.savez(path, topics=np.array([{"a": 1}], dtype=object))
    with pytest.raises(DataError, match="no file of links"):
        read_links(path)


def test_a_missing_or_damaged_file_is_said(tmp_path):
    with pytest.raises(DataError, match="is missing"):
        read_links(tmp_path / "links.npz")
    write_links(tmp_path / "links.npz", LINKS)
    half = (tmp_path / "links.npz").read_bytes()[:300]
    (tmp_path / "links.npz").write_bytes(half)
    with pytest.raises(DataError, match="no file of links"):
        read_links(tmp_path / "links.npz")
