"""MORES over stored documents against the cross-encoder; one query, 1,000 documents, same encoder, same run.

    python -m benchmarks.mores [--documents 1000] [--sample 12] [--lengths 512 128] [--rounds 3]

The query has 16 pieces, [CLS] and [SEP] counted, documents 512 or 128. Arithmetic is float32 on one thread; documents
are stored as float16 and memory-mapped. Reuse-S2 keeps a block's keys and values, Reuse-S1 keeps D; absorbed reads D,
too. What is timed is a whole query: reading it, reading what is stored, scoring.

Some documents are read and represented for real; each is then copied to places of its own until there are 1,000, for
what is in them changes no time. The cross-encoder (m2BERT, by `Scorer`) is timed on the same sample and scaled up. It
reads query and document as one input of q + d - 1 pieces or so, for which the table of positions is lengthened. CPU
seconds of this process.
"""

import argparse
import json
import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks._pairs import find_encoder
from benchmarks._timing import cpu_seconds
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import save_encoder
from clir_cli.encoders.load import load_encoder
from clir_cli.rerankers.build import Reranker, build_reranker
from clir_cli.rerankers.mores.represent import represent
from clir_cli.rerankers.mores.representations import Representations, shard_file
from clir_cli.rerankers.mores.represented import RepresentedScorer
from clir_cli.rerankers.reading import PassageReader
from clir_cli.reranking.drawn import TOPIC, draw
from clir_cli.reranking.scoring import Scorer

QUERY_PIECES = 16
POSITIONS = 640
WAYS = {  # name -> (blocks, strategy, absorbed, target by length)
    "Reuse-S2, one block": (1, "s2", False, {512: 200, 128: 80}),
    "Reuse-S1, two blocks": (2, "s1", False, {512: 30, 128: 20}),
    "absorbed, one block": (1, "s1", True, {512: 60, 128: 28}),
}
TOLERANCE = 5e-2
"""Of scores from float16, whose standard deviation is 1; from float32 it is 1e-4."""


def lengthen(source: Path, folder: Path) -> Path:
    """The same encoder with more positions: rows of the table are repeated."""
    encoder = load_encoder(source)
    table = encoder.embeddings.position_embeddings  # type: ignore[union-attr]
    first = encoder.first_position
    rows = torch.cat([table.weight.detach(), table.weight.detach()[first:]])[: POSITIONS + first]
    encoder.embeddings.position_embeddings = torch.nn.Embedding.from_pretrained(rows, freeze=False)  # type: ignore[union-attr]
    encoder.config.max_position_embeddings = len(rows)
    save_encoder(encoder, load_tokenizer(source), folder)
    return folder


