"""The CLEF experiments of experiments.yaml, on files that lie and look like CLEF's: the sample in CLEF's folders."""

import shutil
from pathlib import Path

import pytest

from clir_cli.cli.app import run
from clir_cli.corpora.normalise import stop_words
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.formats.matclir_text import write_table
from clir_cli.trec import read_run

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "documents/latimes": ["documents.eng.sgml.gz"],
    "documents/rundschau": ["documents.deu.rundschau.sgml.gz"],
    "documents/sda": ["documents.deu.sda.sgml.gz"],
    "documents/lemonde": ["documents.fra.lemonde.sgml.gz"],
    "documents/ats": ["documents.fra.ats.sgml.gz"],
    "documents/lastampa": ["documents.ita.lastampa.sgml.gz"],
    "documents/agz": ["documents.ita.agz.sgml.gz"],
    "documents/efe": ["documents.spa.efe.sgml.gz"],
    "documents/spiegel": [],
    "topics/deu": ["topics.deu.sgml"],
    "topics/eng": ["topics.eng.sgml"],
    "topics/fra": ["topics.fra.xml"],
    "topics/ita": ["topics.ita.txt"],
    "topics/spa": ["topics.spa.sgml"],
    "topics/som": ["topics.som.txt"],
    "topics/swa": ["topics.swa.txt"],
    **{f"qrels/{code}": [f"qrels.{code}.txt"] for code in ("eng", "deu", "fra", "ita", "spa")},
}
TWO_LETTERS = {"deu": "de", "fra": "fr", "ita": "it", "spa": "es"}


@pytest.fixture(scope="module")
def clef(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, laid out as data/README.md asks for CLEF."""
    sample, root = ROOT / "data" / "sample", tmp_path_factory.mktemp("clef")
    for folder, names in FOLDERS.items():
        (root / folder).mkdir(parents=True)
        (root / folder / "README").write_text("Not a document, not a topic.\n")
        for name in names:
            shutil.copy(sample / name, root / folder)
    spiegel = "<DOC>\n<DOCNO>SPIEGEL9495-000001</DOCNO>\n<TITLE>Nichts</TITLE>\n<TEXT>Gar nichts.</TEXT>\n</DOC>\n"
    (root / "documents" / "spiegel" / "spiegel.sgml").write_text(spiegel)
    (root / "europarl").mkdir()
    for code, short in TWO_LETTERS.items():
        for side, end in ((code, short), ("eng", "en")):
            shutil.copy(sample / f"bitext.{code}-eng.{side}.gz", root / "europarl" / f"europarl-v7.{short}-en.{end}")
    (root / "tables").mkdir()
    for code in ("som", "swa"):
        table, _ = read_dictionary(
            sample / f"dictionary.{code}-eng.tsv", stop_words("iso", code), stop_words("iso", "eng")
        )
        write_table(root / "tables" / f"{code}-eng.txt", table)
    return root


@pytest.mark.parametrize(
    ("experiment", "pairs"),
    [("clef-forward", ["deu-eng", "som-eng"]), ("clef-backward", ["eng-fra", "eng-deu"])],
)
def test_the_first_stage_runs_to_the_table(
    experiment: str,
    pairs: list[str],
    clef: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CLIR_CLEF", str(clef))
    monkeypatch.setenv("CLIR_ARTIFACTS", str(tmp_path / "artifacts"))
    chosen = [part for pair in pairs for part in ("--pair", pair)]
    arguments = ["-c", str(ROOT / "experiments.yaml"), "-e", experiment, *chosen, "--set", "models=[]"]
    code = run(["run-all", *arguments])
    said = capsys.readouterr()
    assert code == 0, said.err
    for pair in pairs:
        assert pair in said.out
    runs = tmp_path / "artifacts" / "results" / f"{experiment}-part" / "runs"
    assert not list(runs.glob("*.queries.txt"))  # the text of topics stays at home
    if experiment == "clef-backward":
        note = " ".join(said.out.split())
        assert "eng-fra: topics that no pool of the collection is for are left out (90: C001, C002" in note
        found = {entry.document for entries in read_run(runs / "eng-fra.smt.trec").values() for entry in entries}
        assert found
        assert all(document.startswith(("LEMONDE94", "ATS.94")) for document in found)
        found = {entry.document for entries in read_run(runs / "eng-deu.human.trec").values() for entry in entries}
        assert {document[:3] for document in found} == {"FR9", "SDA"}
    else:
        assert "Human translation" in said.out
