"""What must hold between settings: each line is a change of the small experiment and what is said of it."""

from collections.abc import Callable

import pytest

from clir_cli.config.model_schema import ModelTrainingSettings
from clir_cli.config.training_schema import TrainingSettings

from .conftest import SMALL, Load

ARCHITECTURE = "pretrain={architecture: {layers: 4}, masked_language: {collections: [eng]}}"

BROKEN = {
    "a list whose only member is no choice": (["analysis.ablation.arms=[shufled]"], "did you mean `shuffled`?"),
    "no pair at all": (["pairs=[]"], "name at least one pair"),
    "a pair whose documents are nowhere": (
        ["pairs=[deu-fra]", "bitext.deu-fra=[deu.gz, eng.gz]"],
        "add `collections.fra`",
    ),
    "a pair that names a collection": (["pairs.deu-eng.collection=en"], "no collection `en`: did you mean `eng`?"),
    "a pair whose topics are nowhere": (
        ["pairs=[fra-eng]", "bitext.fra-eng=[deu.gz, eng.gz]"],
        "fra-eng needs topics in fra: add `topics.fra`",
    ),
    "a pair that names topics": (["pairs.deu-eng.topics=due"], "no topics `due`: did you mean `deu`?"),
    "a collection without judgements": (
        ["collections.news={path: documents.jsonl, language: eng}", "pairs.deu-eng.collection=news"],
        "deu-eng needs judgements of collection news: add `qrels.news`",
    ),
    "a pair without parallel text": (["pairs=[eng-eng]"], "eng-eng has nothing to learn translations from"),
    "a pair with an unknown model": (["pairs.deu-eng.models=[mrt]"], "no model `mrt`: did you mean `mart`?"),
    "more cards than a step has forward passes": (
        ["training.cards=3", "training.batch={forward: 8, effective: 16}"],
        "3 cards share the 2 forward passes of a step: lower batch.forward",
    ),
    "more cards than a step of one model has forward passes": (
        ["training.cards=2", "models.mart.training.batch={forward: 16, effective: 16}"],
        "models.mart.training.batch={forward: 16, effective: 16}: 2 cards share the 1 forward passes of a step",
    ),
    "a step of one model that forward does not divide": (
        ["training.batch={forward: 8, effective: 16}", "models.mart.training.batch.effective=12"],
        "effective 12 is not a multiple of forward 8",
    ),
    "training of what is not trained": (
        ["models={z: {kind: bert, zero_shot: true, training: {learning_rate: 0.1}}}"],
        "`training` has no effect on a model that is zero_shot",
    ),
    "a source of translations for the placebo": (
        ["models={m2bert: {}, mart-plb: {source: bitext}}"],
        "`source` has no effect: mart-plb is given identity, which comes from no table",
    ),
    "a source of translations for copies": (
        ["models={mart: {arm: copies, source: bitext}}"],
        "`source` has no effect: mart is given copies, which comes from no table",
    ),
    "an ablation of no model": (["analysis.ablation.model=mrat"], "no model `mrat`: did you mean `mart`?"),
    "an ablation of the placebo": (["analysis.ablation.model=mart-plb"], "mart-plb is given no M^tr"),
    "an ablation by no source": (["analysis.ablation.sources=[bitxt]"], "no source `bitxt`: did you mean `bitext`?"),
    "a thousand million weights": (["interpolation={x: {systems: [smt, mart], step: 1.0e-9}}"], "at least 0.001"),
    "a model called like a system": (["models={smt: {kind: bert}}"], "`smt` is the name of a first-stage system"),
    "a model called like PSQ": (["models={psq: {kind: bert}}"], "`psq` is the name of a first-stage system"),
    "a model called like dense retrieval": (
        ["models={dense: {kind: bert}}"],
        "`dense` is the name of a first-stage system",
    ),
    "dense retrieval without an encoder": (
        ["encoder={layers: 4}", "models=[]", "retrieval.methods=[smt, dense]"],
        "dense retrieval needs an encoder: give `retrieval.dense.checkpoint`",
    ),
    "a pair's dense retrieval without an encoder": (
        ["encoder={layers: 4}", "models=[]", "pairs.deu-eng.retrieval.methods=[dense]"],
        "pairs.deu-eng.retrieval.methods=[dense]: dense retrieval needs an encoder",
    ),
    "exact lengths in Lucene": (["retrieval.exact_lengths=true"], "`exact_lengths` needs `engine: sparse`"),
    "exact lengths of a pair in Lucene": (
        ["pairs.deu-eng.retrieval.exact_lengths=true"],
        "`exact_lengths` needs `engine: sparse`",
    ),
    "a method twice": (["retrieval.methods=[psq, psq]"], "a method is named twice"),
    "comparing with a method that is not run": (["evaluation.baselines=[psq]"], "no system `psq`"),
    "comparing with SMT where only PSQ is run": (
        ["retrieval.methods=[psq]", "evaluation.baselines=[smt]"],
        "no system `smt`",
    ),
    "comparing an unknown system": (["evaluation.compare=mrat"], "no system `mrat`: did you mean `mart`?"),
    "comparing with an unknown system": (
        ["evaluation.baselines=[smt, nbert]"],
        "no system `nbert`: did you mean `m2bert`",
    ),
    "comparing a system with itself": (["evaluation.baselines=[mart]"], "`mart` is compared with itself"),
    "an unknown measure": (["evaluation.measures=[APP@10]"], "'APP@10' is no measure"),
    "a measure twice": (["evaluation.measures=[AP@100, AP@100]"], "`AP@100` is named twice"),
    "models without an encoder": (["encoder={layers: 4}"], "models need an encoder"),
    "an encoder named and another built": ([ARCHITECTURE], "keep one of them"),
    "no MAT layer": (["models.mart.mat_layers=[]"], "at least one layer that carries M^tr"),
    "a MAT layer below the first": (["encoder.layers=6", "models.mart.mat_layers=[-7]"], "no layer -7"),
    "a MAT layer above the last": (["encoder.layers=6", "models.mart.mat_layers=[6]"], "the encoder has layers 0 to 5"),
    "a MAT layer by two names": (["encoder.layers=6", "models.mart.mat_layers=[-1, 5]"], "one of the 6 layers twice"),
    "a MORES setting of a cross-encoder": (["models.mart.blocks=2"], "`blocks` is only for models of kind mores"),
    "MAT layers of a MORES": (["models.m={kind: mores, mat_layers: [1]}"], "no effect on a model of kind mores"),
    "an arm of a MORES without knowledge": (
        ["models.m={kind: mores, arm: identity}"],
        "`arm` needs `knowledge: true`: without it M^tr is not read",
    ),
    "knowledge that would not learn": (["models.mores-mat={adapt: representation}"], "it would stay as it was drawn"),
    "a MORES without ranking examples": (["models.mores={ranking: {steps: 5}}"], "give `pretrain.ranking`"),
    "blocks for all layers": (
        ["encoder.layers=3", "models={mores: {blocks: 3}}"],
        "leave none of the encoder's 3 layers",
    ),
    "five blocks": (["models.mores={blocks: 5}"], "should be at most 4"),
    "epochs of one model beyond the experiment's": (
        ["models.mart.training={epochs: 101}"],
        "101 epochs, and training pairs are drawn for 100: raise `training.epochs`",
    ),
    "nothing to reuse": (["reranking.reuse=s1"], "no model of kind mores has representations to use again"),
    "MAT layers of a plain model": (["models.mine={kind: bert, mat_layers: [1]}"], "only for models of kind mart"),
    "dropout of a model that nobody trains": (
        ["models.mine={kind: bert, zero_shot: true, dropout: 0.1}"],
        "`dropout` has no effect on a model that is zero_shot",
    ),
    "inputs longer than positions": (
        ["encoder={max_pieces: 300}", ARCHITECTURE],
        "300 pieces do not fit the 256 of pretrain.architecture.positions",
    ),
    "a fold too many": (["training.folds={count: 3, run: [4]}"], "fold 4 is not there: folds go from 1 to 3"),
    "no fold": (["training.folds.run=[]"], "names no fold"),
    "a fold too many in a pair": (
        ["training.folds.count=3", "pairs.deu-eng.training.folds.run=[3, 4]"],
        "fold 4 is not there: folds go from 1 to 3",
    ),
    "no fold in a pair": (["pairs.deu-eng.training.folds.run=[]"], "names no fold"),
    "folds of a pair's own": (["pairs.deu-eng.training.folds.count=4"], "all pairs share their folds"),
    "pre-training on an unknown collection": (["pretrain.masked_language.collections=[egn]"], "did you mean `eng`?"),
    "pre-training on unknown parallel text": (["pretrain.masked_language.bitext=[deu-fra]"], "no bitext `deu-fra`"),
    "pre-training on nothing": (["pretrain.masked_language.steps=3"], "has nothing to read"),
    "pre-training on translations of nothing": (
        ["pretrain.masked_language={collections: [eng], translation: true}"],
        "needs `bitext`",
    ),
    "titles of an unknown collection": (["pretrain.ranking.titles_of=news"], "no collection `news`"),
    "two rows of one label": (
        ["models.mart.label=X", "models.m2bert.label=X"],
        "`X` is the label of m2bert too",
    ),
    "a checkpoint of an unknown experiment": (
        ["encoder.checkpoint={experiment: smal, model: mart}"],
        "no experiment `smal`: did you mean `small`?",
    ),
}


