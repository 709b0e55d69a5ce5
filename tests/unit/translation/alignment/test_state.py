"""The way back after a kill."""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from clir_cli.translation.alignment.aligned import Alignment
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare
from clir_cli.translation.alignment.state import State
from tests.unit.translation.alignment.planted import planted

PAIRS, _ = planted(pairs=40, words=30)
SETTINGS = AlignerSettings(model1=2, model2=1, hmm=3, threads=1)
ALONE = AlignerSettings(model1=2, model2=1, hmm=3, threads=1, agreement=False, family_weight=0.0)
ITERATIONS = 6


@pytest.fixture(scope="module")
def text() -> PreparedText:
    return prepare(PAIRS)


@pytest.fixture(scope="module")
def undisturbed(text) -> Alignment:
    return learn(text, SETTINGS)


def same(one: Alignment, other: Alignment) -> bool:
    def arrays(found: Alignment) -> list[np.ndarray]:
        tables = [found.table(inverse=inverse, min_probability=0).probabilities for inverse in (False, True)]
        links = found.agreed
        return [
            found.forward, found.backward, links.start, links.source, links.target,
            *(getattr(table, name) for table in tables for name in ("data", "indices", "indptr")),
        ]  # fmt: skip

    return one.report == other.report and all(map(np.array_equal, arrays(one), arrays(other)))


class StoppedError(Exception):
    pass


def stop_in(iteration: int):
    """A listener that raises while ``iteration`` (from 1; the last pass is one more) is under way."""

    def progress(done: int, total: int | None, message: str) -> None:
        if f"iteration {iteration} of" in message or (iteration > ITERATIONS and message.startswith("links")):
            raise StoppedError

    return progress


def iterations_of(text: PreparedText, settings: AlignerSettings, folder: Path) -> tuple[Alignment, list[int]]:
    """What is learned, and the iterations that were done for it; the first, which is only counted, is not told of."""
    seen: list[int] = []

    def progress(done: int, total: int | None, message: str) -> None:
        if " of " in message:
            seen.append(int(message.split("iteration ")[1].split()[0]))

    return learn(text, settings, state=folder, progress=progress), sorted(set(seen))


@pytest.mark.parametrize("settings", [SETTINGS, ALONE])
@pytest.mark.parametrize("iteration", range(2, ITERATIONS + 2))
def test_a_run_that_was_stopped_goes_on_and_ends_with_the_same_bits(text, settings, iteration, tmp_path):
    with pytest.raises(StoppedError):
        learn(text, settings, state=tmp_path, progress=stop_in(iteration))
    found, done = iterations_of(text, settings, tmp_path)
    assert done == list(range(iteration, ITERATIONS + 1))
    assert same(found, learn(text, settings))


def test_a_run_may_be_stopped_again_and_again(text, undisturbed, tmp_path):
    for iteration in range(2, ITERATIONS + 2):
        with pytest.raises(StoppedError):
            learn(text, SETTINGS, state=tmp_path, progress=stop_in(iteration))
    assert same(learn(text, SETTINGS, state=tmp_path), undisturbed)


def test_another_number_of_threads_may_go_on(text, undisturbed, tmp_path):
    with pytest.raises(StoppedError):
        learn(text, SETTINGS, state=tmp_path, progress=stop_in(4))
    settings = AlignerSettings(model1=2, model2=1, hmm=3, threads=3)
    found, done = iterations_of(text, settings, tmp_path)
    assert done == [4, 5, 6]
    assert same(found, undisturbed)


def test_a_finished_run_has_only_its_last_pass_to_do_again(text, undisturbed, tmp_path):
    learn(text, SETTINGS, state=tmp_path)
    found, done = iterations_of(text, SETTINGS, tmp_path)
    assert done == []
    assert same(found, undisturbed)
    assert [path.name for path in tmp_path.iterdir()] == ["aligner.npz"]


@pytest.mark.parametrize(
    ("pairs", "settings"),
    [
        (PAIRS[:-1], SETTINGS),
        ([(target, source) for source, target in PAIRS], SETTINGS),
        (PAIRS[1:] + PAIRS[:1], SETTINGS),
        ([(["other", *source[1:]], target) for source, target in PAIRS], SETTINGS),
        (PAIRS, AlignerSettings(model1=2, model2=1, hmm=4)),
        (PAIRS, AlignerSettings(model1=2, model2=1, hmm=3, null=0.2)),
        (PAIRS, AlignerSettings(model1=2, model2=1, hmm=3, family_weight=1.0)),
    ],
)
def test_state_of_other_text_or_settings_is_not_used(text, pairs, settings, tmp_path):
    learn(text, SETTINGS, state=tmp_path)
    other = prepare(pairs)
    found, done = iterations_of(other, settings, tmp_path)
    assert done == list(range(2, len(settings.schedule) + 1))
    assert same(found, learn(other, settings))


def saved_bytes(text: PreparedText, folder: Path) -> bytes:
    with pytest.raises(StoppedError):
        learn(text, SETTINGS, state=folder, progress=stop_in(5))
    return (folder / "aligner.npz").read_bytes()


