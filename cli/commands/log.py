"""``referee log``: hear what happened, record it, or refuse it with its clause."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from cli.session import Session, session
from cli.speech import say
from cli.telling import accepted, heard_data, refusal
from referee.bench import Heard
from referee.errors import Misused
from referee.views import heard_by, may_be_tried

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def log(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    at: Annotated[int | None, typer.Option("--at")] = None,
    key: Annotated[str | None, typer.Option("--key")] = None,
) -> int:
    here = session()
    lines = list(_standard_input()) if words == ["-"] else typed(words or [])
    return hear_lines(here, lines, stands=stands, dry_run=dry_run, after=at, key=key)


def typed(words: list[str]) -> list[tuple[int, str]]:
    """One action unquoted, or several quoted ones."""
    if any(" " in word for word in words):
        return list(enumerate(words, start=1))
    return [(1, " ".join(words))]


def _standard_input() -> Iterator[tuple[int, str]]:
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            yield number, line.rstrip("\n")


def hear_lines(
    here: Session,
    lines: list[tuple[int, str]],
    *,
    stands: bool,
    dry_run: bool,
    after: int | None,
    key: str | None,
) -> int:
    """Log line after line; the first refusal ends it, and what was accepted stays."""
    if not any(line.strip() for _, line in lines):
        raise Misused("nothing_to_log")
    game = here.game()
    view = here.view()
    answers: list[Heard] = []
    told: list[str] = []
    nearest: list[str] = []
    code = 0
    for number, line in lines:
        for count, text in enumerate(game.engine.notation.split(line)):
            heard = here.bench.log(
                game.id,
                text,
                author=here.author,
                stands=stands,
                dry_run=dry_run,
                after=after,
                key=f"{key}-{number}-{count}" if key else None,
            )
            after = None
            heard = heard_by(heard, view)
            answers.append(heard)
            if not heard.accepted:
                if len(lines) > 1:
                    told.append(say("log.refused_at", line=number))
                nearest = may_be_tried(here.bench, game, text, view)
                told += refusal(here.paint, game, heard, nearest)
                code = 3
                break
            told += accepted(here.paint, heard, logged=not dry_run)
        if code:
            break
    if game.opened.tournament and not dry_run:
        from cli.tournament.draws import warn_of_departures

        warn_of_departures(here, game, {answer.number for answer in answers})
    data = heard_data(answers[-1]) if answers else {}
    data["lines"] = [heard_data(answer) for answer in answers] if len(answers) > 1 else []
    if code:
        data["try"] = nearest
    return here.answer("log", data, told, code=code)
