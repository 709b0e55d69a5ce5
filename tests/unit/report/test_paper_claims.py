"""Claims of the paper, judged by tables made by hand."""

import json

import pytest

from clir_cli.report.paper.checklist import to_json, to_markdown, to_text
from clir_cli.report.paper.claims import CLAIMS, judge_claims
from clir_cli.report.paper.evidence import AblationResults, Data, Evidence, Judgement, LayerMeans, Verdict
from clir_cli.report.results_table import ResultsTable
from clir_cli.report.tables import build_table

Gains = dict[str, float]
"""System -> how far it lies above 0.5, on average over topics."""


def table(pairs: dict[str, Gains], spread: float = 0.01) -> ResultsTable:
    """Twenty topics; systems scatter over them by up to twice ``spread``, each in its way, and not in the mean."""
    systems = {name: name for gains in pairs.values() for name in gains}
    values = {
        pair: {
            name: {
                measure: {
                    str(topic): 0.5 + gain + spread * ((topic * (1 + at % 4) + at) % 5 - 2) for topic in range(20)
                }
                for measure in ("AP@100", "P@10")
            }
            for at, (name, gain) in enumerate(gains.items())
        }
        for pair, gains in pairs.items()
    }
    return build_table(values, systems, ["AP@100", "P@10"])


def judged(evidence: Evidence) -> dict[str, Judgement]:
    return {claim.id: judgement for claim, judgement in judge_claims(evidence)}


def test_every_claim_has_its_own_name_and_nothing_is_testable_without_results() -> None:
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    for data in Data:
        found = judge_claims(Evidence(data=data, experiment="mine"))
        assert {judgement.verdict for _, judgement in found} == {Verdict.not_testable}
        for claim, judgement in found:
            if not claim.needs_clef or data is Data.clef:
                assert "not run" in judgement.reason
                assert "-e mine`" in judgement.reason


def test_held_and_not_held_pair_by_pair() -> None:
    ours = {"deu-eng": {"m2bert": 0.0, "mart": 0.08, "mart-plb": 0.0}, "eng-deu": {"m2bert": 0.0, "mart": -0.08}}
    found = judged(Evidence([table(ours)], experiment="mine"))
    assert found["mart-forward"].verdict is Verdict.held
    assert [number.split(":")[0] for number in found["mart-forward"].numbers] == ["yes", "yes"]
    assert found["mart-forward"].numbers[0].startswith("yes: deu-eng MAP: mart 0.5")
    assert found["mart-backward"].verdict is Verdict.not_held
    assert found["placebo"].verdict is Verdict.held
    assert found["placebo"].reason == "not run, so not looked at: eng-deu"


@pytest.mark.parametrize(
    ("spread", "gain", "verdict", "words"),
    [
        (0.001, 0.0, Verdict.held, "equivalent within 5 %"),
        (0.1, 0.02, Verdict.held, "equivalence within 5 % not shown"),
        (0.001, 0.02, Verdict.not_held, "equivalent within 5 %"),
        (0.001, 0.2, Verdict.not_held, "equivalence within 5 % not shown"),
    ],
)
def test_on_par_is_no_significant_difference_and_says_what_equivalence_says(
    spread: float, gain: float, verdict: Verdict, words: str
) -> None:
    found = judged(Evidence([table({"deu-eng": {"m2bert": 0.0, "mart-plb": gain}}, spread)]))["placebo"]
    assert found.verdict is verdict
    assert found.numbers[0].endswith(words)


def test_claims_about_the_papers_data_need_them() -> None:
    gains = {"smt": 0.0, "m2bert": 0.1, "mart": 0.15, "mart-plb": 0.1, "human": 0.3}
    tables = [table(dict.fromkeys(("fra-eng", "spa-eng", "som-eng", "eng-fra"), gains))]
    for data, words in ((Data.sample, "synthetic sample"), (Data.other, "other data")):
        found = judged(Evidence(tables, data))
        assert found["human-low"].verdict is Verdict.not_testable
        assert found["human-low"].reason.startswith(words)
        assert found["human-low"].numbers, "the numbers are told all the same"
        assert found["mart-forward"].verdict is Verdict.held
    found = judged(Evidence(tables, Data.clef))
    assert found["m2bert-smt-forward"].verdict is Verdict.held
    assert "m2bert and smt" in found["m2bert-smt-forward"].reason, "its German and Italian half was not run"
    assert found["human-low"].verdict is Verdict.held
    assert found["m2bert-smt-low"].verdict is Verdict.not_held
    assert found["human-backward"].verdict is Verdict.not_held


def test_claims_about_the_papers_encoder_need_it() -> None:
    gaps = {("deu-eng", "m2bert"): LayerMeans([0.1, 0.2, 0.3, 0.2], [0.0, 0.1, 0.2, 0.1])}
    assert judged(Evidence(gaps=gaps))["gap-translations"].verdict is Verdict.held
    evidence = Evidence(gaps=gaps, encoder="3 layers of width 64")
    found = judged(evidence)
    for name in ("one-layer", "two-layers", "three-layers", "gap-grows", "gap-translations", "gap-m2bert", "gap-mart"):
        assert found[name].verdict is Verdict.not_testable
        assert found[name].reason.startswith("another encoder, 3 layers of width 64: this is about the twelve layers")
    assert found["gap-translations"].numbers == judged(Evidence(gaps=gaps))["gap-translations"].numbers
    plain = json.loads(to_json(evidence, judge_claims(evidence)))
    about = {claim["id"]: claim["about"] for claim in plain["claims"]}
    wanted = {"gap-mart": "the paper's encoder", "placebo": "the method", "human-low": "the paper's data"}
    assert {name: about[name] for name in wanted} == wanted
    assert "Encoder: 3 layers of width 64; not the paper's, multilingual BERT." in plain["notes"]


