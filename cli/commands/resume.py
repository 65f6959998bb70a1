"""``referee resume``: go on with a held game."""

from __future__ import annotations

import typer

from cli.session import Key, Reason, session
from cli.speech import say
from cli.telling import short, to_act
from referee.table import pausing

app = typer.Typer(rich_markup_mode=None)


@app.command()
def resume(reason: Reason = "", key: Key = None) -> int:
    here = session()
    answer = pausing.resume(here.bench, here.game_id(), reason=reason, author=here.author, key=key)
    lines = [say("resume.done", game=short(answer.game.id)), "  " + to_act(answer.game)]
    return here.answer("resume", {"game": answer.game.id, "held": False}, lines)
