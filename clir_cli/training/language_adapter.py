"""What an encoder learns of one language from plain text: an adapter, the encoder frozen (MAD-X), or all its weights.

    [a head that names hidden pieces]                                           ``learn_head``
    [a head] -> [the language and invertible adapter]                           ``adapt_language``
    [a head] -> [encoder and head]                                              ``adapt_encoder`` (MLM-src, MLM-trg)

A checkpoint that has lost its head (a sentence encoder, a re-ranker) would be measured with a random one, and then a
perplexity says nothing. So a head is trained first, the encoder frozen; then it is frozen itself.

Each works in a folder of its own. ``texts()`` gives the lines, the same each time. What a folder has learned is in its
``report.json``, written last: the perplexity of text that was set aside before and after (``exp`` of the mean loss of a
hidden piece; None where there is too little text) among it. Killed and called again with the same arguments, the work
goes on and ends the same, bit for bit on a CPU; a finished folder is only read. All raise ``DataError`` where the text
has no words or is in a script that the tokenizer does not know, or the checkpoint does not fit; ``ClirError`` where the
folder holds unfinished work of other settings.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import write_adapter
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import Encoder, save_encoder
from clir_cli.encoders.folder import checksum_of
from clir_cli.encoders.language_head import load_language_head, read_language_head, write_language_head
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import DataError
from clir_cli.learning.devices import set_threads
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.build import load_reranker, save_reranker
from clir_cli.rerankers.folder import read_description
from clir_cli.training.language_learner import LanguageLearner, LanguageRecipe
from clir_cli.training.packing import pack_texts
from clir_cli.training.work import claim_work, drop_checkpoints

REPORT = "report.json"


@dataclass(frozen=True, slots=True)
class Learner:
    """Who learns from what: the first ``layers`` (None: all) of the encoder ``start``, from ``texts()``."""

    start: str | Path
    texts: Callable[[], Iterable[str]]
    recipe: LanguageRecipe
    revision: str | None = None
    layers: int | None = None
    text: Literal["raw", "folded"] = "raw"
    progress: ProgressCallback = no_progress

    def identity(self, *about: Any) -> str:
        """What unfinished work must agree in."""
        mine = [str(self.start), self.revision, self.layers, self.text]
        return json.dumps([*about, *mine, asdict(self.recipe)], default=str)

    def load(self) -> tuple[Encoder, Any]:
        """Encoder and tokenizer."""
        encoder = load_encoder(self.start, revision=self.revision, layers=self.layers)
        return encoder, load_tokenizer(self.start, self.revision)


@dataclass(frozen=True, slots=True)
class LanguageShape:
    """What is made: reduction of the bottlenecks, the invertible part (None for none), layers left out."""

    reduction: float = 2
    invertible: float | None = 2
    activation: str = "relu"
    left_out: tuple[int, ...] = ()


def learn_head(folder: Path, learner: Learner) -> dict[str, Any]:
    """Write a language head to ``folder``: the checkpoint's own, or one that is trained with the encoder frozen."""
    with _Work(folder, learner, "head") as work:
        if work.report is None:
            head = load_language_head(learner.start, learner.revision)
            if head is not None:
                report: dict[str, Any] = {"head": "the checkpoint's"}
            else:
                model = work.model(*learner.load())
                head = model.train_head()
                report = {"head": f"trained, {model.report['steps']} steps"} | model.report
            write_language_head(folder, head)
            work.finish(report)
        assert work.report is not None
        return work.report


def adapt_language(
    folder: Path, learner: Learner, *, language: str, head: Path, shape: LanguageShape = LanguageShape()
) -> dict[str, Any]:
    """Train the adapter of ``language`` under the head in the folder ``head`` and write it to ``folder/adapter``."""
    with _Work(folder, learner, "adapter", language, asdict(shape)) as work:
        if work.report is None:
            encoder, tokenizer = learner.load()
            model = work.model(encoder, tokenizer)
            model.take_head(read_language_head(head))
            number = len(encoder.layers)
            made = AdapterShape(encoder.width, number, shape.reduction, shape.invertible, shape.activation,
                                shape.left_out)  # fmt: skip
            adapter = Adapter(made).start(learner.recipe.seed, f"language.{language}")
            model.train_adapter(adapter, language)
            model_type = str(encoder.config.model_type)
            write_adapter(
                folder / "adapter", adapter, language, model_type, Path(str(learner.start)).name,
                checksum=checksum_of(encoder),
            )  # fmt: skip
            work.finish({"language": language, "head": _told(head)} | model.report)
        assert work.report is not None
        return work.report


def adapt_encoder(folder: Path, learner: Learner, *, head: Path) -> dict[str, Any]:
    """Train all weights of the encoder, and the head in the folder ``head``; the encoder goes to ``folder/model``.

    Where ``learner.start`` is a re-ranker, its own head and other parts stay as they are and go with it.
    """
    with _Work(folder, learner, "encoder") as work:
        if work.report is None:
            ranker = None
            if read_description(learner.start) is not None:
                ranker, tokenizer = load_reranker(learner.start)
                encoder = ranker.encoder
            else:
                encoder, tokenizer = learner.load()
            model = work.model(encoder, tokenizer)
            model.take_head(read_language_head(head))
            model.train_all()
            if ranker is not None:
                save_reranker(ranker.cpu(), tokenizer, folder / "model")
            else:
                save_encoder(encoder.cpu(), tokenizer, folder / "model")
            work.finish({"head": _told(head)} | model.report)
        assert work.report is not None
        return work.report


def _told(head: Path) -> str:
    """Where a head comes from."""
    return str(json.loads((head / REPORT).read_text("utf-8"))["head"])


class _Work:
    """A folder in which one thing is learned, or has been."""

    def __init__(self, folder: Path, learner: Learner, *about: Any) -> None:
        self.folder, self.learner = folder, learner
        self.identity = learner.identity(*about)
        self.report: dict[str, Any] | None = None

    def __enter__(self) -> "_Work":
        done = self.folder / REPORT
        if done.is_file():
            self.report = json.loads(done.read_text("utf-8"))
        else:
            claim_work(self.folder, self.identity)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            (self.folder / "settings.json").unlink(missing_ok=True)
            drop_checkpoints(self.folder / "language")

    def model(self, encoder: Encoder, tokenizer: Any) -> LanguageLearner:
        """A masked language model over the text."""
        learner, recipe = self.learner, self.learner.recipe
        set_threads(recipe.threads)
        if recipe.max_pieces > encoder.max_pieces:
            raise DataError(
                f"max_pieces {recipe.max_pieces} does not fit an encoder with {encoder.max_pieces} positions.",
                f"Set it to at most {encoder.max_pieces}.",
            )
        inputs = pack_texts(learner.texts(), tokenizer, recipe.max_pieces, text=learner.text, progress=learner.progress)
        return LanguageLearner(
            encoder, tokenizer, inputs, self.folder / "language", recipe, identity=self.identity,
            progress=learner.progress,
        )  # fmt: skip

    def finish(self, report: dict[str, Any]) -> None:
        """Write the report, which says that all is done."""
        with write_whole(self.folder / REPORT) as stream:
            json.dump(report, stream, indent=1)
            stream.write("\n")
        self.report = report