def copy_documents(kept: Representations, folder: Path, count: int) -> Representations:
    """``count`` documents: those of ``kept`` again and again, each in a place of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    rows, passages = np.load(kept.folder / "rows.npy"), np.load(kept.folder / "passages.npy")
    assert len(passages) == len(rows)  # one passage a document
    times = math.ceil(count / (len(rows) - 1))
    lengths = np.tile(np.diff(rows), times)[:count]
    np.save(folder / "rows.npy", np.concatenate([[0], np.cumsum(lengths)]))
    np.save(folder / "passages.npy", np.arange(count + 1))
    np.save(folder / "shards.npy", np.array([0, count]))
    (folder / "ids.txt").write_text("".join(f"d{number}\n" for number in range(count)))
    size = int(lengths.sum()) * kept.columns * kept.dtype.itemsize
    with shard_file(folder, 0).open("wb") as file:
        data = shard_file(kept.folder, 0).read_bytes()
        for _ in range(times):
            file.write(data)
        file.truncate(size)
    for name in ("about.json", "done.json"):
        shutil.copy(kept.folder / name, folder / name)
    return Representations(folder)


class Bench:
    """One length of documents: what is timed, and what scores must be."""

    def __init__(self, folder: Path, encoder: Path, length: int, options: Any) -> None:
        self.folder, self.encoder, self.options, self.length = folder, encoder, options, length
        self.tokenizer = load_tokenizer(encoder)
        drawn = draw(self.tokenizer, QUERY_PIECES - 2, [length - 2] * options.sample)
        self.pieces = drawn.write(folder / "pieces", self.tokenizer)
        self.query, self.sample = drawn.query, list(drawn.documents)
        self.all = [f"d{number}" for number in range(options.documents)]

    def scorer(self, model: Reranker) -> Scorer:
        """Of documents that are read with the query."""
        reader = PassageReader(
            model, self.tokenizer, queries={TOPIC: self.query}, documents=self.pieces, links={},
            max_pieces=POSITIONS, document_pieces=self.length,
        )  # fmt: skip
        return Scorer(model, reader)

    def cross_encoder(self) -> float:
        """Seconds for all documents, from the sample."""
        scorer = self.scorer(build_reranker(self.encoder, kind="bert").eval())
        scorer.score(TOPIC, self.sample[:2])
        taken = cpu_seconds(lambda: scorer.score(TOPIC, self.sample), 1)
        return taken / len(self.sample) * len(self.all)

    def stored(self, name: str) -> tuple[float, float, float, float]:
        """(seconds, bytes a document, difference of scores in float16, in float32) of a way."""
        blocks, strategy, absorbed, _ = WAYS[name]
        model: Any = build_reranker(self.encoder, kind="mores", blocks=blocks, tied=True).eval()
        online = np.array(self.scorer(model).score(TOPIC, self.sample))
        with torch.no_grad():  # so that scores spread as those of a trained model do
            model.head.weight.div_(float(online.std()))
        online = np.array(self.scorer(model).score(TOPIC, self.sample))
        differences = []
        for dtype in ("float32", "float16"):
            folder = self.folder / f"{blocks}-{strategy}-{dtype}"
            kept = represent(
                folder, model, self.tokenizer, self.pieces, self.sample, strategy=strategy, dtype=dtype,  # type: ignore[arg-type]
                max_pieces=POSITIONS, document_pieces=self.length, shard_bytes=2**31,
            )  # fmt: skip
            found = self._scorer(model, kept, absorbed).score(TOPIC, self.sample)
            differences.append(float(np.abs(found - online).max()))
        many = copy_documents(kept, self.folder / "copied", len(self.all))
        scorer = self._scorer(model, many, absorbed)
        scores = np.array(scorer.score(TOPIC, self.all))
        again = np.resize(np.array(found), len(scores))
        differences[1] = max(differences[1], float(np.abs(scores - again).max()))
        taken = cpu_seconds(lambda: scorer.score(TOPIC, self.all), self.options.rounds)
        return taken, many.bytes_per_document, differences[1], differences[0]

    def _scorer(self, model: Any, kept: Representations, absorb: bool) -> RepresentedScorer:
        return RepresentedScorer(model, kept, self.tokenizer, queries={TOPIC: self.query}, links={}, absorb=absorb)


def main() -> None:
    """Check scores, time, print a table and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=12)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 128])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the numbers here, too")
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rows, differ, ratio = [], False, float("nan")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        encoder = lengthen(find_encoder(folder / "random"), folder / "encoder")
        print(f"{options.documents} documents, a query of {QUERY_PIECES} pieces; float32 arithmetic on one thread")
        print(f"stored as float16; the cross-encoder timed on {options.sample} documents and scaled")
        print(
            f"{'':24}{'d':>5}{'ms a query':>12}{'ratio':>9}{'target':>8}{'KB a doc':>10}{'float16':>10}{'float32':>10}"
        )
        for length in options.lengths:
            (folder / str(length)).mkdir()
            bench = Bench(folder / str(length), encoder, length, options)
            cross = bench.cross_encoder()
            print(f"{'cross-encoder':24}{length:5}{cross * 1e3:12.0f}{1:9.1f}", flush=True)
            for way, (*_, targets) in WAYS.items():
                taken, size, half, whole = bench.stored(way)
                differ |= half > TOLERANCE or whole > 1e-4
                if way.startswith("Reuse-S2") and length == 512:
                    ratio = cross / taken
                target = targets.get(length, "")
                print(
                    f"{way:24}{length:5}{taken * 1e3:12.0f}{cross / taken:9.1f}{target:>8}{size / 1e3:10.1f}"
                    f"{half:10.1e}{whole:10.1e}",
                    flush=True,
                )
                rows.append({"way": way, "d": length, "ms": taken * 1e3, "ratio": cross / taken, "bytes": size})
            shutil.rmtree(folder / str(length))
    print("float16, float32: largest difference of a score from online, in standard deviations; documents stored so")
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"mores: ratio {ratio:.1f} (target 200)")
    if differ:
        raise SystemExit("scores differ from those of documents that are read")


if __name__ == "__main__":
    main()
