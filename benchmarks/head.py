"""The translation head by words, against the same head with a dense m x m matrix; same inputs, same run.

    python -m benchmarks.head [--width 384] [--passages 32] [--rounds 9]

Both get passages as `inputs.passages` cuts them. The dense form builds each matrix from the same words and links with
vectorised numpy (the public implementation does it in Python loops), stacks them, and multiplies. What counts is one
training step's worth: knowledge expanded, head forward and backward. CPU seconds of this process, median of the rounds.
"""

import argparse
from collections.abc import Callable

import numpy as np
import torch

from benchmarks._timing import cpu_seconds
from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.mat import TranslationHead
from tests.cutting import passages

TARGET = 1.1
LAYOUT = Layout(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1), pad=0)


def draw_passages(count: int, seed: int = 1) -> list[Passage]:
    """Passages of 40 to 512 pieces: 14 query words, 1.3 pieces a word, about one document word in eight linked."""
    rng = np.random.default_rng(seed)

    def text(words: int, language: str) -> Text:
        lengths = rng.choice([1, 2, 3], words, p=[0.77, 0.16, 0.07])
        numbers = np.repeat(np.arange(words), lengths).astype(np.int32)
        keys = [f"{language}{number}" for number in rng.integers(0, 800, words)]
        return Text(rng.integers(3, 1000, len(numbers)).astype(np.int32), numbers, keys)

    query = text(14, "s")
    links = {key: {f"t{n}": float(rng.random()) for n in rng.integers(0, 800, 8)} for key in query.keys}
    sizes = rng.integers(20, 370, count)
    return [passages(query, text(int(size), "t"), links, LAYOUT)[0] for size in sizes]


def dense_matrices(found: list[Passage]) -> torch.Tensor:
    """M^tr of each passage, padded with the identity: [B, m, m]."""
    longest = max(len(passage.pieces) for passage in found)
    matrices = np.zeros((len(found), longest, longest), dtype=np.float32)
    for matrix, passage in zip(matrices, found, strict=True):
        size, words = len(passage.words), int(passage.words.max()) + 1
        table = np.eye(words, dtype=np.float32)
        query, document, p = passage.links
        table[query, document + passage.query_words] = p
        table[document + passage.query_words, query] = p
        matrix[:size, :size] = table[passage.words[:, None], passage.words]
        matrix[range(size, longest), range(size, longest)] = 1.0
        matrix /= matrix.sum(axis=1, keepdims=True)
    return torch.from_numpy(matrices)


def main() -> None:
    """Check that both forms agree, time them, print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--passages", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    found = draw_passages(options.passages)
    head = TranslationHead(options.width)
    batch = collate(found, LAYOUT)
    h = torch.randn(*batch.pieces.shape, options.width, requires_grad=True)

    def by_words() -> torch.Tensor:
        return head(h, collate(found, LAYOUT).knowledge)

    def dense() -> torch.Tensor:
        return head.output(dense_matrices(found) @ head.value(h))

    def step(forward: Callable[[], torch.Tensor]) -> Callable[[], None]:
        def run() -> None:
            h.grad = None
            head.zero_grad()
            forward().square().mean().backward()

        return run

    real = torch.ones_like(batch.pieces, dtype=torch.bool) if batch.mask is None else batch.mask
    with torch.inference_mode():
        difference = float((by_words() - dense())[real].abs().max())
    if difference > 1e-4:
        raise SystemExit(f"the two forms differ by {difference}")
    ours, theirs = cpu_seconds(step(by_words), options.rounds), cpu_seconds(step(dense), options.rounds)
    expansion = cpu_seconds(lambda: collate(found, LAYOUT), options.rounds)
    knowledge = batch.knowledge
    parts = (knowledge.slots, knowledge.sizes, knowledge.links)
    held = sum(part.numel() * part.element_size() for part in parts) / 2**20
    shortest, longest = min(len(passage.pieces) for passage in found), batch.pieces.shape[1]
    print(f"{len(found)} passages of {shortest} to {longest} pieces, width {options.width}")
    print(f"largest difference {difference:.1e}")
    print(f"by words {ours * 1e3:.1f} ms, of which the batch {expansion * 1e3:.1f} ms; {held:.2f} MiB of knowledge")
    print(f"dense    {theirs * 1e3:.1f} ms; {len(found) * longest**2 * 4 / 2**20:.2f} MiB of matrices")
    print(f"head: ratio {theirs / ours:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
