"""Every setting of an experiment: the manual of ``experiments.yaml``.

A file holds named experiments under ``experiments:``. Each field below is one key; its description is what
``clir config --describe`` and the documentation print. Unknown keys are refused. Where the paper (MAT,
CIKM 2021) gives a value, that value is the default.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from clir_cli.config.adapter_schema import AdaptersSettings
from clir_cli.config.analysis_schema import AnalysisSettings
from clir_cli.config.encoder_schema import EncoderSettings, PretrainSettings
from clir_cli.config.evaluation_schema import (
    EvaluationSettings,
    ExpectedScore,
    InterpolationSettings,
    RowName,
    named_interpolations,
)
from clir_cli.config.knowledge_schema import KnowledgeSettings
from clir_cli.config.model_schema import PRESETS, ModelSettings
from clir_cli.config.retrieval_schema import RetrievalSettings
from clir_cli.config.settings import Language, Name, Pair, Settings, as_list
from clir_cli.config.training_schema import RerankingSettings, TrainingSettings
from clir_cli.corpora.topics import parse_ranges


def _checked_numbers(value: Any) -> str:
    parse_ranges(str(value))
    return str(value)


Numbers = Annotated[str, BeforeValidator(_checked_numbers)]
"""Ranges of topic numbers, both ends included."""


class PoolSettings(Settings):
    """What was searched and judged for some of the topics: CLEF's collections changed by year."""

    topics: Numbers = Field(description="Numbers of the topics, such as 91-140.")
    documents: list[str] = Field(
        min_length=1, description="How the ids of the documents begin that are searched for them: [LEMONDE94, ATS.94]."
    )


class CollectionSettings(Settings):
    """Documents of one language. A bare path is short for ``{path: ...}``."""

    path: list[Path] = Field([], description="File, folder or list of them; .gz is read as it is.")
    dataset: str | None = Field(
        None, description="Instead of a path: a name of the ir_datasets package (pip install 'clir[datasets]')."
    )
    language: Language | None = Field(None, description="Language of the text; default: the collection's own name.")
    format: Literal["auto", "jsonl", "tsv", "trec", "clef", "squad"] = Field(
        "auto",
        description="auto goes by the suffix, then by look; clef: the ten collections of CLEF ad hoc, told by their "
        "DOCNO; trec: other TREC SGML; squad: the paragraphs of SQuAD-format JSON.",
    )
    encoding: str | None = Field(None, description="Encoding of the files; default utf-8, for clef iso-8859-1.")
    fields: list[str] | None = Field(
        None, description="trec only: the tags whose text is read; default: those that usually hold text."
    )
    faults: Literal["stop", "skip"] = Field(
        "stop", description="A document that cannot be read stops the run, or is left out, counted and reported."
    )
    pools: list[PoolSettings] | None = Field(
        None, description="Where topics were judged on parts of it: each topic searches its part; others leave."
    )

    @model_validator(mode="before")
    @classmethod
    def _bare_path(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str | Path | list) else value

    @model_validator(mode="after")
    def _one_source(self) -> "CollectionSettings":
        if bool(self.path) == (self.dataset is not None):
            raise ValueError("give either a path or a dataset")
        return self

    _paths = field_validator("path", mode="before")(as_list)


class TopicSettings(Settings):
    """Topics in one language. A bare path is short for ``{path: ...}``."""

    path: list[Path] = Field(min_length=1, description="File or list of files.")
    format: Literal["auto", "tsv", "jsonl", "clef", "clef2000", "direct", "blocks"] = Field(
        "auto",
        description="auto goes by suffix and look, file by file; clef: SGML of 2001 to 2006; clef2000: tags are not "
        "closed; direct: XML of the DIRECT system; blocks: `query_id:` and so on.",
    )
    encoding: str | None = Field(
        None, description="Encoding of the files; default utf-8 (XML: as it declares), for CLEF SGML iso-8859-1."
    )
    numbers: Numbers | None = Field(None, description="Only the topics of these numbers, such as 41-200.")
    fields: list[Literal["title", "description", "narrative"]] = Field(
        ["title", "description"], min_length=1, description="Parts that make the query, joined in this order."
    )

    @model_validator(mode="before")
    @classmethod
    def _bare_path(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str | Path | list) else value

    _paths = field_validator("path", mode="before")(as_list)


