"""``referee check``: would this be legal? Records nothing."""

from typing import Annotated

import typer

from answers.context import open_store_context
from answers.play.actions import check as heard
from answers.play.analysis import check_position
from cli.arguments import typed
from cli.positions import Position, declared
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def check(
    words: Annotated[list[str], typer.Argument()],
    position: Position = None,
) -> int:
    here = session()
    if position is None:
        return here.run(heard, here.game_id(), typed(words), at_once=here.tell)
    if not here.is_remote:
        here.store_context = open_store_context(
            "memory:"
        )  # a position needs no store, not even one that is there
    return here.run(check_position, declared(position), typed(words))
