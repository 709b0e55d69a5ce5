"""Measures per topic, computed by trec_eval's own code through the ``ir_measures`` package."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import fsum, isnan
from operator import gt
from typing import Any

from clir_cli.corpora.topics import topic_key
from clir_cli.errors import DataError, UsageError
from clir_cli.records import Qrels


def parse_measures(names: Iterable[str]) -> dict[str, Any]:
    """The measures that ``names`` name (``AP@100``, ``P@10``, ``nDCG(dcg='exp-log2')@10``), as ir_measures' objects.

    Other papers' names are read too, and stay the names of the results: ``MRR@10`` is RR@10, ``MAP@100`` is AP@100, and
    nDCG and judged may be written in any letter case. ``judged@10`` is the share of judged documents, relevant or not,
    among the first 10 (of those that are there, where the list is shorter): a low one says that P@10 counts unjudged
    documents as not relevant.

    Each is tried on one document, so that a name that parses but cannot be computed is found out here, before hours of
    training, and not in the table at their end.

    Raises ``UsageError`` with every bad name and the near ones.
    """
    parsed, faults = {}, []
    for name in names:
        try:
            parsed[name] = _parse(name)
        except Exception as fault:
            faults.append(f"{name!r} is no measure: {fault}")
    if faults:
        raise UsageError(" ".join(faults), "Use names of the ir_measures package, such as AP@100, P@10 or nDCG@10.")
    return parsed


def _parse(name: str) -> Any:
    import ir_measures

    registry = ir_measures.measures.registry
    name = re.sub(r"^\s*ndcg\b", "nDCG", name, flags=re.IGNORECASE)  # NDCG in one paper, nDCG in the next
    name = re.sub(r"^\s*judged\b", "Judged", name, flags=re.IGNORECASE)
    simple = re.fullmatch(r"\s*(\w+)\s*(?:@\s*(\d+)\s*)?", name)
    head = simple[1] if simple else re.split(r"\W", name.strip(), maxsplit=1)[0]
    if head not in registry:
        spelling: dict[str, str] = {}
        for known in registry:  # the package knows some measures in two spellings, the usual one first
            spelling.setdefault(known.lower(), known)
        if head.lower() in spelling:
            raise ValueError(f"did you mean {spelling[head.lower()]}{name.strip().removeprefix(head)}?")
        near = [spelling[found] for found in get_close_matches(head.lower(), spelling)]
        raise ValueError(f"did you mean {' or '.join(near)}?" if near else "no such name.")
    if simple:
        # The package's own parser needs parts of ``ast`` that Python 3.14 took out.
        measure = registry[head] if simple[2] is None else registry[head] @ int(simple[2])
    else:
        measure = ir_measures.parse_measure(name)
    if measure.params.get("cutoff", 1) < 1:
        raise ValueError("the cut-off must be at least 1.")  # trec_eval would end the whole process
    try:
        list(ir_measures.iter_calc([measure], {"topic": {"document": 1}}, {"topic": {"document": 1.0}}))
    except AssertionError as fault:
        raise ValueError(f"{fault} (P and others need a cut-off, as in P@10).") from None
    return measure


def cutoff_of(name: str) -> int | None:
    """How many documents of a list a measure looks at: 10 of ``P@10``; None where it reads the whole list."""
    found = re.search(r"(?:@\s*|\bcutoff\s*=\s*)(\d+)", name)
    return int(found[1]) if found else None


def judged_beside(measures: Iterable[str]) -> dict[str, str]:
    """Precision -> the measure that says how much of it was judged: ``P@10`` -> ``judged@10``."""
    names = {name: cutoff_of(name) for name in measures if re.match(r"\s*P\b", name)}
    return {name: f"judged@{cutoff}" for name, cutoff in names.items() if cutoff is not None}


def evaluate(
    run: Mapping[str, Collection[tuple[str, float]]], qrels: Qrels, topics: Sequence[str], measures: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Every measure for every declared topic that has a relevant document.

    A topic that is missing from the run, or has an empty list there, counts 0: it must not leave the mean
    (trec_eval without ``-c`` lets it). Lists are ordered by score, then document id, both descending, scores compared
    as 64-bit floats; the code inside ir_measures compares 32-bit floats, so it is given ranks in place of scores.

    Args:
        run: topic -> (document, score) in any order, such as a ``Run``; topics that are not declared are left aside.
        qrels: topic -> document -> grade, under the same topic ids (see ``clean_judgements``).
        topics: the declared topics.
        measures: names for ``parse_measures``.

    Returns measure name -> topic -> value, topics in the declared order.

    Raises ``UsageError`` for a bad measure name; ``DataError`` where a list holds a document twice or a score that is
    not a number, or where no topic has a relevant document.
    """
    import ir_measures

    parsed = parse_measures(measures)
    judged = {topic: qrels[topic] for topic in topics if any(grade > 0 for grade in qrels.get(topic, {}).values())}
    if not judged:
        raise DataError("None of the topics has a relevant document.", "Check that topics and qrels belong together.")
    ranks = {topic: _ranks(topic, run[topic]) for topic in judged if run.get(topic)}
    values = {name: dict.fromkeys(judged, 0.0) for name in parsed}
    names: dict[Any, list[str]] = {}
    for name, measure in parsed.items():  # two names may mean one measure: MAP@100 and AP@100
        names.setdefault(measure, []).append(name)
    for metric in ir_measures.iter_calc(list(names), judged, ranks):
        for name in names[metric.measure]:
            values[name][metric.query_id] = float(metric.value)
    return values


