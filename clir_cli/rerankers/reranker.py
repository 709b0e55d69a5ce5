"""What every re-ranker is, whatever it is made of."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from clir_cli.encoders.adapters.places import AdapterSet
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.layer import Layer
from clir_cli.translation.matrix import Arm


class Reranker(nn.Module, ABC):
    """Scores passages. ``encoder`` is what ``config.json`` of its folder describes."""

    encoder: Encoder
    description: Any
    """A dataclass of plain values: all that decides what the weights are, with ``kind`` and ``arm``."""
    adapters: AdapterSet | None
    """Adapters of languages and of the task; None until ``give_adapters`` puts them in."""

    def __init__(self) -> None:
        super().__init__()
        self.adapters = None

    @property
    def arm(self) -> Arm | None:
        """What the passages must carry for this model; None for models without a translation head."""
        found: Arm | None = self.description.arm
        return found

    @property
    def max_pieces(self) -> int:
        """The longest input, special pieces included."""
        return self.encoder.max_pieces

    @property
    @abstractmethod
    def apart(self) -> bool:
        """Whether query and document are inputs of their own."""

    @abstractmethod
    def forward(self, batch: Any) -> Tensor:
        """One logit a passage: [B], in float32. Raises ``ValueError`` for a batch made for another arm."""

    @abstractmethod
    def parameter_groups(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """(pre-trained parameters, new ones: task adapters among them), for two learning rates."""

    @abstractmethod
    def ways(self) -> dict[str, list[tuple[int, Layer]]]:
        """The layers that texts go through, with their numbers from 0: way -> layers. Each layer is in one of them."""

    def task_parameters(self) -> list[nn.Parameter]:
        """Those of the task adapters."""
        return [] if self.adapters is None else list(self.adapters.tasks.parameters())

    @abstractmethod
    def own_weights(self) -> dict[str, Tensor]:
        """The weights beside the encoder's, by their names in a file."""

    def check_arm(self, given: Arm | None) -> None:
        """Raise ``ValueError`` for a batch made for another arm."""
        if self.arm is not None and given != self.arm:
            raise ValueError(f"this model is given {self.arm}, the batch was made for {given}")


def average_passages(logits: Tensor, counts: Sequence[int]) -> Tensor:
    """Scores of documents: the mean logit of each one's passages. ``logits`` [sum of counts] -> [len(counts)].

    The mean of the logits is the logit of the mean [CLS] vector, as in the paper: the head is linear.
    """
    return torch.stack([part.mean() for part in torch.split(logits, list(counts))])
