"""The scripts of the pages: their tests, their types and their style, as ``make js`` runs them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
tools = pytest.mark.skipif(
    shutil.which("npm") is None or not (HERE / "node_modules").is_dir(),
    reason="needs Node.js 20 or newer with npm, then `make js` (or `npm ci` in tests/js)",
)


@tools
@pytest.mark.parametrize(
    "script", ["test", "types", "lint", pytest.param("long", marks=pytest.mark.deep)]
)
def test_the_scripts_of_the_pages_hold_what_they_promise(script: str) -> None:
    ran = subprocess.run(
        ["npm", "run", "--silent", script], cwd=HERE, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_no_place_of_download_is_written_down() -> None:
    assert '"resolved"' not in (HERE / "package-lock.json").read_text(encoding="utf-8")
