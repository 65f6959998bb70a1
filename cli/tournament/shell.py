"""``tournament desk``: a prompt for many tournament commands in one process."""

import shlex
import sys
from collections.abc import Iterator

from cli.i18n import say, write
from cli.session import Session, session, within
from cli.tournament.context import TOURNAMENT

LEAVE = frozenset({"quit", "exit", "quitter"})
PROMPT = "› "


def desk() -> int:
    """A line is what follows ``referee tournament``; one that begins with a table is its result."""
    here = session()
    if not (here.json or here.quiet):
        write([say("tournament.desk_hint")])
    worst = 0
    for line in _lines():
        words = _words(line)
        if words is None:
            worst = max(worst, 2)
            continue
        if words and words[0] in LEAVE:
            break
        if words:
            worst = max(worst, _carried_out(here, words))
    return 0 if sys.stdin.isatty() else worst


def _lines() -> Iterator[str]:
    while True:
        if sys.stdin.isatty():
            sys.stdout.write(PROMPT)
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


def _words(line: str) -> list[str] | None:
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        write([say("tournament.desk_unread", line=line.strip())])
        return None
    return words[2:] if words[:2] == ["referee", "tournament"] else words


def _carried_out(here: Session, words: list[str]) -> int:
    """The exit code of one command, asked of the same store by the same author."""
    from cli.main import main

    if words[0].isdecimal():
        return _result(here, words)
    asked = TOURNAMENT.asked
    with within(here):
        return main([*here.options, "tournament", *(["-t", asked] if asked else []), *words])


def _result(here: Session, words: list[str]) -> int:
    """A line of a list of results."""
    from answers.tournament.results import enter_list
    from cli.errors import report

    try:
        return TOURNAMENT.run(enter_list, shlex.join(words))
    except Exception as error:
        return report(error, here.json, here.verbose)
