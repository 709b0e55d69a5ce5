"""What a person gave for a new experiment, checked all at once, and what follows from it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar

from clir_cli.config.language_codes import check_pair
from clir_cli.config.schema import languages_of
from clir_cli.corpora.normalise import stop_words
from clir_cli.errors import DataError, UsageError
from clir_cli.pipeline.new_experiment.looks import Look, files_of, look_at_documents, look_at_lines, look_at_topics
from clir_cli.pipeline.new_experiment.yaml_words import as_yaml, written_path

Result = TypeVar("Result")
Translations = Literal["bitext", "dictionary", "table", "none"]

_FOLDERS = ("--documents", "--topics", "--human", "--qrels")
"""Options that take a folder of files, too."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Wishes:
    """The options of ``clir init``, as they were given. ``file``: the YAML file to write."""

    file: Path
    name: str = "mine"
    pair: str | None = None
    topics: Sequence[Path] = ()
    human: Sequence[Path] = ()
    documents: Sequence[Path] = ()
    qrels: Sequence[Path] = ()
    bitext: tuple[Path, Path] | None = None
    dictionary: Path | None = None
    table: Path | None = None
    encoder: str | None = None


@dataclass(frozen=True)
class NewExperiment:
    """What is written: files with their looks, all checked."""

    wishes: Wishes
    query: str
    document: str
    topics: Look
    documents: Look
    human: Look | None
    bitext: Look | None
    translations: Translations
    encoder: str | None
    without_stop_words: tuple[str, ...]
    """Languages whose stop words nobody lists."""

    @property
    def folder(self) -> Path:
        return self.wishes.file.absolute().parent

    @property
    def models(self) -> list[str]:
        """The presets that this experiment can run."""
        if self.encoder is None:
            return []
        if not self.wishes.qrels:
            return ["zero-shot"]
        return ["m2bert"] if self.translations == "none" else ["m2bert", "mart-plb", "mart"]

    @property
    def remarks(self) -> list[str]:
        looks = (self.topics, self.human, self.documents, self.bitext)
        return [remark for look in looks if look is not None for remark in look.remarks]


@dataclass
class _Problems:
    found: list[str] = field(default_factory=list)

    def add(self, option: str, rule: str) -> None:
        self.found.append(f"{option}: {rule}")

    def of(self, option: str, function: Callable[[], Result]) -> Result | None:
        """The result of ``function``, or None and a problem."""
        try:
            return function()
        except DataError as error:
            self.add(option, f"{error.problem} {error.hint}".strip())
        except ValueError as error:
            self.add(option, f"{error}")
        return None

    def raise_all(self) -> None:
        if len(self.found) == 1:
            raise UsageError(self.found[0])
        if self.found:
            lines = "".join(f"\n  {problem}" for problem in self.found)
            raise UsageError(f"{len(self.found)} things are to be mended:{lines}")


def settle(wishes: Wishes) -> NewExperiment:
    """Check every option, look at every file. Raises one ``UsageError`` with all that is wrong."""
    problems = _Problems()
    languages = _check_names(wishes, problems)
    files = _files_of(wishes)
    there = {option: _check_files(option, paths, wishes, problems) for option, paths in files.items()}
    if languages is not None:
        _check_translations(wishes, languages, problems)
    encoder = _settle_encoder(wishes, problems)

    def look(option: str, function: Callable[[Sequence[Path]], Look]) -> Look | None:
        if not files[option] or not there[option]:
            return None
        return problems.of(option, lambda: function(files[option]))

    topics, human = look("--topics", look_at_topics), look("--human", look_at_topics)
    documents, bitext = look("--documents", look_at_documents), look("--bitext", look_at_lines)
    for option in ("--qrels", "--dictionary", "--table"):
        lines = look(option, look_at_lines)
        if lines is not None and lines.encoding != "utf-8":
            name = files[option][0].name
            problems.add(option, f"{name} is {lines.encoding}, and is read as utf-8: convert it")
    if there["--qrels"] and files["--qrels"]:
        _check_qrels(files["--qrels"], problems)
    problems.raise_all()
    assert topics is not None
    assert documents is not None
    assert languages is not None
    return NewExperiment(
        wishes, *languages, topics, documents, human, bitext, _translations(wishes), encoder, _unlisted(languages)
    )


def _check_names(wishes: Wishes, problems: _Problems) -> tuple[str, str] | None:
    if not _NAME.fullmatch(wishes.name):
        problems.add("--name", f"`{wishes.name}` is not a name of letters, digits and . _ -")
    if wishes.pair is None:
        problems.add("--pair", "say in which languages queries and documents are, such as --pair deu-eng")
        return None
    if wrong := check_pair(wishes.pair):
        problems.add("--pair", wrong)
        return None
    return languages_of(wishes.pair)


