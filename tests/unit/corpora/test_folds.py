"""Folds part the topics."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.folds import assign_folds, read_folds, split, write_folds
from clir_cli.errors import DataError

BAD = Path(__file__).parents[2] / "data" / "folds"
topic_sets = st.sets(st.text("0123456789Cn-", min_size=1, max_size=6), min_size=7, max_size=60)


@given(topic_sets, st.integers(3, 7), st.integers(0, 9))
def test_splits_partition_the_topics(keys: set[str], count: int, seed: int) -> None:
    folds = assign_folds(keys, count, seed)
    sizes = Counter(folds.values())
    assert set(sizes) == set(range(1, count + 1))
    assert max(sizes.values()) - min(sizes.values()) <= 1
    for fold in range(1, count + 1):
        test, validation, training = split(folds, fold)
        assert test | validation | training == keys
        assert len(test) + len(validation) + len(training) == len(keys)
        assert test
        assert validation
        assert training
        assert validation == split(folds, fold % count + 1).test
    assert set().union(*(split(folds, fold).test for fold in range(1, count + 1))) == keys


@given(topic_sets, st.randoms())
def test_the_order_of_the_topics_does_not_matter(keys: set[str], random) -> None:
    shuffled = sorted(keys)
    random.shuffle(shuffled)
    assert assign_folds(shuffled) == assign_folds(sorted(keys))
    assert list(assign_folds(shuffled)) == list(assign_folds(sorted(keys)))


def test_folds_are_the_same_on_every_machine_and_day() -> None:
    assert assign_folds(map(str, range(1, 11)), count=5, seed=42) == {
        "1": 1,
        "2": 4,
        "3": 3,
        "4": 3,
        "5": 1,
        "6": 2,
        "7": 4,
        "8": 2,
        "9": 5,
        "10": 5,
    }


def test_another_seed_gives_other_folds() -> None:
    keys = [str(number) for number in range(50)]
    assert assign_folds(keys, seed=1) != assign_folds(keys, seed=2)


def test_sixty_twenty_twenty() -> None:
    test, validation, training = split(assign_folds(map(str, range(100))), 5)
    assert (len(test), len(validation), len(training)) == (20, 20, 60)


def test_too_few_topics_and_unknown_folds() -> None:
    with pytest.raises(DataError, match="3 topics cannot fill 5 folds"):
        assign_folds(["1", "2", "3"])
    with pytest.raises(DataError, match="no fold 6"):
        split(assign_folds("abcdefg"), 6)


@settings(max_examples=20)
@given(topic_sets)
def test_folds_are_read_back(tmp_path_factory: pytest.TempPathFactory, keys: set[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "folds.tsv"
    folds = assign_folds(keys)
    write_folds(path, folds)
    assert read_folds(path) == folds


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_number.tsv", "no_number.tsv:2: not a topic, a tab and the number of its fold"),
        ("fold_zero.tsv", "fold_zero.tsv:1"),
        ("no_tab.tsv", "no_tab.tsv:1"),
        ("twice.tsv", "twice.tsv:2: topic 1 has a fold already"),
    ],
)
def test_bad_files(name: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_folds(BAD / name)
    assert message in caught.value.problem
    if name == "fold_zero.tsv":
        assert caught.value.hint == "Folds are counted from 1, and there is no head line."
