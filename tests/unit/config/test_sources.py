"""Sources of translations: which is meant, what each pair has of it, and what is said where none has."""

from collections.abc import Callable
from pathlib import Path

import pytest

from clir_cli.config.choices import bitext_for
from clir_cli.config.sources import bitext_read, chosen_source, find_source, parts_there, sources_read, what_lacks

from .conftest import SMALL, Load

PAIRS = SMALL.replace("[deu-eng]", "[deu-eng, som-eng]").replace("    encoder: some-hub/encoder\n", "    models: []\n")
NAMED = "knowledge.named={panlex: {dictionary: words.tsv}, via: {pivot: fra}}"

AUTO = {
    "nothing": ([], "bitext"),
    "a table": (["knowledge.table=eng.gz"], "table"),
    "a dictionary": (["knowledge.dictionary=eng.gz"], "dictionary"),
    "vectors": (["knowledge.embeddings={}", "vectors={deu: deu.gz, eng: eng.gz}"], "embeddings"),
    "a pivot": (["knowledge.pivot=som", "bitext.deu-som=[deu.gz, som.gz]", "bitext.som-eng=[som.gz, eng.gz]"], "pivot"),
    "a mixture, whatever it is made of": (["knowledge.table=eng.gz", "knowledge.mix={bitext: 1, table: 2}"], "mix"),
    "what is said": (["knowledge.table=eng.gz", "knowledge.source=bitext"], "bitext"),
    "a name": (["knowledge.named={mine: {table: eng.gz}}", "knowledge.source=mine"], "mine"),
}


@pytest.mark.parametrize(("sets", "source"), AUTO.values(), ids=list(AUTO))
def test_auto_is_what_is_named(load: Load, sets: list[str], source: str) -> None:
    knowledge = load(sets=sets).settings.knowledge
    assert chosen_source(knowledge) == source
    assert find_source(knowledge, source) is not None


BROKEN = {
    "an unknown source": (["knowledge.source=bitxt"], "no source `bitxt`: did you mean `bitext`?"),
    "a kind that is not given": (["knowledge.source=table"], "source table needs `knowledge.table`"),
    "an unknown part of a mixture": (["knowledge.mix={bitext: 1, panelx: 1}", NAMED], "did you mean `panlex`?"),
    "a mixture of mixtures": (["knowledge.mix={bitext: 1, mix: 1}"], "a mixture is made of sources, not of itself"),
    "a weight of nothing": (["knowledge.mix={bitext: 0}"], "should be above 0, not `0`"),
    "two sources": (
        ["knowledge.pivot=fra", "knowledge.table=eng.gz"],
        "table and pivot are named: say which is used with `source`, or weigh them with `mix`",
    ),
    "an unknown source of M^tr": (["matrix.source=embedings"], "no source `embedings`: did you mean `embeddings`?"),
    "an unknown source of a model": (
        ["models={mart: {source: panelx}}", "encoder=a-hub/encoder", NAMED],
        "no source `panelx`: did you mean `panlex`?",
    ),
    "a model's source that nobody has": (
        ["models={mart: {source: embeddings}}", "encoder=a-hub/encoder"],
        "no pair has the source `embeddings` (deu-eng: no word vectors of deu and eng)",
    ),
    "vectors that nobody has": (
        ["knowledge.source=embeddings"],
        "no pair has the source `embeddings` (deu-eng: no word vectors of deu and eng)",
    ),
    "a pivot that nobody has": (
        ["knowledge.pivot=fra"],
        "no pair has the source `pivot` (deu-eng: no parallel text of deu-fra and fra-eng)",
    ),
    "a pivot that is at an end": (["knowledge.pivot=eng"], "(deu-eng: eng is one of its own languages)"),
    "a part that nobody has": (["knowledge.mix={bitext: 1, embeddings: 1}"], "no pair has the source `embeddings`"),
    "a source of two kinds": (
        ["knowledge.named={x: {table: eng.gz, pivot: fra}}"],
        "give exactly one of table, dictionary, embeddings, pivot",
    ),
    "a source called like a kind": (["knowledge.named={mix: {table: eng.gz}}"], "`mix` is the name of a kind"),
    "no iteration": (["knowledge.align={model1: 0, hmm: 0}"], "nothing is learned: model1, model2 and hmm are 0"),
    "two kinds of smoothing": (["knowledge.align.bayes=0.1"], "set one of them to 0"),
    "a setting of old": (["knowledge.smoothing=0.1"], "unknown key `smoothing`"),
    "a setting elsewhere": (["knowledge.hmm=3"], "unknown key `hmm`: it belongs under `knowledge.align`"),
    "a near setting": (["knowledge.align.hm=3"], "unknown key `hm`: did you mean `hmm`?"),
    "one vocabulary": (
        ["knowledge.table={path: eng.gz, vocabularies: [deu.gz]}"],
        "should be a list of at least 2",
    ),
    "a file that is not there": (["knowledge.table={path: t.final, format: giza}"], "`t.final` does not exist"),
    "a vocabulary that is not there": (
        ["knowledge.table={path: eng.gz, vocabularies: [deu.gz, x.vcb]}"],
        "`x.vcb` does not exist",
    ),
    "a dictionary that is not there": (
        ["knowledge.named={d: {dictionary: [eng.gz, x.tsv]}}", "knowledge.source=d"],
        "`x.tsv` does not exist",
    ),
    "vectors that are not there": (
        ["knowledge.source=embeddings", "vectors={deu: deu.vec, eng: eng.gz}"],
        "`deu.vec` does not exist",
    ),
    "one column twice": (["knowledge.dictionary={path: eng.gz, source: 2}"], "source and target are both 2"),
}  # fmt: skip


