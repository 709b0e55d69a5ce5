"""What must hold of analyses: one rule, one small function."""

from collections.abc import Iterator

from clir_cli.config.draft import Draft, Rule
from clir_cli.config.model_schema import Arm
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.sources import names_of_sources


def ablated_model_is_there(draft: Draft) -> Iterator[Problem]:
    name, models = draft.settings.analysis.ablation.model, draft.settings.models
    path = ("analysis", "ablation", "model")
    if name is None:
        return
    if name not in models:
        yield draft.problem(path, f"no model `{name}`{near_miss(name, models)}")
    elif models[name].arm is not Arm.translation or not models[name].has_branch:
        yield draft.problem(path, f"{name} is given no M^tr: nothing of it can be ablated")


def ablated_sources_are_there(draft: Draft) -> Iterator[Problem]:
    known = {name for pair in draft.settings.pairs for name in names_of_sources(draft.for_pair(pair).knowledge)}
    for index, name in enumerate(draft.settings.analysis.ablation.sources or []):
        if name not in known:
            path = ("analysis", "ablation", "sources", index)
            yield draft.problem(path, f"no source `{name}`{near_miss(name, sorted(known))}")


ANALYSIS_RULES: list[Rule] = [ablated_model_is_there, ablated_sources_are_there]
