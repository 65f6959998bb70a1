"""``referee head``: a code for the score sheet that pins the record so far."""

from __future__ import annotations

import typer

from cli.session import session
from cli.speech import say
from cli.telling import short
from referee.proof.heads import head_code

app = typer.Typer(rich_markup_mode=None)


@app.command()
def head() -> int:
    here = session()
    game = here.game()
    code = head_code(game.head)
    data = {"game": game.id, "code": code, "head": game.head, "entries": len(game.entries)}
    lines = [code, "  " + say("head.about", game=short(game.id), count=len(game.entries))]
    return here.answer_plain("head", data, lines)
