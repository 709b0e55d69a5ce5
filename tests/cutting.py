"""Passages of texts whose keys are strings, without a store of documents."""

from typing import Any

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.piece_store import number_keys
from clir_cli.encoders.pieces import Text
from clir_cli.records import TopicLinks
from clir_cli.rerankers.inputs import Passage, index_links
from clir_cli.rerankers.inputs import passages as cut


def passages(query: Text, document: Text, links: TopicLinks, layout: Layout, **options: Any) -> list[Passage]:
    """As ``inputs.passages``, the document's keys numbered on the spot."""
    numbers: dict[str, int] = {}
    pieces = number_keys(document, numbers)
    return cut(query, pieces, index_links(query, links, numbers), layout, **options)
