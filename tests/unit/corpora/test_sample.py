"""The sample: the same everywhere, whole, readable by the readers, and grammatical as far as it claims."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.normalise import content_keys, stop_words
from clir_cli.corpora.sample import SampleReport, generate_sample
from clir_cli.corpora.sample.concepts import ADJECTIVES, COMMON, GENERAL, PARTICULAR, VERBS, build_world
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.languages import LANGUAGES
from clir_cli.corpora.sample.lexicon import Lemma
from clir_cli.corpora.sample.sentences import Phrase, Sentence, Writer
from clir_cli.trec import read_qrels
from tests.unit.corpora.sample_files import (
    COMMITTED,
    DOCUMENT_FILES,
    TOPIC_FILES,
    content_of,
    documents_of,
    qrels_of,
    topics_of,
)


def _small(folder: Path, seed: int) -> SampleReport:
    return generate_sample(folder, seed=seed, documents=130, topics=8)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> SampleReport:
    return generate_sample(tmp_path_factory.mktemp("sample"), seed=1)


def test_committed_sample_is_what_the_generator_writes(written: SampleReport) -> None:
    names = {path.name for path in written.files}
    assert {path.name for path in COMMITTED.iterdir()} == names
    assert [path.name for path in written.files if content_of(path) != content_of(COMMITTED / path.name)] == []


def test_the_report_counts_what_was_written(written: SampleReport) -> None:
    assert written.topics == 120
    assert written.documents == {"eng": 1800, "deu": 900, "fra": 900, "ita": 900, "spa": 900}
    assert written.documents == {language: len(documents_of(language)) for language in DOCUMENT_FILES}
    assert written.bitext == {f"{code}-eng": 6000 for code in ("deu", "fra", "ita", "spa")} | {
        f"{code}-eng": 2520 for code in ("swa", "som")
    }
    for language in DOCUMENT_FILES:
        grades = [grade for judged in qrels_of(language).values() for grade in judged.values()]
        assert (written.judged[language], written.relevant[language]) == (len(grades), sum(grades))


def test_committed_sample_is_small() -> None:
    assert sum(path.stat().st_size for path in COMMITTED.iterdir()) < 3_500_000


def test_same_seed_same_sample_other_seed_other_sample(tmp_path: Path) -> None:
    files = [path.name for path in _small(tmp_path / "one", seed=7).files]
    _small(tmp_path / "again", seed=7)
    _small(tmp_path / "other", seed=8)
    for name in files:
        assert content_of(tmp_path / "one" / name) == content_of(tmp_path / "again" / name)
        assert content_of(tmp_path / "one" / name) != content_of(tmp_path / "other" / name)
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == sorted(files)  # nothing half-written is left


def test_gzip_headers_hold_no_time_and_no_name() -> None:
    for path in COMMITTED.glob("*.gz"):
        header = path.read_bytes()[:10]
        assert header[3:8] == bytes(5)  # flags (no file name), four bytes of time


@pytest.mark.parametrize(("topics", "documents"), [(0, 100), (1000, 99999), (120, 1000)])
def test_impossible_sizes_are_refused(tmp_path: Path, topics: int, documents: int) -> None:
    with pytest.raises(ValueError, match="documents each"):
        generate_sample(tmp_path / "sample", topics=topics, documents=documents)
    assert not (tmp_path / "sample").exists()


def test_documents_and_judgements_fit_together() -> None:
    documents = list(read_documents([COMMITTED / "documents.eng.sgml.gz"], encoding="iso-8859-1"))
    qrels = read_qrels(COMMITTED / "qrels.eng.txt")
    ids = {document.id for document in documents}
    assert len(ids) == len(documents) == 1800
    assert documents[0].id == "LA010194-0001"
    assert all(document.title and document.text for document in documents)
    assert all("1994" not in document.full_text and "<" not in document.full_text for document in documents)
    lengths = [len(document.full_text.split()) for document in documents]
    assert 30 <= min(lengths) <= max(lengths) <= 80
    assert list(qrels) == [f"C{number:03d}" for number in range(1, 121)]
    assert {document for judged in qrels.values() for document in judged} <= ids
    assert all(4 <= sum(judged.values()) <= 9 for judged in qrels.values())
    assert all(0 in judged.values() for judged in qrels.values())


@pytest.mark.parametrize("language", list(TOPIC_FILES))
def test_every_topic_has_a_word_that_no_other_topic_has(language: str) -> None:
    topics = topics_of(language)
    ids = [f"{number}-AH" if language == "fra" else f"C{number:03d}" for number in range(1, 121)]
    assert [topic.id for topic in topics] == ids
    stop = stop_words("iso", language)
    words = [set(content_keys(topic.text(), stop)) for topic in topics]
    count = Counter(word for of_topic in words for word in of_topic)
    assert [topic.id for topic, mine in zip(topics, words, strict=True) if all(count[word] > 1 for word in mine)] == []


def test_relevance_is_not_a_matter_of_the_topic_words_alone() -> None:
    """Some relevant documents share no word with the topic; some judged non-relevant ones share its own word."""
    stop = stop_words("iso", "eng")
    words = {
        document.id: set(content_keys(document.full_text, stop))
        for document in read_documents([COMMITTED / "documents.eng.sgml.gz"], encoding="iso-8859-1")
    }
    topics = {topic.id: set(content_keys(topic.text(), stop)) for topic in topics_of("eng")}
    in_topics = Counter(word for mine in topics.values() for word in mine)
    missed, misled = 0, 0
    for topic, judged in read_qrels(COMMITTED / "qrels.eng.txt").items():
        own = {word for word in topics[topic] if in_topics[word] == 1}
        missed += sum(grade > 0 and not own & words[document] for document, grade in judged.items())
        misled += sum(grade == 0 and bool(own & words[document]) for document, grade in judged.items())
    assert missed > 50
    assert misled > 50


@pytest.mark.parametrize(
    ("language", "lines"), [("deu", 6000), ("fra", 6000), ("ita", 6000), ("spa", 6000), ("swa", 2520), ("som", 2520)]
)
def test_bitext_is_aligned_and_faulty(language: str, lines: int) -> None:
    paths = [COMMITTED / f"bitext.{language}-eng.{side}.gz" for side in (language, "eng")]
    raw = [content_of(path).decode().split("\n") for path in paths]
    assert [len(side) - 1 for side in raw] == [lines, lines]
    pairs = list(read_bitext(*paths))
    blank = lines - len(pairs)
    assert 0 < blank < 0.03 * lines
    assert sum(one == other for one, other in pairwise(pairs)) > 10
    source_words = {word for pair in pairs for word in content_keys(pair.source, stop_words("iso", language))}
    topic_words = {
        word for topic in topics_of(language) for word in content_keys(topic.text(), stop_words("iso", language))
    }
    assert 0.7 < len(topic_words & source_words) / len(topic_words) < 1  # some words of the topics cannot be learnt


def test_every_concept_is_of_one_kind_and_every_core_word_is_of_a_concept() -> None:
    listed = [GENERAL, VERBS, ADJECTIVES, *COMMON.values(), *PARTICULAR.values()]
    count = Counter(concept for concepts in listed for concept in concepts.split())
    assert [concept for concept, times in count.items() if times > 1] == []
    for language in LANGUAGES.values():
        assert language.core.keys() <= count.keys(), language.code


def test_world_has_enough_to_write_about() -> None:
    world = build_world(3, 60)
    particulars = [concept for domain in world.domains for concept in domain.particulars]
    assert len(particulars) == len(set(particulars)) >= 60
    assert len(set(world.people)) == 60


def test_all_languages_have_templates_for_the_same_plans() -> None:
    frames = {code: set(language.templates) for code, language in LANGUAGES.items()}
    assert all(of_language == frames["eng"] for of_language in frames.values())


def test_dice_draw_the_same_on_every_python() -> None:
    dice = Dice(1, "test")
    assert [dice.below(100) for _ in range(5)] == [6, 36, 56, 28, 76]
    assert sorted(dice.shuffled(range(9))) == list(range(9))
    assert dice.weigh("ab", (0, 1)) == "b"


def test_a_writer_mostly_keeps_to_one_word_within_a_text() -> None:
    lexicon = {"judge": (Lemma("judge"), Lemma("arbiter"))}
    writer = Writer(LANGUAGES["eng"], lexicon, Dice(5, "habit"))
    plan = Sentence("concern", {"N": "Puji", "X": Phrase("judge")})
    used = Counter("arbiter" if "arbiter" in writer.write(plan) else "judge" for _ in range(100))
    assert 65 < max(used.values()) < 95
