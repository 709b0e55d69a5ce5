"""Eight-bit integers in place of float32: a model that scores faster on a CPU, and a little differently.

Dynamic quantisation: weights are rounded to int8 once, what comes into a linear map with each call, by its own range.
It is done by ``torch.ao.quantization``, which torch has marked as deprecated but still carries; its successor torchao
needs a compiler to be fast on a CPU (on one without VNNI it was 20 times slower than float32).
"""

import warnings
from typing import Any

import torch
from torch import nn

from clir_cli.encoders.layer import Layer
from clir_cli.errors import ClirError, UsageError
from clir_cli.rerankers.reranker import Reranker


def quantise(model: Reranker) -> Reranker:
    """Let the linear maps of attention and feed-forward parts of ``model`` compute in int8; the same object.

    Embeddings, norms, head, pooler and what carries translations stay as they are. The model cannot be trained
    afterwards. Raises ``UsageError`` for a model on a card, ``ClirError`` where this torch cannot do it.
    """
    if next(model.parameters()).device.type != "cpu":
        raise UsageError("int8 is for CPUs, and the model is on a card.", "Leave out int8: bf16 is for cards.")
    try:
        from torch.ao.quantization import quantize_dynamic
    except ImportError as error:
        raise ClirError(
            "This torch has no dynamic quantisation.", "Leave out int8, or use torch 2.11 to 2.13."
        ) from error
    quantise_part: Any = quantize_dynamic
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is deprecated: said above
        for layer in [part for part in model.modules() if isinstance(part, Layer)]:
            for part in (layer.attend, layer.feed):
                quantise_part(part, {nn.Linear}, dtype=torch.qint8, inplace=True)
    return model.eval()
