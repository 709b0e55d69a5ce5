"""From the text of experiments.yaml to a checked experiment."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from clir_cli.config.load import find_file, list_experiments, load_experiment, resolved
from clir_cli.errors import ConfigError, UsageError

from .conftest import SMALL, Load

BAD = Path(__file__).parents[2] / "data" / "config"


def test_eight_lines_are_an_experiment(load: Load, folder: Path) -> None:
    experiment = load()
    assert experiment.name == "small"
    assert experiment.artifacts == folder / "data" / "artifacts"
    assert experiment.settings.collections["eng"].path == [folder / "documents.jsonl"]
    assert list(experiment.settings.models) == ["m2bert", "mart-plb", "mart"]
    assert experiment.settings.encoder.checkpoint == "some-hub/encoder"
    assert (
        experiment.collection("deu-eng") == experiment.qrels("deu-eng") == experiment.human_topics("deu-eng") == "eng"
    )
    assert experiment.topics("deu-eng") == "deu"


def test_all_problems_at_once(folder: Path) -> None:
    file = folder / "many_problems.yaml"
    file.write_text((BAD / file.name).read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_experiment(file, environ={})
    said = caught.value.problem.splitlines()
    assert said[0] == "many_problems.yaml has 17 problems:"
    assert [line.strip() for line in said[1:]] == [
        "many_problems.yaml:2: artefacts: unknown key `artefacts`: did you mean `artifacts`?",
        "many_problems.yaml:5: experiments.small.collections.eng.format: "
        "should be auto, jsonl, tsv, trec, clef or squad, not `trek`: did you mean `trec`?",
        "many_problems.yaml:7: experiments.small.qrels.eng: should be a path, not `5`",
        "many_problems.yaml:8: experiments.small.bitext.deu-eng: "
        "a bitext is two files: [query language, document language]",
        "many_problems.yaml:9: experiments.small.pairs[1]: "
        "should be query language - document language, such as deu-eng, not `deu-en`",
        "many_problems.yaml:10: experiments.small.encoder.checkpoint: `model` is missing",
        "many_problems.yaml:10: experiments.small.encoder.checkpoint.modell: "
        "unknown key `modell`: did you mean `model`?",
        "many_problems.yaml:10: experiments.small.encoder.layers: should be at least 1, not `0`",
        "many_problems.yaml:11: experiments.small.retreival: unknown key `retreival`: did you mean `retrieval`?",
        "many_problems.yaml:12: experiments.small.epochs: "
        "unknown key `epochs`: it belongs under `adapters` or `training`",
        "many_problems.yaml:14: experiments.small.models.mart.mat_layers: "
        "a model of kind mart needs at least one layer that carries M^tr",
        "many_problems.yaml:15: experiments.small.models.m2brt: "
        "`m2brt` is no preset: did you mean `m2bert`?; a model of your own needs a `kind`",
        "many_problems.yaml:17: experiments.small.training.epochs: should be a number, not true",
        "many_problems.yaml:19: experiments.small.training.batch: effective 15 is not a multiple of forward 2",
        "many_problems.yaml:20: experiments.small.training.folds.run[1]: fold 7 is not there: folds go from 1 to 5",
        "many_problems.yaml:21: experiments.small.evaluation.measures[0]: "
        "'APP@100' is no measure: did you mean AP or MAP?",
        "many_problems.yaml:22: experiments.small.reranking: is empty: give it a value or remove the line",
    ]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("repeated_keys.yaml", ":5: experiments.small.pairs: key `pairs` is repeated, it is already on line 3"),
        ("not_yaml.yaml", ":4:10: this is not valid YAML: expected ',' or ']', but got ':'."),
        ("circles.yaml", ":3: experiments.two.extends: experiments extend each other in a circle: one -> two -> one"),
        ("circles.yaml", ":4: experiments.three.extends: no experiment `for`: did you mean `four`?"),
        ("circles.yaml", ":5: experiments.four: is empty: give it keys"),
        ("not_indented.yaml", ":1: pairs: `pairs` belongs to an experiment: indent it under `experiments:` and a name"),
        ("not_indented.yaml", ":2: experiments: should hold at least one experiment by name"),
    ],
)
def test_broken_files_are_refused_with_the_line(file: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(BAD / file, "one" if file == "circles.yaml" else None, environ={})
    assert file + said in caught.value.problem


def test_a_missing_file_or_one_in_another_encoding(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_experiment(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("description: für".encode("latin-1"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_experiment(tmp_path / "latin.yaml")


def test_extends_merges_key_by_key_and_replaces_lists(load: Load) -> None:
    more = """\
  base:
    extends: small
    training: {epochs: 7, folds: {run: [1, 2]}}
  child:
    extends: base
    training: {folds: {run: [3]}}
    encoder: {layers: 6}
    models: {mart: {init: identity}, mine: {kind: bert}}
