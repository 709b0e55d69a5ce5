"""What a re-ranker reads for a topic and a document; training and scoring share it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.records import TopicLinks
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.inputs import Passage, passages
from clir_cli.rerankers.mores.batch import ApartBatch, collate_apart
from clir_cli.rerankers.query_reader import QueryReader
from clir_cli.rerankers.reranker import Reranker
from clir_cli.translation.matrix import Arm


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
        with_links: bool = False,
    ) -> None:
        """``with_links``: passages carry translations whatever the model's arm: to look at, not to score."""
        self._arm: Arm | None = "translation" if with_links else model.arm
        self._asked = QueryReader(
            tokenizer,
            queries=queries,
            links=links,
            vocabulary=lambda: documents.vocabulary,
            arm=self._arm,
            text=text,
        )
        documents.check(self._asked.encoder, document_pieces)
        self.layout = read_layout(tokenizer, apart=model.apart)
        self._documents = documents
        self._max_pieces, self._document_pieces = min(max_pieces, model.max_pieces), document_pieces

    def read(self, topic: str, document: str) -> list[Passage]:
        """The passages of ``document``, each with the query of ``topic``; at least one."""
        query, links = self._asked.read(topic)
        return passages(
            query,
            self._documents.get(document),
            links,
            self.layout,
            max_pieces=self._max_pieces,
            document_pieces=self._document_pieces,
            arm=self._arm,
        )

    def query_keys(self, topic: str) -> list[str]:
        """The key of each word of a topic's query, as ``Passage.links`` numbers them."""
        return self._asked.read(topic)[0].keys

    def batch(self, passages: Sequence[Passage]) -> Batch | ApartBatch:
        """Passages side by side, in the given order."""
        return collate(passages, self.layout) if self.layout.cut is None else collate_apart(passages, self.layout)
