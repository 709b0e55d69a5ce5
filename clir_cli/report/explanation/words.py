"""The sentences of an explanation, the same on a terminal and on a page."""

from clir_cli.analysis.explanation import Explanation, FirstStage, Reranked

SYSTEMS = {
    "smt": "SMT query translation, BM25",
    "psq": "PSQ: a query word as all its translations, BM25",
    "human": "human translation, BM25",
    "dense": "dense retrieval",
}
NUMBERS = (
    "Words by their number, q3 the third of the query, d17 the 17th of the document; - is not in it (report.text: ids)."
)
READS_NONE = "{label} reads no translations: there are no links to leave out."
NO_LINK = "M^tr links no word of the query with a word of this document: it is the identity but for word pieces."
NO_MODEL = "{pair} has no re-ranker: this is the first stage alone."
NO_TERM = "The document holds no word that the query asks for."


def say_grade(explanation: Explanation) -> str:
    """Whether the document is relevant."""
    if explanation.grade is None:
        return "not judged"
    return f"judged {'relevant' if explanation.grade > 0 else 'not relevant'} (grade {explanation.grade})"


def say_first(first: FirstStage) -> str:
    """Where the first stage put it."""
    system = SYSTEMS.get(first.system, first.system)
    if first.rank is None:
        would = f"; its score would be {first.sum:.4f}" if first.is_split else ""
        return f"First stage ({system}): not among the {first.of} documents of the list{would}."
    return f"First stage ({system}): rank {first.rank} of {first.of}, score {first.score:.4f}."


def say_reranked(reranked: Reranked, first: FirstStage) -> str:
    """Where the re-ranker put it."""
    tests = "which tests this topic" if reranked.is_tested else "for the topic is in no fold"
    fold = "nothing fine-tuned" if reranked.fold is None else f"model of fold {reranked.fold}, {tests}"
    said = f"{reranked.label} ({fold}): "
    if not reranked.of:
        return f"{said}the topic was not re-ranked; score {reranked.reading.score:.4f}."
    if reranked.rank is None:
        would = f"its score {reranked.reading.score:.4f} would be rank {reranked.would_be}"
        return f"{said}not among the {reranked.of} that are re-ranked; {would}."
    moved = (first.rank or reranked.rank) - reranked.rank
    way = f"{abs(moved)} {'up' if moved > 0 else 'down'}" if moved else "as before"
    run = "" if not reranked.remark else f" In the run it has {reranked.run_score:.4f}: {reranked.remark}"
    return f"{said}rank {reranked.rank} of {reranked.of} ({way}), score {reranked.reading.score:.4f}.{run}"


def say_no_links(reranked: Reranked) -> str:
    """Why there are no links; empty where there are some."""
    if not reranked.reading.reads_translations:
        return READS_NONE.format(label=reranked.label)
    return "" if reranked.reading.links else NO_LINK


def say_weight(first: FirstStage) -> str:
    """What the weights are."""
    if first.system == "psq":
        return "weight: of a query word its part of the query, of a translation p(translation | query word)"
    return "weights are parts of the whole query, which sum to 1"
