"""The commands of the page about the API do what it says. ``REFEREE_REWRITE=1`` writes it anew."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.answers.conftest import SETUP
from tests.service.running import serving
from tests.waiting import PATIENCE

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
_BLOCK = re.compile(r"(?<=```console\n).*?(?=```\n)", re.DOTALL)
_NORMAL = (
    (re.compile(r"\bgame-[a-z2-7]{8}\b"), "GAME"),
    (re.compile(r"\bp[a-z2-7]{10}\b"), "PERSON"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
)
END = "--- end of a command ---"


@pytest.mark.skipif(
    not all(map(shutil.which, ("bash", "curl", "jq"))), reason="bash, curl and jq are needed"
)
def test_the_commands_of_the_page_are_answered_as_it_says(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8")
    commands = [
        line.removeprefix("$ ")
        for block in _BLOCK.findall(text)
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    assert len(commands) > 8
    answers = iter(told(commands, tmp_path))

    def retold(block: re.Match[str]) -> str:
        lines = [line for line in block.group().splitlines() if line.startswith("$ ")]
        return "".join(f"{line}\n{next(answers)}" for line in lines)

    written = _BLOCK.sub(retold, text)
    if os.environ.get("REFEREE_REWRITE"):
        PAGE.write_text(written, "utf-8")
    assert written == text


def told(commands: list[str], folder: Path) -> list[str]:
    """What each command prints, one after the other in one shell."""
    with serving(folder) as service:
        opened = {"game": "benevolent", "table": "A=blue B=red first A"}
        game = service.ask("POST", "/games", opened)[1]["data"]["game"]
        status, body = service.ask("POST", f"/games/{game}/actions", {"lines": SETUP})
        assert status == 200, body
        environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "API": f"{service.url}/api/v1",
            "ORGANISER": service.token,
            "GAME": game,
        }
        script = "".join(f"{command}\necho; echo '{END}'\n" for command in commands)
        done = subprocess.run(
            ["bash", "-c", script], env=environment, text=True, capture_output=True,
            timeout=PATIENCE, check=True,
        )  # fmt: skip
    found = [part.lstrip("\n") for part in done.stdout.split(f"{END}\n")[:-1]]
    return [_normal(part) for part in found]


def _normal(text: str) -> str:
    for pattern, instead in _NORMAL:
        text = pattern.sub(instead, text)
    return f"{text.strip()}\n" if text.strip() else ""
