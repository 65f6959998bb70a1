"""``referee penalty``: penalties and sanctions; cancelled with a reason, never deleted."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.session import Key, Reason, session
from cli.speech import columns, say
from referee.judging.rulings import cancel_penalty, penalise
from referee.record.entries import Penalised
from referee.record.game import Game

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def add(
    seat: Annotated[str, typer.Argument()],
    level: Annotated[str, typer.Argument()],
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    game_id = here.game_id()
    answer = penalise(here.bench, game_id, seat.upper(), level, reason, author=here.author, key=key)
    made = answer.entries[0].data
    assert isinstance(made, Penalised)
    lines = [say("penalty.added", id=made.id, seat=made.seat, level=made.level)]
    return here.answer("penalty-add", _data(answer.game, made), lines)


@app.command()
def cancel(
    penalty: Annotated[str, typer.Argument()],
    reason: Reason,
    key: Key = None,
) -> int:
    here = session()
    answer = cancel_penalty(
        here.bench, here.game_id(), penalty, reason, author=here.author, key=key
    )
    data = _data(answer.game, answer.game.penalties[penalty])
    return here.answer("penalty-cancel", data, [say("penalty.cancelled", id=penalty)])


@app.command(name="list")
def list_penalties() -> int:
    here = session()
    game = here.game()
    rows = columns(
        (
            made.id,
            made.seat,
            made.level,
            made.reason,
            say("penalty.status_cancelled", reason=game.cancelled[made.id].reason)
            if made.id in game.cancelled
            else "",
        )
        for made in game.penalties.values()
    )
    data = {"game": game.id, "penalties": [_data(game, made) for made in game.penalties.values()]}
    return here.answer("penalty-list", data, rows or [say("penalty.none")])


def _data(game: Game, made: Penalised) -> dict[str, Any]:
    cancelled = game.cancelled.get(made.id)
    return {
        "game": game.id,
        **made.model_dump(mode="json"),
        "cancelled": cancelled.reason if cancelled is not None else None,
    }
