"""The model card of a language adapter that is uploaded alone. No text of what it was learned from is in it."""

from collections.abc import Mapping
from typing import Any

import yaml

from clir_cli.rerankers.card import versions


def write_adapter_card(about: Mapping[str, Any], report: Mapping[str, Any]) -> str:
    """The text of README.md, from ``adapter_config.json`` and the report of ``clir adapt`` (empty where there is none).

    Names and numbers only.
    """
    language = str(about.get("name") or "")
    config = about.get("config") or {}
    front: dict[str, Any] = {"language": [language]} if len(language) == 3 else {}
    front |= {"library_name": "clir", "tags": ["adapter-transformers", "mad-x", str(about.get("model_type"))]}
    inverse = "with" if config.get("inv_adapter") else "without"
    lines = [f"# Language adapter {language}".rstrip(), ""]
    lines += [
        f"Bottlenecks behind the feed-forward parts of a frozen encoder (MAD-X), {inverse} an invertible adapter after"
    ]
    lines += ["the embeddings, learned by masked language modelling; in AdapterHub's format.", ""]
    lines += ["## How to use it", ""]
    lines += [f"In an experiment: `adapters.languages.{language or 'CODE'}.adapter: FOLDER`; with a trained re-ranker:"]
    lines += [f"`clir rerank --checkpoint PARTS --adapter {language or 'CODE'}=FOLDER ..`.", ""]
    lines += ["## What it was made for", ""]
    kind = f"{about.get('model_type')}, {about.get('hidden_size')} wide"
    lines += [f"- Encoder: {about.get('model_name') or 'not said'} ({kind})"]
    lines += [f"- Reduction: {config.get('reduction_factor')}"]
    lines += ["", "## Training", ""]
    told = [f"- {title}: {report[name]}" for name, title in _TOLD.items() if report.get(name) is not None]
    lines += [*(told or ["Nothing is known here."]), ""]
    lines += ["## Versions", "", ", ".join(versions()) + ".", "", "## Licence", ""]
    lines += ["Not stated: it is for whoever publishes the adapter to say, with regard to encoder and text.", ""]
    return f"---\n{yaml.safe_dump(front, sort_keys=False)}---\n\n" + "\n".join(lines)


_TOLD = {
    "steps": "Steps", "pieces": "Word pieces of text", "head": "Language head",
    "perplexity_before": "Perplexity of held-out text before", "perplexity_after": "after",
}  # fmt: skip