@pytest.mark.parametrize(("sets", "said"), BROKEN.values(), ids=list(BROKEN))
def test_a_broken_rule_is_the_only_thing_told(problems: Callable[..., list[str]], sets: list[str], said: str) -> None:
    text = SMALL.replace("[deu-eng]", "[deu-eng]\n    models: [m2bert, mart-plb, mart]")
    if "encoder={" in " ".join(sets):
        text = text.replace("    encoder: some-hub/encoder\n", "")
    found = problems(text, sets=sets)
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(
    "sets",
    [
        ["retrieval.dense=hub/e5"],
        ["retrieval.dense={checkpoint: hub/e5, pooling: cls, similarity: dot, stored: float16}"],
        ["pairs.deu-eng.retrieval.dense.checkpoint=hub/e5"],
        ["encoder=hub/mbert"],
        ["retrieval.dense=hub/e5", "knowledge.source=none"],
    ],
)
def test_dense_retrieval_with_an_encoder_needs_nothing_else(load: Load, sets: list[str]) -> None:
    text = SMALL.replace("    encoder: some-hub/encoder\n", "    models: []\n").replace(", eng: topics.eng.tsv", "")
    settings = load(text, sets=["retrieval.methods=[dense]", *sets]).for_pair("deu-eng")
    assert settings.retrieval.dense.checkpoint == (None if "encoder=hub/mbert" in sets else "hub/e5")


