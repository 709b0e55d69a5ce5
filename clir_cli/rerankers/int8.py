"""Eight-bit integers in place of float32: a model that scores faster on a CPU, and a little differently.

Dynamic quantisation: weights are rounded to int8 once, each row by its own range, and what comes into a linear map with
each call. The second map of the feed-forward part stays in float32: a few large values come into it, which leave the
others little of eight bits (on e5-small it brought a third of the error and 5 % of the speed).
It is done by ``torch.ao.quantization``, which torch has marked as deprecated but still carries; its successor torchao
needs a compiler to be fast on a CPU (on one without VNNI it was 20 times slower than float32).
"""

import warnings
from typing import Any

import torch

from clir_cli.encoders.encoder import Encoder
from clir_cli.errors import ClirError, UsageError
from clir_cli.rerankers.reranker import Reranker

_MAPS = {"query", "key", "value", "output"}


def quantise(model: Reranker) -> Reranker:
    """Let the maps of attention and the first of the feed-forward part compute in int8, in ``model``'s encoders.

    Embeddings, norms, head, pooler, what carries translations and MORES' interaction blocks stay as they are. The model
    cannot be trained afterwards; the same object comes back. Raises ``UsageError`` for a model on a card, ``ClirError``
    where this torch cannot do it.
    """
    if next(model.parameters()).device.type != "cpu":
        raise UsageError("int8 is for CPUs, and the model is on a card.", "Leave out int8: bf16 is for cards.")
    try:
        from torch.ao.quantization import per_channel_dynamic_qconfig, quantize_dynamic
    except ImportError as error:
        raise ClirError(
            "This torch has no dynamic quantisation.", "Leave out int8, or use torch 2.11 to 2.13."
        ) from error
    quantise_part: Any = quantize_dynamic
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is deprecated: said above
        for layer in [layer for part in model.modules() if isinstance(part, Encoder) for layer in part.layers]:
            for part, kinds in ((layer.attend, _MAPS), (layer.feed, {"inner"})):
                chosen = dict.fromkeys(kinds, per_channel_dynamic_qconfig)
                quantise_part(part, chosen, dtype=torch.qint8, inplace=True)
    return model.eval()
