"""Scores on disk, topic by topic: a killed re-ranking goes on with the first topic that is not there."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from clir_cli.errors import DataError


class Shards:
    """A file with one line a finished topic: its documents and their scores, with all digits.

    A line is appended in one piece when its topic is done; what a kill left of one (no line break at its end) is cut
    off when the file is opened.
    """

    def __init__(self, folder: Path) -> None:
        """Open or begin the shards in ``folder``. Raises ``DataError`` for a line that was not written here."""
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "scores.jsonl"
        self._scores: dict[str, dict[str, float]] = {}
        self._path.touch()
        whole = 0
        with self._path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                try:
                    topic, scores = json.loads(line)
                    self._scores[topic] = {document: float(score) for document, score in scores}
                except (ValueError, TypeError) as error:
                    raise DataError(
                        f"{self._path}:{number}: this is not a topic with its scores.",
                        f"Delete {self._path} to score all topics again.",
                    ) from error
        os.truncate(self._path, whole)

    def get(self, topic: str, documents: Sequence[str]) -> list[float] | None:
        """The scores of ``documents``, in their order; None where the topic is not done.

        Raises ``DataError`` where the topic was done with other documents: then they belong to another run.
        """
        scores = self._scores.get(topic)
        if scores is None:
            return None
        if scores.keys() != set(documents):
            raise DataError(
                f"{self._path} holds scores of topic {topic} for other documents.",
                f"Delete {self._path} to score all topics again.",
            )
        return [scores[document] for document in documents]

    def add(self, topic: str, documents: Sequence[str], scores: Sequence[float]) -> None:
        """Write the scores of a topic that is done."""
        line = json.dumps([topic, list(zip(documents, scores, strict=True))]) + "\n"
        with self._path.open("ab") as file:
            file.write(line.encode())