class BitextSettings(Settings):
    """Parallel text of a pair. A list of two paths is short for ``{source: .., target: ..}``."""

    source: Path = Field(description="Sentences in the query language, one a line; plain or .gz.")
    target: Path = Field(description="The same sentences in the document language, line by line.")
    encoding: str = Field("utf-8", description="Encoding of both files.")

    @model_validator(mode="before")
    @classmethod
    def _two_paths(cls, value: Any) -> Any:
        if isinstance(value, list):
            if len(value) != 2:
                raise ValueError("a bitext is two files: [query language, document language]")
            return {"source": value[0], "target": value[1]}
        return value


class LanguageSettings(Settings):
    """How words of one language are treated."""

    stop_words: Literal["iso", "none"] | Path = Field(
        "iso", description="iso: the list of the stopwordsiso package; none; or a file with one word a line."
    )


class MatrixSettings(Settings):
    """How the translation matrix M^tr is filled (Algorithm 1)."""

    copy_rule: Literal["never", "oov", "always"] = Field(
        "never",
        alias="copy",
        description="Equal strings linked with p=1: never (the paper), for words outside the table, or always "
        "where a word is not among its own translations (the authors' code).",
    )
    stop_words: Literal["skip", "keep"] = Field("skip", description="Whether stop words may have links.")
    threshold: float = Field(0.0, ge=0, lt=1, description="Links need a probability above this (strictly).")
    source: Name | None = Field(
        None, description="Another source of translations than the first stage's, named as `knowledge.source`."
    )

    model_config = ConfigDict(populate_by_name=True)


QrelsPaths = Annotated[list[Path], BeforeValidator(as_list), Field(min_length=1)]


class ReportSettings(Settings):
    """What results may show."""

    text: Literal["full", "ids"] | None = Field(
        None,
        description="ids: no text of topics or documents in reports, result folders, links and errors, only their ids. "
        "Default: ids where a collection has format clef (its text is licensed), else full.",
    )


class PairSettings(Settings):
    """What differs for one pair; every group here is laid over the experiment's."""

    collection: Name | None = Field(None, description="Collection searched; default: the one in the document language.")
    qrels: Name | None = Field(None, description="Key under `qrels`; default: the collection's name.")
    topics: Name | None = Field(None, description="Key under `topics` for the queries; default: the query language.")
    models: list[Name] | None = Field(None, description="Which of the experiment's models to train; [] for none.")
    task_from: Pair | None = Field(
        None, description="Another pair, whose topics its models are trained on: transfer. Folds are by topic id."
    )
    interpolation: list[RowName] | None = Field(None, description="Which of its interpolations to make; [] for none.")
    knowledge: dict[str, Any] = Field({}, description="Laid over the experiment's.")
    retrieval: dict[str, Any] = Field({}, description="Laid over the experiment's.")
    matrix: dict[str, Any] = Field({}, description="Laid over the experiment's.")
    training: dict[str, Any] = Field({}, description="Laid over the experiment's.")
    reranking: dict[str, Any] = Field({}, description="Laid over the experiment's.")


