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
    text: str = yaml.safe_dump(about, sort_keys=False, allow_unicode=True)
    return text


def _body(facts: CardFacts) -> str:
    kind, arm = str(facts.description["kind"]), facts.description.get("arm")
    lines = [f"# {' '.join(part for part in (facts.model or kind, facts.pair) if part)}", ""]
    lines += [f"A re-ranker for cross-language retrieval. {KINDS.get(kind, kind)}"]
    if arm in ARMS:
        lines += [ARMS[str(arm)]]
    lines += ["", "## How to use it", "", "```python", "import clir_cli.hugging_face"]
    lines += ["from transformers import AutoModelForSequenceClassification"]
    given = ', table=TranslationTable.load("TABLE")' if arm == "translation" else ""
    lines += [
        'print(AutoModelForSequenceClassification.from_pretrained("FOLDER")'
        f'.score("query", ["a text", "another"]{given}))',
        "```",
        "",
    ]
    if given:
        lines += ["`TranslationTable` is in `clir_cli.translation.table`.", ""]
    lines += [
        "A whole run: `clir rerank --checkpoint FOLDER --run RUN --topics TOPICS --documents DOCUMENTS"
        + (" --table TABLE`." if given else "`."),
        "",
    ]
    lines += ["## What it was trained on", ""]
    lines += [f"- Start: {facts.base or 'not said'}"]
    if facts.experiment:
        of_fold = f", fold {facts.fold}" if facts.fold is not None else ""
        lines += [f"- Experiment: {facts.experiment}{of_fold}"]
    if facts.collection:
        count = f", {facts.documents} documents" if facts.documents is not None else ""
        lines += [f"- Collection: {facts.collection}{count}"]
    lines += [f"- Topics for {part}: {count}" for part, count in facts.topics.items()]
    lines += ["", "## Scores", "", *(facts.scores or ["None are known here."]), ""]
    lines += ["Scores on test topics are not known to training; they are in the experiment's tables.", ""]
    for title, settings in (("What it reads", facts.reading), ("Settings of training", facts.settings)):
        if settings:
            lines += [f"## {title}", "", "```yaml", yaml.safe_dump(dict(settings)).rstrip("\n"), "```", ""]
    lines += ["## Versions", "", ", ".join(_versions()) + ".", ""]
    lines += ["## Licence", ""]
    lines += ["Not stated: it is for whoever publishes the model to say, with regard to the start and the data.", ""]
    return "\n".join(lines)


def _versions() -> list[str]:
    found = []
    for name in VERSIONS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
