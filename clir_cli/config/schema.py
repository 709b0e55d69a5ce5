"""Every setting of an experiment: the manual of ``experiments.yaml``.

A file holds named experiments under ``experiments:``. Each field below is one key; its description is what
``clir config --describe`` and the documentation print. Unknown keys are refused. Where the paper (MAT,
CIKM 2021) gives a value, that value is the default.
"""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from clir_cli.config.knowledge_schema import KnowledgeSettings
from clir_cli.config.settings import Language, Name, Pair, Settings, as_list
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


class Arm(StrEnum):
    """What the translation head is given."""

    translation = "translation"
    identity = "identity"
    blocks = "blocks"


class ModelSettings(Settings):
    """One re-ranker: an encoder, with or without MAT layers."""

    kind: Literal["bert", "mart"] = Field(description="bert: m2BERT; mart: with Mixed Attention Transformer layers.")
    arm: Arm = Field(
        Arm.translation,
        description="mart only. translation: M^tr; identity: the paper's placebo (MART-PLB); blocks: word blocks only.",
    )
    mat_layers: list[int] = Field(
        [-3, -2], description="mart only: layers that carry M^tr; negative counts from the end (paper: 9, 10 of 12)."
    )
    init: Literal["paper", "identity"] = Field(
        "paper", description="mart only. identity starts as the plain encoder: the new branch adds exactly nothing."
    )
    zero_shot: bool = Field(
        False, description="bert only. Score with the head that checkpoint or pre-training left: nothing is fine-tuned."
    )
    pooler: bool = Field(False, description="Read [CLS] through the checkpoint's pooler.")
    dropout: float | None = Field(None, ge=0, lt=1, description="Default: what the checkpoint says.")
    label: str | None = Field(None, description="Row title in tables.")


PRESETS: dict[str, dict[str, Any]] = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mart-blocks": {"kind": "mart", "arm": "blocks"},
    "zero-shot": {"kind": "bert", "zero_shot": True},
}


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

    loss: Literal["cross_entropy", "softmax_margin"] = Field(
        "cross_entropy", description="-log softmax of the relevant document (paper), or 1 - softmax (authors' code)."
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
    precision: Literal["auto", "float32", "bf16"] = Field("auto", description="auto: bf16 on CUDA, float32 on a CPU.")
    threads: int = Field(1, ge=1, description="CPU threads of one job; part of what decides the last digits.")
    seed: int = Field(42, ge=0, lt=2**32, description="Of folds, pairs, new weights and dropout.")
    keep: Literal["best", "scores"] = Field(
        "best", description="best: keep the best weights; scores: drop them once the run is written."
    )


class RerankingSettings(Settings):
    """The second stage."""

    depth: int = Field(100, ge=1, description="Documents of the SMT run that are re-ranked.")
    batch: int = Field(32, ge=1, description="Passages scored at once; does not change scores.")


class EvaluationSettings(Settings):
    """Measures and tests."""

    measures: list[str] = Field(["AP@100", "P@10"], min_length=1, description="Names of the ir_measures package.")
    mean: Literal["topics", "folds"] = Field(
        "topics", description="topics: mean over all topics; folds: mean of the five fold means (the paper)."
    )
    alpha: float = Field(0.05, gt=0, lt=1, description="Level of the marks in the table.")
    compare: Name = Field("mart", description="The system whose differences are tested...")
    baselines: list[Name] = Field(
        ["smt", "m2bert", "mart-plb"], description="...against these: one family for Holm's correction in each column."
    )
    margins: list[Annotated[float, Field(gt=0)]] = Field(
        [0.02, 0.05], description="Margins of the equivalence tests, relative to the baseline."
    )


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
    models: dict[Name, ModelSettings] = Field(
        {name: ModelSettings(**PRESETS[name]) for name in ("m2bert", "mart-plb", "mart")},
        description="Re-rankers: names of presets (m2bert, mart-plb, mart, mart-blocks, zero-shot) or a mapping; "
        "[] for none.",
    )
    training: TrainingSettings = Field(TrainingSettings(), description="Fine-tuning.")
    reranking: RerankingSettings = Field(RerankingSettings(), description="The second stage.")
    evaluation: EvaluationSettings = Field(EvaluationSettings(), description="Measures and tests.")
    report: ReportSettings = Field(ReportSettings(), description="What results may show.")

    @field_validator("pairs", mode="before")
    @classmethod
    def _pairs_as_mapping(cls, value: Any) -> Any:
        if isinstance(value, list):
            return {pair: {} for pair in value}
        if isinstance(value, dict):
            return {pair: {} if override is None else override for pair, override in value.items()}
        return value

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
