"""Why a stage runs: compare what it is with the nearest result that is there."""

from typing import Any

from clir_cli.pipeline.stage import Stage
from clir_cli.pipeline.store import MARKER, Store, read_marker


def why(stage: Stage, store: Store) -> str:
    """One sentence. A result of the same name with another key is compared setting by setting."""
    if store.has(stage):
        return "its result is there"
    if store.partial(stage).exists():
        return "an interrupted run left a part of it: it goes on from there"
    folder = store.path(stage).parent
    stem = stage.folder.name.removesuffix(stage.key)
    earlier = [
        path for path in folder.glob(f"{stem}*") if (path / MARKER).is_file() and len(path.name) == len(stem) + 16
    ]
    if not earlier:
        return "it was never made"
    newest = max(earlier, key=lambda path: (path / MARKER).stat().st_mtime)
    before = read_marker(newest)
    return "; ".join(_differences(before, stage.identity)) or "an earlier result was removed"


def _differences(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    found = []
    if before["version"] != now["version"]:
        found.append(f"this version of clir makes it differently ({before['version']} -> {now['version']})")
    found += [f"{name}: {old} -> {new}" for name, old, new in _changed(before["settings"], now["settings"])]
    for what, group in (("file", "files"), ("stage", "needs")):
        old, new = before[group], now[group]
        changed = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
        found += [f"{what} {name!r} changed" for name in changed]
    return found


def _changed(old: Any, new: Any, name: str = "") -> list[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        parts = []
        for key in sorted(old.keys() | new.keys()):
            parts += _changed(old.get(key), new.get(key), f"{name}.{key}" if name else key)
        return parts
    return [] if old == new else [(name, old, new)]
