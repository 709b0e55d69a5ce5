"""The files that an experiment names: where they are, and whether they are there."""

from collections.abc import Iterator
from os.path import normpath
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from clir_cli.config.adapter_schema import LanguageTextSettings
from clir_cli.config.choices import (
    collection_for,
    human_topics_for,
    languages_learned,
    qrels_for,
    topics_for,
    turned,
)
from clir_cli.config.draft import Draft
from clir_cli.config.encoder_schema import EncoderSettings
from clir_cli.config.knowledge_schema import SOURCES
from clir_cli.config.problems import Problem
from clir_cli.config.retrieval_schema import DenseSettings
from clir_cli.config.schema import ExperimentSettings, languages_of
from clir_cli.config.sources import Source, bitext_read, sources_read
from clir_cli.config.yaml_lines import KeyPath

Group = TypeVar("Group", EncoderSettings, DenseSettings)


def anchor(settings: ExperimentSettings, folder: Path) -> ExperimentSettings:
    """The same settings with every relative path taken from ``folder``, where the file lies."""
    anchored: ExperimentSettings = _anchored(settings, folder)
    dense = _with_checkpoint_from(anchored.retrieval.dense, folder)
    retrieval = anchored.retrieval.model_copy(update={"dense": dense})
    encoder = _with_checkpoint_from(anchored.encoder, folder)
    languages = {name: _with_adapter_from(each, folder) for name, each in anchored.adapters.languages.items()}
    adapters = anchored.adapters.model_copy(update={"languages": languages})
    return anchored.model_copy(update={"encoder": encoder, "retrieval": retrieval, "adapters": adapters})


def _with_adapter_from(group: LanguageTextSettings, folder: Path) -> LanguageTextSettings:
    if group.adapter is None:
        return group
    return group.model_copy(update={"adapter": str(folder_or_hub(group.adapter, folder))})


def _with_checkpoint_from(group: Group, folder: Path) -> Group:
    if not isinstance(group.checkpoint, str):
        return group
    return group.model_copy(update={"checkpoint": str(folder_or_hub(group.checkpoint, folder))})


def _anchored(value: Any, folder: Path) -> Any:
    if isinstance(value, Path):
        return Path(normpath(folder / value.expanduser()))
    if isinstance(value, BaseModel):
        fields = {name: _anchored(getattr(value, name), folder) for name in type(value).model_fields}
        return value.model_copy(update=fields)
    if isinstance(value, dict):
        return {key: _anchored(item, folder) for key, item in value.items()}
    if isinstance(value, list):
        return [_anchored(item, folder) for item in value]
    return value


def folder_or_hub(checkpoint: str, folder: Path) -> Path | str:
    """``./x``, ``../x``, ``/x``, ``~/x`` and what exists beside the file are folders; anything else is a hub name."""
    path = Path(normpath(folder / Path(checkpoint).expanduser()))
    is_path = checkpoint.startswith((".", "/", "~")) or checkpoint.count("/") > 1 or "\\" in checkpoint
    return path if is_path or path.is_dir() else checkpoint


def missing_files(draft: Draft) -> Iterator[Problem]:
    """A problem for every file that a stage of the experiment would read and that is not there."""
    for path, file in dict(files_read(draft)).items():
        if "${" in str(file):  # a variable that is not set: told already
            continue
        full = Path(normpath(draft.folder / file.expanduser()))
        if not full.exists():
            yield draft.problem(path, f"`{file}` does not exist{_nearest_folder(full)}")
        elif full.is_dir() and path[0] not in ("collections", "topics", "qrels"):
            yield draft.problem(path, f"`{file}` is a folder, a file is needed")
    for path, checkpoint in dict(checkpoints_read(draft)).items():
        if "${" in checkpoint:
            continue
        encoder = folder_or_hub(checkpoint, draft.folder)
        if isinstance(encoder, Path) and not encoder.is_dir():
            yield draft.problem(path, f"`{checkpoint}` does not exist: give a folder or a hub name")
        elif isinstance(encoder, Path):
            if lacking := [what for what, patterns in _ENCODER_FILES.items() if not _holds_any(encoder, patterns)]:
                yield draft.problem(path, f"`{checkpoint}` is no checkpoint: it has no {' and no '.join(lacking)}")
        elif (Path(draft.folder) / checkpoint).is_file():
            yield draft.problem(path, f"`{checkpoint}` is a file: give a folder or a hub name")
    for language in languages_learned(draft.settings):
        written = draft.settings.adapters.languages[language].adapter
        found = None if written is None or "${" in written else folder_or_hub(written, draft.folder)
        if isinstance(found, Path) and not (found / "adapter_config.json").is_file():
            rule = f"`{written}` holds no adapter: give a folder with adapter_config.json, or a hub name"
            yield draft.problem(("adapters", "languages", language, "adapter"), rule)


