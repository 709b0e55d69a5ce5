"""The settings under ``knowledge``: where translations come from. Part of the manual of ``experiments.yaml``."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from clir_cli.config.settings import Language, Name, Settings, as_list


class AlignSettings(Settings):
    """How a table is learned from parallel text."""

    tool: Literal["clir", "eflomal"] = Field(
        "clir",
        description="eflomal (pip install 'clir[eflomal]') makes links: its table is counted from them.",
    )
    words: Literal["all", "content"] = Field(
        "all",
        description="all: stop words, numbers and punctuation guide the alignment and then leave the table; content: "
        "the aligner sees content words only.",
    )
    model1: int = Field(3, ge=0, le=100, description="Iterations of IBM Model 1.")
    model2: int = Field(0, ge=0, le=100, description="Then of Model 2 in fast_align's form.")
    hmm: int = Field(5, ge=0, le=100, description="Then of the HMM.")
    agreement: bool = Field(
        True, description="Train both directions together, so that they agree (Liang et al. 2006), or each alone."
    )
    null_probability: float = Field(0.1, gt=0, lt=1, description="That a word comes from nothing.")
    family_weight: float = Field(
        20.0, ge=0, description="Pseudo-counts by which words that begin alike back each other off; 0: off."
    )
    family_letters: int = Field(5, ge=1, description="Longer words are a family where so many first letters are equal.")
    bayes: float = Field(
        0.0, ge=0, description="Sparse Dirichlet prior (variational Bayes, Riley and Gildea 2012); 0: none."
    )
    symmetrisation: Literal[
        "agreement", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and", "forward",
        "backward",
    ] = Field(
        "agreement",
        description="How the links of both directions become one set. agreement: by the product of their probabilities "
        "(with eflomal, which gives none: grow-diag-final-and).",
    )  # fmt: skip
    table: Literal["expected", "links"] = Field(
        "expected", description="expected: of EM's expected counts; links: counted from the links, as Moses does."
    )
    min_probability: float = Field(1e-4, ge=0, lt=1, description="Entries below this leave the table.")
    max_translations: int = Field(100, ge=1, description="Most translations kept for a source word.")
    max_length: int = Field(
        100, ge=1, le=32767, description="Sentence pairs with more words on a side are skipped and counted."
    )
    max_ratio: float = Field(
        9.0, ge=1, description="So are those with so many times the words of the other side, if it has more than 10."
    )

    @model_validator(mode="after")
    def _learns(self) -> "AlignSettings":
        if self.tool == "clir" and not self.model1 + self.model2 + self.hmm:
            raise ValueError("nothing is learned: model1, model2 and hmm are 0")
        if self.bayes and self.family_weight:
            raise ValueError("family_weight and bayes are two ways to smooth: set one of them to 0")
        return self


class TableSettings(Settings):
    """A table of another tool. A bare path is short for ``{path: ...}``."""

    path: Path = Field(description="The file; plain or .gz.")
    format: Literal[
        "auto", "matclir", "tsv", "giza", "giza-inverse", "moses-lex", "moses-phrases", "fast-align", "eflomal",
        "patapsco", "fast-psq",
    ] = Field("auto", description="auto goes by name, then by look; matclir: `source target p`.")  # fmt: skip
    vocabularies: list[Path] | None = Field(
        None, min_length=2, max_length=2, description="GIZA++ only: its two .vcb files, source first."
    )
    swap: bool = Field(False, description="The numbers are conditional on the other word than the format has it.")
    invert: bool | None = Field(
        None,
        description="They are P(query word | document word): Bayes' rule turns them round; default: as the format is.",
    )
    encoding: str = Field("utf-8", description="Encoding of the file.")

    @model_validator(mode="before")
    @classmethod
    def _bare_path(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str | Path) else value


class DictionarySettings(Settings):
    """Bilingual word lists. A bare path (or a list of them) is short for ``{path: ...}``."""

    path: list[Path] = Field(min_length=1, description="File or list of files; plain or .gz.")
    format: Literal["auto", "tsv", "muse", "panlex", "freedict", "ding"] = Field(
        "auto", description="auto goes by look, file by file."
    )
    source: int = Field(
        1, ge=1, description="Where the query language stands: a column in TSV, else side 1 or 2 of an entry."
    )
    target: int = Field(2, ge=1, description="Where the document language stands.")
    weights: Literal["uniform", "quality"] = Field(
        "uniform", description="uniform: every translation of a word has the same probability; quality: as it is rated."
    )
    quality: int | None = Field(None, ge=1, description="tsv only: column of the rating; default: after the words.")
    uids: dict[Language, list[str]] = Field(
        {}, description="panlex only: varieties taken for a language, such as {swa: [swh-000]}; default: all of it."
    )

    @model_validator(mode="before")
    @classmethod
    def _bare_path(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str | Path | list) else value

    @model_validator(mode="after")
    def _two_sides(self) -> "DictionarySettings":
        if self.source == self.target:
            raise ValueError(f"source and target are both {self.source}")
        return self

    _paths = field_validator("path", mode="before")(as_list)


class EmbeddingsSettings(Settings):
    """Nearest neighbours among the word vectors of the experiment's ``vectors``."""

    neighbours: int = Field(5, ge=1, description="Nearest words of the other language that are translations.")
    csls: bool = Field(
        False, description="Rank by CSLS (Conneau et al. 2018) instead of the cosine, against words near to everything."
    )


