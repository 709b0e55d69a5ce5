"""Settings of what is looked at after training."""

from typing import Annotated

from pydantic import Field, field_validator

from clir_cli.config.model_schema import Arm
from clir_cli.config.settings import Name, Pair, Settings


class GapSettings(Settings):
    """The translation gap (MAT, figure 4)."""

    documents: int = Field(10, ge=1, description="Of each test topic, the first stage's best.")
    threshold: float = Field(
        0.1, ge=0, lt=1, description="A query word and a document word are translations where p is above this."
    )
    random_pairs: int = Field(10, ge=1, description="Pairs an input that are no translations, drawn (paper: 10).")
    seed: int = Field(42, ge=0, description="Of the drawing.")


class AblationSettings(Settings):
    """What is put in the place of a model's parts, one part at a time."""

    model: Name | None = Field(
        None,
        description="The model that is varied; default: mart where a pair trains it, else the first that has the part.",
    )
    layers: list[Annotated[list[int], Field(min_length=1)]] | None = Field(
        None,
        min_length=1,
        max_length=20,
        description="`clir ablate layers`: sets of layers that carry M^tr, counted from 1 as in the paper "
        "(`mat_layers` counts from 0), or from the end: -1 is the last; default: the paper's (figure 5) as far as the "
        "encoder has them: [-4], [-3], [-2], [-3, -2], [-4, -3, -2], which of 12 are 9, 10, 11, 10 and 11, 9 to 11.",
    )
    sources: list[Name] | None = Field(
        None,
        description="`clir ablate knowledge`: sources of translations that M^tr is taken from; default: all that a "
        "pair has under `knowledge`, its parallel text and its word vectors.",
    )
    arms: list[Arm] = Field(
        [Arm.identity, Arm.blocks, Arm.shuffled, Arm.transposed, Arm.copies],
        min_length=1,
        description="`clir ablate matrix`: what is given in place of M^tr, as `models.*.arm`.",
    )
    task_from: list[Pair] | None = Field(
        None,
        min_length=1,
        description="`clir ablate task`: pairs whose topics the model learns on; default: all judged pairs whose "
        "languages are there.",
    )
    against: Name | None = Field(
        None, description="`clir ablate task`: the model it is compared with; default: the first that is trained whole."
    )
    shares: list[Annotated[float, Field(gt=0, lt=1)]] = Field(
        [0.125, 0.25, 0.5],
        min_length=1,
        description="`clir ablate steps`: shares of the steps in which the ranked language was learned.",
    )

    @field_validator("layers")
    @classmethod
    def _counted_from_one(cls, value: list[list[int]] | None) -> list[list[int]] | None:
        if any(0 in numbers for numbers in value or []):
            raise ValueError("layers are counted from 1 here: there is no layer 0")
        return value


class AnalysisSettings(Settings):
    """What is looked at in trained models."""

    gap: GapSettings = Field(GapSettings(), description="`clir gap`.")
    ablation: AblationSettings = Field(AblationSettings(), description="`clir ablate`.")
