"""Settings of fine-tuning and of re-ranking."""

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from clir_cli.config.settings import Settings


class BatchSettings(Settings):
    """Size of a step."""

    forward: int = Field(2, ge=1, description="Units in one forward pass.")
    effective: int = Field(16, ge=1, description="Units in one optimiser step.")
    unit: Literal["pairs", "documents"] = Field(
        "pairs", description="pairs: (relevant, other) pairs; documents: query-document pairs, two of them a pair."
    )

    @model_validator(mode="after")
    def _divides(self) -> "BatchSettings":
        if self.effective % self.forward:
            raise ValueError(f"effective {self.effective} is not a multiple of forward {self.forward}")
        if self.unit == "documents" and self.forward % 2:
            raise ValueError("forward must be even where the unit is documents: they come in pairs")
        return self


class ValidationSettings(Settings):
    """How the best epoch is chosen: MAP of the re-ranked validation topics."""

    topics: int | None = Field(None, ge=1, description="Most validation topics; default: all of the fold.")
    depth: int = Field(100, ge=1, description="Candidates re-ranked per topic.")
    every: int = Field(1, ge=1, description="Epochs between validations.")


class FoldSettings(Settings):
    """Cross-validation by topic id: test fold f, validation fold f+1, the rest training."""

    count: int = Field(5, ge=3, description="Folds that the topics are dealt into.")
    run: list[int] | None = Field(None, description="Folds to train and test, from 1; default: all.")


class TrainingSettings(Settings):
    """Fine-tuning of the re-rankers."""

    loss: Literal["cross_entropy", "softmax_margin", "pointwise"] = Field(
        "cross_entropy",
        description="Of pairs: -log softmax of the relevant document (paper), or 1 - softmax (authors' code); "
        "pointwise: binary cross-entropy of each document (MORES).",
    )
    pairs: Literal["per_topic", "per_positive"] = Field(
        "per_topic", description="Pairs drawn in an epoch: one a topic, or one for every relevant document."
    )
    negatives: int = Field(500, ge=1, description="Depth of the SMT run that other documents are drawn from.")
    epochs: int = Field(100, ge=1, description="Most epochs.")
    patience: int = Field(20, ge=0, description="Validations without a better MAP before training stops.")
    optimiser: Literal["adam", "adamw"] = Field("adam", description="adam (paper) or adamw.")
    learning_rate: float = Field(2e-5, gt=0, description="Of the pre-trained layers.")
    new_learning_rate: float | None = Field(None, gt=0, description="Of MAT layers and head; default: learning_rate.")
    weight_decay: float = Field(0.0, ge=0, description="Of the optimiser; on matrices only.")
    schedule: Literal["constant", "linear"] = Field("constant", description="linear falls to 0 at the last epoch.")
    warmup: int = Field(0, ge=0, description="Steps of linear warm-up.")
    clip: float | None = Field(None, gt=0, description="Largest gradient norm; default: no clipping.")
    batch: BatchSettings = Field(BatchSettings(), description="Size of a step.")
    validation: ValidationSettings = Field(ValidationSettings(), description="How the best epoch is chosen.")
    folds: FoldSettings = Field(FoldSettings(), description="Cross-validation.")
    tokens: int = Field(
        512,
        ge=1,
        description="Word pieces in one pass through the encoder, padding included; decides last digits. "
        "A card wants more: 16384.",
    )
    precision: Literal["auto", "float32", "tf32", "bf16"] = Field(
        "auto",
        description="auto: bf16 on CUDA, float32 on a CPU; tf32: faster float32 products on CUDA, float32 on a CPU.",
    )
    compile: bool = Field(False, description="Make code for the layers (torch.compile); needs a compiler.")
    gradient_checkpointing: bool = Field(False, description="Less memory for a third more time; the same results.")
    cards: int = Field(1, ge=1, description="Cards (or CPU processes) that train one model together.")
    tensorboard: bool = Field(False, description="Write numbers for TensorBoard beside the log.")
    threads: int = Field(1, ge=1, description="CPU threads of one job; part of what decides the last digits.")
    seed: int = Field(42, ge=0, lt=2**32, description="Of folds, pairs, new weights and dropout.")
    seeds: list[Annotated[int, Field(ge=0, lt=2**32)]] = Field(
        [],
        description="Several, such as [1, 2, 3]: each model is trained with every one of them in the place of `seed`, "
        "and its row is their mean, topic by topic; folds and pre-training stay those of `seed`.",
    )
    keep: Literal["best", "scores"] = Field(
        "best", description="best: keep the best weights; scores: drop them once the run is written."
    )

    @field_validator("seeds")
    @classmethod
    def _distinct(cls, value: list[int]) -> list[int]:
        if len(set(value)) < len(value):
            raise ValueError("a seed is named twice: it would train the same model again")
        return value

    @model_validator(mode="after")
    def _all_cards_work(self) -> "TrainingSettings":
        parts = self.batch.effective // self.batch.forward
        if self.cards > parts:
            raise ValueError(f"{self.cards} cards share the {parts} forward passes of a step: lower batch.forward")
        return self


class RerankingSettings(Settings):
    """The second stage."""

    depth: int = Field(100, ge=1, description="Documents of the SMT run that are re-ranked.")
    tokens: int | None = Field(
        None,
        ge=1,
        description="Word pieces scored at once, padding included; does not change scores. "
        "Default: what a core's cache holds of a layer on a CPU (341 where a layer is 1536 wide), 32768 on a card. "
        "Halved where memory runs out.",
    )
    int8: bool = Field(
        False,
        description="Score with weights quantised to 8 bits, on CPUs only: faster, and scores differ a little. "
        "Not in training.",
    )
    reuse: Literal["none", "s1", "s2", "absorbed"] = Field(
        "none",
        description="Documents of MORES: none: read with every query; s1: stored once; s2: keys and values stored, "
        "faster and larger; absorbed: stored as with s1, nearly as fast as s2.",
    )
    stored: Literal["float16", "bfloat16", "float32"] = Field(
        "float16", description="With `reuse`: numbers on disk; float32 takes twice the space."
    )
