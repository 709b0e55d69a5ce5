"""Which rows of a table are tested against which."""

from collections.abc import Collection, Iterable

from clir_cli.config.schema import ExperimentSettings
from clir_cli.report.tables import Contrast


def contrasts_of(settings: ExperimentSettings) -> list[Contrast]:
    """What an experiment wants to know of its rows: its family, what it declares, and what its rows are there for."""
    evaluation = settings.evaluation
    mores = [name for name, model in settings.models.items() if str(model.kind) == "mores"]
    return [
        *(Contrast(evaluation.compare, baseline) for baseline in evaluation.baselines),
        *(Contrast(asked.system, asked.baseline, in_family=asked.family) for asked in evaluation.contrasts),
        *(Contrast(name, "m2bert", in_family=False) for name in mores),
        *(
            Contrast(name, system, in_family=False)
            for name, mixture in settings.interpolation.items()
            for system in mixture.systems
        ),
    ]


def usual_contrasts(compared: str, *, has_models: bool) -> list[Contrast]:
    """What is reported outside of the family wherever its rows are there."""
    pairs = [("mart-plb", "m2bert"), ("m2bert", "smt"), ("psq", "smt"), ("dense", "smt"), (compared, "human")]
    pairs += [] if has_models else [("smt", "human"), ("psq", "human"), ("dense", "human")]
    return [Contrast(system, baseline, in_family=False) for system, baseline in pairs]


def choose_contrasts(asked: Iterable[Contrast], rows: Collection[str]) -> list[Contrast]:
    """Those whose rows are there, each pair of rows once: what is named first decides whether it is in the family."""
    chosen: dict[tuple[str, str], Contrast] = {}
    for contrast in asked:
        if {contrast.system, contrast.baseline} <= set(rows) and contrast.system != contrast.baseline:
            chosen.setdefault((contrast.system, contrast.baseline), contrast)
    return list(chosen.values())
