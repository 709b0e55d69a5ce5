"""What is said of files that are no tables, or bad ones: place, what is wrong, what to do."""

from pathlib import Path

import pytest

from clir_cli.errors import DataError
from clir_cli.translation.formats.reading import read_table_file

DATA = Path(__file__).parents[3] / "data" / "tables"
THREE = "A line is `source target p`, and p is P(target | source), 0 to 1."
LOGS = "A line is `source target log p`, and p is P(target | source): natural logarithms are 0 or less."
CELLS = "A line is source, target and P(target | source), 0 to 1, parted by tabs."
SCORES = "Scores are p(f|e), lex(f|e), p(e|f) and lex(e|f), in this order."
PRIORS = "A line about words is LEX, source, target and a count, parted by tabs."
SHAPE = "The file is one object: {word: {translation: p, ...}, ...}."


@pytest.mark.parametrize(
    ("name", "format", "problem", "hint"),
    [
        ("three-scores.phrase-table", "auto", "three-scores.phrase-table:2: 3 scores, not 4.", SCORES),
        (
            "two-fields.phrase-table", "auto", "two-fields.phrase-table:1: 2 fields, not 3 or more.",
            "Fields of a phrase table are parted by |||.",
        ),
        ("heavy.phrase-table", "auto", "heavy.phrase-table:1: 1.5 is no probability.", SCORES),
        ("nan.txt", "auto", "nan.txt:2: nan is no probability.", THREE),
        ("negative.txt", "auto", "negative.txt:2: -0.25 is no probability.", THREE),
        ("above-one.txt", "auto", "above-one.txt:2: 1.5 is no probability.", THREE),
        ("two-columns.txt", "auto", "two-columns.txt:2: 2 columns, not 3.", THREE),
        ("twice.txt", "auto", "twice.txt:3: haus house is there a second time.", "Keep one of the lines."),
        (
            "mixed-encodings.txt", "auto", "mixed-encodings.txt:3: byte 0xfc at offset 1 of the line is not utf-8.",
            "Try `encoding: iso-8859-1` for this file.",
        ),
        (
            "cut-short.txt.gz", "auto", "cut-short.txt.gz:1: the gzip file is cut short or damaged.",
            "Copy it again.",
        ),
        ("positive.fast_align.p", "auto", "positive.fast_align.p:2: 0.7 is no logarithm of a probability.", LOGS),
        ("nan.fast_align.p", "auto", "nan.fast_align.p:2: nan is no logarithm of a probability.", LOGS),
        ("empty-cell.tsv", "auto", "empty-cell.tsv:2: a column is empty.", CELLS),
        ("infinite.priors", "auto", "infinite.priors:2: inf is no count.", PRIORS),
        (
            "unknown-kind.priors", "auto", "unknown-kind.priors:2: 'FERX' is no kind of line in eflomal's priors.",
            PRIORS,
        ),
        ("short.priors", "auto", "short.priors:1: this is not LEX and three columns with something in them.", PRIORS),
        ("nan.json", "patapsco", "nan.json:1: haus home: NaN is no probability.", SHAPE),
        ("text.json", "patapsco", 'text.json:1: haus house: "0.5" is no number.', SHAPE),
        ("flat.json", "patapsco", "flat.json:2: this is not a word and an object of its translations.", SHAPE),
        ("cut-short.json", "patapsco", "cut-short.json:2: the end stands where '}' is expected.", SHAPE),
        ("list.json", "patapsco", "list.json:1: '[' stands where '{' is expected.", SHAPE),
        ("two.json", "patapsco", "two.json:1: something follows the object.", SHAPE),
        (
            "latin.json", "patapsco", "latin.json:1: byte 0xfc is not utf-8.",
            "Try `encoding: iso-8859-1` for this file.",
        ),
        ("empty.txt", "auto", "empty.txt: the table is empty.", "It needs entries of two words and a number."),
        ("zero.txt", "auto", "zero.txt: every entry has the number 0.", "Is this the right file?"),
        (
            "toy.fast-psq.json", "auto", "toy.fast-psq.json: JSON tables of patapsco and of fast_psq look the same.",
            "Name its format: patapsco for {query word: {document word: p}}, fast-psq for the other way round.",
        ),
        (
            "numbers.txt", "auto",
            "numbers.txt: its words are numbers: it may be a table of GIZA++ (giza, giza-inverse), or of numbers.",
            "Name the two .vcb files of GIZA++ as `vocabularies`, source first; or the format, matclir.",
        ),
        (
            "toy.t3.final", "auto", "toy.t3.final: its words are numbers, ids of GIZA++.",
            "Name the two .vcb files as `vocabularies`, source first.",
        ),
        (
            "neither.txt", "auto",
            "neither.txt: the probabilities of haus sum to 1.8, and those of house in the second column sum to 1.8.",
            "The numbers are probabilities of neither direction: are they counts, or is the file two tables?",
        ),
        ("nowhere.txt", "matclir", "nowhere.txt: there is no such file.", "Check the path."),
    ],
)  # fmt: skip
def test_the_whole_message(name, format, problem, hint, monkeypatch):
    monkeypatch.chdir(DATA)
    with pytest.raises(DataError) as caught:
        read_table_file(Path(name), format)
    assert (caught.value.problem, caught.value.hint) == (problem, hint)


@pytest.mark.parametrize(
    ("name", "vocabularies", "problem", "hint"),
    [
        (
            "unknown-id.t3.final", ("de.vcb", "en.vcb"), "unknown-id.t3.final:2: en.vcb has no id 9.",
            "Name the vocabularies that the table was made with, source first.",
        ),
        (
            "words.t3.final", ("de.vcb", "en.vcb"), "words.t3.final:1: de.vcb has no id haus.",
            "Name the vocabularies that the table was made with, source first.",
        ),
        (
            "toy.t3.final", ("short.vcb", "en.vcb"), "short.vcb:2: this is not `id word count`.",
            "Is it a .vcb file of GIZA++?",
        ),
        (
            "toy.t3.final", ("twice.vcb", "en.vcb"), "twice.vcb:2: the id 2 is there a second time.", "Keep one line.",
        ),
        (
            "toy.t3.final", ("de.vcb",), "toy.t3.final: 1 vocabularies are named, and it is read as giza.",
            "Tables of GIZA++ (giza, giza-inverse) have two vocabularies, source first; others have none.",
        ),
        (
            "toy.lex.e2f", ("de.vcb", "en.vcb"), "toy.lex.e2f: 2 vocabularies are named, and it is read as moses-lex.",
            "Tables of GIZA++ (giza, giza-inverse) have two vocabularies, source first; others have none.",
        ),
        (
            "toy.t3.final", ("en.vcb", "de.vcb"),
            "toy.t3.final: the first column fits the words of de.vcb, not those of en.vcb.",
            "Name the vocabularies the other way round, or the other format, giza-inverse.",
        ),
    ],
)  # fmt: skip
def test_the_whole_message_about_vocabularies(name, vocabularies, problem, hint, monkeypatch):
    monkeypatch.chdir(DATA)
    with pytest.raises(DataError) as caught:
        read_table_file(Path(name), vocabularies=[Path(each) for each in vocabularies])
    assert (caught.value.problem, caught.value.hint) == (problem, hint)


def test_a_prior_without_a_word_of_the_table():
    with pytest.raises(DataError, match=r"no word of the table is in the prior\. Give the counts"):
        read_table_file(DATA / "toy.lex.e2f", invert=True, prior={"x": 1.0})
