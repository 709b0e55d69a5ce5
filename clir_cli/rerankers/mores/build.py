"""A MORES over an encoder: how its weights begin, and which of them move."""

from collections.abc import Iterable
from typing import Literal

from torch import nn

from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.initial import deviation, draw_eye_for_equals, draw_weights, generator_of
from clir_cli.rerankers.mores.model import BlockStart, Mores, MoresDescription
from clir_cli.translation.matrix import Arm

Adapt = Literal["all", "interaction", "representation"]


def new_mores(
    encoder: Encoder,
    *,
    blocks: int = 1,
    tied: bool = False,
    block_start: BlockStart = "paper",
    arm: Arm | None = None,
    init: Literal["paper", "identity"] = "paper",
    dropout: float | None = None,
    seed: int = 42,
) -> Mores:
    """A MORES whose parts begin as layers of ``encoder``; what is new depends on ``seed`` alone.

    Queries are read by the first L - ``blocks`` layers; ``tied``: by the document encoder's own, as in the authors'
    code, else by a copy, as in the paper. Block i begins as layer L - blocks + i, its cross-attention as that layer's
    self-attention, so that query layers and blocks are L layers one after the other. ``block_start`` "random", the
    paper's ablation: the maps of the cross-attentions are drawn anew, their layer norms are 1 and 0, all else begins
    the same. "equal" (ours, for encoders made from scratch): drawn so that a piece attends to its equals, as the first
    layer of such an encoder is. ``arm``: what the translation branch is given, None for no such branch; ``init`` is
    that of MART's.
    """
    model = Mores(encoder, MoresDescription("mores", arm, blocks, tied, block_start, init, dropout))
    draw_weights(model.head, seed, "head")
    for number in range(blocks):
        block = model.block(number)
        if block_start != "paper":
            draw_weights(block.cross, seed, f"block.{number}.cross", deviation(encoder.width))
        if block_start == "equal":
            draw_eye_for_equals(block.cross, generator_of(seed, f"block.{number}.equal"))
        if block.mix is not None:
            block.mix.start(init, seed, f"block.{number}.mix")
    return model


def choose_moving(model: Mores, adapt: Adapt) -> None:
    """Let training move all of ``model``, its interaction (blocks and head) alone, or its representations alone."""
    representation: list[nn.Module] = [model.encoder, *([] if model.query is None else [model.query])]
    _set_moving(representation, adapt != "interaction")
    _set_moving([model.blocks, model.head], adapt != "representation")


def _set_moving(parts: Iterable[nn.Module], moves: bool) -> None:
    for part in parts:
        part.requires_grad_(moves)
