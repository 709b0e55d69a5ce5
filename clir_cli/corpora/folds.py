"""Cross-validation by topic: which topics a fold tests, validates on and trains on.

Folds belong to topics, not to pairs: the same topic is in the same fold in every language pair, or a model that is
transferred from one pair to another would have been trained on its test topics.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.lines import read_lines, write_whole
from clir_cli.trec import natural_order


class Split(NamedTuple):
    """Topic keys of one fold's three parts; together they are all topics, and no topic is in two."""

    test: frozenset[str]
    validation: frozenset[str]
    training: frozenset[str]


def assign_folds(topic_keys: Iterable[str], count: int = 5, seed: int = 42) -> dict[str, int]:
    """Topic key -> fold (1 to ``count``), in natural order of the keys.

    Sizes differ by at most one. The order of ``topic_keys`` does not matter: topics are dealt out in the order of a
    hash of seed and key. Raises ``DataError`` where there are fewer topics than folds.
    """
    keys = set(topic_keys)
    if len(keys) < count:
        raise DataError(f"{len(keys)} topics cannot fill {count} folds.", "Bring more topics or ask for fewer folds.")
    shuffled = sorted(keys, key=lambda key: (hashlib.sha256(f"{seed}:{key}".encode()).digest(), key))
    fold_of = {key: place % count + 1 for place, key in enumerate(shuffled)}
    return {key: fold_of[key] for key in natural_order(keys)}


def split(folds: Mapping[str, int], fold: int) -> Split:
    """Fold f of k tests the topics of f, validates on those of f + 1 (after k comes 1) and trains on the rest.

    The paper has 60/20/20 but does not say which fold validates. Raises ``DataError`` for a fold that is not there.
    """
    count = max(folds.values(), default=0)
    if not 1 <= fold <= count:
        raise DataError(f"There is no fold {fold}: the folds are 1 to {count}.")
    next_fold = fold % count + 1
    parts: dict[str, set[str]] = {"test": set(), "validation": set(), "training": set()}
    for key, its_fold in folds.items():
        parts["test" if its_fold == fold else "validation" if its_fold == next_fold else "training"].add(key)
    return Split(**{name: frozenset(keys) for name, keys in parts.items()})


def write_folds(path: Path, folds: Mapping[str, int]) -> None:
    """Write one ``topic key TAB fold`` a line, in natural order."""
    with write_whole(path) as file:
        for key in natural_order(folds):
            file.write(f"{key}\t{folds[key]}\n")


def read_folds(path: Path) -> dict[str, int]:
    """What ``write_folds`` wrote. Raises ``DataError`` with file and line for anything else."""
    folds: dict[str, int] = {}
    for number, line in read_lines(path):
        key, tab, fold = line.partition("\t")
        if not (key and tab and fold.isascii() and fold.isdecimal() and 0 < len(fold) < 5 and int(fold)):
            problem = f"{path}:{number}: not a topic, a tab and the number of its fold."
            raise DataError(problem, "Folds are counted from 1, and there is no head line.")
        if key in folds:
            raise DataError(f"{path}:{number}: topic {key} has a fold already.", "Keep one of its lines.")
        folds[key] = int(fold)
    return folds
