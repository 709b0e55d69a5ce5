"""A signal that only a translation table can carry.

Two vocabularies share no word; a random dictionary links them one to one. A query is a few words of the first, a
document some words of the second, and a document is relevant exactly when it holds a translation of a query word. The
words of the test queries never occur in a training query, so nothing can be learned about them: whoever ranks the test
documents well has read the dictionary.

MART must learn it. The placebo (the same model, given the identity) and MART with the dictionary turned round (target
-> source, where a query word finds nothing) must stay at chance.
"""

from itertools import count

import numpy as np
import pytest
import torch
from torch.nn.functional import softplus

from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.layout import Layout
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.build import new_reranker
from tests.cutting import passages

LAYOUT = Layout(before=(1,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1), pad=0)
WORDS = 120  # of each language; the first 80 are for training queries
TRAINING = range(80)
TEST = range(80, WORDS)
QUERY_WORDS, DOCUMENT_WORDS = 2, 6
PAIRS, MOST_STEPS = 16, 200
DICTIONARY = np.random.default_rng(7).permutation(WORDS)


def source_text(words) -> Text:
    pieces = 3 + np.array(words, dtype=np.int32)
    return Text(pieces, np.arange(len(words), dtype=np.int32), [f"s{word}" for word in words])


def target_text(words) -> Text:
    pieces = 3 + WORDS + np.array(words, dtype=np.int32)
    return Text(pieces, np.arange(len(words), dtype=np.int32), [f"t{word}" for word in words])


def draw(rng: np.random.Generator, words: range) -> tuple[Text, Text, Text]:
    """A query of ``words``, a relevant document and another one.

    The other document holds the translation of a word that could have been asked: otherwise words that only training
    queries (or only test queries) can ask would tell relevant documents without any dictionary.
    """
    asked = rng.choice(words, QUERY_WORDS + 1, replace=False)
    answer, decoy = DICTIONARY[rng.choice(asked[:QUERY_WORDS])], DICTIONARY[asked[-1]]
    fillers = rng.permutation(np.setdiff1d(np.arange(WORDS), DICTIONARY[asked]))
    relevant = rng.permutation([answer, *fillers[: DOCUMENT_WORDS - 1]])
    other = rng.permutation([decoy, *fillers[-(DOCUMENT_WORDS - 1) :]])
    return source_text(asked[:QUERY_WORDS]), target_text(relevant), target_text(other)


def batch_of(examples, links, arm):
    """Relevant documents first, then the others in the same order."""
    pairs = [(query, one) for query, one, _ in examples] + [(query, other) for query, _, other in examples]
    return collate([p for query, document in pairs for p in passages(query, document, links, LAYOUT, arm=arm)], LAYOUT)


def area_under_curve(relevant: torch.Tensor, other: torch.Tensor) -> float:
    """How often a relevant document scores above another one; 0.5 is chance."""
    difference = relevant[:, None] - other[None, :]
    return float(((difference > 0).float() + 0.5 * (difference == 0).float()).mean())


def train_and_test(links, arm, seed: int = 1) -> float:
    """Train until the loss is solved (or for 200 steps, twice what MART needs), then rank the documents of 200 queries.

    The words of these were never asked in training.
    """
    encoder = new_encoder(3 + 2 * WORDS, layers=3, width=32, heads=4, inner=64, positions=16, dropout=0.0, seed=seed)
    model = new_reranker(encoder, kind="mart", arm=arm, mat_layers=[-3, -2], seed=seed).train()
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    rng = np.random.default_rng(seed)
    smooth = 0.7
    for step in count(1):
        scores = model(batch_of([draw(rng, TRAINING) for _ in range(PAIRS)], links, arm))
        loss = softplus(scores[PAIRS:] - scores[:PAIRS]).mean()  # -log softmax of the relevant document
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        smooth = 0.9 * smooth + 0.1 * float(loss.detach())
        if smooth < 0.05 or step == MOST_STEPS:
            break
    examples = [draw(np.random.default_rng((99, number)), TEST) for number in range(200)]
    with torch.inference_mode():
        scores = model.eval()(batch_of(examples, links, arm))
    return area_under_curve(scores[:200], scores[200:])


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


TABLE = {f"s{source}": {f"t{target}": 0.75} for source, target in enumerate(DICTIONARY.tolist())}
TURNED_ROUND = {f"t{target}": {f"s{source}": 0.75} for source, target in enumerate(DICTIONARY.tolist())}


def test_mart_reads_the_dictionary():
    assert train_and_test(TABLE, "translation") > 0.95


def test_the_placebo_stays_at_chance():
    assert train_and_test(TABLE, "identity") == pytest.approx(0.5, abs=0.1)


def test_the_table_turned_round_stays_at_chance():
    assert train_and_test(TURNED_ROUND, "translation") == pytest.approx(0.5, abs=0.1)
