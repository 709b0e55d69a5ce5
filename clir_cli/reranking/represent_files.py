"""Documents of files, as MORES keeps them: no experiment, no collection on disk."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clir_cli.corpora.documents import read_documents
from clir_cli.encoders.piece_store import write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError, UsageError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.represent import represent
from clir_cli.rerankers.mores.representations import Representations, Stored, Strategy
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.texts import READING


def represent_files(
    model: Reranker,
    tokenizer: Any,
    documents: Sequence[Path],
    out: Path,
    *,
    document_format: str = "auto",
    encoding: str | None = None,
    strategy: Strategy = "s1",
    dtype: Stored = "float16",
    reading: Mapping[str, Any] = READING,
    tokens: int | None = None,
    progress: ProgressCallback = no_progress,
) -> Representations:
    """Read the documents of files or folders, one by one, and write what ``model`` keeps of them to ``out``.

    Killed and called again with the same arguments, it goes on with the shard that was not whole. Raises ``UsageError``
    for a model that is no MORES, ``DataError`` for two documents of one id, or where ``out`` holds representations that
    were made in another way.
    """
    if not isinstance(model, Mores):
        raise UsageError("This model does not read documents apart from queries.", "Give the folder of a MORES.")
    chosen = {name: reading.get(name, default) for name, default in READING.items()}
    pieces = out / "pieces"
    shutil.rmtree(pieces, ignore_errors=True)
    ids: list[str] = []

    def texts() -> Iterator[tuple[str, str]]:
        known = set()
        for document in read_documents(list(documents), document_format, encoding):
            if document.id in known:
                raise DataError(f"There are two documents {document.id}.", "Give each its own id.")
            known.add(document.id)
            ids.append(document.id)
            yield document.id, document.full_text

    encoder = TextEncoder(tokenizer, chosen["text"])
    store = write_pieces(pieces, texts(), encoder, max_pieces=chosen["document_pieces"], progress=progress)
    kept = represent(
        out, model, tokenizer, store, ids, strategy=strategy, dtype=dtype, tokens=tokens, progress=progress, **chosen
    )
    shutil.rmtree(pieces)
    return kept
