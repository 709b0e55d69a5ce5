"""`clir bench` on a tiny encoder: every model, a row a length."""

from pathlib import Path

from tests.cli.conftest import Call
from tests.tiny_collection import make_collection


def test_a_row_for_every_model_and_length(call: Call, folder: Path) -> None:
    file = folder / "speeds.tsv"
    sizes = ["--layers", "4", "--width", "32", "--documents", "3", "--query", "4"]
    models = [word for name in ("m2bert", "mart", "mores") for word in ("-m", name)]
    result = call("bench", *sizes, *models, "-l", "20", "-l", "30", "--device", "cpu", "--out", str(file))
    rows = [line.split("\t") for line in file.read_text().splitlines()]
    head, *rows = rows
    assert head[:3] == ["model", "pieces of a document", "pairs/s"]
    online = [row for row in rows if row[5] == "-"]
    assert [row[:2] for row in online] == [
        [name, length] for name in ("m2bert", "mart", "mores") for length in ("20", "30")
    ]
    assert all(float(row[2]) > 0 and float(row[3]) > 0 for row in rows)
    stored = {(row[0], row[1]): int(row[5]) for row in rows if row[5] != "-"}
    of_20 = 22 * 32 * 2  # [CLS] and [SEP] too, float16
    ways = {way: stored[f"mores, {way}", "20"] for way in ("s1", "absorbed", "s2")}
    assert ways == {"s1": of_20, "absorbed": of_20, "s2": 2 * of_20}
    assert [row[4] for row in rows[:2]] == ["1.00 x", "1.00 x"]
    assert "cpu, float32, 1 thread(s)" in result.out


def test_a_model_that_is_not_there(call: Call) -> None:
    result = call("bench", "--model", "m2brt", "--device", "cpu")
    assert result.code == 2
    assert "There is no model `m2brt`: did you mean `m2bert`?" in result.err


def test_what_cannot_be_measured_or_written(call: Call, folder: Path) -> None:
    make_collection(folder / "syllables", topics=2)
    result = call("bench", "--checkpoint", "syllables", "--model", "m2bert", "--device", "cpu")
    assert result.code == 1
    assert "The tokenizer has 0 whole words of 4 to 8 letters, too few for texts of given lengths." in result.err
    result = call("bench", "--device", "cpu", "--out", str(folder))
    assert result.code == 1
    assert f"{folder}: a file is expected here, and this is a folder." in result.err
