"""``referee finish``: close a record."""

from __future__ import annotations

import typer

from cli.session import Key, Reason, session
from cli.speech import say
from cli.telling import over_line, short
from referee.proof.heads import head_code
from referee.record.entries import Closed
from referee.table import pausing

app = typer.Typer(rich_markup_mode=None)


@app.command()
def finish(reason: Reason = "", key: Key = None) -> int:
    here = session()
    answer = pausing.close(here.bench, here.game_id(), reason=reason, author=here.author, key=key)
    closed = answer.entries[0].data
    assert isinstance(closed, Closed)
    game = answer.game
    lines = [say("finish.done", game=short(game.id)), "  " + over_line(game)]
    if not game.state.over:
        lines[1] = "  " + say("finish.unfinished", reason=reason)
    lines.append("  " + say("finish.head", head=head_code(game.head)))
    data = {"game": game.id, **closed.model_dump(mode="json"), "head": game.head}
    return here.answer("finish", data, lines)
