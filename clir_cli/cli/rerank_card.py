"""The card beside a run that `clir rerank --checkpoint` writes."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clir_cli.cli.rerank_files import Wishes


def describe_reranking(
    wishes: "Wishes", model: Mapping[str, Any], checksums: Mapping[str, str], **more: Any
) -> dict[str, Any]:
    """What was asked for and with which model: settings, checksums of files by what they are, versions of libraries.

    ``more``: what the model's folder and the machine decided. Texts are told by the names of their files only.
    """
    from clir_cli.pipeline.run_cards import DIGITS
    from clir_cli.pipeline.store import library_versions

    def names(paths: list[Path]) -> list[str]:
        return [path.name for path in paths]

    settings = {
        "checkpoint": Path(wishes.checkpoint).name if Path(wishes.checkpoint).is_dir() else wishes.checkpoint,
        "model": dict(model),
        "run": wishes.run.name,
        "depth": wishes.depth,
        "topics": names(wishes.topics),
        "documents": names(wishes.documents),
        "int8": wishes.int8,
        "threads": wishes.threads,
        "from_representations": wishes.representations is not None,
    }
    settings |= more | {"files": {name: value[:DIGITS] for name, value in checksums.items() if value}}
    return {"made_by": "clir rerank", "settings": {"rerank": settings}, "versions": library_versions()}
