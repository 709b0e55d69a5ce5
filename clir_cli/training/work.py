"""A folder of unfinished training: whose it is, and what goes once it is finished."""

import shutil
from pathlib import Path

from clir_cli.errors import ClirError
from clir_cli.lines import write_whole


def claim_work(folder: Path, settings: str) -> None:
    """Begin work of these settings, or see that what is there is of the same. Raises ``ClirError`` where it is not."""
    folder.mkdir(parents=True, exist_ok=True)
    about = folder / "settings.json"
    if about.is_file() and about.read_text("utf-8") != settings:
        raise ClirError(f"{folder} holds unfinished training with other settings.", f"Delete {folder} to begin anew.")
    with write_whole(about) as file:
        file.write(settings)


def drop_checkpoints(folder: Path) -> None:
    """Remove the states that only an unfinished run needs; its log stays."""
    for checkpoint in folder.glob("checkpoint-*"):
        shutil.rmtree(checkpoint, ignore_errors=True)
