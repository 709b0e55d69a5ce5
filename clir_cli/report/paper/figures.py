"""Claims on the translation gap (figure 4), on MAT's layers (figure 5) and on its knowledge (table 4)."""

from collections.abc import Callable, Sequence

from clir_cli.report.paper.evidence import (
    MAP,
    AblationResults,
    Evidence,
    Judgement,
    LayerMeans,
    Verdict,
    compare_rows,
    not_testable,
)
from clir_cli.report.paper.judging import Judge, Predicate, tell

Drift = Callable[[LayerMeans, int, int], bool | None]
"""What is asked of a model's similarities, given the layer before MAT's and the last of MAT's; None: no answer."""


def translated_above_random(means: LayerMeans, before: int, after: int) -> bool:
    """In every layer, embeddings included."""
    return all(new > old for new, old in zip(means.translated, means.random, strict=True))


def grows(means: LayerMeans, before: int, after: int) -> bool | None:
    """Both kinds of pairs, from the embeddings to the layer before MAT's."""
    if before == 0:
        return None
    return all(values[before] > values[0] for values in (means.translated, means.random))


def both_drop(means: LayerMeans, before: int, after: int) -> bool:
    """Both kinds of pairs, over the layers that MAT's are."""
    return all(values[after] < values[before] for values in (means.translated, means.random))


def translated_rise_random_drop(means: LayerMeans, before: int, after: int) -> bool:
    """Over the layers that MAT's are."""
    return means.translated[after] > means.translated[before] and means.random[after] < means.random[before]


def of_gap(models: Sequence[str] | None, holds: Drift) -> Judge:
    """Whether it holds for the models named (None: all that were measured) in every pair that was measured."""

    def judge(evidence: Evidence) -> Judgement:
        numbers, verdicts = [], []
        for (pair, model), means in evidence.gaps.items():
            if models is not None and model not in models:
                continue
            depth = len(means.translated) - 1
            layers = [layer % depth for layer in evidence.mat_layers]
            before, after = min(layers), max(layers) + 1  # as outputs, 0 being the embeddings
            answer = holds(means, before, after)
            if answer is None:
                return not_testable("the encoder has no layers below those of MAT")
            verdicts.append(answer)
            shown = dict.fromkeys((0, before, after))
            series = [
                f"{kind} {', '.join(f'{values[layer]:.3f}' for layer in shown)}"
                for kind, values in (("translations", means.translated), ("others", means.random))
            ]
            where = f"{pair} {model}, layers {', '.join(map(str, shown))} (0: embeddings)"
            numbers.append(f"{'yes' if answer else 'no'}: {where}: {'; '.join(series)}")
        if not verdicts:
            which = f" of {' and '.join(models)}" if models else ""
            return not_testable(f"not run: the translation gap{which}; `clir gap -e {evidence.experiment}`")
        return Judgement(Verdict.held if all(verdicts) else Verdict.not_held, tuple(numbers))

    return judge


def of_layers(comparisons: Sequence[tuple[tuple[int, ...], tuple[int, ...]]], holds: Predicate) -> Judge:
    """Whether ``holds`` is true of each (layers, layers) in every pair of the ablation; layers from the end."""

    def rows(found: AblationResults) -> list[tuple[str, str]] | str:
        missing = [layers for asked in comparisons for layers in asked if layers not in found.layers]
        if missing:
            return f"the ablation has no row of the layers {', '.join(map(str, missing[0]))} from the end"
        return [(found.layers[new], found.layers[old]) for new, old in comparisons]

    return _of_ablation("layers", rows, holds)


def of_source(names: Sequence[str], holds: Predicate) -> Judge:
    """Whether ``holds`` is true of the row whose source is called so (or begins so), against the model's own table."""

    def rows(found: AblationResults) -> list[tuple[str, str]] | str:
        chosen = [row for source, row in found.sources.items() if source.lower().startswith(tuple(names))]
        return [(row, found.model) for row in chosen] or f"the ablation has no source called {' or '.join(names)}"

    return _of_ablation("knowledge", rows, holds)


def _of_ablation(what: str, rows: Callable[[AblationResults], list[tuple[str, str]] | str], holds: Predicate) -> Judge:
    def judge(evidence: Evidence) -> Judgement:
        found = evidence.ablations.get(what)
        command = f"`clir ablate {what} -e {evidence.experiment}`"
        if found is None:
            return not_testable(f"not run: {command}")
        asked = rows(found)
        if isinstance(asked, str):
            return not_testable(f"{asked}; {command}")
        numbers, verdicts = [], []
        for pair in dict.fromkeys(pair for table in found.tables for pair in table.values):
            for new, old in asked:
                compared = compare_rows(found.tables, pair, new, old, MAP)
                if compared is not None:
                    verdicts.append(holds(compared))
                    numbers.append(f"{'yes' if verdicts[-1] else 'no'}: {tell(f'{pair} MAP', new, old, compared)}")
        if not verdicts:
            return not_testable(f"its rows have no AP@100; {command}")
        return Judgement(Verdict.held if all(verdicts) else Verdict.not_held, tuple(numbers))

    return judge
