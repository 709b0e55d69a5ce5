"""Vectors on disk: written in shards, killed and gone on with, refused where they are another's."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from clir_cli.corpora.document_store import write_store
from clir_cli.encoders.encoder import create_encoder
from clir_cli.errors import DataError
from clir_cli.records import Document
from clir_cli.retrieval.dense import vectors
from clir_cli.retrieval.dense.embed import load_embedder
from clir_cli.retrieval.dense.vectors import SHARD, VectorStore, write_vectors

COUNT = 2 * SHARD + 100


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two shards and a part; document 3 is empty, 5 too long."""
    folder = tmp_path_factory.mktemp("dense") / "store"
    numbers = np.random.default_rng(2)
    words = np.array(["cat", "house", "katze", "haus", "the", "der"])
    documents = {f"d{n}": " ".join(numbers.choice(words, numbers.integers(1, 20))) for n in range(COUNT)}
    documents |= {"d3": "", "d5": "cat " * 90}
    write_store((Document(id, text) for id, text in documents.items()), folder, frozenset())
    return folder


@pytest.fixture(scope="module")
def written(store, encoder_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dense") / "vectors"
    write_vectors(store, folder, load_embedder(encoder_folder), prefix="the : ")
    return folder


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_what_is_read_is_what_was_embedded(store, written, encoder_folder):
    found = VectorStore(written)
    assert (len(found), found.width, found.ids[:2]) == (COUNT, 12, ["d0", "d1"])
    assert (found.report.documents, found.report.empty, found.report.cut) == (COUNT, 1, 1)
    parts = list(found.blocks(300))
    assert [first for first, _ in parts] == list(range(0, COUNT, 300))
    whole = np.concatenate([block for _, block in parts])
    for size in (1000, SHARD, COUNT, 10**6):
        assert np.concatenate([block for _, block in found.blocks(size)]).tobytes() == whole.tobytes()
    from clir_cli.corpora.document_store import DocumentStore

    texts = [text for _, text in DocumentStore(store)]
    chosen = [0, 3, 5, SHARD - 1, SHARD, COUNT - 1]
    direct = load_embedder(encoder_folder).embed([texts[number] for number in chosen], "the : ").vectors
    assert whole[chosen] == pytest.approx(direct, rel=1e-5, abs=1e-6)
    assert np.flatnonzero(~whole.any(axis=1)).tolist() == [3]


def test_half_precision_is_half_the_size_and_near(store, written, encoder_folder, tmp_path):
    write_vectors(store, tmp_path, load_embedder(encoder_folder), prefix="the : ", stored="float16")
    (_, whole), (_, half) = next(VectorStore(written).blocks(COUNT)), next(VectorStore(tmp_path).blocks(COUNT))
    assert half == pytest.approx(whole, rel=1e-3, abs=1e-3)
    assert half.tobytes() != whole.tobytes()
    sizes = [sum(path.stat().st_size for path in folder.glob("*.npy")) for folder in (written, tmp_path)]
    assert sizes[1] < 0.6 * sizes[0]


SLOW = """
import sys, time
from pathlib import Path
from clir_cli.retrieval.dense.embed import load_embedder
from clir_cli.retrieval.dense.vectors import write_vectors
store, folder, encoder = map(Path, sys.argv[1:])
write_vectors(store, folder, load_embedder(encoder), prefix="the : ", progress=lambda *_: time.sleep(0.3))
"""


def test_a_killed_run_is_gone_on_with_to_the_same_bytes(store, written, encoder_folder, tmp_path):
    folder = tmp_path / "vectors"
    arguments = [sys.executable, "-c", SLOW, str(store), str(folder), str(encoder_folder)]
    process = subprocess.Popen(arguments, start_new_session=True)
    first = folder / "vectors-00000.npy"
    ends = time.monotonic() + 60
    while not first.is_file() and time.monotonic() < ends:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert first.is_file()
    assert not (folder / "report.json").exists()
    with pytest.raises(DataError, match="there are no vectors of a whole collection"):
        VectorStore(folder)
    made = first.stat().st_mtime_ns
    (folder / "vectors-00001.partial").write_bytes(b"half a shard")
    write_vectors(store, folder, load_embedder(encoder_folder), prefix="the : ")
    assert first.stat().st_mtime_ns == made
    assert digests(folder) == digests(written)


def test_vectors_of_another_model_are_refused(store, written, encoder_folder, word_pieces, tmp_path):
    create_encoder(tmp_path / "other", word_pieces, layers=5, width=12, heads=3, inner=20, positions=48, seed=2)
    other, own = load_embedder(tmp_path / "other"), load_embedder(encoder_folder)
    found = VectorStore(written)
    found.check(own)
    with pytest.raises(DataError, match=f"The vectors in {written} were made by another model. Ask with the model"):
        found.check(other)
    before = digests(written)
    with pytest.raises(DataError, match=r"holds vectors of another model\. Delete the folder"):
        write_vectors(store, written, other, prefix="the : ")
    with pytest.raises(DataError, match="holds vectors of another form"):
        write_vectors(store, written, own, prefix="")
    small = tmp_path / "store"
    write_store(iter([Document("a", "cat")]), small, frozenset())
    with pytest.raises(DataError, match="holds vectors of another collection"):
        write_vectors(small, written, own, prefix="the : ")
    assert digests(written) == before


def test_damage_is_told(written, tmp_path):
    def copy(name):
        folder = tmp_path / name
        folder.mkdir()
        for path in written.iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        return folder

    missing = copy("missing")
    (missing / "vectors-00001.npy").unlink()
    with pytest.raises(DataError, match="vectors are missing or damaged"):
        VectorStore(missing)
    cut = copy("cut")
    shard = (cut / "vectors-00001.npy").read_bytes()
    (cut / "vectors-00001.npy").write_bytes(shard[: len(shard) // 2])
    with pytest.raises(DataError, match="vectors are missing or damaged"):
        VectorStore(cut)
    swapped = copy("swapped")
    (swapped / "vectors-00000.npy").write_bytes((swapped / "vectors-00002.npy").read_bytes())
    with pytest.raises(DataError, match="the files of these vectors do not fit together"):
        VectorStore(swapped)
    about = copy("about")
    (about / "report.json").unlink()
    (about / "about.json").unlink()
    with pytest.raises(DataError, match="holds vectors of nobody knows which model"):
        vectors._begin(about, json.loads((written / "about.json").read_text()))


def test_what_does_not_fit_float16_is_told(encoder_folder, tmp_path):
    import torch

    write_store(iter([Document("a", "cat")]), tmp_path / "store", frozenset())
    embedder = load_embedder(encoder_folder)
    with torch.no_grad():
        embedder._encoder.layers[-1].norm.bias[0] = 1e6
    with pytest.raises(DataError, match=r"too large for float16\. Set retrieval\.dense\.stored: float32"):
        write_vectors(tmp_path / "store", tmp_path / "half", embedder, stored="float16")
    assert write_vectors(tmp_path / "store", tmp_path / "whole", embedder).documents == 1
