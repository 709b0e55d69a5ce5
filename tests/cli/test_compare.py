"""`clir compare` and `clir power` on runs in files, against ir_measures and scipy called by hand."""

import csv
import io
import json
import random
from pathlib import Path

import ir_measures
import pytest
from ir_measures import AP, Judged, P, nDCG
from scipy import stats

from .conftest import Call

TOPICS = [str(topic) for topic in range(1, 31)]


@pytest.fixture
def runs(folder: Path) -> Path:
    """Three runs of 30 topics with few distinct scores (ties), the second better than the first, and judgements."""
    dice = random.Random(5)
    judged: list[str] = []
    lines: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    for topic in TOPICS:
        documents = [f"d{number:03}" for number in range(60)]
        relevant = set(dice.sample(documents, 8))
        judged += [
            f"{topic} 0 {document} {int(document in relevant)}" for document in documents[::2] + sorted(relevant)
        ]
        for name, help_ in (("a", 0), ("b", 3), ("c", 1)):
            for document in dice.sample(documents, 50):
                score = dice.randint(0, 9) + help_ * (document in relevant)
                lines[name].append(f"{topic} Q0 {document} 1 {score} {name}")
    Path("q.qrels").write_text("\n".join(dict.fromkeys(judged)) + "\n")
    for name, text in lines.items():
        Path(f"{name}.trec").write_text("\n".join(text) + "\n")
    return folder


def by_hand(run: str, measure: object) -> list[float]:
    qrels = list(ir_measures.read_trec_qrels("q.qrels"))
    found = ir_measures.iter_calc([measure], qrels, ir_measures.read_trec_run(run))
    values = {metric.query_id: metric.value for metric in found}
    return [values[topic] for topic in TOPICS]


def test_equals_ir_measures_and_scipy_called_by_hand(call: Call, runs: Path) -> None:
    measures = {"AP": AP, "P@10": P @ 10, "nDCG@20": nDCG @ 20}
    asked = [part for name in measures for part in ("--measure", name)]
    done = call("compare", "a.trec", "b.trec", "c.trec", "--qrels", "q.qrels", *asked, "--format", "csv")
    assert (done.code, done.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["measure"], row["run"], row["baseline"]) for row in rows] == [
        (measure, run, "a") for measure in measures for run in ("b", "c")
    ]
    for row in rows:
        new, old = (by_hand(f"{name}.trec", measures[row["measure"]]) for name in (row["run"], "a"))
        test = stats.ttest_rel(new, old)
        interval = test.confidence_interval(0.95)
        expected = {
            "mean": sum(new) / 30, "baseline_mean": sum(old) / 30, "p": test.pvalue,
            "interval_low": interval.low, "interval_high": interval.high, "topics": 30,
        }  # fmt: skip
        assert {name: float(row[name]) for name in expected} == pytest.approx(expected, rel=1e-9, abs=1e-12)
        counts = [sum(a > b for a, b in zip(new, old, strict=True)), sum(a == b for a, b in zip(new, old, strict=True))]
        assert [int(row["wins"]), int(row["ties"])] == counts


def test_wilcoxon_bh_and_judged(call: Call, runs: Path) -> None:
    done = call(
        "compare", "a.trec", "b.trec", "c.trec", "--qrels", "q.qrels", "--measure", "AP", "--measure", "judged@10",
        "--test", "wilcoxon", "--correction", "bh", "--format", "json",
    )  # fmt: skip
    found = json.loads(done.out)
    p_values = [stats.wilcoxon(by_hand(f"{run}.trec", AP), by_hand("a.trec", AP)).pvalue for run in "bc"]
    assert [one["p"] for one in found["comparisons"][:2]] == pytest.approx(p_values)
    assert [one["p_corrected"] for one in found["comparisons"][:2]] == pytest.approx(
        list(stats.false_discovery_control(p_values))
    )
    # ir_measures breaks ties the other way round here: compare where there are none.
    text = Path("a.trec").read_text().splitlines()
    Path("u.trec").write_text("\n".join(f"{' '.join(line.split()[:4])} {-at} u" for at, line in enumerate(text)) + "\n")
    found = json.loads(call(
        "compare", "u.trec", "b.trec", "--qrels", "q.qrels", "--measure", "judged@10", "--format", "json"
    ).out)  # fmt: skip
    assert list(found["values"]["u"]["judged@10"].values()) == pytest.approx(by_hand("u.trec", Judged @ 10))


