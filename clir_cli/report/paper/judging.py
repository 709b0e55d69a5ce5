"""How claims are judged: what "above" and "on par" mean, pair by pair.

As in the paper a difference counts where a two-sided paired t-test over topics gives p < .05, uncorrected. "On par" is
the absence of such a difference; each time it is said whether equivalence within 5 % of the baseline is shown, too.
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import isnan

from clir_cli.evaluation.significance import Comparison
from clir_cli.report.paper.evidence import ALPHA, MAP, MARGIN, Evidence, Judgement, Verdict, not_testable
from clir_cli.report.results_table import Direction
from clir_cli.report.sheet import listed, measure_title, p_value, percent

Judge = Callable[[Evidence], Judgement]
Predicate = Callable[[Comparison], bool]
Pairs = Callable[[Evidence], Sequence[str]]


def named(*pairs: str) -> Pairs:
    """Pairs that a claim names."""
    return lambda evidence: pairs


def every(side: Direction | None = None) -> Pairs:
    """All pairs of a direction that have results."""
    return lambda evidence: evidence.pairs(side)


def significantly_above(found: Comparison) -> bool:
    """Above, and the difference is significant."""
    return found.difference > 0 and found.p < ALPHA


def above(found: Comparison) -> bool:
    """The higher mean, whatever the test says."""
    return found.difference > 0


def on_par(found: Comparison) -> bool:
    """No significant difference."""
    return not isnan(found.p) and found.p >= ALPHA


def compared(
    pairs: Pairs, system: str, baselines: Sequence[str], holds: Predicate, measures: Sequence[str] = (MAP,),
    *, share: float = 1.0,
) -> Judge:  # fmt: skip
    """Whether ``holds`` is true of a system against each baseline, in each pair and measure.

    ``share``: in how many of the comparisons it has to be, at least.
    """

    def judge(evidence: Evidence) -> Judgement:
        numbers, verdicts, seen, missing = [], [], set(), []
        for pair, baseline, measure in product(pairs(evidence), baselines, measures):
            found = evidence.compare(pair, system, baseline, measure)
            if found is None:
                missing.append((pair, baseline))
                continue
            seen.add(pair)
            verdicts.append(holds(found))
            told = tell(f"{pair} {measure_title(measure)}", system, baseline, found, holds)
            numbers.append(f"{'yes' if verdicts[-1] else 'no'}: {told}")
        if not verdicts:
            return not_testable(_not_run(evidence, system, listed(baselines)))
        held = sum(verdicts) >= share * len(verdicts)
        rest = _left_out([pair if pair not in seen else f"{pair} against {baseline}" for pair, baseline in missing])
        return Judgement(Verdict.held if held else Verdict.not_held, tuple(numbers), rest)

    return judge


def _not_run(evidence: Evidence, system: str, baselines: str) -> str:
    return f"not run: {system} and {baselines}; `clir run-all -e {evidence.experiment}`, where it trains them"


def gain_of(pairs: Pairs, system: str, baseline: str, about: float, within: float) -> Judge:
    """Whether the mean over pairs of the relative gain in MAP lies near ``about``."""

    def judge(evidence: Evidence) -> Judgement:
        found = {pair: evidence.compare(pair, system, baseline, MAP) for pair in pairs(evidence)}
        gains = {pair: one.relative_gain for pair, one in found.items() if one is not None}
        if not gains or any(isnan(gain) for gain in gains.values()):
            return not_testable(_not_run(evidence, system, baseline))
        mean = sum(gains.values()) / len(gains)
        numbers = [f"{pair} {percent(gain, sign=True)}" for pair, gain in gains.items()]
        rest = _left_out([pair for pair, one in found.items() if one is None])
        held = Verdict.held if abs(mean - about) <= within else Verdict.not_held
        return Judgement(held, (f"mean {percent(mean, sign=True)}: {', '.join(numbers)}",), rest)

    return judge


def both(*judges: Judge) -> Judge:
    """Held where all parts are; what cannot be tested of it is said."""

    def judge(evidence: Evidence) -> Judgement:
        found = [one(evidence) for one in judges]
        made = [one for one in found if one.verdict is not Verdict.not_testable]
        reasons = "; ".join(dict.fromkeys(one.reason for one in found if one.reason))
        numbers = tuple(number for one in found for number in one.numbers)
        if not made:
            return not_testable(reasons, numbers)
        held = all(one.verdict is Verdict.held for one in made)
        return Judgement(Verdict.held if held else Verdict.not_held, numbers, reasons)

    return judge


def tell(where: str, system: str, baseline: str, found: Comparison, holds: Predicate | None = None) -> str:
    """Both means, the difference and its p; where "on par" is asked, whether the two are shown to be equal."""
    text = (
        f"{where}: {system} {found.mean:.4f}, {baseline} {found.baseline_mean:.4f}, "
        f"{percent(found.relative_gain, sign=True)}, p {p_value(found.p)}"
    )
    if holds is on_par:
        equal = found.margins[0].equivalence < ALPHA
        text += (
            f"; equivalent within {percent(MARGIN)}" if equal else f"; equivalence within {percent(MARGIN)} not shown"
        )
    return text


def _left_out(missing: Sequence[str]) -> str:
    return f"not run, so not looked at: {listed(dict.fromkeys(missing))}" if missing else ""
