"""A headless Chromium, and the report of a small experiment with everything in it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from clir_cli.pipeline.export import export
from clir_cli.pipeline.reporting.ablations import ABOUT
from clir_cli.report import stored
from clir_cli.report.tables import Contrast, build_table
from tests.tiny_experiment import make, write_experiment

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WORDS = {"t1": "Straße Café", "t2": "shabakadda caafimaadka", "t3": "ng'ombe wazee"}
"""German, Somali and Swahili words that topics begin with."""
MODELS = ("models=[m2bert, mart]", "matrix.stop_words=keep", "description=Straße")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(scope="session")
def report(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """report.html of two trained models, with their gap and an ablation of layers."""
    folder = tmp_path_factory.mktemp("experiment")
    write_experiment(folder)
    topics = (folder / "topics.deu.tsv").read_text(encoding="utf-8").splitlines()
    lines = [line.split("\t") for line in topics]
    texts = {id: f"{WORDS.get(id, '')} {text}".strip() for id, text in lines}
    (folder / "topics.deu.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in texts.items()), encoding="utf-8")
    file = folder / "experiments.yaml"
    written = yaml.safe_load(file.read_text(encoding="utf-8"))
    written["experiments"]["tiny"]["topics"]["eng"] = "topics.eng.tsv"
    (folder / "topics.eng.tsv").write_text(
        "".join(f"{id}\tHuman translation of {id}\n" for id in texts), encoding="utf-8"
    )
    file.write_text(yaml.safe_dump(written), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        make(folder, "gap", *MODELS)
        plan = make(folder, "report", *MODELS)
        _write_ablation(plan.store.folder / "results" / "tiny" / "ablations" / "layers")
        return export(plan) / "report.html"


def _write_ablation(folder: Path) -> None:
    labels = {"m2bert": "m2BERT", "mart-2": "MART, layer 2", "mart-2-3": "MART, layers 2 and 3"}
    values = {
        name: {"AP@100": {f"C{topic}": 0.1 * topic + 0.02 * place * (topic % 3) for topic in range(1, 6)}}
        for place, name in enumerate(labels)
    }
    contrasts = [Contrast(name, "m2bert") for name in ("mart-2", "mart-2-3")]
    table = build_table({"deu-eng": values}, labels, ["AP@100"], contrasts=contrasts, title="Layers")
    folder.mkdir(parents=True)
    rows = {"m2bert": {"layers": None}, "mart-2": {"layers": [2]}, "mart-2-3": {"layers": [2, 3]}}
    (folder / ABOUT).write_text(json.dumps({"rows": rows}), encoding="utf-8")
    (folder / stored.FILE).write_text(stored.to_json(table), encoding="utf-8")