@pytest.mark.parametrize(
    ("gain", "verdict"), [(0.04, Verdict.held), (0.02, Verdict.not_held), (0.06, Verdict.not_held)]
)
def test_the_size_of_a_gain(gain: float, verdict: Verdict) -> None:
    tables = [table({"deu-eng": {"m2bert": 0.0, "mart": gain}})]
    found = judged(Evidence(tables, Data.clef))["gain-forward"]
    assert (found.verdict, found.reason) == (verdict, "not run, so not looked at: fra-eng, ita-eng and spa-eng")


def test_the_translation_gap() -> None:
    """Of twelve layers the ninth's output is the one before MAT's, the eleventh's the last of MAT's."""
    rising = [0.1, *(0.1 + 0.05 * layer for layer in range(1, 10))]
    gaps = {
        ("deu-eng", "m2bert"): LayerMeans([*rising, 0.5, 0.4, 0.1], [v - 0.05 for v in [*rising, 0.5, 0.4, 0.1]]),
        ("deu-eng", "mart"): LayerMeans([*rising, 0.6, 0.7, 0.1], [v - 0.05 for v in [*rising, 0.5, 0.4, 0.1]]),
    }
    found = judged(Evidence(gaps=gaps))
    names = ("gap-grows", "gap-translations", "gap-m2bert", "gap-mart")
    assert [found[name].verdict for name in names] == [Verdict.held] * 4
    assert found["gap-mart"].numbers == (
        "yes: deu-eng mart, layers 0, 9, 11 (0: embeddings): translations 0.100, 0.550, 0.700; "
        "others 0.050, 0.500, 0.350",
    )
    swapped = {("deu-eng", "m2bert"): gaps["deu-eng", "mart"], ("deu-eng", "mart"): gaps["deu-eng", "m2bert"]}
    found = judged(Evidence(gaps=swapped))
    assert [found[name].verdict for name in names[2:]] == [Verdict.not_held] * 2
    small = {("deu-eng", "m2bert"): LayerMeans([0.1, 0.2, 0.3, 0.2], [0.0, 0.1, 0.3, 0.1])}
    found = judged(Evidence(gaps=small))
    assert found["gap-grows"].reason == "the encoder has no layers below those of MAT"
    assert found["gap-translations"].verdict is Verdict.not_held
    assert found["gap-mart"].reason == "not run: the translation gap of mart; `clir gap -e `"


def test_layers_and_knowledge() -> None:
    rows = {(-4,): "l9", (-3,): "l10", (-2,): "l11", (-3, -2): "mart", (-4, -3, -2): "l9to11"}
    gains = {"l9": 0.0, "l10": 0.05, "l11": 0.1, "mart": 0.15, "l9to11": 0.15}
    layers = AblationResults([table({"deu-eng": gains}, 0.001)], "mart", rows)
    sources = {"dictionary": "mart-dictionary", "embeddings": "mart-embeddings"}
    worse = table({"deu-eng": {"mart": 0.1, "mart-dictionary": 0.0, "mart-embeddings": 0.2}}, 0.001)
    knowledge = AblationResults([worse], "mart", {}, sources)
    found = judged(Evidence(ablations={"layers": layers, "knowledge": knowledge}, experiment="mine"))
    assert [found[name].verdict for name in ("one-layer", "two-layers", "three-layers")] == [Verdict.held] * 3
    assert (found["dictionary"].verdict, found["embeddings"].verdict) == (Verdict.held, Verdict.not_held)
    other = AblationResults([table({"deu-eng": gains | {"l10": 0.2, "l9to11": 0.3}}, 0.001)], "mart", rows)
    found = judged(Evidence(ablations={"layers": other}))
    assert [found[name].verdict for name in ("one-layer", "two-layers", "three-layers")] == [Verdict.not_held] * 3
    short = AblationResults(layers.tables, "mart", {(-2,): "l11"})
    reason = judged(Evidence(ablations={"layers": short}, experiment="mine"))["one-layer"].reason
    assert reason == "the ablation has no row of the layers -3 from the end; `clir ablate layers -e mine`"


def test_the_checklist_in_three_forms() -> None:
    evidence = Evidence([table({"deu-eng": {"m2bert": 0.0, "mart": 0.08}})], Data.sample, experiment="mine")
    found = judge_claims(evidence)
    text = to_text(evidence, found, width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "+ HELD  Into English MART is above m2BERT" in text
    assert "1 held, 0 not held, 20 not testable here" in " ".join(text.split())
    assert "synthetic sample" in text
    assert text.count("\n| ") == 0
    lines = [line for line in to_markdown(evidence, found).splitlines() if line.startswith("| ")]
    assert len(lines) == 2 + len(CLAIMS)
    plain = json.loads(to_json(evidence, found))
    assert (plain["experiment"], plain["data"], len(plain["claims"])) == ("mine", "sample", len(CLAIMS))
    first = plain["claims"][0]
    assert (first["id"], first["verdict"], first["reason"], first["about"]) == (
        "mart-forward",
        "held",
        None,
        "the method",
    )
