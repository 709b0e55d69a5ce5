"""Plans of experiments that lack something: judgements, translations, training; and of collections with pools."""

from pathlib import Path

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.plan import Plan, make_plan
from clir_cli.pipeline.stage import Stage

FILES = (
    "documents.tsv",
    "deu.tsv",
    "fra.tsv",
    "eng.tsv",
    "qrels.txt",
    "more.txt",
    "a.deu",
    "a.eng",
    "words.tsv",
    "t.txt",
)


def experiment(folder: Path, text: str, *sets: str) -> Experiment:
    for name in FILES:
        (folder / name).write_text(f"contents of {name}\n")
    body = "".join(f"    {line}\n" for line in text.strip().splitlines())
    (folder / "experiments.yaml").write_text(f"experiments:\n  mine:\n{body}")
    return load_experiment(folder / "experiments.yaml", "mine", sets, {})


def labels(plan: Plan) -> set[str]:
    return {stage.label for stage in plan.stages}


def by_label(plan: Plan) -> dict[str, Stage]:
    return {stage.label: stage for stage in plan.stages}


PLAIN = """
collections: {eng: documents.tsv}
topics: {deu: deu.tsv, eng: eng.tsv}
pairs: [deu-eng]
"""
JUDGED = PLAIN + "qrels: {eng: qrels.txt}\n"


def test_without_judgements_there_are_runs(tmp_path: Path) -> None:
    plan = make_plan(experiment(tmp_path, PLAIN + "models: []\nbitext: {deu-eng: [a.deu, a.eng]}"))
    assert [stage.label for stage in plan.targets] == ["retrieve deu-eng smt", "retrieve deu-eng human"]
    assert not any(stage.kind in ("evaluate", "report", "folds") for stage in plan.stages)


def test_without_judgements_a_model_can_score_as_it_is(tmp_path: Path) -> None:
    text = PLAIN + "models: [zero-shot]\nencoder: some-hub/model\nbitext: {deu-eng: [a.deu, a.eng]}"
    plan = make_plan(experiment(tmp_path, text))
    assert plan.targets[-1].label == "rerank deu-eng zero-shot"
    assert not any(stage.kind in ("train", "folds", "pairs", "matrices") for stage in plan.stages)


def test_without_judgements_nothing_can_be_trained(tmp_path: Path) -> None:
    text = PLAIN + "encoder: some-hub/model\nmodels: [m2bert, zero-shot]\nbitext: {deu-eng: [a.deu, a.eng]}"
    with pytest.raises(ConfigError) as caught:
        experiment(tmp_path, text)
    assert str(caught.value) == (
        "experiments.yaml:5: experiments.mine.pairs: m2bert cannot be trained without judgements: "
        "add `qrels`, or keep models that are zero_shot."
    )


def test_a_model_that_is_not_trained_has_a_row_over_all_topics(tmp_path: Path) -> None:
    text = JUDGED + "models: [zero-shot, m2bert]\nencoder: some-hub/model\nbitext: {deu-eng: [a.deu, a.eng]}"
    plan = make_plan(experiment(tmp_path, text))
    stages = by_label(plan)
    assert set(stages["evaluate deu-eng zero-shot"].needs) == {"topics", "run"}
    assert "rerank deu-eng m2bert fold 5" in stages
    assert sum(stage.kind == "train" for stage in plan.stages) == 5
    assert plan.targets[0].settings["untrained"] == ["smt", "human", "zero-shot"]


def test_mat_layers_cannot_be_used_untrained(tmp_path: Path) -> None:
    text = JUDGED + "models: {raw: {kind: mart, zero_shot: true}}\nencoder: a/b\nbitext: {deu-eng: [a.deu, a.eng]}"
    with pytest.raises(ConfigError, match="MAT layers are new weights"):
        experiment(tmp_path, text)


