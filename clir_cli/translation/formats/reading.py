"""A table file of any format as P(document word | query word)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from clir_cli.corpora.normalise import fold
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_characters, read_lines
from clir_cli.translation.formats.building import TableReport, build_table
from clir_cli.translation.formats.direction import check_direction
from clir_cli.translation.formats.eflomal_priors import EFLOMAL
from clir_cli.translation.formats.eflomal_priors import OTHERS as KINDS_OF_EFLOMAL
from clir_cli.translation.formats.fast_align import FAST_ALIGN
from clir_cli.translation.formats.format import Request, TableFormat
from clir_cli.translation.formats.giza import GIZA, GIZA_INVERSE
from clir_cli.translation.formats.matclir_text import MATCLIR
from clir_cli.translation.formats.moses_lex import MOSES_LEX
from clir_cli.translation.formats.moses_phrases import MOSES_PHRASES
from clir_cli.translation.formats.psq_json import FAST_PSQ, PATAPSCO
from clir_cli.translation.formats.tsv import TSV
from clir_cli.translation.table import TranslationTable

FORMATS: dict[str, TableFormat] = {
    format.name: format
    for format in (
        MATCLIR, TSV, GIZA, GIZA_INVERSE, MOSES_LEX, MOSES_PHRASES, FAST_ALIGN, EFLOMAL, PATAPSCO, FAST_PSQ,
    )
}  # fmt: skip
_LOOKED_AT = 100
"""Lines by which a format is told."""


def read_table_file(
    path: Path,
    format: str = "auto",
    *,
    vocabularies: Sequence[Path] | None = None,
    swap: bool = False,
    invert: bool | None = None,
    prior: Mapping[str, float] | None = None,
    encoding: str = "utf-8",
    on_fault: FaultHandler = stop_at_fault,
) -> tuple[TranslationTable, TableReport]:
    """Read a table, plain or gzipped, words in the form of topics and documents; and say what became of its entries.

    ``format``: a name of ``FORMATS``; "auto" is ``tell_format``. ``vocabularies``: of GIZA++, source first.
    ``swap``: the conditioning word stands where the format has the predicted one.
    ``invert``: the file has P(query word | document word), and Bayes' rule makes the table of it; by default of formats
    that are so (fast-psq). Its ``prior``, P(document word) or counts by word: those of the vocabulary of GIZA++ where
    there is one, else uniform.

    Raises ``DataError`` with file and line for what is no entry, and where the numbers are conditional on the other
    side (``check_direction``) or the format cannot be told.
    """
    chosen = FORMATS[tell_format(path, encoding, vocabularies is not None) if format == "auto" else format]
    if vocabularies is not None and (chosen not in (GIZA, GIZA_INVERSE) or len(vocabularies) != 2):
        raise DataError(
            f"{path}: {len(vocabularies)} vocabularies are named, and it is read as {chosen.name}.",
            "Tables of GIZA++ (giza, giza-inverse) have two vocabularies, source first; others have none.",
        )
    both = (vocabularies[0], vocabularies[1]) if vocabularies is not None else None
    entries = chosen.read(Request(path, swap, both, encoding, on_fault))
    if not chosen.are_counts:
        check_direction(entries, chosen.remedy if not swap else "Read it without `swap: true`.")
    entries = entries.without(chosen.null)
    table, report = build_table(entries, chosen.name, are_counts=chosen.are_counts)
    if not (chosen.is_of_query_word if invert is None else invert):
        return table, report
    if prior is None and entries.weights:
        prior = _by_key(entries.weights)
    table = table.inverse(prior)
    if not len(table):
        raise DataError(f"{path}: no word of the table is in the prior.", "Give the counts of its conditioning words.")
    return table, replace(
        report, words=len(table), translations=int(table.probabilities.nnz), pruned_rows=0, is_inverted=True
    )


def tell_format(path: Path, encoding: str = "utf-8", has_vocabularies: bool = False) -> str:
    """The format of a file by its name, else by its look.

    Names: ``*.t3.final``, ``*.ti.final``, ``*.e2f``, ``*.f2e``, ``phrase-table``, each perhaps with ``.gz``.
    Looks: ``|||`` in the first line is a phrase table; LEX, FERF and the like are eflomal's; three columns with
    numbers below 0 are fast_align's; with ids, and vocabularies given, GIZA++'s. Any other three columns are taken as
    ``source target p`` (tsv where tabs part them, else matclir): whether that is so, the check of the direction tells,
    which a lex file of Moses by another name
    does not pass. Raises ``DataError`` where two formats look the same (JSON) or none does.
    """
    name = path.name.removesuffix(".gz")
    for format in FORMATS.values():
        if any(name.endswith(ending) for ending in format.names):
            return format.name
    begin = next((text for text in read_characters(path, "iso-8859-1") if text.strip()), "")  # any byte is a letter
    if begin.removeprefix("ï»¿").lstrip()[:1] == "{":
        raise DataError(
            f"{path}: JSON tables of patapsco and of fast_psq look the same.",
            "Name its format: patapsco for {query word: {document word: p}}, fast-psq for the other way round.",
        )
    lines = [line for _, line in islice(read_lines(path, encoding), _LOOKED_AT) if line.strip()]
    if not lines:
        raise DataError(f"{path}: the table is empty.", "It needs entries of two words and a number.")
    if "|||" in lines[0]:
        return MOSES_PHRASES.name
    if lines[0].split("\t")[0] in {"LEX", *KINDS_OF_EFLOMAL}:
        return EFLOMAL.name
    parts = [line.split() for line in lines]
    if any(len(part) == 3 and _is_negative(part[2]) for part in parts) and all("\t" in line for line in lines):
        return FAST_ALIGN.name
    if all(len(part) == 3 and part[0].isdecimal() and part[1].isdecimal() for part in parts):
        if not has_vocabularies:
            raise DataError(
                f"{path}: its words are numbers: it may be a table of GIZA++ (giza, giza-inverse), or of numbers.",
                "Name the two .vcb files of GIZA++ as `vocabularies`, source first; or the format, matclir.",
            )
        return GIZA.name
    return TSV.name if all(line.count("\t") == 2 for line in lines) else MATCLIR.name


def _is_negative(text: str) -> bool:
    try:
        return float(text) < 0
    except ValueError:
        return False


def _by_key(weights: Mapping[str, float]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for word, count in weights.items():
        key = fold(word)
        counts[key] = counts.get(key, 0.0) + count
    return counts
