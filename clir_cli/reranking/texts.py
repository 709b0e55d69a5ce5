"""Scores of texts that are in no collection."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clir_cli.encoders.piece_store import write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import UsageError
from clir_cli.records import TopicLinks
from clir_cli.rerankers.reading import PassageReader
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.linking import LinkRule, link_queries
from clir_cli.reranking.scoring import Scorer
from clir_cli.translation.table import TranslationTable

READING: dict[str, Any] = {"text": "raw", "max_pieces": 512, "document_pieces": 800}
"""How much of the texts a model reads, and in which form, where its folder does not say (the paper's)."""


def find_links(
    model: Reranker,
    queries: Mapping[str, str],
    keys: Iterable[str],
    table: TranslationTable | None,
    links: Mapping[str, TopicLinks] | None,
    rule: LinkRule | None,
) -> Mapping[str, TopicLinks]:
    """The links that ``model`` is given, ``keys`` being the words of the documents; none where it looks at none.

    Raises ``UsageError`` where they are missing.
    """
    if model.arm != "translation":
        return {}
    if links is not None:
        return links
    if table is None:
        raise UsageError(
            "This model reads translations (M^tr), and no table of them is given.",
            "Give the translation table of its language pair, or links.",
        )
    return link_queries(queries, keys, table, rule or LinkRule())


def score_texts(
    model: Reranker,
    tokenizer: Any,
    query: str,
    documents: Sequence[str],
    *,
    table: TranslationTable | None = None,
    links: TopicLinks | None = None,
    rule: LinkRule | None = None,
    reading: Mapping[str, Any] = READING,
) -> list[float]:
    """The score of each text for ``query``. ``table`` or ``links`` for models of the arm ``translation``."""
    if not documents:
        return []
    chosen = {name: reading.get(name, default) for name, default in READING.items()}
    names = [str(number) for number in range(len(documents))]
    encoder = TextEncoder(tokenizer, chosen["text"])
    with TemporaryDirectory() as folder:
        pieces = write_pieces(
            Path(folder), zip(names, documents, strict=True), encoder, max_pieces=chosen["document_pieces"]
        )
        queries = {"": query}
        found = find_links(model, queries, pieces.vocabulary, table, None if links is None else {"": links}, rule)
        reader = PassageReader(model, tokenizer, queries=queries, documents=pieces, links=found, **chosen)
        return Scorer(model, reader).score("", names)
