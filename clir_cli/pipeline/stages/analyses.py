"""Stages that look into trained models."""

from pathlib import Path

from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.languages import load_trained
from clir_cli.pipeline.stages.material import Material
from clir_cli.records import ProgressCallback


def gap(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A fold's model and the best candidates of its test topics -> the similarity of translations in every layer."""
    from clir_cli.analysis.translation_gap import measure_gap
    from clir_cli.learning.devices import choose_device, set_threads
    from clir_cli.rerankers.cross_encoder import CrossEncoder
    from clir_cli.rerankers.reading import PassageReader

    settings, material = inputs.settings["gap"], Material(inputs)
    set_threads(inputs.settings["threads"])
    model, tokenizer = load_trained(inputs)
    assert isinstance(model, CrossEncoder)
    model.to(choose_device())
    candidates = material.top(material.topics_of(material.split.test), settings["documents"])
    found = measure_gap(
        model,
        PassageReader(model, tokenizer, **material.reading, with_links=True),
        [(topic, [entry.document for entry in entries]) for topic, entries in candidates.items()],
        threshold=settings["threshold"],
        random_pairs=settings["random_pairs"],
        seed=settings["seed"],
        tokens=inputs.hints["tokens"],
        progress=progress,
    )
    found.save(out / "gap.npz")
