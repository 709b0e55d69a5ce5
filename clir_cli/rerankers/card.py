"""The model card: what a folder with a re-ranker tells whoever finds it. No text of a collection is in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import yaml

KINDS = {
    "bert": "An encoder with a linear head on [CLS] (m2BERT).",
    "mart": "An encoder with Mixed Attention Transformer layers (MART) and a linear head on [CLS].",
    "mores": "Document, query and interaction modules (MORES) with a linear head on [CLS].",
}
ARMS = {
    "translation": "It reads a translation table: scoring needs one of its language pair.",
    "identity": "The placebo: its translation layers are given the identity.",
    "blocks": "Its translation layers see which pieces make a word, and no translations.",
}
_STANDING = ("reduction", "stacking", "drop_last", "segments", "invertible", "learning_rate")
VERSIONS = ("clir", "torch", "transformers", "tokenizers")


@dataclass(frozen=True)
class CardFacts:
    """What the stage that trained a model knows. Names and numbers only."""

    description: Mapping[str, Any]
    pair: str = ""
    model: str = ""
    fold: int | None = None
    experiment: str = ""
    collection: str = ""
    documents: int | None = None
    topics: Mapping[str, int] = field(default_factory=dict)
    """Part of the fold (training, validation) -> topics."""
    base: str = ""
    base_is_on_hub: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    scores: Sequence[str] = ()
    adapters: Mapping[str, Any] | None = None
    """How adapters stand in it, where only its parts are kept; None for a whole model."""
    languages: Mapping[str, str] = field(default_factory=dict)
    """Language -> where its adapter is: a folder of the parts, or a name."""


def write_card(facts: CardFacts) -> str:
    """The text of README.md; the same facts and versions make the same text."""
    return f"---\n{_front_matter(facts)}---\n\n{_body(facts)}"


def _front_matter(facts: CardFacts) -> str:
    about: dict[str, Any] = {}
    if facts.pair:
        about["language"] = list(dict.fromkeys(facts.pair.split("-")))
    about["library_name"] = "clir"
    about["pipeline_tag"] = "text-ranking"
    if facts.base_is_on_hub:
        about["base_model"] = facts.base
    about["tags"] = ["cross-language-retrieval", "re-ranking", str(facts.description["kind"])]
    about["tags"] += [] if facts.adapters is None else ["adapters", "mad-x"]
    text: str = yaml.safe_dump(about, sort_keys=False, allow_unicode=True)
    return text


def _body(facts: CardFacts) -> str:
    kind, arm = str(facts.description["kind"]), facts.description.get("arm")
    lines = [f"# {' '.join(part for part in (facts.model or kind, facts.pair) if part)}", ""]
    lines += [f"A re-ranker for cross-language retrieval. {KINDS.get(kind, kind)}"]
    if arm in ARMS:
        lines += [ARMS[str(arm)]]
    if facts.adapters is not None:
        lines += [
            "Parts of a model, not a whole one: task adapters, head and translation layers, over a frozen encoder."
        ]
    lines += ["", "## How to use it", "", *(_use_whole(arm) if facts.adapters is None else _use_parts(facts)), ""]
    lines += ["## What it was trained on", ""]
    lines += [f"- {'Start' if facts.adapters is None else 'Encoder'}: {facts.base or 'not said'}"]
    lines += [f"- Adapter of language {code}: {place}" for code, place in facts.languages.items()]
    if facts.experiment:
        of_fold = f", fold {facts.fold}" if facts.fold is not None else ""
        lines += [f"- Experiment: {facts.experiment}{of_fold}"]
    if facts.collection:
        count = f", {facts.documents} documents" if facts.documents is not None else ""
        lines += [f"- Collection: {facts.collection}{count}"]
    lines += [f"- Topics for {part}: {count}" for part, count in facts.topics.items()]
    lines += ["", "## Scores", "", *(facts.scores or ["None are known here."]), ""]
    lines += ["Scores on test topics are not known to training; they are in the experiment's tables.", ""]
    standing = {} if facts.adapters is None else {name: facts.adapters[name] for name in _STANDING}
    for title, settings in (
        ("How its adapters stand", standing),
        ("What it reads", facts.reading),
        ("Settings of training", facts.settings),
    ):
        if settings:
            lines += [f"## {title}", "", "```yaml", yaml.safe_dump(dict(settings)).rstrip("\n"), "```", ""]
    lines += ["## Versions", "", ", ".join(versions()) + ".", ""]
    lines += ["## Licence", ""]
    lines += ["Not stated: it is for whoever publishes the model to say, with regard to the start and the data.", ""]
    return "\n".join(lines)


def _use_whole(arm: Any) -> list[str]:
    given = ', table=TranslationTable.load("TABLE")' if arm == "translation" else ""
    lines = ["```python", "import clir_cli.hugging_face", "from transformers import AutoModelForSequenceClassification"]
    lines += [
        'print(AutoModelForSequenceClassification.from_pretrained("FOLDER")'
        f'.score("query", ["a text", "another"]{given}))',
        "```",
        "",
    ]
    if given:
        lines += ["`TranslationTable` is in `clir_cli.translation.table`.", ""]
    return [*lines, f"A whole run: `clir rerank --checkpoint FOLDER {_FILES}{' --table TABLE' if given else ''}`."]


def _use_parts(facts: CardFacts) -> list[str]:
    """The command, for the pair it was trained on and for any other."""
    assert facts.adapters is not None
    table = " --table TABLE" if facts.description.get("arm") == "translation" else ""
    base = facts.base if facts.base_is_on_hub else "ENCODER"
    pair = facts.pair or "PAIR"
    lines = [f"`clir rerank --checkpoint FOLDER --base {base} --pair {pair} {_FILES}{table}`", ""]
    lines += ["`--base` is the encoder that it was trained over (a checksum is compared)."]
    if facts.languages:
        lines += [
            "It ranks any pair of languages that have adapters in that encoder; those in `adapters/` are found, others "
            "are named: `--pair som-eng --adapter som=FOLDER`. `clir adapt` learns one from plain text."
        ]
    else:
        lines += ["It goes through no adapters of languages: the encoder knows the languages, or it does not."]
    return lines


_FILES = "--run RUN --topics TOPICS --documents DOCUMENTS"


def versions() -> list[str]:
    """Libraries that make a model what it is, each with its version."""
    found = []
    for name in VERSIONS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