def test_with_human_translations_only_they_are_searched_and_re_ranked(tmp_path: Path) -> None:
    text = JUDGED + "models: [m2bert]\nencoder: a/b\nknowledge: {source: none}"
    plan = make_plan(experiment(tmp_path, text))
    assert not any(stage.kind in ("align", "matrices") for stage in plan.stages)
    stages = by_label(plan)
    assert stages["train deu-eng m2bert fold 1"].needs["candidates"].label == "retrieve deu-eng human"
    assert "evaluate deu-eng smt" not in stages
    with pytest.raises(UsageError, match="Nothing to align is selected"):
        make_plan(experiment(tmp_path, text), "align")


def test_without_translations_mart_has_nothing_to_attend_to(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mart needs translations for M\\^tr"):
        experiment(tmp_path, JUDGED + "models: [mart]\nencoder: a/b\nknowledge: {source: none}")


def test_without_translations_of_any_kind_there_is_nothing_to_search(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"translates nothing and has no human translations: add `topics.eng`"):
        experiment(tmp_path, JUDGED.replace(", eng: eng.tsv", "") + "models: []\nknowledge: {source: none}")


def test_a_forgotten_bitext_is_a_problem_with_ways_out(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"add `bitext.deu-eng`, give `knowledge.table` or `knowledge.dictionary`, or"
    ):
        experiment(tmp_path, JUDGED + "models: []")


def test_a_dictionary_stands_in_for_a_table(tmp_path: Path) -> None:
    text = JUDGED + "models: []\nknowledge: {dictionary: {path: words.tsv, source: 2, target: 1}}"
    stage = by_label(make_plan(experiment(tmp_path, text)))["align deu-eng"]
    assert stage.function.endswith("knowledge:look_up")
    assert (stage.settings["source"], stage.settings["target"]) == (2, 1)


def test_a_table_and_a_dictionary_need_a_choice(tmp_path: Path) -> None:
    text = JUDGED + "models: []\nknowledge: {dictionary: words.tsv, table: t.txt}"
    with pytest.raises(ConfigError, match="table and dictionary are named: say which is used with `source`, or weigh"):
        experiment(tmp_path, text)
    plan = make_plan(experiment(tmp_path, text, "knowledge.source=table"))
    assert by_label(plan)["align deu-eng"].function.endswith("knowledge:take")


def test_judgements_of_several_years_are_one_list(tmp_path: Path) -> None:
    text = PLAIN + "qrels: {eng: [qrels.txt, more.txt]}\nmodels: []\nbitext: {deu-eng: [a.deu, a.eng]}"
    stage = by_label(make_plan(experiment(tmp_path, text)))["topics deu-eng"]
    assert [path.name for path in stage.files["qrels"]] == ["qrels.txt", "more.txt"]


POOLED = """
collections:
  eng:
    path: documents.tsv
    pools: [{topics: 1-40, documents: [LA]}, {topics: "41-90, 95", documents: [LA, GH]}]
topics: {deu: deu.tsv, eng: eng.tsv}
pairs: [deu-eng]
qrels: {eng: qrels.txt}
models: []
bitext: {deu-eng: [a.deu, a.eng]}
"""


def test_every_pool_has_an_index_and_all_share_the_store(tmp_path: Path) -> None:
    plan = make_plan(experiment(tmp_path, POOLED))
    stages = by_label(plan)
    assert {"index eng 1-40", "index eng 41-90, 95"} <= stages.keys()
    assert "index eng" not in stages
    run = stages["retrieve deu-eng smt"]
    assert {"index 0", "index 1"} <= run.needs.keys()
    assert run.settings["pools"][1] == {"topics": [(41, 90), (95, 95)], "documents": ["LA", "GH"]}


def test_another_pool_leaves_the_store_alone(tmp_path: Path) -> None:
    before = by_label(make_plan(experiment(tmp_path, POOLED)))
    after = by_label(make_plan(experiment(tmp_path, POOLED.replace("1-40", "1-30"))))
    assert before["collection eng"].key == after["collection eng"].key
    assert before["topics deu-eng"].key != after["topics deu-eng"].key
    assert before["index eng 41-90, 95"].key == after["index eng 41-90, 95"].key


def test_a_topic_is_in_one_pool(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="40-90 overlaps an earlier pool: a topic searches one of them"):
        experiment(tmp_path, POOLED.replace('"41-90, 95"', "40-90"))
    with pytest.raises(ConfigError) as caught:
        experiment(tmp_path, POOLED.replace('"41-90, 95"', "90-41"))
    assert str(caught.value) == (
        "experiments.yaml:6: experiments.mine.collections.eng.pools[1].topics: "
        "in '90-41', the range 90-41 ends before it begins."
    )


SHARED = """
collections: {eng: documents.tsv}
topics: {intersect: [deu, fra], deu: deu.tsv, fra: fra.tsv, eng: eng.tsv, som: fra.tsv}
pairs: [deu-eng, som-eng]
qrels: {eng: qrels.txt}
models: []
knowledge: {table: t.txt}
"""


def test_pairs_of_intersected_languages_read_all_of_them(tmp_path: Path) -> None:
    loaded = experiment(tmp_path, SHARED)
    stages = by_label(make_plan(loaded))
    assert "shared fra" in stages["topics deu-eng"].files
    assert not any(name.startswith("shared") for name in stages["topics som-eng"].files)


def test_the_resolved_experiment_says_intersect_where_the_file_does(tmp_path: Path) -> None:
    from clir_cli.config.load import resolved

    plain = resolved(experiment(tmp_path, SHARED))
    assert plain["topics"]["intersect"] == ["deu", "fra"]
    assert "topics_intersect" not in plain


def test_an_intersected_language_without_topics(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        experiment(tmp_path, SHARED.replace("[deu, fra]", "[deu, ita]"))
    assert "experiments.yaml:4: experiments.mine.topics.intersect[1]: no topics `ita`" in str(caught.value)


def test_text_is_shown_unless_a_collection_is_of_clef(tmp_path: Path) -> None:
    assert experiment(tmp_path, POOLED).shows_text
    clef = POOLED.replace("path: documents.tsv", "path: documents.tsv\n    format: clef")
    assert not experiment(tmp_path, clef).shows_text
    assert experiment(tmp_path, clef, "report.text=full").shows_text
    assert not experiment(tmp_path, POOLED, "report.text=ids").shows_text


def test_a_collection_has_one_source(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give either a path or a dataset"):
        experiment(tmp_path, POOLED.replace("path: documents.tsv", "path: documents.tsv\n    dataset: beir/scifact"))
    with pytest.raises(ConfigError, match="give either a path or a dataset"):
        experiment(tmp_path, POOLED.replace("path: documents.tsv", "language: eng"))


def test_parts_of_topics_that_are_only_compared_do_not_count(tmp_path: Path) -> None:
    text = JUDGED.replace("topics: {", "topics: {intersect: [deu, fra], fra: fra.tsv, ")
    text += "models: []\nbitext: {deu-eng: [a.deu, a.eng]}"
    before, title, numbers = (
        by_label(make_plan(experiment(tmp_path, text, *sets)))["topics deu-eng"].key
        for sets in ([], ["topics.fra.fields=[title]"], ["topics.fra.numbers=1-3"])
    )
    assert before == title
    assert before != numbers


def test_nothing_to_evaluate_without_judgements(tmp_path: Path) -> None:
    whole = experiment(tmp_path, PLAIN + "models: []\nbitext: {deu-eng: [a.deu, a.eng]}")
    with pytest.raises(UsageError, match=r"^Without judgements there is nothing to evaluate\."):
        make_plan(whole, "evaluate")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("path: documents.tsv\n    format: tsv\n    fields: [TEXT]", "`fields` are tags of SGML: format tsv has none"),
        ("dataset: beir/scifact\n    encoding: utf-8", "`encoding` says nothing of a dataset: ir_datasets reads it"),
    ],
)
def test_settings_without_effect_are_refused(tmp_path: Path, settings: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        experiment(tmp_path, POOLED.replace("path: documents.tsv", settings))
    assert problem in str(caught.value)
