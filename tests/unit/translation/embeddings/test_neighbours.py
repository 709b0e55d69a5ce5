"""Nearest neighbours: against a loop, by hand, over blocks, and on the sample's vectors."""

from pathlib import Path

import numpy as np
import pytest

from clir_cli.errors import DataError
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.embeddings.neighbours import nearest_table, weigh_nearest
from clir_cli.translation.embeddings.vectors import WordVectors

SAMPLE = Path("data/sample")


def vectors(values: np.ndarray, letter: str) -> WordVectors:
    words = [f"{letter}{n:04}" for n in range(len(values))]
    return WordVectors(words, values.astype(np.float32), len(words), 0)


def expected(source: WordVectors, target: WordVectors, count: int, *, csls: bool) -> dict[str, dict[str, float]]:
    near, far = (v.values / np.linalg.norm(v.values.astype(float), axis=1)[:, None] for v in (source, target))
    cosines = near @ far.T
    scores = cosines
    if csls:
        r_t = np.sort(cosines, axis=1)[:, ::-1][:, :10].mean(axis=1)
        r_s = np.sort(cosines, axis=0)[::-1][:10].mean(axis=0)
        scores = 2 * cosines - r_t[:, None] - r_s[None]
    table = {}
    for s, word in enumerate(source.words):
        best = sorted(range(len(target.words)), key=lambda t: (-scores[s, t], t))[:count]
        weights = {target.words[t]: cosines[s, t] for t in best if cosines[s, t] > 0}
        if weights:
            table[word] = {target: weight / sum(weights.values()) for target, weight in weights.items()}
    return table


def rows(table) -> dict[str, dict[str, float]]:  # type: ignore[no-untyped-def]
    return {word: table.row(word) for word in table.source_words}


@pytest.mark.parametrize("csls", [False, True])
@pytest.mark.parametrize("count", [1, 5, 70])
def test_against_a_loop(csls: bool, count: int) -> None:
    random = np.random.default_rng(3)
    source, target = vectors(random.normal(size=(37, 5)), "s"), vectors(random.normal(size=(61, 5)), "t")
    found = rows(weigh_nearest(source, target, neighbours=count, csls=csls, block=7))
    wanted = expected(source, target, count, csls=csls)
    assert found.keys() == wanted.keys()
    for word, row in wanted.items():
        assert found[word] == pytest.approx(row, abs=1e-6)


def test_csls_takes_from_hubs() -> None:
    """By hand: the hub t0 is nearest to both sources (0.71 against 0.6), but CSLS asks who else is near to it: for s0
    it has 2 * 0.71 - 0.71 = 0.71, and t1 2 * 0.6 - (0.6 - 0.8) / 2 = 1.3 (less r_T(s0) both)."""
    source = vectors(np.array([[1.0, 0.0], [0.0, 1.0]]), "s")
    target = vectors(np.array([[1.0, 1.0], [0.6, -0.8], [-0.8, 0.6]]), "t")
    assert rows(weigh_nearest(source, target, neighbours=1)) == {"s0000": {"t0000": 1}, "s0001": {"t0000": 1}}
    found = rows(weigh_nearest(source, target, neighbours=1, csls=True))
    assert found == {"s0000": {"t0001": 1}, "s0001": {"t0002": 1}}


def test_by_hand() -> None:
    source = vectors(np.array([[2.0, 0.0], [-1.0, -1.0]]), "s")
    target = vectors(np.array([[3.0, 4.0], [4.0, 3.0], [0.0, 1.0], [1.0, 0.0]]), "t")
    table = weigh_nearest(source, target, neighbours=3)
    # Cosines of s0: 0.6, 0.8, 0, 1. Nothing is near s1.
    assert rows(table) == {"s0000": pytest.approx({"t0000": 0.6 / 2.4, "t0001": 0.8 / 2.4, "t0003": 1 / 2.4})}


def test_equal_cosines_go_by_word() -> None:
    source = vectors(np.array([[1.0, 0.3, -0.2]]), "s")
    target = vectors(np.repeat([[0.2, 0.4, 0.1], [1.0, 0.2, -0.1]], 50, axis=0), "t")
    table = weigh_nearest(source, target, neighbours=4)
    assert list(table.row("s0000")) == ["t0050", "t0051", "t0052", "t0053"]


@pytest.mark.parametrize("csls", [False, True])
def test_the_block_changes_nothing(csls: bool) -> None:
    random = np.random.default_rng(5)
    near, far = random.normal(size=(300, 20)), random.normal(size=(400, 20))
    far[200:] = far[:200]  # ties everywhere
    tables = [
        rows(weigh_nearest(vectors(near, "s"), vectors(far, "t"), csls=csls, block=block)) for block in (1, 64, 1024)
    ]
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("csls", [False, True])
def test_the_sample_holds_translations(csls: bool) -> None:
    dictionary, _ = read_dictionary(SAMPLE / "dictionary.deu-eng.tsv", frozenset(), frozenset())
    table, report = nearest_table(SAMPLE / "vectors.deu.vec.gz", SAMPLE / "vectors.eng.vec.gz", None, None, csls=csls)
    assert report.words + report.no_neighbour == report.source_words == 1700
    known = [w for w in dictionary.source_words if w in table and set(dictionary.row(w)) & set(table.target_words)]
    hits = sum(bool(set(table.row(word)) & set(dictionary.row(word))) for word in known)
    assert len(known) > 200
    assert hits > 0.8 * len(known)  # by chance: 5 of 1,360 words, under 1 in 100
    assert all(sum(row.values()) == pytest.approx(1, abs=1e-5) for row in rows(table).values())


def test_vocabularies_say_what_is_read() -> None:
    table, report = nearest_table(
        SAMPLE / "vectors.deu.vec.gz", SAMPLE / "vectors.eng.vec.gz", ["baum", "nirgendwort"], ["tree", "rain", "war"]
    )
    assert table.top("baum", 1)[0][0] == "tree"
    assert (report.source_words, report.source_missing, report.target_words) == (1, 1, 3)


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    first, second = tmp_path / "deu.vec", tmp_path / "eng.vec"
    first.write_text("1 2\nhaus 1 2\n", encoding="utf-8")
    second.write_text("1 3\nhouse 1 2 3\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        nearest_table(first, second, None, None)
    assert str(caught.value) == (
        f"{first} has 2 dimensions and {second} 3. Both must come from one space, such as MUSE's wiki.multi files."
    )
    with pytest.raises(DataError) as caught:
        nearest_table(first, second, None, ["nothing"])
    assert str(caught.value) == f"{second}: none of its 1 words is wanted. Are they of the right language?"
