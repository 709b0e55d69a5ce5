"""Links between queries and documents from a table alone: what the pipeline stores per topic, made on the spot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from clir_cli.corpora.normalise import content_keys, stop_words
from clir_cli.errors import UsageError
from clir_cli.records import TopicLinks
from clir_cli.translation.matrix import link_topics
from clir_cli.translation.rules import CopyRule, TranslationRules
from clir_cli.translation.table import TranslationTable


@dataclass(frozen=True, slots=True)
class LinkRule:
    """Which entries of a table become links; the defaults are the paper's, without stop lists."""

    copy: CopyRule = "never"
    threshold: float = 0.0
    keeps_stop_words: bool = False
    stop_query: frozenset[str] = frozenset()
    stop_document: frozenset[str] = frozenset()

    @classmethod
    def of(cls, said: Mapping[str, Any], **stop: str | None) -> "LinkRule":
        """The rule that a model's ``config.json`` has as ``links``, with stop lists of ``stop_words``.

        ``stop``: ``query`` and ``document``, each ``iso``-list's language or a file, instead of what is said there.
        Raises ``UsageError`` where a list is a file that only the experiment knows, and where the model was trained
        with links that no table gives (an ablation of M^tr).
        """
        if said.get("arm", "translation") != "translation":
            raise UsageError(
                f"The model was trained with links of the arm {said['arm']}: a table does not give them.",
                "Give the links of its experiment with --links.",
            )
        lists = [
            _stop_list(given, known, side)
            for given, known, side in zip(
                (stop.get("query"), stop.get("document")),
                said.get("stop") or (None, None),
                ("query", "document"),
                strict=True,
            )
        ]
        keeps = said.get("stop_words") == "keep"
        return cls(said.get("copy", "never"), float(said.get("threshold", 0.0)), keeps, *lists)


def _stop_list(given: str | None, known: Mapping[str, str] | None, side: str) -> frozenset[str]:
    if given is not None:
        is_code = len(given) == 3 and given.isascii() and given.isalpha()
        return stop_words("iso", given) if is_code else stop_words(given, "")
    if known is None:
        return frozenset()
    if known["spec"] not in ("iso", "none"):
        raise UsageError(
            f"The model was trained with a stop list of its own for the {side}s, a file.",
            f"Name it with --{side}-stop-words.",
        )
    return stop_words(known["spec"], known["language"])


def link_queries(
    queries: Mapping[str, str], keys: Iterable[str], table: TranslationTable, rule: LinkRule
) -> dict[str, TopicLinks]:
    """Query id -> what M^tr carries: translations of its words among the ``keys`` of words in documents."""
    stop_query, stop_document = (
        (frozenset(), frozenset()) if rule.keeps_stop_words else (rule.stop_query, rule.stop_document)
    )
    vocabulary = {key for key in keys if content_keys(key, stop_document) == [key]}
    words = {id: content_keys(text, frozenset()) for id, text in queries.items()}
    rules = TranslationRules(copy=rule.copy, threshold=rule.threshold, stop=stop_query)
    return link_topics(words, vocabulary, table, rules)