def test_the_table_has_a_letter_for_each_beaten_baseline(call: Call, runs: Path) -> None:
    done = call(
        "compare", "first=a.trec", "b.trec", "c.trec", "--qrels", "q.qrels", "--baseline", "a.trec", "--baseline", "c",
        "--test", "randomisation",
    )  # fmt: skip
    assert done.code == 0
    row = next(line for line in done.out.splitlines() if line.startswith("b "))
    assert [cell.lstrip("0123456789.") for cell in row.split()[1:]] == ["ab", "ab"]
    assert "a: above first, b: above c (two-sided randomisation test over topics" in done.out
    assert "100000 draws, seed 0" in " ".join(done.out.split())
    assert "a family is the 2 comparisons of one measure" in " ".join(done.out.split())
    assert "c vs first" not in done.out, "baselines are not compared"
    for form in ("markdown", "latex"):
        assert "b vs first" in call(
            "compare", "first=a.trec", "b.trec", "--qrels", "q.qrels", "--format", form
        ).out  # fmt: skip


def test_a_run_that_lacks_topics_counts_zero_there_and_it_is_said(call: Call, runs: Path) -> None:
    lines = Path("a.trec").read_text().splitlines()
    Path("short.trec").write_text("\n".join(line for line in lines if line.split()[0] not in ("3", "7")))
    Path("q.qrels").write_text(Path("q.qrels").read_text() + "77 0 d001 0\n")
    found = json.loads(call("compare", "a.trec", "short.trec", "--qrels", "q.qrels", "--format", "json").out)
    expected = [
        0.0 if topic in ("3", "7") else value for topic, value in zip(TOPICS, by_hand("a.trec", AP), strict=True)
    ]
    assert list(found["values"]["short"]["AP"].values()) == pytest.approx(expected)
    assert found["remarks"] == [
        "Topics without a relevant document, left out: 1.",
        "short lacks 2 of 30 topics (3, 7): they count 0 in every measure.",
    ]
    assert [found["comparisons"][0][name] for name in ("wins", "ties", "losses")] == [0, 28, 2]


def test_repetitions_folds_and_cards(call: Call, runs: Path) -> None:
    Path("folds.tsv").write_text("".join(f"{topic}\t{1 if int(topic) < 11 else 2}\n" for topic in TOPICS))
    Path("a.trec.json").write_text('{"k1": 1.2}')
    Path("b.trec.json").write_text('{"k1": 0.9}')
    found = json.loads(call(
        "compare", "a.trec", "seeds=b.trec,c.trec", "--qrels", "q.qrels", "--measure", "AP", "--folds", "folds.tsv",
        "--format", "json",
    ).out)  # fmt: skip
    b, c = by_hand("b.trec", AP), by_hand("c.trec", AP)
    both = [(x + y) / 2 for x, y in zip(b, c, strict=True)]
    assert found["means"]["seeds"]["AP"] == pytest.approx(
        {"topics": sum(both) / 30, "folds": (sum(both[:10]) / 10 + sum(both[10:]) / 20) / 2}
    )
    assert found["deviations"]["seeds"]["AP"] == pytest.approx(abs(sum(b) - sum(c)) / 30 / 2**0.5)
    assert found["remarks"] == ["k1 differs: a 1.2, seeds 0.9."]


