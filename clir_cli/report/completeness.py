"""No table is made of parts.

Every system of a pair has every measure for every topic, or the caller says to which topics the table is restricted.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from clir_cli.errors import DataError

PerTopic = Mapping[str, float]
"""topic -> value."""

Values = Mapping[str, Mapping[str, Mapping[str, PerTopic]]]
"""pair -> system -> measure -> topic -> value."""


def complete_values(
    values: Values,
    systems: Iterable[str],
    measures: Sequence[str],
    declared: Mapping[str, Collection[str]],
) -> tuple[dict[str, dict[str, dict[str, dict[str, float]]]], list[str]]:
    """The values a table is made of, and a sentence for each pair that is restricted to some of its topics.

    Args:
        values: what was evaluated; systems that are not in ``systems`` are left aside.
        systems: rows of the table. One that a pair lacks as a whole was not run for it.
        measures: what each of them has to have.
        declared: pair -> topics that the table is restricted to; a pair that is not in it needs all the topics that
            any of its systems has.

    Returns pair -> system -> measure -> topic -> value; pairs without any of the systems are gone.

    Raises ``DataError`` that lists everything missing, pair by pair.
    """
    rows = list(systems)
    complete: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    faults, restrictions = [], []
    for pair, by_system in values.items():
        present = {system: by_system[system] for system in rows if system in by_system}
        if not present:
            continue
        known = {topic for by_measure in present.values() for m in measures for topic in by_measure.get(m, {})}
        wanted = set(declared.get(pair, known))
        if not wanted:
            faults.append(f"{pair} has no topics.")
        for system, by_measure in present.items():
            for measure in measures:
                lacking = sorted(wanted - by_measure.get(measure, {}).keys())
                if lacking:
                    faults.append(f"{pair}: {system} has no {measure} for {_some(lacking, len(wanted))}.")
        if known - wanted:
            restrictions.append(f"{pair} is restricted to {len(wanted)} of its {len(known)} topics.")
        complete[pair] = {
            system: {
                measure: {topic: by_measure[measure][topic] for topic in sorted(wanted & by_measure[measure].keys())}
                for measure in measures
                if measure in by_measure
            }
            for system, by_measure in present.items()
        }
    if not complete:
        faults.append("None of the systems has results.")
    if faults:
        raise DataError(" ".join(faults), "Run what is missing, or restrict the table to the topics that were run.")
    return complete, restrictions


def _some(topics: Sequence[str], of: int, most: int = 5) -> str:
    named = f"{', '.join(topics[:most])}{', ...' if len(topics) > most else ''}"
    return f"{len(topics)} of {of} topics ({named})"