class ExperimentSettings(Settings):
    """One experiment: everything from raw files to the printed table."""

    description: str = Field("", description="One line for lists.")
    collections: dict[Name, CollectionSettings] = Field(description="Documents, by name (usually a language).")
    topics: dict[Name, TopicSettings] = Field(
        description="Topics by language; the document language's are the human translation."
    )
    topics_intersect: list[Name] = Field(
        [],
        description="Written as `topics.intersect: [deu, fra]`: pairs that ask in one of these languages keep only the "
        "topics that all of them have (MAT: 246 topics of four languages).",
    )
    qrels: dict[Name, QrelsPaths] = Field(
        {},
        description="Judgements, by collection: a file or a list of files. Without any there are runs and no tables.",
    )
    pairs: dict[Pair, PairSettings] = Field(description="Pairs to run, a list or a mapping with overrides.")
    bitext: dict[Pair, BitextSettings] = Field(
        {}, description="Parallel text by pair; that of deu-eng serves eng-deu too."
    )
    vectors: dict[Language, Path] = Field(
        {}, description="Word vectors by language, all in one space (MUSE's wiki.multi.*.vec); plain or .gz."
    )
    languages: dict[Language, LanguageSettings] = Field({}, description="Only where a default does not fit.")
    knowledge: KnowledgeSettings = Field(KnowledgeSettings(), description="Translation tables.")
    retrieval: RetrievalSettings = Field(RetrievalSettings(), description="The first stage.")
    matrix: MatrixSettings = Field(MatrixSettings(), description="The translation matrix M^tr.")
    encoder: EncoderSettings = Field(EncoderSettings(), description="What re-rankers are built on.")
    pretrain: PretrainSettings | None = Field(None, description="What happens to the encoder before any fold.")
    adapters: AdaptersSettings = Field(AdaptersSettings(), description="Languages that an encoder learns from text.")
    models: dict[Name, ModelSettings] = Field(
        {name: ModelSettings(**PRESETS[name]) for name in ("m2bert", "mart-plb", "mart")},
        description="Re-rankers: names of presets (m2bert, mart-plb, mart, mart-blocks, zero-shot) or a mapping; "
        "[] for none.",
    )
    training: TrainingSettings = Field(TrainingSettings(), description="Fine-tuning.")
    reranking: RerankingSettings = Field(RerankingSettings(), description="The second stage.")
    interpolation: dict[RowName, InterpolationSettings] = Field(
        {},
        description="Rows that mix two others: a list of names such as smt+mart, or a mapping. For pairs with both.",
    )
    evaluation: EvaluationSettings = Field(EvaluationSettings(), description="Measures and tests.")
    analysis: AnalysisSettings = Field(AnalysisSettings(), description="What is looked at in trained models.")
    report: ReportSettings = Field(ReportSettings(), description="What results may show.")
    expected: dict[Pair, dict[RowName, dict[str, ExpectedScore]]] = Field(
        {},
        description="Scores that `clir verify` checks: pair, system, measure. An experiment that extends this one "
        "expects none of them.",
    )

    @field_validator("pairs", mode="before")
    @classmethod
    def _pairs_as_mapping(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {pair: {} for pair in value}
        if isinstance(value, dict):
            return {pair: {} if override is None else override for pair, override in value.items()}
        return value

    _interpolations_as_mapping = field_validator("interpolation", mode="before")(named_interpolations)

    @field_validator("models", mode="before")
    @classmethod
    def _models_as_mapping(cls, value: Any) -> Any:
        if isinstance(value, list):
            value = dict.fromkeys(value)
        if not isinstance(value, dict):
            return value
        merged = {}
        for name, model in value.items():
            if model is None and name not in PRESETS:
                raise ValueError(f"{name!r} is no preset ({', '.join(PRESETS)}): give it a kind")
            merged[name] = {**PRESETS.get(name, {}), **(model or {})} if isinstance(model, dict | None) else model
        return merged


def languages_of(pair: str) -> tuple[str, str]:
    """``deu-eng`` -> (query language, document language).

    Raises ``ValueError`` where ``pair`` is not two ISO 639-3 codes.
    """
    if not re.fullmatch(r"[a-z]{3}-[a-z]{3}", pair):
        raise ValueError(f"{pair!r} is not a pair such as deu-eng")
    source, target = pair.split("-")
    return source, target
