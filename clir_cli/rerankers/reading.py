"""What a re-ranker reads for a topic and a document; training and scoring share it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.encoders.pieces import Text, TextEncoder
from clir_cli.errors import DataError
from clir_cli.records import TopicLinks
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.inputs import NO_LINKS, Passage, QueryLinks, index_links, passages
from clir_cli.rerankers.mores.batch import ApartBatch, collate_apart
from clir_cli.rerankers.reranker import Reranker


class Reads(Protocol):
    """What gives a model its inputs."""

    def read(self, topic: str, document: str) -> list[Passage]:
        """The passages of ``document``, each with the query of ``topic``; at least one."""

    def batch(self, passages: Sequence[Passage]) -> Batch | ApartBatch:
        """Passages side by side, in the given order."""


class PassageReader:
    """(topic, document) -> passages -> batches, for one kind of model.

    ``queries``: topic -> text; ``documents``: their word pieces; ``links``: topic -> what M^tr carries (a topic that is
    not there has none). The arm is the model's; inputs are never longer than ``max_pieces`` and the model's positions
    allow. Raises ``DataError`` where the pieces were made for another model, or are too few.
    """

    def __init__(
        self,
        model: Reranker,
        tokenizer: Any,
        *,
        queries: Mapping[str, str],
        documents: PieceStore,
        links: Mapping[str, TopicLinks],
        text: Literal["raw", "folded"] = "raw",
        max_pieces: int = 512,
        document_pieces: int = 800,
    ) -> None:
        self._encoder = TextEncoder(tokenizer, text)
        documents.check(self._encoder, document_pieces)
        self.layout = read_layout(tokenizer, apart=model.apart)
        self._arm = model.arm
        self._queries, self._documents, self._links = queries, documents, links
        self._max_pieces, self._document_pieces = min(max_pieces, model.max_pieces), document_pieces
        self._known: dict[str, tuple[Text, QueryLinks]] = {}

    def read(self, topic: str, document: str) -> list[Passage]:
        """The passages of ``document``, each with the query of ``topic``; at least one."""
        query, links = self._query(topic)
        return passages(
            query,
            self._documents.get(document),
            links,
            self.layout,
            max_pieces=self._max_pieces,
            document_pieces=self._document_pieces,
            arm=self._arm,
        )

    def batch(self, passages: Sequence[Passage]) -> Batch | ApartBatch:
        """Passages side by side, in the given order."""
        return collate(passages, self.layout) if self.layout.cut is None else collate_apart(passages, self.layout)

    def _query(self, topic: str) -> tuple[Text, QueryLinks]:
        if topic not in self._known:
            if topic not in self._queries:
                raise DataError(f"Topic {topic} has no query text.", "Candidates and topics must be of the same set.")
            text = self._encoder.encode(self._queries[topic])
            links = self._links.get(topic, {}) if self._arm == "translation" else {}
            self._known[topic] = text, index_links(text, links, self._documents.vocabulary) if links else NO_LINKS
        return self._known[topic]
