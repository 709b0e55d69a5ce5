"""A table read in the wrong direction is refused: the files of the real tools, tables of the sample, random ones."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError
from clir_cli.translation.formats.direction import check_direction
from clir_cli.translation.formats.entries import EntryCollector
from clir_cli.translation.formats.matclir_text import write_table
from clir_cli.translation.formats.moses_lex import write_moses_lex
from clir_cli.translation.formats.psq_json import write_fast_psq
from clir_cli.translation.formats.reading import read_table_file
from clir_cli.translation.table import TranslationTable

DATA = Path(__file__).parents[3] / "data" / "tables"
SAMPLE = Path(__file__).parents[4] / "data" / "sample"
VOCABULARIES = (DATA / "de.vcb", DATA / "en.vcb")


@pytest.mark.parametrize(
    ("name", "format", "rest"),
    [
        ("toy.t3.final", "giza", {"swap": True, "vocabularies": VOCABULARIES}),
        ("toy.t3.final", "giza", {"vocabularies": VOCABULARIES[::-1]}),
        ("toy.t3.final", "giza-inverse", {"vocabularies": VOCABULARIES}),
        ("toy.actual.t3.final", "giza", {"swap": True}),
        ("toy.actual.t3.final", "moses-lex", {}),
        ("toy.actual.t3.final", "giza-inverse", {}),
        ("toy.ti.final", "giza-inverse", {"vocabularies": VOCABULARIES[::-1]}),
        ("toy.ti.final", "giza-inverse", {"swap": True, "vocabularies": VOCABULARIES}),
        ("toy.ti.final", "giza", {"vocabularies": VOCABULARIES}),
        ("toy.actual.ti.final", "giza", {}),
        ("toy.actual.ti.final", "moses-lex", {}),
        ("toy.lex.e2f", "matclir", {}),
        ("toy.lex.e2f", "moses-lex", {"swap": True}),
        ("toy.lex.f2e", "matclir", {}),
        ("toy.lex.f2e", "moses-lex", {"swap": True}),
        ("toy.fast_align.fwd.p", "fast-align", {"swap": True}),
        ("toy.fast_align.rev.p", "fast-align", {"swap": True}),
        ("toy.patapsco.json", "patapsco", {"swap": True}),
        ("toy.fast-psq.json", "fast-psq", {"swap": True}),
        ("toy.txt", "moses-lex", {}),
    ],
)
def test_wrong_directions_are_refused(name, format, rest):
    with pytest.raises(DataError, match=r"conditional on the|of the other direction|fits the words of"):
        read_table_file(DATA / name, format, **rest)


def test_the_message_says_what_fits_and_what_to_do(monkeypatch):
    monkeypatch.chdir(DATA)
    with pytest.raises(DataError) as caught:
        read_table_file(Path("toy.lex.f2e"), "matclir")
    assert caught.value.problem == (
        "toy.lex.f2e: the probabilities of home sum to 1.5; in the second column no word's sum is above 1: "
        "the numbers are conditional on the second column, not on the first column."
    )
    assert caught.value.hint == (
        "If this is a lex file of Moses, name its format, moses-lex; else read it with `swap: true`."
    )
    with pytest.raises(DataError, match=r"Read it without `swap: true`\."):
        read_table_file(Path("toy.lex.f2e"), "moses-lex", swap=True)


def test_a_lex_file_by_another_name_is_refused_not_misread(tmp_path):
    path = tmp_path / "table"
    path.write_bytes((DATA / "toy.lex.f2e").read_bytes())
    with pytest.raises(DataError, match=r"name its format, moses-lex"):
        read_table_file(path)
    assert read_table_file(path, "moses-lex")[0].row("haus") == {"home": 0.5, "house": 0.5}


def test_no_row_above_one_is_no_proof(tmp_path):
    """P(first | second) whose sums by the first column stay below 1: the other side's are all 1."""
    path = tmp_path / "table.txt"
    path.write_text("a x 0.25\nb x 0.25\nc x 0.25\nd x 0.25\na y 0.5\nb y 0.5\n")
    with pytest.raises(DataError, match="of 2 of 2 words in the second column sum to 1, but of 0 of 4 in the first"):
        read_table_file(path)


