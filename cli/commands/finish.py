"""``referee finish``: close a record."""

from typing import Annotated

import typer

from answers.play import lifecycle
from cli.i18n import say
from cli.session import Key, Reason, session
from engines.kernel import Verbatim

app = typer.Typer(rich_markup_mode=None)


@app.command()
def finish(
    reason: Reason = "",
    yes: Annotated[bool, typer.Option("--yes")] = False,
    key: Key = None,
) -> int:
    here = session()
    game = here.game_id()
    if here.may_ask and not yes:
        still = lifecycle.left_open(here.caller.game(game))
        asked = say("finish.really", what=Verbatim(still.line(here.voice)))
        yes = bool(still) and typer.confirm(asked, default=False, err=True)
    return here.run(lifecycle.finish, game, reason=reason, yes=yes, key=key)
