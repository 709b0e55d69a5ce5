"""Writes the sample."""

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from clir_cli.corpora.sample.bitext import CLEAN, NOISY, Noise, write_bitext
from clir_cli.corpora.sample.collection import PER_TOPIC, plan_collection
from clir_cli.corpora.sample.concepts import Domain, Kind, build_world
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.languages import LANGUAGES
from clir_cli.corpora.sample.layouts import (
    TOPIC_TAGS,
    clef_topics,
    latimes_sgml,
    number_latimes,
    trec_qrels,
    tsv_topics,
)
from clir_cli.corpora.sample.lexicon import Language, Lexicon, build_lexicon
from clir_cli.corpora.sample.sentences import Writer
from clir_cli.corpora.sample.stories import DocumentPlan, TopicPlan, divide_concepts
from clir_cli.records import Document, Topic

DOCUMENT_LANGUAGE = "eng"
BITEXT: dict[str, tuple[int, Noise]] = {"deu": (50, CLEAN), "som": (21, NOISY)}
"""Query language -> lines of parallel text with English per topic, and how faulty it is."""
OTHER_CONCEPTS = 0.9
"""Concepts that stories but no topics are about, per topic."""


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What was written."""

    documents: int
    topics: int
    relevant: int
    judged: int
    bitext: dict[str, int]
    """Pair -> lines."""
    files: tuple[Path, ...]


def generate_sample(folder: Path, *, seed: int = 1, documents: int = 1800, topics: int = 120) -> SampleReport:
    """Writes the sample into ``folder``: the same bytes (after decompression) for the same arguments, anywhere.

    documents: of the English collection; at least 14 a topic, so that every topic has its relevant ones and those that
    resemble them. Each file is written beside its place and moved there when whole.

    Raises ValueError where there are too few documents for the topics, or more topics than ids (999).
    """
    if not 0 < topics <= 999 or documents < topics * PER_TOPIC:
        raise ValueError(
            f"there are 1 to 999 topics with {PER_TOPIC} documents each at least: not {topics}, {documents}"
        )
    world = build_world(seed, topics + int(topics * OTHER_CONCEPTS))
    asked, other = divide_concepts(world, seed, topics)
    lexicons = _name_everything(seed, world.kinds(), asked, other)
    topic_plans, document_plans = plan_collection(seed, world, asked, other, documents)

    def writer(code: str, part: str) -> Writer:
        return Writer(LANGUAGES[code], lexicons[code], Dice(seed, f"{part}.{code}"))

    collection, qrels = _tell(document_plans, writer(DOCUMENT_LANGUAGE, "documents"))
    texts: dict[str, Iterable[str]] = {
        "documents.eng.sgml.gz": latimes_sgml(collection),
        "qrels.eng.txt": trec_qrels(qrels),
    }
    for code in LANGUAGES:
        written = _ask(topic_plans, writer(code, "topics"))
        if code in TOPIC_TAGS:
            texts[f"topics.{code}.sgml"] = clef_topics(written, code)
        else:
            texts[f"topics.{code}.tsv"] = tsv_topics(written)
    bitext = {f"{code}-{DOCUMENT_LANGUAGE}": topics * lines for code, (lines, _) in BITEXT.items()}
    for code, (_, noise) in BITEXT.items():
        pair = f"{code}-{DOCUMENT_LANGUAGE}"
        sides = writer(code, f"bitext.{pair}"), writer(DOCUMENT_LANGUAGE, f"bitext.{pair}")
        pairs = write_bitext(world, asked + other, *sides, Dice(seed, f"bitext.{pair}"), bitext[pair], noise)
        for side, language in enumerate((code, DOCUMENT_LANGUAGE)):
            texts[f"bitext.{pair}.{language}.gz"] = [f"{sentences[side]}\n" for sentences in pairs]

    grades = [grade for judged in qrels.values() for grade in judged.values()]
    return SampleReport(len(collection), topics, sum(grades), len(grades), bitext, _write_all(folder, texts))


def _tell(plans: list[DocumentPlan], author: Writer) -> tuple[list[Document], dict[str, dict[str, int]]]:
    """The documents in words, and who is relevant to what."""
    collection: list[Document] = []
    qrels: dict[str, dict[str, int]] = {}
    for docno, plan in zip(number_latimes(len(plans)), plans, strict=True):
        author.new_text()
        text = "\n".join(map(author.write, plan.sentences))
        collection.append(Document(docno, text, author.write(plan.headline)))
        for number, grade in plan.grades.items():
            qrels.setdefault(_topic_id(number), {})[docno] = grade
    return collection, qrels


def _ask(plans: list[TopicPlan], author: Writer) -> list[Topic]:
    """The topics in words."""
    topics: list[Topic] = []
    for plan in plans:
        author.new_text()
        topics.append(Topic(_topic_id(plan.number), author.write(plan.title), author.write(plan.description)))
    return topics


def _topic_id(number: int) -> str:
    return f"C{number:03d}"


def _name_everything(
    seed: int, kinds: Mapping[str, Kind], asked: list[tuple[Domain, str]], other: list[tuple[Domain, str]]
) -> dict[str, Lexicon]:
    """The lexicon of each language. In each, words of some topics' concepts are also those of unrelated concepts."""
    lexicons: dict[str, Lexicon] = {}
    for code in sorted(LANGUAGES, key=lambda code: (code != DOCUMENT_LANGUAGE, code)):
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
        lexicons[code] = build_lexicon(seed, language, kinds, senses[:share], lexicons.get(DOCUMENT_LANGUAGE, {}))
    return lexicons


def _write_all(folder: Path, texts: Mapping[str, Iterable[str]]) -> tuple[Path, ...]:
    """Writes every file beside its place, then moves them there."""
    folder.mkdir(parents=True, exist_ok=True)
    partials: dict[Path, Path] = {}
    for name in sorted(texts):
        data = "".join(texts[name]).encode("iso-8859-1" if ".sgml" in name else "utf-8")
        if name.endswith(".gz"):
            data = gzip.compress(data, compresslevel=9, mtime=0)
        partials[folder / name] = folder / f"{name}.partial"
        partials[folder / name].write_bytes(data)
    return tuple(partial.replace(path) for path, partial in partials.items())
