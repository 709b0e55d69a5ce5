"""How much of a pair's queries its table of translations knows, from finished stages."""

from collections.abc import Iterable
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.config.schema import languages_of
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.normalise import content_keys, stop_words
from clir_cli.inspection.table_coverage import TableCoverage
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.plan import Plan
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable


def add_pair(
    found: TableCoverage, experiment: Experiment, pair: str, align: Path, topics: Path, collection: Path
) -> tuple[str, str] | None:
    """Add a pair's rows, read from the folders of its three stages; gives why its table looks like another pair's."""
    table = TranslationTable.load(align / "table")
    joined = read_joined(topics / "topics.tsv")
    vocabulary = DocumentStore(collection / "store").vocabulary
    settings = experiment.for_pair(pair)
    query = languages_of(pair)[0]
    stop_list = settings.languages[query].stop_words if query in settings.languages else "iso"
    stop = stop_words(stop_list, query)
    queries = {topic.id: content_keys(topic.query, stop) for topic in joined}
    doubt = found.add(pair, f"the table of {pair}", queries, table)
    found.add_links(pair, queries, table, TranslationRules(threshold=settings.matrix.threshold), vocabulary)
    return doubt


def finished_coverage(plan: Plan, pairs: Iterable[str]) -> tuple[TableCoverage, list[str]]:
    """The coverage of the pairs whose table, topics and collection are there, and the pairs where one is not."""
    found, lacking = TableCoverage(plan.experiment.shows_text), []
    for pair in filter(plan.graph.rows.translates, pairs):
        graph = plan.graph
        stages = [graph.align(pair), graph.topics(pair), graph.collection(graph.experiment.collection(pair))]
        if all(plan.store.has(stage) for stage in stages):
            add_pair(found, plan.experiment, pair, *map(plan.artifact, stages))
        else:
            lacking.append(pair)
    return found, lacking
