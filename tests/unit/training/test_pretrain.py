"""The whole of pre-training, on a few made-up sentences."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clir_cli.encoders.checkpoint import load_config, load_tokenizer
from clir_cli.errors import ClirError, DataError
from clir_cli.rerankers.build import build_reranker, load_reranker
from clir_cli.training.masking import TrainingText
from clir_cli.training.pretrain import pretrain
from clir_cli.training.ranking_examples import RankingExamples

ARCHITECTURE = {"layers": 2, "width": 16, "heads": 2, "inner": 32, "positions": 40, "vocabulary": 80}
MASKED = {"steps": 6, "batch": 8, "learning_rate": 1e-2, "max_pieces": 16}
RANKING = {"steps": 4, "batch": 4, "learning_rate": 1e-2, "max_pieces": 20}
WORDS = ["Äpfel", "birne", "cat", "dog", "élan", "fish", "good", "hears", "is", "just"]


def texts() -> list[TrainingText]:
    dice = np.random.default_rng(1)
    lines = [" ".join(dice.choice(WORDS, 5).tolist()) for _ in range(120)]
    return [*lines[:60], *zip(lines[60:90], lines[90:], strict=True)]


def examples() -> RankingExamples:
    lines = [" ".join(line) if isinstance(line, tuple) else line for line in texts()]
    return RankingExamples([line.split()[0] for line in lines[:30]], lines, [[number] for number in range(30)])


def run(folder: Path, **changes: Any) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "architecture": ARCHITECTURE,
        "texts": texts,
        "masked_language": MASKED,
        "ranking": RANKING,
        "examples": examples,
        "checkpoint_every": 2,
        "seed": 1,
    }
    return pretrain(folder, **{**settings, **changes})


def files_of(folder: Path) -> dict[str, bytes]:
    """All files, but for the times in the logs."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    for name in [name for name in found if name.endswith("log.jsonl")]:
        lines = [json.loads(line) for line in found[name].splitlines()]
        found[name] = repr([(line["epoch"], line["steps"], line["loss"]) for line in lines]).encode()
    return found


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pretrain") / "whole"
    run(folder)
    return folder


def test_the_model_has_encoder_tokenizer_and_head(finished: Path) -> None:
    model, tokenizer = load_reranker(finished / "model")
    assert (len(model.encoder.layers), model.encoder.width, model.max_pieces) == (2, 16, 40)
    assert tokenizer.tokenize("Äpfel") == tokenizer.tokenize("apfel")
    # A fold's re-ranker begins with the trained head, whatever its own seed.
    assert build_reranker(finished / "model", seed=99).head.weight.equal(model.head.weight)
    mart = build_reranker(finished / "model", kind="mart", mat_layers=(-1,))
    assert mart.head.weight.equal(model.head.weight)


def test_transformers_own_class_reads_the_encoder(finished: Path) -> None:
    from transformers import BertModel

    config = load_config(finished / "model")
    theirs = BertModel.from_pretrained(finished / "model", config=config, add_pooling_layer=False).eval()
    ours, tokenizer = load_reranker(finished / "model")
    encoded = tokenizer("cat", "the good dog", return_tensors="pt")
    with torch.no_grad():
        expected = theirs(**encoded).last_hidden_state
        assert ours.encoder(encoded["input_ids"], encoded["token_type_ids"]).equal(expected)


def test_the_report_says_what_was_read_and_learned(finished: Path) -> None:
    report = json.loads((finished / "report.json").read_text())
    assert report["masked_language"]["inputs"] + report["masked_language"]["held_out_inputs"] == 90
    assert report["masked_language"]["held_out_loss_after"] < report["masked_language"]["held_out_loss_before"]
    assert report["ranking"]["steps"] == 4
    assert 0 <= report["ranking"]["after"]["accuracy"] <= 1
    assert report["pieces"] == len(load_tokenizer(finished / "model")) <= 80
    # Of the work in between only the logs stay.
    assert {path.name for path in finished.iterdir()} == {"masked_language", "model", "ranking", "report.json"}
    assert [path.name for path in (finished / "ranking").iterdir()] == ["log.jsonl"]


def test_the_same_arguments_give_the_same_bytes_and_another_seed_others(finished: Path, tmp_path: Path) -> None:
    run(tmp_path / "again")
    assert files_of(tmp_path / "again") == files_of(finished)
    run(tmp_path / "other", seed=2)
    assert files_of(tmp_path / "other")["model/model.safetensors"] != files_of(finished)["model/model.safetensors"]


