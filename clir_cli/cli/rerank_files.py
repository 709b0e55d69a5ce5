"""`clir rerank --checkpoint`: a run re-ranked with a model's folder, without an experiment."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clir_cli.cli.checkpoint_model import Standing, open_checkpoint

if TYPE_CHECKING:
    from clir_cli.records import ProgressCallback
    from clir_cli.reranking.linking import LinkRule

FIELDS = ("title", "description", "narrative")
LINE_EVERY = 10.0
"""Seconds between two lines about progress."""


@dataclass(frozen=True)
class Wishes:
    """What the command was given; None is as the model's folder says."""

    checkpoint: str
    run: Path
    topics: list[Path]
    documents: list[Path]
    out: Path
    table: Path | None = None
    links: Path | None = None
    depth: int = 100
    fields: str | None = None
    topic_format: str = "auto"
    document_format: str = "auto"
    topic_encoding: str | None = None
    document_encoding: str | None = None
    query_language: str | None = None
    document_language: str | None = None
    query_stop_words: Path | None = None
    document_stop_words: Path | None = None
    text: str | None = None
    max_pieces: int | None = None
    document_pieces: int | None = None
    device: str = "auto"
    threads: int = 1
    tokens: int | None = None
    precision: str = "auto"
    int8: bool = False
    representations: Path | None = None
    standing: Standing = field(default_factory=Standing)


def rerank_folder(wishes: Wishes, quiet: bool) -> None:
    """Load, read, score, write; everything that can be wrong is looked at before anything is scored.

    Raises ``UsageError`` where another process is writing the same run: the two would share unfinished work.
    """
    _check(wishes)
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_place
    from clir_cli.pipeline.lock import Lock

    check_place(wishes.out)
    lock = Lock(wishes.out.with_name(f".{wishes.out.name}.lock"))
    if not lock.acquire():
        raise UsageError(f"{wishes.out} is being made by another process.", "Wait for it, or name another --out.")
    with lock:
        _rerank(wishes, quiet)


def _rerank(wishes: Wishes, quiet: bool) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.rerank_card import describe_reranking
    from clir_cli.cli.table_source import table_at
    from clir_cli.learning.devices import resolve_precision, set_threads
    from clir_cli.pipeline.run_cards import card_place, write_card
    from clir_cli.reranking.from_files import Texts, rerank_files
    from clir_cli.reranking.texts import READING
    from clir_cli.translation.links_file import read_links

    set_threads(wishes.threads)
    device = _device(wishes.device)
    opened = open_checkpoint(wishes.checkpoint, wishes.standing)
    model, said = opened.model, opened.reading
    fields = wishes.fields.split(",") if wishes.fields else said.get("fields", ["title", "description"])
    reading = {name: _first(getattr(wishes, name), said.get(name), default) for name, default in READING.items()}
    table = links = rule = None
    if model.arm == "translation":
        table = table_at(wishes.table) if wishes.table else None
        links = read_links(wishes.links) if wishes.links else None
        rule = _rule(wishes, opened.links) if table is not None else None
    elif (wishes.table or wishes.links) and not quiet:
        console.tell("This model reads no translations: the table is not looked at.", "odd")
    precision = resolve_precision(wishes.precision, device)
    read = {"weights": opened.weights, "run": wishes.run, "table": wishes.table, "links": wishes.links}
    read |= {f"adapter {code}": path for code, path in opened.adapters.items()}
    checksums = {name: _checksum(path) for name, path in read.items()}
    card = describe_reranking(
        wishes, asdict(model.description), checksums, reading=reading, fields=fields, links=_rule_text(rule),
        device=device.type, precision=precision, **opened.told,
    )  # fmt: skip
    card_place(wishes.out).unlink(missing_ok=True)  # no card is better than that of another run
    rerank_files(
        model,
        opened.tokenizer,
        wishes.run,
        Texts(
            wishes.topics, wishes.documents, wishes.topic_format, wishes.document_format, wishes.topic_encoding,
            wishes.document_encoding, tuple(fields),
        ),
        wishes.out,
        depth=wishes.depth,
        table=table,
        links=links,
        rule=rule,
        reading=reading,
        device=device,
        tokens=wishes.tokens,
        precision=precision,
        int8=wishes.int8,
        representations=wishes.representations,
        identity=[checksums["table"], checksums["links"], _rule_text(rule), str(wishes.threads)],
        progress=line_by_line(quiet),
    )  # fmt: skip
    write_card(wishes.out, card)
    console.say(str(wishes.out))


def _check(wishes: Wishes) -> None:
    """What can be seen to be wrong before anything is loaded."""
    from clir_cli.errors import UsageError

    if wishes.table and wishes.links:
        raise UsageError("--table and --links are two ways to say the same.", "Give one of them.")
    if wishes.representations and wishes.int8:
        raise UsageError("Stored representations are not quantised.", "Leave out --int8 or --representations.")
    if wishes.text not in (None, "raw", "folded"):
        raise UsageError(f"There is no form of text {wishes.text!r}.", "Choose raw or folded.")
    wrong = [name for name in (wishes.fields or "title").split(",") if name not in FIELDS]
    if wrong:
        raise UsageError(f"Topics have no part {wrong[0]!r}.", f"Choose among {', '.join(FIELDS)}.")
    for side in ("query", "document"):
        if getattr(wishes, f"{side}_language") and getattr(wishes, f"{side}_stop_words"):
            raise UsageError(f"--{side}-language and --{side}-stop-words both say which words stop.", "Give one.")


def _device(name: str) -> Any:
    """The device that is meant. Raises ``UsageError`` where it is not there."""
    import torch

    from clir_cli.errors import UsageError
    from clir_cli.learning.devices import choose_device

    if name == "auto":
        return choose_device()
    try:
        device = torch.device(name)
        if device.type not in ("cpu", "cuda"):
            raise UsageError(f"Re-rankers do not run on {name!r}.", "Choose auto, cpu, cuda or cuda:1.")
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError(f"There is no device {name!r} here.", "Choose auto, cpu, cuda or cuda:1.") from error
    return device


def _first(*values: Any) -> Any:
    return next(value for value in values if value is not None)


def _rule(wishes: Wishes, said: Mapping[str, Any]) -> "LinkRule":
    from clir_cli.errors import UsageError
    from clir_cli.reranking.linking import LinkRule

    given = {}
    for side in ("query", "document"):
        file = getattr(wishes, f"{side}_stop_words")
        given[side] = getattr(wishes, f"{side}_language") or (None if file is None else str(file))
    if not said.get("stop") and not all(given.values()):
        raise UsageError(
            "The model's folder does not say which stop words its links leave out.",
            "Give --query-language and --document-language, or stop lists.",
        )
    return LinkRule.of(said, **given)


def _rule_text(rule: "LinkRule | None") -> str:
    if rule is None:
        return ""
    lists = [",".join(sorted(words)) for words in (rule.stop_query, rule.stop_document)]
    return f"{rule.copy} {rule.threshold} {rule.keeps_stop_words} {lists}"


def _checksum(path: Path | None) -> str:
    """Of a file, or of the files of a folder."""
    if path is None:
        return ""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file():
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


def line_by_line(quiet: bool) -> "ProgressCallback":
    """A line now and then on stderr."""
    from clir_cli.cli import console

    last = time.monotonic()

    def tell(done: int, total: int | None, text: str) -> None:
        nonlocal last
        if not quiet and time.monotonic() - last >= LINE_EVERY:
            last = time.monotonic()
            console.tell(f"{done} of {total}: {text}" if total else f"{done}: {text}")

    return tell
