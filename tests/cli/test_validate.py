"""What `clir validate` says of each thing that can be wrong with the files of an experiment."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import EXPERIMENT, Call

CASES = Path(__file__).parents[1] / "data" / "validate"
ROOT = Path(__file__).parents[2]
Found = dict[str, Any]
Look = Callable[..., list[Found]]


@pytest.fixture
def look(call: Call, folder: Path) -> Look:
    """Lay a case over the tiny experiment, and give the findings; places and texts without the folder."""

    def findings(case: str = "", *sets: str, code: int | None = None) -> list[Found]:
        if case:
            shutil.copytree(CASES / case, folder, dirs_exist_ok=True)
        done = call("validate", "--json", "--quiet", *(part for setting in sets for part in ("--set", setting)))
        assert done.err == ""
        report = json.loads(done.out.replace(f"{folder}/", ""))
        has_errors = any(found["level"] == "error" for found in report["findings"])
        assert done.code == (1 if has_errors else 0)
        return [found for found in report["findings"] if found["code"] not in USUAL]

    return findings


USUAL = {"missing-field", "query-coverage", "document-coverage", "untranslatable-topic"}
"""What the tiny experiment has anyway, or has where a case takes words away."""


def one(found: list[Found], code: str) -> Found:
    fitting = [finding for finding in found if finding["code"] == code]
    assert len(fitting) == 1, found
    return fitting[0]


def test_a_good_experiment_has_one_note(call: Call, folder: Path) -> None:
    done = call("validate", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "notes: topics deu\n"
        "  no topic has a description: queries are made of what is there. [missing-field]\n"
        "    Is the format right?\n"
        "\n"
        "notes: topics eng\n"
        "  no topic has a description: queries are made of what is there. [missing-field]\n"
        "    Is the format right?\n"
        "\n"
        "0 errors, 0 warnings, 2 notes\n"
    )


def test_nothing_at_all_is_said_to_be_nothing(call: Call) -> None:
    done = call("validate", "--quiet", "--set", "topics.deu.fields=[title]", "--set", "topics.eng.fields=[title]")
    assert (done.code, done.out) == (0, "Nothing was found: no errors, no warnings, no notes.\n")


def test_progress_goes_to_stderr(call: Call) -> None:
    done = call("validate")
    assert "> collection eng\n+ collection eng: " in done.err
    assert "collection" not in done.out


def test_the_shape_of_json(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "same-id-other-text", folder, dirs_exist_ok=True)
    done = call("validate", "--json", "--quiet")
    report = json.loads(done.out)
    assert list(report) == ["experiment", "levels", "counts", "findings"]
    assert report["experiment"] == "tiny"
    assert report["levels"] == ["error", "warning", "note"]
    assert report["counts"] == {"error": 1, "warning": 0, "note": 2}
    assert report["findings"][0] == {
        "level": "error",
        "code": "duplicate-id",
        "part": "collection eng",
        "place": f"{folder}/documents.tsv:5",
        "message": f"document d1 is there twice, the second time with another text, first at {folder}/documents.tsv:2.",
        "hint": "Give each document its own id.",
        "count": 1,
        "examples": [],
    }


SAID: list[tuple[str, str, str, str, str]] = [
    # documents
    (
        "same-id-same-text", "warning", "duplicate-id", "documents.tsv:5",
        "document d1 is there twice, the second time with the same text, first at documents.tsv:2.",
    ),
    ("many-duplicates", "error", "duplicate-id", "", "8 documents have the id of an earlier one and another text."),
    ("one-broken-line", "error", "unreadable-document", "documents.tsv:5", "there is no tab."),
    ("broken-lines", "error", "unreadable-document", "documents.tsv", "7 documents cannot be read."),
    ("empty-documents", "warning", "empty-document", "", "2 documents of 6 have no word that can be searched."),
    (
        "misread-text", "warning", "misread-encoding", "",
        "utf-8 read as another encoding (Ã¼ for ü) is in 1 document of 5.",
    ),
    (
        "lost-characters", "warning", "lost-character", "",
        "U+FFFD, which stands for a lost character, is in 1 document of 5.",
    ),
    (
        "german-collection", "warning", "other-language", "",
        "the language is deu by a guess from stop words, but eng is declared.",
    ),
    (
        "one-german-document", "note", "other-language", "",
        "1 document of 5 is not in eng, by a guess from stop words.",
    ),
    ("no-documents", "error", "no-documents", "documents.tsv", "there are no documents in it."),
    # topics
    (
        "topic-twice", "error", "duplicate-topic", "topics.deu.tsv:5",
        "topic C001 is there already, at topics.deu.tsv:2.",
    ),
    ("no-topics", "error", "no-topics", "topics.deu.tsv", "the file is empty."),
    ("empty-topic", "error", "unreadable-topic", "topics.deu.tsv:5", "topic 4 has no text."),
    (
        "stop-words-only", "warning", "empty-query", "topics.deu.tsv:5",
        "topic 4: 1 topic of 5 has no word that can be searched.",
    ),
    (
        "english-topics", "warning", "topic-language", "",
        "the language is eng by a guess from stop words, but deu is declared.",
    ),
    ("untranslated-topic", "note", "untranslated-topic", "", "1 topic of 4 has no human translation."),
    ("other-human-topics", "warning", "untranslated-topic", "", "none of the topics has a human translation."),
    # judgements
    (
        "judged-again", "error", "repeated-judgement", "qrels.txt:5",
        "the judgement of document d1 for topic 1 repeats the one at qrels.txt:2.",
    ),
    (
        "judged-again", "error", "conflicting-judgement", "qrels.txt:6",
        "document d2 has grade 0 for topic 2 here, and 1 at qrels.txt:3.",
    ),
    (
        "two-spellings", "error", "conflicting-judgement", "",
        "1 document has different grades for two spellings of one topic.",
    ),
    ("no-relevant-topic", "note", "no-relevant-topic", "", "1 topic has no relevant document and will not count."),
    ("nothing-relevant", "error", "no-relevant", "", "none of the 4 judgements is above 0: nothing is relevant."),
    (
        "absent-documents", "note", "absent-document", "",
        "3 of 7 (42.9 %) judged documents are not in the collection, 1 relevant.",
    ),
    ("no-judged-document", "error", "no-judged-document", "", "none of the 4 judged documents is in the collection."),
    (
        "emptied-topic", "note", "emptied-topic", "",
        "1 topic has relevant documents, but none of them here, and will not count.",
    ),
    ("undeclared-topics", "note", "undeclared-topic", "", "1 judged topic of 5 is not among the topics."),
    ("unjudged-topic", "warning", "unjudged-topic", "", "1 topic of 4 has no judgement and will not count."),
    ("no-topic-judged", "error", "unjudged-topic", "", "none of the 4 topics is judged."),
    (
        "odd-grades", "note", "unusual-grade", "",
        "2 grades are below 0 or above 4 (-1: 1, 7: 1); below 1 is not relevant.",
    ),
    ("empty-qrels", "error", "no-judgements", "qrels.txt", "there is no judgement in it."),
    ("short-lines", "error", "unreadable-judgement", "qrels.txt:5", "3 columns, but a line of qrels has 4."),
    # parallel text
    ("unequal-lines", "error", "unequal-lines", "bitext.deu", "bitext.deu has 13 lines, bitext.eng has 12."),
    ("blank-lines", "note", "blank-line", "", "1 line is blank on a side and will be left out."),
    ("untranslated-lines", "note", "untranslated-line", "", "1 of 12 (8.3 %) lines are the same on both sides."),
    (
        "length-ratio", "note", "length-ratio", "",
        "1 of 12 (8.3 %) lines have 4 times the words of their translation or more.",
    ),
    (
        "long-lines", "note", "long-line", "",
        "1 of 12 (8.3 %) lines have more than 100 words on a side and will be skipped.",
    ),
    (
        "swapped-bitext", "warning", "swapped-languages", "bitext.deu",
        "the languages seem to be swapped: bitext.deu looks like eng, bitext.eng like deu (a guess from stop words).",
    ),
    (
        "english-twice", "warning", "bitext-language", "bitext.deu",
        "the language is eng by a guess from stop words, but deu is meant.",
    ),
    ("empty-bitext", "error", "no-lines", "bitext.deu", "there is no line with text on both sides."),
]  # fmt: skip


@pytest.mark.parametrize(("case", "level", "code", "place", "message"), SAID, ids=[f"{x[0]} {x[2]}" for x in SAID])
def test_what_is_said(look: Look, case: str, level: str, code: str, place: str, message: str) -> None:
    found = one(look(case), code)
    assert (found["level"], found["place"], found["message"]) == (level, place, message)


def test_many_are_one_finding_with_the_first_as_examples(look: Look) -> None:
    found = one(look("broken-lines"), "unreadable-document")
    assert found["count"] == 7
    assert found["examples"] == [f"documents.tsv:{line}: there is no tab." for line in range(5, 10)]


def test_all_shows_every_example(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "broken-lines", folder, dirs_exist_ok=True)
    assert "      and 2 more (--all)\n" in call("validate", "-q").out
    done = call("validate", "-q", "--all")
    assert "documents.tsv:11: there is no tab." in done.out
    assert "more" not in done.out


def test_duplicates_name_all_their_places(look: Look) -> None:
    found = one(look("many-duplicates"), "duplicate-id")
    assert found["count"] == 8
    assert found["examples"][0] == "d0: documents.tsv:1, documents.tsv:5, documents.tsv:9"


def test_faults_that_are_skipped_are_warnings(look: Look) -> None:
    found = look("broken-lines", "collections.eng.faults=skip")
    assert one(found, "unreadable-document")["level"] == "warning"


def test_an_undecodable_byte_names_the_encoding_to_try(look: Look) -> None:
    found = look("latin-1-bytes")
    undecodable = one(found, "undecodable-byte")
    assert undecodable["place"] == "documents.tsv:5"
    assert undecodable["level"] == "error"
    assert "iso-8859-1" in undecodable["hint"]
    assert "lost-character" not in {finding["code"] for finding in found}  # it is the same fault


def test_undecodable_parallel_text(look: Look) -> None:
    assert one(look("undecodable-bitext"), "undecodable-byte")["place"] == "bitext.deu:2"


def test_tags_that_hold_no_text(look: Look) -> None:
    found = look("sgml-without-text", "collections.eng={path: documents.sgml, fields: [TEXT, TITLE]}")
    no_text = one(found, "no-text")
    assert no_text["message"] == "none of the 4 documents has text in the tags TEXT, TITLE."
    assert no_text["level"] == "error"


def test_an_empty_file_among_others(look: Look) -> None:
    found = one(look("empty-file", "collections.eng=collection"), "empty-file")
    assert (found["level"], found["message"], found["hint"]) == (
        "warning", "1 file of 2 is empty.", "Was it copied whole?",
    )  # fmt: skip
    assert found["examples"] == ["collection/b.tsv"]


def test_a_tag_of_another_language(look: Look) -> None:
    found = one(look("other-language-tag", "topics.deu.path=topics.deu.clef"), "topic-language")
    assert found["message"] == "4 topics are tagged as fra, but declared as deu."
    assert found["examples"][0] == "0 (topics.deu.clef:1)"


def test_a_field_that_is_asked_for_and_missing(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "missing-description", folder, dirs_exist_ok=True)
    found = one(json.loads(call("validate", "--json", "-q", "-p", "deu-eng").out)["findings"][:1], "missing-field")
    assert (found["level"], found["message"]) == ("warning", "3 topics of 4 have no description.")


def test_numbers_and_topics_that_are_not_shared(look: Look) -> None:
    found = look("", "topics.deu.numbers=0-2", "topics.intersect=[deu, eng]", "topics.eng.numbers=1-3")
    notes = [(finding["part"], finding["message"]) for finding in found]
    assert ("topics deu", "3 topics of 4 have a number that `numbers` names.") in notes
    assert ("pair deu-eng", "1 topic is not in all of topics.intersect and will be left out.") in notes
    assert one(found, "unshared-topic")["examples"] == ["0: not in eng"]


def test_pools(look: Look) -> None:
    pools = "[{topics: 0-1, documents: [d0, d1]}, {topics: 2, documents: [LA]}]"
    found = look("", f"collections.eng={{path: documents.tsv, pools: {pools}}}")
    assert one(found, "empty-pool")["message"] == "1 beginning of ids in `pools` fits no document."
    assert one(found, "empty-pool")["examples"] == ["LA (pool of 2)"]
    outside = one(found, "topic-outside-pools")
    assert outside["message"] == "1 topic is in no pool of the collection and will be left out."
    assert one(found, "judged-outside-pool")["message"] == "1 judgement is outside the pool of their topic, 1 relevant."


def test_absent_documents_are_counted_by_the_beginning_of_their_ids(look: Look) -> None:
    assert one(look("absent-documents"), "absent-document")["examples"] == [
        "GH: 2, 1 relevant, such as GH950101-000001",
        "LA: 1, 0 relevant, such as LA1",
    ]


def test_a_table_that_cannot_be_read(look: Look) -> None:
    found = one(look("bad-table", "knowledge.table=table.txt"), "unreadable-table")
    assert (found["place"], found["message"]) == ("table.txt:2", "2 columns, not 3.")


def test_a_dictionary_that_cannot_be_read(look: Look) -> None:
    found = one(look("bad-dictionary", "knowledge.dictionary=words.tsv"), "unreadable-dictionary")
    assert (found["place"], found["message"]) == ("words.tsv:2", "1 columns, but column 2 is asked for.")


def test_entries_of_a_dictionary_that_are_not_used(look: Look) -> None:
    found = one(look("dictionary", "knowledge.dictionary=words.tsv"), "unused-entry")
    assert found["message"] == (
        "4 entries have one word on both sides; 1 entry with several words, 1 entry without a word on a side "
        "will be left out."
    )


def test_coverage_is_a_warning_where_much_is_missing(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "poor-table", folder, dirs_exist_ok=True)
    report = json.loads(call("validate", "--json", "-q", "--set", "knowledge.table=table.txt").out)
    found = one(report["findings"], "query-coverage")
    assert found["level"] == "warning"
    assert found["message"] == (
        "3 of 4 (75.0 %) words of the queries are not in the table; of different words 3 of 4 (75.0 %)."
    )
    assert found["examples"] == ["baum", "katze", "wasser"]
    assert one(report["findings"], "untranslatable-topic")["message"] == "3 topics have no word that is in the table."
    documents = one(report["findings"], "document-coverage")
    assert documents["message"] == (
        "9 of 12 (75.0 %) words of the documents are not in the table; of different words 3 of 4 (75.0 %)."
    )


def test_parallel_text_stands_for_the_table_that_is_made_from_it(call: Call, folder: Path) -> None:
    (folder / "topics.deu.tsv").write_text("0\thaus auto\n1\tbaum\n2\tkatze\n3\twasser\n", encoding="utf-8")
    report = json.loads(call("validate", "--json", "-q").out)
    assert one(report["findings"], "query-coverage")["message"] == (
        "1 of 5 (20.0 %) words of the queries are not in the parallel text, from which the table is made; "
        "of different words 1 of 5 (20.0 %)."
    )


def test_a_table_that_is_made_already_is_used(call: Call, folder: Path) -> None:
    (folder / "topics.deu.tsv").write_text("0\thaus auto\n1\tbaum\n2\tkatze\n3\twasser\n", encoding="utf-8")
    assert call("align", "-q").code == 0
    report = json.loads(call("validate", "--json", "-q").out)
    assert "not in the table that was learned" in one(report["findings"], "query-coverage")["message"]


def test_missing_files_are_findings_and_the_rest_is_looked_at(look: Look, folder: Path) -> None:
    (folder / "qrels.txt").unlink()
    (folder / "bitext.eng").unlink()
    found = look("same-id-other-text")
    assert [(finding["code"], finding["place"]) for finding in found] == [
        ("missing-file", "bitext.eng"),
        ("missing-file", "qrels.txt"),
        ("duplicate-id", "documents.tsv:5"),
    ]
    assert found[0]["message"] == "there is no such file, and bitext.deu-eng names it."


def test_settings_that_are_wrong_are_findings(look: Look) -> None:
    found = look("", "retreival.k1=3")
    assert [(finding["level"], finding["code"]) for finding in found] == [("error", "settings")]
    assert "unknown key `retreival`" in found[0]["message"]


def test_several_problems_of_the_settings(look: Look, folder: Path) -> None:
    text = EXPERIMENT.replace("    qrels:", "    qerls:").replace("pairs: [deu-eng]", "pairs: [deu-eng, fra-eng]")
    (folder / "experiments.yaml").write_text(text, encoding="utf-8")
    found = look()
    assert len(found) > 1
    assert {finding["code"] for finding in found} == {"settings"}
    assert all(finding["place"].startswith("experiments.yaml:") for finding in found)


def test_no_such_experiment_or_pair_is_usage(call: Call) -> None:
    assert call("validate", "-e", "tyni").code == 2
    done = call("validate", "-p", "fra-eng")
    assert (done.code, done.out) == (2, "")
    assert "has no pair `fra-eng`" in done.err


def test_parallel_text_that_two_pairs_share_is_read_once(look: Look, folder: Path) -> None:
    text = EXPERIMENT.replace("{eng: documents.tsv}", "{eng: documents.tsv, deu: documents.tsv}")
    text = text.replace("{eng: qrels.txt}", "{eng: qrels.txt, deu: qrels.txt}").replace(
        "[deu-eng]", "[deu-eng, eng-deu]"
    )
    text = text.replace("bitext.eng]}", "bitext.eng], eng-deu: [bitext.eng, bitext.deu]}")
    (folder / "experiments.yaml").write_text(text, encoding="utf-8")
    found = look("unequal-lines")
    assert [(finding["code"], finding["part"]) for finding in found] == [("unequal-lines", "bitext deu-eng")]


def test_ids_are_shown_side_by_side(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "empty-documents", folder, dirs_exist_ok=True)
    assert "      e1, e2\n    No query finds them.\n" in call("validate", "-q").out


# --- folds and leaks ------------------------------------------------------------------------------------------------

MODELS = "models=[m2bert]"
ENCODER = "encoder.checkpoint=some/hub-name"


def test_fewer_topics_than_folds(look: Look) -> None:
    found = one(look("", MODELS, ENCODER, "training.folds.count=5"), "too-few-topics")
    assert (found["level"], found["message"]) == ("error", "4 topics can be evaluated, too few for 5 folds.")


def test_without_models_nobody_needs_folds(look: Look) -> None:
    assert look("", "training.folds.count=5") == []


def test_one_query_under_two_numbers_is_a_leak(look: Look, folder: Path) -> None:
    (folder / "topics.deu.tsv").write_text("".join(f"{i}\tHaus am See\n" for i in range(4)), encoding="utf-8")
    found = one(look("", MODELS, ENCODER), "repeated-query")
    assert found["level"] == "warning"
    assert found["message"] == (
        "1 query is asked under several topic numbers that are in different folds: a model is tested on what it was "
        "trained on."
    )
    assert found["examples"] == [", ".join(f"{i} (topics.deu.tsv:{i + 1})" for i in range(4))]


def test_queries_of_pretraining_that_topics_ask(look: Look, folder: Path) -> None:
    (folder / "topics.eng.tsv").write_text("0\tThe white house\n1\ttree\n2\tcat\n3\twater\n", encoding="utf-8")
    (folder / "triples.tsv").write_text("a dog\tx\ty\nthe white House!\tx\ty\n", encoding="utf-8")
    found = one(look("", MODELS, ENCODER, "pretrain.ranking.triples=triples.tsv"), "query-in-pretraining")
    assert found["level"] == "warning"
    assert found["message"] == "1 topic asks what queries of pre-training ask: the encoder has seen the answer."
    assert found["examples"] == ["0: triples.tsv:2"]


def test_titles_of_pretraining_that_topics_ask(look: Look, folder: Path) -> None:
    (folder / "topics.eng.tsv").write_text("0\tThe white house\n1\ttree\n2\tcat\n3\twater\n", encoding="utf-8")
    with (folder / "documents.tsv").open("a", encoding="utf-8") as file:
        file.write("d9\tThe White House\tSomebody lives there\n")
    found = one(look("", MODELS, ENCODER, "pretrain.ranking.titles_of=eng"), "query-in-pretraining")
    assert found["examples"] == ["0: title of d9"]


def test_a_line_of_the_parallel_text_that_is_a_query(look: Look, folder: Path) -> None:
    (folder / "topics.eng.tsv").write_text("0\tThe white house\n1\ttree\n2\tcat\n3\twater\n", encoding="utf-8")
    for name, line in (("bitext.deu", "das weisse Haus"), ("bitext.eng", "the white house")):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(line + "\n")
    found = one(look(), "query-in-bitext")
    assert (found["level"], found["message"]) == ("note", "1 query is also a line of the parallel text.")
    assert found["examples"] == ["0: bitext.deu:13"]


def test_a_start_that_was_trained_on_what_is_tested(look: Look, folder: Path) -> None:
    other = (
        EXPERIMENT.split("experiments:\n")[1].replace("  tiny:", "  other:").replace("models: []", "models: [m2bert]")
    )
    other = other.replace("training: {folds: {count: 3}}", f"training: {{folds: {{count: 4}}}}\n    {ENCODER_LINE}")
    (folder / "experiments.yaml").write_text("default: tiny\n" + EXPERIMENT + other, encoding="utf-8")
    start = "encoder.checkpoint={experiment: other, model: m2bert}"
    found = one(look("", MODELS, start), "leaking-start")
    assert found["level"] == "warning"  # what the other trains on is worked out, it has not run
    assert "m2bert of other, where training starts, seems to be trained on" in found["message"]
    assert "leaking-start" not in {
        finding["code"] for finding in look("", MODELS, start, "training.folds.count=4")
    }  # the same folds


ENCODER_LINE = "encoder: some/hub-name"

# --- runs -----------------------------------------------------------------------------------------------------------


def test_a_good_run(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "runs", folder, dirs_exist_ok=True)
    for arguments in ([], ["-p", "deu-eng"]):
        done = call("validate", "-q", "--run", "good.run", *arguments)
        assert (done.code, done.out) == (0, "Nothing was found: no errors, no warnings, no notes.\n")


def test_a_bad_run(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "runs", folder, dirs_exist_ok=True)
    done = call("validate", "-q", "--json", "--run", "bad.run")
    report = json.loads(done.out)
    assert (done.code, report["experiment"]) == (1, None)
    assert [(found["level"], found["code"], found["place"], found["message"]) for found in report["findings"]] == [
        ("error", "no-number", "bad.run:1", "the score 'nan' is not a number."),
        ("error", "duplicate-document", "bad.run:3", "document d2 is twice in topic 1, first at bad.run:2."),
        ("error", "run-columns", "bad.run:4", "7 columns, but a line of a run has 6."),
        ("warning", "rank-no-number", "bad.run:7", "the rank 'first' of topic 3 is no whole number."),
        ("warning", "run-remark", "bad.run:8", "the tag is u here, and t before."),
        (
            "warning", "rank-contradicts-score", "bad.run:6",
            "topic 2 has a higher score at rank 2 than above it; scores count, not ranks.",
        ),
    ]  # fmt: skip


def test_a_run_of_other_topics_and_documents(call: Call, folder: Path) -> None:
    shutil.copytree(CASES / "runs", folder, dirs_exist_ok=True)
    runs = ["--run", "stranger.run", "--run", "elsewhere.run", "--run", "empty.run", "--run", "gone.run"]
    report = json.loads(call("validate", "-q", "--json", "-p", "deu-eng", *runs).out)
    assert [(found["level"], found["part"], found["message"], found["examples"]) for found in report["findings"]] == [
        ("error", "run elsewhere.run", "1 topic of 1 is not among those of the pair.", ["a"]),
        (
            "error", "run elsewhere.run", "1 line of 1 has a document that is not in the collection.",
            ["elsewhere.run:1: zz"],
        ),
        ("error", "run gone.run", "there is no such file.", []),
        ("warning", "run stranger.run", "1 topic of 2 is not among those of the pair.", ["9"]),
        (
            "warning", "run stranger.run", "1 line of 3 has a document that is not in the collection.",
            ["stranger.run:2: zz"],
        ),
        ("warning", "run empty.run", "there is no line in it.", []),
    ]  # fmt: skip


# --- what must hold -------------------------------------------------------------------------------------------------


def test_licensed_text_is_not_shown(call: Call, folder: Path) -> None:
    secret = "zyxgeheim"
    (folder / "topics.deu.tsv").write_text(
        f"0\t{secret} haus\n1\t{secret}\n2\tkatze\n3\twasser\n{secret} im id\tx\n", encoding="utf-8"
    )
    (folder / "documents.tsv").write_text(
        f"d0\t{secret} Ã¼ber\nd1\t\nd2\tcat\nd3\t{secret}\nd3\twater {secret}\nan id {secret} here\tx\n",
        encoding="utf-8",
    )
    (folder / "triples.tsv").write_text(f"{secret} haus\tx\ty\n", encoding="utf-8")
    arguments = ["--set", "pretrain.ranking.triples=triples.tsv", "--set", MODELS, "--set", ENCODER]
    assert secret in call("validate", "-q", "--all", *arguments).out
    licensed = call("validate", "-q", "--all", "--set", "report.text=ids", *arguments)
    assert "duplicate-id" in licensed.out
    assert "query-in-pretraining" in licensed.out
    assert secret not in licensed.out


def test_the_sample_has_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    from clir_cli.config.load import load_experiment
    from clir_cli.pipeline.validate.walk import inspect_experiment

    findings = inspect_experiment(load_experiment(ROOT / "experiments.yaml", "sample"))
    assert [finding for finding in findings if finding.level == "error"] == []
    assert findings.counts()["note"] > 0


FILES = ["documents.tsv", "topics.deu.tsv", "topics.eng.tsv", "qrels.txt", "bitext.deu", "bitext.eng"]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(FILES), content=st.binary(max_size=200))
def test_any_bytes_are_a_report(call: Call, folder: Path, name: str, content: bytes) -> None:
    before = (folder / name).read_bytes()
    try:
        (folder / name).write_bytes(content)
        done = call("validate", "--json", "--quiet")
    finally:
        (folder / name).write_bytes(before)
    assert done.code in (0, 1)
    assert done.err == ""
    json.loads(done.out)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=120), kind=st.sampled_from(["--run", "table", "dictionary", "clef", "sgml"]))
def test_any_bytes_as_a_run_or_a_table_are_a_report(call: Call, folder: Path, content: bytes, kind: str) -> None:
    (folder / "any").write_bytes(content)
    change = {
        "table": "knowledge.table=any",
        "dictionary": "knowledge.dictionary=any",
        "clef": "topics.deu={path: any, format: clef}",
        "sgml": "collections.eng={path: any, format: clef}",
    }
    arguments = ["--run", "any", "-p", "deu-eng"] if kind == "--run" else ["--set", change[kind]]
    done = call("validate", "--json", "--quiet", *arguments)
    assert done.code in (0, 1)
    assert done.err == ""
    json.loads(done.out)
