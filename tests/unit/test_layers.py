"""Data flows one way: a folder imports only from those before it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "clir_cli"
FLOW = [
    "learning", "corpora", "translation", "encoders", "retrieval", "rerankers", "training",
    "reranking", "evaluation", "inspection", "analysis", "report", "pipeline", "cli",
]  # fmt: skip
SHARED = {"errors", "records", "lines", "trec"}
MODULES = sorted(ROOT.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """First parts of the names under clir_cli that a module imports, at its top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "clir_cli"
                else [node.module or ""]
            )
        found |= {name.split(".")[1] for name in names if name.startswith("clir_cli.")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_comes_before_it(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    home = parts[0].removesuffix(".py")
    if home == "__init__":
        allowed: set[str] = set()
    elif home == "hugging_face":  # a door for users, with nothing of its own behind it
        allowed = {"reranking"}
    elif len(parts) == 1:
        allowed = SHARED
    elif home == "config":
        allowed = SHARED | {"config", "evaluation", "corpora"}
    else:
        allowed = SHARED | set(FLOW[: FLOW.index(home) + 1])
        if home in ("pipeline", "cli"):
            allowed.add("config")
    assert imported(path) <= allowed


def test_the_walk_sees_imports() -> None:
    assert {"errors", "pipeline"} == imported(ROOT / "pipeline" / "execute.py")
    assert "config" in imported(ROOT / "pipeline" / "graph" / "base.py")


def test_only_the_console_uses_rich() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        if any(
            isinstance(node, ast.ImportFrom | ast.Import) and any(name.split(".")[0] == "rich" for name in _names(node))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }
    assert users <= {"cli/console.py", "cli/progress.py"}


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
