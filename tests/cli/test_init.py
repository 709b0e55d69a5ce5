"""`clir init`: from a folder of files to an experiment that runs."""

import json
from pathlib import Path

import pytest

from clir_cli.config.load import load_experiment
from clir_cli.config.sources import chosen_source

from .conftest import Call

FIRST_STAGE = ("--topics", "topics.deu.tsv", "--documents", "documents.tsv", "--pair", "deu-eng")
JUDGED = (*FIRST_STAGE, "--qrels", "qrels.txt")
BITEXT = ("--bitext", "bitext.deu", "bitext.eng")
HUMAN = ("--human", "topics.eng.tsv")


@pytest.fixture
def bare(folder: Path) -> Path:
    """The data without an experiment."""
    (folder / "experiments.yaml").unlink()
    return folder


def test_from_files_to_the_table(call: Call, bare: Path) -> None:
    done = call("init", *JUDGED, *BITEXT, *HUMAN)
    assert done.code == 0, done.out + done.err
    assert done.out.startswith("Written: experiments.yaml (experiment mine)\n")
    assert "documents\teng\ttsv\tutf-8\t4\tdocuments.tsv\n" in done.out
    assert "bitext\tdeu-eng\tlines\tutf-8\t12\tbitext.deu, bitext.eng\n" in done.out
    assert done.out.endswith("Next: clir run-all -e mine\n")
    ran = call("run-all", "-e", "mine")
    assert ran.code == 0, ran.err
    assert "SMT                1.0000" in ran.out
    assert "Human translation  1.0000" in ran.out


def test_the_text_is_commented_and_fits_the_line(call: Call, bare: Path) -> None:
    (bare / "model").mkdir()
    for file in ("config.json", "model.safetensors", "tokenizer.json"):
        (bare / "model" / file).write_text("{}", encoding="utf-8")
    done = call("init", *JUDGED, *BITEXT, *HUMAN, "--encoder", "model")
    assert (done.code, "4 topics" in done.out) == (1, True)  # which are too few for five folds
    text = (bare / "experiments.yaml").read_text(encoding="utf-8")
    assert "default: mine " in text
    assert "artifacts: data/artifacts " in text
    assert "      eng:\n        path: documents.tsv " in text
    assert "      checkpoint: ./model " in text
    assert max(map(len, text.splitlines())) <= 120
    keys = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert sum("  # " in line for line in keys) > 0.6 * len(keys)


@pytest.mark.parametrize(
    ("options", "models", "source"),
    [
        ((*JUDGED, *BITEXT), [], "bitext"),
        ((*JUDGED, *BITEXT, "--encoder", "hub/model"), ["m2bert", "mart-plb", "mart"], "bitext"),
        ((*JUDGED, *HUMAN, "--encoder", "hub/model"), ["m2bert"], "none"),
        ((*FIRST_STAGE, *BITEXT, "--encoder", "hub/model"), ["zero-shot"], "bitext"),
        ((*FIRST_STAGE, *HUMAN), [], "none"),
        ((*JUDGED, "--dictionary", "words.tsv"), [], "dictionary"),
        ((*JUDGED, "--table", "table.txt", *HUMAN), [], "table"),
        ((*JUDGED[:4], "--pair", "deu-deu"), [], "none"),
    ],
    ids=["bitext", "encoder", "no-translations", "no-judgements", "human-only", "dictionary", "table", "one-language"],
)
def test_what_is_given_decides_what_is_run(
    call: Call, bare: Path, options: tuple[str, ...], models: list[str], source: str
) -> None:
    (bare / "words.tsv").write_text("haus\thouse\nbaum\ttree\nkatze\tcat\nwasser\twater\n", encoding="utf-8")
    (bare / "table.txt").write_text("haus house 1\nbaum tree 1\nkatze cat 1\nwasser water 1\n", encoding="utf-8")
    done = call("init", *options, "-q")
    assert (bare / "experiments.yaml").exists(), done.err
    made = load_experiment(bare / "experiments.yaml").settings
    [pair] = made.pairs
    assert (list(made.models), chosen_source(made.knowledge)) == (models, source)
    assert bool(made.qrels) == ("--qrels" in options)
    assert made.topics[pair[:3]].encoding == "utf-8"


