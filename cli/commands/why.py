"""``referee why``: explain a verdict, of a line or of a logged action."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.explaining import explained, why_lines
from cli.session import session
from cli.telling import verdict_data
from engines.kernel import to_plain
from referee.secrecy.views import judged_for
from referee.table.play import may_be_tried

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def why(
    words: Annotated[list[str], typer.Argument()],
    at: Annotated[int | None, typer.Option("--at")] = None,
) -> int:
    here = session()
    game = here.game()
    view = here.view()
    judged = judged_for(game, explained(game, words, at, here.author), view)
    text = game.engine.text(judged.action)
    nearest = [] if judged.accepted else may_be_tried(game, text, view)
    data: dict[str, Any] = {
        "game": game.id,
        "notation": text,
        **verdict_data(judged.verdict),
        "consulted": [
            {
                "clause": c.clause,
                "held": c.held,
                "effect": c.effect,
                "facts": to_plain(dict(c.facts)),
            }
            for c in judged.verdict.consulted
        ],
        "readings": {name: game.setting.readings[name] for name in judged.verdict.readings},
        "try": nearest,
    }
    code = 3 if judged.verdict.outcome == "illegal" else 0
    return here.answer("why", data, why_lines(here.paint, game, judged, nearest), code=code)
