"""``referee log``: hear what happened, record it, or refuse it with its clause."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from cli.main import refuse_bytes
from cli.session import Key, Session, session
from cli.speech import say
from cli.telling import accepted, heard_data, numbered, refusal
from referee.errors import Misused
from referee.table import play
from referee.table.play import Heard, heard_by, may_be_tried

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def log(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    at: Annotated[int | None, typer.Option("--at")] = None,
    key: Key = None,
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
            refuse_bytes([line])
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
    game = here.game()
    spoken = [
        (number, count, text)
        for number, line in lines
        for count, text in enumerate(game.engine.notation.split(line))
    ]
    if not spoken:
        raise Misused("nothing_to_log")
    view = here.view()
    answers: list[Heard] = []
    nearest: list[str] = []
    hearing = _hearings(here, spoken, stands=stands, dry_run=dry_run, after=after, key=key)
    several = len(lines) > 1
    for number, _, text in spoken:
        try:
            heard = heard_by(next(hearing), view)
        except Exception as error:
            _stopped_at(here, error, number if several else None, answers)
            raise
        answers.append(heard)
        if not heard.accepted:
            if several:
                before = "_after" if answers[1:] and not dry_run else ""
                here.tell([say(f"log.refused{before}", line=number)])
            nearest = may_be_tried(heard.game, text, view)
            here.tell(
                refusal(
                    here.paint,
                    heard.game,
                    heard,
                    nearest,
                    program=here.program,
                    insisted=stands,
                )
            )
            break
        here.tell(accepted(here.paint, heard, logged=not dry_run))
    if game.opened.tournament and not dry_run:
        from cli.tournament.draws import warn_of_departures

        warn_of_departures(here, game, {answer.number for answer in answers})
    data = heard_data(answers[-1])
    data["lines"] = [heard_data(answer) for answer in answers] if len(answers) > 1 else []
    if answers[-1].accepted:
        return here.answer("log", data, [])
    return here.answer("log", {**data, "try": nearest}, [], code=3)


def _hearings(
    here: Session,
    spoken: list[tuple[int, int, str]],
    *,
    stands: bool,
    dry_run: bool,
    after: int | None,
    key: str | None,
) -> Iterator[Heard]:
    """Each action heard when its answer is asked for."""
    game_id = here.game_id()
    if dry_run:
        texts = [text for _, _, text in spoken]
        yield from play.rehearse(
            here.bench, game_id, texts, author=here.author, stands=stands, after=after
        )
        return
    for number, count, text in spoken:
        yield play.log(
            here.bench,
            game_id,
            text,
            author=here.author,
            stands=stands,
            after=after,
            key=f"{key}-{number}-{count}" if key else None,
        )
        after = None


def _stopped_at(here: Session, error: Exception, line: int | None, answers: list[Heard]) -> None:
    """An error ends the logging: say where, and what is recorded all the same."""
    recorded = [heard.number for heard in answers if heard.number is not None]
    told: list[str] = []
    facts = getattr(error, "facts", {})
    if line is not None:
        facts["line"] = line
        told.append(say("log.stopped_at", line=line))
    if recorded:
        facts["recorded"] = recorded
        told.append(say("log.recorded", numbers=numbered(recorded)))
    if not here.json:
        sys.stderr.writelines(f"{text}\n" for text in told)
