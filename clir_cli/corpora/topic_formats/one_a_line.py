"""Topics that stand one in a line: TSV and JSON lines."""

from collections.abc import Iterator
from pathlib import Path

from clir_cli.corpora.json_lines import read_json_lines
from clir_cli.corpora.topic_formats.found import FoundTopic
from clir_cli.errors import DataError, FaultHandler
from clir_cli.lines import read_lines
from clir_cli.records import Topic


def read_tsv(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """``id TAB title [TAB description [TAB narrative]]``; blank lines are skipped. Faults: other columns."""
    for number, line in read_lines(path, encoding, on_fault):
        if not line or line.isspace():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if 2 <= len(columns) <= 4:
            yield FoundTopic(f"{path}:{number}", Topic(*columns), "")
        else:
            problem = "there is no tab" if len(columns) == 1 else f"there are {len(columns)} columns"
            hint = "A line is id TAB title [TAB description [TAB narrative]]."
            on_fault(DataError(f"{path}:{number}: {problem}.", hint))


def read_jsonl(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """Objects with ``id`` or ``_id``, ``title`` or ``text``, ``description``, ``narrative``.

    Faults: a line that is no object, has no id, or a value that is no text.
    """
    for line in read_json_lines(path, encoding, on_fault):
        try:
            id = line.string("id", "_id", needed=True).strip()
            title = line.string("title", "text").strip()
            topic = Topic(id, title, line.string("description").strip(), line.string("narrative").strip())
        except DataError as fault:
            on_fault(fault)
        else:
            yield FoundTopic(line.place, topic, "")
