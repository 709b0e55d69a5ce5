"""Dictionaries and vectors of the sample: useful, and as imperfect as real ones."""

import numpy as np
import pytest

from clir_cli.corpora.sample.languages import LANGUAGES
from tests.unit.corpora.sample_files import COMMITTED, content_of

DICTIONARIES = ["deu", "fra", "ita", "spa", "swa", "som"]
VECTORS = ["deu", "fra", "ita", "spa"]


def _entries(language: str) -> list[list[str]]:
    text = (COMMITTED / f"dictionary.{language}-eng.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


def _vectors(language: str) -> dict[str, list[float]]:
    head, *lines = content_of(COMMITTED / f"vectors.{language}.vec.gz").decode().splitlines()
    vectors = {line.split(" ")[0]: [float(value) for value in line.split(" ")[1:]] for line in lines}
    assert head == f"{len(lines)} {len(next(iter(vectors.values())))}"
    assert len(vectors) == len(lines)  # each word once
    return vectors


@pytest.mark.parametrize("language", DICTIONARIES)
def test_dictionaries_have_columns_and_want_cleaning(language: str) -> None:
    entries = _entries(language)
    assert all(len(entry) == 3 and all(entry) and 1 <= int(entry[2]) <= 9 for entry in entries)
    pairs = [(entry[0], entry[1]) for entry in entries]
    assert len(set(pairs)) == len(pairs)
    foreign, english = ([pair[side] for pair in pairs] for side in (0, 1))
    assert len(set(foreign)) < len(foreign)  # many-to-many
    assert len(set(english)) < len(english)
    assert any(" " in word for word in english)
    assert any("(" in word for word in foreign)
    assert any(word[0].isupper() for word in english)


@pytest.mark.parametrize(("language", "least", "most"), [("deu", 0.5, 0.65), ("fra", 0.5, 0.65), ("som", 0.25, 0.45)])
def test_dictionaries_have_gaps(language: str, least: float, most: float) -> None:
    core = LANGUAGES[language].core
    words = {core[concept].split("|")[0].split(":")[0].lower() for concept in core}
    listed = {entry[0].split(" (")[0].lower() for entry in _entries(language)}
    assert least < len(words & listed) / len(words) < most


@pytest.mark.parametrize("language", VECTORS)
def test_translations_lie_near_each_other_mostly(language: str) -> None:
    """Of the words that the dictionary has, most have a translation among the five nearest, many not the nearest."""
    foreign, english = _vectors(language), _vectors("eng")
    meanings: dict[str, set[str]] = {}
    for word, translation, _ in _entries(language):
        meanings.setdefault(word.lower(), set()).add(translation.lower())
    known = list(english)
    space = np.array(list(english.values()))
    nearest, near, tried = 0, 0, 0
    for word in sorted(meanings.keys() & foreign.keys()):
        if meanings[word] & english.keys():
            ranked = [known[place] for place in np.argsort(-space @ foreign[word])[:5]]
            tried += 1
            nearest += ranked[0] in meanings[word]
            near += bool(meanings[word] & set(ranked))
    assert tried > 100
    assert 0.3 < nearest / tried < 0.8
    assert 0.75 < near / tried < 0.99


@pytest.mark.parametrize("language", ["eng", *VECTORS])
def test_vectors_are_of_inflected_lower_case_words_and_have_gaps(language: str) -> None:
    vectors = _vectors(language)
    assert all(word == word.lower() and " " not in word for word in vectors)
    assert all(len(vector) <= 24 for vector in vectors.values())
    forms = {
        "eng": {"judge", "judges", "sold", "sell"},
        "deu": {"richter", "richtern", "verkaufte", "wichtigen"},
        "fra": {"juge", "juges", "vendu", "dangereuse"},
        "ita": {"giudice", "giudici", "venduto", "pericolosa"},
        "spa": {"juez", "jueces", "vendieron", "peligrosas"},
    }[language]
    assert len(forms & vectors.keys()) >= 2
    core = LANGUAGES[language].core
    words = {core[concept].split("|")[0].split(":")[0].lower() for concept in core}
    assert 0.05 < len(words - vectors.keys()) / len(words) < 0.3
