"""A process that is killed while it represents documents leaves what the next one goes on with."""

import subprocess
import sys
from pathlib import Path

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.rerankers.build import load_reranker, save_reranker
from clir_cli.rerankers.mores.represent import represent
from tests.tiny_collection import make_collection

KILLED = """
import os, signal, sys
from pathlib import Path
import torch
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.rerankers.build import load_reranker
from clir_cli.rerankers.mores.represent import represent
torch.set_num_threads(1)
model, pieces, out = map(Path, sys.argv[1:4])
done = []
def kill(*_):
    done.append(1)
    if len(done) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
loaded, tokenizer = load_reranker(model)
represent(out, loaded, tokenizer, PieceStore(pieces), sys.argv[4:], shard_bytes=4000, progress=kill)
"""


def test_killed_and_resumed_is_never_killed(tmp_path: Path) -> None:
    tiny = make_collection(tmp_path / "encoder", topics=3, others=4)
    model, _ = tiny.reranker(kind="mores")
    save_reranker(model, load_tokenizer(tiny.folder), tmp_path / "model")
    tiny.pieces()
    pieces, ids = tmp_path / "pieces-0", list(tiny.documents)
    arguments = [str(tmp_path / name) for name in ("model", "pieces-0", "killed")]
    child = subprocess.run([sys.executable, "-c", KILLED, *arguments, *ids], capture_output=True, check=False)
    assert child.returncode == -9, child.stderr.decode()
    shards = sorted((tmp_path / "killed").glob("*.raw"))
    assert len(shards) == 3
    times = [path.stat().st_mtime_ns for path in shards]
    loaded, tokenizer = load_reranker(tmp_path / "model")
    for name in ("killed", "whole"):
        represent(tmp_path / name, loaded, tokenizer, PieceStore(pieces), ids, shard_bytes=4000)
    assert times == [path.stat().st_mtime_ns for path in shards]  # not made again
    files = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert len(files) > 8
    assert files == sorted(path.name for path in (tmp_path / "killed").iterdir())
    for name in files:
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
