"""Settings of what is measured, compared and mixed."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from clir_cli.config.settings import Name, Settings
from clir_cli.evaluation.question import Correction, PairedTest, TableFamily

RowName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*$")]
"""Name of a system or of an interpolation, such as ``smt+mart``."""


class InterpolationSettings(Settings):
    """A row that mixes two others: weight * first + (1 - weight) * second. ``[smt, mart]`` is short for its systems."""

    systems: list[Name] = Field(
        min_length=2, max_length=2, description="The two systems; default: those that the name joins by a plus."
    )
    normalise: Literal["minmax", "zscore", "none"] = Field(
        "minmax", description="How scores are made comparable, among the candidates of a topic."
    )
    step: float = Field(0.05, ge=0.001, le=1, description="Weights tried: 0, this, twice this, ... 1.")
    measure: str = Field(
        "AP@100", description="What the weight of a test fold is chosen for, on its validation topics; ties: the least."
    )
    label: str | None = Field(None, description="Row title in tables.")

    @model_validator(mode="before")
    @classmethod
    def _two_systems(cls, value: Any) -> Any:
        return {"systems": value} if isinstance(value, list) else value

    @field_validator("systems")
    @classmethod
    def _distinct(cls, value: list[str]) -> list[str]:
        if len(set(value)) < len(value):
            raise ValueError(f"`{value[0]}` is mixed with itself")
        return value

    @field_validator("step")
    @classmethod
    def _reaches_one(cls, value: float) -> float:
        if abs(round(1 / value) * value - 1) > 1e-6:
            raise ValueError(f"no number of steps of {value:g} makes 1: take 0.05, 0.1 or 0.25")
        return value


def named_interpolations(value: Any) -> Any:
    """``[smt+mart]`` and ``{smt+mart: {step: 0.1}}`` with the systems that the names are made of."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        value = dict.fromkeys(value)
    if not isinstance(value, dict):
        return value
    named: dict[Any, Any] = {}
    for name, body in value.items():
        parts = str(name).split("+")
        if (body is None or (isinstance(body, dict) and "systems" not in body)) and len(parts) == 2:
            named[name] = {"systems": parts} | (body or {})
        else:
            named[name] = {} if body is None else body
    return named


class ExpectedScore(Settings):
    """A mean over topics that is known. A bare number is short for ``{value: ..}``."""

    value: float = Field(description="Of the measure, over the declared topics.")
    within: float = Field(0.00005, ge=0, description="How far off is no matter; default: as printed, to four decimals.")

    @model_validator(mode="before")
    @classmethod
    def _bare_number(cls, value: Any) -> Any:
        return {"value": value} if isinstance(value, int | float) and not isinstance(value, bool) else value


class ContrastSettings(Settings):
    """A comparison of two rows. ``[mores, m2bert]`` is short for ``{system: .., baseline: ..}``."""

    system: RowName = Field(description="The system whose difference is tested...")
    baseline: RowName = Field(description="...from this one.")
    family: bool = Field(
        False, description="Whether it is corrected with the comparisons of `compare`, and marked in the table."
    )

    @model_validator(mode="before")
    @classmethod
    def _two_systems(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        if len(value) != 2:
            raise ValueError("a comparison is of two systems: [system, baseline]")
        return {"system": value[0], "baseline": value[1]}


class EvaluationSettings(Settings):
    """Measures and tests."""

    measures: list[str] = Field(
        ["AP@100", "P@10"],
        min_length=1,
        description="Names of the ir_measures package; also MRR@10, and nDCG in any letter case.",
    )
    mean: Literal["topics", "folds"] = Field(
        "topics", description="topics: mean over all topics; folds: mean of the five fold means (the paper)."
    )
    alpha: float = Field(0.05, gt=0, lt=1, description="Level of the marks in the table.")
    compare: RowName = Field("mart", description="The system whose differences are tested...")
    baselines: list[RowName] = Field(
        ["smt", "m2bert", "mart-plb"], max_length=26, description="...against these; each has a letter in the table."
    )
    test: PairedTest = Field(
        PairedTest.t,
        description="Where p comes from, over topics: paired t; randomisation (signs of the differences flipped); "
        "wilcoxon (signed ranks).",
    )
    correction: Correction = Field(
        Correction.holm, description="Of p within a family: holm, or bh (Benjamini and Hochberg)."
    )
    family: TableFamily = Field(
        TableFamily.column,
        description="What is corrected together: the comparisons of one column (pair and measure), of a pair, or of "
        "the table.",
    )
    draws: int = Field(
        100_000, ge=10_000, description="Of the randomisation test, where more than 20 topics differ; else it is exact."
    )
    seed: int = Field(0, ge=0, description="Of these draws.")
    contrasts: list[ContrastSettings] = Field(
        [],
        description="More comparisons, [system, baseline] each, outside of the family. Always made: re-rankers of kind "
        "mores against m2bert, an interpolation against its two systems.",
    )
    margins: list[Annotated[float, Field(gt=0)]] = Field(
        [0.02, 0.05], description="Margins of the equivalence tests, relative to the baseline."
    )
    oracle: bool = Field(
        False, description="A row with the re-ranked documents in the order of the judgements: none does better."
    )
