"""One epoch of training pairs here, against Hugging Face's Trainer with a pairwise head; same weights, same pairs.

    python -m benchmarks.train [--pairs 32] [--batch 4] [--budgets 512 1024 2048]

Pairs have passages of 40 to 512 word pieces, spread evenly and shuffled; positives and negatives of one batch so have
unequal lengths. The encoder is e5-small-7lang (12 layers, width 384) beside CLIR_REAL_DATA, else one of its shape with
random weights. Both train in float32 on one thread, without dropout, with fused Adam, batches in the same order, and
write one checkpoint at the end. CPU seconds of this process. The losses of the first step have to be equal.

Then one training step of MART is compared with one of the plain model, and its time looked into.
"""

import argparse
import copy
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks._timing import cpu_seconds
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.layout import Layout
from clir_cli.encoders.piece_store import Pieces, number_keys
from clir_cli.encoders.pieces import Text
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.loop import fit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.build import Reranker, new_reranker
from clir_cli.rerankers.inputs import NO_LINKS, Passage, QueryLinks, index_links, passages
from clir_cli.training.pairs import TrainingPair
from clir_cli.training.parts import PairLoss

TARGET, MART_TARGET, KNOWLEDGE_TARGET = 1.3, 1.12, 0.03
RATE = 2e-5
PAD = 1
LAYOUT = Layout(before=(0,), between=(2,), after=(2,), types=(0, 0, 0, 1, 1), pad=PAD)


class Drawn:
    """What a ``PassageReader`` gives, of random pieces: 16 of a query, 1.3 pieces a word, links as in M^tr."""

    def __init__(self, pairs: int, vocabulary: int, arm: Any, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        sizes = rng.permutation(np.linspace(40, 512, 2 * pairs).round().astype(int))
        self._arm = arm
        self._numbers: dict[str, int] = {}
        self._documents: dict[str, Pieces] = {}
        self._queries: dict[str, tuple[Text, QueryLinks]] = {}
        self.pairs = [TrainingPair(1, f"q{number}", f"p{number}", f"n{number}") for number in range(pairs)]
        for pair, own_sizes in zip(self.pairs, sizes.reshape(-1, 2), strict=True):
            query = _text(rng, 16, "s", vocabulary)
            for document, size in zip(pair[2:], own_sizes, strict=True):
                text = _text(rng, size - len(query.pieces) - LAYOUT.specials, "t", vocabulary)
                self._documents[document] = number_keys(text, self._numbers)
            links = {key: {f"t{n}": float(rng.random()) for n in rng.integers(0, 800, 8)} for key in query.keys}
            self._queries[pair.topic] = query, index_links(query, links, self._numbers) if arm else NO_LINKS

    def read(self, topic: str, document: str) -> list[Passage]:
        query, links = self._queries[topic]
        return passages(query, self._documents[document], links, LAYOUT, arm=self._arm)

    def batch(self, passages: Sequence[Passage]) -> Batch:
        return collate(passages, LAYOUT)


def _text(rng: np.random.Generator, pieces: int, language: str, vocabulary: int) -> Text:
    begins = np.append(True, rng.random(pieces - 1) < 0.77)
    words = (np.cumsum(begins) - 1).astype(np.int32)
    keys = [f"{language}{number}" for number in rng.integers(0, 800, int(words[-1]) + 1)]
    return Text(rng.integers(5, vocabulary, pieces).astype(np.int32), words, keys)


def load_bert() -> Any:
    """The encoder as transformers has it, without dropout."""
    from transformers import AutoConfig, AutoModel, BertConfig, BertModel

    dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    folder = Path(os.environ.get("CLIR_REAL_DATA", "../shared/data")) / ".." / "models" / "e5-small-7lang"
    if folder.is_dir():
        config = AutoConfig.from_pretrained(folder, **dropout)
        print("encoder: e5-small-7lang")
        return AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False, dtype=torch.float32)
    print("encoder: random weights in the shape of e5-small-7lang, which is not there")
    config = BertConfig(
        vocab_size=52041, hidden_size=384, num_attention_heads=12, intermediate_size=1536, pad_token_id=PAD, **dropout
    )
    return BertModel(config, add_pooling_layer=False)


