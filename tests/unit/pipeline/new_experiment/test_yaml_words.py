"""Any text and any path comes back as it was."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clir_cli.config.yaml_lines import parse_value
from clir_cli.pipeline.new_experiment.yaml_words import as_yaml, relative_or_absolute

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@settings(max_examples=300)
@given(ANY_TEXT)
@example("1e3")
@example("yes")
@example("null")
@example("2020-01-01")
@example("- a")
@example("-a.tsv")
@example("a: b")
@example("a #b")
@example("#a")
@example("it's")
@example('say "a"')
@example("Bücher/Häuser.tsv")
@example(" a ")
@example("a, b]")
@example("&a *b !c |d >e %f @g `h")
@example("C:/Users/a b/q.tsv")
@example("\x85\u2028\ufeff\x07\n\t")
@example("😀.tsv")
@example("~")
def test_text_is_the_same_again_in_block_and_flow(text: str) -> None:
    written = as_yaml(text)
    assert "\n" not in written
    assert parse_value(f"key: {written}  # a comment") == {"key": text}
    assert parse_value(f"key: [{written}, {written}]") == {"key": [text, text]}
    assert parse_value(f"key:\n  - {written}  # a comment") == {"key": [text]}


@pytest.mark.parametrize("text", ["q.tsv", "a/b-c_d.tsv.gz", "/data/x", "Häuser.tsv", "./model"])
def test_plain_text_stays_plain(text: str) -> None:
    assert as_yaml(text) == text


def test_a_name_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(ValueError, match="not Unicode"):
        as_yaml("a\udcff.tsv")


@pytest.mark.parametrize(
    ("path", "folder", "written"),
    [
        (PurePosixPath("/a/b/q.tsv"), PurePosixPath("/a/b"), "q.tsv"),
        (PurePosixPath("/a/b/c/q.tsv"), PurePosixPath("/a/b"), "c/q.tsv"),
        (PurePosixPath("/a/c/q.tsv"), PurePosixPath("/a/b"), "/a/c/q.tsv"),
        (PurePosixPath("/a/b/~x/q.tsv"), PurePosixPath("/a/b"), "/a/b/~x/q.tsv"),  # else somebody's home
        (PureWindowsPath(r"C:\a\b\q.tsv"), PureWindowsPath(r"C:\a"), "b/q.tsv"),
        (PureWindowsPath(r"D:\q.tsv"), PureWindowsPath(r"C:\a"), "D:/q.tsv"),
        (PureWindowsPath(r"\\server\share\q.tsv"), PureWindowsPath(r"C:\a"), "//server/share/q.tsv"),
    ],
)
def test_paths_below_are_relative_others_absolute(
    path: PurePosixPath | PureWindowsPath, folder: PurePosixPath | PureWindowsPath, written: str
) -> None:
    assert relative_or_absolute(path, folder) == written


def test_a_path_that_would_be_a_variable_is_refused() -> None:
    with pytest.raises(ValueError, match="begins a variable"):
        relative_or_absolute(PurePosixPath("/a/${b}"), PurePosixPath("/a"))
