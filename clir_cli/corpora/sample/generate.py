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
from clir_cli.corpora.sample.layouts import clef_topics, latimes_sgml, number_latimes, trec_qrels, tsv_topics
from clir_cli.corpora.sample.lexicon import Language, Lexicon, build_lexicon
from clir_cli.corpora.sample.sentences import Writer
from clir_cli.corpora.sample.stories import divide_concepts
from clir_cli.records import Document, Topic

DOCUMENT_LANGUAGE = "eng"
BITEXT: dict[str, tuple[int, Noise]] = {"deu": (6000, CLEAN), "som": (2500, NOISY)}
"""Query language -> lines of parallel text with English, and how faulty it is."""
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

    def writer(code: str, part: str, loyalty: float = 0.8) -> Writer:
        return Writer(LANGUAGES[code], lexicons[code], Dice(seed, f"{part}.{code}"), loyalty)

    topic_plans, plans = plan_collection(seed, world, asked, other, documents)
    collection: list[Document] = []
    qrels: dict[str, dict[str, int]] = {}
    author = writer(DOCUMENT_LANGUAGE, "documents")
    for docno, plan in zip(number_latimes(documents), plans, strict=True):
        author.new_text()
        collection.append(Document(docno, "\n".join(map(author.write, plan.sentences)), author.write(plan.headline)))
        for number, grade in plan.grades.items():
            qrels.setdefault(f"C{number:03d}", {})[docno] = grade

    texts: dict[str, Iterable[str]] = {
        "documents.eng.sgml.gz": latimes_sgml(collection),
        "qrels.eng.txt": trec_qrels(qrels),
    }
    for code in LANGUAGES:
        author = writer(code, "topics")
        written: list[Topic] = []
        for topic in topic_plans:
            author.new_text()
            written.append(Topic(f"C{topic.number:03d}", author.write(topic.title), author.write(topic.description)))
        if code == "som":
            texts["topics.som.tsv"] = tsv_topics(written)
        else:
            texts[f"topics.{code}.sgml"] = clef_topics(written, code)
    for code, (lines, noise) in BITEXT.items():
        pair = f"{code}-{DOCUMENT_LANGUAGE}"
        dice = Dice(seed, f"bitext.{pair}")
        sides = writer(code, f"bitext.{pair}"), writer(DOCUMENT_LANGUAGE, f"bitext.{pair}")
        pairs = write_bitext(world, asked + other, *sides, dice, lines, noise)
        texts[f"bitext.{pair}.{code}.gz"] = (f"{source}\n" for source, _ in pairs)
        texts[f"bitext.{pair}.{DOCUMENT_LANGUAGE}.gz"] = (f"{target}\n" for _, target in pairs)

    folder.mkdir(parents=True, exist_ok=True)
    latin = ("documents.eng.sgml.gz", "topics.deu.sgml", "topics.eng.sgml")
    files = tuple(
        _write(folder / name, texts[name], "iso-8859-1" if name in latin else "utf-8") for name in sorted(texts)
    )
    grades = [grade for judged in qrels.values() for grade in judged.values()]
    bitext = {f"{code}-{DOCUMENT_LANGUAGE}": lines for code, (lines, _) in BITEXT.items()}
    return SampleReport(len(collection), len(topic_plans), sum(grades), len(grades), bitext, files)


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


def _write(path: Path, lines: Iterable[str], encoding: str) -> Path:
    data = "".join(lines).encode(encoding)
    if path.suffix == ".gz":
        data = gzip.compress(data, compresslevel=9, mtime=0)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    return partial.replace(path)
