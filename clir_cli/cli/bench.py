"""How fast models are on this machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.rerankers.reranker import Reranker

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
    from clir_cli.learning.devices import resolve_precision, set_threads

    names = model or list(KINDS)
    place = _device(device)
    set_threads(threads)
    chosen = resolve_precision(precision, place)
    wish = Wish(checkpoint, layers, width, blocks, query, documents, place, chosen)
    rows = list(_measure(names, length or [128, 480], wish))
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


def _build(name: str, wish: Wish) -> "Reranker":
    from clir_cli.cli.names import near_among
    from clir_cli.encoders.encoder import new_encoder
    from clir_cli.errors import UsageError
    from clir_cli.rerankers.build import build_reranker, new_reranker

    if name not in KINDS:
        raise UsageError(f"There is no model `{name}`{near_among(name, KINDS)}", f"There are {', '.join(KINDS)}.")
    parts = KINDS[name] | ({"blocks": wish.blocks} if KINDS[name]["kind"] == "mores" else {})
    if wish.checkpoint is not None:
        return build_reranker(wish.checkpoint, **parts)
    width = wish.width
    heads = max(1, width // (64 if width >= 512 else 32))
    encoder = new_encoder(30_000, layers=wish.layers, width=width, heads=heads, inner=4 * width, positions=512)
    return new_reranker(encoder, **parts)


def _measure(names: list[str], lengths: list[int], wish: Wish) -> Iterator[list[str]]:
    """A row a model and length."""
    from clir_cli.cli import console
    from clir_cli.reranking.speed import measure_scoring

    base: dict[int, float] = {}
    for name in names:
        model = _build(name, wish).to(wish.device)
        for length in lengths:
            console.tell(f"{name}, documents of {length} pieces ...")
            speed = measure_scoring(
                model, query=wish.query, document=length, documents=wish.documents, precision=wish.precision
            )
            seconds = speed.seconds / speed.documents
            if name == "m2bert":
                base[length] = seconds
            yield _row(name, length, seconds, base, "-", speed.memory)


def _row(name: str, length: int, seconds: float, base: dict[int, float], stored: str, memory: int | None) -> list[str]:
    from clir_cli.cli import console

    times = f"{base[length] / seconds:.2f} x" if length in base else "-"
    held = "-" if memory is None else console.size(memory)
    return [name, str(length), f"{1 / seconds:.1f}", f"{1_000_000 * seconds:.0f}", times, stored, held]