def checkpoints_read(draft: Draft) -> Iterator[tuple[KeyPath, str]]:
    """Every folder or hub name that a stage of the experiment would read an encoder from, with its key."""
    checkpoint = draft.settings.encoder.checkpoint
    if isinstance(checkpoint, str):
        yield ("encoder", "checkpoint"), checkpoint
    for pair in draft.settings.pairs:
        retrieval = draft.for_pair(pair).retrieval
        if "dense" in retrieval.methods and retrieval.dense.checkpoint is not None:
            yield _own(draft, pair, ("retrieval", "dense", "checkpoint")), retrieval.dense.checkpoint


_ENCODER_FILES = {
    "config.json": ["config.json"],
    "model.safetensors": ["model.safetensors", "model.safetensors.index.json"],
    "tokenizer": ["tokenizer.json", "vocab.txt", "sentencepiece.bpe.model", "spiece.model", "vocab.json"],
}


def _holds_any(folder: Path, names: list[str]) -> bool:
    return any((folder / name).is_file() for name in names)


def _nearest_folder(path: Path) -> str:
    """What of a missing path is there: tells a wrong folder from a wrong name."""
    for parent in path.parents:
        if parent.is_dir():
            return f" (nothing of that name in {parent})" if parent == path.parent else f" (there is only {parent})"
    return ""


def files_read(draft: Draft) -> Iterator[tuple[KeyPath, Path]]:
    """Every file or folder that a stage of the experiment would read, as it was written, with its key."""
    settings = draft.settings
    pairs = list(settings.pairs)
    collections = [collection_for(settings, pair) for pair in pairs]
    topics = [topics_for(settings, pair) for pair in pairs]
    topics += [human for pair in pairs if (human := human_topics_for(settings, pair))]
    bitext = [read for pair in pairs for read in bitext_read(draft.for_pair(pair), pair)]
    if settings.pretrain and (masked := settings.pretrain.masked_language):
        collections += masked.collections
        bitext += masked.bitext
    if settings.pretrain and (ranking := settings.pretrain.ranking):
        collections += [ranking.titles_of] if ranking.titles_of else []
        for key in ("triples", "queries", "query_documents"):
            if (file := getattr(ranking, key)) is not None:
                yield ("pretrain", "ranking", key), file
    for language in languages_learned(settings):
        learned = settings.adapters.languages[language]
        collections += learned.collections
        bitext += learned.bitext
        for index, file in enumerate(learned.text):
            group: KeyPath = ("adapters", "languages", language)
            forms = [(*group, "text", index), (*group, index), (*group, "text"), group]
            yield next((form for form in forms if draft.wrote(form)), group), file
    for name in filter(settings.collections.__contains__, collections):
        yield from _each(draft, ("collections", name), settings.collections[name].path)
    for key in filter(settings.topics.__contains__, topics):
        yield from _each(draft, ("topics", key), settings.topics[key].path)
    for key in filter(settings.qrels.__contains__, [qrels_for(settings, pair) for pair in pairs]):
        yield from _each(draft, ("qrels", key), settings.qrels[key])
    for pair in (pair if pair in settings.bitext else turned(pair) for pair in dict.fromkeys(bitext)):
        for index, side in enumerate(("source", "target") if pair in settings.bitext else ()):
            written = ("bitext", pair, index)
            yield written if draft.wrote(written) else ("bitext", pair, side), getattr(settings.bitext[pair], side)
    for language, treatment in settings.languages.items():
        if isinstance(treatment.stop_words, Path):
            yield ("languages", language, "stop_words"), treatment.stop_words
    for pair in pairs:
        for source in sources_read(draft.for_pair(pair), pair):
            yield from _files_of_source(draft, pair, source)


def _files_of_source(draft: Draft, pair: str, source: Source) -> Iterator[tuple[KeyPath, Path]]:
    group: KeyPath = ("knowledge",) if source.name in SOURCES else ("knowledge", "named", source.name)
    if source.table is not None:
        yield from _each(draft, _own(draft, pair, (*group, "table")), [source.table.path])
        for index, file in enumerate(source.table.vocabularies or []):
            yield _own(draft, pair, (*group, "table", "vocabularies", index)), file
    if source.dictionary is not None:
        yield from _each(draft, _own(draft, pair, (*group, "dictionary")), source.dictionary.path)
    if source.embeddings is not None:
        for language in languages_of(pair):
            yield ("vectors", language), draft.settings.vectors[language]


def _own(draft: Draft, pair: str, path: KeyPath) -> KeyPath:
    own = ("pairs", pair, *path)
    return own if draft.wrote(own) else path


def _each(draft: Draft, group: KeyPath, files: list[Path]) -> Iterator[tuple[KeyPath, Path]]:
    for index, file in enumerate(files):
        forms = [(*group, "path", index), (*group, index), (*group, "path"), group]
        yield next((form for form in forms if draft.wrote(form)), (*group, f"path[{index}]")), file
