"""Average precision equals trec_eval's, ties included."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.evaluation.average_precision import average_precision, mean_average_precision
from clir_cli.trec import rank

documents = st.text(alphabet="aB1é-", min_size=1, max_size=3)
# Few distinct scores, all exact in 32 bits: many ties, and none that only exists in single precision.
scored = st.dictionaries(documents, st.integers(-3, 3).map(float), max_size=12)
judged = st.dictionaries(documents, st.integers(-1, 2), min_size=1, max_size=8)


@given(scored, judged, st.integers(1, 12))
def test_equals_trec_eval(scores: dict[str, float], judgements: dict[str, int], depth: int) -> None:
    measure = ir_measures.AP @ depth
    (theirs,) = ir_measures.iter_calc([measure], {"t": judgements}, {"t": scores})
    assert average_precision(rank(scores.items()), judgements, depth) == pytest.approx(theirs.value, abs=1e-12)


@given(st.permutations([("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 0.5)]))
def test_order_of_ties_in_a_file_changes_nothing(entries: list[tuple[str, float]]) -> None:
    assert average_precision(rank(entries), {"b": 1}) == 0.5  # c, b, a, d


def test_nothing_relevant_is_zero() -> None:
    assert average_precision(rank([("a", 1.0)]), {"a": 0}) == 0.0
    assert average_precision([], {"a": 1}) == 0.0


def test_mean_skips_topics_without_relevant_documents() -> None:
    run = {"1": rank([("a", 1.0)]), "2": rank([("a", 1.0)])}
    assert mean_average_precision(run, {"1": {"a": 1}, "2": {"a": 0}}, ["1", "2", "3"]) == 1.0
    with pytest.raises(DataError, match="None of the topics"):
        mean_average_precision(run, {"2": {"a": 0}}, ["2"])
