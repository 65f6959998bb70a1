"""At the end of a run stands why tests were skipped, and how a failed one is run alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.test_structure import ROOT

PARALLEL = ("-n", "1", "--dist", "loadgroup")
TESTS = """
import pytest

@pytest.mark.parametrize("number", [1, 2, 3])
def test_skipped(number):
    pytest.skip("no chromium: apt-get install chromium\\nmore of it")

@pytest.mark.parametrize("name", ["as it is", "été"])
def test_failing(name):
    assert not name

@pytest.fixture
def broken():
    raise ValueError

@pytest.mark.xdist_group("some group")
def test_in_error(broken):
    pass
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a run over the tests above says, with our hooks."""
    file = tmp_path_factory.mktemp("some") / "test_some.py"
    file.write_text(TESTS, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *PARALLEL, "-p", "tests.conftest", str(file)],
        cwd=ROOT,
        env={**os.environ, "REFEREE_SEED": "7"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return ran.stdout


def test_a_line_says_why_tests_were_skipped_and_how_many(said: str) -> None:
    assert "\n3 × no chromium: apt-get install chromium\n" in said
    assert "more of it" not in said


def test_a_line_runs_a_failed_test_alone(said: str) -> None:
    lines = [line for line in said.splitlines() if "-m pytest -n 0" in line]
    assert len(lines) == 3
    assert all(line.startswith("REFEREE_SEED=7 ") for line in lines)
    assert lines[0].endswith("test_some.py::test_failing[as it is]'")
    assert lines[2].endswith("test_some.py::test_in_error")
