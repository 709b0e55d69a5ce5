"""A masked language model over the text of one language: its head, and what of it moves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch

from clir_cli.encoders.adapters.adapter import Adapter
from clir_cli.encoders.adapters.places import AdapterSet
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.language_head import LanguageHead
from clir_cli.encoders.layer import Layer
from clir_cli.errors import DataError
from clir_cli.learning.devices import choose_device, resolve_precision
from clir_cli.records import ProgressCallback
from clir_cli.training.masked_language import MaskedLanguageModel, held_out_loss, masked_loss, set_aside
from clir_cli.training.masking import MaskedBatch, Masker
from clir_cli.training.packing import PackedTexts
from clir_cli.training.steps import Batches, fit_steps

HELD_OUT_SHARE, MOST_HELD_OUT = 0.05, 512
"""Inputs that are set aside to measure perplexity on."""
ADAPTER_RATE, ENCODER_RATE, HEAD_RATE = 1e-4, 5e-5, 1e-3
"""Learning rates of MAD-X, for adapters and for all weights; and of a head alone."""


@dataclass(frozen=True, slots=True)
class LanguageRecipe:
    """How a language is learned; the defaults are the paper's, as far as it says.

    ``epochs`` over the text in place of ``steps``, where given. ``learning_rate`` None: 1e-4 for adapters, 5e-5 for the
    whole encoder, 1e-3 for a head.
    """

    steps: int | None = 250_000
    epochs: float | None = None
    batch: int = 64
    learning_rate: float | None = None
    mask: float = 0.15
    whole_words: bool = False
    max_pieces: int = 128
    checkpoint_every: int = 1000
    seed: int = 42
    threads: int = 1
    precision: str = "auto"


class LanguageLearner:
    """A masked language model over the text of one language."""

    def __init__(
        self,
        encoder: Encoder,
        tokenizer: Any,
        inputs: PackedTexts,
        folder: Path,
        recipe: LanguageRecipe,
        *,
        identity: str,
        progress: ProgressCallback,
    ) -> None:
        """``folder`` holds what a killed training goes on from."""
        self._folder, self._recipe, self._identity, self._progress = folder, recipe, identity, progress
        self._device = choose_device()
        self._precision = resolve_precision(recipe.precision, self._device)
        self._inputs = inputs
        self._kept, held_out = set_aside(len(inputs), HELD_OUT_SHARE, MOST_HELD_OUT, recipe.seed)
        self._test = [inputs[number] for number in held_out.tolist()]
        self._masker = Masker(tokenizer, recipe.mask, whole_words=recipe.whole_words)
        self.model = MaskedLanguageModel(encoder, recipe.seed).to(self._device)
        lengths = inputs.lengths
        self.report: dict[str, Any] = {
            "pieces": int(lengths[self._kept].sum()),
            "inputs": len(self._kept),
            "held_out_inputs": len(self._test),
        }

    def train_head(self) -> LanguageHead:
        """A head for the encoder, which is frozen."""
        model = self.model
        model.encoder.requires_grad_(False)
        self._learn(self._recipe.learning_rate or HEAD_RATE)
        transform, norm = model.transform, model.norm
        return LanguageHead((transform.weight, transform.bias), (norm.weight, norm.bias), model.bias)

    def take_head(self, head: LanguageHead) -> None:
        """Put a finished head on, and freeze everything."""
        _copy_head(self.model, head)
        self.model.requires_grad_(False)

    def train_adapter(self, adapter: Adapter, language: str) -> None:
        """Let ``adapter`` alone move."""
        model, encoder = self.model, self.model.encoder
        adapters = AdapterSet(len(encoder.layers))
        adapters.add_language(language, adapter.to(self._device))
        for number, layer in enumerate(encoder.layers):
            adapters.fill_layer(cast(Layer, layer), number)
        adapters.fill_inputs(encoder)
        adapters.speak(language, language)
        model.adapter = adapter
        adapter.requires_grad_(True)
        self._learn(self._recipe.learning_rate or ADAPTER_RATE)

    def train_all(self) -> None:
        """Let encoder and head move."""
        self.model.requires_grad_(True)
        self._learn(self._recipe.learning_rate or ENCODER_RATE)

    def _learn(self, rate: float) -> None:
        recipe = self._recipe
        steps = recipe.steps
        if recipe.epochs is not None:
            steps = max(1, math.ceil(recipe.epochs * len(self._kept) / min(recipe.batch, len(self._kept))))
        assert steps is not None, "neither steps nor epochs"
        self.report["perplexity_before"] = self._perplexity()
        self._fit(steps, rate)
        self.report |= {"steps": steps, "epochs": round(steps * recipe.batch / len(self._kept), 3)}
        self.report["moved"] = sum(p.numel() for p in self.model.parameters() if p.requires_grad)
        self.report["perplexity_after"] = self._perplexity()

    def _perplexity(self) -> float | None:
        loss = held_out_loss(
            self.model, self._masker, self._test, self._recipe.batch, self._recipe.seed, self._precision
        )
        return None if loss is None else math.exp(min(loss, 700.0))

    def _fit(self, steps: int, rate: float) -> None:
        recipe, inputs = self._recipe, self._inputs
        batches = Batches(inputs.lengths[self._kept], recipe.batch, recipe.seed)

        def batch_of_step(step: int) -> MaskedBatch:
            chosen = [inputs[number] for number in self._kept[batches(step)].tolist()]
            return self._masker.hide(chosen, np.random.default_rng([recipe.seed, 1, step]))

        fit_steps(
            self.model,
            batch_of_step=batch_of_step,
            loss=masked_loss,
            steps=steps,
            learning_rate=rate,
            folder=self._folder,
            seed=recipe.seed,
            checkpoint_every=recipe.checkpoint_every,
            precision=self._precision,
            identity=self._identity,
            progress=self._progress,
        )


@torch.no_grad()
def _copy_head(model: MaskedLanguageModel, head: LanguageHead) -> None:
    rows = len(model.bias)
    if len(head.bias) != rows or head.dense[0].shape != model.transform.weight.shape:
        raise DataError(
            f"The checkpoint's language head knows {len(head.bias)} pieces, its encoder {rows}.",
            "They are not from the same model: get the checkpoint again.",
        )
    pairs: Mapping[Any, Any] = {
        model.transform.weight: head.dense[0], model.transform.bias: head.dense[1],
        model.norm.weight: head.norm[0], model.norm.bias: head.norm[1], model.bias: head.bias,
    }  # fmt: skip
    for parameter, value in pairs.items():
        parameter.copy_(value)
