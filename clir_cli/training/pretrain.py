"""What happens to the encoder before any fold is trained, once for all models.

    [a vocabulary and a BERT from scratch] -> [masked language modelling] -> [ranking in one language] -> model

On the sample it makes the encoder. On real data it continues a public one: ranking takes the place that MS MARCO has
for m2BERT (MAT, section 4.2).
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from clir_cli.corpora.normalise import fold
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import create_encoder, save_encoder
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import ClirError
from clir_cli.learning.devices import choose_device, resolve_precision, set_threads
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.build import build_reranker, save_reranker
from clir_cli.training.masked_language import train_masked_language
from clir_cli.training.masking import TrainingText
from clir_cli.training.ranking import train_ranking
from clir_cli.training.ranking_examples import RankingExamples
from clir_cli.training.vocabulary import learn_vocabulary

REPORT = "report.json"


def pretrain(
    folder: Path,
    *,
    start: str | Path | None = None,
    revision: str | None = None,
    layers: int | None = None,
    architecture: Mapping[str, Any] | None = None,
    texts: Callable[[], Iterable[TrainingText]] | None = None,
    masked_language: Mapping[str, Any] | None = None,
    ranking: Mapping[str, Any] | None = None,
    examples: Callable[[], RankingExamples] | None = None,
    text: Literal["raw", "folded"] = "raw",
    checkpoint_every: int = 200,
    seed: int = 42,
    threads: int = 1,
    precision: str = "auto",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """Make ``folder/model``, which ``build_reranker`` and ``AutoModel`` load; what was done, as plain values.

    The encoder is either ``start`` (hub name or folder, with its first ``layers`` layers) or, where ``architecture`` is
    given (layers, width, heads, inner, positions, vocabulary, dropout), new, with a vocabulary learned from ``texts``,
    or from ``examples`` where there are none.
    ``masked_language`` (steps, batch, learning_rate, mask, max_pieces) trains it on ``texts``; then ``ranking`` (steps,
    batch, learning_rate, max_pieces) trains it, with the head that is kept, on ``examples``. ``texts`` and ``examples``
    are functions, called when needed; they must give the same each time. ``text``: what the encoder reads.

    The report is also ``folder/report.json``, written last. Killed and called again with the same arguments, the work
    goes on from the last checkpoint and ends the same, bit for bit on a CPU with the same number of ``threads``. A
    ``folder`` that is finished is only read.

    Raises ``DataError`` where the texts hold no words or the checkpoint does not fit, ``ClirError`` where ``folder``
    holds unfinished work of other settings.
    """
    _check(start, architecture, texts, masked_language, ranking, examples)
    report_file = folder / REPORT
    if report_file.is_file():
        _remove_work(folder)
        return json.loads(report_file.read_text("utf-8"))
    set_threads(threads)
    device = choose_device()
    precision = resolve_precision(precision, device)
    settings = json.dumps(
        [str(start), revision, layers, architecture, masked_language, ranking, text, checkpoint_every, seed],
        default=dict,
    )
    common: dict[str, Any] = {
        "seed": seed,
        "checkpoint_every": checkpoint_every,
        "precision": precision,
        "identity": settings,
        "progress": progress,
    }
    report: dict[str, Any] = {}
    work = folder / "work"
    _claim(work, settings)
    source: str | Path
    if architecture is not None:
        source = work / "start"
        if not source.is_dir():
            _create(source, architecture, _all_text(texts, examples, text), seed, progress)
    else:
        assert start is not None
        source = start
    tokenizer = load_tokenizer(source, revision)
    report["pieces"] = len(tokenizer)

    if masked_language is not None:
        assert texts is not None
        done, read = work / "masked_language.json", work / "read"
        if not done.is_file():
            encoder = load_encoder(source, revision=revision, layers=layers).to(device)
            found = train_masked_language(
                encoder, tokenizer, _read(texts(), text), folder / "masked_language", **masked_language, **common
            )
            save_encoder(encoder, tokenizer, read)
            _write(done, found)
        report["masked_language"] = _load(done)
        source, revision, layers = read, None, None

    if ranking is not None:
        assert examples is not None
        done = work / "ranking.json"
        if not done.is_file():
            model = build_reranker(source, revision=revision, layers=layers, kind="bert", seed=seed).to(device)
            found = train_ranking(model, tokenizer, examples(), folder / "ranking", text=text, **ranking, **common)
            save_reranker(model, tokenizer, folder / "model")
            _write(done, found)
        report["ranking"] = _load(done)
    else:
        save_encoder(load_encoder(source, revision=revision, layers=layers), tokenizer, folder / "model")
    _write(report_file, report)
    _remove_work(folder)
    return report


def _check(
    start: object, architecture: object, texts: object, masked_language: object, ranking: object, examples: object
) -> None:
    if (start is None) == (architecture is None):
        raise ValueError("give either start or architecture")
    if texts is None and masked_language is not None:
        raise ValueError("masked language modelling needs texts")
    if (ranking is None) != (examples is None):
        raise ValueError("ranking needs examples, and only ranking does")
    if masked_language is None and ranking is None:
        raise ValueError("give masked_language, ranking or both")


def _claim(work: Path, settings: str) -> None:
    """Begin work of these settings, or see that what is there is of the same."""
    about = work / "settings.json"
    if about.is_file() and about.read_text("utf-8") != settings:
        raise ClirError(
            f"{work.parent} holds unfinished pre-training with other settings.", f"Delete {work.parent} to begin anew."
        )
    with write_whole(about) as file:
        file.write(settings)


def _create(
    folder: Path, architecture: Mapping[str, Any], texts: Iterable[str], seed: int, progress: ProgressCallback
) -> None:
    """A new encoder with a new vocabulary, in ``folder``."""
    shape = dict(architecture)
    vocabulary = folder.with_name("vocabulary")
    learn_vocabulary(texts, shape.pop("vocabulary"), vocabulary, positions=shape["positions"], progress=progress)
    from transformers import AutoTokenizer

    create_encoder(folder, AutoTokenizer.from_pretrained(str(vocabulary)), seed=seed, **shape)


def _read(texts: Iterable[TrainingText], text: str) -> Iterator[TrainingText]:
    """The texts as the encoder reads them."""
    if text == "raw":
        yield from texts
        return
    for item in texts:
        yield fold(item) if isinstance(item, str) else (fold(item[0]), fold(item[1]))


def _all_text(
    texts: Callable[[], Iterable[TrainingText]] | None, examples: Callable[[], RankingExamples] | None, text: str
) -> Iterator[str]:
    """What a vocabulary is learned from: the texts, or where there are none, what will be ranked."""
    if texts is not None:
        for item in _read(texts(), text):
            yield from (item,) if isinstance(item, str) else item
    elif examples is not None:
        material = examples()
        yield from (str(item) for item in _read((*material.queries, *material.documents), text))


def _write(file: Path, values: Mapping[str, Any]) -> None:
    with write_whole(file) as stream:
        json.dump(values, stream, indent=1)
        stream.write("\n")


def _load(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8"))


def _remove_work(folder: Path) -> None:
    """Drop what only an unfinished run needs; the logs of the two trainings stay."""
    shutil.rmtree(folder / "work", ignore_errors=True)
    for part in ("masked_language", "ranking"):
        for checkpoint in (folder / part).glob("checkpoint-*"):
            shutil.rmtree(checkpoint, ignore_errors=True)
