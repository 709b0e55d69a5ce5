"""What a re-ranker reads of a topic: its query as word pieces, and the links that M^tr carries for it."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from clir_cli.encoders.pieces import Text, TextEncoder
from clir_cli.errors import DataError
from clir_cli.records import TopicLinks
from clir_cli.rerankers.inputs import NO_LINKS, QueryLinks, index_links
from clir_cli.translation.matrix import Arm


class QueryReader:
    """``queries``: topic -> text; ``links``: topic -> what M^tr carries (a topic that is not there has none).

    ``vocabulary`` gives the documents' number of a word; it is called only where there are links to find. Only the arm
    of translations reads links.
    """

    def __init__(
        self,
        tokenizer: Any,
        *,
        queries: Mapping[str, str],
        links: Mapping[str, TopicLinks],
        vocabulary: Callable[[], Mapping[str, int]],
        arm: Arm | None,
        text: Literal["raw", "folded"] = "raw",
    ) -> None:
        self.encoder = TextEncoder(tokenizer, text)
        self._queries, self._links, self._vocabulary, self._arm = queries, links, vocabulary, arm
        self._known: dict[str, tuple[Text, QueryLinks]] = {}

    def read(self, topic: str) -> tuple[Text, QueryLinks]:
        """Raises ``DataError`` for a topic without a query."""
        if topic not in self._known:
            if topic not in self._queries:
                raise DataError(f"Topic {topic} has no query text.", "Candidates and topics must be of the same set.")
            text = self.encoder.encode(self._queries[topic])
            links = self._links.get(topic, {}) if self._arm == "translation" else {}
            self._known[topic] = text, index_links(text, links, self._vocabulary()) if links else NO_LINKS
        return self._known[topic]
