"""Re-ranking without fine-tuning: a checkpoint that was trained for ranking scores with the head it brings."""

from pathlib import Path
from typing import Any

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.load import load_encoder, load_head
from clir_cli.errors import DataError
from clir_cli.rerankers.build import load_reranker
from clir_cli.rerankers.classifier import give_pooler, take_head
from clir_cli.rerankers.cross_encoder import CrossEncoder, Description
from clir_cli.rerankers.folder import read_description
from clir_cli.rerankers.reranker import Reranker


def load_zero_shot(
    source: str | Path, *, revision: str | None = None, layers: int | None = None
) -> tuple[Reranker, Any]:
    """(model in evaluation mode, tokenizer) of a folder of ours, or of a classifier (``classifier``).

    Raises ``DataError`` where the checkpoint brings no head, or one of another make.
    """
    if read_description(source) is not None:
        return load_reranker(source)
    head = load_head(source, revision)
    if head is None or layers is not None:
        raise _headless(source, "its head belongs to its last layer" if head is not None else "")
    encoder = load_encoder(source, revision=revision)
    give_pooler(encoder, head)
    model = CrossEncoder(encoder, Description("bert", None, (), "paper", True, None))
    take_head(model, head)
    return model.eval(), load_tokenizer(source, revision)


def _headless(source: str | Path, reason: str = "") -> DataError:
    because = f" ({reason})" if reason else ""
    return DataError(
        f"{source} cannot rank as it is: it brings no ranking head of one or two labels{because}.",
        "Pre-train it on ranking examples (`pretrain.ranking`), or take a checkpoint trained for re-ranking.",
    )
