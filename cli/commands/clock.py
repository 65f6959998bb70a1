"""``referee clock``: how much time there is, and who has how much of it left."""

from typing import Annotated, Literal

import typer

from answers.play import clocks
from cli.session import Key, Reason, finite, session
from referee.errors import Misused

app = typer.Typer(rich_markup_mode=None)
MINUTE = 60


@app.command()
def clock(
    minutes: Annotated[float | None, typer.Argument(min=0, max=6000, callback=finite)] = None,
    per: Annotated[Literal["seat", "round"], typer.Option("--per")] = "seat",
    calls: Annotated[bool, typer.Option("--judge")] = False,
    increment: Annotated[int, typer.Option("--increment", min=0, max=36_000)] = 0,
    give: Annotated[float, typer.Option("--give", min=-6000, max=6000, callback=finite)] = 0,
    seat: Annotated[str | None, typer.Option("--seat")] = None,
    reason: Reason = "",
    key: Key = None,
) -> int:
    here = session()
    if minutes is None and not give:
        if seat is not None or calls or increment or per != "seat":
            raise Misused("clock_says_nothing")
        return here.run(clocks.show_clock, here.game_id())
    return here.run(
        clocks.set_clock,
        here.game_id(),
        None if minutes is None else round(minutes * MINUTE),
        per=per,
        at_zero="judge" if calls else "nothing",
        increment=increment,
        seat=None if seat is None else seat.upper(),
        given=round(give * MINUTE),
        reason=reason,
        key=key,
    )