class Killed(BaseException):
    """Nothing after it is done: the nearest thing to a kill within a process."""


def test_work_that_breaks_off_anywhere_goes_on_and_ends_the_same(finished: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    calls: list[str] = []

    def break_after(count: int) -> Callable[[int, int | None, str], None]:
        def progress(done: int, total: int | None, text: str) -> None:
            calls.append(text)
            if len(calls) == count:
                raise Killed

        return progress

    for count in (2, 4, 3, 5, 3):  # masked language and ranking, before, at and after a checkpoint
        calls.clear()
        with pytest.raises(Killed):
            run(folder, progress=break_after(count))
    calls.clear()
    run(folder, progress=break_after(1000))
    assert len(calls) < 5  # the last call had little left to do
    assert files_of(folder) == files_of(finished)


def test_a_killed_process_is_taken_up_by_the_next(finished: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.unit.training.test_pretrain import run\n"
        "run(Path(sys.argv[1]), progress=lambda done, total, text: print(done, total, text, flush=True))\n"
    )
    root = Path(__file__).parents[3]
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "killed")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert child.stdout is not None
    for line in child.stdout:
        if line.startswith("3 6"):  # step 3 of 6 of masked language modelling; the last checkpoint is after step 2
            child.kill()
            break
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    assert not (tmp_path / "killed" / "model").exists()
    run(tmp_path / "killed")
    assert files_of(tmp_path / "killed") == files_of(finished)


def test_finished_work_is_only_read(finished: Path) -> None:
    def refuse() -> Iterable[TrainingText]:
        raise AssertionError("the texts were read again")

    before = files_of(finished)
    assert run(finished, texts=refuse) == json.loads((finished / "report.json").read_text())
    assert files_of(finished) == before


@pytest.mark.parametrize(
    "change", [{"masked_language": {**MASKED, "learning_rate": 5e-3}}, {"architecture": {**ARCHITECTURE, "inner": 48}}]
)
def test_unfinished_work_of_other_settings_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    def progress(done: int, total: int | None, text: str) -> None:
        raise Killed  # before there is a checkpoint

    with pytest.raises(Killed):
        run(tmp_path / "other", progress=progress)
    with pytest.raises(ClirError, match="other settings"):
        run(tmp_path / "other", **change)


def test_ranking_goes_on_from_a_model_with_its_first_layers(finished: Path, tmp_path: Path) -> None:
    report = run(
        tmp_path / "more", architecture=None, start=finished / "model", layers=1, masked_language=None, texts=None
    )
    assert "masked_language" not in report
    model, _ = load_reranker(tmp_path / "more" / "model")
    assert len(model.encoder.layers) == 1
    start, _ = load_reranker(finished / "model")
    assert not model.head.weight.equal(start.head.weight)
    # Four steps at this rate move a weight by less than 0.1: the start was not a random one.
    assert (model.head.weight - start.head.weight).abs().max() < 0.1


def test_masked_language_alone_gives_an_encoder(finished: Path, tmp_path: Path) -> None:
    report = run(tmp_path / "encoder", ranking=None, examples=None)
    assert "ranking" not in report
    assert not (tmp_path / "encoder" / "model" / "reranker.json").exists()
    assert build_reranker(tmp_path / "encoder" / "model").encoder.width == 16


def test_folded_text_is_what_the_vocabulary_is_learned_from(tmp_path: Path) -> None:
    words = ["Straße"] * 20
    for text, piece in (("raw", "straße"), ("folded", "strasse")):
        run(tmp_path / text, texts=lambda: words, text=text, ranking=None, examples=None)
        assert piece in load_tokenizer(tmp_path / text / "model").get_vocab()


def test_without_texts_the_vocabulary_is_learned_from_what_is_ranked(tmp_path: Path) -> None:
    report = run(tmp_path / "ranked", texts=None, masked_language=None)
    assert "masked_language" not in report
    assert load_tokenizer(tmp_path / "ranked" / "model").tokenize("birne fish") == ["birne", "fish"]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="either start or architecture"):
        run(tmp_path, start="somewhere")
    with pytest.raises(ValueError, match="needs texts"):
        run(tmp_path, texts=None)
    with pytest.raises(ValueError, match="ranking needs examples"):
        run(tmp_path, examples=None)
    with pytest.raises(ValueError, match="masked_language, ranking or both"):
        run(tmp_path, masked_language=None, ranking=None, examples=None)
    with pytest.raises(DataError, match="no words"):
        run(tmp_path, texts=lambda: ["", " "])