def _files_of(wishes: Wishes) -> dict[str, list[Path]]:
    return {
        "--topics": list(wishes.topics),
        "--human": list(wishes.human),
        "--documents": list(wishes.documents),
        "--qrels": list(wishes.qrels),
        "--bitext": list(wishes.bitext or ()),
        "--dictionary": [wishes.dictionary] if wishes.dictionary else [],
        "--table": [wishes.table] if wishes.table else [],
    }


def _check_files(option: str, paths: Sequence[Path], wishes: Wishes, problems: _Problems) -> bool:
    """Whether all are there and can be written into the YAML file."""
    before = len(problems.found)
    if not paths and option in ("--topics", "--documents"):
        problems.add(option, f"name the file of the {option[2:]}")
    for path in paths:
        if not path.exists():
            problems.add(option, f"`{path}` does not exist{_nearest(path)}")
        elif path.is_dir() and option not in _FOLDERS:
            problems.add(option, f"`{path}` is a folder, a file is needed")
        else:
            problems.of(option, lambda path=path: as_yaml(written_path(path, wishes.file.absolute().parent)))  # type: ignore[misc]
    return len(problems.found) == before


def _nearest(path: Path) -> str:
    """Files of a near name in the folder where one was looked for."""
    folder = path.absolute().parent
    if not folder.is_dir():
        known = next(parent for parent in folder.parents if parent.is_dir())
        return f" (there is only {known})"
    names = {file.name.lower(): file.name for file in folder.iterdir() if not file.name.startswith(".")}
    same_stem = [name for name in sorted(names) if name.split(".")[0] == path.name.lower().split(".")[0]]
    near = list(dict.fromkeys([*same_stem, *get_close_matches(path.name.lower(), names, n=3, cutoff=0.6)]))[:3]
    if not near:
        return f" (nothing of that name in {folder})"
    return f": did you mean {' or '.join(f'`{path.with_name(names[name])}`' for name in near)}?"


def _check_translations(wishes: Wishes, languages: tuple[str, str], problems: _Problems) -> None:
    query, document = languages
    given = [
        option
        for option, value in (
            ("--bitext", wishes.bitext), ("--dictionary", wishes.dictionary), ("--table", wishes.table),
        )
        if value is not None
    ]  # fmt: skip
    if len(given) > 1:
        problems.add(given[1], f"translations come from one source: give {' or '.join(given)}")
    if query == document:
        if wishes.human:
            problems.add("--human", f"the topics are in {document} already")
    elif not given and not wishes.human:
        problems.add(
            "--bitext",
            f"nothing translates {query} into {document}. Give parallel text (--bitext SOURCE TARGET), a word list "
            f"(--dictionary FILE) or a table (--table FILE); or topics in {document} (--human FILE), which are "
            "searched as they are",
        )
    same = {path.resolve() for path in wishes.topics} & {path.resolve() for path in wishes.human}
    if same:
        problems.add("--human", f"{next(iter(same)).name} is given as --topics too: which language is it in?")
    if wishes.bitext and wishes.bitext[0].resolve() == wishes.bitext[1].resolve():
        problems.add("--bitext", f"the same file twice: give one in {query} and one in {document}")


def _translations(wishes: Wishes) -> Translations:
    return "bitext" if wishes.bitext else "dictionary" if wishes.dictionary else "table" if wishes.table else "none"


def _settle_encoder(wishes: Wishes, problems: _Problems) -> str | None:
    """The encoder as it is written: a hub name, or the path of a folder."""
    given = wishes.encoder
    if given is None:
        return None
    folder = Path(given).expanduser()
    if not folder.is_dir():
        if given.startswith((".", "/", "~")) or given.count("/") > 1 or "\\" in given or not given:
            problems.add("--encoder", f"`{given}` is no folder{_nearest(folder) if given else ''}")
            return None
        return given
    if not (folder / "config.json").is_file():
        problems.add("--encoder", f"the folder `{given}` holds no config.json: is it a checkpoint?")
        return None
    written = problems.of("--encoder", lambda: written_path(folder, wishes.file.absolute().parent))
    return written if written is None or Path(written).is_absolute() else f"./{written}"


def _check_qrels(paths: Sequence[Path], problems: _Problems) -> None:
    """Whether the first line of each is a judgement: tables of other makes have three columns and a header."""
    for path in problems.of("--qrels", lambda: files_of(paths)) or []:
        text = problems.of("--qrels", lambda path=path: _first_line(path))  # type: ignore[misc]
        columns = text.split() if text else []
        if columns and (len(columns) != 4 or not columns[3].lstrip("+-").isdecimal()):
            problems.add("--qrels", f"{path.name}:1: `{text[:60] if text else ''}` is not `topic 0 document grade`")


def _first_line(path: Path) -> str:
    from clir_cli.lines import read_lines

    return next((line.replace("\t", " ") for _, line in read_lines(path, "iso-8859-1") if line.strip()), "")


def _unlisted(languages: tuple[str, str]) -> tuple[str, ...]:
    unlisted = []
    for language in dict.fromkeys(languages):
        try:
            stop_words("iso", language)
        except DataError:
            unlisted.append(language)
    return tuple(unlisted)
