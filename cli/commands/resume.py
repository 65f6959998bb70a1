"""``referee resume``: go on with a held game."""

import typer

from answers.play import lifecycle
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def resume(reason: Reason = "", key: Key = None) -> int:
    here = session()
    return here.run(lifecycle.resume, here.game_id(), reason=reason, key=key)
