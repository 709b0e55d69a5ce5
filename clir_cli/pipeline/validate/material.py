"""What the steps of an inspection share: the settings, the findings, and what was read so far."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.config.schema import ExperimentSettings, languages_of
from clir_cli.corpora.collection_files import find_files
from clir_cli.corpora.normalise import stop_words
from clir_cli.corpora.topics import FoundTopic
from clir_cli.errors import DataError
from clir_cli.inspection.documents import normal_form
from clir_cli.inspection.faults import FaultRecorder, Kind
from clir_cli.inspection.findings import Findings, Level, Part
from clir_cli.inspection.judgements import Judged
from clir_cli.inspection.languages import LanguageGuesser
from clir_cli.pipeline.pools import Pool, pools_of
from clir_cli.pipeline.rows import Rows
from clir_cli.records import ProgressCallback, no_progress

FILES = (Kind("", "unreadable-file", "{count} files cannot be read."),)
STOP_WORDS = (Kind("", "stop-words", "{count} faults of stop words."),)


@dataclass(frozen=True)
class Words:
    """What a table translates, what it translates to (nothing where that is not known), and how it is called in a
    sentence."""

    source: frozenset[str]
    target: frozenset[str]
    where: str


class Material:
    """An experiment under inspection."""

    def __init__(self, experiment: Experiment, pairs: Sequence[str] | None, keep: int | None) -> None:
        self.experiment = experiment
        self.settings = experiment.settings
        self.rows = Rows(experiment)
        self.pairs = list(dict.fromkeys(pairs or self.settings.pairs))
        self.of_pair: dict[str, ExperimentSettings] = {pair: experiment.for_pair(pair) for pair in self.pairs}
        self.is_whole = set(self.pairs) == set(self.settings.pairs)
        self.findings = Findings(keep)
        self.progress: ProgressCallback = no_progress
        self.topics: dict[str, dict[str, FoundTopic]] = {}
        """Key of the settings -> key of a topic -> the topic."""
        self.searched: dict[str, list[str]] = {}
        """Pair -> keys of the topics that it searches."""
        self.judged: dict[str, Judged] = {}
        """Key of the settings -> judgements."""
        self.evaluated: dict[str, set[str]] = {}
        """Pair -> keys of the topics that have a relevant document in its collection."""
        self.words: dict[str, Words] = {}
        """Pair -> the words that its translations know."""
        self.titles_met: dict[str, str] = {}
        """Query in normal form -> the title that pre-training asks for and that is equal to it."""
        self._stop: dict[str, frozenset[str]] = {}

    @cached_property
    def guesser(self) -> LanguageGuesser:
        """Knows the languages of the experiment and the common ones."""
        languages = [language for pair in self.settings.pairs for language in languages_of(pair)]
        return LanguageGuesser([*languages, *map(self.language_of, self.settings.collections)])

    @cached_property
    def watched(self) -> dict[str, str]:
        """Every query in normal form -> topic id; those of one word tell too little. Made once topics are read."""
        found: dict[str, str] = {}
        for key, read in self.topics.items():
            fields = tuple(self.settings.topics[key].fields)
            for topic in read.values():
                for text in (topic.topic.title, topic.topic.text(fields)):
                    if " " in (form := normal_form(text)):
                        found.setdefault(form, topic.topic.id)
        return found

    def language_of(self, collection: str) -> str:
        """The declared language of a collection."""
        return self.settings.collections[collection].language or collection

    def pools(self, collection: str) -> list[Pool]:
        """The pools of a collection; none where every topic searches all of it."""
        source = self.settings.collections.get(collection)
        return pools_of(source) if source else []

    def spelt(self, pair: str) -> dict[str, str]:
        """Key -> id of the topics that a pair searches."""
        asked = self.topics.get(self.experiment.topics(pair), {})
        return {key: asked[key].topic.id for key in self.searched.get(pair, ())}

    def stop(self, language: str) -> frozenset[str]:
        """Stop words of a language; none where they cannot be read, which is told once."""
        if language not in self._stop:
            setting = self.settings.languages.get(language)
            spec = setting.stop_words if setting else "iso"
            self._stop[language] = frozenset()
            paths = [spec] if isinstance(spec, Path) else []
            with self.recording(self.findings.about(f"language {language}"), paths, STOP_WORDS):
                self._stop[language] = stop_words(spec, language)
        return self._stop[language]

    def record(
        self, about: Part, paths: Sequence[Path], kinds: Sequence[Kind] = FILES, level: Level = Level.error
    ) -> FaultRecorder:
        """A handler that makes findings of faults."""
        return FaultRecorder(about, paths, kinds, level=level, shows_text=self.experiment.shows_text)

    @contextmanager
    def recording(self, about: Part, paths: Sequence[Path], kinds: Sequence[Kind] = FILES) -> Iterator[None]:
        """A block that a fault ends; it becomes a finding."""
        try:
            yield
        except DataError as fault:
            self.record(about, paths, kinds)(fault)

    def present(self, about: Part, paths: Iterable[Path], key: str) -> list[Path]:
        """Those of ``paths``, named by ``key`` of the settings, that are there; each other one is an error."""
        there = []
        for path in paths:
            if path.exists():
                there.append(path)
                continue
            hint = "Write the sample data with `clir sample`." if "sample" in str(path) else "Check the path."
            about.error("missing-file", f"there is no such file, and {key} names it.", place=str(path), hint=hint)
        return there

    def files(self, about: Part, paths: Iterable[Path], key: str) -> list[Path]:
        """The files of ``paths`` that are there, folders walked."""
        there = self.present(about, paths, key)
        return [file for path in there for file in find_files(path, self.record(about, [path]))]
