"""Sentence pairs made from a dictionary that is known."""

import random

Pair = tuple[list[str], list[str]]


def planted(pairs: int = 1500, words: int = 150, seed: int = 3) -> tuple[list[Pair], dict[str, str]]:
    """Pairs and the dictionary behind them.

    Word frequencies fall as 1 / rank. Two or three words in a row change places now and then; some words are left out
    in the translation, and either side has words that come from nothing (``n0``, ``m0`` ...).
    """
    rng = random.Random(seed)
    numbers = list(range(words))
    rng.shuffle(numbers)
    dictionary = {f"s{k:03}": f"t{number:03}" for k, number in enumerate(numbers)}
    ranked = list(dictionary)
    weights = [1 / (k + 3) for k in range(words)]
    text = []
    for _ in range(pairs):
        source = rng.choices(ranked, weights, k=rng.randint(3, 12))
        target = [dictionary[word] for word in source if rng.random() > 0.05] or [dictionary[source[0]]]
        for i in range(len(target) - 2):
            if rng.random() < 0.25:
                target[i : i + 3] = rng.sample(target[i : i + 3], 3)
        for sentence, side in ((source, "n"), (target, "m")):
            for _ in range(rng.choice((0, 0, 1, 1, 2))):
                sentence.insert(rng.randint(0, len(sentence)), f"{side}{rng.randint(0, 3)}")
        text.append((source, target))
    return text, dictionary
