"""Which part of a collection a topic searches."""

from clir_cli.pipeline.pools import pool_of, searched_by

POOLS = [
    {"topics": [[41, 140]], "documents": ["FR94", "SDA.94"]},
    {"topics": [[141, 200], [210, 210]], "documents": ["FR94", "SDA."]},
]


def test_a_topic_belongs_to_the_pool_of_its_number() -> None:
    assert [pool_of(key, POOLS) for key in ("41", "140", "141", "210", "211", "n09-000")] == [0, 0, 1, 1, None, None]


def test_a_topic_searches_the_documents_of_its_pool() -> None:
    early, late = searched_by("99", POOLS), searched_by("200", POOLS)
    assert early("SDA.940101.0001")
    assert not early("SDA.950101.0001")
    assert late("SDA.950101.0001")
    assert not searched_by("300", POOLS)("FR940101-000001")


def test_without_pools_every_topic_searches_everything() -> None:
    assert searched_by("300", [])("anything")
