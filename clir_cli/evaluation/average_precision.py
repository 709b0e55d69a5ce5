"""Average precision with a cut: what training watches, without the weight of an evaluation package.

``measures`` gives the same number through trec_eval; this one exists because training must run where only
torch is installed. The two are held together by a test.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

from clir_cli.errors import DataError
from clir_cli.records import Qrels, Run, ScoredDoc


def average_precision(ranking: Sequence[ScoredDoc], judgements: Mapping[str, int], depth: int = 100) -> float:
    """Average precision of one topic, trec_eval's ``map_cut_<depth>``.

    The precision at each relevant document among the first ``depth``, summed and divided by the number of **all**
    relevant documents of the topic, found or not: a list of ``depth`` documents is not rewarded for being short.

    Args:
        ranking: best first; its order is taken as it is, so sort ties beforehand (``trec.rank``).
        judgements: document id -> grade; a grade above 0 is relevant.
        depth: documents looked at.

    Returns a value from 0 to 1; 0 where nothing is relevant or nothing was retrieved.
    """
    relevant = sum(grade > 0 for grade in judgements.values())
    if not relevant:
        return 0.0
    found, total = 0, 0.0
    for position, (document, _) in enumerate(ranking[:depth], start=1):
        if judgements.get(document, 0) > 0:
            found += 1
            total += found / position
    return total / relevant


def mean_average_precision(run: Run, qrels: Qrels, topics: Iterable[str], depth: int = 100) -> float:
    """Mean of ``average_precision`` over those ``topics`` that have a relevant document; a topic without a list is 0.

    Raises ``DataError`` where no topic has a relevant document.
    """
    judged = [topic for topic in topics if any(grade > 0 for grade in qrels.get(topic, {}).values())]
    if not judged:
        raise DataError("None of the topics has a relevant document.", "Check that topics and qrels belong together.")
    return fsum(average_precision(run.get(topic, []), qrels[topic], depth) for topic in judged) / len(judged)
