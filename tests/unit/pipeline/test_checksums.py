"""Checksums change when anything changes that readers read, and with nothing else."""

import os
from pathlib import Path

import pytest

from clir_cli.errors import DataError
from clir_cli.pipeline.checksums import Checksums


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "disk" / "inner").mkdir(parents=True)
    (tmp_path / "disk" / "inner" / "a.sgml").write_text("a")
    (tmp_path / "collection").mkdir()
    (tmp_path / "collection" / "b.sgml").write_text("b")
    (tmp_path / "collection" / "linked").symlink_to(tmp_path / "disk", target_is_directory=True)
    (tmp_path / "collection" / "loop").symlink_to(tmp_path / "collection", target_is_directory=True)
    (tmp_path / "collection" / "nowhere").symlink_to(tmp_path / "gone")
    os.mkfifo(tmp_path / "collection" / "pipe")
    return tmp_path / "collection"


def checksum(path: Path, memory: Path) -> str:
    return Checksums(memory / "checksums.json").of(path)


def test_files_behind_linked_folders_count(folder: Path, tmp_path: Path) -> None:
    before = checksum(folder, tmp_path)
    (tmp_path / "disk" / "inner" / "a.sgml").write_text("another")
    assert checksum(folder, tmp_path) != before


def test_a_readme_does_not_count(folder: Path, tmp_path: Path) -> None:
    before = checksum(folder, tmp_path)
    (folder / "README").write_text("hello")
    assert checksum(folder, tmp_path) == before


def test_names_count(folder: Path, tmp_path: Path) -> None:
    before = checksum(folder, tmp_path)
    (folder / "b.sgml").rename(folder / "c.sgml")
    assert checksum(folder, tmp_path) != before


def test_what_cannot_be_read_is_said(folder: Path, tmp_path: Path) -> None:
    for name, problem in (("pipe", "this is neither a file nor a folder."), ("nowhere", "there is no such file.")):
        with pytest.raises(DataError) as caught:
            checksum(folder / name, tmp_path)
        assert caught.value.problem == f"{folder / name}: {problem}"


def test_a_memory_that_cannot_be_written_is_no_fault(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of a folder")
    checksums = Checksums(tmp_path / "file" / "checksums.json")
    checksums.of(folder)
    checksums.save()
    assert not (tmp_path / "file").is_dir()
