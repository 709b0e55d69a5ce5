"""`clir explain`: why a document scores as it does, and which documents a re-ranker moved most."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt
from clir_cli.cli.analyses import PANEL

if TYPE_CHECKING:
    from clir_cli.pipeline.joined_topics import JoinedTopic
    from clir_cli.pipeline.plan import Plan


def register(app: typer.Typer) -> None:
    app.command("explain", rich_help_panel=PANEL)(explain_command)


def explain_command(
    pair: opt.OnePair = None,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="Topic, such as C041.")] = None,
    document: Annotated[
        str | None, typer.Option("--doc", metavar="ID", help="Document; without it: those that were moved most.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", metavar="MODEL", help="Re-ranker; default: evaluation.compare.")
    ] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Without --doc: so many up and down.")] = 10,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="With --doc: also as a page, the text coloured.")
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Tell why a document scores as it does: the query's words, the links of M^tr, the passages."""
    explain(opt.common(config, experiment, sets, jobs, quiet), pair, topic, document, model, top, html)


def explain(
    options: opt.Common,
    pair: str | None,
    topic: str | None,
    document: str | None,
    model: str | None,
    top: int = 10,
    html: Path | None = None,
) -> None:
    from clir_cli.cli import console, explanation_text, making
    from clir_cli.cli.names import find_topic, near_among
    from clir_cli.corpora.document_store import DocumentStore
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_place, write_whole
    from clir_cli.pipeline.explanation import needs, score
    from clir_cli.pipeline.joined_topics import read_joined

    if document is not None and topic is None:
        raise UsageError("--doc goes with --topic.", "A score is of a document for a topic: name both.")
    if document is None and html is not None:
        raise UsageError("--html goes with --doc.", "Choose a document of the table that is printed without --doc.")
    if html is not None:
        check_place(html)
    pair = making.one_pair(making.open_experiment(options, check_files=False), pair)
    plan = making.make(options, "topics", making.select([pair]))
    model = needs.choose_model(plan.graph, pair, model)
    making.make_more(plan, options, needs.stages_of_topics(plan.graph, pair, model))
    topics = read_joined(plan.artifact(plan.graph.topics(pair)) / "topics.tsv")
    chosen = None if topic is None else find_topic(pair, topics, topic)
    fold = None if chosen is None else needs.fold_of(plan, pair, model, chosen)
    if chosen is None or document is None:
        show_moves(plan, options, pair, model, chosen, fold, top)
        return
    store = DocumentStore(plan.artifact(plan.graph.collection(plan.experiment.collection(pair))) / "store")
    if document not in store:
        raise UsageError(f"The collection has no document {document}{near_among(document, store.ids)}")
    making.make_more(plan, options, needs.stages_of_explanation(plan.graph, pair, model, fold))
    found = score.explain(plan, pair, model, fold, chosen, document)
    explanation_text.show(found)
    if html is not None:
        from clir_cli.report.explanation.page import render_page

        with write_whole(html) as stream:
            stream.write(render_page(found))
        console.say(str(html))


def show_moves(
    plan: "Plan",
    options: opt.Common,
    pair: str,
    model: str | None,
    topic: "JoinedTopic | None",
    fold: int | None,
    top: int,
) -> None:
    """Print the documents whose rank changed most, of one topic or of all that are tested."""
    from clir_cli.analysis.moves import find_moves, mean_move, most_moved
    from clir_cli.cli import console, making
    from clir_cli.errors import UsageError
    from clir_cli.pipeline.explanation import needs

    if model is None:
        raise UsageError(
            f"{pair} has no re-ranker that moves documents.",
            "Name a document with --topic and --doc: its first-stage score is explained.",
        )
    is_trained = plan.graph.rows.is_trained(model)
    folds = ([fold] if fold is not None else plan.graph.rows.folds(pair)) if is_trained else []
    making.make_more(plan, options, needs.stages_of_ranking(plan.graph, pair, model, folds))
    first, second, qrels = needs.read_runs(plan, pair, model, folds)
    if topic is not None:
        second = {topic.id: second.get(topic.id, [])}
    moves = find_moves(first, second, qrels)
    up, down = most_moved(moves, top)
    rows = [
        [
            move.topic, move.document, "-" if move.grade is None else str(move.grade),
            str(move.before), str(move.after), f"{move.up:+d}",
        ]
        for move in [*up, *reversed(down)]
    ]  # fmt: skip
    console.show_table(
        ["topic", "document", "relevance", "before", "after", "moved"],
        rows,
        right=["relevance", "before", "after", "moved"],
    )
    label = plan.graph.rows.label(model)
    means = [mean_move(moves, relevant=relevant) for relevant in (True, False)]
    console.tell(
        f"Ranks by the first stage and by {label}, {len(second)} {'topic' if len(second) == 1 else 'topics'}; "
        f"relevance: the grade, - not judged. On average {label} moved {means[0][0]} relevant documents by "
        f"{means[0][1]:+.1f} ranks, {means[1][0]} others by {means[1][1]:+.1f}."
    )
    if rows:
        move = (up or down)[0]
        console.tell(f"Look into one: clir explain --pair {pair} --topic {move.topic} --doc {move.document}")
