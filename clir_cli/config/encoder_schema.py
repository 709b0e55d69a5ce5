"""Settings of the encoder that re-rankers are built on, and of what happens to it before any fold."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from clir_cli.config.settings import Name, Pair, Settings


class CheckpointOf(Settings):
    """Weights of another experiment's model, of the same fold or trained on other topics."""

    experiment: Name = Field(description="The other experiment.")
    model: Name = Field(description="Its model.")
    pair: Pair | None = Field(None, description="Its pair; default: the same pair.")


class EncoderSettings(Settings):
    """The pre-trained encoder under every re-ranker. A bare string is short for ``{checkpoint: ...}``."""

    checkpoint: str | CheckpointOf | None = Field(
        None, description="Hub name, local folder, or another experiment's model; left out where `pretrain` builds one."
    )
    revision: str | None = Field(None, description="Commit of the hub checkpoint: pin it.")
    layers: int | None = Field(None, ge=1, description="Keep only the first layers; default: all.")
    text: Literal["raw", "folded"] = Field("raw", description="What the encoder reads: raw text, or folded words.")
    max_pieces: int = Field(512, ge=16, description="Word pieces of one input, special pieces included.")
    document_pieces: int = Field(800, ge=1, description="Word pieces of a document that are read at all.")
    ranking_pretrained: bool = Field(
        False, description="Say true where the checkpoint was trained for ranking (MS MARCO): only then is it m2BERT."
    )

    @model_validator(mode="before")
    @classmethod
    def _bare_name(cls, value: Any) -> Any:
        return {"checkpoint": value} if isinstance(value, str) else value


class ArchitectureSettings(Settings):
    """A BERT made from scratch, with a WordPiece vocabulary learned from the pre-training text."""

    layers: int = Field(4, ge=1, description="Transformer layers; MAT layers are among them.")
    width: int = Field(64, ge=8, description="Length of a hidden vector.")
    heads: int = Field(4, ge=1, description="Attention heads; they divide the width.")
    inner: int = Field(256, ge=8, description="Width inside the feed-forward part.")
    positions: int = Field(256, ge=32, description="Longest input, in word pieces.")
    vocabulary: int = Field(4000, ge=100, description="Word pieces to learn.")
    dropout: float = Field(0.1, ge=0, lt=1, description="BERT's; a small encoder trained briefly is better without.")

    @model_validator(mode="after")
    def _heads_divide_width(self) -> "ArchitectureSettings":
        if self.width % self.heads:
            raise ValueError(f"width {self.width} is not a multiple of heads {self.heads}")
        return self


class MaskedLanguageSettings(Settings):
    """Masked language modelling on documents and parallel text of the experiment."""

    collections: list[Name] = Field([], description="Collections whose documents are read.")
    bitext: list[Pair] = Field([], description="Parallel text that is read, each line a text of its own.")
    translation: bool = Field(
        False, description="Read each bitext line and its translation as one input (translation language modelling)."
    )
    steps: int = Field(1000, ge=1, description="Optimiser steps.")
    batch: int = Field(32, ge=1, description="Inputs in a step.")
    learning_rate: float = Field(
        1e-3, gt=0, description="Highest rate: it rises for a tenth of the steps, then falls to 0."
    )
    mask: float = Field(0.15, gt=0, lt=1, description="Share of pieces to predict.")
    max_pieces: int = Field(64, ge=8, description="Word pieces of one input; longer texts are cut into several.")


class RankingPretrainingSettings(Settings):
    """Ranking pairs in one language: the place MS MARCO has in the paper."""

    triples: Path | None = Field(None, description="TSV file: query, relevant text, other text.")
    titles_of: Name | None = Field(None, description="Or a collection: each title is a query for its own document.")
    queries: Path | None = Field(
        None, description="With titles_of: TSV of document id (or topic id) and text used in place of titles."
    )
    query_documents: Path | None = Field(
        None, description="With queries: qrels that say which document answers which query."
    )
    examples: int | None = Field(None, ge=1, description="Most queries used; default: all.")
    steps: int = Field(1000, ge=1, description="Optimiser steps.")
    batch: int = Field(16, ge=1, description="Pairs of a relevant and another document in one step.")
    learning_rate: float = Field(
        2e-5, gt=0, description="Highest rate: it rises for a tenth of the steps, then falls to 0."
    )
    max_pieces: int = Field(128, ge=16, description="Word pieces of one input; the document is cut there.")
    held_out: int = Field(100, ge=1, description="Most queries set aside, to measure before and after.")

    @model_validator(mode="after")
    def _one_source(self) -> "RankingPretrainingSettings":
        if (self.triples is None) == (self.titles_of is None):
            raise ValueError("give either triples or titles_of")
        if self.query_documents is not None and self.queries is None:
            raise ValueError("query_documents needs queries")
        return self


class PretrainSettings(Settings):
    """What happens to the encoder before any fold is trained; shared by all models."""

    architecture: ArchitectureSettings | None = Field(
        None, description="Build the encoder from scratch; default: continue from encoder.checkpoint."
    )
    masked_language: MaskedLanguageSettings | None = Field(
        None, description="Masked language modelling; first, if asked for."
    )
    ranking: RankingPretrainingSettings | None = Field(None, description="Ranking pairs; after it, if asked for.")
    checkpoint_every: int = Field(200, ge=1, description="Steps between the points a killed run goes on from.")

    @model_validator(mode="after")
    def _does_something(self) -> "PretrainSettings":
        if self.masked_language is None and self.ranking is None:
            raise ValueError("pretrain needs masked_language, ranking or both")
        return self
