"""Several runs against one or more baselines: everything that is asked together, tested and corrected together."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from statistics import fmean, stdev

from clir_cli.corpora.topics import topic_key
from clir_cli.errors import DataError
from clir_cli.evaluation.correction import benjamini_hochberg, holm
from clir_cli.evaluation.measures import mean_over_topics
from clir_cli.evaluation.question import Correction, Family, PairedTest, Question, TableQuestion
from clir_cli.evaluation.randomisation import flip_signs
from clir_cli.evaluation.signed_ranks import rank_signs
from clir_cli.evaluation.significance import Comparison, compare, effect_size


@dataclass(frozen=True, slots=True)
class Finding:
    """One run against one baseline in one measure."""

    measure: str
    system: str
    baseline: str
    comparison: Comparison
    """Means, difference with the t interval, wins, ties and losses; its t and p are the t-test's whatever was asked."""
    effect: float
    """Cohen's d_z: ``effect_size``."""
    p: float
    """Of the test that was asked for."""
    corrected: float
    """p, corrected within its family."""
    beats: bool
    """Whether the run is above the baseline, with a corrected p below alpha."""


Values = Mapping[str, Mapping[str, Mapping[str, float]]]
"""run -> measure -> topic -> value."""


def compare_runs(values: Values, baselines: Sequence[str], question: Question | None = None) -> list[Finding]:
    """Every run that is no baseline against each baseline, measure by measure; baselines are not compared.

    Args:
        values: all runs, over the same topics.
        baselines: names among them.
        question: test, correction, family and level.

    Returns findings ordered by measure, then run, then baseline. A test that cannot be made (t of one topic) has p nan,
    corrected p nan, and beats nothing.

    Raises ``DataError`` where the topics of two runs differ; ``UsageError`` where draws are too few.
    """
    question = question or Question()
    measures = list(next(iter(values.values()), {}))
    asked = [
        (measure, system, baseline)
        for measure in measures
        for system in values
        if system not in baselines
        for baseline in baselines
    ]
    p_values = [
        find_p(values[system][measure], values[baseline][measure], question) for measure, system, baseline in asked
    ]
    families = [measure if question.family is Family.measure else "" for measure, _, _ in asked]
    corrected = correct_families(families, p_values, question.correction)
    findings = []
    for (measure, system, baseline), p, final in zip(asked, p_values, corrected, strict=True):
        new, old = values[system][measure], values[baseline][measure]
        found = compare(new, old, margins=(), alpha=question.alpha)
        beats = found.difference > 0 and not isnan(final) and final < question.alpha
        findings.append(Finding(measure, system, baseline, found, effect_size(new, old), p, final, beats))
    return findings


def find_p(system: Mapping[str, float], baseline: Mapping[str, float], question: Question | TableQuestion) -> float:
    """Two-sided p of the test that is asked for; nan where it cannot be made (t of one topic).

    Raises ``DataError`` where the topics differ; ``UsageError`` where draws are too few.
    """
    if question.test is PairedTest.randomisation:
        return flip_signs(system, baseline, draws=question.draws, seed=question.seed).p
    if question.test is PairedTest.wilcoxon:
        return rank_signs(system, baseline).p
    return compare(system, baseline, margins=()).p


def correct_families(families: Sequence[Hashable], p_values: Sequence[float], correction: Correction) -> list[float]:
    """p values in the order given, each corrected with those of the same family; nan stays nan and counts nowhere."""
    correct = holm if correction is Correction.holm else benjamini_hochberg
    members: dict[Hashable, list[int]] = {}
    for index, family in enumerate(families):
        members.setdefault(family, []).append(index)
    corrected = [nan] * len(p_values)
    for indices in members.values():
        for index, p in zip(indices, correct([p_values[index] for index in indices]), strict=True):
            corrected[index] = p
    return corrected


@dataclass(frozen=True, slots=True)
class Repeated:
    """A system that was run several times (training seeds): its values, and how far the repetitions part."""

    values: dict[str, dict[str, float]]
    """measure -> topic -> mean over the repetitions: what is tested, so that topics stay the sample."""
    means: dict[str, list[float]]
    """measure -> mean over topics of each repetition."""
    deviations: dict[str, float]
    """measure -> standard deviation of ``means`` (n - 1); nan of one repetition."""


def join_repetitions(repetitions: Sequence[Mapping[str, Mapping[str, float]]]) -> Repeated:
    """One system from its repetitions, each measure -> topic -> value over the same topics."""
    first = repetitions[0]
    values = {
        measure: {topic: fmean(one[measure][topic] for one in repetitions) for topic in by_topic}
        for measure, by_topic in first.items()
    }
    means = {measure: [mean_over_topics(one[measure]) for one in repetitions] for measure in first}
    deviations = {measure: stdev(found) if len(found) > 1 else float("nan") for measure, found in means.items()}
    return Repeated(values, means, deviations)


def spell_topics(
    scores: Mapping[str, dict[str, float]], topics: Sequence[str], run: str = "The run"
) -> dict[str, dict[str, float]]:
    """A run under the topic ids of its judgements, where it spells them in another way (``C041`` and ``41``).

    Topics that are not among ``topics`` are left out; of two spellings of one topic the equal one is taken. ``run`` is
    what the run is called in faults.

    Raises ``DataError`` where it has to be guessed which is meant: a run has a topic in two spellings, neither of them
    that of ``topics``, or spells a topic as none of several do that are the same by number.
    """
    known: dict[str, list[str]] = {}
    for topic in topics:
        known.setdefault(topic_key(topic), []).append(topic)
    exact = set(topics)
    meant: dict[str, str] = {}  # as judged -> as in the run
    for topic in scores:
        names = [topic] if topic in exact else known.get(topic_key(topic), [])
        names = [name for name in names if name == topic or name not in scores]
        if len(names) > 1:
            problem = f"{run}: topic {topic} may be {' or '.join(names)} of the judgements."
            raise DataError(problem, "Spell it as the judgements do.")
        for name in names:
            other = meant.setdefault(name, topic)
            if other != topic:
                problem = f"{run}: topic {name} of the judgements is there twice, as {other} and as {topic}."
                raise DataError(problem, "Keep one of the two.")
    return {name: scores[topic] for name, topic in meant.items()}
