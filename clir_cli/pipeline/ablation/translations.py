"""What M^tr is: where its translations come from, and what stands in its place."""

from collections.abc import Sequence

from clir_cli.config.load import Experiment
from clir_cli.config.model_schema import Arm
from clir_cli.config.sources import names_of_sources, what_lacks
from clir_cli.pipeline.ablation.variants import Variants, replaced
from clir_cli.pipeline.rows import Rows

_ARM_LABELS = {
    Arm.identity: "identity",
    Arm.blocks: "word blocks only",
    Arm.shuffled: "shuffled table",
    Arm.transposed: "transposed table",
    Arm.copies: "exact copies only",
}


def by_arms(experiment: Experiment, base: str) -> Variants:
    """The model given something else than M^tr."""
    varied, label = experiment.settings.models[base], Rows(experiment).label(base)
    variants = {
        f"{base}-{arm.value}": replaced(
            varied, f"{label}, {_ARM_LABELS[arm]}", arm=arm, source=varied.source if arm.reads_table else None
        )
        for arm in experiment.settings.analysis.ablation.arms
        if arm is not Arm.translation
    }
    return Variants(label, variants)


def by_sources(experiment: Experiment, base: str, pairs: Sequence[str]) -> Variants:
    """The model with other sources of translations.

    A source that none of the pairs has is left out. One that a pair's model reads already is no variant there.
    """
    varied, rows = experiment.settings.models[base], Rows(experiment)
    label = rows.label(base)
    own = {pair: rows.source_of_matrix(pair, base) for pair in pairs}
    by_pair = {pair: experiment.for_pair(pair) for pair in pairs}
    asked = experiment.settings.analysis.ablation.sources
    known = dict.fromkeys(name for pair in pairs for name in asked or names_of_sources(by_pair[pair].knowledge))
    useful = [
        name
        for name in known
        if any(own[pair] != name and what_lacks(by_pair[pair], pair, name) is None for pair in pairs)
    ]
    variants = {f"{base}-{name}": replaced(varied, f"{label}, {name}", source=name) for name in useful}
    left_out = {pair: [f"{base}-{own[pair]}"] for pair in pairs}
    sources = set(own.values())
    title = sources.pop() if len(sources) == 1 else "the pair's own table"
    return Variants(f"{label}, {title}", variants, left_out)
