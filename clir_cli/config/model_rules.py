"""What must hold between models, encoder and folds: one rule, one small function."""

from collections.abc import Iterator

from pydantic import ValidationError

from clir_cli.config.draft import Draft, Rule
from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.model_schema import ModelSettings, ModelTrainingSettings
from clir_cli.config.problems import Problem, near_miss


def systems_are_not_model_names(draft: Draft) -> Iterator[Problem]:
    for name in ("smt", "psq", "dense", "human"):
        if name in draft.settings.models:
            yield draft.problem(("models", name), f"`{name}` is the name of a first-stage system: choose another")


def models_have_an_encoder(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    built = settings.pretrain is not None and settings.pretrain.architecture is not None
    named = settings.encoder.checkpoint is not None or draft.wrote(("encoder", "checkpoint"))
    if not named and not built and (settings.models or settings.pretrain):
        rule = "models need an encoder: give `encoder.checkpoint`, or `pretrain.architecture` to build one"
        yield draft.problem(("encoder",), rule)
    if settings.encoder.checkpoint is not None and built:
        rule = "a new encoder is built, and `encoder.checkpoint` names one too: keep one of them"
        yield draft.problem(("pretrain", "architecture"), rule)
    elif isinstance(settings.encoder.checkpoint, CheckpointOf) and settings.pretrain is not None:
        rule = "pre-training does not go on from another experiment's model: pre-train in that experiment"
        yield draft.problem(("pretrain",), rule)


def mat_layers_fit(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    architecture = settings.pretrain.architecture if settings.pretrain else None
    depth = settings.encoder.layers or (architecture.layers if architecture else None)
    for name, model in settings.models.items():
        path = ("models", name, "mat_layers")
        if model.zero_shot and model.kind != "bert":
            rule = "MAT layers are new weights: without fine-tuning they know nothing; zero_shot is for kind bert"
            yield draft.problem(("models", name, "zero_shot"), rule)
        for key in ("pooler", "dropout"):
            if model.zero_shot and draft.wrote(("models", name, key)):
                rule = f"`{key}` has no effect on a model that is zero_shot: the checkpoint decides"
                yield draft.problem(("models", name, key), rule)
        if model.kind == "bert":
            for key in ("arm", "mat_layers", "init", "source"):
                if draft.wrote(("models", name, key)) and name != "m2bert":
                    yield draft.problem(("models", name, key), f"`{key}` is only for models of kind mart")
        if model.kind != "mart":
            continue
        if not model.mat_layers:
            yield draft.problem(path, "a model of kind mart needs at least one layer that carries M^tr")
        if depth is None:
            continue
        outside = [layer for layer in model.mat_layers if not -depth <= layer < depth]
        if outside:
            rule = f"there is no layer {outside[0]}: the encoder has layers 0 to {depth - 1}, or -{depth} to -1"
            yield draft.problem(path, rule)
        elif len({layer % depth for layer in model.mat_layers}) < len(model.mat_layers):
            yield draft.problem(path, f"{model.mat_layers} names one of the {depth} layers twice")


def sources_of_models_are_read(draft: Draft) -> Iterator[Problem]:
    for name, model in draft.settings.models.items():
        if model.source is not None and model.has_branch and not model.reads_table:
            rule = f"`source` has no effect: {name} is given {model.arm.value}, which comes from no table"
            yield draft.problem(("models", name, "source"), rule)


_OF_MORES = ("blocks", "tied", "block_start", "knowledge", "adapt", "ranking")


def mores_settings_fit(draft: Draft) -> Iterator[Problem]:
    """What is said of MORES is said of a MORES, and has an effect."""
    settings = draft.settings
    architecture = settings.pretrain.architecture if settings.pretrain else None
    depth = settings.encoder.layers or (architecture.layers if architecture else None)
    has_examples = settings.pretrain is not None and settings.pretrain.ranking is not None
    for name, model in settings.models.items():
        path = ("models", name)
        if model.kind != "mores":
            for key in _OF_MORES:
                if _is_changed(model, key):
                    yield draft.problem((*path, key), f"`{key}` is only for models of kind mores")
            continue
        for key in ("mat_layers", "pooler"):
            if _is_changed(model, key):
                yield draft.problem((*path, key), f"`{key}` has no effect on a model of kind mores")
        for key in ("arm", "init", "source"):
            if _is_changed(model, key) and not model.knowledge:
                yield draft.problem((*path, key), f"`{key}` needs `knowledge: true`: without it M^tr is not read")
        if model.knowledge and model.adapt == "representation":
            rule = "the branch of M^tr belongs to the interaction: it would stay as it was drawn"
            yield draft.problem((*path, "adapt"), rule)
        if _is_changed(model, "ranking") and not has_examples:
            rule = "there are no examples to rank: give `pretrain.ranking`"
            yield draft.problem((*path, "ranking"), rule)
        if depth is not None and model.blocks >= depth:
            rule = f"{model.blocks} blocks leave none of the encoder's {depth} layers to read queries"
            yield draft.problem((*path, "blocks"), rule)


def _is_changed(model: ModelSettings, key: str) -> bool:
    """Whether a setting is not its default; one that is written as the default changes nothing."""
    return bool(getattr(model, key) != type(model).model_fields[key].default)


def models_train_within_the_experiments_epochs(draft: Draft) -> Iterator[Problem]:
    """Pairs are drawn once for all models, as many epochs of them as the experiment has."""
    for name, model in draft.settings.models.items():
        epochs = model.training.epochs
        if epochs is None:
            continue
        most = min((draft.for_pair(pair).training.epochs for pair in draft.settings.pairs), default=epochs)
        if epochs > most:
            rule = f"{epochs} epochs, and training pairs are drawn for {most}: raise `training.epochs`"
            yield draft.problem(("models", name, "training", "epochs"), rule)


def training_of_models_fits(draft: Draft) -> Iterator[Problem]:
    """What a model says of its training is laid over the experiment's, and fits it."""
    for name, model in draft.settings.models.items():
        path = ("models", name, "training")
        if model.zero_shot and model.training != ModelTrainingSettings():
            yield draft.problem(path, "`training` has no effect on a model that is zero_shot")
        for pair in draft.settings.pairs:
            try:
                model.training.lay_over(draft.for_pair(pair).training)
            except ValidationError as error:
                yield draft.problem(path, error.errors()[0]["msg"].removeprefix("Value error, "))
                break


def reuse_is_of_mores(draft: Draft) -> Iterator[Problem]:
    """Only MORES has representations to reuse."""
    settings = draft.settings
    if settings.reranking.reuse != "none" and not any(model.kind == "mores" for model in settings.models.values()):
        yield draft.problem(("reranking", "reuse"), "no model of kind mores has representations to use again")


def input_fits_positions(draft: Draft) -> Iterator[Problem]:
    pretrain = draft.settings.pretrain
    if pretrain is None or pretrain.architecture is None:
        return
    positions = pretrain.architecture.positions
    for path, group in (
        (("encoder", "max_pieces"), draft.settings.encoder),
        (("pretrain", "masked_language", "max_pieces"), pretrain.masked_language),
        (("pretrain", "ranking", "max_pieces"), pretrain.ranking),
    ):
        if group is not None and draft.wrote(path) and group.max_pieces > positions:
            yield draft.problem(
                path, f"{group.max_pieces} pieces do not fit the {positions} of pretrain.architecture.positions"
            )


def folds_are_within_count(draft: Draft) -> Iterator[Problem]:
    folds = draft.settings.training.folds
    for index, fold in enumerate(folds.run or []):
        if not 1 <= fold <= folds.count:
            rule = f"fold {fold} is not there: folds go from 1 to {folds.count}"
            yield draft.problem(("training", "folds", "run", index), rule)
    if folds.run == [] and draft.settings.models:
        yield draft.problem(("training", "folds", "run"), "names no fold: leave it out to run all")
    for pair in draft.settings.pairs:
        yield from _folds_of_pair_fit(draft, pair)


def _folds_of_pair_fit(draft: Draft, pair: str) -> Iterator[Problem]:
    """A pair may run other folds, but all pairs share one way of dealing topics into folds."""
    shared, own = draft.settings.training, draft.for_pair(pair).training
    path = ("pairs", pair, "training")
    if own.folds.count != shared.folds.count:
        rule = "all pairs share their folds: set `training.folds.count` for the whole experiment"
        yield draft.problem((*path, "folds", "count"), rule)
    elif own.folds.run != shared.folds.run:
        for index, fold in enumerate(own.folds.run or []):
            if not 1 <= fold <= own.folds.count:
                rule = f"fold {fold} is not there: folds go from 1 to {own.folds.count}"
                yield draft.problem((*path, "folds", "run", index), rule)
        if own.folds.run == [] and draft.for_pair(pair).models:
            yield draft.problem((*path, "folds", "run"), "names no fold: `models: []` leaves out what is trained")


def pretraining_reads_what_is_there(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    if settings.pretrain is None:
        return
    masked, ranking = settings.pretrain.masked_language, settings.pretrain.ranking
    if masked is not None:
        path = ("pretrain", "masked_language")
        for index, name in enumerate(masked.collections):
            if name not in settings.collections:
                rule = f"no collection `{name}`{near_miss(name, settings.collections)}"
                yield draft.problem((*path, "collections", index), rule)
        for index, pair in enumerate(masked.bitext):
            if pair not in settings.bitext:
                yield draft.problem((*path, "bitext", index), f"no bitext `{pair}`{near_miss(pair, settings.bitext)}")
        if not masked.collections and not masked.bitext:
            yield draft.problem(path, "has nothing to read: give `collections`, `bitext` or both")
        if masked.translation and not masked.bitext:
            yield draft.problem((*path, "translation"), "needs `bitext` to read translations from")
    if ranking is not None and ranking.titles_of is not None and ranking.titles_of not in settings.collections:
        rule = f"no collection `{ranking.titles_of}`{near_miss(ranking.titles_of, settings.collections)}"
        yield draft.problem(("pretrain", "ranking", "titles_of"), rule)


def checkpoints_of_experiments_are_there(draft: Draft) -> Iterator[Problem]:
    checkpoint = draft.settings.encoder.checkpoint
    if not isinstance(checkpoint, CheckpointOf):
        return
    path = ("encoder", "checkpoint")
    if checkpoint.experiment not in draft.others:
        rule = f"no experiment `{checkpoint.experiment}`{near_miss(checkpoint.experiment, draft.others)}"
        yield draft.problem((*path, "experiment"), rule)
        return
    other = draft.other(checkpoint.experiment)
    if other is None:  # it has problems of its own, which are listed
        return
    if checkpoint.model not in other.settings.models:
        near = near_miss(checkpoint.model, other.settings.models)
        rule = f"experiment {other.name} has no model `{checkpoint.model}`{near}"
        yield draft.problem((*path, "model"), rule)
    for pair in [checkpoint.pair] if checkpoint.pair else draft.pairs_with_models():
        if pair not in other.settings.pairs:
            rule = f"experiment {other.name} does not run {pair}: name one of its pairs as `pair`"
            yield draft.problem(
                (*path, "pair") if checkpoint.pair else path, rule + near_miss(pair, other.settings.pairs)
            )
        elif checkpoint.model in other.settings.models and checkpoint.model not in other.for_pair(pair).models:
            yield draft.problem(path, f"experiment {other.name} does not train {checkpoint.model} for {pair}")


def models_have_names_of_their_own(draft: Draft) -> Iterator[Problem]:
    labels: dict[str, str] = {}
    for name, model in draft.settings.models.items():
        if model.label is None:
            continue
        if model.label in labels:
            rule = f"`{model.label}` is the label of {labels[model.label]} too: rows could not be told apart"
            yield draft.problem(("models", name, "label"), rule)
        labels[model.label] = name


MODEL_RULES: list[Rule] = [
    systems_are_not_model_names,
    models_have_an_encoder,
    mat_layers_fit,
    sources_of_models_are_read,
    mores_settings_fit,
    models_train_within_the_experiments_epochs,
    training_of_models_fits,
    reuse_is_of_mores,
    input_fits_positions,
    folds_are_within_count,
    pretraining_reads_what_is_there,
    checkpoints_of_experiments_are_there,
    models_have_names_of_their_own,
]