"""
    settings = load(extra=more, name="child").settings
    assert settings.training.epochs == 7
    assert settings.training.folds.run == [3]
    assert (settings.encoder.checkpoint, settings.encoder.layers) == ("some-hub/encoder", 6)
    assert settings.models["mart"].init == "identity"
    assert settings.models["mine"].kind == "bert"


def test_a_problem_of_a_base_is_told_once_where_it_stands(problems: Callable[..., list[str]]) -> None:
    found = problems(extra="    training: {epocs: 3}\n  child: {extends: small}\n", name="child")
    assert found == [
        "experiments.yaml:9: experiments.small.training.epocs: unknown key `epocs`: did you mean `epochs`?"
    ]


def test_set_changes_one_key_typed_as_yaml(load: Load) -> None:
    sets = ["training.epochs=3", "models=[mart]", "training.learning_rate=1e-4", "pretrain.ranking.titles_of=eng"]
    sets += ["encoder.layers=6", "models.mart.mat_layers=[-1]", "pairs.deu-eng.training.epochs=9"]
    experiment = load(sets=sets)
    assert experiment.settings.training.epochs == 3
    assert experiment.for_pair("deu-eng").training.epochs == 9
    assert experiment.settings.training.learning_rate == 1e-4
    assert list(experiment.settings.models) == ["mart"]
    assert experiment.settings.models["mart"].mat_layers == [-1]
    assert experiment.settings.encoder.checkpoint == "some-hub/encoder"
    assert experiment.settings.pretrain is not None


def test_a_wrong_set_is_its_own_place(problems: Callable[..., list[str]]) -> None:
    found = problems(sets=["training.epochs=x", "trainig.epochs=3", "pairs.deu-eng.matrix.copy=sometimes"])
    assert sorted(found) == [
        "--set pairs.deu-eng.matrix.copy=sometimes: should be never, oov or always, not `sometimes`",
        "--set trainig.epochs=3: unknown key `trainig`: did you mean `training`?",
        "--set training.epochs=x: should be a whole number, not `x`",
    ]
    assert problems(sets=["training.epochs"]) == ["--set training.epochs is not of the form key.path=value"]


def test_variables_are_asked_of_the_chosen_experiment_only(load: Load, problems: Callable[..., list[str]]) -> None:
    more = "  other:\n    extends: small\n    qrels: {eng: '${QRELS}'}\n    training: {epochs: '${EPOCHS:-4}'}\n"
    assert load(extra=more, name="small").settings.training.epochs == 100
    assert load(extra=more, name="other", QRELS="qrels.txt", EPOCHS="6").settings.training.epochs == 6
    assert load(extra=more, name="other", QRELS="qrels.txt").settings.training.epochs == 4
    assert problems(extra=more, name="other") == [
        "experiments.yaml:11: experiments.other.qrels.eng: "
        "the environment variable QRELS is not set: set it, or write ${QRELS:-default}"
    ]


def test_every_experiment_of_the_file_must_fit_the_schema(problems: Callable[..., list[str]]) -> None:
    found = problems(extra="  other: {extends: small, training: {epochs: many}}\n", name="small")
    assert found == ["experiments.yaml:9: experiments.other.training.epochs: should be a whole number, not `many`"]


def test_a_pair_sees_its_own_settings(load: Load) -> None:
    text = SMALL.replace(
        "[deu-eng]\n", "{deu-eng: {training: {folds: {run: [2]}}, models: [mart]}, som-eng: {models: []}}\n"
    )
    experiment = load(text)
    german = experiment.for_pair("deu-eng")
    assert (german.training.folds.run, german.training.folds.count) == ([2], 5)
    assert list(german.models) == ["mart"]
    assert experiment.for_pair("som-eng").models == {}
    assert experiment.settings.training.folds.run is None
    with pytest.raises(UsageError, match=r"no pair `som-en`: did you mean `som-eng`"):
        experiment.for_pair("som-en")


def test_a_wrong_override_of_a_pair_has_its_line(problems: Callable[..., list[str]]) -> None:
    text = SMALL.replace("[deu-eng]\n", "\n      deu-eng:\n        retrieval:\n          k: 2\n          b: 3\n")
    assert problems(text) == [
        "experiments.yaml:10: experiments.small.pairs.deu-eng.retrieval.k: unknown key `k`: did you mean `k1`?",
        "experiments.yaml:11: experiments.small.pairs.deu-eng.retrieval.b: should be at most 1, not `3`",
    ]


def test_the_experiment_is_chosen_by_name_default_or_because_it_is_alone(load: Load) -> None:
    two = SMALL + "  other: {extends: small}\n"
    assert load("default: other\n" + two).name == "other"
    with pytest.raises(UsageError, match="several experiments: small, other"):
        load(two)
    with pytest.raises(UsageError, match="no experiment `smal`: did you mean `small`"):
        load(two, name="smal")
    assert load(two, name="small").other("other").name == "other"


def test_the_artifact_folder(load: Load, folder: Path) -> None:
    assert load("artifacts: made\n" + SMALL).artifacts == folder / "made"
    assert load("artifacts: made\n" + SMALL, CLIR_ARTIFACTS="/elsewhere").artifacts == Path("/elsewhere")


def test_the_resolved_experiment_is_the_same_experiment(load: Load) -> None:
    before = load(sets=["pairs.deu-eng.training.epochs=9", "matrix.copy=oov", "models.mart.arm=blocks"])
    plain = resolved(before)
    assert plain["collections"]["eng"]["path"] == ["documents.jsonl"]
    assert plain["matrix"]["copy"] == "oov"
    assert plain["training"]["folds"] == {"count": 5, "run": None}
    again = load(yaml.safe_dump({"experiments": {"small": json.loads(json.dumps(plain))}}))
    assert again.settings == before.settings


def test_what_a_file_holds_is_listed_without_checking_it(folder: Path) -> None:
    file = folder / "experiments.yaml"
    file.write_text("experiments: {a: {description: First, odd: 1}, b: }\n", encoding="utf-8")
    assert list_experiments(file) == {"a": "First", "b": ""}


def test_the_file_is_found_in_a_folder_above(load: Load, folder: Path) -> None:
    load()
    (folder / "deep" / "er").mkdir(parents=True)
    assert find_file(folder / "deep" / "er") == folder / "experiments.yaml"


def test_no_file_in_any_folder_above(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no experiments\.yaml"):
        find_file(tmp_path)
