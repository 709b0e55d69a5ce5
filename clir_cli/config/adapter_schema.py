"""Settings of adapters (MAD-X): which text a language is learned from, how, and how they stand in a re-ranker."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from clir_cli.config.settings import Language, Name, Pair, Settings, as_list


class LanguageTextSettings(Settings):
    """What one language is learned from. A bare path, or a list of them, is short for ``{text: ...}``."""

    text: list[Path] = Field([], description="Plain text, a line a text; plain or .gz.")
    collections: list[Name] = Field([], description="Collections whose documents are read.")
    bitext: list[Pair] = Field([], description="Parallel text whose side in this language is read.")
    adapter: str | None = Field(
        None, description="Instead: a finished adapter in AdapterHub's format, a folder or a hub name."
    )
    revision: str | None = Field(None, description="Commit of the hub adapter: pin it.")
    steps: int | None = Field(None, ge=1, description="Optimiser steps; default: as of all languages.")
    epochs: float | None = Field(None, gt=0, description="Or passes over this text; default: as of all languages.")

    @model_validator(mode="before")
    @classmethod
    def _bare_path(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str | Path | list) else value

    @model_validator(mode="after")
    def _one_source(self) -> "LanguageTextSettings":
        reads = bool(self.text or self.collections or self.bitext)
        if reads == (self.adapter is not None):
            raise ValueError("give either text (text, collections, bitext) or a finished adapter")
        if self.steps is not None and self.epochs is not None:
            raise ValueError("give either steps or epochs")
        if self.adapter is not None and (self.steps is not None or self.epochs is not None):
            raise ValueError("a finished adapter learns nothing: leave steps and epochs out")
        return self

    _paths = field_validator("text", mode="before")(as_list)


class AdaptersSettings(Settings):
    """Languages and how they are learned, by masked language modelling: adapters, or (MLM-src, MLM-trg) all weights."""

    languages: dict[Language, LanguageTextSettings] = Field({}, description="Language -> what it is learned from.")
    reduction: float = Field(2, gt=0, description="d over the inner width of a language adapter's bottlenecks.")
    left_out: list[int] = Field([], description="Layers, from 0, without a language adapter (MAD-X 2.0: the last).")
    steps: int = Field(250_000, ge=1, description="Optimiser steps.")
    epochs: float | None = Field(None, gt=0, description="Passes over the text, in place of `steps`.")
    batch: int = Field(64, ge=1, description="Inputs in a step.")
    learning_rate: float = Field(
        1e-4, gt=0, description="Highest rate of adapters: it rises for a tenth of the steps, then falls to 0."
    )
    full_learning_rate: float = Field(5e-5, gt=0, description="The same where all weights are trained.")
    full_steps: int | None = Field(None, ge=1, description="Steps where all weights are trained; default: `steps`.")
    mask: float = Field(0.15, gt=0, lt=1, description="Share of pieces to predict.")
    whole_words: bool = Field(False, description="Hide all pieces of a word together.")
    max_pieces: int = Field(128, ge=8, description="Word pieces of one input; lines are packed end to end.")
    head_steps: int = Field(
        1000, ge=1, description="Steps of the language head alone, where the checkpoint has none; then it is frozen."
    )
    head_learning_rate: float = Field(1e-3, gt=0, description="Highest rate of that head.")
    checkpoint_every: int = Field(1000, ge=1, description="Steps between the points a killed run goes on from.")


class ModelAdapterSettings(Settings):
    """Adapters in one re-ranker: encoder frozen, task adapters, head and MAT layers trained. ``true``: all defaults."""

    language: bool = Field(True, description="Language adapters in the layers; false: MAD-X -lad.")
    invertible: bool = Field(True, description="Invertible adapters after the embeddings; false: MAD-X -inv.")
    reduction: float = Field(16, gt=0, description="d over the inner width of the task adapter's bottlenecks.")
    stacking: Literal["paper", "adapterhub"] = Field(
        "paper", description="How a task adapter stands on a language adapter: equation 2, or as AdapterHub does it."
    )
    drop_last: bool = Field(False, description="No language adapter in the last layer (MAD-X 2.0).")
    segments: Literal["own", "query", "document"] = Field(
        "own", description="Adapters a piece goes through: of its own text's language, or of one text's for all pieces."
    )
    share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="Of the steps of languages that a pair is ranked through and the model was not trained with.",
    )
    learning_rate: float = Field(1e-4, gt=0, description="Of all that moves; `training.learning_rate` is not used.")

    @model_validator(mode="before")
    @classmethod
    def _bare_true(cls, value: Any) -> Any:
        return {} if value is True else value

    @model_validator(mode="after")
    def _invertible_needs_language(self) -> "ModelAdapterSettings":
        if not self.language and self.invertible and "invertible" in self.model_fields_set:
            raise ValueError("invertible adapters belong to a language: with language false they are off too")
        return self

    def spoken(self, pair: str) -> tuple[str | None, str | None]:
        """Languages whose adapters the query's and the document's pieces of a pair go through."""
        if not self.language:
            return None, None
        query, document = pair.split("-")
        return {"own": (query, document), "query": (query, query), "document": (document, document)}[self.segments]