@pytest.mark.parametrize("damage", ["empty", "no file of this kind", "another array", "another archive", "half", "zip"])
def test_damaged_state_is_not_used(text, undisturbed, damage, tmp_path):
    whole = saved_bytes(text, tmp_path)
    file = tmp_path / "aligner.npz"
    if damage == "another array":
        with file.open("wb") as opened:
            np.save(opened, np.arange(5))
    elif damage == "another archive":
        with file.open("wb") as opened:
            np.savez(opened, p=np.arange(5))
    else:
        others = {
            "empty": b"",
            "no file of this kind": b"hello",
            "half": whole[: len(whole) // 2],
            "zip": b"PK\x03\x04",
        }
        file.write_bytes(others[damage])
    found, done = iterations_of(text, SETTINGS, tmp_path)
    assert done == list(range(2, ITERATIONS + 1))
    assert same(found, undisturbed)


def test_state_cut_anywhere_or_with_any_byte_changed_is_used_whole_or_not_at_all(text, tmp_path):
    whole = saved_bytes(text, tmp_path)
    file = tmp_path / "aligner.npz"
    clean = Model(text, SETTINGS.null)
    good = Model(text, SETTINGS.null)
    state = State(tmp_path, text, SETTINGS.deciding())
    likelihoods = state.load(good)
    assert len(likelihoods) == 4
    rng = random.Random(5)
    used = 0
    # What describes the arrays is at the ends of the file and before each array: those bytes are changed one by one.
    marks = [at for at in range(len(whole)) if whole.startswith((b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"), at)]
    near = [at for mark in marks for at in range(mark, min(mark + 250, len(whole)), 5)]
    cases = [whole[:at] for at in rng.sample(range(len(whole)), 60)]
    for at in [*near, *rng.sample(range(len(whole)), 60)]:
        changed = whole[at] ^ (1 << rng.randrange(8))
        cases.append(whole[:at] + bytes([changed]) + whole[at + 1 :])
    for case in cases:
        file.write_bytes(case)
        model = Model.__new__(Model)
        model.__dict__.update(clean.__dict__, cells=clean.cells.copy())
        found = state.load(model)
        assert found in ([], likelihoods)
        used += bool(found)
        expected = good if found else clean
        assert np.array_equal(model.cells, expected.cells)
        assert np.array_equal(model.null_source, expected.null_source)
        assert np.array_equal(model.null_target, expected.null_target)
        assert model.tensions == expected.tensions
    assert used < len(cases) / 2


@pytest.mark.parametrize(
    ("told", "untold"), [(b"'<f4'", b"'<f2'"), (b"'<f8'", b"'<f4'"), (b"(2, 36)", b"(1, 36)"), (b"(4,)", b"(3,)")]
)
def test_an_array_that_is_said_to_be_shorter_than_it_is_is_not_used(text, told, untold, tmp_path):
    # It can be read without an error: what is not read to its end has no checksum that is wrong.
    file = tmp_path / "aligner.npz"
    whole = saved_bytes(text, tmp_path)
    places = [at for at in range(len(whole)) if whole.startswith(told, at)]
    assert places
    for at in places:
        file.write_bytes(whole[:at] + untold + whole[at + len(told) :])
        assert State(tmp_path, text, SETTINGS.deciding()).load(Model(text, SETTINGS.null)) == []


def test_everything_that_an_iteration_changes_is_saved(text, tmp_path):
    saved_bytes(text, tmp_path)
    model = Model(text, SETTINGS.null)
    assert len(State(tmp_path, text, SETTINGS.deciding()).load(model)) == 4
    again = Model(text, SETTINGS.null)
    state = State(tmp_path / "again", text, SETTINGS.deciding())
    state.save(model, [-4.0, -3.0])
    assert state.load(again) == [-4.0, -3.0]
    np.testing.assert_array_equal(again.cells[:, :2], model.cells[:, :2])
    np.testing.assert_array_equal(again.null_source, model.null_source)
    np.testing.assert_array_equal(again.null_target, model.null_target)
    assert again.tensions == model.tensions
    assert again.tensions != Model(text, SETTINGS.null).tensions
    for mine, other in zip(again.jumps, model.jumps, strict=True):
        np.testing.assert_array_equal(mine.weights, other.weights)
        np.testing.assert_array_equal(mine.first, other.first)
        assert mine.far == other.far


LEARNS = """
import hashlib, json, sys, time
from pathlib import Path
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import prepare

done = []
def progress(number, total, message):
    done.append(message)
    if sys.argv[2:] and sys.argv[2] in message:
        print("now", flush=True)
        time.sleep(600)

text = prepare(json.loads(sys.stdin.readline()))
found = learn(text, AlignerSettings(model1=2, model2=1, hmm=3, threads=2), state=Path(sys.argv[1]), progress=progress)
digest = hashlib.sha256()
for inverse in (False, True):
    digest.update(found.table(inverse=inverse, min_probability=0).probabilities.data.tobytes())
print(json.dumps([digest.hexdigest(), sum("iteration" in message for message in done)]))
"""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-c", LEARNS, str(folder), *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(json.dumps(PAIRS) + "\n")
    process.stdin.flush()
    return process


def test_a_process_killed_amid_an_iteration_is_gone_on_with(tmp_path):
    # The first one compiles what it needs, and in the last digits may differ from those that find it compiled.
    for name in ("compiles", "undisturbed"):
        with start(tmp_path / name) as process:
            undisturbed, iterations = json.loads(process.communicate()[0])
    with start(tmp_path / "killed", "iteration 5 of") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "now\n"
        process.kill()
    assert process.returncode == -9
    (tmp_path / "killed" / "aligner.npz.partial").write_bytes(b"PK half of what was to be saved next")
    with start(tmp_path / "killed") as process:
        found, left = json.loads(process.communicate()[0])
    assert found == undisturbed
    assert 0 < left < iterations
