"""``referee dispute``: call for a judge, and show what a judge needs."""

from pathlib import Path
from typing import Annotated

import typer

from answers.judge import disputes
from answers.judge.calls import calls
from cli.output import atomic_write
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="open")
def open_dispute(
    number: Annotated[int, typer.Argument(min=0)],
    text: Annotated[str, typer.Option("-m", "--text")] = "",
    by: Annotated[str | None, typer.Option("--by")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    hold: Annotated[bool, typer.Option("--hold")] = False,
    key: Key = None,
) -> int:
    here = session()
    return here.run(
        disputes.dispute,
        here.game_id(),
        number,
        text=text,
        seat=by,
        clause=clause,
        holds=hold,
        key=key,
    )


@app.command(name="list")
def list_disputes(open_only: Annotated[bool, typer.Option("--open")] = False) -> int:
    here = session()
    return here.run(disputes.disputes, here.game_id(), open_only=open_only)


@app.command(name="calls")
def list_calls() -> int:
    here = session()
    return here.run(calls)


@app.command()
def attend(
    dispute: Annotated[str | None, typer.Argument()] = None,
    off: Annotated[bool, typer.Option("--off")] = False,
    key: Key = None,
) -> int:
    here = session()
    game = here.game_id()
    if dispute is None:
        return here.run(disputes.attend_hold, game, off=off, key=key)
    return here.run(disputes.attend, game, dispute, off=off, key=key)


@app.command()
def close(
    dispute: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    return here.run(disputes.withdraw_dispute, here.game_id(), dispute, reason=reason, key=key)


@app.command()
def show(
    dispute: Annotated[str, typer.Argument()],
    correct: Annotated[list[str] | None, typer.Option("--correct")] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    ask, game = here.caller.ask, here.game_id()
    answered = ask(disputes.brief, game, dispute, correct=correct or [], stands=stands)
    if output is not None:
        atomic_write(output, ask(disputes.brief_picture, game, dispute).encode())
        told = answered.told
        written = here.voice.say("written", file=str(output))
        answered = answered.with_text(lambda voice: [*told(voice), written])
    return here.answer(disputes.brief, answered)