def test_a_re_ranker_of_another_experiment_makes_no_vectors(problems: Callable[..., list[str]]) -> None:
    text = SMALL + STEP.replace("MODEL", "mart").replace("PAIR", "deu-eng") + "    retrieval: {methods: [dense]}\n"
    assert problems(text, name="step") == [
        "experiments.yaml:13: experiments.step.retrieval.methods: dense retrieval needs an encoder: give "
        "`retrieval.dense.checkpoint` (a re-ranker of another experiment, which `encoder.checkpoint` names, is none)"
    ]


def test_baselines_that_only_the_default_names_leave_silently(load: Load) -> None:
    assert load(sets=["models=[mart]"]).settings.evaluation.baselines == ["smt"]
    assert load(sets=["models=[m2bert, mart]"]).settings.evaluation.baselines == ["smt", "m2bert"]


def test_first_stage_only_needs_no_encoder(load: Load) -> None:
    text = SMALL.replace("    encoder: some-hub/encoder\n", "    models: []\n")
    assert load(text).settings.models == {}


def test_a_table_replaces_parallel_text_and_human_translations_may_lack(load: Load, folder: object) -> None:
    text = SMALL.replace(", eng: topics.eng.tsv", "").replace(
        "    bitext: {deu-eng: [deu.gz, eng.gz], som-eng: [som.gz, eng.gz]}\n", ""
    )
    experiment = load(text, sets=["knowledge.table=eng.gz"])
    assert experiment.human_topics("deu-eng") is None
    assert experiment.for_pair("deu-eng").knowledge.table is not None


