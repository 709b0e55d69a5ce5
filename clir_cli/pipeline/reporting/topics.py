"""Values by topic of every pair, with the text of the topics where readers may see it."""

from collections.abc import Iterator, Sequence

from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.plan import Plan
from clir_cli.report.page.content import TopicText, TopicValues
from clir_cli.report.tables import ResultsTable


def topic_values(plan: Plan, tables: Sequence[ResultsTable]) -> list[TopicValues]:
    """Pairs with at least two systems, in the order of the tables; of the last table that has a pair."""
    latest: dict[str, ResultsTable] = {}
    for table in tables:
        latest |= dict.fromkeys((column.pair for column in table.columns), table)
    found = []
    for pair, table in latest.items():
        systems = [system for system in table.labels if system in table.values.get(pair, {})]
        contrast = main_contrast(table, pair)
        if contrast is None:
            continue
        values = {system: table.values[pair][system] for system in systems}
        ids = sorted({topic for measures in values.values() for by_topic in measures.values() for topic in by_topic})
        texts = {text.id: text for text in _texts(plan, pair)}
        found.append(
            TopicValues(
                pair,
                [texts.get(topic, TopicText(topic)) for topic in ids],
                {system: table.labels[system] for system in systems},
                values,
                contrast,
            )
        )
    return found


def main_contrast(table: ResultsTable, pair: str) -> tuple[str, str] | None:
    """(system, baseline) that a pair is first asked about: of the family, else what is tested, else its first two."""
    asked = [answer.contrast for answer in table.answers if answer.pair == pair]
    asked = [contrast for contrast in asked if contrast.in_family] or asked
    if asked:
        return asked[0].system, asked[0].baseline
    systems = [system for system in table.labels if system in table.values.get(pair, {})]
    return (systems[1], systems[0]) if len(systems) > 1 else None


def differences(table: ResultsTable, pair: str, measure: str, system: str, baseline: str) -> dict[str, float]:
    """Topic -> value of ``system`` less that of ``baseline``."""
    new, old = (table.values[pair][name][measure] for name in (system, baseline))
    return {topic: new[topic] - old[topic] for topic in new}


def _texts(plan: Plan, pair: str) -> Iterator[TopicText]:
    stage = plan.graph.topics(pair)
    if plan.experiment.shows_text and plan.store.has(stage):
        for topic in read_joined(plan.artifact(stage) / "topics.tsv"):
            yield TopicText(topic.id, topic.query, topic.human)
