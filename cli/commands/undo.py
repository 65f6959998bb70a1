"""``referee undo``: take back; nothing is deleted."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import Key, Reason, session
from cli.speech import say
from cli.telling import change_data, change_lines, to_act
from referee.record.entries import TakenBack
from referee.table import corrections

app = typer.Typer(rich_markup_mode=None)


@app.command()
def undo(
    count: Annotated[int, typer.Argument(min=1)] = 1,
    to: Annotated[int | None, typer.Option("--to", min=0)] = None,
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    answer = corrections.undo(
        here.bench, here.game_id(), count, to=to, reason=reason, author=here.author, key=key
    )
    data = answer.entries[0].data
    assert isinstance(data, TakenBack)
    numbers = ", ".join(f"#{number}" for number in data.numbers)
    lines = [
        say("undo.done", numbers=numbers),
        *change_lines(here.paint, answer.game, answer.change),
    ]
    body = {"game": answer.game.id, "undone": list(data.numbers), **change_data(answer.change)}
    return here.answer("undo", body, [*lines, "  " + to_act(answer.game)])
