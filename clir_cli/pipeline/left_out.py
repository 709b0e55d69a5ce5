"""What a pair lost on the way from its files to its runs and values, in one sentence."""

from typing import Any


def left_out(pair: str, report: dict[str, Any]) -> str | None:
    """One sentence from ``report.json`` of the pair's topics; None where nothing was lost.

    Of a pair without judgements the report says nothing about them.
    """
    parts = []
    if report.get("faulty"):
        parts.append(f"{report['faulty']} faulty documents of the collection are left out")
    if report["unshared"]:
        parts.append(f"topics that not all of topics.intersect have are left out ({_some(report['unshared'])})")
    if report["outside"]:
        parts.append(f"topics that no pool of the collection is for are left out ({_some(report['outside'])})")
    if report.get("excluded"):
        parts.append(f"topics without relevant documents are left out ({_some(report['excluded'])})")
    if report.get("absent"):
        parts.append(f"{report['absent']} judgements of documents that the collection lacks are left out")
    if report.get("outside_pool"):
        parts.append(f"{report['outside_pool']} judgements of documents outside their topic's pool are left out")
    if report["untranslated"]:
        counted = ": counted as 0 in that row" if "excluded" in report else ""
        parts.append(f"no human translation of {_some(report['untranslated'])}{counted}")
    return f"{pair}: {'; '.join(parts)}." if parts else None


def _some(names: list[str], most: int = 8) -> str:
    return f"{len(names)}: {', '.join(names[:most])}{', ...' if len(names) > most else ''}"
