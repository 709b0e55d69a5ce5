"""Folds that cannot be filled, and folds that leak: what is tested was seen before."""

from collections.abc import Callable, Iterable, Mapping

from clir_cli.corpora.folds import split
from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.wording import counted, listed, some_are

Seen = Callable[[int], frozenset[str]]
"""Fold -> keys of the topics that the model to start from was trained or validated on."""


def inspect_folds(keys: Iterable[str], count: int, about: Part) -> bool:
    """Whether the topics that can be evaluated are enough for the folds."""
    number = len(set(keys))
    if number >= count:
        return True
    about.error(
        "too-few-topics", f"{counted(number, 'topic')} can be evaluated, too few for {count} folds.",
        hint="Bring more topics, or set training.folds.count (3 at least) or models: [].",
    )  # fmt: skip
    return False


def inspect_repeated_texts(
    groups: Iterable[list[str]],
    folds: Mapping[str, int],
    about: Part,
    spelt: Mapping[str, str],
    places: Mapping[str, str],
) -> None:
    """Topics of one text in different folds: the model is tested on a text that it was trained on.

    ``groups``: keys of topics with equal texts; ``spelt`` and ``places``: their ids, and where they are.
    """
    leaks = [keys for keys in groups if len({folds[key] for key in keys if key in folds}) > 1]
    if leaks:
        examples = [", ".join(f"{spelt[key]} ({places[key]})" for key in keys) for keys in leaks]
        about.warning(
            "repeated-query",
            f"{some_are(len(leaks), 'query')} asked under several topic numbers that are in different folds: "
            "a model is tested on what it was trained on.",
            hint="Keep one topic of each text.", count=len(leaks), examples=examples,
        )  # fmt: skip


def inspect_start(
    folds: Mapping[str, int], run: Iterable[int], seen: Seen, about: Part, *, start: str, is_sure: bool
) -> None:
    """Whether the model that training starts from (``start``) saw topics that a fold tests.

    ``is_sure``: whether what it saw is known from its own folds, not worked out from its topics.
    """
    leaks = {fold: split(folds, fold).test & seen(fold) for fold in run}
    leaks = {fold: keys for fold, keys in leaks.items() if keys}
    if not leaks:
        return
    whole = sum(map(len, leaks.values()))
    text = f"{start}, where training starts, was trained on {counted(whole, 'topic')} that folds test here."
    if not is_sure:
        text = f"{start}, where training starts, seems to be trained on {counted(whole, 'topic')} that folds test here."
    about.add(
        Level.error if is_sure else Level.warning, "leaking-start", text,
        hint="Start from an experiment with the same topics and folds, or from one on other topics.",
        count=whole, examples=(f"fold {fold}: {listed(sorted(keys))}" for fold, keys in leaks.items()), is_listed=True,
    )  # fmt: skip


def inspect_ranking_queries(met: Mapping[str, str], topics: Mapping[str, str], about: Part, *, what: str) -> None:
    """Ranking examples of pre-training that ask what a topic asks.

    ``met``: text in normal form -> where it was met; ``topics``: normal form -> topic id.
    """
    if met:
        about.warning(
            "query-in-pretraining",
            f"{counted(len(met), 'topic')} {'asks' if len(met) == 1 else 'ask'} what {what} of pre-training ask: "
            "the encoder has seen the answer.",
            hint="Take them out of the ranking examples.",
            count=len(met), examples=(f"{topics[text]}: {place}" for text, place in met.items()),
        )  # fmt: skip