class PairwiseModel(nn.Module):
    """What one writes for the Trainer: an encoder, a head, relevant documents in the first half of a batch."""

    def __init__(self, bert: Any, head: nn.Linear) -> None:
        super().__init__()
        self.bert, self.head = bert, head

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, attention_mask: Tensor) -> dict[str, Tensor]:
        found = self.bert(input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask)
        positive, negative = self.head(found.last_hidden_state[:, 0]).squeeze(-1).chunk(2)
        return {"loss": F.softplus(negative - positive).mean()}


def train_by_trainer(bert: Any, head: nn.Linear, drawn: Drawn, batch: int) -> tuple[float, list[float]]:
    """CPU seconds and the losses of the steps."""
    from transformers import Trainer, TrainingArguments, set_seed

    def put_together(pairs: list[TrainingPair]) -> dict[str, Tensor]:
        names = [(pair.topic, pair.positive) for pair in pairs] + [(pair.topic, pair.negative) for pair in pairs]
        found = [drawn.read(*name)[0] for name in names]
        rows = [torch.from_numpy(passage.pieces).long() for passage in found]
        types = [torch.from_numpy(passage.types).long() for passage in found]
        pad = nn.utils.rnn.pad_sequence
        return {
            "input_ids": pad(rows, batch_first=True, padding_value=PAD),
            "token_type_ids": pad(types, batch_first=True),
            "attention_mask": pad([torch.ones_like(row) for row in rows], batch_first=True),
        }

    class InOrder(Trainer):
        def _get_train_sampler(self, *_: Any) -> Any:
            return torch.utils.data.SequentialSampler(self.train_dataset)

    with tempfile.TemporaryDirectory() as folder:
        set_seed(1)
        options = TrainingArguments(
            output_dir=folder,
            per_device_train_batch_size=batch,
            num_train_epochs=1,
            learning_rate=RATE,
            lr_scheduler_type="constant",
            weight_decay=0.0,
            max_grad_norm=0.0,
            optim="adamw_torch_fused",
            save_strategy="epoch",
            logging_steps=1,
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
            remove_unused_columns=False,
            dataloader_pin_memory=False,
        )
        model = PairwiseModel(copy.deepcopy(bert), copy.deepcopy(head))
        trainer = InOrder(model=model, args=options, train_dataset=drawn.pairs, data_collator=put_together)
        for callback in list(trainer.callback_handler.callbacks):
            if type(callback).__name__ == "PrinterCallback":
                trainer.remove_callback(callback)
        begun = time.process_time()
        trainer.train()
        seconds = time.process_time() - begun
    return seconds, [float(line["loss"]) for line in trainer.state.log_history if "loss" in line]


def train_here(model: Reranker, drawn: Drawn, batch: int, tokens: int) -> tuple[float, list[float]]:
    """CPU seconds and the losses of the steps."""
    limit = HoldLimit()
    loss = PairLoss(drawn, "cross_entropy", tokens=tokens, limit=limit)  # type: ignore[arg-type]
    losses: list[float] = []

    def noted(model: Any, micro: list[TrainingPair]) -> Iterator[Tensor]:
        for part in loss(model, micro):
            losses.append(float(part.detach().mean()))
            yield part

    steps = [[drawn.pairs[begin : begin + batch]] for begin in range(0, len(drawn.pairs), batch)]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        fit(
            model,
            optimiser=build_optimiser("adam", [(model.parameters(), RATE)]),
            steps_of_epoch=lambda _: steps,
            loss=noted,
            epochs=1,
            folder=Path(folder),
            seed=1,
            limit=limit,
        )
        seconds = time.process_time() - begun
        line = json.loads((Path(folder) / "log.jsonl").read_text())
    assert line["steps"] == len(steps)
    return seconds, losses