class NamedSource(Settings):
    """A source with a name of its own: exactly one of table, dictionary, embeddings, pivot."""

    table: TableSettings | None = Field(None, description="As `knowledge.table`.")
    dictionary: DictionarySettings | None = Field(None, description="As `knowledge.dictionary`.")
    embeddings: EmbeddingsSettings | None = Field(None, description="As `knowledge.embeddings`.")
    pivot: Language | None = Field(None, description="As `knowledge.pivot`.")

    @model_validator(mode="after")
    def _exactly_one(self) -> "NamedSource":
        if sum(getattr(self, kind) is not None for kind in NamedSource.model_fields) != 1:
            raise ValueError(f"give exactly one of {', '.join(NamedSource.model_fields)}")
        return self


SOURCES = ("bitext", "table", "dictionary", "embeddings", "pivot", "mix")
"""Kinds of translation knowledge, and the names of those that have none of their own."""


class KnowledgeSettings(Settings):
    """Where translation probabilities P(document word | query word) come from."""

    source: Name = Field(
        "auto",
        description="bitext, table, dictionary, embeddings, pivot, mix, or a name under `named`; auto: what is named "
        "here, else the pair's bitext; none: no translation, only human translations are searched.",
    )
    align: AlignSettings = Field(AlignSettings(), description="How parallel text is aligned.")
    table: TableSettings | None = Field(None, description="A table that another tool made.")
    dictionary: DictionarySettings | None = Field(None, description="Word lists: PanLex, FreeDict, Ding, MUSE, TSV.")
    embeddings: EmbeddingsSettings | None = Field(None, description="Word vectors of both languages in one space.")
    pivot: Language | None = Field(
        None, description="Through this language: som-deu over eng takes parallel text of som-eng and eng-deu."
    )
    mix: dict[Name, Annotated[float, Field(gt=0)]] | None = Field(
        None, description="Several sources weighted, such as {bitext: 0.8, panlex: 0.2}."
    )
    named: dict[Name, NamedSource] = Field({}, description="More sources, by a name for `source` and `mix`.")

    @field_validator("mix", mode="after")
    @classmethod
    def _of_nothing_is_none(cls, value: dict[str, float] | None) -> dict[str, float] | None:
        return value or None

    @field_validator("named", mode="after")
    @classmethod
    def _names_of_their_own(cls, value: dict[str, NamedSource]) -> dict[str, NamedSource]:
        taken = [name for name in value if name in (*SOURCES, "auto", "none")]
        if taken:
            raise ValueError(f"`{taken[0]}` is the name of a kind of source: choose another")
        return value
