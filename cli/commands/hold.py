"""``referee hold``: nothing is logged until the game is resumed."""

import typer

from answers.play import lifecycle
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def hold(reason: Reason = "", key: Key = None) -> int:
    here = session()
    return here.run(lifecycle.hold, here.game_id(), reason=reason, key=key)