@pytest.mark.parametrize(
    "text",
    [
        "haus house 1\nbuch book 1\n",  # one to one: both sides fit
        "haus house 0.5\n",  # neither does, as after pruning
        "haus house 0.4\nhaus home 0.3\nheim home 0.7\n",
        "haus house 0.5\nhaus home 0.5\n",
    ],
)
def test_what_fits_or_says_nothing_passes(tmp_path, text):
    path = tmp_path / "table.txt"
    path.write_text(text)
    read_table_file(path)
    assert read_table_file(path)[1].format == "matclir"


def counted_table(code):
    """P(target | source) by counts of words that stand at the same place: rows are distributions as a real table's."""
    counts: dict[str, dict[str, float]] = {}
    source, target = (SAMPLE / f"bitext.{code}-eng.{side}.gz" for side in (code, "eng"))
    for number, pair in enumerate(read_bitext(source, target)):
        if number == 300:
            break
        for a, b in zip(*(content_keys(text, frozenset()) for text in (pair.source, pair.target)), strict=False):
            counts.setdefault(a, {}).setdefault(b, 0)
            counts[a][b] += 1
    return TranslationTable.from_dict(
        {a: {b: n / sum(row.values()) for b, n in row.items()} for a, row in counts.items()}
    )


@pytest.mark.parametrize("code", ["deu", "swa"])
@pytest.mark.parametrize("prune", [lambda table: table, lambda table: table.cut(0.95), lambda table: table.above(0.01)])
def test_tables_of_the_sample_pass_in_their_direction_only(code, prune, tmp_path):
    table = prune(counted_table(code))
    for number, given_table in enumerate((table, table.inverse())):
        for name, write in (("matclir", write_table), ("moses-lex", write_moses_lex), ("patapsco", write_fast_psq)):
            path = tmp_path / f"{number}.{name}"
            write(path, given_table)
            assert read_table_file(path, name)[0].source_words == given_table.source_words
            with pytest.raises(DataError, match="conditional on the"):
                read_table_file(path, name, swap=True)


def test_exchanged_vocabularies_of_giza_are_refused(tmp_path):
    """The larger vocabulary has ids that the smaller one lacks; the counts are for vocabularies of one size."""
    counts: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for pair in read_bitext(*(SAMPLE / f"bitext.deu-eng.{side}.gz" for side in ("deu", "eng"))):
        for side, text in enumerate((pair.source, pair.target)):
            for word in content_keys(text, frozenset()):
                counts[side][word] = counts[side].get(word, 0) + 1
    table = counted_table("deu")
    ids = []
    for side, words in enumerate((table.source_words, table.target_words)):
        frequent = sorted(words, key=lambda word: -counts[side][word])
        ids.append({word: number for number, word in enumerate(frequent, start=2)})
        lines = [f"{number} {word} {counts[side][word]}\n" for word, number in ids[side].items()]
        (tmp_path / f"{side}.vcb").write_text("".join(lines), encoding="utf-8")
    entries = [(ids[0][s], ids[1][t], p) for s in table.source_words for t, p in table.row(s).items()]
    (tmp_path / "x.t3.final").write_text("".join(f"{s} {t} {p}\n" for s, t, p in entries))
    vocabularies = tmp_path / "0.vcb", tmp_path / "1.vcb"
    assert read_table_file(tmp_path / "x.t3.final", vocabularies=vocabularies)[0].source_words == table.source_words
    with pytest.raises(DataError, match=r"has no id \d+\."):
        read_table_file(tmp_path / "x.t3.final", vocabularies=vocabularies[::-1])
    (tmp_path / "x.t3.final").rename(tmp_path / "table")
    with pytest.raises(DataError, match=r"has no id \d+\."):
        read_table_file(tmp_path / "table", "giza-inverse", vocabularies=vocabularies)


@given(st.integers(0, 2**31), st.integers(3, 40), st.integers(3, 40), st.floats(0.1, 3))
def test_random_distributions_pass_in_their_direction(seed, sources, targets, evenness):
    random = np.random.default_rng(seed)
    rows = {
        f"s{s}": {f"t{t}": p for t, p in enumerate(random.dirichlet(np.full(targets, evenness)).tolist()) if p > 1e-4}
        for s in range(sources)
    }

    def collected(side):
        collector = EntryCollector(Path("unwritten"), side)
        for source, row in rows.items():
            for target, p in row.items():
                collector.add(source, target, p, 1)
        return collector.entries()

    check_direction(collected(0), "")
    sums = [sum(row.get(f"t{t}", 0) for row in rows.values()) for t in range(targets)]
    if max(sums) > 1.01:
        with pytest.raises(DataError, match="conditional on the first column, not on the second column"):
            check_direction(collected(1), "")
