"""From what the user asks for to the stages that must run, each with a reason."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.errors import UsageError
from clir_cli.pipeline.checksums import Checksums
from clir_cli.pipeline.explain import why
from clir_cli.pipeline.graph import Graph
from clir_cli.pipeline.rows import DENSE, FIRST_STAGE, ORACLE
from clir_cli.pipeline.stage import Stage
from clir_cli.pipeline.store import Store

KINDS = (
    "collection", "topics", "folds", "align", "index", "embed", "retrieve", "matrices",
    "pretrain", "head", "adapt", "pieces", "pairs", "train", "represent", "rerank", "interpolate", "evaluate", "gap",
    "report",
)  # fmt: skip
"""Kinds of stages in the order of the flow."""


class State(Enum):
    """What is to be done about a stage: a symbol and a sentence."""

    done = ("=", "there")
    run = (">", "to run")
    spared = ("-", "not there, not needed")

    @property
    def symbol(self) -> str:
        return self.value[0]

    @property
    def sentence(self) -> str:
        return self.value[1]


@dataclass(frozen=True)
class Selection:
    """Part of an experiment; None is everything. Raises ``UsageError`` for names the experiment lacks."""

    pairs: tuple[str, ...] | None = None
    models: tuple[str, ...] | None = None
    folds: tuple[int, ...] | None = None
    languages: tuple[str, ...] | None = None
    """Of what is learned from text."""

    def check(self, graph: Graph) -> None:
        settings = graph.settings
        for pair in self.pairs or ():
            _known("pair", pair, settings.pairs)
        for model in self.models or ():
            _known("model", model, [*settings.models, *settings.interpolation])
        for language in self.languages or ():
            _known("text or adapter of language", language, settings.adapters.languages)
        for fold in self.folds or ():
            if not 1 <= fold <= settings.training.folds.count:
                raise UsageError(f"There is no fold {fold}.", f"Folds go from 1 to {settings.training.folds.count}.")

    def systems(self, graph: Graph) -> dict[str, list[str]]:
        """Pairs and their systems, with the models narrowed to the chosen ones; the first stage always stays.

        So does the oracle, and what is mixed from systems that stay.
        """
        chosen = {}
        for pair in graph.settings.pairs:
            if self.pairs is None or pair in self.pairs:
                systems = graph.rows.systems(pair)
                chosen[pair] = [system for system in systems if self._wants(system, graph)]
        return chosen

    def _wants(self, system: str, graph: Graph) -> bool:
        if self.models is None or system in (*FIRST_STAGE, ORACLE, *self.models):
            return True
        mixture = graph.settings.interpolation.get(system)
        return mixture is not None and {*FIRST_STAGE, *self.models}.issuperset(mixture.systems)


@dataclass
class Plan:
    """Stages in an order that can be run, what to do about each, and the targets asked for."""

    experiment: Experiment
    graph: Graph
    store: Store
    checksums: Checksums
    targets: list[Stage]
    stages: list[Stage]
    forced: frozenset[str] = frozenset()
    is_whole: bool = True
    """Whether nothing of the experiment was left out."""
    states: dict[str, State] = field(default_factory=dict)
    redo: frozenset[str] = frozenset()
    """Keys made again although they are there: of forced kinds, and of what is made from them."""

    @property
    def to_run(self) -> list[Stage]:
        return [stage for stage in self.stages if self.states[stage.key] is State.run]

    def state(self, stage: Stage) -> State:
        return self.states[stage.key]

    def reason(self, stage: Stage) -> str:
        """One sentence: why the stage runs."""
        return "forced" if stage.kind in self.forced else why(stage, self.store)

    def artifact(self, stage: Stage) -> Path:
        return self.store.path(stage)


def make_plan(
    experiment: Experiment,
    target: str = "report",
    selection: Selection | None = None,
    force: Iterable[str] = (),
) -> Plan:
    """Plan the stages of kind ``target`` (and all they need) for the selected part of an experiment.

    ``force`` names kinds that are made again although they are there, and with them what is made from them.
    Raises ``UsageError`` for unknown names, ``DataError`` where a raw file is missing.
    """
    selection = selection or Selection()
    force = frozenset(force)
    for kind in (*force, target):
        _known("stage", kind, KINDS)
    store = Store(experiment.artifacts)
    checksums = Checksums(store.folder / "checksums.json")
    graph = Graph(experiment, checksums)
    selection.check(graph)
    return plan_stages(graph, store, _targets(graph, target, selection), force, is_whole=selection == Selection())


def plan_stages(
    graph: Graph, store: Store, targets: list[Stage], force: frozenset[str] = frozenset(), *, is_whole: bool = False
) -> Plan:
    """Plan these stages of a graph, and all they need."""
    stages: dict[str, Stage] = {}
    for wanted in targets:
        for stage in (*wanted.ancestors(), wanted):
            stages.setdefault(stage.key, stage)
    plan = Plan(graph.experiment, graph, store, graph.checksums, targets, list(stages.values()), force, is_whole)
    _decide(plan)
    graph.checksums.save()
    return plan


def _targets(graph: Graph, target: str, selection: Selection) -> list[Stage]:
    systems = selection.systems(graph)
    if target == "report":
        return _final(graph, systems)
    if target == "folds":
        return [graph.folds()]
    if target == "pretrain":
        if graph.settings.pretrain is None:
            raise UsageError(f"Experiment {graph.experiment.name} has no `pretrain` section.")
        return [graph.pretrain()]
    if target == "adapt":
        return _languages(graph, selection)
    found: list[Stage] = []
    for pair, chosen in systems.items():
        trained = [system for system in chosen if system in graph.rows.trained()]
        zero_shot = [system for system in chosen if system in graph.rows.zero_shot()]
        folds = [fold for fold in graph.rows.folds(pair) if selection.folds is None or fold in selection.folds]
        if target == "collection":
            found.append(graph.collection(graph.experiment.collection(pair)))
        elif target == "index":
            found += graph.indexes_of(pair)
        elif target == "embed":
            found += [graph.embed(pair)] if DENSE in chosen else []
        elif target == "align":
            found += _tables(graph, pair)
        elif target == "topics":
            found.append(graph.topics(pair))
        elif target == "matrices":
            found += _matrices(graph, pair)
        elif target == "pairs":
            found += [graph.pairs(pair, seed) for seed in graph.rows.seeds(pair) if graph.rows.first_stage(pair)]
        elif target == "retrieve":
            found += [graph.retrieve(pair, system) for system in chosen if system in FIRST_STAGE]
        elif target in ("train", "rerank"):
            seeds = graph.rows.seeds(pair)
            found += [
                getattr(graph, target)(pair, model, fold, seed) for seed in seeds for fold in folds for model in trained
            ]
            if target == "rerank":
                found += [graph.rerank_untrained(pair, model) for model in zero_shot]
        elif target == "gap":
            found += [graph.gap(pair, model, fold) for model in trained if graph.has_gap(pair, model) for fold in folds]
        elif target == "interpolate":
            mixed = [system for system in chosen if system in graph.settings.interpolation]
            found += [
                graph.interpolate(pair, system, seed)
                for system in mixed
                for seed in (graph.rows.seeds(pair) if graph.rows.is_trained(system) else [None])
            ]
        elif graph.experiment.is_judged(pair):
            found += [stage for system in chosen for stage in graph.evaluations(pair, system)]
    if target == "evaluate" and not any(graph.experiment.is_judged(pair) for pair in systems):
        raise UsageError("Without judgements there is nothing to evaluate.", "Give the experiment `qrels`.")
    if target == "gap" and not found:
        raise UsageError(
            "No model is selected whose translation gap can be measured.",
            "It takes one that is trained and reads query and document together (m2bert, mart), and a pair with a "
            "translation table.",
        )
    found = list(dict.fromkeys(found))  # pairs that take their task from one share its training
    if not found:
        raise UsageError(
            " ".join([f"Nothing to {target} is selected.", *graph.rows.availability(systems)]),
            f"Experiment {graph.experiment.name} has the pairs {', '.join(graph.settings.pairs)} "
            f"and the models {', '.join(graph.settings.models) or 'none'}.",
        )
    return found


def _languages(graph: Graph, selection: Selection) -> list[Stage]:
    """The adapters of the languages that are asked for; of all that have text, where none is named."""
    known = graph.settings.adapters.languages
    wanted = list(selection.languages or known)
    for language in wanted:
        if graph.language_is_given(language) and selection.languages:
            raise UsageError(
                f"The adapter of {language} is given: {known[language].adapter}.",
                "To train one, give `text` in its place, or --text.",
            )
    found = [graph.adapt(language) for language in wanted if not graph.language_is_given(language)]
    if not found:
        raise UsageError(
            f"Experiment {graph.experiment.name} has no language to learn.", "Name text under `adapters.languages`."
        )
    return found


def _tables(graph: Graph, pair: str) -> list[Stage]:
    """The table that a pair is translated with, and that of M^tr where it is another one."""
    found = [graph.align(pair)] if graph.rows.translates(pair) else []
    if graph.rows.has_matrices(pair) and graph.rows.source_of_matrix(pair) != graph.rows.source(pair):
        found.append(graph.align_matrix(pair))
    return _each_once(
        [*found, *(matrices.needs["align"] for matrices in _matrices(graph, pair) if "align" in matrices.needs)]
    )


def _matrices(graph: Graph, pair: str) -> list[Stage]:
    """The links of M^tr of a pair, and what models are given in their place."""
    found = [graph.matrices(pair)] if graph.rows.has_matrices(pair) else []
    models = [name for name in graph.rows.models(pair) if graph.rows.reads_matrix(name)]
    return _each_once([*found, *(graph.matrices_of(pair, name) for name in models)])


def _each_once(stages: Iterable[Stage]) -> list[Stage]:
    found: dict[str, Stage] = {}
    for stage in stages:
        found.setdefault(stage.key, stage)
    return list(found.values())


def _final(graph: Graph, systems: dict[str, list[str]]) -> list[Stage]:
    """The tables over the pairs that have judgements, and the runs of those that have none."""
    if not any(systems.values()):
        raise UsageError(" ".join(graph.rows.availability(systems)), "Name another pair, or another source.")
    judged = {pair: chosen for pair, chosen in systems.items() if graph.experiment.is_judged(pair)}
    final = [graph.report(judged)] if judged else []
    for pair in [pair for pair in systems if pair not in judged]:
        final += [graph.whole_run(pair, system) for system in systems[pair]]
    return final


def _decide(plan: Plan) -> None:
    """A stage runs if it is wanted and not there, or forced, or made from one that runs anew by force."""
    redo: set[str] = set()
    for stage in plan.stages:
        if stage.kind in plan.forced or any(needed.key in redo for needed in stage.needs.values()):
            redo.add(stage.key)
    plan.redo = frozenset(redo)
    wanted = {stage.key for stage in plan.targets}
    for stage in reversed(plan.stages):
        there = plan.store.has(stage)
        if stage.key in redo:
            plan.states[stage.key] = State.run
        elif there:
            plan.states[stage.key] = State.done
        else:
            plan.states[stage.key] = State.run if stage.key in wanted else State.spared
        if plan.states[stage.key] is State.run:
            wanted.update(needed.key for needed in stage.needs.values())


def _known(what: str, name: str, names: Iterable[str]) -> None:
    names = list(names)
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(f"There is no {what} {name!r}.", f"{hint}Known: {', '.join(names) or 'none'}.")
