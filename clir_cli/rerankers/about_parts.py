"""What a folder of parts says beside their weights, and where on this machine lies what they need.

parts.json    how the model is built and its adapters stand, a checksum of the frozen weights; where a stage trained it,
              what it reads, which links it is given, and the names on the hub of what it needs
here.json     where encoder and adapters of languages lie on this machine, from the folder itself; never uploaded
adapters/     adapters of languages that came with an upload, each in a folder of its code
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from clir_cli.encoders.adapters.config import ADAPTER_CONFIG
from clir_cli.encoders.adapters.places import of_segments
from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.rerankers.adapters import AdapterPlan
from clir_cli.rerankers.folder import check_reading

ABOUT, HERE, ADAPTERS = "parts.json", "here.json", "adapters"
FORMAT = "clir adapted parts 1"


class Source(NamedTuple):
    """Where an encoder or an adapter is: a folder or a hub name, and the revision of the latter."""

    place: str | Path
    revision: str | None = None
    is_own: bool = False
    """Whether it was learned here, and may go with an upload."""


@dataclass(frozen=True, slots=True)
class AboutParts:
    """``build`` goes to ``build_reranker``; ``start`` is the checksum of what was frozen.

    ``language``: whether the model goes through adapters of languages; ``invertible``: also through those after the
    embeddings; None where the folder does not say (``check_told``). ``base`` and ``adapters`` are names on the hub, as
    ``name`` and ``revision``.
    """

    build: Mapping[str, Any]
    plan: AdapterPlan
    seed: int
    start: int
    language: bool | None = None
    invertible: bool | None = None
    base: Mapping[str, Any] | None = None
    adapters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    links: Mapping[str, Any] = field(default_factory=dict)

    def check_told(self, folder: Path) -> None:
        """Raise ``DataError`` where an older version wrote ``folder``: then only its experiment knows how to use it."""
        if self.language is None or self.invertible is None:
            raise DataError(
                f"The parts in {folder} do not say which adapters of languages they go through.",
                "An older version wrote them: use them in their experiment, or train them again.",
            )

    def spoken(self, query: str, document: str) -> tuple[str | None, str | None]:
        """Languages whose adapters the query's and the document's pieces of a pair go through."""
        return of_segments(self.plan.segments, query, document) if self.language else (None, None)


def holds_parts(folder: str | Path) -> bool:
    """Whether ``folder`` is one of parts, and no whole model."""
    return (Path(folder) / ABOUT).is_file()


def read_about(folder: Path) -> AboutParts:
    """Raises ``DataError`` where ``folder`` does not hold parts, or does not say what they are."""
    known = set(AboutParts.__dataclass_fields__)
    try:
        found = json.loads((folder / ABOUT).read_text("utf-8"))
        if found["format"] != FORMAT:
            raise ValueError(f"format {found['format']!r}")
        check_reading(found.get("reading", {}))
        told = {name: value for name, value in found.items() if name in known}
        return AboutParts(**told | {"plan": AdapterPlan(**found["plan"]), "seed": int(found["seed"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{folder} holds no whole parts of a re-ranker: {error}.", "Train it again.") from error


def write_about(folder: Path, about: Mapping[str, Any]) -> None:
    """Write ``parts.json``, whole or not at all."""
    with write_whole(folder / ABOUT) as file:
        file.write(json.dumps({"format": FORMAT} | dict(about), indent=1) + "\n")


def add_use(
    folder: Path,
    *,
    reading: Mapping[str, Any],
    links: Mapping[str, Any] | None,
    base: Source,
    languages: Mapping[str, Source],
    card: str,
) -> None:
    """Tell a folder of parts what the model reads and stands on, and put a model card into it.

    ``base`` and ``languages``: the encoder and adapters that it was trained with. Doing so again changes nothing.
    """
    about = json.loads((folder / ABOUT).read_text("utf-8"))
    about |= {"reading": dict(reading)} | ({} if links is None else {"links": dict(links)})
    about["base"] = None if _is_folder(base) else _named(base)
    about["adapters"] = {code: _named(each) for code, each in languages.items() if not _is_folder(each)}
    write_about(folder, about)
    here: dict[str, Any] = {"base": _from(folder, base) if _is_folder(base) else None, "adapters": {}}
    for code, each in languages.items():
        if _is_folder(each):
            here["adapters"][code] = {"folder": _from(folder, each), "is_own": each.is_own}
    with write_whole(folder / HERE) as file:
        file.write(json.dumps(here, indent=1) + "\n")
    with write_whole(folder / "README.md") as file:
        file.write(card)


def find_base(folder: Path, about: AboutParts) -> Source | None:
    """The encoder that the parts were trained over: where it lay, if it does still, else its name on the hub."""
    place = _read_here(folder).get("base")
    if place is not None and (folder / place).is_dir():
        return Source(_plain(folder / place))
    return None if about.base is None else Source(about.base["name"], about.base["revision"])


def find_adapters(folder: Path, about: AboutParts) -> dict[str, Source]:
    """Language -> its adapter: what came with the parts, what lies where it lay in training, or is on the hub."""
    found = {code: Source(each["name"], each["revision"]) for code, each in about.adapters.items()}
    for code, each in _read_here(folder).get("adapters", {}).items():
        if (folder / each["folder"] / ADAPTER_CONFIG).is_file():
            found[code] = Source(_plain(folder / each["folder"]), is_own=bool(each["is_own"]))
    for file in sorted(folder.glob(f"{ADAPTERS}/*/{ADAPTER_CONFIG}")):
        found[file.parent.name] = Source(file.parent, is_own=True)
    return found


def _read_here(folder: Path) -> dict[str, Any]:
    """Of another machine, or damaged: then nothing is known, and can be said anew."""
    try:
        found = json.loads((folder / HERE).read_text("utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}


def _is_folder(source: Source) -> bool:
    return Path(source.place).is_dir()


def _named(source: Source) -> dict[str, Any]:
    return {"name": str(source.place), "revision": source.revision}


def _from(folder: Path, source: Source) -> str:
    return Path(os.path.relpath(Path(source.place).resolve(), folder.resolve())).as_posix()


def _plain(place: Path) -> Path:
    """Without steps up and down again: it is shown."""
    return Path(os.path.relpath(place.resolve()))
