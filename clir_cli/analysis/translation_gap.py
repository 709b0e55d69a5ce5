"""The translation gap (MAT, figure 4): how near words and their translations lie, layer by layer.

For every input, a query with a passage, the mean cosine similarity of pairs of a query word and a passage word that
translates it, and of pairs that are no translations, drawn at random. A word is the mean of its pieces' vectors. The
means over inputs of the two are the lines of the figure; the gap is their difference.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from clir_cli.encoders.budget import default_tokens, plan_batches
from clir_cli.errors import UsageError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.cross_encoder import CrossEncoder
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.reading import PassageReader

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Gap:
    """One row an input that has a pair of both kinds; L + 1 columns, the embeddings first."""

    topics: list[str]
    documents: list[str]
    pairs: NDArray[np.int64]
    """[inputs] translated pairs."""
    translated: Values
    """[inputs, L + 1] their mean cosine similarity."""
    random: Values
    """[inputs, L + 1] that of the pairs that are no translations."""

    def save(self, file: Path) -> None:
        """Write it as .npz."""
        with file.open("wb") as stream:
            np.savez(
                stream, topics=np.array(self.topics, dtype=str), documents=np.array(self.documents, dtype=str),
                pairs=self.pairs, translated=self.translated, random=self.random,
            )  # fmt: skip


def read_gap(files: Sequence[Path]) -> Gap:
    """What was saved, one file after the other: folds have no topic in common."""
    parts = []
    for file in files:
        with np.load(file, allow_pickle=False) as stored:
            parts.append({name: stored[name] for name in stored.files})
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    topics, documents = joined.pop("topics").tolist(), joined.pop("documents").tolist()
    return Gap(topics, documents, **joined)


def measure_gap(
    model: CrossEncoder,
    reader: PassageReader,
    documents: Sequence[tuple[str, Sequence[str]]],
    *,
    threshold: float = 0.1,
    random_pairs: int = 10,
    seed: int = 42,
    tokens: int | None = None,
    progress: ProgressCallback = no_progress,
) -> Gap:
    """The similarities in a model's layers; nothing is trained, and dropout is off. Adapters are those in force.

    ``documents``: (topic, its documents); ``reader`` is made with ``with_links``. A pair counts as translated where
    p is above ``threshold``; ``random_pairs`` an input are drawn among the pairs without any link, the same ones for
    every model. Inputs without a translated pair, or where every pair is linked, are left out.
    Raises ``UsageError`` where no input is left.
    """
    device = next(model.parameters()).device
    budget = tokens or default_tokens(model.encoder)
    rows: list[tuple[str, str, int, Values, Values]] = []
    model.eval()
    for number, (topic, names) in enumerate(documents, 1):
        found = [(name, place, passage) for name in names for place, passage in enumerate(reader.read(topic, name))]
        chosen = []
        for name, place, passage in found:
            dice = np.random.default_rng([seed, zlib.crc32(f"{topic}\t{name}\t{place}".encode())])
            pairs = choose_pairs(passage, threshold, random_pairs, dice)
            if pairs is not None:
                chosen.append((name, passage, *pairs))
        lengths = np.array([len(passage.pieces) for _, passage, _, _ in chosen], dtype=np.int64)
        measured: list[tuple[str, str, int, Values, Values] | None] = [None] * len(chosen)
        for members in plan_batches(lengths, budget):
            batch = reader.batch([chosen[member][1].of_arm(model.arm) for member in members]).to(device)
            assert isinstance(batch, Batch), "query and document in one input"
            with torch.inference_mode():
                states = torch.stack(model.states(batch), 1)
                for row, member in enumerate(members):
                    name, passage, translated, others = chosen[member]
                    words = word_vectors(states[row], passage)
                    measured[member] = (
                        topic, name, len(translated), _similarity(words, translated), _similarity(words, others),
                    )  # fmt: skip
        rows += [row for row in measured if row is not None]
        progress(number, len(documents), f"topic {topic}")
    if not rows:
        raise UsageError(
            f"No input has a pair of words that are translations with a probability above {threshold:g}.",
            "Lower analysis.gap.threshold, or look at more documents (analysis.gap.documents).",
        )
    topics, names, counts, translated, random = zip(*rows, strict=True)
    return Gap(list(topics), list(names), np.array(counts), np.stack(translated), np.stack(random))


def choose_pairs(
    passage: Passage, threshold: float, count: int, dice: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Two arrays [n, 2] of (query word, word of the passage), both as in ``Passage.words``: translations, and others.

    None where there is no pair of one of the kinds.
    """
    asked, answers, p = passage.links
    linked = np.unique(asked.astype(np.int64) * passage.document_words + answers)
    free = np.setdiff1d(np.arange(passage.query_words * passage.document_words), linked)
    likely = p > threshold
    if not likely.any() or not len(free):
        return None
    translated = np.stack([asked[likely], answers[likely] + passage.query_words], 1).astype(np.int64)
    drawn = np.sort(dice.choice(free, min(count, len(free)), replace=False))
    others = np.stack([drawn // passage.document_words, drawn % passage.document_words + passage.query_words], 1)
    return translated, others


def word_vectors(states: Tensor, passage: Passage) -> Tensor:
    """``states`` [L + 1, m', d] of an input, padded or not -> [L + 1, words, d]: each word the mean of its pieces."""
    words = torch.from_numpy(passage.words.astype(np.int64)).to(states.device)
    sums = states.new_zeros(len(states), int(words.max()) + 1, states.shape[-1])
    sums.index_add_(1, words, states[:, : len(words)])
    return sums / torch.bincount(words).clamp(min=1)[None, :, None]


def _similarity(words: Tensor, pairs: NDArray[np.int64]) -> Values:
    """[L + 1] the mean cosine similarity of the ``pairs`` [n, 2] in each layer."""
    left, right = (words[:, torch.from_numpy(side).to(words.device)] for side in pairs.T)
    found: Values = functional.cosine_similarity(left, right, dim=-1).mean(1).double().cpu().numpy()
    return found


@dataclass(frozen=True)
class Line:
    """A line of the figure: [L + 1] means over inputs, and the ends of the band of 95 %."""

    mean: Values
    low: Values
    high: Values


def lines(gap: Gap, *, draws: int = 1000, seed: int = 42) -> dict[str, Line]:
    """``translated``, ``random`` and their difference ``gap``, with bands of a bootstrap over topics.

    Topics are drawn with replacement, each with all its inputs, since inputs of one topic share its words. With one
    topic the band is the line.
    """
    names, place = np.unique(gap.topics, return_inverse=True)
    counts = np.bincount(place).astype(float)  # [topics]
    drawn = np.random.default_rng(seed).multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    found = {}
    kinds = {"translated": gap.translated, "random": gap.random, "gap": gap.translated - gap.random}
    for kind, values in kinds.items():
        sums = np.zeros((len(names), values.shape[1]))
        np.add.at(sums, place, values)
        means = (drawn @ sums) / (drawn @ counts)[:, None]  # [draws, L + 1]
        low, high = np.quantile(means, [0.025, 0.975], axis=0)
        found[kind] = Line(values.mean(0), low, high)
    return found
