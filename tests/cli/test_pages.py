"""The transcripts in README and docs are true: every console block is run and compared.

The blocks of one page are one story, told in a fresh folder. ``REFEREE_REWRITE=1`` writes
the outputs anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.transcripts import normal, run

ROOT = Path(__file__).parents[2]
FILE = re.compile(r"```toml title=(\S+)\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
GAME = re.compile(
    r"(?m)(?:(?<=\bgame )|(?<=\bgame-)|(?<=\bpartie ))[a-z2-7]{8}\b|^[a-z2-7]{8}(?=$| n\d)"
)
"""The id of a game."""
PAGES = [
    page
    for page in (*ROOT.glob("README*.md"), *sorted((ROOT / "docs").rglob("*.md")))
    if "```console\n$ referee" in page.read_text("utf-8")
]


def replayed(block: str) -> str:
    """The block with what its commands print today. Lines that begin with # are remarks."""
    lines = []
    for line in block.splitlines():
        if line.startswith("$ referee"):
            out, code = run(line.removeprefix("$ "))
            lines += [line, *out.splitlines()]
            if code:
                lines.append(f"[exit {code}]")
        elif line.startswith("# "):
            lines.append(line)
    return "\n".join(lines) + "\n"


def of_page(page: Path) -> str:
    return str(page.relative_to(ROOT).with_suffix(""))


def language_of(page: Path) -> str:
    """Pages in French are in a folder of their own, or say so in their name."""
    return "fr" if "fr" in (page.parent.name, page.stem.partition(".")[2]) else "en"


@pytest.mark.parametrize("page", PAGES, ids=of_page)
def test_the_transcripts_of_a_page_are_true(
    page: Path, newcomer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_LANG", language_of(page))
    (newcomer / "evening.txt").write_text("?\n1\n/undo\n/quit\n", "utf-8")
    text = page.read_text("utf-8")
    for name, content in FILE.findall(text):
        (newcomer / name).write_text(content, "utf-8")
    made = {block: replayed(block) for block in BLOCK.findall(text) if "$ referee" in block}
    if os.environ.get("REFEREE_REWRITE"):
        page.write_text(rewritten(text, made), "utf-8")
    written: dict[str, str] = {}
    for block, new in made.items():
        assert normal(new) == normal(block)
        for id, real in zip(GAME.findall(block), GAME.findall(new), strict=True):
            assert written.setdefault(real, id) == id, "one game has one id on a page"


def rewritten(text: str, made: dict[str, str]) -> str:
    """A page with its transcripts as they are now; what differs from run to run stays."""
    written: dict[str, str] = {}
    for block, new in made.items():
        changed = normal(new) != normal(block)
        for id, real in zip(
            GAME.findall(new if changed else block), GAME.findall(new), strict=True
        ):
            written.setdefault(real, id)
        shown = iter([written[real] for real in GAME.findall(new)])
        text = text.replace(
            block, GAME.sub(lambda _, ids=shown: next(ids), new if changed else block)
        )
    return text