def _ranks(topic: str, ranking: Collection[tuple[str, float]]) -> dict[str, float]:
    """Document -> a score that falls by one with each place of the canonical order."""
    documents, scores = zip(*ranking, strict=True)
    if not isnan(scores[0]) and all(map(gt, scores, scores[1:])):  # as in most files; of a nan nothing is greater
        ordered: Sequence[str] = documents
    else:
        for document, score in zip(documents, scores, strict=True) if any(map(isnan, scores)) else ():
            if isnan(score):
                problem = f"Topic {topic}: The score of document {document} is not a number."
                raise DataError(problem, "Make the run again.")
        pairs = sorted(zip(map(float, scores), documents, strict=True), reverse=True)
        ordered = [document for _, document in pairs]
    ranks = dict(zip(ordered, map(float, range(len(ordered), 0, -1)), strict=True))
    if len(ranks) != len(ordered):
        counted = Counter(ordered)
        twice = next(document for document, _ in ranking if counted[document] > 1)
        raise DataError(f"Topic {topic}: document {twice} is in the list twice.", "Keep its best rank only.")
    return ranks


def mean_over_topics(values: Mapping[str, float]) -> float:
    """Plain mean of topic -> value; the order of topics cannot change a digit.

    Raises ``DataError`` where there is no topic.
    """
    if not values:
        raise DataError("There is no topic to average over.")
    return fsum(values.values()) / len(values)


def fold_of(topic: str, folds: Mapping[str, int]) -> int:
    """The fold of a topic; ``folds`` is keyed by topic ids or by their ``topic_key``.

    Raises ``DataError`` where the topic has none.
    """
    fold = folds.get(topic, folds.get(topic_key(topic)))
    if fold is None:
        raise DataError(f"Topic {topic} belongs to no fold.", "Make the folds again from the topics evaluated.")
    return fold


def mean_over_folds(values: Mapping[str, float], folds: Mapping[str, int]) -> float:
    """Mean of the fold means (the MAT paper's): a fold that is smaller by a topic weighs as much as the others.

    Args:
        values: topic -> value.
        folds: topic, or its ``topic_key``, -> fold number.

    Raises ``DataError`` where a topic has no fold.
    """
    parts: dict[int, dict[str, float]] = {}
    for topic, value in values.items():
        parts.setdefault(fold_of(topic, folds), {})[topic] = value
    return mean_over_topics({str(fold): mean_over_topics(part) for fold, part in parts.items()})