@pytest.mark.parametrize(("sets", "said"), BROKEN.values(), ids=list(BROKEN))
def test_a_broken_rule_is_told_where_it_stands(problems: Callable[..., list[str]], sets: list[str], said: str) -> None:
    found = problems(sets=sets)
    assert len(found) == 1, found
    assert said in found[0]
    assert found[0].startswith("--set ")


def test_all_problems_come_with_their_lines(problems: Callable[..., list[str]]) -> None:
    found = problems(
        extra="    knowledge:\n      source: panlx\n      mix: {bitext: 1, embedings: 1}\n"
        "      named: {panlex: {pivot: fra}}\n    matrix: {source: mixed}\n"
    )
    assert found == [
        "experiments.yaml:10: experiments.small.knowledge.source: no source `panlx`: did you mean `panlex`?",
        "experiments.yaml:11: experiments.small.knowledge.mix.embedings: "
        "no source `embedings`: did you mean `embeddings`?",
        "experiments.yaml:13: experiments.small.matrix.source: no source `mixed`: did you mean `mix`?",
    ]


def test_a_pair_may_lack_what_another_has(load: Load) -> None:
    sets = ["knowledge.source=embeddings", "vectors={deu: deu.gz, eng: eng.gz}"]
    experiment = load(PAIRS, sets=sets)
    assert what_lacks(experiment.for_pair("deu-eng"), "deu-eng", "embeddings") is None
    assert what_lacks(experiment.for_pair("som-eng"), "som-eng", "embeddings") == "no word vectors of som"
    assert list(sources_read(experiment.for_pair("som-eng"), "som-eng")) == []


def test_a_mixture_is_made_of_what_a_pair_has(load: Load) -> None:
    sets = ["knowledge.mix={bitext: 3, embeddings: 1, dictionary: 1}", "vectors={deu: deu.gz, eng: eng.gz}"]
    experiment = load(PAIRS, sets=[*sets, "pairs.deu-eng.knowledge.dictionary=eng.gz"])
    for pair, parts in {
        "deu-eng": {"bitext": 3, "embeddings": 1, "dictionary": 1},
        "som-eng": {"bitext": 3},
    }.items():
        settings = experiment.for_pair(pair)
        source = find_source(settings.knowledge, "mix")
        assert source is not None
        assert parts_there(settings, pair, source) == parts
        assert [found.name for found in sources_read(settings, pair)] == list(parts)


def test_parallel_text_serves_both_directions(load: Load, folder: Path) -> None:
    text = PAIRS.replace("[deu-eng, som-eng]", "[eng-deu, som-deu]").replace(
        "{eng: doc", "{deu: documents.jsonl, eng: doc"
    )
    text = text.replace("qrels: {eng:", "qrels: {deu: qrels.txt, eng:")
    experiment = load(text, sets=["pairs.som-deu.knowledge.pivot=eng"])
    turned = bitext_for(experiment.settings, "eng-deu")
    assert turned is not None
    assert (turned.source, turned.target) == (folder / "eng.gz", folder / "deu.gz")
    assert bitext_read(experiment.for_pair("som-deu"), "som-deu") == ["som-eng", "eng-deu"]
    assert bitext_read(experiment.for_pair("eng-deu"), "eng-deu") == ["eng-deu"]


def test_a_pair_lays_its_own_over(load: Load, folder: Path) -> None:
    sets = ["knowledge.dictionary=eng.gz", "pairs.som-eng.knowledge.dictionary={source: 2, target: 1}"]
    dictionary = load(PAIRS, sets=sets).for_pair("som-eng").knowledge.dictionary
    assert dictionary is not None
    assert (dictionary.path, dictionary.source) == ([folder / "eng.gz"], 2)


def test_m_tr_may_have_a_source_where_nothing_is_translated(load: Load) -> None:
    text = SMALL.replace("[deu-eng]", "[deu-eng]\n    models: [mart]")
    assert load(text, sets=["knowledge.source=none", "matrix.source=bitext"]).name == "small"
