"""Which settings are below the paper's: printed in the caption of every table made with them."""

from collections.abc import Callable

from clir_cli.config.schema import ExperimentSettings

# Each line: what it is, how to read it from the settings, the paper's value (MAT, CIKM 2021, section 4).
_PAPER: list[tuple[str, Callable[[ExperimentSettings], int], int]] = [
    ("training epochs", lambda s: s.training.epochs, 100),
    ("patience", lambda s: s.training.patience, 20),
    ("validation depth", lambda s: s.training.validation.depth, 100),
    ("re-ranking depth", lambda s: s.reranking.depth, 100),
    ("word pieces of an input", lambda s: s.encoder.max_pieces, 512),
    ("word pieces of a document", lambda s: s.encoder.document_pieces, 800),
    ("depth negatives are drawn from", lambda s: s.training.negatives, 500),
    ("pairs in a step", lambda s: s.training.batch.effective, 16),
]


def reductions(settings: ExperimentSettings) -> list[str]:
    """One phrase for every reduced setting of a pair, such as ``re-ranking depth 50 (paper: 100)``."""
    found = [f"{what} {value} (paper: {paper})" for what, read, paper in _PAPER if (value := read(settings)) < paper]
    training = settings.training
    if training.validation.topics is not None:
        found.append(f"validation on at most {training.validation.topics} topics (paper: all of the fold)")
    if training.validation.every > 1:
        found.append(f"validation every {training.validation.every} epochs")
    if training.folds.run is not None and len(set(training.folds.run)) < training.folds.count:
        folds = ", ".join(str(fold) for fold in sorted(set(training.folds.run)))
        found.append(f"only fold {folds} of {training.folds.count} (paper: all five)")
    if training.learning_rate != 2e-5:
        found.append(f"learning rate {training.learning_rate:g} (paper: 2e-05)")
    architecture = settings.pretrain.architecture if settings.pretrain else None
    if architecture is not None:
        size = f"{architecture.layers} layers of width {architecture.width}"
        found.append(f"an encoder of {size} made from the experiment's own text (paper: multilingual BERT, 12 of 768)")
    elif settings.encoder.layers is not None:
        found.append(f"only the first {settings.encoder.layers} layers of the encoder")
    return found
