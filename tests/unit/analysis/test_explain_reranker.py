"""A document's score by passage and by link, and what it is without links: held to scoring with other tables."""

from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.analysis.explain_reranker import first_words, read_document, without_links
from clir_cli.analysis.explanation import Reading
from clir_cli.records import TopicLinks
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.mat import TranslationHead
from clir_cli.reranking.scoring import Scorer
from clir_cli.translation.matrix import links_between
from tests.tiny_collection import TinyCollection, make_collection

MART: dict[str, Any] = {"kind": "mart"}
MORES: dict[str, Any] = {"kind": "mores", "blocks": 2, "arm": "translation"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    tiny = make_collection(tmp_path_factory.mktemp("explain") / "encoder")
    words = tiny.queries["t1"].split()
    targets = [next(iter(tiny.links["t1"][word])) for word in words]
    tiny.queries["t1"] = " ".join([*words, words[0]])  # asked twice
    filler = tiny.documents["t1-d0"].split()[:2]
    tiny.documents["long"] = " ".join([*targets, *filler * 10, targets[0], *filler * 5, targets[0], targets[1]])
    tiny.documents["plain"] = " ".join(filler * 3)
    tiny.documents["empty"] = ""
    return tiny


def loud(model: Reranker) -> Reranker:
    """Branches of translations that are heard: as they start they are small."""
    with torch.no_grad():
        for part in model.modules():
            if isinstance(part, TranslationHead):
                part.value.weight.mul_(20)
                part.output.weight.mul_(20)
    return model


def explained(
    tiny: TinyCollection, build: dict[str, Any], document: str = "long", tokens: int | None = None
) -> Reading:
    model, _ = tiny.reranker(**build)
    reader, store = tiny.reader(loud(model), max_pieces=32), tiny.pieces()
    pieces, names = store.get(document), list(store.vocabulary)
    return read_document(
        Scorer(model, reader, tokens=tokens),
        reader.read("t1", document),
        pieces,
        reader.query_keys("t1"),
        [names[key] for key in pieces.keys.tolist()],
        reads_translations=model.arm == "translation",
    )


def scored(tiny: TinyCollection, build: dict[str, Any], links: TopicLinks, document: str = "long") -> float:
    """The score with another table."""
    known, tiny.links = tiny.links, {"t1": links}
    try:
        model, _ = tiny.reranker(**build)
        return Scorer(loud(model), tiny.reader(model, max_pieces=32)).score("t1", [document])[0]
    finally:
        tiny.links = known


@pytest.mark.parametrize("build", [MART, MORES], ids=lambda build: build["kind"])
def test_without_a_words_links_is_scoring_with_its_row_removed(tiny: TinyCollection, build: dict[str, Any]) -> None:
    found = explained(tiny, build)
    links = tiny.links["t1"]
    assert found.score == pytest.approx(scored(tiny, build, links), abs=1e-5)
    assert [one.word for one in found.without] == [*links, ""]
    for one in found.without[:-1]:
        rest = {word: row for word, row in links.items() if word != one.word}
        assert one.score == pytest.approx(scored(tiny, build, rest), abs=1e-5)
        assert abs(one.score - found.score) > 1e-4  # or leaving out would show nothing
    assert found.without[-1].score == pytest.approx(scored(tiny, build, {}), abs=1e-5)
    assert found.without[-1].links == sum(one.links for one in found.without[:-1])


def test_passages_and_links_by_hand(tiny: TinyCollection) -> None:
    found = explained(tiny, MART)
    words = tiny.documents["long"].split()
    assert len(found.passages) > 1
    assert found.score == pytest.approx(sum(passage.score for passage in found.passages) / len(found.passages))
    assert (found.passages[0].first, found.passages[-1].last) == (1, len(words))
    for one, following in zip(found.passages, found.passages[1:], strict=False):
        assert following.first in (one.last, one.last + 1)  # a word on the border is in both
    expected = {link[:2]: (link.p, link.occurrences) for link in links_between(tiny.links["t1"], words)}
    assert [link.query_word for link in found.links] == list(tiny.links["t1"])
    for link in found.links:
        p, times = expected.pop((link.query_word, link.document_word))
        assert (link.p, link.times) == (pytest.approx(p), times)
        holding = [
            number
            for number, passage in enumerate(found.passages, 1)
            if link.document_word in words[passage.first - 1 : passage.last]
        ]
        assert link.passages == holding
    assert not expected
    first = found.links[0]
    inside = [words[passage.first - 1 : passage.last].count(first.document_word) for passage in found.passages]
    assert found.without[0].links == 2 * sum(inside)  # each occurrence with both of the query


def test_the_same_call_gives_the_same_bits_and_batches_move_little(tiny: TinyCollection) -> None:
    assert explained(tiny, MART) == explained(tiny, MART)
    small, large = explained(tiny, MART, tokens=1), explained(tiny, MART, tokens=4000)
    assert [one.score for one in small.without] == pytest.approx([one.score for one in large.without], abs=1e-5)


@pytest.mark.parametrize("build", [{"kind": "bert"}, MART | {"arm": "identity"}, MORES | {"arm": None}], ids=str)
def test_a_model_that_reads_no_translations_has_no_links(tiny: TinyCollection, build: dict[str, Any]) -> None:
    found = explained(tiny, build)
    assert (found.links, found.without, found.reads_translations) == ([], [], False)
    assert found.score == pytest.approx(scored(tiny, build, tiny.links["t1"]), abs=1e-5)


@pytest.mark.parametrize("document", ["plain", "empty"])
def test_a_document_without_links(tiny: TinyCollection, document: str) -> None:
    found = explained(tiny, MART, document)
    assert (found.links, found.without, found.reads_translations) == ([], [], True)
    assert found.score == pytest.approx(scored(tiny, MART, tiny.links["t1"], document), abs=1e-5)


def test_links_left_out_of_a_passage_are_those_of_the_word(tiny: TinyCollection, tmp_path: Path) -> None:
    model, _ = tiny.reranker(**MART)
    (passage, *_) = passages = tiny.reader(model, max_pieces=32).read("t1", "long")
    left = without_links(passage, [0, 3])
    assert set(left.links[0].tolist()) == {1, 2}
    assert len(left.links[2]) < len(passage.links[2])
    assert (left.pieces == passage.pieces).all()
    assert first_words(passages, tiny.pieces().get("long"))[0] == 0
