"""Settings of the first stage."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from clir_cli.config.settings import Settings


class PsqSettings(Settings):
    """Probabilistic structured queries (Darwish and Oard 2003): which translations of a query word make it up."""

    cut: float = Field(
        1.0, gt=0, le=1, description="Best translations while their probabilities sum to no more; the first always."
    )
    threshold: float = Field(1e-4, ge=0, lt=1, description="Translations need a probability above this (strictly).")
    renormalise: bool = Field(False, description="Whether the probabilities of what is kept are divided by their sum.")


class DenseSettings(Settings):
    """Dense retrieval: texts as vectors of an encoder that was trained for it. A bare string is the checkpoint."""

    checkpoint: str | None = Field(
        None,
        description="Hub name or local folder; default: the encoder of the re-rankers (what `pretrain` made, where it "
        "is asked for), its revision, layers and form of text.",
    )
    revision: str | None = Field(None, description="Commit of the hub checkpoint: pin it.")
    layers: int | None = Field(None, ge=1, description="Keep only the first layers; default: all.")
    pooling: Literal["mean", "cls"] = Field(
        "mean", description="A text's vector: the mean over its pieces, special ones included, or what [CLS] became."
    )
    query_prefix: str = Field("", description="Put before every query: `query: ` for E5.")
    document_prefix: str = Field("", description="Put before every document: `passage: ` for E5.")
    max_pieces: int = Field(
        512,
        ge=16,
        description="Word pieces of a text that are read, prefix and special ones included; the rest is cut.",
    )
    similarity: Literal["cosine", "dot"] = Field("cosine", description="Of two vectors: their cosine or their product.")
    stored: Literal["float32", "float16"] = Field(
        "float32", description="Numbers of the vectors on disk; float16 takes half the space."
    )
    block: int = Field(8192, ge=1, description="Documents compared at once; does not change scores.")
    tokens: int | None = Field(
        None,
        ge=1,
        description="Word pieces embedded at once, padding included; does not change vectors. "
        "Default: what a core's cache holds of a layer on a CPU (341 where a layer is 1536 wide), 32768 on a card. "
        "Halved where memory runs out.",
    )

    @model_validator(mode="before")
    @classmethod
    def _bare_name(cls, value: Any) -> Any:
        return {"checkpoint": value} if isinstance(value, str) else value


def _distinct_methods(value: list[str]) -> list[str]:
    if len(set(value)) < len(value):
        raise ValueError("a method is named twice")
    return value


class RetrievalSettings(Settings):
    """The first stage: BM25 over translated queries (SMT, PSQ) or human translations, and dense retrieval."""

    methods: Annotated[list[Literal["smt", "psq", "dense"]], AfterValidator(_distinct_methods)] = Field(
        ["smt"],
        min_length=1,
        description="How documents are found, a row in the tables each. smt: every translation is a word of the query; "
        "psq: a query word is all of its translations at once; dense: by vectors of both texts, without translations. "
        "Re-rankers read the documents of the first of smt, psq, dense that is run.",
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
    dense: DenseSettings = Field(DenseSettings(), description="The vectors of dense retrieval.")
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
