"""The words that the translations of a pair know: of a table, a word list, or one that was aligned already."""

from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.config.schema import languages_of
from clir_cli.errors import ClirError
from clir_cli.inspection.coverage import inspect_dictionary
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Part
from clir_cli.pipeline.validate.material import Material, Words
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.formats.matclir_text import read_table
from clir_cli.translation.table import TranslationTable

TABLE = (Kind("", "unreadable-table", "{count} faults of the table."),)
DICTIONARY = (Kind("", "unreadable-dictionary", "{count} faults of the dictionary."),)


def known_words(material: Material, pair: str, about: Part) -> Words | None:
    """The words of a pair's table; None where there is none yet, or none that can be read (which is told)."""
    knowledge = material.of_pair[pair].knowledge
    if knowledge.origin == "table" and knowledge.table is not None:
        if not material.present(about, [knowledge.table], "knowledge.table"):
            return None
        with material.recording(about, [knowledge.table], TABLE):
            return _words(read_table(knowledge.table), "the table")
        return None
    if knowledge.origin == "dictionary" and knowledge.dictionary is not None:
        path = knowledge.dictionary.path
        if not material.present(about, [path], "knowledge.dictionary"):
            return None
        source, target = languages_of(pair)
        columns = (knowledge.dictionary.source, knowledge.dictionary.target)
        with material.recording(about, [path], DICTIONARY):
            table, report = read_dictionary(path, material.stop(source), material.stop(target), columns=columns)
            inspect_dictionary(report.used, report.several_words, report.no_word, about, place=str(path))
            return _words(table, "the dictionary")
        return None
    return _aligned(material.experiment, pair)


def _aligned(experiment: Experiment, pair: str) -> Words | None:
    """The table of the `align` stage where it is made already."""
    folder = made(experiment, "align", pair)
    return _words(TranslationTable.load(folder / "table"), "the table that was learned") if folder else None


def made(experiment: Experiment, kind: str, pair: str | None = None) -> Path | None:
    """The result of a stage where it is there; None where it is not, or cannot be told."""
    from clir_cli.pipeline.plan import Selection, make_plan

    if not (experiment.artifacts / kind).is_dir():
        return None
    try:
        plan = make_plan(experiment, kind, Selection(pairs=(pair,)) if pair else None)
        return next((plan.artifact(stage) for stage in plan.targets if plan.store.has(stage)), None)
    except ClirError:  # a file is missing, or there is nothing of that kind: told elsewhere
        return None


def _words(table: TranslationTable, where: str) -> Words:
    return Words(frozenset(table.source_words), frozenset(table.target_words), where)
