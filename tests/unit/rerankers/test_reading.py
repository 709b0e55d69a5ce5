"""What a re-ranker is given to read."""

import pytest

from clir_cli.errors import DataError
from tests.tiny_collection import TinyCollection, make_collection


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=2, positions=32)


def test_inputs_fit_the_models_positions(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    longest = max(tiny.documents, key=lambda document: len(tiny.documents[document]))
    passages = reader.read("t1", longest)
    assert len(passages) > 1
    assert max(len(passage.pieces) for passage in passages) <= model.max_pieces == 32
    shorter = tiny.reader(model, max_pieces=20).read("t1", longest)
    assert max(len(passage.pieces) for passage in shorter) <= 20
    assert len(shorter) > len(passages)


def test_only_the_translation_arm_is_given_links(tiny: TinyCollection) -> None:
    relevant = next(document for document, grade in tiny.qrels["t1"].items() if grade)
    counts = {}
    for arm in ("translation", "identity", "blocks"):
        _, reader = tiny.reranker(kind="mart", arm=arm)
        counts[arm] = sum(len(passage.links[2]) for passage in reader.read("t1", relevant))
    assert counts == {"translation": 3, "identity": 0, "blocks": 0}


def test_links_are_the_topics_own(tiny: TinyCollection) -> None:
    relevant = next(document for document, grade in tiny.qrels["t1"].items() if grade)
    _, reader = tiny.reranker(kind="mart")
    tiny.queries["new"] = tiny.queries["t1"]  # a topic that the knowledge does not cover
    assert sum(len(passage.links[2]) for passage in reader.read("new", relevant)) == 0


def test_word_pieces_of_another_form_are_refused(tiny: TinyCollection) -> None:
    model, _ = tiny.reranker(kind="bert")
    with pytest.raises(DataError, match="were made by another tokenizer"):
        tiny.reader(model, text="folded")


def test_too_few_word_pieces_are_refused(tiny: TinyCollection) -> None:
    model, _ = tiny.reranker(kind="bert")
    with pytest.raises(DataError, match="keeps 800 pieces of a document, 801 are to be read"):
        tiny.reader(model, document_pieces=801)
