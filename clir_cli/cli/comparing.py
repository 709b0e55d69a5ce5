"""What `clir compare` and `clir power` do: anybody's TREC runs and judgements, without an experiment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clir_cli.evaluation.question import Question
    from clir_cli.records import Qrels

Measured = dict[str, dict[str, float]]
"""measure -> topic -> value."""

SUFFIXES = (".gz", ".trec", ".run", ".txt")


@dataclass
class Judged:
    """Judgements, and what was remarked on while runs were measured by them."""

    qrels: "Qrels"
    topics: list[str]
    path: Path
    remarks: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Judged":
        """Raises ``DataError`` where no topic has a relevant document."""
        from clir_cli.errors import DataError
        from clir_cli.trec import natural_order, read_qrels

        qrels = read_qrels(path)
        topics = natural_order(topic for topic, grades in qrels.items() if any(grade > 0 for grade in grades.values()))
        if not topics:
            raise DataError(f"{path}: no topic has a relevant document.", "A grade above 0 is relevant.")
        judged = cls(qrels, topics, path)
        if len(topics) < len(qrels):
            empty = len(qrels) - len(topics)
            judged.remarks.append(f"Topics without a relevant document, left out: {empty}.")
        return judged

    def measure(self, name: str, run: Path, measures: Sequence[str]) -> Measured:
        """A run over all judged topics: those that it lacks count 0, and are remarked on.

        Raises ``DataError`` where it has none of them, or one of them twice.
        """
        from clir_cli.errors import DataError
        from clir_cli.evaluation.measures import evaluate
        from clir_cli.evaluation.run_comparison import spell_topics
        from clir_cli.trec import read_scores

        scores = spell_topics(read_scores(run), list(self.qrels), str(run))
        lacking = [topic for topic in self.topics if not scores.get(topic)]
        if len(lacking) == len(self.topics):
            hint = "Check that run and judgements belong together."
            raise DataError(f"{run}: none of the {len(self.topics)} topics of {self.path} is in it.", hint)
        if lacking:
            some = ", ".join(lacking[:5]) + (", ..." if len(lacking) > 5 else "")
            self.remarks.append(
                f"{name} lacks {len(lacking)} of {len(self.topics)} topics ({some}): they count 0 in every measure."
            )
        pairs = {topic: documents.items() for topic, documents in scores.items()}
        return evaluate(pairs, self.qrels, self.topics, measures)


def name_runs(given: Sequence[str]) -> dict[str, list[Path]]:
    """Name -> files of each argument: ``FILE``, ``NAME=FILE`` or ``NAME=FILE,FILE..`` (repetitions of one system).

    A file without a name is called by its own, without ``.trec``, ``.run``, ``.txt`` and ``.gz``; by its path where two
    would be called alike. Raises ``UsageError`` where names meet, and where a file is to be its own repetition.
    """
    from clir_cli.errors import UsageError

    split = [("", text) if Path(text).exists() or "=" not in text else text.partition("=")[::2] for text in given]
    short = [name or _stem(Path(file)) for name, file in split]
    named: dict[str, list[Path]] = {}
    for (name, file), own in zip(split, short, strict=True):
        chosen = own if name or short.count(own) == 1 else file
        if chosen in named:
            raise UsageError(f"Two runs are called {chosen!r}.", "Name them: NAME=FILE.")
        parts = file.split(",") if name and not Path(file).exists() else [file]
        if not all(parts):
            raise UsageError(f"Run {chosen!r} names no file at one place.", "Write NAME=FILE, or NAME=FILE,FILE.")
        files = [Path(part) for part in parts]
        places = [file.resolve() for file in files]
        for number, place in enumerate(places):
            if place in places[:number]:
                problem = f"Run {chosen!r} names {files[places.index(place)]} twice."
                raise UsageError(problem, "Its repetitions are runs of their own: name each file once.")
        named[chosen] = files
    return named


def _stem(path: Path) -> str:
    name = path.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix) or name
    return name


def choose_baselines(asked: Sequence[str] | None, runs: Mapping[str, list[Path]]) -> list[str]:
    """Names of the baselines, which may be asked for by name or by file; the first run without any asking.

    Raises ``UsageError`` for one that is no run, for more than there are letters, and where nothing is left to compare.
    """
    from clir_cli.cli.names import near_among
    from clir_cli.errors import UsageError
    from clir_cli.report.run_comparison import LETTERS

    by_file = {str(files[0]): name for name, files in runs.items() if len(files) == 1}
    chosen = [by_file.get(name, name) for name in asked or [next(iter(runs))]]
    for name in chosen:
        if name not in runs:
            hint = f"The runs are {', '.join(runs)}."
            raise UsageError(f"There is no run {name!r} to be the baseline{near_among(name, runs)}", hint)
    if not set(runs) - set(chosen):
        raise UsageError("There is no run beside the baselines.", "Name one more.")
    if len(set(chosen)) > len(LETTERS):
        raise UsageError(f"{len(set(chosen))} baselines are more than there are letters.", "Compare in parts.")
    return list(dict.fromkeys(chosen))


def compare_files(
    runs: Mapping[str, list[Path]],
    baselines: Sequence[str],
    qrels: Path,
    measures: Sequence[str],
    question: "Question",
    folds: Path | None,
    format: str,
) -> str:
    """The comparison of runs in files, as text of a format."""
    from clir_cli.corpora.folds import read_folds
    from clir_cli.evaluation.measures import parse_measures
    from clir_cli.evaluation.run_comparison import compare_runs, join_repetitions
    from clir_cli.inspection.run_cards import read_card, tell_differences
    from clir_cli.report.run_comparison import FORMATS, RunTable

    parse_measures(measures)
    fold_of = read_folds(folds) if folds else None
    judged = Judged.read(qrels)
    values, deviations = {}, {}
    for name, files in runs.items():
        joined = join_repetitions([judged.measure(name, file, measures) for file in files])
        values[name] = joined.values
        if len(files) > 1:
            deviations[name] = joined.deviations
    cards = {name: card for name, files in runs.items() if (card := read_card(files[0])) is not None}
    findings = compare_runs(values, baselines, question)
    remarks = [*judged.remarks, *tell_differences(cards)]
    return FORMATS[format](RunTable(values, baselines, findings, question, fold_of, deviations, remarks))
