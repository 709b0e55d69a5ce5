"""The model that --checkpoint means: a whole one, or parts over the encoder and adapters that they need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clir_cli.rerankers.about_parts import AboutParts, Source
    from clir_cli.rerankers.reranker import Reranker


@dataclass(frozen=True)
class Standing:
    """What parts stand on, as it was said on the command line; nothing of it is for a whole model."""

    pairs: Sequence[str] = ()
    base: str | None = None
    adapters: Sequence[str] = ()

    def options(self) -> list[str]:
        """Those that were given."""
        given = (("--pair", self.pairs), ("--base", self.base), ("--adapter", self.adapters))
        return [name for name, value in given if value]


@dataclass(frozen=True)
class Opened:
    """``reading`` and ``links``: what its folder says it reads, and which links it is given. ``told``: of what it was
    put together, for a card; ``checksums``: what is read, by what it is."""

    model: "Reranker"
    tokenizer: Any
    reading: Mapping[str, Any]
    links: Mapping[str, Any]
    weights: Path
    told: Mapping[str, Any] = field(default_factory=dict)
    adapters: Mapping[str, Path] = field(default_factory=dict)


def open_checkpoint(checkpoint: str, standing: Standing) -> Opened:
    """Load the model, in evaluation mode, from a folder or the hub.

    Raises ``UsageError`` where it needs what was not said, or something was said that it does not need; ``DataError``
    where the folder, its encoder or an adapter is not what it should be.
    """
    from clir_cli.encoders.checkpoint import fetch_checkpoint
    from clir_cli.errors import UsageError
    from clir_cli.rerankers.about_parts import holds_parts
    from clir_cli.rerankers.folder import read_use
    from clir_cli.rerankers.zero_shot import load_zero_shot

    folder = fetch_checkpoint(checkpoint)
    if holds_parts(folder):
        return _open_parts(folder, standing)
    if given := standing.options():
        raise UsageError(
            f"{', '.join(given)} {'is' if len(given) == 1 else 'are'} for parts of a model with adapters, and "
            f"{checkpoint} is a whole model.",
            f"Leave out {', '.join(given)}: --checkpoint needs no experiment.",
        )
    model, tokenizer = load_zero_shot(folder)
    return Opened(model, tokenizer, read_use(folder, "reading"), read_use(folder, "links"), folder)


def _open_parts(folder: Path, standing: Standing) -> Opened:
    from clir_cli.encoders.adapters.files import fetch_adapter
    from clir_cli.encoders.checkpoint import fetch_checkpoint
    from clir_cli.rerankers.about_parts import read_about
    from clir_cli.rerankers.parts import WEIGHTS, load_parts, speak_pair

    about = read_about(folder)
    about.check_told(folder)
    pair = _pair(standing.pairs, about)
    sources = _adapters(folder, standing, about, pair)
    base = _base(folder, standing, about)
    model, tokenizer = load_parts(fetch_checkpoint(base.place, base.revision), folder)
    spoken = speak_pair(model, about, *(pair or ("", "")), sources)
    used = {code: sources[code] for code in dict.fromkeys(spoken) if code is not None}
    told = {
        "pair": None if pair is None else "-".join(pair),
        "base": _name(base),
        "adapters": {code: _name(source) for code, source in used.items()},
        "segments": about.plan.segments,
    }
    links = dict(about.links)
    if pair is not None and links.get("stop"):  # those of the pair that is ranked
        links["stop"] = [{**each, "language": code} for each, code in zip(links["stop"], pair, strict=True)]
    places = {code: fetch_adapter(source.place, source.revision) for code, source in used.items()}
    return Opened(model, tokenizer, about.reading, links, folder / WEIGHTS, told, places)


def _pair(given: Sequence[str], about: "AboutParts") -> tuple[str, str] | None:
    """Languages of query and document; None where they are not said and do not matter."""
    from clir_cli.errors import UsageError

    if not given and not about.language:
        return None
    if len(given) != 1:
        raise UsageError(
            "The model goes through adapters of languages, and those of the run are not said."
            if not given
            else "A run is of one pair.",
            "Say the languages of queries and documents: --pair som-eng.",
        )
    query, dash, document = given[0].partition("-")
    if not dash or not all(len(code) == 3 and code.isascii() and code.islower() for code in (query, document)):
        raise UsageError(f"{given[0]!r} is no pair of languages.", "Write two ISO 639-3 codes, such as som-eng.")
    return query, document


def _adapters(
    folder: Path, standing: Standing, about: "AboutParts", pair: tuple[str, str] | None
) -> dict[str, "Source"]:
    """Language -> its adapter, of those that the pair needs where they are known."""
    from clir_cli.errors import UsageError
    from clir_cli.rerankers.about_parts import Source, find_adapters

    said = {}
    for each in standing.adapters:
        code, equals, place = each.partition("=")
        if not equals or not place or code in said:
            problem = f"--adapter {code} is given twice." if code in said else f"--adapter {each} names no folder."
            raise UsageError(problem, "Write a language and the folder or hub name of its adapter: som=FOLDER.")
        said[code] = Source(place)
    needed = [] if pair is None else [code for code in dict.fromkeys(about.spoken(*pair)) if code is not None]
    if over := [code for code in said if code not in needed]:
        raise UsageError(
            f"The model needs no adapter of {over[0]}: "
            + (f"it goes through those of {', '.join(needed)}." if needed else "it goes through none of languages."),
            f"Leave out --adapter {over[0]}={said[over[0]].place}, or name another --pair.",
        )
    return {code: source for code, source in (find_adapters(folder, about) | said).items() if code in needed}


def _base(folder: Path, standing: Standing, about: "AboutParts") -> "Source":
    from clir_cli.errors import UsageError
    from clir_cli.rerankers.about_parts import Source, find_base

    if standing.base is not None:
        return Source(standing.base, about.build.get("revision"))
    if (found := find_base(folder, about)) is None:
        raise UsageError(
            f"The parts in {folder} stand on the encoder they were trained over, and it is not where it was.",
            "Name its folder or hub name: --base ENCODER. The README.md beside the parts says which it is.",
        )
    return found


def _name(source: "Source") -> str:
    return Path(source.place).name if Path(source.place).is_dir() else str(source.place)
