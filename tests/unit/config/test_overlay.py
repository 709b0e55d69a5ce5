"""Variables and layers."""

import string

from hypothesis import given
from hypothesis import strategies as st

from clir_cli.config.overlay import expand_variables, overlay
from clir_cli.config.yaml_lines import Tree

NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=3)
TREES = st.recursive(
    st.integers(), lambda inner: st.dictionaries(NAMES, inner, max_size=3) | st.lists(inner, max_size=2), max_leaves=8
).map(lambda value: {"top": value})


@given(TREES)
def test_a_tree_over_itself_or_over_nothing_is_itself(data: dict[str, object]) -> None:
    assert overlay(Tree(data), Tree(data)).data == data
    assert overlay(Tree({}), Tree(data)).data == data
    assert overlay(Tree(data), Tree({})).data == data


@given(TREES, TREES, TREES)
def test_what_is_on_top_is_there(below: dict[str, object], middle: dict[str, object], above: dict[str, object]) -> None:
    def holds(whole: object, part: object) -> bool:
        if isinstance(part, dict) and isinstance(whole, dict):
            return all(key in whole and holds(whole[key], value) for key, value in part.items())
        return whole == part

    merged = overlay(overlay(Tree(below), Tree(middle)), Tree(above)).data
    assert holds(merged, above)


def test_one_column_is_laid_over_a_bare_dictionary() -> None:
    for above in (("knowledge",), ("pairs", "deu-eng", "knowledge")):
        below: object = {"dictionary": "words.tsv"}
        over: object = {"dictionary": {"source": 2}}
        for step in reversed(above):
            below, over = {step: below}, {step: over}
        merged = overlay(Tree(below), Tree(over)).data
        for step in above:
            merged = merged[step]
        assert merged == {"dictionary": {"path": "words.tsv", "source": 2}}


def test_keys_are_laid_over_a_bare_checkpoint_and_bare_mixtures() -> None:
    below: dict[str, object] = {"retrieval": {"dense": "e5"}, "interpolation": ["smt+mart"]}
    over: dict[str, object] = {
        "retrieval": {"dense": {"layers": 2}}, "interpolation": {"smt+mart": {"step": 0.1}, "x": {"step": 0.5}},
    }  # fmt: skip
    merged = overlay(Tree(below), Tree(over)).data
    assert merged["retrieval"] == {"dense": {"checkpoint": "e5", "layers": 2}}
    assert merged["interpolation"] == {"smt+mart": {"step": 0.1}, "x": {"step": 0.5}}
    below = {"interpolation": {"x": ["smt", "mart"]}}
    merged = overlay(Tree(below), Tree(over)).data
    assert merged["interpolation"]["x"] == {"systems": ["smt", "mart"], "step": 0.5}


def test_variables() -> None:
    data = {"a": ["${X}/b", "${Y:-no}", "${EMPTY:-d}", "${EMPTY}", "$5 {x}"], "b": 3}
    expanded, faults = expand_variables(data, {"X": "x", "EMPTY": ""})
    assert expanded == {"a": ["x/b", "no", "d", "", "$5 {x}"], "b": 3}
    assert faults == []


def test_what_is_wrong_with_a_variable_is_told_and_left() -> None:
    data = {"unset": "${GONE}", "open": "${X", "odd": "${1 x}"}
    expanded, faults = expand_variables(data, {"X": "x"})
    assert expanded == data
    assert [(path, fault.split(":")[0]) for path, fault in faults] == [
        (("unset",), "the environment variable GONE is not set"),
        (("open",), "`${X` opens a ${ that is not closed"),
        (("odd",), "`${1 x}` is not a variable"),
    ]
