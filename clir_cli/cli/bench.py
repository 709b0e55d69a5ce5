"""How fast models are on this machine."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.rerankers.reranker import Reranker
    from clir_cli.reranking.speed import Speed

PANEL = "Re-ranking"
KINDS: dict[str, dict[str, Any]] = {
    "m2bert": {"kind": "bert"},
    "mart": {"kind": "mart"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mores": {"kind": "mores"},
    "mores-mat": {"kind": "mores", "arm": "translation"},
}
"""What is measured, by the names of the presets."""
HEAD = [
    "model",
    "pieces of a document",
    "pairs/s",
    "ms for 1,000 documents",
    "against m2bert",
    "bytes/document",
    "memory",
]


def register(app: typer.Typer) -> None:
    app.command("bench", rich_help_panel=PANEL)(bench_command)


def bench_command(
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FOLDER|NAME", help="Encoder; default: random weights of some shape."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", metavar="MODEL", help=f"One of {', '.join(KINDS)}; repeatable; default: all."),
    ] = None,
    layers: Annotated[int, typer.Option("--layers", min=4, help="Of an encoder with random weights.")] = 12,
    width: Annotated[int, typer.Option("--width", min=32, help="Of the same; heads are 32 or 64 wide.")] = 384,
    query: Annotated[int, typer.Option("--query", min=1, max=64, help="Word pieces of the query.")] = 16,
    length: Annotated[
        list[int] | None,
        typer.Option("--length", "-l", metavar="N", min=8, help="Word pieces of a document; repeatable; 128 and 480."),
    ] = None,
    documents: Annotated[int, typer.Option("--documents", min=1, help="Scored in each measurement.")] = 32,
    blocks: Annotated[int, typer.Option("--blocks", min=1, max=4, help="Interaction blocks of MORES.")] = 1,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    precision: Annotated[str, typer.Option("--precision", help="auto, float32, tf32 or bf16.")] = "auto",
    threads: Annotated[int, typer.Option("--threads", min=1, help="Of the CPU.")] = 1,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="The same as TSV.")] = None,
    debug: opt.Debug = False,
) -> None:
    """Measure pairs per second, milliseconds per query and memory of every model, and what MORES saves."""
    from clir_cli.cli import console
    from clir_cli.cli.names import near_among
    from clir_cli.errors import UsageError
    from clir_cli.learning.devices import resolve_precision, set_threads
    from clir_cli.lines import check_place

    names = model or list(KINDS)
    for name in names:
        if name not in KINDS:
            raise UsageError(f"There is no model `{name}`{near_among(name, KINDS)}", f"There are {', '.join(KINDS)}.")
    if out is not None:
        check_place(out)
    place = _device(device)
    set_threads(threads)
    chosen = resolve_precision(precision, place)
    wish = Wish(checkpoint, layers, width, blocks, query, documents, place, chosen)
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_measure(names, length or [128, 480], wish, Path(folder)))
    source = checkpoint or f"random weights, {layers} layers of {width}"
    where = f"{place.type}, {chosen}" + (f", {threads} thread(s)" if place.type == "cpu" else "")
    console.say(f"{source}; query of {query} pieces, {documents} documents each; {where}")
    console.show_table(HEAD, rows, right=HEAD[1:])
    if out is not None:
        from clir_cli.lines import write_whole

        with write_whole(out) as file:
            file.writelines("\t".join(row) + "\n" for row in [HEAD, *rows])


def _device(name: str) -> Any:
    import torch

    from clir_cli.errors import UsageError
    from clir_cli.learning.devices import choose_device

    if name not in ("auto", "cpu", "cuda"):
        raise UsageError(f"There is no device {name!r}.", "Choose auto, cpu or cuda.")
    found = torch.device("cpu") if name == "cpu" else choose_device()
    if name == "cuda" and found.type != "cuda":
        raise UsageError("There is no CUDA card on this machine.", "Use --device cpu.")
    return found


@dataclass(frozen=True, slots=True)
class Wish:
    """What all measurements share."""

    checkpoint: str | None
    layers: int
    width: int
    blocks: int
    query: int
    documents: int
    device: Any
    precision: str


def _build(name: str, wish: Wish) -> "tuple[Reranker, Any]":
    """A model and its tokenizer."""
    from clir_cli.encoders.checkpoint import load_tokenizer
    from clir_cli.encoders.encoder import new_encoder
    from clir_cli.rerankers.build import build_reranker, new_reranker
    from clir_cli.reranking.drawn import word_tokenizer

    parts = KINDS[name] | ({"blocks": wish.blocks} if KINDS[name]["kind"] == "mores" else {})
    if wish.checkpoint is not None:
        return build_reranker(wish.checkpoint, **parts), load_tokenizer(wish.checkpoint)
    tokenizer, width = word_tokenizer(), wish.width
    shape = {"heads": max(1, width // (64 if width >= 512 else 32)), "inner": 4 * width, "positions": 512}
    return new_reranker(new_encoder(len(tokenizer), layers=wish.layers, width=width, **shape), **parts), tokenizer


def _measure(names: list[str], lengths: list[int], wish: Wish, folder: Path) -> Iterator[list[str]]:
    """A row a model and length, and of MORES one for each way of keeping documents."""
    from clir_cli.cli import console
    from clir_cli.rerankers.mores.model import Mores
    from clir_cli.reranking.speed import measure_scoring, measure_stored

    base: dict[int, Speed] = {}
    for name in names:
        model, tokenizer = _build(name, wish)
        model.to(wish.device)
        for length in lengths:
            console.tell(f"{name}, documents of {length} pieces ...")
            sizes = {"query": wish.query, "document": length, "documents": wish.documents}
            place = folder / f"{name}-{length}"
            speed = measure_scoring(model, tokenizer, place / "online", **sizes, precision=wish.precision)
            if name == "m2bert":
                base[length] = speed
            yield _row(name, length, speed, base.get(length))
            if isinstance(model, Mores):
                for way, speed in measure_stored(model, tokenizer, place, **sizes):
                    yield _row(f"{name}, {way}", length, speed, base.get(length))


def _row(name: str, length: int, speed: "Speed", base: "Speed | None") -> list[str]:
    from clir_cli.cli import console

    return [
        name,
        str(length),
        f"{1 / speed.seconds_each:.1f}",
        f"{1_000_000 * speed.seconds_each:.0f}",
        "-" if base is None else f"{base.seconds_each / speed.seconds_each:.2f} x",
        "-" if speed.stored is None else f"{speed.stored}",
        "-" if speed.memory is None else console.size(speed.memory),
    ]
