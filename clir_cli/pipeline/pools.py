"""Pools: the parts of a collection that topics search, because they were judged on those parts only.

CLEF's collections grew by the year: French topics of 2002 were judged on Le Monde and ATS of 1994, those of 2005 on two
years of both. A topic that searched the rest would find documents that nobody judged.
"""

from collections.abc import Callable
from typing import Any

from clir_cli.config.schema import CollectionSettings
from clir_cli.corpora.topics import parse_ranges

Pool = dict[str, Any]
"""``{"topics": [[first, last], ..], "documents": [beginning of an id, ..]}``"""


def pools_of(collection: CollectionSettings) -> list[Pool]:
    """The pools of a collection, as they enter keys; none where every topic searches all of it."""
    return [{"topics": parse_ranges(pool.topics), "documents": pool.documents} for pool in collection.pools or []]


def pool_of(key: str, pools: list[Pool]) -> int | None:
    """Number of the pool that the topic of this key (``topic_key``) searches; None where no pool is for it."""
    if not (key.isascii() and key.isdecimal()):
        return None
    number = int(key)
    for place, pool in enumerate(pools):
        if any(first <= number <= last for first, last in pool["topics"]):
            return place
    return None


def searched_by(key: str, pools: list[Pool]) -> Callable[[str], bool]:
    """Whether a topic searches a document id; everything where there are no pools."""
    if not pools:
        return lambda document: True
    place = pool_of(key, pools)
    beginnings = tuple(pools[place]["documents"]) if place is not None else ()
    return lambda document: document.startswith(beginnings)
