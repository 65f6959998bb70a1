"""``referee hold``: nothing is logged until the game is resumed."""

from __future__ import annotations

import typer

from cli.session import Key, Reason, session
from cli.speech import say
from cli.telling import short
from referee.table import pausing

app = typer.Typer(rich_markup_mode=None)


@app.command()
def hold(reason: Reason = "", key: Key = None) -> int:
    here = session()
    answer = pausing.hold(here.bench, here.game_id(), reason=reason, author=here.author, key=key)
    lines = [say("hold.done", game=short(answer.game.id))]
    return here.answer("hold", {"game": answer.game.id, "held": True}, lines)
