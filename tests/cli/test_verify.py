"""`clir verify`: met, not met, not there, and what may be written under `expected`."""

from pathlib import Path

import pytest

from clir_cli.config.load import load_experiment
from clir_cli.evaluation.expected import compare_mean

from .conftest import EXPERIMENT, Call

EXPECTED = "    expected: {deu-eng: {smt: {AP@100: %s}, human: {AP@100: 1, P@10: 0.1}}}\n"
ROOT = Path(__file__).parents[2]


def write(folder: Path, smt: str) -> None:
    (folder / "experiments.yaml").write_text(EXPERIMENT + EXPECTED % smt, encoding="utf-8")


def test_scores_that_come_out_as_expected(folder: Path, call: Call) -> None:
    write(folder, "1.0")
    said = call("verify", "--quiet")
    assert said.code == 0, said.err
    assert said.out.count("ok") == 3
    assert "off" not in said.out


def test_a_score_that_is_off_is_shown_and_fails(folder: Path, call: Call) -> None:
    write(folder, "0.9")
    said = call("verify", "--quiet")
    assert said.code == 1
    assert "1 of 3 scores are not what the experiment expects" in said.err
    (line,) = [line for line in said.out.splitlines() if "off" in line]
    assert line.split() == ["deu-eng", "smt", "AP@100", "0.9000", "5e-05", "1.0000", "off"]
    write(folder, "{value: 0.9, within: 0.1}")
    assert call("verify", "--quiet").code == 0


def test_nothing_expected_is_said(folder: Path, call: Call) -> None:
    said = call("verify", "--quiet")
    assert said.code == 2
    assert "expects no score of what was chosen" in said.err


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{eng-deu: {smt: {AP@100: 1}}}", "no pair `eng-deu`"),
        ("{deu-eng: {smtt: {AP@100: 1}}}", "no system `smtt`: did you mean `smt`?"),
        ("{deu-eng: {smt: {RR: 1}}}", "`RR` is not measured: add it to evaluation.measures"),
        ("{deu-eng: {smt: {AP@100: high}}}", "expected.deu-eng.smt.AP@100"),
    ],
)
def test_what_cannot_come_out_is_refused(folder: Path, call: Call, written: str, said: str) -> None:
    (folder / "experiments.yaml").write_text(f"{EXPERIMENT}    expected: {written}\n", encoding="utf-8")
    found = call("verify", "--quiet")
    assert found.code == 2
    assert said in found.err


def test_a_variant_expects_nothing_of_what_it_extends(folder: Path, call: Call) -> None:
    write(folder, "1.0")
    with (folder / "experiments.yaml").open("a", encoding="utf-8") as file:
        file.write("  other: {extends: tiny, retrieval: {depth: 10}}\n")
    assert load_experiment(folder / "experiments.yaml", "other").settings.expected == {}
    assert call("verify", "-e", "other", "--quiet").code == 2
    assert call("verify", "-e", "tiny", "--quiet").code == 0


def test_the_sample_expects_scores_of_all_its_pairs() -> None:
    settings = load_experiment(ROOT / "experiments.yaml", "sample").settings
    assert settings.expected.keys() == settings.pairs.keys()
    assert all({"smt", "human"} <= systems.keys() for systems in settings.expected.values())
    assert {"m2bert", "mart-plb", "mart"} <= settings.expected["deu-eng"].keys()


def test_both_ends_of_a_tolerance_count() -> None:
    assert compare_mean({"a": 0.5, "b": 0.7}, 0.5, 0.1).holds
    assert compare_mean({"a": 0.5, "b": 0.7}, 0.7, 0.1).holds
    assert not compare_mean({"a": 0.5, "b": 0.7}, 0.7, 0.09).holds
    assert not compare_mean(None, 0.0, 1.0).holds
    assert not compare_mean({}, 0.0, 1.0).holds
