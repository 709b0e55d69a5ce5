"""How a table is tested, beside what it prints: values computed by hand."""

import json
from math import isnan, sqrt

import pytest
from scipy import stats

from clir_cli.evaluation.question import Correction, PairedTest, TableFamily, TableQuestion
from clir_cli.report.csv_files import comparisons_csv, results_csv
from clir_cli.report.formats import to_latex, to_markdown, to_text
from clir_cli.report.sheets import comparisons_sheet, judged_sheet, means_sheet, results_sheet, sheets
from clir_cli.report.stored import from_json, to_json
from clir_cli.report.tables import Contrast, Means, Repetitions, ResultsTable, build_table

SYSTEMS = {"old": "Old", "new": "New", "other": "Other"}
TOPICS = [str(number) for number in range(1, 7)]
GAINS = {"new": (0.1, 0.2, 0.1, 0.3, 0.2, 0.4), "other": (0.1, -0.1, 0.2, 0.1, 0.0, 0.1)}


def values(pairs: tuple[str, ...] = ("deu-eng", "fra-eng")) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """The old system has 0.5 everywhere; gains count half in P@10."""
    return {
        pair: {
            name: {
                measure: {
                    topic: 0.5 + scale * gain for topic, gain in zip(TOPICS, GAINS.get(name, (0,) * 6), strict=True)
                }
                for measure, scale in (("AP@100", 1.0), ("P@10", 0.5))
            }
            for name in SYSTEMS
        }
        for pair in pairs
    }


def built(question: TableQuestion, **more: object) -> ResultsTable:
    asked = [Contrast("new", "old"), Contrast("other", "old"), Contrast("new", "other", in_family=False)]
    return build_table(values(), SYSTEMS, ["AP@100", "P@10"], contrasts=asked, question=question, **more)  # type: ignore[arg-type]


def test_randomisation_and_wilcoxon_by_hand() -> None:
    by_test = {
        # Signs that come as far: all one way. The other one's 0.4: of four 0.1 at most one against the 0.2.
        PairedTest.randomisation: (2 / 64, 10 / 32),
        # Ranks 2.5 four times and 5: of all signs, those whose smaller sum is at most 2.5.
        PairedTest.wilcoxon: (2 / 64, 10 / 32),
        PairedTest.t: tuple(stats.ttest_1samp(GAINS[name], 0).pvalue for name in ("new", "other")),
    }
    for test, (new, other) in by_test.items():
        answers = built(TableQuestion(test=test)).answers
        assert answers[0].p == pytest.approx(new)
        assert answers[1].p == pytest.approx(other)
        assert answers[0].corrected == pytest.approx(min(2 * new, max(2 * new, other)))
        assert answers[2].corrected is None
        assert answers[0].comparison.t == pytest.approx(stats.ttest_1samp(GAINS["new"], 0).statistic)


def test_families_and_corrections_by_hand() -> None:
    p = [row.p for row in built(TableQuestion()).answers if row.contrast.in_family]
    small, large = p[0], p[1]
    assert p == pytest.approx([small, large] * 4), "columns are alike"
    expected = {
        (TableFamily.column, Correction.holm): (2 * small, large),
        (TableFamily.pair, Correction.holm): (4 * small, 2 * large),
        (TableFamily.table, Correction.holm): (8 * small, 4 * large),
        (TableFamily.column, Correction.bh): (2 * small, large),
        (TableFamily.pair, Correction.bh): (2 * small, large),
        (TableFamily.table, Correction.bh): (2 * small, large),
    }
    for (family, correction), (first, second) in expected.items():
        table = built(TableQuestion(family=family, correction=correction))
        corrected = [row.corrected for row in table.answers if row.contrast.in_family]
        assert corrected == pytest.approx([first, second] * 4)


def test_marks_follow_the_test_that_is_asked_for() -> None:
    """p of the t-test is .0085, of all signs 2/64: with four comparisons only the first stays below .05."""
    by_t = built(TableQuestion(family=TableFamily.pair))
    by_signs = built(TableQuestion(test=PairedTest.randomisation, family=TableFamily.pair))
    assert [result.beats for result in by_t.results["new"] if result] == [("old",)] * 4
    assert [result.beats for result in by_signs.results["new"] if result] == [()] * 4


