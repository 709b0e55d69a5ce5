"""Plans of rows that are made from others: mixtures, the oracle, and what is tested against what."""

from pathlib import Path

import pytest

from clir_cli.config.model_schema import ModelSettings
from clir_cli.errors import ConfigError
from clir_cli.pipeline.contrasts import choose_contrasts, contrasts_of, usual_contrasts
from clir_cli.pipeline.plan import Plan, Selection, make_plan
from clir_cli.pipeline.stage import Stage
from clir_cli.report.tables import Contrast

from .test_plan_of_parts import JUDGED, PLAIN, by_label, experiment, labels

BASE = JUDGED + "encoder: some-hub/model\nbitext: {deu-eng: [a.deu, a.eng]}\n"
MIXED = BASE + "models: [m2bert, mart, zero-shot]\ninterpolation: [smt+mart, smt+human, smt+zero-shot]\n"


def plan(folder: Path, text: str, *sets: str, selection: Selection | None = None) -> Plan:
    return make_plan(experiment(folder, text, *sets), selection=selection)


def reranked(found: Plan, model: str) -> list[Stage]:
    return [stage for stage in found.stages if stage.kind == "rerank" and stage.model == model]


def test_validation_topics_are_re_ranked_only_where_a_weight_is_chosen_on_them(tmp_path: Path) -> None:
    found = plan(tmp_path, MIXED)
    assert len(reranked(found, "m2bert")) == 5
    assert len(reranked(found, "mart")) == 10
    assert len(reranked(found, "zero-shot")) == 1
    stages = by_label(found)
    test, validation = stages["rerank deu-eng mart fold 2"], stages["rerank deu-eng mart fold 2 validation"]
    assert "part" not in test.settings
    assert validation.settings == test.settings | {"part": "validation"}
    assert (validation.needs.keys(), validation.function) == (test.needs.keys(), test.function)
    plain = plan(tmp_path, MIXED, "interpolation=[]")
    assert by_label(plain)["rerank deu-eng mart fold 2"].key == test.key
    assert not any(stage.kind == "interpolate" for stage in plain.stages)


def test_what_a_mixture_reads(tmp_path: Path) -> None:
    stages = by_label(plan(tmp_path, MIXED))
    mixed = stages["interpolate deu-eng smt+mart"]
    folds = range(1, 6)
    assert set(mixed.needs) == {"topics", "folds", "first"} | {
        f"second {part} {fold}" for fold in folds for part in ("test", "validation")
    }
    assert mixed.needs["second validation 3"].label == "rerank deu-eng mart fold 3 validation"
    assert mixed.settings["reranked"] == [False, True]
    untrained = stages["interpolate deu-eng smt+zero-shot"]
    assert set(untrained.needs) == {"topics", "folds", "first", "second"}
    assert untrained.needs["second"].label == "rerank deu-eng zero-shot"
    assert stages["interpolate deu-eng smt+human"].settings["reranked"] == [False, False]


def test_only_the_folds_that_are_run_unless_nobody_trains(tmp_path: Path) -> None:
    found = plan(tmp_path, MIXED, "training.folds.run=[2]")
    stages = by_label(found)
    assert stages["interpolate deu-eng smt+mart"].settings["folds"] == [2]
    assert stages["evaluate deu-eng smt+mart"].settings["folds"] == [2]
    assert stages["interpolate deu-eng smt+human"].settings["folds"] == [1, 2, 3, 4, 5]
    assert "folds" not in stages["evaluate deu-eng smt+human"].settings
    untrained = found.targets[0].settings["untrained"]
    assert "smt+mart" not in untrained
    assert {"smt+human", "smt+zero-shot"} <= set(untrained)


def test_rows_come_after_what_they_are_made_of(tmp_path: Path) -> None:
    found = plan(tmp_path, MIXED, "evaluation.oracle=true")
    systems = ["smt", "human", "m2bert", "mart", "zero-shot", "smt+mart", "smt+human", "smt+zero-shot", "oracle"]
    assert found.targets[0].settings["systems"] == {"deu-eng": systems}
    names = found.targets[0].settings["labels"]
    assert [names[name] for name in systems[4:]] == [
        "Zero-shot", "SMT + MART", "SMT + Human translation", "SMT + Zero-shot", "Oracle re-ranking",
    ]  # fmt: skip
    oracle = by_label(found)["evaluate deu-eng oracle"]
    assert (oracle.needs["run"].label, oracle.settings["oracle"]) == ("retrieve deu-eng smt", 100)