def test_without_judgements_there_are_runs(call: Call, bare: Path) -> None:
    done = call("init", *FIRST_STAGE, *BITEXT)
    assert done.code == 0, done.out + done.err
    assert "-- Without judgements there will be runs, but no tables: add `qrels` later.\n" in done.out
    ran = call("run-all", "-e", "mine", "-q")
    assert (ran.code, ran.out) == (0, "Without judgements there are runs, but no tables: deu-eng.\n")


def test_a_language_without_stop_words(call: Call, bare: Path) -> None:
    done = call("init", *JUDGED[:4], "--pair", "gsw-eng", *JUDGED[6:], *BITEXT)
    assert done.code == 0, done.out + done.err
    assert "-- There is no list of stop words for gsw: none are used; see `languages` in the file.\n" in done.out
    made = load_experiment(bare / "experiments.yaml").settings
    assert {name: setting.stop_words for name, setting in made.languages.items()} == {"gsw": "none"}


def test_encodings_are_found_and_written(call: Call, bare: Path) -> None:
    (bare / "topics.deu.tsv").write_bytes("0\tHaus\n1\tBäume\n2\tKatze\n3\tWasser\n".encode("iso-8859-1"))
    done = call("init", *JUDGED, *BITEXT)
    assert "-- topics.deu.tsv is not utf-8: it will be read as iso-8859-1." in done.out
    assert load_experiment(bare / "experiments.yaml").settings.topics["deu"].encoding == "iso-8859-1"


def test_a_file_elsewhere_is_named_in_the_next_command(call: Call, bare: Path) -> None:
    (bare / "my work").mkdir()
    done = call("init", *JUDGED, *BITEXT, "--file", "my work/e.yaml", "--name", "first")
    assert done.out.endswith("Next: clir run-all -e first --config 'my work/e.yaml'\n")
    text = (bare / "my work" / "e.yaml").read_text(encoding="utf-8")
    assert (bare / "documents.tsv").as_posix() in text


def test_added_to_a_file_that_is_there(call: Call, folder: Path) -> None:
    before = (folder / "experiments.yaml").read_text(encoding="utf-8")
    done = call("init", *JUDGED, *BITEXT)
    assert done.out.startswith("Added to experiments.yaml (experiment mine)\n")
    assert (folder / "experiments.yaml").read_text(encoding="utf-8").startswith(before)
    again = call("init", *JUDGED, *BITEXT)
    assert (again.code, again.err) == (
        2,
        "Error: experiments.yaml has an experiment `mine` already.\n"
        "Choose another name with --name, or take that one out of the file first.\n",
    )


