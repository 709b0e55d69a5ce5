"""What every re-ranker is, whatever it is made of."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from clir_cli.encoders.encoder import Encoder
from clir_cli.translation.matrix import Arm


class Reranker(nn.Module, ABC):
    """Scores passages. ``encoder`` is what ``config.json`` of its folder describes."""

    encoder: Encoder
    description: Any
    """A dataclass of plain values: all that decides what the weights are, with ``kind`` and ``arm``."""

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
        """(pre-trained parameters, new ones), for two learning rates."""

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
