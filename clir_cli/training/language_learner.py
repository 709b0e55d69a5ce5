"""A masked language model over the text of one language: its head, and what of it moves."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from clir_cli.encoders.adapters.adapter import Adapter
from clir_cli.encoders.adapters.places import AdapterSet
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.language_head import LanguageHead
from clir_cli.encoders.layer import Layer
from clir_cli.errors import DataError
from clir_cli.learning.checkpoint import load_state, save_state
from clir_cli.learning.devices import choose_device, resolve_precision
from clir_cli.records import ProgressCallback
from clir_cli.training.masked_language import MaskedLanguageModel, held_out_loss, masked_loss, set_aside
from clir_cli.training.masking import MaskedBatch, Masker
from clir_cli.training.packing import PackedTexts
from clir_cli.training.steps import Batches, fit_steps

HELD_OUT_SHARE, MOST_HELD_OUT = 0.05, 512
"""Inputs that are set aside to measure perplexity on."""
ADAPTER_RATE, ENCODER_RATE = 1e-4, 5e-5
"""Learning rates of MAD-X, for adapters and for all weights."""


@dataclass(frozen=True, slots=True)
class LanguageRecipe:
    """How a language is learned; the defaults are the paper's, but for the head and what it does not say.

    ``epochs`` over the text in place of ``steps``, where given. ``learning_rate`` None: 1e-4 for adapters, 5e-5 for the
    whole encoder. ``head_steps``: of the head alone, where the checkpoint has none.
    """

    steps: int = 250_000
    epochs: float | None = None
    batch: int = 64
    learning_rate: float | None = None
    mask: float = 0.15
    whole_words: bool = False
    max_pieces: int = 128
    head_steps: int = 1000
    head_learning_rate: float = 1e-3
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
        """``folder`` holds the two trainings, ``head`` and ``language``."""
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

    def take_head(self, found: LanguageHead | None) -> None:
        """The checkpoint's head, or one trained with the encoder frozen; frozen in either case."""
        model = self.model
        model.requires_grad_(False)
        head: list[nn.Module | nn.Parameter] = [model.transform, model.norm, model.bias]
        self.report["head"] = "the checkpoint's" if found is not None else f"trained, {self._recipe.head_steps} steps"
        if found is not None:
            _copy_head(model, found)
            return
        done = self._folder / "head.state"
        if done.is_dir():
            state = load_state(done)
        else:
            for part in head:
                part.requires_grad_(True)
            self._fit("head", self._recipe.head_steps, self._recipe.head_learning_rate)
            state = {name: value for name, value in model.state_dict().items() if not name.startswith("encoder.")}
            save_state(done, state)
        model.load_state_dict(state, strict=False)
        model.requires_grad_(False)

    def train_adapter(self, adapter: Adapter, language: str) -> None:
        """Let ``adapter`` alone move."""
        model, encoder = self.model, self.model.encoder
        self.report["perplexity_before"] = self._perplexity()
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
        self.report["perplexity_before"] = self._perplexity()
        self.model.requires_grad_(True)
        self._learn(self._recipe.learning_rate or ENCODER_RATE)

    def _learn(self, rate: float) -> None:
        recipe = self._recipe
        steps = recipe.steps
        if recipe.epochs is not None:
            steps = max(1, math.ceil(recipe.epochs * len(self._kept) / min(recipe.batch, len(self._kept))))
        self._fit("language", steps, rate)
        self.report |= {"steps": steps, "epochs": round(steps * recipe.batch / len(self._kept), 3)}
        self.report["moved"] = sum(p.numel() for p in self.model.parameters() if p.requires_grad)
        self.report["perplexity_after"] = self._perplexity()

    def _perplexity(self) -> float | None:
        loss = held_out_loss(
            self.model, self._masker, self._test, self._recipe.batch, self._recipe.seed, self._precision
        )
        return None if loss is None else math.exp(min(loss, 700.0))

    def _fit(self, part: str, steps: int, rate: float) -> None:
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
            folder=self._folder / part,
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
