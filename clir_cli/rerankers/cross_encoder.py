"""Re-rankers that read query and passage together: an encoder, MAT layers where asked for, and a head.

    score(query, passage) = w . dropout([CLS] of the last layer) + b

The score of a document is the mean over its passages. m2BERT is the plain encoder; MART has MAT layers; the placebo is
MART given the identity, so only its inputs differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import torch
from torch import Tensor, nn

from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.initial import draw_weights
from clir_cli.encoders.layer import Layer, set_dropout
from clir_cli.errors import DataError
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.mat import MixedAttention
from clir_cli.rerankers.reranker import Reranker
from clir_cli.translation.matrix import Arm

Init = Literal["paper", "identity"]


@dataclass(frozen=True, slots=True)
class Description:
    """What a re-ranker is, apart from its weights; ``mat_layers`` count from 0."""

    kind: Literal["bert", "mart"]
    arm: Arm | None
    mat_layers: tuple[int, ...]
    init: Init
    pooler: bool
    dropout: float | None


class CrossEncoder(Reranker):
    """An encoder with a linear head that scores passages."""

    def __init__(self, encoder: Encoder, description: Description) -> None:
        """``encoder`` gets the MAT layers that ``description`` names; new weights are not drawn yet."""
        super().__init__()
        self.encoder = encoder
        self.description = description
        with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
            rate = encoder.config.hidden_dropout_prob
            self.dropout = nn.Dropout(rate)
            self.head = nn.Linear(encoder.width, 1)
            for number in description.mat_layers:
                epsilon = encoder.config.layer_norm_eps
                encoder.layers[number].mix = MixedAttention(encoder.width, dropout=rate, epsilon=epsilon)
        if description.dropout is not None:
            set_dropout(self, description.dropout)

    @property
    def apart(self) -> bool:
        """Whether query and document are inputs of their own."""
        return False

    def forward(self, batch: Batch) -> Tensor:
        """One logit a passage: [B], in float32. Raises ``ValueError`` for a batch made for another arm."""
        self.check_arm(batch.arm)
        h = self.encoder(
            batch.pieces, batch.types, batch.mask, batch.knowledge, sides=self._sides(batch), first_only=True
        )
        first = self.dropout(self.encoder.pool(h))
        with torch.autocast(first.device.type, enabled=False):  # rankings need all digits of a score
            return self.head(first.to(self.head.weight.dtype)).squeeze(-1)

    def states(self, batch: Batch) -> list[Tensor]:
        """The embeddings and what each layer makes of them, through the adapters in force: L + 1 tensors [B, m, d]."""
        return self.encoder.states(batch.pieces, batch.types, batch.mask, batch.knowledge, sides=self._sides(batch))

    def _sides(self, batch: Batch) -> Tensor | None:
        """Which pieces are the document's, where it matters."""
        return batch.sides if self.adapters is not None and self.adapters.tells_sides else None

    def mixed(self) -> dict[int, MixedAttention]:
        """The MAT parts by layer, counted from 0."""
        return {number: cast(MixedAttention, self.encoder.layers[number].mix) for number in self.description.mat_layers}

    def parameter_groups(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """(pre-trained parameters, new ones: head and MAT parts), for two learning rates."""
        new = list(self.head.parameters()) + [p for part in self.mixed().values() for p in part.parameters()]
        new += self.task_parameters()
        known = {id(parameter) for parameter in new}
        return [parameter for parameter in self.parameters() if id(parameter) not in known], new

    def ways(self) -> dict[str, list[tuple[int, Layer]]]:
        """One way, of all layers."""
        return {"encoder": [(number, cast(Layer, layer)) for number, layer in enumerate(self.encoder.layers)]}

    def own_weights(self) -> dict[str, Tensor]:
        """The weights beside the encoder's, by their names in a file: ``head.*`` and ``mat.<layer>.*``."""
        weights = {f"head.{name}": value for name, value in self.head.state_dict().items()}
        for number, part in self.mixed().items():
            weights |= {f"mat.{number}.{name}": value for name, value in part.state_dict().items()}
        return weights


def new_cross_encoder(
    encoder: Encoder,
    *,
    kind: Literal["bert", "mart"] = "bert",
    arm: Arm = "translation",
    mat_layers: Sequence[int] = (-3, -2),
    init: Init = "paper",
    dropout: float | None = None,
    seed: int = 42,
) -> CrossEncoder:
    """A cross-encoder over ``encoder``, with new weights for all that is not in it.

    ``mat_layers`` count from 0, or from the end where negative; ``dropout`` None is the checkpoint's. Raises
    ``DataError`` for a MAT layer that does not exist.
    """
    numbers = resolve_layers(mat_layers, len(encoder.layers)) if kind == "mart" else ()
    pooler = encoder.pooler is not None
    model = CrossEncoder(encoder, Description(kind, arm if kind == "mart" else None, numbers, init, pooler, dropout))
    draw_weights(model.head, seed, "head")
    for number, part in model.mixed().items():
        part.start(init, seed, f"mat.{number}")
    return model


def resolve_layers(numbers: Sequence[int], count: int) -> tuple[int, ...]:
    """Layer numbers (negative: from the end) as numbers from 0, in order; ``DataError`` for one that is not there."""
    wrong = [number for number in numbers if not -count <= number < count]
    if wrong:
        raise DataError(
            f"mat_layers names layer {wrong[0]}, the encoder has {count} layers.",
            f"Use numbers from 0 to {count - 1}, or from {-count} to -1 to count from the end.",
        )
    return tuple(sorted({number % count for number in numbers}))