def step_of(model: Reranker, drawn: Drawn, pairs: Sequence[TrainingPair], tokens: int) -> Callable[[], None]:
    """Forward and backward of some pairs."""
    loss = PairLoss(drawn, "cross_entropy", tokens=tokens, limit=HoldLimit())  # type: ignore[arg-type]

    def step() -> None:
        model.zero_grad(set_to_none=True)
        for losses in loss(model, pairs):
            losses.mean().backward()

    return step


def compare_mart(encoder: Encoder, pairs: int, tokens: int, rounds: int) -> None:
    """A training step of MART and of the plain model, turn by turn; and what expanding knowledge takes."""
    models = {
        "m2BERT": new_reranker(copy.deepcopy(encoder), dropout=0.0),
        "MART": new_reranker(copy.deepcopy(encoder), kind="mart", dropout=0.0),
    }
    vocabulary = int(encoder.config.vocab_size)
    drawn = {name: Drawn(pairs, vocabulary, model.arm) for name, model in models.items()}
    steps = {name: step_of(model, drawn[name], drawn[name].pairs, tokens) for name, model in models.items()}
    times: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(cpu_seconds(step, 1))
    best = {name: min(seconds) for name, seconds in times.items()}

    def put_together(name: str) -> float:
        """From stored pieces to batches, of one passage as in a step."""
        names = [(pair.topic, document) for pair in drawn[name].pairs for document in pair[2:]]
        return cpu_seconds(lambda: [drawn[name].batch(drawn[name].read(*each)) for each in names], 9)

    expansion = (put_together("MART") - put_together("m2BERT")) / best["MART"]
    ratio = best["MART"] / best["m2BERT"]
    print(f"training step: m2BERT {best['m2BERT']:.2f} s, MART {best['MART']:.2f} s, best of {rounds}")
    print(f"MART: {ratio - 1:+.1%} (target {MART_TARGET - 1:+.0%})")
    print(f"knowledge expanded: {expansion:.2%} of a step (target below {KNOWLEDGE_TARGET:.0%})")


def main() -> None:
    """Train on both sides, check the losses, print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument("--batch", type=int, default=4, help="pairs in a step")
    parser.add_argument(
        "--budgets", type=int, nargs="+", default=[512], help="word pieces in one pass; the first counts"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of MART beside the plain model")
    options = parser.parse_args()
    torch.set_num_threads(1)
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    bert = load_bert()
    drawn = Drawn(options.pairs, int(bert.config.vocab_size), None)
    model = new_reranker(Encoder(copy.deepcopy(bert)), dropout=0.0)

    seconds = {}
    for budget in options.budgets:
        seconds[budget], losses = train_here(copy.deepcopy(model), drawn, options.batch, budget)
        print(
            f"here, {budget} pieces in a pass: {seconds[budget]:.1f} s, {options.pairs / seconds[budget]:.3f} pairs/s"
        )
    theirs, their_losses = train_by_trainer(bert, model.head, drawn, options.batch)
    print(f"Trainer: {theirs:.1f} s, {options.pairs / theirs:.3f} pairs/s", flush=True)
    apart = [abs(here - there) for here, there in zip(losses, their_losses, strict=True)]
    print(f"losses of the first step: {losses[0]:.7f} and {their_losses[0]:.7f}; largest difference {max(apart):.1e}")
    if apart[0] > 1e-5:
        raise SystemExit("the losses of the first step differ")
    compare_mart(Encoder(copy.deepcopy(bert)), 2, options.budgets[0], options.rounds)
    print(f"train: ratio {theirs / seconds[options.budgets[0]]:.2f} (target {TARGET})")


if __name__ == "__main__":
    main()
