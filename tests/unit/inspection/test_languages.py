"""Languages are guessed where there is enough to tell."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from clir_cli.corpora.normalise import content_keys
from clir_cli.inspection.languages import ENOUGH, LanguageGuesser

TEXTS = {
    "eng": "The house of the man was there when he went to it, and then they had all been with him in the other one.",
    "deu": "Das Haus war nicht mehr da, als er mit der Frau und dem Kind aus dem Wald kam, aber sie haben es gesehen.",
    "fra": "La maison n'est plus là, mais il est dans la rue avec elle et ils ont tout vu, ce qui est bien pour nous.",
    "ita": "La casa non è più lì, ma lui è nella strada con lei e hanno visto tutto quello che per noi era così bello.",
    "spa": "La casa ya no está allí, pero él está en la calle con ella y los dos han visto todo lo que nosotros.",
    "swa": "Nyumba ya mtu huyo ilikuwa pale na alikuwa na watu wengi kwa sababu ya kazi yake ya kila siku katika mji.",
}
WORDS = {language: content_keys(text, frozenset()) for language, text in TEXTS.items()}


@pytest.fixture(scope="module")
def guesser() -> LanguageGuesser:
    return LanguageGuesser(["deu"])


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_of_twenty_words_is_told(guesser: LanguageGuesser, language: str) -> None:
    assert len(WORDS[language]) >= ENOUGH
    assert guesser.guess(WORDS[language]) == language
    assert guesser.guess_text(WORDS[language]) == language
    assert guesser.speaks_against(language, "deu") == (language != "deu")


def test_little_text_and_mixed_text_are_not_guessed(guesser: LanguageGuesser) -> None:
    assert guesser.guess(WORDS["eng"][: ENOUGH - 1]) == ""
    assert guesser.guess(["zyx"] * 100) == ""
    assert guesser.guess([]) == ""
    assert guesser.guess(WORDS["eng"] + WORDS["deu"]) == ""


def test_no_guess_speaks_against_nothing_and_nothing_against_the_unknown(guesser: LanguageGuesser) -> None:
    assert not guesser.speaks_against("", "deu")
    assert not guesser.speaks_against("eng", "xyz")
    assert not guesser.speaks_against("swa", "swh")  # one language in two codes


REAL = os.environ.get("CLIR_REAL_DATA")
CODES = {"de": "deu", "en": "eng", "fr": "fra", "es": "spa", "it": "ita", "so": "som", "sw": "swa"}


def _files(folder: Path) -> Iterator[tuple[str, list[str]]]:
    for path in sorted(folder.glob("clir/wmtnews/topics.*.tsv")):
        text = "\n".join(line.split("\t")[1] for line in path.read_text(encoding="utf-8").splitlines())
        yield CODES[path.name.split(".")[1]], content_keys(text, frozenset())
    for pair in sorted((folder / "parallel").iterdir()):
        for side, language in (("src", CODES[pair.name[:2]]), ("tgt", "eng")):
            text = (pair / f"dev.{side}").read_text(encoding="utf-8")
            yield language, content_keys(text, frozenset())


@pytest.mark.real
@pytest.mark.skipif(not REAL, reason="CLIR_REAL_DATA names no public collections")
def test_whole_files_are_told_without_a_mistake(guesser: LanguageGuesser) -> None:
    found = [(language, guesser.guess(keys)) for language, keys in _files(Path(str(REAL)))]
    assert len(found) == 19
    assert all(guess == language for language, guess in found)


@pytest.mark.real
@pytest.mark.skipif(not REAL, reason="CLIR_REAL_DATA names no public collections")
@pytest.mark.parametrize("code", CODES)
def test_documents_are_told_but_for_a_few(guesser: LanguageGuesser, code: str) -> None:
    path = Path(str(REAL)) / "clir" / "wmtnews" / f"documents.{code}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        texts = [json.loads(line)["text"] for line in list(file)[:500]]
    guesses = [guesser.guess_text(content_keys(text, frozenset())[:100]) for text in texts]
    right = guesses.count(CODES[code])
    assert right >= (0.7 if code == "so" else 0.95) * len(guesses)
    assert len(guesses) - right - guesses.count("") <= 0.005 * len(guesses)
