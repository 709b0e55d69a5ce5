"""Masked language modelling (Devlin et al. 2019), and with pairs of a sentence and its translation as one input,
translation language modelling (Lample and Conneau 2019): a hidden word can then be found in the other language.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from clir_cli.encoders.adapters.adapter import Adapter
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.initial import draw_weights
from clir_cli.errors import DataError
from clir_cli.learning.devices import autocast
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.training.masking import InputCutter, MaskedBatch, MaskedInput, Masker, TrainingText
from clir_cli.training.steps import Batches, fit_steps

HELD_OUT_SHARE, MOST_HELD_OUT = 0.02, 512
"""Inputs that are set aside to measure the loss on."""


class MaskedLanguageModel(nn.Module):
    """An encoder and BERT's head that names hidden pieces; the output embeddings are the input embeddings.

    The head begins anew and is thrown away afterwards: what stays is the encoder. ``adapter``, if any, is the one the
    encoder goes through: before the output embeddings the invertible part of it is undone.
    """

    adapter: Adapter | None

    def __init__(self, encoder: Encoder, seed: int) -> None:
        super().__init__()
        self.encoder = encoder
        config: Any = encoder.config
        with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
            self.transform = nn.Linear(encoder.width, encoder.width)
        self.norm = nn.LayerNorm(encoder.width, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        draw_weights(self.transform, seed, "masked language head")
        self.adapter = None

    def forward(self, batch: MaskedBatch) -> Tensor:
        """Logits over the vocabulary for the hidden pieces alone: [pieces to predict, V]."""
        h = self.encoder(batch.pieces, batch.types, batch.real)[batch.hidden]  # [pieces to predict, d]
        h = self.norm(F.gelu(self.transform(h)))
        if self.adapter is not None and self.adapter.invertible is not None:
            h = self.adapter.invertible.inverse(h)
        embeddings: Any = self.encoder.embeddings
        return F.linear(h, embeddings.word_embeddings.weight, self.bias)


def masked_loss(model: nn.Module, batch: MaskedBatch) -> Tensor:
    """-log P(the piece that was there), in nats, of every hidden piece: [pieces to predict]."""
    batch = batch.to(next(model.parameters()).device)
    return F.cross_entropy(model(batch).float(), batch.answers, reduction="none")


def train_masked_language(
    encoder: Encoder,
    tokenizer: Any,
    texts: Iterable[TrainingText],
    folder: Path,
    *,
    steps: int,
    batch: int,
    learning_rate: float,
    mask: float = 0.15,
    max_pieces: int = 64,
    seed: int = 42,
    checkpoint_every: int = 200,
    precision: str = "float32",
    identity: str = "",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """Train ``encoder`` where it is, on ``steps`` batches of ``batch`` inputs; what it has learned, as plain values.

    ``folder`` holds the run: killed and called again with the same arguments, it goes on and ends the same. The losses
    (nats a hidden piece) are of texts that were set aside, before and after; None where there are too few texts.
    Raises ``DataError`` where the texts have no pieces or the tokenizer no [MASK].
    """
    inputs = InputCutter(tokenizer, max_pieces).cut(texts, progress)
    if not inputs:
        raise DataError("The pre-training texts hold no words.", "Check what `pretrain` reads.")
    kept, held_out = set_aside(len(inputs), HELD_OUT_SHARE, MOST_HELD_OUT, seed)
    masker = Masker(tokenizer, mask)
    lengths = inputs.lengths[kept]
    batches = Batches(lengths, batch, seed)

    def batch_of_step(step: int) -> MaskedBatch:
        chosen = [inputs[number] for number in kept[batches(step)].tolist()]
        return masker.hide(chosen, np.random.default_rng([seed, 1, step]))

    test = [inputs[number] for number in held_out.tolist()]
    model = MaskedLanguageModel(encoder, seed).to(next(encoder.parameters()).device)
    before = held_out_loss(model, masker, test, batch, seed, precision)
    fit_steps(
        model,
        batch_of_step=batch_of_step,
        loss=masked_loss,
        steps=steps,
        learning_rate=learning_rate,
        folder=folder,
        seed=seed,
        checkpoint_every=checkpoint_every,
        precision=precision,
        identity=identity,
        progress=progress,
    )
    return {
        "inputs": len(kept),
        "pieces": int(lengths.sum()),
        "steps": steps,
        "held_out_inputs": len(test),
        "held_out_loss_before": before,
        "held_out_loss_after": held_out_loss(model, masker, test, batch, seed, precision),
    }


def set_aside(count: int, share: float, most: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """0..count-1 in two ascending arrays, to train on and to measure on.

    The second has ``share`` of them, ``most`` at most.
    """
    order = np.random.default_rng([seed, 2]).permutation(count)
    size = min(int(count * share), most)
    return np.sort(order[size:]), np.sort(order[:size])


@torch.no_grad()
def held_out_loss(
    model: MaskedLanguageModel, masker: Masker, inputs: Sequence[MaskedInput], batch: int, seed: int, precision: str
) -> float | None:
    """Mean loss of the hidden pieces of ``inputs``, the same pieces whatever the model; None without inputs."""
    model.eval()
    device = next(model.parameters()).device
    losses = []
    for begin in range(0, len(inputs), batch):
        hidden = masker.hide(inputs[begin : begin + batch], np.random.default_rng([seed, 3, begin]))
        with autocast(device, precision):
            losses.append(masked_loss(model, hidden).cpu())
    return float(torch.cat(losses).mean()) if losses else None
