"""The files an experiment names."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clir_cli.config.load import load_experiment

from .conftest import SMALL, Load


def test_every_missing_file_is_named_by_its_key(problems: Callable[..., list[str]], folder: Path) -> None:
    for name in (
        "documents.jsonl",
        "topics.deu.tsv",
        "topics.eng.tsv",
        "qrels.txt",
        "deu.gz",
        "som.gz",
        "topics.som.tsv",
    ):
        (folder / name).unlink()
    found = problems()
    assert [line.split(": ")[1] for line in found] == [
        "experiments.small.collections.eng",
        "experiments.small.topics.deu",
        "experiments.small.topics.eng",
        "experiments.small.qrels.eng",
        "experiments.small.bitext.deu-eng[0]",
    ], "and not those of som-eng, which no pair uses"
    assert f"`qrels.txt` does not exist (nothing of that name in {folder})" in found[3]


def test_a_missing_folder_is_told_by_what_is_there(problems: Callable[..., list[str]], folder: Path) -> None:
    assert f"(there is only {folder})" in problems(sets=["qrels.eng=deep/er/qrels.txt"])[0]


def test_a_folder_is_no_file_except_where_many_files_are_usual(
    load: Load, problems: Callable[..., list[str]], folder: Path
) -> None:
    (folder / "texts").mkdir()
    assert load(sets=["collections.eng=texts"]).settings.collections["eng"].path == [folder / "texts"]
    assert "`texts` is a folder, a file is needed" in problems(sets=["bitext.deu-eng=[texts, texts]"])[0]
    assert load(sets=["qrels.eng=texts"]).settings.qrels["eng"] == [folder / "texts"]


def test_what_is_not_asked_is_not_checked(load: Load, folder: Path) -> None:
    load()
    (folder / "qrels.txt").unlink()
    assert load_experiment(folder / "experiments.yaml", environ={}, check_files=False).name == "small"


def test_with_a_table_the_parallel_text_may_be_missing(load: Load, folder: Path) -> None:
    (folder / "deu.gz").unlink()
    (folder / "table.txt").touch()
    table = load(sets=["pairs.deu-eng.knowledge.table=table.txt"]).for_pair("deu-eng").knowledge.table
    assert table is not None
    assert table.path == folder / "table.txt"


@pytest.mark.parametrize("name", ["./encoder", "encoder", "../{folder}/encoder"])
def test_a_checkpoint_may_be_a_folder(load: Load, folder: Path, name: str) -> None:
    (folder / "encoder").mkdir()
    for file in ("config.json", "model.safetensors", "vocab.txt"):
        (folder / "encoder" / file).touch()
    experiment = load(sets=[f"encoder.checkpoint={name.format(folder=folder.name)}"])
    assert experiment.settings.encoder.checkpoint == str(folder / "encoder")


def test_a_checkpoint_that_can_only_be_a_folder_must_be_there(problems: Callable[..., list[str]]) -> None:
    assert "`./encoder` does not exist" in problems(sets=["encoder.checkpoint=./encoder"])[0]


def test_a_folder_that_is_no_checkpoint(problems: Callable[..., list[str]], folder: Path) -> None:
    (folder / "encoder").mkdir()
    (folder / "encoder" / "config.json").touch()
    (found,) = problems(sets=["encoder.checkpoint=encoder"])
    assert found.endswith("`encoder` is no checkpoint: it has no model.safetensors and no tokenizer")
    (folder / "words.tsv").touch()
    (found,) = problems(sets=["encoder.checkpoint=words.tsv"])
    assert found.endswith("`words.tsv` is a file: give a folder or a hub name")


def test_pretraining_and_stop_word_files(problems: Callable[..., list[str]]) -> None:
    sets = ["pretrain.ranking.triples=triples.tsv", "languages.deu.stop_words=stop.txt"]
    assert [line.split(": ")[0] for line in problems(sets=sets)] == [f"--set {text}" for text in sets]


def test_the_sample_can_be_written(load: Load) -> None:
    from clir_cli.errors import ConfigError

    with pytest.raises(ConfigError) as caught:
        load(SMALL.replace("qrels.txt", "data/sample/qrels.txt"))
    assert "clir sample" in caught.value.hint


def test_the_encoder_of_dense_retrieval_is_a_checkpoint_beside_the_file(
    load: Load, problems: Callable[..., list[str]], folder: Path
) -> None:
    asked = ["retrieval.methods=[smt, dense]", "retrieval.dense.checkpoint=./e5"]
    assert "retrieval.dense.checkpoint=./e5: `./e5` does not exist" in problems(sets=asked)[0]
    (folder / "e5").mkdir()
    for name in ("config.json", "model.safetensors"):
        (folder / "e5" / name).touch()
    assert "`./e5` is no checkpoint: it has no tokenizer" in problems(sets=asked)[0]
    (folder / "e5" / "vocab.txt").touch()
    found = load(sets=asked)
    assert found.settings.retrieval.dense.checkpoint == str(folder / "e5")
    assert found.for_pair("deu-eng").retrieval.dense.checkpoint == str(folder / "e5")
    load(sets=["retrieval.dense.checkpoint=./nowhere"])  # nobody asks for it
