"""What the settings behind two runs differ in, where a run has a card beside it."""

import json
from collections.abc import Mapping
from pathlib import Path

from clir_cli.errors import DataError

MOST = 20
"""Settings that are told of at most."""

Card = dict[str, str]
"""Setting (``retrieval.k1``) -> its value as JSON."""


def read_card(run: Path) -> Card | None:
    """The card of a run: a JSON object in ``<file of the run>.json`` or, its last suffix replaced, ``.json``.

    Objects within it become dotted names. None where there is no such file. Raises ``DataError`` where it is no JSON
    object.
    """
    for path in dict.fromkeys((run.with_name(f"{run.name}.json"), run.with_suffix(".json"))):
        if path == run or not path.is_file():
            continue
        try:
            plain = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise DataError(f"{path}: it is no JSON ({error}).", "Mend it or move it away from the run.") from None
        if not isinstance(plain, dict):
            raise DataError(f"{path}: it is no JSON object.", "Mend it or move it away from the run.")
        return dict(_flatten("", plain))
    return None


def tell_differences(cards: Mapping[str, Card]) -> list[str]:
    """A sentence for each setting in which runs differ, at most ``MOST`` of them; of fewer than two cards none.

    Settings of a kind of stage (``settings.matrices``) that is behind some of the runs only are one sentence. Keys of
    stages follow from settings: they are told of where nothing else differs.
    """
    if len(cards) < 2:
        return []
    names = list(dict.fromkeys(name for card in cards.values() for name in card))
    behind = {run: {_kind(name) for name in card} for run, card in cards.items()}
    everywhere = set.intersection(*behind.values())
    told: list[str] = []
    keys: list[str] = []
    for kind in dict.fromkeys(kind for kind in map(_kind, names) if kind and kind not in everywhere):
        told.append(f"{kind}: only behind {', '.join(run for run, kinds in behind.items() if kind in kinds)}.")
    for name in names:
        if (kind := _kind(name)) and kind not in everywhere:
            continue
        values = {run: card.get(name, "not there") for run, card in cards.items()}
        if len(set(values.values())) > 1:
            sentence = f"{name} differs: {', '.join(f'{run} {value}' for run, value in values.items())}."
            (keys if name.startswith("stages.") else told).append(sentence)
    told = told or keys
    more = [f"{len(told) - MOST} more settings differ."] if len(told) > MOST else []
    return told[:MOST] + more


def _kind(name: str) -> str:
    """``settings.train.model.arm`` -> ``settings.train``; nothing of other names."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "settings" and len(parts) > 2 else ""


def _flatten(prefix: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict) and value:
        within = prefix and f"{prefix}."
        return [found for key, inner in value.items() for found in _flatten(f"{within}{key}", inner)]
    return [(prefix, json.dumps(value, ensure_ascii=False, sort_keys=True))]
