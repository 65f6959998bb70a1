"""An author changes a rule, and the table follows; a broken file is named, and mended."""

from __future__ import annotations

import html
import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from referee.game_check.template import new_game
from tests.service.running import PROGRAM
from tests.tutorial import write_plug_in
from tests.waiting import PATIENCE

LONG_ENOUGH = PATIENCE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_plug_in("counters", tmp_path / "game", new_game("counters"))
    return tmp_path / "game"


@pytest.fixture
def process(folder: Path, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = f"sqlite://{tmp_path / 'dev.db'}"
    found = subprocess.Popen(
        [
            *PROGRAM,
            "--store",
            store,
            "--lang",
            "en",
            "engine",
            "dev",
            "counters",
            "--port",
            f"{port}",
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(folder)},
    )
    yield found
    found.kill()
    found.wait()


def told(process: subprocess.Popen[str], until: str) -> str:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if until in line:
            return "".join(lines)
    raise AssertionError("".join(lines))


def test_the_table_follows_the_files(process: subprocess.Popen[str], folder: Path) -> None:
    text = told(process, "in your browser")
    link, token = re.search(r"(http://\S+)/j/\S+to=(\S+)", text), re.search(r": (\S{20,})\n", text)
    assert link is not None, text
    assert token is not None, text
    page = f"{link[1]}{link[2]}"

    def shown() -> str:
        """What the page tells beside the table: agenda, last hearing, state."""
        asked = Request(page, headers={"Authorization": f"Bearer {token[1]}"})
        end = time.monotonic() + LONG_ENOUGH
        while True:
            try:
                text = urlopen(asked, timeout=LONG_ENOUGH).read().decode()
                return html.unescape(text.partition('id="workbench"')[2])
            except (URLError, ConnectionError):  # it is being started anew
                assert time.monotonic() < end
                time.sleep(0.1)

    def refused() -> str:
        """What the page says where it cannot be made."""
        asked = Request(page, headers={"Authorization": f"Bearer {token[1]}"})
        end = time.monotonic() + LONG_ENOUGH
        while True:
            try:
                urlopen(asked, timeout=LONG_ENOUGH).read()
            except HTTPError as error:
                return html.unescape(error.read().decode())
            except (URLError, ConnectionError):  # it is being started anew
                pass
            assert time.monotonic() < end
            time.sleep(0.1)

    before = shown()
    assert re.findall("<li>(.*?)</li>", before) == ["A turn"]
    assert '"left": 10' in before
    rules = folder / "counters/__init__.py"
    code = rules.read_text("utf-8")
    rules.write_text(code.replace('Duty("turn", opening.first)', 'Duty("turn", "B")'), "utf-8")
    assert "__init__.py has changed" in told(process, "started anew")
    assert re.findall("<li>(.*?)</li>", shown()) == ["B turn"], (
        "the record is folded with the new rule"
    )
    fails = code.replace("speech):\n", "speech):\n    wrong = 1 // 0\n", 1)
    rules.write_text(fails, "utf-8")
    line = 1 + fails.splitlines().index("    wrong = 1 // 0")
    told(process, "started anew")
    assert f"the game counters: ZeroDivisionError at counters/__init__.py:{line}" in refused()
    rules.write_text(f"{code}\nthis is no Python\n", "utf-8")
    assert "counters/__init__.py:" in told(process, "SyntaxError")
    rules.write_text(code, "utf-8")
    assert "started anew" in told(process, "started anew")
    assert re.findall("<li>(.*?)</li>", shown()) == ["A turn"]
