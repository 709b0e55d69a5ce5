"""Settings of the first stage."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from clir_cli.config.settings import Settings


class PsqSettings(Settings):
    """Probabilistic structured queries (Darwish and Oard 2003): which translations of a query word make it up."""

    cut: float = Field(
        1.0, gt=0, le=1, description="Best translations while their probabilities sum to no more; the first always."
    )
    threshold: float = Field(1e-4, ge=0, lt=1, description="Translations need a probability above this (strictly).")
    renormalise: bool = Field(False, description="Whether the probabilities of what is kept are divided by their sum.")


def _distinct_methods(value: list[str]) -> list[str]:
    if len(set(value)) < len(value):
        raise ValueError("a method is named twice")
    return value


class RetrievalSettings(Settings):
    """The first stage: BM25 over translated queries (SMT, PSQ) or human translations."""

    methods: Annotated[list[Literal["smt", "psq"]], AfterValidator(_distinct_methods)] = Field(
        ["smt"],
        min_length=1,
        description="How queries are translated, a row in the tables each. smt: every translation is a word of the "
        "query; psq: a query word is all of its translations at once. Re-rankers read SMT's documents where it is run.",
    )
    engine: Literal["lucene", "sparse"] = Field(
        "lucene",
        description="Of SMT and human translation. sparse: an engine of our own, the same ranking without Java, and "
        "faster. PSQ always runs on it.",
    )
    exact_lengths: bool = Field(
        False, description="sparse and PSQ only: document lengths as they are, not in Lucene's one byte."
    )
    psq: PsqSettings = Field(PsqSettings(), description="The translations of PSQ.")
    translations: int = Field(10, ge=1, description="SMT only: best translations of a query word.")
    structure: Literal["nested", "flat"] = Field(
        "nested",
        description="SMT only. nested: each query word weighs the same; flat: its table mass decides (#combine).",
    )
    out_of_table: Literal["keep", "drop"] = Field("keep", description="Query words without translations.")
    k1: float = Field(1.2, ge=0, description="BM25's term frequency saturation.")
    b: float = Field(0.75, ge=0, le=1, description="BM25's length normalisation.")
    depth: int = Field(1000, ge=1, le=1_000_000, description="Documents retrieved per topic.")
    heap: str = Field("1g", pattern=r"^\d+[mg]$", description="Memory of the Java machine (Lucene's).")
