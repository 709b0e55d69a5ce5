"""Settings of re-rankers: what each is made of."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from clir_cli.config.settings import Settings


class Arm(StrEnum):
    """What the translation head is given."""

    translation = "translation"
    identity = "identity"
    blocks = "blocks"


class ModelSettings(Settings):
    """One re-ranker: an encoder, with or without MAT layers."""

    kind: Literal["bert", "mart"] = Field(description="bert: m2BERT; mart: with Mixed Attention Transformer layers.")
    arm: Arm = Field(
        Arm.translation,
        description="mart only. translation: M^tr; identity: the paper's placebo (MART-PLB); blocks: word blocks only.",
    )
    mat_layers: list[int] = Field(
        [-3, -2], description="mart only: layers that carry M^tr; negative counts from the end (paper: 9, 10 of 12)."
    )
    init: Literal["paper", "identity"] = Field(
        "paper", description="mart only. identity starts as the plain encoder: the new branch adds exactly nothing."
    )
    zero_shot: bool = Field(
        False, description="bert only. Score with the head that checkpoint or pre-training left: nothing is fine-tuned."
    )
    pooler: bool = Field(False, description="Read [CLS] through the checkpoint's pooler.")
    dropout: float | None = Field(None, ge=0, lt=1, description="Default: what the checkpoint says.")
    label: str | None = Field(None, description="Row title in tables.")


PRESETS: dict[str, dict[str, Any]] = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mart-blocks": {"kind": "mart", "arm": "blocks"},
    "zero-shot": {"kind": "bert", "zero_shot": True},
}
