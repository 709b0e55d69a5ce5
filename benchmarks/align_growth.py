"""How alignment grows with the text: 0.25 to 2 million sentence pairs of 20 words, one iteration of each model.

    python -m benchmarks.align_growth [largest, in pairs]

The text is generated. Each size in a process of its own: CPU seconds and peak memory of `learn`, which includes finding
the cells, the links and the counts of the tables. The ratio is the CPU time of a pair in the smallest text by that in
the largest: 1 is linear. (The smallest is numbered once, larger ones again in every iteration, as `cells` says.) Ends
with an error where the largest takes more than 6 GB.
"""

import multiprocessing
import resource
import sys
import time

import numpy as np

from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import PreparationReport, PreparedText

LARGEST = 2_000_000
SHARES = (8, 4, 2, 1)
WORDS = 20
TARGET = 0.7
MOST = 6.0


def generate(pairs: int, seed: int = 3) -> PreparedText:
    """Words by Zipf's law, of a vocabulary that grows as that of real text does (Heaps: with the square root); most
    target words translate the source word of their place or its neighbour, the others are chance."""
    random = np.random.default_rng(seed)
    vocabulary = int(60 * np.sqrt(pairs * WORDS))
    ranks = np.exp(random.random(pairs * WORDS) * np.log(vocabulary)).astype(np.int32) - 1
    moved = np.arange(pairs * WORDS) + random.integers(-1, 2, pairs * WORDS)
    targets = ranks[np.clip(moved, 0, len(ranks) - 1)]
    chance = random.random(len(targets)) < 0.3
    targets[chance] = random.permutation(ranks)[: chance.sum()]
    start = np.arange(0, pairs * WORDS + 1, WORDS, dtype=np.int64)
    words = [f"{number:07d}" for number in range(vocabulary)]
    report = PreparationReport(pairs, 0, 0, 0, len(ranks), len(targets))
    return PreparedText(words, words, ranks, start, targets, start, np.arange(pairs), report)


def measure(pairs: int, results: "multiprocessing.Queue[tuple[int, float, float, int]]") -> None:
    """One size, in its own process."""
    settings = AlignerSettings(model1=1, model2=1, hmm=1)
    learn(generate(100), settings)  # compiles
    text = generate(pairs)
    start = time.process_time()
    alignment = learn(text, settings)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    results.put((pairs, seconds, peak, alignment.report.cells))


def main(largest: int = LARGEST) -> None:
    """Measure all sizes, print the ratio last."""
    context = multiprocessing.get_context("spawn")
    per_pair = []
    for share in SHARES:
        results = context.Queue()
        process = context.Process(target=measure, args=(largest // share, results))
        process.start()
        pairs, seconds, peak, cells = results.get()
        process.join()
        per_pair.append(seconds / pairs)
        print(
            f"{pairs:>9,} pairs: {seconds:7.1f} CPU seconds, {1e6 * seconds / pairs:5.1f} µs a pair, "
            f"{peak:.2f} GB, {cells / 1e6:.1f} million cells",
            flush=True,
        )
    if peak > MOST:
        raise SystemExit(f"align_growth: {peak:.1f} GB is more than {MOST:.0f}")
    print(f"align_growth: ratio {per_pair[0] / per_pair[-1]:.2f} (target {TARGET})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
