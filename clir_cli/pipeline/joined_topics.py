"""Topics of a pair as every later stage reads them: query and human translation side by side."""

from dataclasses import dataclass
from pathlib import Path

from clir_cli.lines import write_whole

COLUMNS = "id\tkey\tquery\thuman"


@dataclass(frozen=True, slots=True)
class JoinedTopic:
    """``id`` as the query file spells it, ``key`` as it joins across files, ``human`` empty where there is none."""

    id: str
    key: str
    query: str
    human: str = ""


def write_joined(path: Path, topics: list[JoinedTopic]) -> None:
    """One topic a line after a header line; white space inside a text becomes single spaces."""
    with write_whole(path) as file:
        file.write(COLUMNS + "\n")
        for topic in topics:
            parts = (topic.id, topic.key, topic.query, topic.human)
            file.write("\t".join(" ".join(part.split()) for part in parts) + "\n")


def read_joined(path: Path) -> list[JoinedTopic]:
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1]
    return [JoinedTopic(*line.split("\t")) for line in lines]
