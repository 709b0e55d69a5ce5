"""Scoring query-document pairs with a cross-encoder, against what others would write.

    python -m benchmarks.rerank [--pairs 200] [--rounds 2]

Pairs of 40 to 512 word pieces, in random order; float32, one thread. Peers, with the same weights and the same pieces:
a plain loop over Hugging Face's own model (the given order, batches of 32, padded to the longest), and
sentence-transformers' ``CrossEncoder.predict`` at its defaults (32, sorted by length), where that is installed.
Each turns the texts into pieces itself. Then MART with two MAT layers against m2BERT. CPU seconds of this process.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks._pairs import find_encoder, save_cross_encoder
from clir_cli.encoders.checkpoint import load_tokenizer, quiet
from clir_cli.rerankers.build import Reranker, build_reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.rerankers.zero_shot import load_zero_shot
from clir_cli.reranking.drawn import TOPIC, Drawn, draw
from clir_cli.reranking.scoring import Scorer

TARGET, TARGET_CROSS_ENCODER, MART_AT_MOST = 2.5, 1.2, 1.05
QUERY_PIECES = 16


def score_with_clir(model: Reranker, tokenizer: Any, pairs: Drawn, folder: Path) -> np.ndarray:
    """From texts to scores, as ``clir rerank`` does it."""
    reader = PassageReader(model, tokenizer, **pairs.reading(pairs.write(folder, tokenizer)))
    return np.array(Scorer(model, reader).score(TOPIC, list(pairs.documents)))


def score_with_plain_loop(folder: Path, pairs: Drawn, batch: int = 32) -> Callable[[], np.ndarray]:
    """The loop that one writes first."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    texts = list(pairs.documents.values())

    @torch.no_grad()
    def run() -> np.ndarray:
        found = []
        for start in range(0, len(texts), batch):
            part = texts[start : start + batch]
            inputs = tokenizer(
                [pairs.query] * len(part), part, padding=True, truncation="only_second", max_length=512,
                return_tensors="pt",
            )  # fmt: skip
            found.append(model(**inputs).logits[:, 0])
        return torch.cat(found).numpy()

    return run


def score_with_sentence_transformers(folder: Path, pairs: Drawn) -> Callable[[], np.ndarray] | None:
    """``CrossEncoder.predict``; None where the package is not there."""
    try:
        from sentence_transformers import CrossEncoder
    except ImportError:
        return None
    model = CrossEncoder(str(folder), device="cpu", activation_fn=torch.nn.Identity())
    inputs = [(pairs.query, text) for text in pairs.documents.values()]
    return lambda: np.asarray(model.predict(inputs, show_progress_bar=False))


def timed(step: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = step()
    return found, time.process_time() - start


def compare_mart(encoder: Path, tokenizer: Any, pairs: Drawn, folder: Path, rounds: int) -> float:
    """CPU time of MART over that of m2BERT, by turns on parts of the pairs."""
    models = {"m2BERT": build_reranker(encoder), "MART": build_reranker(encoder, kind="mart")}
    reading = pairs.reading(pairs.write(folder, tokenizer))
    scorers = {name: Scorer(model, PassageReader(model, tokenizer, **reading)) for name, model in models.items()}
    documents = list(pairs.documents)
    ratios = []
    for turn in range(rounds * 4):
        part = documents[turn % 4 :: 4]
        names = list(scorers) if turn % 2 else list(scorers)[::-1]
        seconds = {name: timed(partial(scorers[name].score, TOPIC, part))[1] for name in names}
        ratios.append(seconds["MART"] / seconds["m2BERT"])
    return float(np.median(ratios))


def main() -> None:
    """Check that all give the same scores, time them, print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name, quiet():
        place = Path(name)
        encoder = find_encoder(place / "encoder")
        tokenizer = load_tokenizer(encoder)
        lengths = np.linspace(40, 512, options.pairs).astype(int)
        np.random.default_rng(2).shuffle(lengths)
        specials = tokenizer.num_special_tokens_to_add(pair=True)
        pairs = draw(tokenizer, QUERY_PIECES, (lengths - QUERY_PIECES - specials).tolist())
        save_cross_encoder(encoder, place / "cross-encoder")
        model, _ = load_zero_shot(place / "cross-encoder")
        ways: dict[str, Callable[[], np.ndarray] | None] = {
            "clir": lambda: score_with_clir(model, tokenizer, pairs, place / "pieces"),
            "plain loop": score_with_plain_loop(place / "cross-encoder", pairs),
            "CrossEncoder": score_with_sentence_transformers(place / "cross-encoder", pairs),
        }
        seconds: dict[str, list[float]] = {}
        scores: dict[str, np.ndarray] = {}
        for turn in range(options.rounds):
            for way, step in ways.items():
                if step is not None:
                    scores[way], taken = timed(step)
                    seconds.setdefault(way, []).append(taken)
                    print(
                        f"round {turn + 1}  {way:14} {taken:7.1f} CPU s  {options.pairs / taken:6.2f} pairs/s",
                        flush=True,
                    )
        for way, found in scores.items():
            difference = float(np.abs(found - scores["clir"]).max())
            if difference > 1e-4:
                raise SystemExit(f"the scores of {way} differ by {difference}")
        print("all scores agree to 1e-4")
        best = {way: min(taken) for way, taken in seconds.items()}
        mart = compare_mart(encoder, tokenizer, pairs, place / "pieces of mart", options.rounds)
    print(f"MART with two MAT layers takes {mart:.3f} of m2BERT's time (at most {MART_AT_MOST})")
    if "CrossEncoder" in best:
        ratio = best["CrossEncoder"] / best["clir"]
        print(f"rerank against CrossEncoder.predict: ratio {ratio:.2f} (target {TARGET_CROSS_ENCODER})")
    else:
        print("sentence-transformers is not installed: not compared with CrossEncoder.predict")
    print(f"rerank: ratio {best['plain loop'] / best['clir']:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
