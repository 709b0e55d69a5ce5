"""`clir represent`: what MORES keeps of documents, so that re-ranking never reads them again."""

from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Re-ranking"
STRATEGIES, DTYPES = ("s1", "s2"), ("float16", "bfloat16", "float32")


def register(app: typer.Typer) -> None:
    app.command("represent", rich_help_panel=PANEL)(represent_command)


def represent_command(
    checkpoint: Annotated[
        str, typer.Option("--checkpoint", metavar="FOLDER", help="A MORES, or parts of one (folder or hub name).")
    ],
    documents: Annotated[
        list[Path], typer.Option("--documents", metavar="PATH", help="Documents, in any known format; repeatable.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where the representations go.")],
    pair: opt.OnePair = None,
    base: Annotated[str | None, typer.Option("--base", metavar="FOLDER", help="As with `clir rerank`.")] = None,
    adapter: Annotated[
        list[str] | None, typer.Option("--adapter", metavar="CODE=FOLDER", help="As with `clir rerank`.")
    ] = None,
    strategy: Annotated[
        str, typer.Option(help="s1: the vectors of documents; s2: keys and values, faster and larger.")
    ] = "s1",
    dtype: Annotated[str, typer.Option(help="float16, bfloat16 or float32.")] = "float16",
    document_format: Annotated[str, typer.Option(help="As `format` of collections.")] = "auto",
    document_encoding: Annotated[str | None, typer.Option(help="Default: by format.")] = None,
    text: Annotated[str | None, typer.Option(help="raw or folded; default: as in training.")] = None,
    max_pieces: Annotated[int | None, typer.Option(min=16, help="Word pieces of an input; default: as above.")] = None,
    document_pieces: Annotated[int | None, typer.Option(min=1, help="Of a document; default: as above.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads.")] = 1,
    tokens: Annotated[int | None, typer.Option(min=1, help="Word pieces read at once; default: by device.")] = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Compute the representations of documents once; `clir rerank --checkpoint --representations` scores from them.

    Killed and called again with the same arguments, it goes on where it was.
    """
    from clir_cli.errors import UsageError

    for name, value, known in (
        ("strategy", strategy, STRATEGIES), ("dtype", dtype, DTYPES), ("text", text or "raw", ("raw", "folded")),
    ):  # fmt: skip
        if value not in known:
            raise UsageError(f"There is no --{name} {value!r}.", f"Choose one of: {', '.join(known)}.")
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out {out}: a folder is expected here, and this is a file.", "Name a folder.")
    from clir_cli.cli import console
    from clir_cli.cli.checkpoint_model import Standing, open_checkpoint
    from clir_cli.cli.rerank_files import line_by_line
    from clir_cli.learning.devices import choose_device, set_threads
    from clir_cli.reranking.represent_files import represent_files
    from clir_cli.reranking.texts import READING

    set_threads(threads)
    opened = open_checkpoint(checkpoint, Standing([pair] if pair else [], base, adapter or []))
    given = {"text": text, "max_pieces": max_pieces, "document_pieces": document_pieces}
    reading = READING | dict(opened.reading) | {name: value for name, value in given.items() if value}
    kept = represent_files(
        opened.model.to(choose_device()),
        opened.tokenizer,
        documents,
        out,
        document_format=document_format,
        encoding=document_encoding,
        strategy=strategy,  # type: ignore[arg-type]
        dtype=dtype,  # type: ignore[arg-type]
        reading=reading,
        tokens=tokens,
        progress=line_by_line(quiet),
    )
    console.say(f"{out}: {len(kept)} documents, {kept.bytes_per_document / 1000:.1f} KB each")
