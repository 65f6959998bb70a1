"""A release that lacks something is not released."""

from __future__ import annotations

import io
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from tests.test_package import packed
from tests.test_structure import ROOT
from tools import release
from tools.release import LICENCES, check_metadata, check_sources, check_wheel

PROJECT = {"cli/__init__.py", "replays/fonts/OFL.txt"}
METADATA = """Metadata-Version: 2.4
Name: referee
Version: {version}
Summary: A referee.
Author: The referee contributors
License-Expression: Apache-2.0
Keywords: games
Classifier: Natural Language :: French
Requires-Python: >=3.11
Description-Content-Type: text/markdown

# referee
"""


def metadata(**instead: str) -> bytes:
    text = METADATA.format(version=release.project()["version"])
    for line, other in instead.items():
        text = text.replace(next(x for x in text.splitlines() if x.startswith(line)), other)
    return text.replace("\n\n\n", "\n").encode()


def wheel(folder: Path, files: set[str], told: bytes) -> Path:
    file = folder / "referee-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as packed:
        for name in files:
            packed.writestr(name, "")
        packed.writestr("referee-1.dist-info/METADATA", told)
        for name in LICENCES:
            if name != "LICENSE" or "no licence" not in files:
                packed.writestr(f"referee-1.dist-info/licenses/{name}", "")
    return file


def test_a_whole_wheel_is_good(tmp_path: Path) -> None:
    assert list(check_wheel(wheel(tmp_path, PROJECT, metadata()), PROJECT)) == []


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (PROJECT - {"cli/__init__.py"}, "the wheel lacks cli/__init__.py"),
        (PROJECT | {"tests/conftest.py"}, "the wheel has tests/conftest.py"),
        (PROJECT | {"no licence"}, "the wheel lacks the licence LICENSE"),
    ],
)
def test_a_wheel_that_lacks_or_has_too_much_is_refused(
    files: set[str], problem: str, tmp_path: Path
) -> None:
    problems = list(check_wheel(wheel(tmp_path, files, metadata()), PROJECT))
    assert any(one.startswith(problem) for one in problems), problems


@pytest.mark.parametrize(
    ("line", "instead", "problem"),
    [
        ("Version", "Version: 0.0.1", "version 0.0.1"),
        ("Author", "Platform: any", "no author"),
        ("Classifier", "Platform: any", "no classifiers"),
        ("Keywords", "Platform: any", "no keywords"),
        ("Requires-Python", "Platform: any", "no requires_python"),
        ("Description-Content", "Platform: any", "no description in Markdown"),
        ("License-Expression", "License-Expression: of our own", "license"),
    ],
)
def test_metadata_that_is_not_complete_is_refused(line: str, instead: str, problem: str) -> None:
    assert list(check_metadata(metadata())) == []
    (told,) = check_metadata(metadata(**{line: instead}))
    assert problem in told


def test_sources_without_what_make_needs_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "referee-1.tar.gz"
    names = {*PROJECT, *LICENCES, *release.IN_THE_SOURCES}
    for left_out in (None, "constraints.txt"):
        with tarfile.open(file, "w:gz") as packed:
            for name in sorted(names - {left_out}):
                packed.addfile(tarfile.TarInfo(f"referee-1/{name}"), io.BytesIO())
        expected = [f"the sources lack {left_out}"] if left_out else []
        assert list(check_sources(file, PROJECT)) == expected


def test_the_house_is_what_a_wheel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By git here, by the rules of the package there: none forgets a file."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git: these are unpacked sources")
    monkeypatch.chdir(ROOT)
    known = release.files_of_the_project()
    assert len(known) > 400
    assert known <= packed()


def test_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "one.whl").write_bytes(b"1")
    (tmp_path / "two.tar.gz").write_bytes(b"2")
    for _ in range(2):  # written anew, it does not count itself
        lines = release.write_checksums(tmp_path).read_text("utf-8").splitlines()
    assert lines == [
        f"{sha256(b'1').hexdigest()}  one.whl",
        f"{sha256(b'2').hexdigest()}  two.tar.gz",
    ]


def test_hooks_before_a_commit_are_the_tools_of_make_lint() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\nlint:")[2].partition("\n\n")[0]
    for tool in ("ruff check", "ruff format", "mypy", "lint-imports"):
        assert f"entry: .venv/bin/{tool}" in hooks
        assert f"$(BIN)/{tool}" in recipe
    assert recipe.count("$(BIN)") == hooks.count("entry:")
