"""What the measures of an experiment's systems came to, read from their stages."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from clir_cli.evaluation.run_comparison import join_repetitions
from clir_cli.pipeline.stage import Inputs
from clir_cli.report.results_table import Repetitions

VALUES, JUDGED = "values.json", "judged.json"
"""measure -> topic -> value: what was asked for, and shares of judged documents beside precision."""

PerMeasure = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Measured:
    """All of it, pair -> system; systems that were trained with several seeds are the mean over them by topic."""

    values: dict[str, dict[str, PerMeasure]] = field(default_factory=dict)
    judged: dict[str, dict[str, PerMeasure]] = field(default_factory=dict)
    repetitions: dict[str, dict[str, Repetitions]] = field(default_factory=dict)


def read_measured(inputs: Inputs) -> Measured:
    """The results of the stages ``<pair> <system>``, or ``<pair> <system> seed <number>`` where there are several."""
    found, settings = Measured(), inputs.settings
    for pair, systems in settings["systems"].items():
        seeds = settings["seeds"].get(pair, [])
        for system in systems:
            name = f"{pair} {system}"
            names = [name] if name in inputs.needs else [f"{name} seed {seed}" for seed in seeds]
            joined = join_repetitions([_read(inputs.needs[one] / VALUES) for one in names])
            shares = join_repetitions([_read(inputs.needs[one] / JUDGED) for one in names])
            found.values.setdefault(pair, {})[system] = joined.values
            found.judged.setdefault(pair, {})[system] = shares.values
            if len(names) > 1:
                repeated = Repetitions(tuple(seeds), joined.means, joined.deviations)
                found.repetitions.setdefault(pair, {})[system] = repeated
    return found


def _read(file: Path) -> PerMeasure:
    values: PerMeasure = json.loads(file.read_text(encoding="utf-8"))
    return values
