"""What an encoder learns of one language from plain text: an adapter, the encoder frozen (MAD-X), or all its weights.

    [a head that names hidden pieces] -> [the language and invertible adapter]      ``adapt_language``
    [a head]                          -> [encoder and head]                         ``adapt_encoder`` (MLM-src, MLM-trg)

A checkpoint that has lost its head (a sentence encoder, a re-ranker) would be measured with a random one, and then a
perplexity says nothing. So a head is trained first, the encoder frozen; then it is frozen itself.
"""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import write_adapter
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import Encoder, load_encoder, save_encoder
from clir_cli.encoders.language_head import load_language_head
from clir_cli.errors import DataError
from clir_cli.learning.devices import set_threads
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.build import load_reranker, save_reranker
from clir_cli.rerankers.folder import read_description
from clir_cli.training.language_learner import LanguageLearner, LanguageRecipe
from clir_cli.training.packing import pack_texts
from clir_cli.training.work import claim_work, drop_checkpoints


@dataclass(frozen=True, slots=True)
class LanguageShape:
    """What is made: reduction of the bottlenecks, the invertible part (None for none), layers left out."""

    reduction: float = 2
    invertible: float | None = 2
    activation: str = "relu"
    left_out: tuple[int, ...] = ()


def adapt_language(
    folder: Path,
    *,
    start: str | Path,
    language: str,
    texts: Callable[[], Iterable[str]],
    recipe: LanguageRecipe,
    shape: LanguageShape = LanguageShape(),
    revision: str | None = None,
    layers: int | None = None,
    text: Literal["raw", "folded"] = "raw",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """Train the adapter of ``language`` in the encoder ``start`` and write it to ``folder/adapter``.

    ``texts()`` gives the lines, the same each time. The report, also ``folder/report.json``, written last, has the
    perplexity of text that was set aside before and after (``exp`` of the mean loss of a hidden piece; None where there
    is too little text), and for comparison that of the encoder alone. Killed and called again with the same arguments,
    the work goes on and ends the same, bit for bit on a CPU. A finished ``folder`` is only read.

    Raises ``DataError`` where the text has no words or is in a script that the tokenizer does not know, or the
    checkpoint does not fit; ``ClirError`` where ``folder`` holds unfinished work of other settings.
    """
    about = ["adapter", str(start), revision, layers, language, asdict(shape), text]
    with _Work(folder, about, recipe, progress) as work:
        if work.report is None:
            encoder = load_encoder(start, revision=revision, layers=layers)
            learned = work.learn(encoder, load_tokenizer(start, revision), texts, text, start, revision)
            number = len(encoder.layers)
            made = AdapterShape(encoder.width, number, shape.reduction, shape.invertible, shape.activation,
                                shape.left_out)  # fmt: skip
            adapter = Adapter(made).start(recipe.seed, f"language.{language}")
            learned.train_adapter(adapter, language)
            model_type = str(encoder.config.model_type)
            write_adapter(folder / "adapter", adapter, language, model_type, Path(str(start)).name)
            work.finish({"language": language} | learned.report)
        assert work.report is not None
        return work.report


def adapt_encoder(
    folder: Path,
    *,
    start: str | Path,
    texts: Callable[[], Iterable[str]],
    recipe: LanguageRecipe,
    revision: str | None = None,
    layers: int | None = None,
    text: Literal["raw", "folded"] = "raw",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """The same with all weights of the encoder moving, and its head; the encoder goes to ``folder/model``.

    Where ``start`` is a re-ranker, its head and other parts stay as they are and go with it.
    """
    with _Work(folder, ["encoder", str(start), revision, layers, text], recipe, progress) as work:
        if work.report is None:
            ranker = None
            if read_description(start) is not None:
                ranker, tokenizer = load_reranker(start)
                encoder = ranker.encoder
            else:
                encoder = load_encoder(start, revision=revision, layers=layers)
                tokenizer = load_tokenizer(start, revision)
            learned = work.learn(encoder, tokenizer, texts, text, start, revision)
            learned.train_all()
            if ranker is not None:
                save_reranker(ranker.cpu(), tokenizer, folder / "model")
            else:
                save_encoder(encoder.cpu(), tokenizer, folder / "model")
            work.finish(learned.report)
        assert work.report is not None
        return work.report


class _Work:
    """A folder in which the work of one adaptation is done, or has been done."""

    def __init__(self, folder: Path, about: list[Any], recipe: LanguageRecipe, progress: ProgressCallback) -> None:
        self.folder, self.recipe, self.progress = folder, recipe, progress
        self.identity = json.dumps([about, asdict(recipe)])
        self.report: dict[str, Any] | None = None

    def __enter__(self) -> "_Work":
        done = self.folder / "report.json"
        if done.is_file():
            self.report = json.loads(done.read_text("utf-8"))
        else:
            claim_work(self.folder, self.identity)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            (self.folder / "settings.json").unlink(missing_ok=True)
            shutil.rmtree(self.folder / "head.state", ignore_errors=True)
            for part in ("head", "language"):
                drop_checkpoints(self.folder / part)

    def learn(
        self,
        encoder: Encoder,
        tokenizer: Any,
        texts: Callable[[], Iterable[str]],
        text: Literal["raw", "folded"],
        start: str | Path,
        revision: str | None,
    ) -> LanguageLearner:
        """Text and head, ready for what is to be learned."""
        set_threads(self.recipe.threads)
        inputs = pack_texts(texts(), tokenizer, self.recipe.max_pieces, text=text, progress=self.progress)
        if self.recipe.max_pieces > encoder.max_pieces:
            raise DataError(
                f"max_pieces {self.recipe.max_pieces} does not fit an encoder with {encoder.max_pieces} positions.",
                f"Set it to at most {encoder.max_pieces}.",
            )
        learner = LanguageLearner(
            encoder, tokenizer, inputs, self.folder, self.recipe, identity=self.identity, progress=self.progress
        )
        learner.take_head(load_language_head(start, revision))
        return learner

    def finish(self, report: dict[str, Any]) -> None:
        """Write the report, which says that all is done."""
        with write_whole(self.folder / "report.json") as stream:
            json.dump(report, stream, indent=1)
            stream.write("\n")
        self.report = report
