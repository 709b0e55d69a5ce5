"""`clir validate --run`: run files by themselves, or against the topics and documents of a pair."""

from collections.abc import Collection, Container, Sequence
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.errors import DataError
from clir_cli.inspection.faults import FaultRecorder
from clir_cli.inspection.findings import FEW, Findings
from clir_cli.inspection.runs import KINDS, inspect_ranks, inspect_run
from clir_cli.pipeline.events import Listener, ignore
from clir_cli.pipeline.validate.collections import read_collection
from clir_cli.pipeline.validate.knowledge import made
from clir_cli.pipeline.validate.material import Material
from clir_cli.pipeline.validate.walk import inspect_topics, take_step
from clir_cli.trec import check_run, scan_run


def inspect_runs(
    files: Sequence[Path],
    topics: Collection[str] | None = None,
    documents: Container[str] | None = None,
    *,
    keep: int | None = FEW,
    findings: Findings | None = None,
) -> Findings:
    """What is wrong with run files. ``topics`` and ``documents``: those they should be about, where that is known."""
    findings = findings or Findings(keep)
    for file in dict.fromkeys(files):
        about = findings.about(f"run {file}")
        handler = FaultRecorder(about, [file], KINDS)
        try:
            inspect_run(scan_run(file, handler), about, topics=topics, documents=documents, codes=handler.codes)
            inspect_ranks(check_run(file), about)
        except DataError as fault:
            handler(fault)
    return findings


def inspect_runs_of_pair(
    experiment: Experiment,
    pair: str,
    files: Sequence[Path],
    *,
    keep: int | None = FEW,
    listener: Listener = ignore,
) -> Findings:
    """The same against the topics and the collection of ``pair``; the collection is read where it is not stored yet.

    Raises ``UsageError`` for a pair that the experiment lacks.
    """
    material = Material(experiment, [pair], keep)
    asked, name = experiment.topics(pair), experiment.collection(pair)
    take_step(material, f"topics {asked}", lambda: inspect_topics(material, asked), listener)
    ids: Container[str] | None = None
    if (folder := made(experiment, "collection", pair)) is not None:
        ids = DocumentStore(folder / "store")
    else:

        def read() -> None:
            nonlocal ids
            ids = read_collection(material, name, material.findings.about(f"collection {name}"))

        take_step(material, f"collection {name}", read, listener)
    return inspect_runs(files, material.topics.get(asked) or None, ids, keep=keep)
