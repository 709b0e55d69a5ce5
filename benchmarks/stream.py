"""Memory of re-ranking from files: topics x depth documents out of a collection of documents of 300 words each.

    python -m benchmarks.stream [--documents 10000] [--topics 10] [--depth 500]

With 100,000 documents, 246 topics and a depth of 500 it takes half an hour.

The texts are made up and the encoder is tiny (one layer, 16 wide), so that what is measured is what grows with the
collection, not the model. The peak is that of this process (ru_maxrss) over what it had with torch, transformers and
the model loaded. Word pieces and finished scores lie on disk meanwhile.
"""

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

WORDS = 300
TARGET = 3000.0


def peak() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--depth", type=int, default=500)
    options = parser.parse_args()
    from transformers import AutoTokenizer

    from clir_cli.encoders.encoder import create_encoder
    from clir_cli.learning.devices import set_threads
    from clir_cli.rerankers.build import build_reranker, load_reranker, save_reranker
    from clir_cli.reranking.from_files import Texts, rerank_files
    from clir_cli.training.vocabulary import write_tokenizer

    set_threads(1)
    numbers = random.Random(1)
    letters = "abcdefghijklmnoprstuvz"
    words = ["".join(numbers.choices(letters, k=numbers.randint(2, 9))) for _ in range(30_000)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with (folder / "documents.tsv").open("w") as file:
            for number in range(options.documents):
                file.write(f"d{number}\t{' '.join(numbers.choices(words, k=WORDS))}\n")
        with (folder / "topics.tsv").open("w") as file:
            for number in range(options.topics):
                file.write(f"{number + 1}\t{' '.join(numbers.choices(words, k=3))}\n")
        with (folder / "run.trec").open("w") as file:
            for number in range(options.topics):
                for place_of, document in enumerate(numbers.sample(range(options.documents), options.depth), 1):
                    file.write(f"{number + 1} Q0 d{document} {place_of} {-place_of} x\n")
        pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(words)]  # every word is one
        write_tokenizer(pieces, folder / "tokenizer", 512)
        tokenizer = AutoTokenizer.from_pretrained(folder / "tokenizer")
        create_encoder(folder / "encoder", tokenizer, layers=1, width=16, heads=1, inner=16, positions=512)
        save_reranker(build_reranker(folder / "encoder"), tokenizer, folder / "model")
        model, tokenizer = load_reranker(folder / "model")
        before, begun = peak(), time.perf_counter()
        run = rerank_files(
            model, tokenizer, folder / "run.trec", Texts([folder / "topics.tsv"], [folder / "documents.tsv"]),
            folder / "out.trec", depth=options.depth,
        )  # fmt: skip
        seconds = time.perf_counter() - begun
        pairs = sum(map(len, run.values()))
    print(f"{options.documents} documents, {pairs} pairs in {seconds:.0f} s")
    print(f"before {before:.0f} MB, peak {peak():.0f} MB")
    print(f"stream: {peak() - before:.0f} MB beyond the model (target {TARGET:.0f})")


if __name__ == "__main__":
    main()
