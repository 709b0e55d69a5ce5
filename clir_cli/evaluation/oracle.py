"""The ceiling of re-ranking: what a re-ranker that knew the judgements would make of its candidates."""

from clir_cli.records import Qrels, Run, ScoredDoc


def rerank_by_judgements(candidates: Run, qrels: Qrels, depth: int) -> Run:
    """The first ``depth`` candidates of every topic, relevant ones first.

    Higher grades come first, so that measures with grades have their ceiling too; what is not relevant or not judged
    keeps its order. Scores fall by one with each place, down to 1. Relevant documents that are not among the candidates
    stay out: that is what recall costs every re-ranker.
    """
    run: Run = {}
    for topic, ranking in candidates.items():
        grades = qrels.get(topic, {})
        best_first = sorted(ranking[:depth], key=lambda entry: -max(grades.get(entry.document, 0), 0))
        run[topic] = [
            ScoredDoc(entry.document, float(len(best_first) - place)) for place, entry in enumerate(best_first)
        ]
    return run
