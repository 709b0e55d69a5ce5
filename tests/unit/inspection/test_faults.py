"""Faults of readers become findings, without text where it is licensed."""

from pathlib import Path

from clir_cli.errors import DataError
from clir_cli.inspection.faults import FaultRecorder, Kind
from clir_cli.inspection.findings import Findings, Level

KINDS = (Kind("no tab", "no-tab", "{count} lines have no tab."), Kind("", "other", "{count} faults."))


def test_kinds_are_told_by_their_message() -> None:
    findings = Findings()
    record = FaultRecorder(findings.about("x"), [Path("a")], KINDS, level=Level.warning)
    record(DataError("a:1: there is no tab.", "Add one."))
    record(DataError("a:2: byte 0xfc at offset 3 of the line is not utf-8.", "Try `encoding: iso-8859-1`."))
    record(DataError("a: there is no such file.", "Check the path."))
    record(DataError("Something is wrong."))
    assert [(found.level.value, found.code, found.place, found.hint) for found in findings] == [
        ("error", "missing-file", "a", "Check the path."),
        ("warning", "no-tab", "a:1", "Add one."),
        ("warning", "undecodable-byte", "a:2", "Try `encoding: iso-8859-1`."),
        ("warning", "other", "", ""),
    ]
    assert record.codes == {"no-tab", "undecodable-byte", "missing-file", "other"}


def test_quoted_text_is_left_out_and_quoted_ids_stay() -> None:
    findings = Findings(keep=None)
    record = FaultRecorder(findings.about("x"), [Path("a")], KINDS, shows_text=False)
    record(DataError("a:1: the id 'a whole sentence' has white space in it.", 'Such as "it\'s here".'))
    record(DataError("a:2: the grade of d1 is 'x'.", "Write a number."))
    (found,) = findings
    assert found.examples == ["a:1: the id '...' has white space in it.", "a:2: the grade of d1 is 'x'."]
    assert found.hint == "Such as '...'."
