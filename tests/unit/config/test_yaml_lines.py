"""YAML with lines."""

from pathlib import Path

import pytest

from clir_cli.config.yaml_lines import key_text, parse_value, read_yaml
from clir_cli.errors import ConfigError


def test_every_key_and_item_knows_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a:\n  b:\n    - 1\n    - {c: 2}\n", encoding="utf-8")
    tree = read_yaml(tmp_path / "x.yaml")
    assert tree.data == {"a": {"b": [1, {"c": 2}]}}
    assert {key_text(path): place.line for path, place in tree.places.items() if path} == {
        "a": 1, "a.b": 2, "a.b[0]": 3, "a.b[1]": 4, "a.b[1].c": 4,
    }  # fmt: skip
    assert tree.place(("a", "b", 0, "missing")).line == 3
    assert tree.below(("a",)).place(("b",)).where == "x.yaml:2"


def test_anchors_and_merge_keys_work(tmp_path: Path) -> None:
    text = "base: &base {x: 1, y: 2}\none: {<<: *base, y: 3}\ntwo: {<<: *base}\nthree: *base\n"
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    assert read_yaml(tmp_path / "x.yaml").data == {
        "base": {"x": 1, "y": 2}, "one": {"x": 1, "y": 3}, "two": {"x": 1, "y": 2}, "three": {"x": 1, "y": 2},
    }  # fmt: skip


@pytest.mark.parametrize("text", ["a: &x [*x]\n", "? [a, b]\n: 1\n", "a: !!python/object:os.system {}\n", "a: b: c\n"])
def test_what_cannot_be_a_configuration_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"x\.yaml:1:\d+: this is not valid YAML"):
        read_yaml(tmp_path / "x.yaml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"a: 1\nb: \x00\x01")
    with pytest.raises(ConfigError, match=r"x\.yaml:2: character U\+0000 has no place in YAML"):
        read_yaml(tmp_path / "x.yaml")


def test_an_empty_file_is_an_empty_mapping(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("# nothing\n", encoding="utf-8")
    assert read_yaml(tmp_path / "x.yaml").data == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-4", 1e-4),
        ("3", 3),
        ("[a, 1]", ["a", 1]),
        ("2021-01-01", "2021-01-01"),
        ("true", True),
        ("", None),
        ("x", "x"),
    ],
)
def test_values_are_typed(text: str, value: object) -> None:
    assert parse_value(text) == value


def test_keys_stay_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("no: 1\n41: 2\n", encoding="utf-8")
    assert read_yaml(tmp_path / "x.yaml").data == {"no": 1, "41": 2}