def test_a_selection_keeps_mixtures_of_what_it_keeps(tmp_path: Path) -> None:
    def systems(*models: str) -> list[str]:
        chosen = plan(tmp_path, MIXED, "evaluation.oracle=true", selection=Selection(models=models))
        found: list[str] = chosen.targets[0].settings["systems"]["deu-eng"]
        return found

    assert systems("m2bert") == ["smt", "human", "m2bert", "smt+human", "oracle"]
    assert systems("mart") == ["smt", "human", "mart", "smt+mart", "smt+human", "oracle"]
    assert systems("smt+mart") == ["smt", "human", "smt+mart", "smt+human", "oracle"]


def test_pairs_without_one_of_the_systems_have_no_mixture(tmp_path: Path) -> None:
    text = MIXED.replace("pairs: [deu-eng]", "pairs: {deu-eng: {models: [m2bert]}, fra-eng: {models: []}}")
    text = text.replace("deu: deu.tsv", "deu: deu.tsv, fra: fra.tsv")
    text += "knowledge: {source: embeddings}\nvectors: {deu: t.txt, eng: words.tsv}\n"
    found = plan(tmp_path, text).targets[0].settings
    assert found["systems"] == {"deu-eng": ["smt", "human", "m2bert", "smt+human"], "fra-eng": ["human"]}
    assert found["not_available"] == {"deu-eng": [], "fra-eng": ["smt", "smt+human"]}
    own = plan(tmp_path, text.replace("models: [m2bert]", "models: [mart], interpolation: [smt+mart]"))
    assert own.targets[0].settings["systems"]["deu-eng"] == ["smt", "human", "mart", "smt+mart"]


def test_unjudged_pairs_have_neither(tmp_path: Path) -> None:
    text = PLAIN + "models: [zero-shot]\nencoder: some-hub/model\nbitext: {deu-eng: [a.deu, a.eng]}"
    assert not {stage.kind for stage in plan(tmp_path, text).stages} & {"interpolate", "evaluate"}


def test_interpolations_alone_are_a_target(tmp_path: Path) -> None:
    found = make_plan(experiment(tmp_path, MIXED), "interpolate")
    assert [stage.label for stage in found.targets] == [
        "interpolate deu-eng smt+mart", "interpolate deu-eng smt+human", "interpolate deu-eng smt+zero-shot",
    ]  # fmt: skip
    assert "evaluate deu-eng smt+mart" not in labels(found)


def test_contrasts_of_an_experiment(tmp_path: Path) -> None:
    sets = ["evaluation.contrasts=[[zero-shot, smt], {system: m2bert, baseline: smt, family: true}]"]
    made = contrasts_of(experiment(tmp_path, MIXED, "interpolation=[smt+mart]", *sets).settings)
    assert made == [
        Contrast("mart", "smt"),
        Contrast("mart", "m2bert"),
        Contrast("zero-shot", "smt", in_family=False),
        Contrast("m2bert", "smt"),
        Contrast("smt+mart", "smt", in_family=False),
        Contrast("smt+mart", "mart", in_family=False),
    ]


def test_re_rankers_of_kind_mores_are_compared_with_m2bert(tmp_path: Path) -> None:
    settings = experiment(tmp_path, MIXED, "interpolation=[]").settings
    mores = ModelSettings.model_construct(kind="mores")  # whatever else such a model has
    made = contrasts_of(settings.model_copy(update={"models": settings.models | {"mores": mores, "mine": mores}}))
    assert made[-2:] == [Contrast("mores", "m2bert", in_family=False), Contrast("mine", "m2bert", in_family=False)]
    assert choose_contrasts(made, ["smt", "mores", "mart"]) == [Contrast("mart", "smt")]


