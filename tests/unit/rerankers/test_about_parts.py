"""What parts say of what they need, and where it is found."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import write_adapter
from clir_cli.errors import DataError
from clir_cli.rerankers.about_parts import Source, add_use, find_adapters, find_base, read_about, write_about
from clir_cli.rerankers.adapters import AdapterPlan

BARE = {"build": {"kind": "bert"}, "plan": AdapterPlan(segments="query").plain(), "seed": 3, "start": 17}


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """In a folder that can be moved with all that lies beside it."""
    (tmp_path / "made" / "train" / "parts").mkdir(parents=True)
    write_about(tmp_path / "made" / "train" / "parts", BARE)
    return tmp_path / "made" / "train" / "parts"


def tell(parts: Path, base: Source, **languages: Source) -> None:
    add_use(parts, reading={"max_pieces": 64}, links=None, base=base, languages=languages, card="# a card\n")


def test_parts_that_no_stage_described_say_how_they_are_built(parts: Path) -> None:
    about = read_about(parts)
    assert (about.build, about.plan.segments, about.start) == ({"kind": "bert"}, "query", 17)
    assert (find_base(parts, about), find_adapters(parts, about)) == (None, {})
    with pytest.raises(DataError, match="do not say which adapters of languages they go through"):
        about.check_told(parts)


@pytest.mark.parametrize(("language", "spoken"), [(True, ("som", "som")), (False, (None, None))])
def test_which_adapters_a_pair_goes_through(parts: Path, language: bool, spoken: tuple[str | None, str | None]) -> None:
    write_about(parts, BARE | {"language": language, "invertible": False})
    about = read_about(parts)
    about.check_told(parts)
    assert about.spoken("som", "eng") == spoken


def test_what_lies_beside_them_is_found_after_a_move_and_not_once_it_is_gone(parts: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    (made / "encoder").mkdir()
    for code in ("deu", "eng"):
        write_adapter(made / code, Adapter(AdapterShape(8, 1)), code, "bert")
    tell(parts, Source(made / "encoder"), deu=Source(made / "deu", is_own=True), eng=Source(made / "eng"))
    assert str(tmp_path) not in (parts / "here.json").read_text()
    made.rename(tmp_path / "moved")
    parts = tmp_path / "moved" / "train" / "parts"
    about = read_about(parts)
    assert about.reading == {"max_pieces": 64}
    base, found = find_base(parts, about), find_adapters(parts, about)
    assert base is not None
    assert Path(base.place).resolve() == tmp_path / "moved" / "encoder"
    assert {code: (Path(each.place).resolve().name, each.is_own) for code, each in found.items()} == {
        "deu": ("deu", True), "eng": ("eng", False),
    }  # fmt: skip
    shutil.rmtree(tmp_path / "moved" / "encoder")
    shutil.rmtree(tmp_path / "moved" / "deu")
    assert find_base(parts, about) is None
    assert list(find_adapters(parts, about)) == ["eng"]


def test_names_on_the_hub_are_kept_and_what_came_with_an_upload_is_nearest(parts: Path) -> None:
    tell(parts, Source("some/encoder", "abc"), swa=Source("AdapterHub/sw", "main"), deu=Source("some/deu"))
    about = read_about(parts)
    assert find_base(parts, about) == Source("some/encoder", "abc")
    write_adapter(parts / "adapters" / "deu", Adapter(AdapterShape(8, 1)), "deu", "bert")
    assert find_adapters(parts, about) == {
        "swa": Source("AdapterHub/sw", "main"), "deu": Source(parts / "adapters" / "deu", is_own=True),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"format": "clir adapted parts 2"}, "format 'clir adapted parts 2'"),
        ({"plan": {"reduktion": 3}}, "reduktion"),
        ({"seed": None}, "NoneType"),
        ({"reading": {"max_pieces": 3}}, "max_pieces is 3, and no number from 16"),
    ],
)
def test_what_is_not_whole_is_refused(parts: Path, changes: dict[str, Any], problem: str) -> None:
    found = json.loads((parts / "parts.json").read_text())
    (parts / "parts.json").write_text(json.dumps(found | changes))
    with pytest.raises(DataError) as caught:
        read_about(parts)
    assert caught.value.problem.startswith(f"{parts} holds no whole parts of a re-ranker: ")
    assert problem in caught.value.problem
