"""One face for both aligners, and what of their tables is kept."""

import numpy as np
import pytest

from clir_cli.translation.alignment.align_text import Recipe, align_text, keep_content
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare
from clir_cli.translation.table import TranslationTable

TOY = [
    (source.split(), target.split())
    for source, target in [
        ("das haus", "the house"), ("das buch", "the book"), ("ein buch", "a book"), ("ein haus", "a house"),
    ]
] * 3  # fmt: skip


@pytest.fixture
def text() -> PreparedText:
    return prepare(TOY)


def test_a_table_is_of_expected_counts_or_of_links(text: PreparedText) -> None:
    expected = align_text(text, Recipe()).table(False)
    alone = learn(text).table()
    assert expected.source_words == alone.source_words
    np.testing.assert_array_equal(expected.probabilities.data, alone.probabilities.data)
    for method in ("agreement", "union"):
        recipe = Recipe(symmetrisation=method, table="links")  # type: ignore[arg-type]
        counted = align_text(text, recipe)
        assert counted.table(False).row("haus") == {"house": 1.0}
        assert counted.table(True).row("book") == {"buch": 1.0}
    assert "haus" in align_text(text, Recipe()).table(True).target_words


def test_the_recipe_prunes(text: PreparedText) -> None:
    table = align_text(text, Recipe(aligner=AlignerSettings(model1=1, hmm=0), max_translations=1)).table(False)
    assert max(len(table.row(word)) for word in table.source_words) == 1


def test_what_was_learned_is_plain(text: PreparedText) -> None:
    aligned = align_text(text, Recipe())
    assert (aligned.learned["tool"], aligned.learned["pairs"]) == ("clir", 12)
    assert aligned.methods[0] == "agreement"
    assert len({method: aligned.links(method) for method in aligned.methods}) == 8


def test_eflomal_has_links_only(text: PreparedText) -> None:
    pytest.importorskip("eflomal")
    aligned = align_text(text, Recipe(tool="eflomal"))
    assert "agreement" not in aligned.methods
    agreed, final = aligned.links("agreement"), aligned.links("grow-diag-final-and")
    assert (agreed.source.tolist(), agreed.target.tolist()) == (final.source.tolist(), final.target.tolist())
    assert len(aligned.table(False)) > 0


def test_stop_words_numbers_and_punctuation_leave_and_the_rest_stays_as_it_is() -> None:
    rows = {
        "haus": {"house": 0.5, "the": 0.25, ",": 0.125, "7": 0.125},
        "das": {"house": 1.0},
        "7": {"7": 1.0},
        "...": {"house": 1.0},
        "b2b": {"house": 1.0},
        "nur": {"only": 1.0},
        "\u0301": {"house": 1.0},
    }
    kept = keep_content(TranslationTable.from_dict(rows), frozenset({"das"}), frozenset({"the", "only"}))
    assert kept.source_words == ["haus"]
    assert kept.target_words == ["house"]
    assert kept.row("haus") == {"house": 0.5}


def test_a_table_without_content_is_empty() -> None:
    assert len(keep_content(TranslationTable.from_dict({"7": {"7": 1.0}}), frozenset(), frozenset())) == 0
