"""``referee reopen``: go on with a closed record."""

from __future__ import annotations

import typer

from cli.session import Key, Reason, session
from cli.speech import say
from cli.telling import short, to_act
from referee.table import pausing

app = typer.Typer(rich_markup_mode=None)


@app.command()
def reopen(
    reason: Reason,
    key: Key = None,
) -> int:
    here = session()
    answer = pausing.reopen(here.bench, here.game_id(), reason=reason, author=here.author, key=key)
    lines = [say("reopen.done", game=short(answer.game.id)), "  " + to_act(answer.game)]
    return here.answer("reopen", {"game": answer.game.id}, lines)
