"""``referee log``: hear what happened, record it, or refuse it with its clause."""

import sys
from typing import Annotated

import typer

from answers.answer import Answered
from answers.play import actions
from answers.play.actions import LogAnswer
from cli.arguments import refuse_bytes, typed
from cli.i18n import write
from cli.session import Key, Session, session
from engines.kernel.messages.errors import MessageError

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
    lines = _standard_input() if words == ["-"] else typed(words or [])
    ask, game = here.caller.ask, here.game_id()
    try:
        if dry_run:
            answered = ask(actions.check, game, lines, stands=stands, after=at, at_once=here.tell)
        else:
            answered = ask(
                actions.log, game, lines, stands=stands, after=at, key=key, at_once=here.tell
            )
            if answered.outcome == "illegal" and here.may_ask_about_boxes and sys.stdout.isatty():
                answered = _with_what_is_asked(here, answered, lines)
    except MessageError as error:
        if not here.json:
            write(getattr(error, "told", ()))
            sys.stderr.writelines(f"{told}\n" for told in actions.stopped_lines(here.voice, error))
        raise
    return here.answer(actions.log, answered)


def _with_what_is_asked(
    here: Session, answered: "Answered[LogAnswer]", lines: list[str]
) -> "Answered[LogAnswer]":
    """Ask about assumed data of the box that a refusal rests on, and log again."""
    from cli.box.ask_on_refusal import ask_about

    game = here.game_id()
    if len(lines) > 1 or not ask_about(here, game, answered):
        return answered
    return here.caller.ask(actions.log, game, lines, at_once=here.tell)


def _standard_input() -> list[str]:
    lines = [line.rstrip("\n") for line in sys.stdin]
    refuse_bytes(lines)
    return lines
