"""What an explanation needs: a model, the fold that tests the topic, and the stages that are read."""

from clir_cli.config.problems import near_miss
from clir_cli.corpora.folds import read_folds
from clir_cli.errors import UsageError
from clir_cli.pipeline.graph import Graph
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.stage import Stage
from clir_cli.records import Qrels, Run
from clir_cli.trec import read_qrels, read_run


def choose_model(graph: Graph, pair: str, wanted: str | None) -> str | None:
    """The re-ranker to look into: ``wanted``, or what the tables compare, or the first that reads translations.

    None where the pair has none. Raises ``UsageError`` for one that the pair has not.
    """
    models = graph.rows.models(pair)
    if wanted is not None and wanted not in models:
        missed = near_miss(wanted, models)
        raise UsageError(
            f"{pair} has no model {wanted}{missed}" + ("" if missed.endswith("?") else "."),
            "It must be one of the re-rankers: a row that is mixed from two systems has no model of its own.",
        )
    compared = graph.settings.evaluation.compare
    reading = [model for model in models if graph.rows.reads_matrix(model)]
    chosen = [*([compared] if compared in models else []), *reading, *models]
    return wanted or next(iter(chosen), None)


def stages_of_topics(graph: Graph, pair: str, model: str | None) -> list[Stage]:
    """What says which topics and documents there are, and in which fold a topic is tested."""
    is_trained = model is not None and graph.rows.is_trained(model)
    needed = [graph.topics(pair), graph.collection(graph.experiment.collection(pair))]
    return [*needed, graph.folds()] if is_trained else needed


def fold_of(plan: Plan, pair: str, model: str | None, topic: JoinedTopic) -> int | None:
    """The fold that tests a topic; None for a model that nobody trains. ``stages_of_topics`` must be there.

    A topic without judgements is in no fold, and no model was trained on it: the first one is taken. Raises
    ``UsageError`` where the fold is not among those that are trained.
    """
    if model is None or not plan.graph.rows.is_trained(model):
        return None
    trained = plan.graph.rows.folds(pair)
    folds = read_folds(plan.artifact(plan.graph.folds()) / "folds.tsv")
    fold = folds.get(topic.key, trained[0])
    if fold not in trained:
        known = read_joined(plan.artifact(plan.graph.topics(pair)) / "topics.tsv")
        tested = [other.id for other in known if folds.get(other.key) in trained]
        raise UsageError(
            f"Topic {topic.id} is tested in fold {fold}, and {plan.experiment.name} trains fold "
            f"{', '.join(map(str, trained))} of {pair}.",
            f"Topics of what is trained: {', '.join(tested[:10])}{', ...' if len(tested) > 10 else ''}.",
        )
    return fold


def stages_of_ranking(graph: Graph, pair: str, model: str, folds: list[int]) -> list[Stage]:
    """The candidates of a pair, and their order by a model in these folds."""
    trained = graph.rows.is_trained(model)
    ranked = [graph.rerank(pair, model, fold) for fold in folds] if trained else [graph.rerank_untrained(pair, model)]
    return [graph.candidates(pair), *ranked]


def stages_of_explanation(graph: Graph, pair: str, model: str | None, fold: int | None) -> list[Stage]:
    """All that is read to explain a score; some of it is not needed once a run is there, and may be gone."""
    candidates = graph.candidates(pair)
    found = [*candidates.needs.values(), candidates]
    if model is not None:
        found += stages_of_ranking(graph, pair, model, [fold] if fold is not None else [])
        found += [needed for needed in found[-1].needs.values() if needed.kind != "represent"]  # texts are read
    return list(dict.fromkeys(found))


def read_runs(plan: Plan, pair: str, model: str, folds: list[int]) -> tuple[Run, Run, Qrels]:
    """The candidates of a pair, as many as are re-ranked, their order by the model, and the judgements."""
    candidates, *ranked = stages_of_ranking(plan.graph, pair, model, folds)
    first = read_run(plan.artifact(candidates) / "run.trec")
    second: Run = {}
    for stage in ranked:
        second |= read_run(plan.artifact(stage) / "run.trec")
    depth = ranked[0].settings["depth"]
    return {topic: entries[:depth] for topic, entries in first.items()}, second, read_judgements(plan, pair)


def read_judgements(plan: Plan, pair: str) -> Qrels:
    """The judgements of a pair; none where it has none."""
    file = plan.artifact(plan.graph.topics(pair)) / "qrels.txt"
    return read_qrels(file) if file.is_file() else {}
