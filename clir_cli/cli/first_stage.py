"""Commands of the first stage: retrieval, and what M^tr carries."""

from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "First stage"


def register(app: typer.Typer) -> None:
    app.command("retrieve", rich_help_panel=PANEL)(retrieve_command)
    app.command("matrices", rich_help_panel=PANEL)(matrices_command)


def retrieve_command(
    pair: opt.Pairs = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Rank documents: by BM25 with translated queries (SMT, PSQ) and human translation, by vectors (dense)."""
    retrieve(opt.common(config, experiment, sets, jobs, quiet), pair)


def retrieve(options: opt.Common, pairs: list[str] | None) -> None:
    from clir_cli.cli import console, making

    plan = making.make(options, "retrieve", making.select(pairs))
    rows = [[*stage.name.split(), str(plan.artifact(stage) / "run.trec")] for stage in plan.targets]
    console.show_table(["pair", "system", "run"], rows)


def matrices_command(
    pair: opt.Pairs = None,
    show: Annotated[
        tuple[str, str] | None,
        typer.Option("--show", metavar="TOPIC DOC", help="Print the links between two texts."),
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Collect the translation knowledge M^tr of each topic (Algorithm 1)."""
    options = opt.common(config, experiment, sets, jobs, quiet)
    if show is None:
        matrices(options, pair)
    else:
        show_links(options, pair, *show)


def matrices(options: opt.Common, pairs: list[str] | None) -> None:
    from clir_cli.cli import console, making
    from clir_cli.translation.links_file import read_links

    plan = making.make(options, "matrices", making.select(pairs))
    rows = []
    for stage in plan.targets:
        file = plan.artifact(stage) / "links.npz"
        links = read_links(file)
        count = sum(len(row) for topic in links.values() for row in topic.values())
        rows.append([str(stage.pair), str(len(links)), str(count), str(file)])
    console.show_table(["pair", "topics", "links", "file"], rows, right=["topics", "links"])


def show_links(options: opt.Common, pairs: list[str] | None, topic: str, document: str) -> None:
    from clir_cli.cli import console, making
    from clir_cli.cli.names import find_topic, near_among
    from clir_cli.corpora.document_store import DocumentStore
    from clir_cli.corpora.normalise import words
    from clir_cli.errors import UsageError
    from clir_cli.pipeline.joined_topics import read_joined
    from clir_cli.translation.links_file import read_links
    from clir_cli.translation.matrix import links_between

    if pairs is not None and len(pairs) > 1:
        raise UsageError("--show is about one pair.", "Give --pair once.")
    pair = making.one_pair(making.open_experiment(options, check_files=False), pairs[0] if pairs else None)
    plan = making.make(options, "matrices", making.select([pair]))
    (stage,) = plan.targets
    # What the links were made from is there too, unless somebody removed it: make it again then.
    making.make(options, "topics", making.select([pair]))
    making.make(options, "collection", making.select([pair]))
    topics = read_joined(plan.artifact(stage.needs["topics"]) / "topics.tsv")
    found = find_topic(pair, topics, topic)
    store = DocumentStore(plan.artifact(stage.needs["collection"]) / "store")
    if document not in store:
        raise UsageError(f"The collection has no document {document}{near_among(document, store.ids)}")
    keys = [word.key for word in words(store.text(document))]
    links = links_between(read_links(plan.artifact(stage) / "links.npz")[found.id], keys)
    if plan.experiment.shows_text:
        console.say(f"{found.id}: {found.query}")
        console.say(f"{document}: {store.title(document) or store.text(document)[:100]}")
    else:
        console.say(f"{found.id} and {document}; words by their number (report.text: ids)")
    if not links:
        console.say("No link: M^tr is the identity but for word pieces.")
        return
    asked = [word.key for word in words(found.query)]

    def shown(text: list[str], key: str) -> str:
        return key if plan.experiment.shows_text else str(text.index(key) + 1)

    rows = [
        [shown(asked, link.query_word), shown(keys, link.document_word), f"{link.p:.4f}", str(link.occurrences)]
        for link in links
    ]
    console.show_table(["query word", "document word", "p", "times"], rows, right=["p", "times"])
