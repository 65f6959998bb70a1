"""Transcripts: command lines and what they print, word by word.

A line that begins with ``$ referee`` is run; what follows is its output, standard output
and errors together, and a last line ``[exit N]`` where the code is not 0. Ids, times and
hashes are normalised. ``REFEREE_REWRITE=1`` writes the transcripts anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from cli.main import main
from cli.session import close_session

FOLDER = Path(__file__).parent / "transcripts"

_NORMAL = (
    (re.compile(r"(?m)^[a-z2-7]{8}(?=$| n\d)"), "GAME"),
    (re.compile(r"\bgame-[a-z2-7]{8}\b"), "game-GAME"),
    (re.compile(r"\btournament-[a-z2-7]{8}\b"), "tournament-TOURNAMENT"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\b(head|empreinte)( +)[0-9a-f]{16}\b"), r"\1\2HEAD"),
    (re.compile(r"\b[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}-[0-9A-Z]\b"), "HEAD"),
    (re.compile(r"\b(root|racine) [0-9a-f]{16}\b"), r"\1 HASH"),
    (re.compile(r"sha256 [0-9a-f]{16}"), "sha256 HASH"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "KEY"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?Z?)?"), "TIME"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "DATE"),
    (
        re.compile(
            r"\b\d{1,2}(?:er)? [a-zéû]{3,5}\.? 20\d\d, \d{1,2}(:|\u202fh\u202f)\d\d\b", re.I
        ),
        "TIME",
    ),
    (re.compile(r"\b\d{1,2}(?:er)? [a-zéû]{3,5}\.? 20\d\d\b", re.I), "DATE"),
    (re.compile(r"\bp[a-z2-7]{10}\b"), "PERSON"),
)


def run(line: str) -> tuple[str, int]:
    """What a command line prints, and its exit code."""
    words = shlex.split(line)
    assert words[0] == "referee", line
    text, given = words[1:], None
    if "<" in text:
        at = text.index("<")
        given = Path(text[at + 1]).read_bytes()
        text = text[:at]
    if ">" in text:
        at = text.index(">")
        target, text = Path(text[at + 1]), text[:at]
        out, code = _captured(text, given)
        target.write_text(out, "utf-8")
        return "", code
    return _captured(text, given)


def _captured(words: list[str], given: bytes | None) -> tuple[str, int]:
    binary = io.BytesIO()
    out = io.TextIOWrapper(binary, encoding="utf-8", write_through=True)
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(out))
        if given is not None:
            stack.enter_context(_standard_input(given))
        stack.callback(close_session)  # as the program does when it ends
        code = main(words)
    out.flush()
    return binary.getvalue().decode(), code


@contextlib.contextmanager
def _standard_input(given: bytes) -> Iterator[None]:
    import sys

    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def normal(text: str) -> str:
    """A text without what differs from run to run."""
    for game in dict.fromkeys(re.findall(r"\b(?:game|partie) ([a-z2-7]{8})\b", text)):
        text = text.replace(game, "GAME")
    for pattern, instead in _NORMAL:
        text = pattern.sub(instead, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


def told(lines: list[str]) -> list[str]:
    """The transcript of these command lines."""
    result: list[str] = []
    for line in lines:
        out, code = run(line)
        result.append(f"$ {line}")
        result += out.splitlines()
        if code:
            result.append(f"[exit {code}]")
    return normal("\n".join(result)).splitlines()


def commands(transcript: str) -> list[str]:
    return [
        line.removeprefix("$ ") for line in transcript.splitlines() if line.startswith("$ referee")
    ]


def table_folder(folder: Path) -> dict[str, str]:
    """The environment of a table of its own."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")},
        "XDG_DATA_HOME": str(folder / "data"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
    }
