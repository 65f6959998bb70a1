"""``referee could-hold``: could somebody have held this then?"""

from typing import Annotated

import typer

from answers.play import could_hold as knowledge
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def could_hold(
    seat: Annotated[str, typer.Argument()],
    thing: Annotated[list[str], typer.Argument()],
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
) -> int:
    here = session()
    return here.run(knowledge.could_hold, here.game_id(), seat, " ".join(thing), at=at)
