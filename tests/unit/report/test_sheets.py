"""The words of a table: cells, headings and the sentences of its caption."""

from math import nan

import pytest

from clir_cli.report.sheets import Cell, comparisons_sheet, gains_sheet, p_value, percent, results_sheet, sheets
from clir_cli.report.tables import Contrast, ResultsTable, build_table


def test_results(table: ResultsTable) -> None:
    sheet = results_sheet(table)
    assert sheet.heads[:2] == [
        ("Forward (into English)", "deu-eng", "MAP"),
        ("Forward (into English)", "deu-eng", "P@10"),
    ]
    rows = {words[0]: cells for words, cells in sheet.rows}
    assert list(rows) == ["SMT", "Human", "tiny_BERT", "MART-PLB", "MART"]
    assert rows["SMT"][0] == Cell("0.2720")
    assert rows["MART"][0] == Cell("0.4350", "abc", best=True)
    assert rows["MART-PLB"][2] == Cell("–")


def test_caption_says_what_was_done(table: ResultsTable) -> None:
    assert results_sheet(table).notes == [
        "MAP (AP@100), P@10: mean over topics.",
        "10 topics for each pair.",
        "a: above SMT, b: above tiny_BERT, c: above MART-PLB (two-sided paired t-test over topics, Holm-corrected "
        "p < 0.05; one family is the comparisons of one column: MART against a, b and c).",
        "–: not run.",
        "Reduced: 10 epochs, 100% of the documents.",
    ]
    assert results_sheet(table).best == "best neural system of the column"


def test_caption_of_fold_means_and_uneven_pairs() -> None:
    values = {
        "deu-eng": {"a": {"P@10": {"C1": 0.0, "C2": 1.0}}},
        "swa-eng": {"a": {"P@10": {"C1": 0.0}}},
    }
    sheet = results_sheet(build_table(values, {"a": "A"}, ["P@10"], folds={"1": 1, "2": 2}))
    assert sheet.notes == ["P@10: mean of the means of 2 folds.", "Topics: deu-eng 2, swa-eng 1."]
    assert sheet.best == ""


def test_a_family_of_many_is_told_by_its_letters() -> None:
    """As of an ablation: one model against every variant, every row against the plain one."""
    names = ["plain", "model", "v1", "v2", "v3", "v4"]
    values = {"deu-eng": {name: {"P@10": {"1": 0.1 * place, "2": 0.2}} for place, name in enumerate(names)}}
    variants = names[2:]
    contrasts = [Contrast("model", name) for name in [*variants, "plain"]] + [
        Contrast(name, "plain") for name in variants
    ]
    labels = {name: f"MART, {name}" for name in names}
    note = results_sheet(build_table(values, labels, ["P@10"], contrasts=contrasts)).notes[2]
    assert note.endswith(
        "; one family is the comparisons of one column: MART, model against a to e; 4 others against e)."
    )
    few = [contrast for contrast in contrasts if contrast.baseline in ("v1", "v3", "plain")]
    note = results_sheet(build_table(values, {name: name for name in names}, ["P@10"], contrasts=few)).notes[2]
    assert note.endswith(
        "; one family is the comparisons of one column: model against a, b and c; 4 others against c)."
    )


def test_gains(table: ResultsTable) -> None:
    sheet = gains_sheet(table)
    assert [head[1] for head in sheet.heads] == ["deu-eng", "mean", "eng-deu", "mean"]
    assert [words for words, _ in sheet.rows] == [["MAP"], ["P@10"]]
    assert sheet.rows[0][1][0] == sheet.rows[0][1][1]
    assert sheet.title == "Relative gain of MART over tiny_BERT"


def test_comparisons(table: ResultsTable) -> None:
    sheet = comparisons_sheet(table)
    by_name = {tuple(words): [cell.text for cell in cells] for words, cells in sheet.rows}
    assert len(by_name) == 4 + 4 + 2 + 2
    inside = by_name["deu-eng", "MAP", "MART vs SMT"]
    outside = by_name["deu-eng", "MAP", "MART-PLB vs tiny_BERT"]
    holm = [head[1] for head in sheet.heads].index("Holm p")
    assert inside[:4] == ["0.4350", "0.2720", "+0.1630", "+59.9 %"]
    assert inside[holm] == "<0.0001"
    assert outside[holm] == "–"
    assert "Outside the family, raw p only: MART-PLB vs tiny_BERT." in sheet.notes
    assert [head for head in sheet.heads if head[0].startswith("Margin")] == [
        ("Margin 2 %", "not worse p"),
        ("Margin 2 %", "TOST p"),
        ("Margin 5 %", "not worse p"),
        ("Margin 5 %", "TOST p"),
    ]


def test_one_topic_prints_that_there_is_no_test() -> None:
    values = {"deu-eng": {"a": {"P@10": {"1": 0.0}}, "b": {"P@10": {"1": 1.0}}}}
    table = build_table(values, {"a": "A", "b": "B"}, ["P@10"], contrasts=[Contrast("b", "a")], margins=[])
    ((_, cells),) = comparisons_sheet(table).rows
    assert [cell.text for cell in cells] == [
        "1.0000", "0.0000", "+1.0000", "–", "n/a", "n/a", "n/a", "n/a", "n/a", "1", "1/0/0",
    ]  # fmt: skip
    assert results_sheet(table).notes[1] == "1 topics."


def test_sheets_without_tests_and_gains() -> None:
    table = build_table({"deu-eng": {"a": {"P@10": {"1": 0.0}}}}, {"a": "A"}, ["P@10"])
    assert [sheet.name for sheet in sheets(table)] == ["results"]


@pytest.mark.parametrize(
    ("p", "text"), [(None, "–"), (nan, "n/a"), (0.0, "<0.0001"), (0.00012, "0.0001"), (0.05, "0.0500"), (1.0, "1.0000")]
)
def test_p_value(p: float | None, text: str) -> None:
    assert p_value(p) == text


def test_percent() -> None:
    assert [percent(0.02), percent(0.025), percent(0.95)] == ["2 %", "2.5 %", "95 %"]
    assert [percent(0.0812, sign=True), percent(-0.5, sign=True)] == ["+8.1 %", "-50.0 %"]
    assert [percent(None), percent(nan, sign=True)] == ["–", "–"]
