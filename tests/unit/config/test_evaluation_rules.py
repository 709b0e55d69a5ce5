"""Mixtures, comparisons and measures: what may be written, and what is said of the rest."""

from collections.abc import Callable

import pytest

from .conftest import SMALL, Load

BROKEN = {
    "mixing an unknown system": (["interpolation=[smt+mrat]"], "no system `mrat` to mix: did you mean `mart`?"),
    "mixing PSQ where it is not run": (["interpolation=[psq+mart]"], "no system `psq` to mix"),
    "mixing what is mixed": (["interpolation={both: [smt, mart], all: [both, human]}"], "no system `both` to mix"),
    "mixing one": (["interpolation={odd: [smt]}"], "should be a list of at least 2"),
    "mixing a system with itself": (["interpolation={odd: [smt, smt]}"], "`smt` is mixed with itself"),
    "mixing systems that nobody names": (["interpolation={odd: {step: 0.1}}"], "`systems` is missing"),
    "steps that miss 1": (["interpolation.smt+mart={step: 0.3}"], "no number of steps of 0.3 makes 1"),
    "an unknown way to normalise": (["interpolation.smt+mart={normalise: max}"], "minmax, zscore or none"),
    "a weight for an unknown measure": (["interpolation.smt+mart={measure: APP@10}"], "'APP@10' is no measure"),
    "a mixture called like a system": (["interpolation={mart: [smt, m2bert]}"], "`mart` is the name of a system"),
    "a mixture called like the oracle": (["interpolation={oracle: [smt, m2bert]}"], "`oracle` is the name of a system"),
    "a mixture with a blank": (["interpolation={smt mart: [smt, mart]}"], "a name of letters, digits and . _ + -"),
    "two rows of one label": (
        ["models.mart.label=Mine", "interpolation.smt+mart={label: Mine}"],
        "`Mine` is the label of mart too",
    ),
    "a pair's unknown mixture": (
        ["interpolation=[smt+mart]", "pairs.deu-eng.interpolation=[smt+mrt]"],
        "no interpolation `smt+mrt`: did you mean `smt+mart`?",
    ),
    "a model called oracle": (["models={oracle: {kind: bert}}"], "`oracle` is the name of oracle re-ranking"),
    "a contrast of an unknown system": (["evaluation.contrasts=[[mart, nbert]]"], "no system `nbert`"),
    "a contrast of three": (["evaluation.contrasts=[[mart, smt, m2bert]]"], "a comparison is of two systems"),
    "a contrast with itself": (["evaluation.contrasts=[[mart, mart]]"], "`mart` is compared with itself"),
    "a contrast with the oracle": (
        ["evaluation.oracle=true", "evaluation.contrasts=[[mart, oracle]]"],
        "`oracle` is a ceiling, not a system: it is in no test",
    ),
    "a baseline that is the oracle": (["evaluation.baselines=[oracle]"], "it is in no test"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_said_once(case: str, problems: Callable[..., list[str]]) -> None:
    sets, said = BROKEN[case]
    found = problems(sets=sets)
    assert len(found) == 1, found
    assert said in found[0]


def test_without_judgements_no_weight_is_chosen_and_no_oracle_asked(problems: Callable[..., list[str]]) -> None:
    text = SMALL.replace("    qrels: {eng: qrels.txt}\n", "")
    assert text != SMALL
    found = problems(text, sets=["models=[zero-shot]", "interpolation=[smt+zero-shot]", "evaluation.oracle=true"])
    assert [line.partition(": ")[2] for line in found] == [
        "weights are chosen by judgements: add `qrels`",
        "an oracle asks the judgements: add `qrels`",
    ]
    assert "interpolation=[smt+zero-shot]" in found[0]


def test_three_ways_to_name_a_mixture(load: Load) -> None:
    for written in ("[smt+mart]", "{smt+mart: null}", "{smt+mart: [smt, mart]}", "{smt+mart: {systems: [smt, mart]}}"):
        (mixture,) = load(sets=[f"interpolation={written}"]).settings.interpolation.items()
        assert mixture[0] == "smt+mart"
        assert mixture[1].systems == ["smt", "mart"]
        assert (mixture[1].normalise, mixture[1].step, mixture[1].measure) == ("minmax", 0.05, "AP@100")
    named = load(sets=["interpolation={both: {systems: [human, mart], step: 0.1}}"]).settings.interpolation["both"]
    assert (named.systems, named.step) == (["human", "mart"], 0.1)


def test_contrasts_are_pairs_of_rows(load: Load) -> None:
    sets = [
        "interpolation=[smt+mart]",
        "evaluation.contrasts=[[smt+mart, mart], {system: m2bert, baseline: smt, family: true}]",
        "evaluation.compare=smt+mart",
        "evaluation.measures=[MRR@10, NDCG@10, AP@1000, NDCG@20, P@20]",
    ]
    evaluation = load(sets=sets).settings.evaluation
    assert [(c.system, c.baseline, c.family) for c in evaluation.contrasts] == [
        ("smt+mart", "mart", False),
        ("m2bert", "smt", True),
    ]
    assert evaluation.measures[0] == "MRR@10"


def test_a_pair_chooses_among_the_mixtures(load: Load) -> None:
    experiment = load(sets=["interpolation=[smt+mart, smt+human]", "pairs.deu-eng.interpolation=[smt+human]"])
    assert list(experiment.for_pair("deu-eng").interpolation) == ["smt+human"]
    assert list(experiment.settings.interpolation) == ["smt+mart", "smt+human"]
