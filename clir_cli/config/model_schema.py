"""Settings of re-rankers: what each is made of."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from clir_cli.config.adapter_schema import ModelAdapterSettings
from clir_cli.config.settings import Name, Pair, Settings
from clir_cli.config.training_schema import TrainingSettings


class Arm(StrEnum):
    """What the translation head is given."""

    translation = "translation"
    identity = "identity"
    blocks = "blocks"
    shuffled = "shuffled"
    transposed = "transposed"
    copies = "copies"

    @property
    def has_links(self) -> bool:
        """Whether there are links between query and document: the head is the same then, whatever the links are."""
        return self not in (Arm.identity, Arm.blocks)

    @property
    def reads_table(self) -> bool:
        """Whether the links come from a table."""
        return self.has_links and self is not Arm.copies


class MoresRankingSettings(Settings):
    """How a MORES learns to rank, once for all pairs and folds, on the examples of `pretrain.ranking`."""

    steps: int = Field(15_625, ge=1, description="Optimiser steps (paper: 2 million examples, 128 a step).")
    batch: int = Field(
        64, ge=1, description="Pairs of a relevant and another document in one step (paper: 128 documents)."
    )
    learning_rate: float = Field(3e-5, gt=0, description="Highest rate, of AdamW; after `warmup` it falls to 0.")
    warmup: int = Field(1000, ge=0, description="Steps in which the rate rises.")
    loss: Literal["pointwise", "cross_entropy", "softmax_margin"] = Field(
        "pointwise", description="Of every document (paper), or of pairs as in `training.loss`."
    )
    max_pieces: int = Field(128, ge=16, description="Word pieces of a document's input; the rest is cut.")


class ModelBatchSettings(Settings):
    """Size of a step of one model; what is not given is as in `training.batch`."""

    forward: int | None = Field(None, ge=1, description="As there.")
    effective: int | None = Field(None, ge=1, description="As there.")
    unit: Literal["pairs", "documents"] | None = Field(None, description="As there.")


class ModelValidationSettings(Settings):
    """Choice of the best epoch of one model; what is not given is as in `training.validation`."""

    topics: int | None = Field(None, ge=1, description="As there.")
    depth: int | None = Field(None, ge=1, description="As there.")
    every: int | None = Field(None, ge=1, description="As there.")


class ModelTrainingSettings(Settings):
    """What is different for one model, laid over `training`; what is not given is as there."""

    loss: Literal["cross_entropy", "softmax_margin", "pointwise"] | None = Field(None, description="As there.")
    epochs: int | None = Field(None, ge=1, description="Most epochs, not more than there.")
    patience: int | None = Field(None, ge=0, description="As there.")
    optimiser: Literal["adam", "adamw"] | None = Field(None, description="As there.")
    learning_rate: float | None = Field(None, gt=0, description="As there.")
    new_learning_rate: float | None = Field(None, gt=0, description="As there.")
    weight_decay: float | None = Field(None, ge=0, description="As there.")
    schedule: Literal["constant", "linear"] | None = Field(None, description="As there.")
    warmup: int | None = Field(None, ge=0, description="As there.")
    clip: float | None = Field(None, gt=0, description="As there.")
    batch: ModelBatchSettings = Field(ModelBatchSettings(), description="As there.")
    validation: ModelValidationSettings = Field(ModelValidationSettings(), description="As there.")

    def lay_over(self, training: TrainingSettings) -> TrainingSettings:
        """``training`` as this model sees it. Raises ``ValidationError`` where the two do not fit together."""
        own = self.model_dump(exclude_none=True)
        whole = training.model_dump()
        return TrainingSettings.model_validate(
            whole | own | {part: whole[part] | own[part] for part in ("batch", "validation")}
        )


class ModelSettings(Settings):
    """One re-ranker: a cross-encoder, with or without MAT layers, or MORES."""

    kind: Literal["bert", "mart", "mores"] = Field(
        description="bert: m2BERT; mart: with Mixed Attention Transformer layers; mores: documents read once, apart."
    )
    arm: Arm = Field(
        Arm.translation,
        description="mart, and mores with `knowledge`. translation: M^tr; identity: the paper's placebo (MART-PLB); "
        "blocks: word blocks only; shuffled: M^tr of a table whose document words are exchanged at random; transposed: "
        "P(query word | document word) in place of P(document word | query word); copies: equal words only, at p = 1.",
    )
    source: Name | None = Field(
        None,
        description="As `arm`. Another source of translations for this model's M^tr, named as `knowledge.source`; "
        "default: `matrix.source`.",
    )
    mat_layers: list[int] = Field(
        [-3, -2], description="mart only: layers that carry M^tr; negative counts from the end (paper: 9, 10 of 12)."
    )
    init: Literal["paper", "identity"] = Field(
        "paper",
        description="mart, and mores with `knowledge`. identity starts as the plain model: the branch adds nothing.",
    )
    blocks: int = Field(1, ge=1, le=4, description="mores only: interaction blocks.")
    tied: bool = Field(
        False, description="mores only: queries are read by the document encoder's own layers (the authors' code)."
    )
    block_start: Literal["paper", "random", "equal"] = Field(
        "paper",
        description="mores only: the cross-attention starts as a copy of the self-attention, or random; equal: as one "
        "that looks for equal pieces, for encoders made from scratch.",
    )
    knowledge: bool = Field(
        False, description="mores only: a second, fixed cross-attention by M^tr in every block (ours, no paper's)."
    )
    adapt: Literal["all", "interaction", "representation"] = Field(
        "all", description="mores only: what fine-tuning moves; interaction: blocks and head."
    )
    ranking: MoresRankingSettings = Field(
        MoresRankingSettings(), description="mores only: its training on the examples of `pretrain.ranking`, if any."
    )
    training: ModelTrainingSettings = Field(
        ModelTrainingSettings(), description="Fine-tuning of this model where it differs from `training`."
    )
    adapters: ModelAdapterSettings | None = Field(
        None, description="Train adapters in a frozen encoder (MAD-X) in place of all weights; true: all defaults."
    )
    masked_language: Literal["source", "target"] | None = Field(
        None,
        description="Before training, all weights of the encoder learn the query language of the pair that is trained "
        "on (source: MLM-src) or ranked (target: MLM-trg), from `adapters.languages`.",
    )
    task_from: Pair | None = Field(None, description="As the pair's, for this model alone.")
    zero_shot: bool = Field(
        False, description="bert only. Score with the head that checkpoint or pre-training left: nothing is fine-tuned."
    )
    pooler: bool = Field(False, description="bert and mart: read [CLS] through the checkpoint's pooler.")
    dropout: float | None = Field(None, ge=0, lt=1, description="Default: what the checkpoint says.")
    label: str | None = Field(None, description="Row title in tables.")

    @property
    def reads_translations(self) -> bool:
        """Whether the model is given M^tr, be it the true one or another."""
        return self.arm.has_links and self.has_branch

    @property
    def has_branch(self) -> bool:
        """Whether the model has a part that M^tr, or what stands for it, is given to."""
        return self.kind == "mart" or (self.kind == "mores" and self.knowledge)

    @property
    def reads_table(self) -> bool:
        """Whether M^tr comes from a table of translations."""
        return self.arm.reads_table and self.has_branch

    @property
    def parts(self) -> dict[str, Any]:
        """What the model is made of, as ``build_reranker`` is told it."""
        arm = Arm.translation if self.arm.has_links else self.arm  # of other links the head knows nothing
        shared: dict[str, Any] = {"kind": self.kind, "dropout": self.dropout}
        if self.kind != "mores":
            return shared | {
                "arm": arm.value,
                "mat_layers": self.mat_layers,
                "init": self.init,
                "pooler": self.pooler,
            }
        shared |= {"blocks": self.blocks, "tied": self.tied, "block_start": self.block_start}
        return shared | {"arm": arm.value if self.knowledge else None, "init": self.init, "adapt": self.adapt}


PRESETS: dict[str, dict[str, Any]] = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mart-blocks": {"kind": "mart", "arm": "blocks"},
    "zero-shot": {"kind": "bert", "zero_shot": True},
    "mores": {"kind": "mores"},
    "mores-mat": {"kind": "mores", "knowledge": True, "arm": "translation"},
    "mores-plb": {"kind": "mores", "knowledge": True, "arm": "identity"},
}
