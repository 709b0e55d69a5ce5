"""Word alignment against NLTK's IBM Model 1: the same pairs, the same iterations, CPU seconds of one run.

    python -m benchmarks.align [pairs]

Both start from the uniform table, have NULL, and must end with the same probabilities: the ratio means nothing
otherwise. Compiling our loops (once per installation; the result is kept on disk) is not counted.
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any

from nltk.translate import AlignedSent, IBMModel1

from clir_cli.translation.model1 import learn_model1

PAIRS = 4000
WORDS = 12
VOCABULARY = 3000
ITERATIONS = 5
TARGET = 20.0
TOLERANCE = 1e-4


def generate(count: int, seed: int = 7) -> list[tuple[list[str], list[str]]]:
    """Sentence pairs over Zipf-like vocabularies: most words translated, in another order, some lost, some added."""
    random_source = random.Random(seed)
    weights = [1 / (rank + 5) for rank in range(VOCABULARY)]
    pairs = []
    for _ in range(count):
        words = random_source.choices(range(VOCABULARY), weights, k=random_source.randint(WORDS // 2, WORDS * 3 // 2))
        target = [f"t{word}" for word in words if random_source.random() < 0.9]
        target += [f"t{word}" for word in random_source.choices(range(VOCABULARY), weights, k=2)]
        # Each target word once: NLTK shares a word's count among its repetitions in a sentence, which is not Model 1.
        target = list(dict.fromkeys(target))
        random_source.shuffle(target)
        pairs.append(([f"s{word}" for word in words], target))
    return pairs


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """The result and the CPU seconds of this process that it took."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def main(count: int = PAIRS) -> None:
    """Run both, compare the tables, print the ratio last."""
    pairs = generate(count)
    everything = {"iterations": ITERATIONS, "smoothing": 0.0, "min_probability": 0.0, "max_translations": VOCABULARY}
    learn_model1(pairs[:10], **everything)
    (table, report), ours = timed(lambda: learn_model1(pairs, **everything))
    aligned = [AlignedSent(target, source) for source, target in pairs]
    peer, theirs = timed(lambda: IBMModel1(aligned, ITERATIONS))
    difference = max(
        abs(p - peer.translation_table[target][source])
        for source in random.Random(1).sample(table.source_words, 200)
        for target, p in table.row(source).items()
    )
    print(f"{report.pairs} pairs, {report.source_tokens} + {report.target_tokens} words, {ITERATIONS} iterations")
    print(f"CPU seconds: clir {ours:.2f}, nltk.translate.IBMModel1 {theirs:.2f}; largest difference {difference:.1e}")
    if difference > TOLERANCE:
        raise SystemExit("align: the two tables differ")
    print(f"align: ratio {theirs / ours:.1f} (target {TARGET:.0f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
