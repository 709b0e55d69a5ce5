"""Whether texts and encoder of an experiment are those that the MAT paper speaks of."""

import json
import os
import re
from pathlib import Path

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.load import Experiment
from clir_cli.report.paper.evidence import Data

_LAYERS = 12
_CONFIG = {"model_type": ("bert",), "num_hidden_layers": (_LAYERS,), "vocab_size": (105_879, 119_547)}
"""Multilingual BERT's, without and with upper case."""


def whose_data(experiment: Experiment) -> Data:
    """The sample's (by where it lies), CLEF's (by its format), or others."""
    places = [Path(path) for found in experiment.settings.collections.values() for path in found.path]
    sample = Path(os.environ.get("CLIR_SAMPLE", "data/sample"))
    sample = (experiment.file.parent / sample).resolve()
    if places and all(place.resolve().is_relative_to(sample) for place in places):
        return Data.sample
    formats = {found.format for found in experiment.settings.collections.values()}
    return Data.clef if formats == {"clef"} else Data.other


def other_encoder(experiment: Experiment) -> str:
    """What the encoder is, where it is not multilingual BERT with all its layers; else empty.

    A folder is known by its config.json, a model of the hub by its name.
    """
    settings = experiment.settings
    architecture = settings.pretrain.architecture if settings.pretrain else None
    if architecture is not None:
        return f"{architecture.layers} layers of width {architecture.width} made from the experiment's own text"
    checkpoint = settings.encoder.checkpoint
    if isinstance(checkpoint, CheckpointOf):
        return other_encoder(experiment.other(checkpoint.experiment))
    name = "no checkpoint" if checkpoint is None else checkpoint
    if Path(name).is_dir():
        name, is_papers = Path(name).name, _is_multilingual_bert(Path(name) / "config.json")
    else:
        is_papers = re.search(r"(^|[/-])bert-(base-)?multilingual", name) is not None
    kept = settings.encoder.layers
    if kept is not None and kept < _LAYERS:
        return f"the first {kept} layers of {name}"
    return "" if is_papers else name


def _is_multilingual_bert(config: Path) -> bool:
    try:
        told = json.loads(config.read_text(encoding="utf-8"))
        told = told.get("encoder") or told  # a re-ranker's folder tells it under that name
        return all(told.get(key) in wanted for key, wanted in _CONFIG.items())
    except (OSError, ValueError, AttributeError):
        return False
