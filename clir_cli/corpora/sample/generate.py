"""Writes the sample."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from clir_cli.corpora.sample.backward import count_documents, plan_backward
from clir_cli.corpora.sample.bitext import CLEAN, NOISY, Noise, write_bitext
from clir_cli.corpora.sample.collection import PER_TOPIC, plan_collection
from clir_cli.corpora.sample.concepts import Domain, Kind, World, build_world, is_counted
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.dictionary import write_dictionary
from clir_cli.corpora.sample.languages import LANGUAGES
from clir_cli.corpora.sample.latimes import latimes_sgml
from clir_cli.corpora.sample.lexicon import Language, Lexicon, build_lexicon
from clir_cli.corpora.sample.newswire import WORDS, Newswire
from clir_cli.corpora.sample.outlets import OUTLETS, NewsItem, number_items
from clir_cli.corpora.sample.sentences import Phrase, Sentence, Writer
from clir_cli.corpora.sample.stories import DocumentPlan, divide_concepts
from clir_cli.corpora.sample.topic_layouts import WITH_NARRATIVE, lay_out_topics, name_topic, trec_qrels
from clir_cli.corpora.sample.vectors import LANGUAGES_WITH_VECTORS, place_concepts, write_vectors
from clir_cli.corpora.sample.writing import write_together
from clir_cli.records import Document, ProgressCallback, Topic, no_progress

Item = TypeVar("Item")

BITEXT: dict[str, tuple[int, Noise]] = {
    "deu": (50, CLEAN),
    "fra": (50, CLEAN),
    "ita": (50, CLEAN),
    "spa": (50, CLEAN),
    "swa": (21, NOISY),
    "som": (21, NOISY),
}
"""Language -> lines of parallel text with English per topic, and how faulty it is."""
OTHER_CONCEPTS = 0.9
"""Concepts that stories but no topics are about, per topic."""
TELL_EVERY = 200
"""Documents or lines between two reports of progress."""


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What was written, by collection or pair of languages."""

    documents: dict[str, int]
    topics: int
    relevant: dict[str, int]
    judged: dict[str, int]
    bitext: dict[str, int]
    """Pair -> lines."""
    files: tuple[Path, ...]


def generate_sample(
    folder: Path,
    *,
    seed: int = 1,
    documents: int = 1800,
    topics: int = 120,
    words: int = WORDS,
    progress: ProgressCallback = no_progress,
) -> SampleReport:
    """Writes the sample into ``folder``: the same bytes (after decompression) for the same arguments, anywhere.

    documents: of the English collection; at least 15 a topic, so that every topic has its relevant ones and those that
    resemble them. words: of an English document, about. The other collections and the parallel text go by the number of
    topics. All files appear when the last is whole; memory does not grow with ``documents``.

    Raises ValueError where there are too few documents for the topics, more topics than ids (999), or fewer than 50
    words, and ``DataError`` where the system does not write.
    """
    if not 0 < topics <= 999 or documents < topics * PER_TOPIC:
        raise ValueError(
            f"there are 1 to 999 topics with {PER_TOPIC} documents each at least: not {topics}, {documents}"
        )
    if words < WORDS:
        raise ValueError(f"documents have {WORDS} words at least: not {words}")
    sample = _Sample(seed, topics, documents)
    lines = {code: topics * each for code, (each, _) in BITEXT.items()}
    others = {code: count_documents(topics) for code in OUTLETS}
    counter = _Counter(progress, documents + sum(others.values()) + sum(lines.values()))
    qrels: dict[str, dict[int, dict[str, int]]] = {}
    files: list[str] = []
    with write_together(folder) as write_file:

        def write(name: str, texts: Iterable[str], encoding: str = "utf-8") -> None:
            files.append(name)
            write_file(name, texts, encoding)

        qrels["eng"] = {}
        told = counter.watch(sample.tell_english(words, qrels["eng"]), "English documents")
        write("documents.eng.sgml.gz", latimes_sgml(told), "iso-8859-1")
        for code in OUTLETS:
            qrels[code] = {}
            for outlet, texts in sample.tell_backward(code, qrels[code]):
                counted = counter.watch(texts, f"documents of {outlet}")
                write(f"documents.{code}.{outlet}.sgml.gz", counted, "iso-8859-1")
        for code, judged in qrels.items():
            write(f"qrels.{code}.txt", trec_qrels(judged, code))
        for code in LANGUAGES:
            write(*lay_out_topics(sample.ask(code), code))
        for code in BITEXT:
            pairs = list(counter.watch(sample.translate(code, lines[code]), f"sentences of {code}-eng"))
            for side, language in enumerate((code, "eng")):
                write(f"bitext.{code}-eng.{language}.gz", (f"{pair[side]}\n" for pair in pairs))
            write(f"dictionary.{code}-eng.tsv", sample.define(code))
        for code in LANGUAGES_WITH_VECTORS:
            write(f"vectors.{code}.vec.gz", sample.embed(code))
    grades = {code: Counter(grade for of in judged.values() for grade in of.values()) for code, judged in qrels.items()}
    return SampleReport(
        documents={"eng": documents, **others},
        topics=topics,
        relevant={code: count[1] for code, count in grades.items()},
        judged={code: count.total() for code, count in grades.items()},
        bitext={f"{code}-eng": count for code, count in lines.items()},
        files=tuple(folder / name for name in files),
    )


