"""Every source of translations in one experiment on the sample, and pairs that lack one."""

import json
from pathlib import Path

import pytest

from .conftest import Call

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
EXPERIMENT = """\
artifacts: made
experiments:
  sources:
    collections:
      deu: {path: [S/documents.deu.rundschau.sgml.gz, S/documents.deu.sda.sgml.gz], format: clef}
    topics: {eng: S/topics.eng.sgml, deu: S/topics.deu.sgml, som: S/topics.som.txt, fra: S/topics.fra.xml}
    qrels: {deu: S/qrels.deu.txt}
    bitext:
      deu-eng: [S/bitext.deu-eng.deu.gz, S/bitext.deu-eng.eng.gz]
      som-eng: [S/bitext.som-eng.som.gz, S/bitext.som-eng.eng.gz]
    vectors: {deu: S/vectors.deu.vec.gz, eng: S/vectors.eng.vec.gz, fra: S/vectors.fra.vec.gz}
    knowledge:
      mix: {bitext: 0.7, words: 0.2, embeddings: 0.1}
      named: {words: {dictionary: {path: S/dictionary.deu-eng.tsv, source: 2, target: 1}}, via: {pivot: eng}}
    pairs:
      eng-deu: {}
      som-deu: {knowledge: {source: via}}
      fra-deu: {knowledge: {source: embeddings, embeddings: {csls: true}}}
    retrieval: {methods: [smt, psq], engine: sparse, depth: 100}
    models: []
"""


@pytest.fixture
def sample(folder: Path) -> Path:
    (folder / "experiments.yaml").write_text(EXPERIMENT.replace("S/", f"{SAMPLE}/"), encoding="utf-8")
    return folder


def means(call: Call, *arguments: str) -> dict[tuple[str, str], float]:
    done = call("evaluate", "-q", *arguments)
    assert done.code == 0, done.err
    rows = [line.split("\t") for line in done.out.splitlines()[1:]]
    return {(pair, system): float(mean) for pair, system, measure, _, mean in rows if measure == "AP@100"}


def test_mixture_pivot_and_vectors_find_what_is_relevant(call: Call, sample: Path) -> None:
    done = call("run-all", "-q")
    assert done.code == 0, done.err
    assert "not available" not in done.out
    found = means(call)
    assert set(found) == {
        (pair, system) for pair in ("eng-deu", "som-deu", "fra-deu") for system in ("smt", "psq", "human")
    }
    human = found["eng-deu", "human"]
    for (pair, system), value in found.items():
        assert value > 0.4 * human, (pair, system)
    rows = [line.split("\t") for line in call("align", "-q").out.splitlines()[1:]]
    assert [row[:2] for row in rows] == [["eng-deu", "mix"], ["som-deu", "via"], ["fra-deu", "embeddings"]]
    report = json.loads((Path(rows[0][-1]) / "report.json").read_text())
    assert set(report["parts"]) == {"bitext", "words", "embeddings"}


def test_what_a_pair_lacks_is_said_everywhere(call: Call, sample: Path) -> None:
    file = sample / "experiments.yaml"
    text = file.read_text(encoding="utf-8").replace("{source: via}", "{source: embeddings}")
    text = text.replace("fra-deu: {knowledge: {source: embeddings, embeddings: {csls: true}}}", "fra-deu: {}")
    file.write_text(text, encoding="utf-8")
    said = [
        "fra-deu: the mixture is without bitext (no parallel text of fra-deu).",
        "som-deu: translations by embeddings are not available: no word vectors of som.",
    ]
    done = call("run-all", "-q", "--set", "retrieval.methods=[smt]")
    assert done.code == 0, done.err
    smt = next(line for line in done.out.splitlines() if line.startswith("SMT"))
    assert smt.count("not available") == 2
    text = " ".join(done.out.split())
    assert all(sentence in text for sentence in said)
    assert "not run" not in text
    assert all(sentence in done.err for sentence in said)
    assert "not available" in (sample / "made" / "results" / "sources" / "table.md").read_text()
    assert "not available" in (sample / "made" / "results" / "sources" / "table.tex").read_text()

    aligned = call("align", "-q")
    assert all(sentence in aligned.err for sentence in said)
    assert [line.split("\t")[0] for line in aligned.out.splitlines()[1:]] == ["eng-deu", "fra-deu"]

    covered = call("table", "coverage", "-q", "--worst", "0")
    assert covered.code == 0, covered.err
    assert said[1] in covered.err
    assert {line.split("\t")[0] for line in covered.out.splitlines()[1:]} == {"eng-deu", "fra-deu"}

    looked = json.loads(call("validate", "--json", "-q").out)["findings"]
    found = [finding for finding in looked if finding["code"] == "not-available"]
    assert [finding["level"] for finding in found] == ["warning", "warning"]
    assert {finding["part"] for finding in found} == {"translations som-deu", "translations fra-deu"}


def test_m_tr_of_another_source(call: Call, sample: Path) -> None:
    sets = ("--set", "matrix.source=words", "--pair", "eng-deu", "-q")
    done = call("matrices", *sets)
    assert done.code == 0, done.err
    few = int(done.out.splitlines()[1].split("\t")[2])
    assert few < int(call("matrices", "--pair", "eng-deu", "-q").out.splitlines()[1].split("\t")[2])
    aligned = call("align", *sets)
    assert [line.split("\t")[:2] for line in aligned.out.splitlines()[1:]] == [["eng-deu", "mix"], ["eng-deu", "words"]]


def test_validate_reads_every_source(call: Call, sample: Path) -> None:
    done = call("validate", "--json", "-q")
    assert done.code == 0, done.err
    findings = json.loads(done.out)["findings"]
    parts = {finding["part"] for finding in findings if finding["code"] == "query-coverage"}
    assert parts == {"translations eng-deu", "translations som-deu", "translations fra-deu"}
    broken = (sample / "broken.vec").resolve()
    broken.write_text("3 2\nHaus 1 2\n")
    told = json.loads(call("validate", "--json", "-q", "--set", f"vectors.fra={broken}").out)["findings"]
    assert any(finding["code"] == "unreadable-vectors" for finding in told)


def test_a_table_of_another_pair_is_a_warning_with_every_run_made_with_it(call: Call, sample: Path) -> None:
    # The dictionary the wrong way round: English words are asked for where German ones stand.
    wrong = ("--set", "knowledge.named.words.dictionary.source=1", "--set", "knowledge.named.words.dictionary.target=2")
    for _ in range(2):  # made, and there already
        done = call("retrieve", "-p", "eng-deu", "--set", "knowledge.source=words", *wrong)
        assert done.code == 0, done.err
        said = " ".join(done.err.split())
        assert "eng-deu smt: Only" in said
        assert "words of the queries are in the table" in said
        assert "it looks like the table of another pair." in said
    assert "Only" not in call("retrieve", "-p", "eng-deu").err
