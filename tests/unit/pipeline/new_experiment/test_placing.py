"""A new experiment in a file that has others: nothing else in it changes."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clir_cli.config.load import load_experiment
from clir_cli.config.yaml_lines import read_yaml
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.new_experiment.placing import place
from clir_cli.pipeline.new_experiment.wishes import NewExperiment, Wishes, settle

OLD = """\
# mine, all mine
artifacts: made   # here

experiments:
  old:            # the first
    collections: {eng: d.tsv}
    topics: {deu: q.tsv, eng: e.tsv}
    pairs: [deu-eng]
    knowledge: {source: none}
    models: []
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"q.tsv": "1\tHaus\n", "e.tsv": "1\thouse\n", "d.tsv": "d1\tA house\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def new_in(folder: Path, name: str = "mine", file: str = "experiments.yaml") -> NewExperiment:
    return settle(
        Wishes(
            folder / file, name, "deu-eng", topics=[folder / "q.tsv"], human=[folder / "e.tsv"],
            documents=[folder / "d.tsv"],
        )
    )  # fmt: skip


def write(folder: Path, text: str) -> Path:
    file = folder / "experiments.yaml"
    file.write_bytes(text.encode("utf-8"))
    return file


MODELS = "    models: []\n"


@pytest.mark.parametrize(
    "text",
    [
        OLD,
        OLD.rstrip("\n"),  # no line end at the end
        OLD + "\n\n  # a last word\n",
        OLD.replace("artifacts: made   # here\n", "") + "# of the rest\n\nartifacts: made\ndefault: old\n",
        OLD.replace(MODELS, MODELS + "    description: |\n      many\n      words\n") + "default: old\n",
        OLD.replace(MODELS, MODELS + "    description: >\n      many words\n\n\n"),
        OLD.replace("    ", "        ").replace("  old", "      old"),
        OLD.replace("\n", "\r\n"),
        "\ufeff" + OLD,
        OLD.replace("  old:", "  'old':").replace(
            "models: []", "models:\n    - m2bert\n    encoder: x/y\n    qrels: {eng: q.tsv}"
        ),
        OLD + "  broken-but-not-asked-for: {extends: old, topics: {deu: '${NOBODY}/q.tsv'}}\n",
    ],
    ids=[
        "plain", "no-line-end", "comments-at-the-end", "not-the-last-key", "block-text-before-a-key",
        "block-text-at-end",
        "wide-indentation", "windows-line-ends", "byte-order-mark", "sequence-without-indentation", "others-lack-files",
    ],
)  # fmt: skip
def test_every_byte_of_the_old_text_stays(folder: Path, text: str) -> None:
    file = write(folder, text)
    before = read_yaml(file).data
    experiment = place(new_in(folder))
    after = file.read_bytes().decode("utf-8")
    old_lines, new_lines = text.replace("\r", "").split("\n"), after.replace("\r", "").split("\n")
    remaining = iter(new_lines)
    assert all(line in remaining for line in old_lines), "the old lines are there, in their order"
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert after.count("\r\n") == (after.count("\n") if "\r\n" in text else 0)
    data = read_yaml(file).data
    assert data["experiments"].pop("mine")["pairs"] == ["deu-eng"]
    assert data == before
    assert experiment.name == "mine"
    assert load_experiment(file, "mine").settings.topics["deu"].path == [folder / "q.tsv"]


@pytest.mark.parametrize(
    "text",
    [
        "experiments: {old: {pairs: []}}\n",
        "base: &b\n  old: {pairs: []}\nexperiments: *b\n",
        "experiments:\n",
        OLD + "...\n",
        OLD.replace(MODELS, MODELS + "    description: |+\n      many\n\n\n"),
    ],
    ids=["in-brackets", "alias", "empty", "end-marker", "text-that-keeps-blank-lines"],
)
def test_what_cannot_be_added_to_safely_is_refused(folder: Path, text: str) -> None:
    file = write(folder, text)
    with pytest.raises((UsageError, ConfigError)) as caught:
        place(new_in(folder))
    assert isinstance(caught.value, UsageError)
    assert file.read_bytes() == text.encode()
    assert sorted(path.name for path in folder.iterdir()) == ["d.tsv", "e.tsv", "experiments.yaml", "q.tsv"]


def test_the_same_name_is_refused(folder: Path) -> None:
    file = write(folder, OLD)
    with pytest.raises(UsageError) as caught:
        place(new_in(folder, name="old"))
    assert str(caught.value) == (
        "experiments.yaml has an experiment `old` already. "
        "Choose another name with --name, or take that one out of the file first."
    )
    assert file.read_text(encoding="utf-8") == OLD


def test_a_file_with_problems_of_its_own_is_left_alone(folder: Path) -> None:
    text = OLD.replace("models: []", "modles: []")
    file = write(folder, text)
    with pytest.raises(ConfigError) as caught:
        place(new_in(folder))
    assert caught.value.problem.startswith("experiments.yaml:10: experiments.old.modles: unknown key `modles`")
    assert file.read_text(encoding="utf-8") == text
    assert len(list(folder.iterdir())) == 4


def test_a_file_that_is_a_link_stays_one(folder: Path) -> None:
    (folder / "real").mkdir()
    real = folder / "real" / "file.yaml"
    real.write_text(OLD, encoding="utf-8")
    real.chmod(0o640)
    (folder / "experiments.yaml").symlink_to(real)
    place(new_in(folder))
    assert (folder / "experiments.yaml").is_symlink()
    assert "  mine:" in real.read_text(encoding="utf-8")
    assert real.stat().st_mode & 0o777 == 0o640


def test_two_are_added_one_after_the_other(folder: Path) -> None:
    place(new_in(folder))
    place(new_in(folder, "second"))
    data = read_yaml(folder / "experiments.yaml").data
    assert list(data["experiments"]) == ["mine", "second"]
    assert data["default"] == "mine"


NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\"), min_size=1, max_size=20
).filter(lambda name: name not in (".", "..") and "${" not in name and len(name.encode()) < 200)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(names=st.lists(NAMES, min_size=3, max_size=3, unique_by=str.casefold))
def test_files_of_any_name_are_found_again(tmp_path: Path, names: list[str]) -> None:
    folder = tmp_path / "any"
    folder.mkdir(exist_ok=True)
    files = [folder / f"{number}{name}" if name.startswith(".") else folder / name for number, name in enumerate(names)]
    for file, text in zip(files, ("1\tHaus\n", "1\thouse\n", "d1\tA house\n"), strict=True):
        file.write_text(text, encoding="utf-8")
    yaml = folder / "made.yaml"
    try:
        topics, human, documents = files
        new = settle(Wishes(yaml, "mine", "deu-eng", topics=[topics], human=[human], documents=[documents]))
        loaded = place(new).settings
        assert loaded.topics["deu"].path == [topics]
        assert loaded.topics["eng"].path == [human]
        assert loaded.collections["eng"].path == [documents]
    finally:
        for file in [*files, yaml]:
            file.unlink(missing_ok=True)