class _Sample:
    """The world of a seed, and what each file says of it."""

    def __init__(self, seed: int, topics: int, documents: int) -> None:
        self._seed = seed
        self._documents = documents
        self._world: World = build_world(seed, topics + int(topics * OTHER_CONCEPTS))
        self._asked, self._other = divide_concepts(self._world, seed, topics)
        self._lexicons = _name_everything(seed, self._world.kinds(), self._asked, self._other)
        planned = PER_TOPIC * topics  # what the topics need; the collection has at least as many documents
        self._topics, self._plans = plan_collection(seed, self._world, self._asked, self._other, planned)

        self._space = place_concepts(Dice(seed, "vectors.concepts"), self._world)

    def tell_english(self, words: int, qrels: dict[int, dict[str, int]]) -> Iterator[Document]:
        """The English documents; ``qrels`` fills as they go by."""
        newswire = Newswire(self._seed, self._world, LANGUAGES["eng"], self._lexicons["eng"], self._other)
        for document, plan in newswire.stream(self._plans, self._documents, words):
            if plan:
                _judge(plan, document.id, qrels)
            yield document

    def tell_backward(self, code: str, qrels: dict[int, dict[str, int]]) -> Iterator[tuple[str, Iterator[str]]]:
        """Name of each newspaper or agency of a language and its documents in their tags; ``qrels`` fills with them."""
        placed = plan_backward(self._seed, self._world, self._topics, self._other, code, OUTLETS[code])
        author = self._writer(code, "documents")
        for outlet in OUTLETS[code]:
            years = {
                year: [one.plan for one in placed if (one.outlet, one.year) == (outlet, year)]
                for year in sorted(outlet.numbers)
            }
            plans = [plan for of_year in years.values() for plan in of_year]
            numbers = [number for year, them in years.items() for number in number_items(outlet, year, len(them))]
            items = (
                _report(author, plan, id, date, number)
                for number, (plan, (id, date)) in enumerate(zip(plans, numbers, strict=True), 1)
            )
            for plan, (id, _) in zip(plans, numbers, strict=True):
                _judge(plan, id, qrels)
            yield outlet.name, map(outlet.sgml, items)

    def ask(self, code: str) -> list[Topic]:
        """The topics in the words of a language."""
        author, narrator = self._writer(code, "topics"), self._writer(code, "topics.narratives")
        topics: list[Topic] = []
        for plan in self._topics:
            author.new_text()
            title, description = author.write(plan.title), author.write(plan.description)
            about = Phrase(plan.story.focus, plural=is_counted(plan.story.focus))
            narrative = narrator.write(Sentence("narrative", {"X": about})) if code in WITH_NARRATIVE else ""
            topics.append(Topic(name_topic(plan.number, code), title, description, narrative))
        return topics

    def translate(self, code: str, lines: int) -> list[tuple[str, str]]:
        """Parallel text of a language and English."""
        part = f"bitext.{code}-eng"
        sides = self._writer(code, part), self._writer("eng", part)
        dice = Dice(self._seed, part)
        return write_bitext(self._world, self._asked + self._other, *sides, dice, lines, BITEXT[code][1])

    def define(self, code: str) -> Iterator[str]:
        """A dictionary of a language and English."""
        sides = LANGUAGES[code], self._lexicons[code], LANGUAGES["eng"], self._lexicons["eng"]
        return write_dictionary(Dice(self._seed, f"dictionary.{code}"), self._world, *sides)

    def embed(self, code: str) -> Iterator[str]:
        """Word vectors of a language."""
        dice = Dice(self._seed, f"vectors.{code}")
        return write_vectors(dice, self._world, LANGUAGES[code], self._lexicons[code], self._space)

    def _writer(self, code: str, part: str) -> Writer:
        return Writer(LANGUAGES[code], self._lexicons[code], Dice(self._seed, f"{part}.{code}"))


class _Counter:
    """Tells how much of everything has been written."""

    def __init__(self, progress: ProgressCallback, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def watch(self, items: Iterable[Item], text: str) -> Iterator[Item]:
        self._progress(self._done, self._total, text)
        for item in items:
            yield item
            self._done += 1
            if self._done % TELL_EVERY == 0:
                self._progress(self._done, self._total, text)
        self._progress(self._done, self._total, text)


def _judge(plan: DocumentPlan, id: str, qrels: dict[int, dict[str, int]]) -> None:
    for number, grade in plan.grades.items():
        qrels.setdefault(number, {})[id] = grade


def _report(author: Writer, plan: DocumentPlan, id: str, date: str, number: int) -> NewsItem:
    author.new_text()
    lines = list(map(author.write, plan.sentences))
    return NewsItem(id, date, number, author.write(plan.headline), lines)


def _name_everything(
    seed: int, kinds: Mapping[str, Kind], asked: list[tuple[Domain, str]], other: list[tuple[Domain, str]]
) -> dict[str, Lexicon]:
    """The lexicon of each language. In each, words of some topics' concepts are also those of unrelated concepts."""
    lexicons: dict[str, Lexicon] = {}
    for code in sorted(LANGUAGES, key=lambda code: (code != "eng", code)):
        language: Language = LANGUAGES[code]
        dice = Dice(seed, f"homonyms.{code}")
        senses = [
            (concept, alien)
            for (domain, concept), (other_domain, alien) in zip(
                dice.shuffled(asked), dice.shuffled(other), strict=False
            )
            if domain.name != other_domain.name and not {concept, alien} & language.core.keys()
        ]
        share = int(len(asked) * language.homonyms)
        lexicons[code] = build_lexicon(seed, language, kinds, senses[:share], lexicons.get("eng", {}))
    return lexicons
