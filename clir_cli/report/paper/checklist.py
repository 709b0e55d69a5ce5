"""The checklist of the paper's claims as text, Markdown and JSON."""

import textwrap
from collections import Counter
from collections.abc import Callable, Sequence

from clir_cli.report.markdown import escape
from clir_cli.report.paper.claims import Claim
from clir_cli.report.paper.evidence import Data, Evidence, Judgement, Verdict
from clir_cli.report.plain_json import json_text

Judged = Sequence[tuple[Claim, Judgement]]

HOW = (
    "Differences are judged as in the paper, by two-sided paired t-tests over topics, p < 0.05, not corrected; on par: "
    "no significant difference. Means are over topics. Ablations are judged by the order of means, where "
    "nothing else is said."
)
WHOSE = {
    Data.clef: "Texts: CLEF's format, as in the paper.",
    Data.sample: "Texts: the synthetic sample. A verdict here is about the method on made-up text, not about "
    "the paper's data.",
    Data.other: "Texts: not the paper's. A verdict here says whether a claim holds on them, too; it confirms "
    "or refutes no number of the paper.",
}
SYMBOLS = {Verdict.held: "+", Verdict.not_held: "-", Verdict.not_testable: "?"}


def to_text(evidence: Evidence, judged: Judged, width: int = 100) -> str:
    """One paragraph a claim: verdict, sentence, numbers, what is missing."""
    lines = [f"Claims of the MAT paper, by experiment {evidence.experiment}", ""]
    for claim, judgement in judged:
        lines += _wrap(f"{SYMBOLS[judgement.verdict]} {judgement.verdict.upper()}  {claim.sentence}", width, "    ")
        for number in judgement.numbers:
            lines += _wrap(f"    {number}", width, "      ")
        if judgement.reason:
            lines += _wrap(f"    ({judgement.reason})", width, "     ")
        lines.append("")
    for note in _notes(evidence, judged):
        lines += _wrap(note, width, "  ")
    return "\n".join(lines) + "\n"


def to_markdown(evidence: Evidence, judged: Judged) -> str:
    """A pipe table: verdict, claim, numbers here."""
    lines = [
        f"**Claims of the MAT paper, by experiment {escape(evidence.experiment)}**",
        "",
        "| Verdict | Claim | Here |",
        "| --- | --- | --- |",
    ]
    for claim, judgement in judged:
        here = [*judgement.numbers, *([f"({judgement.reason})"] if judgement.reason else [])]
        lines.append(f"| {judgement.verdict} | {escape(claim.sentence)} | {'<br>'.join(map(escape, here))} |")
    return "\n".join([*lines, "", *(f"- {escape(note)}" for note in _notes(evidence, judged)), ""])


def to_json(evidence: Evidence, judged: Judged) -> str:
    """Objects with names; ``verdict`` is ``held``, ``not held`` or ``not testable here``."""
    claims = [
        {
            "id": claim.id,
            "claim": claim.sentence,
            "verdict": str(judgement.verdict),
            "numbers": list(judgement.numbers),
            "reason": judgement.reason or None,
            "about": claim.about,
        }
        for claim, judgement in judged
    ]
    notes = _notes(evidence, judged)
    return json_text({"experiment": evidence.experiment, "data": str(evidence.data), "claims": claims, "notes": notes})


def _notes(evidence: Evidence, judged: Judged) -> list[str]:
    counts = Counter(judgement.verdict for _, judgement in judged)
    total = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    reduced = [note for table in evidence.tables for note in table.notes if note.startswith("Reduced")]
    encoder = [f"Encoder: {evidence.encoder}; not the paper's, multilingual BERT."] if evidence.encoder else []
    about = [HOW, WHOSE[evidence.data], *encoder]
    return [f"{len(judged)} claims: {total}.", *about, *evidence.faults, *dict.fromkeys(reduced)]


def _wrap(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


FORMATS: dict[str, Callable[[Evidence, Judged], str]] = {
    "console": to_text,
    "markdown": to_markdown,
    "json": to_json,
}