def test_dense_retrieval_is_mixed_like_any_first_stage(tmp_path: Path) -> None:
    sets = ["retrieval.methods=[smt, dense]", "interpolation=[smt+dense, dense+mart]"]
    found = plan(tmp_path, MIXED, *sets)
    stages = by_label(found)
    both = stages["interpolate deu-eng smt+dense"]
    assert (both.settings["reranked"], both.needs["second"].label) == ([False, False], "retrieve deu-eng dense")
    mixed = stages["interpolate deu-eng dense+mart"]
    assert (mixed.settings["reranked"], mixed.needs["first"].label) == ([False, True], "retrieve deu-eng dense")
    untrained = found.targets[0].settings["untrained"]
    assert ("smt+dense" in untrained, "dense+mart" in untrained) == (True, False)


def test_each_question_is_asked_once_and_only_of_rows_that_are_there() -> None:
    asked = [Contrast("m2bert", "smt"), *usual_contrasts("mart", has_models=True)]
    rows = ["smt", "psq", "human", "m2bert", "mart"]
    assert choose_contrasts(asked, rows) == [
        Contrast("m2bert", "smt"),
        Contrast("psq", "smt", in_family=False),
        Contrast("mart", "human", in_family=False),
    ]
    assert choose_contrasts(usual_contrasts("human", has_models=False), ["smt", "human"]) == [
        Contrast("smt", "human", in_family=False)
    ]


@pytest.mark.parametrize("table", ["table.txt", "table.md", "table.tex", "comparisons.csv"])
def test_margins_of_a_declared_contrast_are_in_every_format(table: str) -> None:
    from clir_cli.report.formats import FILES
    from clir_cli.report.tables import build_table

    per_topic = {"mores": [0.5, 0.4, 0.6, 0.3], "m2bert": [0.5, 0.42, 0.58, 0.31]}
    values = {
        "deu-eng": {
            system: {"AP@100": {str(topic): value for topic, value in enumerate(found)}}
            for system, found in per_topic.items()
        }
    }
    made = build_table(
        values,
        {"mores": "MORES", "m2bert": "m2BERT"},
        ["AP@100"],
        contrasts=[Contrast("mores", "m2bert", in_family=False)],
    )
    tests = made.answers[0].comparison.margins
    assert [test.margin for test in tests] == [0.02, 0.05]
    text = FILES[table](made)
    for test in tests:
        for p in (test.non_inferiority, test.equivalence):
            assert (repr(p) if table == "comparisons.csv" else f"{p:.4f}") in text


def test_several_seeds_are_several_trainings_and_one_seed_is_the_stage_that_it_was(tmp_path: Path) -> None:
    plain = by_label(plan(tmp_path, MIXED))
    several = plan(tmp_path, MIXED, "training.seeds=[42, 7]")
    stages = by_label(several)
    for kind in (
        "train deu-eng mart fold 2",
        "rerank deu-eng mart fold 2",
        "pairs deu-eng",
        "interpolate deu-eng smt+mart",
    ):
        assert stages[f"{kind} seed 42"].key == plain[kind].key
        assert stages[f"{kind} seed 7"].key != plain[kind].key
    assert stages["train deu-eng mart fold 2 seed 7"].needs["pairs"].settings["seed"] == 7
    assert stages["train deu-eng mart fold 2 seed 7"].settings["training"]["seed"] == 7
    assert "seeds" not in stages["train deu-eng mart fold 2 seed 7"].settings["training"]
    assert sum(stage.kind == "folds" for stage in several.stages) == 1
    mixed = stages["interpolate deu-eng smt+mart seed 7"]
    assert mixed.needs["second validation 3"].label == "rerank deu-eng mart fold 3 seed 7 validation"
    needs = several.targets[0].needs
    assert {"deu-eng mart seed 42", "deu-eng smt+mart seed 7", "deu-eng smt", "deu-eng zero-shot"} <= needs.keys()
    assert several.targets[0].settings["seeds"] == {"deu-eng": [42, 7]}
    single = by_label(plan(tmp_path, MIXED, "training.seeds=[7]"))
    assert single["train deu-eng mart fold 2"].key == stages["train deu-eng mart fold 2 seed 7"].key


def test_a_seed_named_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a seed is named twice"):
        plan(tmp_path, MIXED, "training.seeds=[1, 1]")