STEP = """\
  step:
    extends: small
    encoder: {checkpoint: {experiment: small, model: MODEL}}
    pairs: [PAIR]
"""


@pytest.mark.parametrize(
    ("model", "pair", "said"),
    [
        ("m2bret", "deu-eng", "experiment small has no model `m2bret`: did you mean `m2bert`?"),
        (
            "m2bert",
            "som-eng",
            "experiment small does not run som-eng: name one of its pairs as `pair` (known: deu-eng)",
        ),
    ],
)
def test_the_model_of_another_experiment_must_be_there(
    problems: Callable[..., list[str]], model: str, pair: str, said: str
) -> None:
    found = problems(extra=STEP.replace("MODEL", model).replace("PAIR", pair), name="step")
    assert len(found) == 1
    assert said in found[0]


def test_another_experiments_model_for_another_pair(load: Load) -> None:
    step = STEP.replace("MODEL", "m2bert, pair: deu-eng").replace("PAIR", "som-eng")
    experiment = load(extra=step, name="step")
    assert experiment.other("small").settings.pairs.keys() == {"deu-eng"}


def test_pre_training_does_not_go_on_from_another_experiments_model(problems: Callable[..., list[str]]) -> None:
    step = STEP.replace("MODEL", "m2bert").replace("PAIR", "deu-eng")
    found = problems(extra=step + "    pretrain: {masked_language: {collections: [eng]}}\n", name="step")
    assert len(found) == 1
    assert "pre-training does not go on from another experiment's model" in found[0]


def test_experiments_that_start_from_each_other(problems: Callable[..., list[str]]) -> None:
    more = STEP.replace("MODEL", "mart").replace("PAIR", "deu-eng").replace("experiment: small", "experiment: step")
    assert any("start from each other in a circle: step -> step" in line for line in problems(extra=more, name="step"))


def test_problems_of_the_experiment_it_starts_from_are_told_too(problems: Callable[..., list[str]]) -> None:
    more = STEP.replace("MODEL", "mart").replace("PAIR", "deu-eng") + "    qrels: {eng: other.txt}\n"
    text = SMALL.replace("qrels.txt", "nowhere.txt")
    found = problems(text, extra=more, name="step")
    assert ["nowhere.txt" in line or "other.txt" in line for line in found] == [True, True]


def test_methods_of_any_pair_may_be_compared(load: Load) -> None:
    sets = ["pairs.deu-eng.retrieval.methods=[smt, psq]", "evaluation.compare=psq", "evaluation.baselines=[smt]"]
    assert load(sets=sets).settings.evaluation.compare == "psq"


def test_what_a_model_does_not_say_of_its_batches_is_the_experiments() -> None:
    training = TrainingSettings.model_validate(
        {"batch": {"forward": 8, "effective": 16, "unit": "documents"}, "validation": {"topics": 7, "depth": 20}}
    )
    own = ModelTrainingSettings.model_validate({"batch": {"effective": 64}, "validation": {"topics": 3}, "epochs": 2})
    laid = own.lay_over(training)
    assert laid.batch.model_dump() == {"forward": 8, "effective": 64, "unit": "documents"}
    assert laid.validation.model_dump() == {"topics": 3, "depth": 20, "every": 1}
    assert laid.epochs == 2
    assert ModelTrainingSettings().lay_over(training) == training
