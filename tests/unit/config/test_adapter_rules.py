"""What must hold where models have adapters or learn on another pair."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clir_cli.config.choices import language_length, languages_needed, task_from

from .conftest import Load

LANGUAGES = "adapters.languages={deu: deu.gz, eng: {collections: [eng]}, som: {bitext: [som-eng]}}"
BOTH = "pairs={deu-eng: {}, som-eng: {task_from: deu-eng}}"

BROKEN = {
    "a source that is no pair": (["pairs.deu-eng.task_from=deu-en"], "should be"),
    "a source that is not run": (["pairs.deu-eng.task_from=som-eng"], "no pair `som-eng`"),
    "a model's source that is not run": (["models.mart.task_from=som-eng"], "no pair `som-eng`"),
    "no text of a language": (
        ["models.mart.adapters=true", "adapters.languages={deu: deu.gz}"],
        "mart needs eng for deu-eng: add `adapters.languages.eng`",
    ),
    "text and an adapter": (["adapters.languages.deu={text: deu.gz, adapter: x/y}"], "give either text"),
    "neither": (["adapters.languages.deu={}"], "give either text"),
    "two lengths": (["adapters.languages.deu={text: deu.gz, steps: 5, epochs: 1}"], "give either steps or epochs"),
    "a length of what is finished": (
        ["adapters.languages.deu={adapter: x/y, epochs: 1}"],
        "a finished adapter learns nothing",
    ),
    "an unknown collection": (["adapters.languages.eng={collections: [en]}"], "no collection `en`"),
    "parallel text of others": (["adapters.languages.deu={bitext: [som-eng]}"], "`som-eng` has no side in deu"),
    "no such parallel text": (["adapters.languages.deu={bitext: [deu-fra]}"], "no bitext `deu-fra`"),
    "all weights and adapters": (
        [LANGUAGES, "models.mart.adapters=true", "models.mart.masked_language=source"],
        "all weights, or adapters alone",
    ),
    "all weights of a MORES": (
        [LANGUAGES, "models.x={kind: mores, masked_language: source}"],
        "a MORES starts from a model of its own",
    ),
    "an adapter where text is needed": (
        ["models.mart.masked_language=source", "adapters.languages.deu={adapter: x/y}"],
        "an adapter is not enough",
    ),
    "parts of a MORES that move": (
        [LANGUAGES, "models.x={kind: mores, adapters: true, adapt: interaction}"],
        "with `adapters` nothing else of the model moves",
    ),
    "nothing to train": (["models.x={kind: bert, zero_shot: true, adapters: true}", LANGUAGES], "is not trained"),
    "invertible adapters without a language": (
        [LANGUAGES, "models.mart.adapters={language: false, invertible: true}"],
        "invertible adapters belong to a language",
    ),
    "a folder without an adapter": (
        ["models.mart.adapters=true", "adapters.languages={deu: {adapter: ./nowhere}, eng: {collections: [eng]}}"],
        "`./nowhere` holds no adapter",
    ),
    "text that is not there": (
        ["models.mart.adapters=true", "adapters.languages={deu: [a.txt], eng: {collections: [eng]}}"],
        "`a.txt` does not exist",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_said(problems: Callable[..., list[str]], name: str) -> None:
    sets, expected = BROKEN[name]
    assert [line for line in problems(sets=sets) if expected in line]


def test_languages_of_models(load: Load) -> None:
    settings = load(
        sets=[
            LANGUAGES, BOTH, "models.a={kind: bert, adapters: true}",
            "models.b={kind: bert, adapters: {segments: query}}", "models.c={kind: bert, masked_language: source}",
            "models.d={kind: bert, masked_language: target}", "models.e={kind: bert, adapters: {language: false}}",
            "models.f={kind: bert, task_from: som-eng}",
        ]
    ).settings  # fmt: skip
    assert languages_needed(settings, "som-eng", "a") == ["deu", "eng", "som"]
    assert languages_needed(settings, "som-eng", "b") == ["deu", "som"]
    assert languages_needed(settings, "som-eng", "c") == ["deu"]
    assert languages_needed(settings, "som-eng", "d") == ["som"]
    assert languages_needed(settings, "som-eng", "e") == []
    assert task_from(settings, "som-eng", "a") == "deu-eng"
    assert task_from(settings, "deu-eng", "f") == "som-eng"
    assert task_from(settings, "deu-eng", "a") == "deu-eng"


def test_paths_are_taken_from_the_file(load: Load, folder: Path) -> None:
    (folder / "ad").mkdir()
    (folder / "ad" / "adapter_config.json").touch()
    settings = load(sets=["adapters.languages={deu: {adapter: ad}, eng: deu.gz, som: {adapter: some/hub}}"]).settings
    languages = settings.adapters.languages
    assert languages["deu"].adapter == str(folder / "ad")
    assert languages["eng"].text == [folder / "deu.gz"]
    assert languages["som"].adapter == "some/hub"


def test_a_language_has_its_own_length_or_that_of_all(load: Load) -> None:
    own = "adapters.languages={deu: {text: deu.gz, epochs: 5}, som: {bitext: [som-eng], steps: 9}}"
    settings = load(sets=[LANGUAGES, own, "adapters.epochs=2"]).settings
    assert language_length(settings, "deu") == (None, 5)
    assert language_length(settings, "som") == (9, None)
    assert language_length(settings, "eng") == (None, 2)
    assert language_length(settings, "eng", share=0.25) == (None, 0.5)
    assert language_length(settings, "som", share=0.01) == (1, None)