def test_what_the_sheets_say_of_it() -> None:
    question = TableQuestion(PairedTest.randomisation, Correction.bh, TableFamily.table, 20_000, 3)
    table = built(question)
    note = (
        "a: above Old (two-sided randomisation test over topics (exact, or 20000 draws, seed 3), BH-corrected "
        "p < 0.05; one family is the comparisons of the whole table: New and Other against a)."
    )
    assert note in results_sheet(table).notes
    sheet = comparisons_sheet(table)
    assert [head for head in sheet.heads if head[0] in ("Effect", "Randomisation test", "Paired t-test")] == [
        ("Effect", "d_z"), ("Randomisation test", "p"), ("Randomisation test", "BH p"),
    ]  # fmt: skip
    effect = [head[0] for head in sheet.heads].index("Effect")
    gains = GAINS["new"]
    mean = sum(gains) / 6
    deviation = sqrt(sum((gain - mean) ** 2 for gain in gains) / 5)
    assert sheet.rows[0][1][effect].text == f"{mean / deviation:+.2f}"
    assert any(note.startswith("Randomisation test: signs of the differences flipped") for note in sheet.notes)
    for text in (to_text(table), to_markdown(table), to_latex(table)):
        assert "Randomisation test" in text
    assert ",randomisation,0.03125,bh,table,0.0625," in comparisons_csv(table)


@pytest.mark.parametrize("test", list(PairedTest))
def test_one_topic_all_ties_and_equal_differences(test: PairedTest) -> None:
    """t of one topic: none; of equal differences 0. The others: 1, and both ends of all signs. All ties: 1."""

    def p(new: list[float], old: list[float]) -> tuple[float, float | None, float, tuple[str, ...]]:
        two = {"deu-eng": {n: {"P@10": dict(enumerate_topics(v))} for n, v in (("old", old), ("new", new))}}
        table = build_table(
            two, {"old": "Old", "new": "New"}, ["P@10"], contrasts=[Contrast("new", "old")],
            question=TableQuestion(test=test),
        )  # fmt: skip
        back = from_json(to_json(table))
        assert to_text(back) == to_text(table)
        answer, result = back.answers[0], back.results["new"][0]
        assert result is not None
        return answer.p, answer.corrected, answer.effect, result.beats

    alone = p([0.6], [0.5])
    assert isnan(alone[2])
    assert alone[3] == ()
    assert isnan(alone[0]) if test is PairedTest.t else alone[:2] == (1.0, 1.0)
    assert p([0.5] * 4, [0.5] * 4) == (1.0, 1.0, 0.0, ())
    same = p([0.6] * 4, [0.5] * 4)
    assert same[0] == {PairedTest.t: 0.0, PairedTest.randomisation: 2 / 16, PairedTest.wilcoxon: 2 / 16}[test]
    assert same[2] == float("inf")


def enumerate_topics(found: list[float]) -> list[tuple[str, float]]:
    return [(str(number), value) for number, value in enumerate(found, 1)]


def test_both_means_and_a_sheet_where_they_differ_as_printed() -> None:
    folds = {topic: 1 if topic in ("1", "2") else 2 for topic in TOPICS}
    over_topics = built(TableQuestion(), folds=folds, mean="topics")
    # Fold means of the gains: .15 and .25; over topics 1.3 / 6.
    assert over_topics.means["new"][0] == Means(pytest.approx(0.5 + 1.3 / 6), pytest.approx(0.7))
    assert over_topics.results["new"][0].value == pytest.approx(0.5 + 1.3 / 6)  # type: ignore[union-attr]
    assert over_topics.folds is None
    sheet = means_sheet(over_topics)
    assert (sheet.title, sheet.rows[1][1][0].text) == ("Means over folds", "0.7000")
    over_folds = built(TableQuestion(), folds=folds)
    assert (over_folds.folds, means_sheet(over_folds).title) == (2, "Means over topics")
    assert means_sheet(over_folds).rows[1][1][0].text == "0.7167"
    assert [one.name for one in sheets(over_topics)] == ["results", "means", "comparisons"]
    even = built(TableQuestion(), folds={topic: int(topic) for topic in TOPICS}, mean="topics")
    assert [one.name for one in sheets(even)] == ["results", "comparisons"], "folds of one topic: the same mean"
    lines = results_csv(over_topics).splitlines()
    line = next(line for line in lines if line.startswith("deu-eng,forward,AP@100,new,"))
    assert [float(cell) for cell in line.split(",")[10:12]] == pytest.approx([0.5 + 1.3 / 6, 0.7])