def test_everything_wrong_is_told_at_once(call: Call, bare: Path) -> None:
    (bare / "table.txt").write_bytes("B\xe4ume trees 1\n".encode("iso-8859-1"))
    done = call(
        "init", "--topics", "topics.deu.txv", "--documents", "nowhere/d.tsv", "--pair", "ger-en", "--name", "a b",
        "--qrels", "topics.deu.tsv", "--table", "table.txt", "--encoder", "./model",
    )  # fmt: skip
    assert done.code == 2
    assert done.err == (
        "Error: 7 things are to be mended:\n"
        "  --name: `a b` is not a name of letters, digits and . _ -\n"
        "  --pair: `ger-en` is not written in ISO 639-3 codes: did you mean `deu-eng`?\n"
        "  --topics: `topics.deu.txv` does not exist: did you mean `topics.deu.tsv` or `topics.eng.tsv`?\n"
        f"  --documents: `nowhere/d.tsv` does not exist (there is only {bare})\n"
        f"  --encoder: `./model` is no folder (nothing of that name in {bare})\n"
        "  --table: table.txt is iso-8859-1, and is read as utf-8: convert it\n"
        "  --qrels: topics.deu.tsv:1: `0 haus` is not `topic 0 document grade`\n"
    )
    assert not (bare / "experiments.yaml").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "3 things are to be mended:\n  --pair: say in which languages"),
        (JUDGED, "--bitext: nothing translates deu into eng. Give parallel text (--bitext SOURCE TARGET), a word list"),
        ((*JUDGED, *BITEXT, "--table", "qrels.txt"), "--table: translations come from one source: give --bitext or"),
        ((*JUDGED, *BITEXT, "--human", "topics.deu.tsv"), "--human: topics.deu.tsv is given as --topics too"),
        ((*JUDGED, "--bitext", "bitext.deu", "bitext.deu"), "--bitext: the same file twice: give one in deu and one"),
        ((*JUDGED[:4], "--pair", "deu-deu", *HUMAN), "--human: the topics are in deu already"),
        ((*JUDGED, *BITEXT, "--encoder", "made"), "--encoder: the folder `made` holds no config.json"),
        (("--topics", "made", *JUDGED[2:], *BITEXT), "--topics: made: there are no files in it."),
        ((*JUDGED, "--dictionary", "made"), "--dictionary: `made` is a folder, a file is needed"),
        ((*JUDGED, "--bitext", "bitext.deu"), "Option '--bitext' requires 2 arguments."),
    ],
)  # fmt: skip
def test_wrong_options(call: Call, bare: Path, options: tuple[str, ...], said: str) -> None:
    (bare / "made").mkdir()
    done = call("init", *options)
    assert done.code == 2
    assert done.err.startswith(f"Error: {said}")
    assert done.out == ""
    assert not (bare / "experiments.yaml").exists()


def test_bad_data_is_code_1_and_the_file_stays(call: Call, bare: Path) -> None:
    (bare / "bitext.eng").write_text("house\n", encoding="utf-8")
    done = call("init", *JUDGED, *BITEXT)
    assert done.code == 1
    assert done.out.endswith(
        "experiments.yaml stays as it was written. Mend the data, then: clir validate -e mine. "
        "Were the options wrong, take `mine` out of it and call clir init again.\n"
    )
    assert load_experiment(bare / "experiments.yaml").name == "mine"


def test_json_lines_and_several_files(call: Call, bare: Path) -> None:
    lines = [line.split("\t") for line in (bare / "documents.tsv").read_text(encoding="utf-8").splitlines()]
    for number in range(2):
        (bare / f"d {number}.jsonl").write_text(
            "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in lines[number::2]), encoding="utf-8"
        )
    done = call(
        "init", *JUDGED[:2], "--documents", "d 0.jsonl", "--documents", "d 1.jsonl", *JUDGED[4:], *BITEXT,
    )  # fmt: skip
    assert done.code == 0, done.out + done.err
    made = load_experiment(bare / "experiments.yaml").settings.collections["eng"]
    assert (made.path, made.format) == ([bare / "d 0.jsonl", bare / "d 1.jsonl"], "jsonl")


def test_folders_of_topics_and_judgements(call: Call, bare: Path) -> None:
    for folder, names in {"q": ["topics.deu.tsv"], "j": ["qrels.txt"]}.items():
        (bare / folder).mkdir()
        for name in names:
            (bare / name).rename(bare / folder / name)
    done = call("init", "--topics", "q", "--documents", "documents.tsv", "--pair", "deu-eng", "--qrels", "j", *BITEXT)
    assert done.code == 0, done.out + done.err
    made = load_experiment(bare / "experiments.yaml").settings
    assert (made.topics["deu"].path, made.qrels["eng"]) == ([bare / "q"], [bare / "j"])
