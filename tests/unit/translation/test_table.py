import numpy as np
import pytest

from clir_cli.errors import DataError
from clir_cli.translation.table import TranslationTable

ROWS = {"haus": {"house": 0.5, "home": 0.25, "building": 0.25}, "dom": {"cathedral": 1.0}, "straße": {"street": 0.75}}


@pytest.fixture(params=["made", "saved"])
def table(request, tmp_path):
    made = TranslationTable.from_dict(ROWS)
    if request.param == "made":
        return made
    made.save(tmp_path / "table")
    return TranslationTable.load(tmp_path / "table")


def test_words_are_sorted_and_rows_are_rows_of_the_matrix(table):
    assert table.source_words == ["dom", "haus", "straße"]
    assert table.target_words == ["building", "cathedral", "home", "house", "street"]
    assert table.probabilities.toarray()[1] == pytest.approx([0.25, 0, 0.25, 0.5, 0])
    assert table.probabilities.dtype == np.float32


def test_the_best_translations_come_first_and_equal_ones_by_word(table):
    assert table.top("haus", 10) == [("house", 0.5), ("building", 0.25), ("home", 0.25)]
    assert table.top("haus", 2) == [("house", 0.5), ("building", 0.25)]
    assert table.top("unknown", 2) == []


def test_a_row_is_every_translation_as_given(table):
    assert table.row("haus") == ROWS["haus"]
    assert table.row("straße") == {"street": 0.75}
    assert table.row("unknown") == {}


def test_it_knows_its_source_words(table):
    assert len(table) == 3
    assert "dom" in table
    assert "cathedral" not in table


def test_an_empty_table_can_be_saved(tmp_path):
    TranslationTable.from_dict({}).save(tmp_path)
    table = TranslationTable.load(tmp_path)
    assert len(table) == 0
    assert table.row("x") == {}


def test_arrays_of_a_saved_table_stay_on_disk(tmp_path):
    TranslationTable.from_dict(ROWS).save(tmp_path)
    assert not TranslationTable.load(tmp_path).probabilities.data.flags.owndata


def test_a_folder_without_a_whole_table_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no translation table"):
        TranslationTable.load(tmp_path / "nowhere")
    TranslationTable.from_dict(ROWS).save(tmp_path)
    (tmp_path / "table.json").unlink()
    with pytest.raises(DataError, match=r"table\.json is missing"):
        TranslationTable.load(tmp_path)


def test_a_damaged_table_is_refused(tmp_path):
    TranslationTable.from_dict(ROWS).save(tmp_path)
    np.save(tmp_path / "data.npy", np.zeros(2, np.float32))
    with pytest.raises(DataError, match="damaged"):
        TranslationTable.load(tmp_path)
    (tmp_path / "data.npy").write_bytes(b"")
    with pytest.raises(DataError, match="damaged"):
        TranslationTable.load(tmp_path)


def test_a_word_list_cut_short_is_refused(tmp_path):
    TranslationTable.from_dict(ROWS).save(tmp_path)
    (tmp_path / "source.txt").write_text("dom\n")
    with pytest.raises(DataError, match="holds 1 words, not 3"):
        TranslationTable.load(tmp_path).row("dom")


def test_words_and_matrix_must_fit():
    table = TranslationTable.from_dict(ROWS)
    with pytest.raises(ValueError, match="3, 5"):
        TranslationTable(table.source_words[1:], table.target_words, table.probabilities)