def test_one_topic_has_no_p_and_the_output_goes_into_a_file(call: Call, folder: Path) -> None:
    Path("q").write_text("1 0 x 1\n")
    Path("a.run").write_text("1 Q0 x 1 2 a\n1 Q0 y 2 1 a\n")
    Path("b.run").write_text("1 Q0 x 1 1 b\n1 Q0 y 2 2 b\n")
    done = call("compare", "a.run", "b.run", "--qrels", "q", "--format", "json", "--output", "out/found.json")
    assert (done.code, done.out) == (0, "out/found.json\n")
    (one, _) = json.loads(Path("out/found.json").read_text())["comparisons"]
    assert (one["difference"], one["p"], one["p_corrected"], one["interval_low"]) == (-0.5, None, None, None)
    table = call("compare", "a.run", "b.run", "--qrels", "q").out
    assert "n/a" in table
    assert "\n1 topic.\n" in table


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.trec"], 2, "One run cannot be compared.\nName two or more."),
        (["a.trec", "a.trec"], 2, "Two runs are called 'a.trec'.\nName them: NAME=FILE."),
        (["a.trec", "b.trec", "--baseline", "d"], 2, "There is no run 'd' to be the baseline.\nThe runs are a, b."),
        (["a.trec", "b.trec", "--baseline", "a", "--baseline", "b"], 2, "There is no run beside the baselines."),
        (["a.trec", "b.trec", "--measure", "MPA"], 2, "'MPA' is no measure"),
        (["a.trec", "m="], 2, "Run 'm' names no file at one place.\nWrite NAME=FILE, or NAME=FILE,FILE."),
        (["a.trec", "m=b.trec,,c.trec"], 2, "Run 'm' names no file at one place."),
        (["a.trec", "m=b.trec,c.trec,./b.trec"], 2, "Run 'm' names b.trec twice.\nIts repetitions are runs of their"),
        (["a.trec", "twice.trec"], 1, "twice.trec: topic 1 of the judgements is there twice, as 01 and as C001."),
        (["a.trec", "nowhere.trec"], 1, "nowhere.trec: there is no such file."),
        (["a.trec", "q.qrels"], 1, "q.qrels:1: 4 columns, but a line of a run has 6."),
        (["a.trec", "other.trec"], 1, "other.trec: none of the 30 topics of q.qrels is in it."),
    ],
)
def test_what_is_said_where_it_cannot_be_done(
    call: Call, runs: Path, arguments: list[str], code: int, said: str
) -> None:
    Path("other.trec").write_text("x9 Q0 a 1 1 t\n")
    Path("twice.trec").write_text("01 Q0 a 1 1 t\nC001 Q0 a 1 1 t\n")
    done = call("compare", *arguments, "--qrels", "q.qrels")
    assert done.code == code
    assert said in done.err
    assert done.out == ""


def test_power_with_and_without_a_second_run(call: Call, runs: Path) -> None:
    asked = ["power", "--baseline", "a.trec", "--qrels", "q.qrels", "--measure", "AP", "--json"]
    (measured,) = json.loads(call(*asked, "--run", "b.trec").out)["rows"]
    a, b = by_hand("a.trec", AP), by_hand("b.trec", AP)
    assert measured["deviation"] == pytest.approx(stats.tstd([new - old for new, old in zip(b, a, strict=True)]))
    critical, shift = stats.t.ppf(0.975, 29), measured["difference"] / measured["deviation"] * 30**0.5
    assert stats.nct.sf(critical, 29, shift) == pytest.approx(0.8, abs=1e-5)
    assumed = json.loads(call(*asked).out)["rows"]
    assert [row["source"] for row in assumed] == [f"assumed, correlation {r}" for r in (0.5, 0.7, 0.9)]
    assert assumed[0]["deviation"] == pytest.approx(stats.tstd(a))
    table = call("power", "--baseline", "a.trec", "--qrels", "q.qrels", "--measure", "AP")
    assert f"AP\t30\t{sum(a) / 30:.4f}\t{assumed[0]['deviation']:.4f} (assumed, correlation 0.5)\t" in table.out
    refused = call(*asked, "--run", "b.trec", "--correlation", "0.5")
    assert (refused.code, refused.err[:50]) == (2, "Error: --run measures what --correlation assumes.\n"[:50])


def test_a_power_that_chance_alone_has_is_refused(call: Call, runs: Path) -> None:
    done = call("power", "--baseline", "a.trec", "--qrels", "q.qrels", "--power", "0.1", "--alpha", "0.5")
    assert (done.code, done.out) == (2, "")
    assert "--power 0.1 is not above --alpha 0.5" in done.err
    assert "Ask for more power, or a smaller alpha." in done.err
