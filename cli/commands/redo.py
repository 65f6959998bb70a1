"""``referee redo``: bring back what was taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import Key, session
from cli.speech import say
from cli.telling import change_data, change_lines, to_act
from referee.record.entries import Restored
from referee.table import corrections

app = typer.Typer(rich_markup_mode=None)


@app.command()
def redo(count: Annotated[int, typer.Argument(min=1)] = 1, key: Key = None) -> int:
    here = session()
    answer = corrections.redo(here.bench, here.game_id(), count, author=here.author, key=key)
    data = answer.entries[0].data
    assert isinstance(data, Restored)
    numbers = ", ".join(f"#{number}" for number in data.numbers)
    lines = [
        say("redo.done", numbers=numbers),
        *change_lines(here.paint, answer.game, answer.change),
    ]
    body = {"game": answer.game.id, "restored": list(data.numbers), **change_data(answer.change)}
    return here.answer("redo", body, [*lines, "  " + to_act(answer.game)])
