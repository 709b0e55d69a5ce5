"""CSV: every number comes back as it was."""

import csv
import io
from math import fsum

from clir_cli.report.csv_files import comparisons_csv, results_csv, topics_csv
from clir_cli.report.tables import ResultsTable, build_table


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_results_in_full_precision(table: ResultsTable) -> None:
    rows = read(results_csv(table))
    assert len(rows) == 5 * 4
    for row in rows:
        column = [(c.pair, c.measure) for c in table.columns].index((row["pair"], row["measure"]))
        result = table.results[row["system"]][column]
        if result is None:
            assert row["value"] == row["beats"] == row["best_neural"] == ""
        else:
            assert float(row["value"]) == result.value
            assert row["beats"].split() == list(result.beats)
            assert row["best_neural"] == str(int(result.best))
            assert float(row["mean_over_topics"]) == result.value
        assert (row["topics"], row["mean_over"], row["mean_over_folds"]) == ("10", "topics", "")


def test_comparisons_in_full_precision(table: ResultsTable) -> None:
    rows = read(comparisons_csv(table))
    assert len(rows) == len(table.answers)
    for row, answer in zip(rows, table.answers, strict=True):
        assert float(row["p"]) == answer.comparison.p
        assert row["p_corrected"] == ("" if answer.corrected is None else repr(answer.corrected))
        assert float(row["effect_size"]) == answer.effect
        assert (row["test"], row["correction"], row["family"]) == ("t", "holm", "column")
        assert float(row["tost_p_0.05"]) == answer.comparison.margins[1].equivalence
        assert float(row["non_inferiority_p_0.02"]) == answer.comparison.margins[0].non_inferiority
        assert row["in_family"] == str(int(answer.contrast.in_family))


def test_topics_make_the_means(table: ResultsTable) -> None:
    rows = [row for row in read(topics_csv(table)) if (row["pair"], row["measure"]) == ("deu-eng", "AP@100")]
    mart = [float(row["value"]) for row in rows if row["system"] == "mart"]
    assert len(rows) == 5 * 10
    assert fsum(mart) / len(mart) == table.results["mart"][0].value  # type: ignore[union-attr]


def test_awkward_labels_survive() -> None:
    label = 'A, "B"\nC'
    (row,) = read(results_csv(build_table({"deu-eng": {"a": {"P@10": {"1": 0.1}}}}, {"a": label}, ["P@10"])))
    assert row["label"] == label


def test_no_comparisons() -> None:
    table = build_table({"deu-eng": {"a": {"P@10": {"1": 0.1}}}}, {"a": "A"}, ["P@10"])
    assert read(comparisons_csv(table)) == []
