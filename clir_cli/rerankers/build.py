"""Re-rankers put together: an encoder, MAT layers where asked for, and a head.

    score(query, passage) = w . dropout([CLS] of the last layer) + b

The score of a document is the mean over its passages. m2BERT is the plain encoder; MART has MAT layers; the placebo is
MART given the identity, so only its inputs differ.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn

from clir_cli.encoders.checkpoint import check_vocabulary, load_tokenizer
from clir_cli.encoders.encoder import Encoder, load_encoder
from clir_cli.encoders.folder import write_folder
from clir_cli.encoders.initial import draw_weights
from clir_cli.encoders.layer import set_dropout
from clir_cli.errors import DataError
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.folder import DESCRIPTION, read_description, read_own_weights
from clir_cli.rerankers.mat import MixedAttention
from clir_cli.translation.matrix import Arm

Kind = Literal["bert", "mart"]
Init = Literal["paper", "identity"]


@dataclass(frozen=True, slots=True)
class Description:
    """What a re-ranker is, apart from its weights; ``mat_layers`` count from 0."""

    kind: Kind
    arm: Arm | None
    mat_layers: tuple[int, ...]
    init: Init
    pooler: bool
    dropout: float | None


class Reranker(nn.Module):
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
    def arm(self) -> Arm | None:
        """What the passages must carry for this model; None for models without a translation head."""
        return self.description.arm

    @property
    def max_pieces(self) -> int:
        """The longest input, special pieces included."""
        return self.encoder.max_pieces

    @property
    def apart(self) -> bool:
        """Whether query and document are inputs of their own."""
        return False

    def forward(self, batch: Batch) -> Tensor:
        """One logit a passage: [B], in float32. Raises ``ValueError`` for a batch made for another arm."""
        if self.arm is not None and batch.arm != self.arm:
            raise ValueError(f"this model is given {self.arm}, the batch was made for {batch.arm}")
        h = self.encoder(batch.pieces, batch.types, batch.mask, batch.knowledge, first_only=True)
        first = self.dropout(self.encoder.pool(h))
        with torch.autocast(first.device.type, enabled=False):  # rankings need all digits of a score
            return self.head(first.to(self.head.weight.dtype)).squeeze(-1)

    def mixed(self) -> dict[int, MixedAttention]:
        """The MAT parts by layer, counted from 0."""
        return {number: cast(MixedAttention, self.encoder.layers[number].mix) for number in self.description.mat_layers}

    def parameter_groups(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """(pre-trained parameters, new ones: head and MAT parts), for two learning rates."""
        new = list(self.head.parameters()) + [p for part in self.mixed().values() for p in part.parameters()]
        known = {id(parameter) for parameter in new}
        return [parameter for parameter in self.parameters() if id(parameter) not in known], new

    def own_weights(self) -> dict[str, Tensor]:
        """The weights beside the encoder's, by their names in a file: ``head.*`` and ``mat.<layer>.*``."""
        weights = {f"head.{name}": value for name, value in self.head.state_dict().items()}
        for number, part in self.mixed().items():
            weights |= {f"mat.{number}.{name}": value for name, value in part.state_dict().items()}
        return weights


def average_passages(logits: Tensor, counts: Sequence[int]) -> Tensor:
    """Scores of documents: the mean logit of each one's passages. ``logits`` [sum of counts] -> [len(counts)].

    The mean of the logits is the logit of the mean [CLS] vector, as in the paper: the head is linear.
    """
    return torch.stack([part.mean() for part in torch.split(logits, list(counts))])


def build_reranker(
    source: str | Path,
    *,
    revision: str | None = None,
    layers: int | None = None,
    kind: Kind = "bert",
    arm: Arm = "translation",
    mat_layers: Sequence[int] = (-3, -2),
    init: Init = "paper",
    pooler: bool = False,
    dropout: float | None = None,
    seed: int = 42,
) -> Reranker:
    """A re-ranker over a checkpoint, ready to be trained.

    ``source``: hub name, folder of a Hugging Face encoder, or a folder that ``save_reranker`` wrote; from the last one
    the head and the MAT parts of the same layers are taken too. Everything else that is new depends on ``seed`` alone.
    ``mat_layers`` count from 0, or from the end where negative; ``dropout`` None is the checkpoint's.

    Raises ``DataError`` for a checkpoint that does not fit (see ``load_encoder``) or a MAT layer that does not exist.
    """
    encoder = load_encoder(source, revision=revision, layers=layers, pooler=pooler)
    model = new_reranker(encoder, kind=kind, arm=arm, mat_layers=mat_layers, init=init, dropout=dropout, seed=seed)
    if read_description(source) is not None:
        _take(model, read_own_weights(source))
    return model


def new_reranker(
    encoder: Encoder,
    *,
    kind: Kind = "bert",
    arm: Arm = "translation",
    mat_layers: Sequence[int] = (-3, -2),
    init: Init = "paper",
    dropout: float | None = None,
    seed: int = 42,
) -> Reranker:
    """A re-ranker over ``encoder``, with new weights for all that is not in it; see ``build_reranker``."""
    numbers = resolve_layers(mat_layers, len(encoder.layers)) if kind == "mart" else ()
    pooler = encoder.pooler is not None
    model = Reranker(encoder, Description(kind, arm if kind == "mart" else None, numbers, init, pooler, dropout))
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


def save_reranker(model: Reranker, tokenizer: Any, folder: Path) -> None:
    """Write everything that scoring needs to ``folder``, whole or not at all."""
    check_vocabulary(tokenizer, model.encoder.config.vocab_size, folder)
    description = json.dumps({"format": 1, **asdict(model.description)}, indent=2) + "\n"
    write_folder(Path(folder), model.encoder, tokenizer, model.own_weights(), {DESCRIPTION: description})


def load_reranker(folder: str | Path) -> tuple[Reranker, Any]:
    """Read what ``save_reranker`` wrote: (model, in evaluation mode, and tokenizer).

    Raises ``DataError`` where the folder holds no re-ranker, or not all of one.
    """
    found = read_description(folder)
    if found is None:
        raise DataError(f"{folder} holds no re-ranker: there is no {DESCRIPTION}.", "Give another folder.")
    description = Description(**{**found, "mat_layers": tuple(found["mat_layers"])})
    model = Reranker(load_encoder(folder, pooler=description.pooler), description)
    own = read_own_weights(folder)
    missing = sorted(model.own_weights().keys() ^ own.keys())
    if missing:
        raise DataError(f"The weights in {folder} do not fit its {DESCRIPTION}: {missing[0]}.", "Train it again.")
    _take(model, own)
    return model.eval(), load_tokenizer(folder)


@torch.no_grad()
def _take(model: Reranker, weights: dict[str, Tensor]) -> None:
    """Copy the weights that have a place in ``model``."""
    for name, value in model.own_weights().items():
        if name in weights:
            if weights[name].shape != value.shape:
                raise DataError(
                    f"{name} has shape {tuple(weights[name].shape)}, the encoder needs {tuple(value.shape)}.",
                    "Head and encoder are not from the same model.",
                )
            value.copy_(weights[name])
