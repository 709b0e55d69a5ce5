"""The stage that mixes two runs."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from clir_cli.corpora.folds import read_folds, split
from clir_cli.errors import DataError
from clir_cli.evaluation.interpolation import Blend, bring_together, choose_weight
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.records import ProgressCallback, Run
from clir_cli.trec import read_qrels, read_run, write_run

WEIGHTS = "weights.json"
"""Beside the run: the weight of every fold, and what it was chosen by."""


def interpolate(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Runs of two systems -> one run of the test topics, the weight of a fold chosen on its validation topics.

    The judgements of a topic have a say in the weights of other folds only: no topic decides its own.
    """
    settings = inputs.settings
    qrels = read_qrels(inputs.needs["topics"] / "qrels.txt")
    keys = {topic.id: topic.key for topic in read_joined(inputs.needs["topics"] / "topics.tsv") if topic.id in qrels}
    folds = read_folds(inputs.needs["folds"] / "folds.tsv")
    read = cache(read_run)

    def blend(fold: int, part: str, topics: list[str]) -> Blend:
        """Both systems on these topics; one that is trained has a run for each part, by the model of this fold."""
        sides = [inputs.needs.get(side) or inputs.needs[f"{side} {part} {fold}"] for side in ("first", "second")]
        first, second = (read(folder / "run.trec") for folder in sides)
        reranked = (settings["reranked"][0], settings["reranked"][1])
        return bring_together(first, second, topics, normalise=settings["normalise"], reranked=reranked)

    run: Run = {}
    chosen: list[dict[str, Any]] = []
    for number, fold in enumerate(settings["folds"], 1):
        parts = split(folds, fold)
        validation = [topic for topic, key in keys.items() if key in parts.validation]
        tested = [topic for topic, key in keys.items() if key in parts.test]
        if not validation:
            raise DataError(
                f"The weight of fold {fold} cannot be chosen: none of its validation topics is judged here.",
                "Bring more topics or ask for fewer folds.",
            )
        choice = choose_weight(
            blend(fold, "validation", validation),
            qrels,
            validation,
            step=settings["step"],
            measure=settings["measure"],
        )
        run |= blend(fold, "test", tested).at(choice.weight)
        chosen.append(
            {
                "fold": fold,
                "weight": choice.weight,
                "validation_topics": len(validation),
                "value": choice.value,
                "first_alone": choice.values[1.0],
                "second_alone": choice.values[0.0],
            }
        )
        progress(number, len(settings["folds"]), f"fold {fold}: weight {choice.weight:g}")
    write_run(out / "run.trec", {topic: run[topic] for topic in keys if topic in run}, settings["name"])
    first, second = settings["systems"]
    about = {"first": first, "second": second, "measure": settings["measure"], "normalise": settings["normalise"]}
    text = json.dumps(about | {"folds": chosen}, indent=1, ensure_ascii=False)
    (out / WEIGHTS).write_text(text + "\n", encoding="utf-8")