def test_judged_documents_beside_precision() -> None:
    judged = {
        pair: {
            name: {"judged@10": dict.fromkeys([*TOPICS, "left out"], share)}
            for name, share in (("old", 1.0), ("new", 0.25))
        }
        for pair in ("deu-eng", "fra-eng")
    }
    table = built(TableQuestion(), judged=judged)
    sheet = judged_sheet(table)
    assert [head[1:] for head in sheet.heads] == [("deu-eng", "judged@10"), ("fra-eng", "judged@10")]
    assert [(words, [cell.text for cell in cells]) for words, cells in sheet.rows] == [
        (["Old"], ["100.0 %", "100.0 %"]), (["New"], ["25.0 %", "25.0 %"]),
    ]  # fmt: skip
    assert table.judged["fra-eng"]["new"] == {"judged@10": 0.25}
    assert [one.name for one in sheets(table)] == ["results", "judged", "comparisons"]
    lines = results_csv(table).splitlines()
    assert lines[0].endswith("judged,seeds,deviation")
    assert [line.rsplit(",", 3)[1] for line in lines if ",P@10,new," in line] == ["0.25", "0.25"]


def test_seeds_are_told_of_and_come_back() -> None:
    repeated = {
        "deu-eng": {
            "new": Repetitions(
                (1, 2, 3), {"AP@100": [0.6, 0.7, 0.8], "P@10": [0.5, 0.5, 0.5]}, {"AP@100": 0.1, "P@10": 0.0}
            )
        }
    }
    table = built(TableQuestion(), repetitions=repeated)
    assert results_sheet(table).notes[-1] == (
        "Trained with seeds 1, 2 and 3; values are means over them, topic by topic, and so are those that are tested. "
        "Standard deviation of the means over topics: deu-eng New MAP 0.1000, P@10 0.0000."
    )
    assert from_json(to_json(table)) == table


def test_the_json_is_for_scripts() -> None:
    one = {
        "deu-eng": {"old": {"P@10": {"1": 0.0}}, "new": {"P@10": {"1": 1.0}}},
        "fra-eng": {"old": {"P@10": {"1": 0.5}}},
    }
    table = build_table(one, {"old": "Old", "new": "New"}, ["P@10"], contrasts=[Contrast("new", "old")])
    found = json.loads(to_json(table), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert found["results"]["new"] == [
        {"value": 1.0, "beats": [], "best": False, "pair": "deu-eng", "measure": "P@10"}, None,
    ]  # fmt: skip
    (answer,) = found["answers"]
    assert answer["contrast"] == {"system": "new", "baseline": "old", "in_family": True}
    assert (answer["p"], answer["corrected"], answer["comparison"]["relative_gain"]) == (None, None, None)
    assert (answer["comparison"]["wins"], answer["effect"]) == (1, None)
    back = from_json(to_json(table))
    assert isnan(back.answers[0].corrected or 0.0)
    assert str(back) == str(table), "nan where nan was"
    equal = build_table(
        {"deu-eng": {"old": {"P@10": {"1": 0.1, "2": 0.1}}, "new": {"P@10": {"1": 0.4, "2": 0.4}}}},
        {"old": "Old", "new": "New"}, ["P@10"], contrasts=[Contrast("new", "old")],
    )  # fmt: skip
    assert json.loads(to_json(equal))["answers"][0]["effect"] == "inf"
    assert from_json(to_json(equal)) == equal
