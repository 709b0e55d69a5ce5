"""Many things alike are one finding; errors come first."""

from clir_cli.inspection.findings import Findings, Level


def test_like_faults_of_a_file_grow_into_one_finding() -> None:
    findings = Findings(keep=2)
    part = findings.about("collection eng")
    for line in range(1, 1001):
        part.grow(Level.error, "no-tab", "there is no tab.", place=f"a.tsv:{line}", many="{count} lines have no tab.")
    part.grow(Level.error, "no-tab", "there is no tab.", place="b.tsv:1", many="{count} lines have no tab.")
    first, second = findings
    assert (first.place, first.message, first.count) == ("a.tsv", "1,000 lines have no tab.", 1000)
    assert first.examples == ["a.tsv:1: there is no tab.", "a.tsv:2: there is no tab."]
    assert first.left_out == 998
    assert (second.place, second.message, second.count, second.examples) == ("b.tsv:1", "there is no tab.", 1, [])


def test_other_levels_codes_and_parts_stay_apart() -> None:
    findings = Findings()
    for name in ("x", "y"):
        for level in (Level.note, Level.error):
            for code in ("one", "two"):
                findings.about(name).grow(level, code, "it is.", many="{count} are.")
    assert [(found.level.value, found.part, found.code) for found in findings] == [
        ("error", "x", "one"), ("error", "x", "two"), ("error", "y", "one"), ("error", "y", "two"),
        ("note", "x", "one"), ("note", "x", "two"), ("note", "y", "one"), ("note", "y", "two"),
    ]  # fmt: skip
    assert findings.counts() == {"error": 4, "warning": 0, "note": 4}
    assert findings.has_errors()


def test_examples_are_things_or_a_list_of_something_else() -> None:
    findings = Findings(keep=2)
    part = findings.about("qrels eng")
    part.note("absent", "9 are absent.", count=9, examples=iter(["GH", "LA", "FR"]), is_listed=True)
    part.note("odd", "9 are odd.", count=9, examples=["1", "2"])
    part.note("plain", "9 are plain.", count=9)
    assert [(found.examples, found.left_out) for found in findings] == [(["GH", "LA"], 1), (["1", "2"], 7), ([], 0)]


def test_all_examples_are_kept_where_they_are_asked_for() -> None:
    findings = Findings(keep=None)
    for line in range(100):
        findings.about("x").grow(Level.note, "c", "it is.", place=f"f:{line}", many="{count} are.")
    (found,) = findings
    assert len(found.examples) == 100
    assert found.left_out == 0


def test_plain_data_has_a_stable_shape() -> None:
    findings = Findings()
    findings.about("topics deu").warning("slug", "it is odd.", place="f:1", hint="Mend it.")
    assert findings.plain() == {
        "levels": ["error", "warning", "note"],
        "counts": {"error": 0, "warning": 1, "note": 0},
        "findings": [
            {
                "level": "warning", "code": "slug", "part": "topics deu", "place": "f:1", "message": "it is odd.",
                "hint": "Mend it.", "count": 1, "examples": [],
            }
        ],
    }  # fmt: skip
