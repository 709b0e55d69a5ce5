"""What a re-ranker reads for a topic and a document; training and scoring share it.

Each text is turned into pieces once and kept as arrays.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from clir_cli.errors import DataError
from clir_cli.records import TopicLinks
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.inputs import Passage, Text, TextEncoder, passages


class PassageReader:
    """(topic, document) -> passages -> batches, for one kind of model.

    ``queries``: topic -> text; ``document_text``: document id -> text; ``links``: topic -> what M^tr carries (a topic
    that is not there has none). The arm is the model's; inputs are never longer than ``max_pieces`` and the model's
    positions allow.
    """

    def __init__(
        self,
        model: Reranker,
        tokenizer: Any,
        *,
        queries: Mapping[str, str],
        document_text: Callable[[str], str],
        links: Mapping[str, TopicLinks],
        text: Literal["raw", "folded"] = "raw",
        max_pieces: int = 512,
        document_pieces: int = 800,
    ) -> None:
        self._encoder = TextEncoder(tokenizer, text)
        self._arm = model.arm
        self._queries, self._document_text, self._links = queries, document_text, links
        self._max_pieces, self._document_pieces = min(max_pieces, model.max_pieces), document_pieces
        self._query_texts: dict[str, Text] = {}
        self._document_texts: dict[str, Text] = {}

    def read(self, topic: str, document: str) -> list[Passage]:
        """The passages of ``document``, each with the query of ``topic``; at least one."""
        return passages(
            self._query(topic),
            self._document(document),
            self._links.get(topic, {}),
            self._encoder.layout,
            max_pieces=self._max_pieces,
            document_pieces=self._document_pieces,
            arm=self._arm,
        )

    def batch(self, passages: Sequence[Passage]) -> Batch:
        """Passages side by side, in the given order."""
        return collate(passages, self._encoder.layout)

    def _query(self, topic: str) -> Text:
        if topic not in self._query_texts:
            if topic not in self._queries:
                raise DataError(f"Topic {topic} has no query text.", "Candidates and topics must be of the same set.")
            self._query_texts[topic] = self._encoder.encode(self._queries[topic])
        return self._query_texts[topic]

    def _document(self, document: str) -> Text:
        if document not in self._document_texts:
            text = self._encoder.encode(self._document_text(document), self._document_pieces)
            # The same words come in thousands of documents: one string for all of them.
            self._document_texts[document] = text._replace(keys=[sys.intern(key) for key in text.keys])
        return self._document_texts[document]
