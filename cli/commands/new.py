"""``referee new``: start a record."""

from __future__ import annotations

from typing import Annotated

import typer

from answers.play import opening
from cli.parsing import pairs
from cli.session import Key, session
from engines.kernel.registry import load_engine
from referee.outside.files import read_kit
from referee.table.presets import read_preset

app = typer.Typer(rich_markup_mode=None)


@app.command()
def new(
    game: Annotated[str, typer.Argument()],
    table: Annotated[list[str] | None, typer.Argument()] = None,
    player: Annotated[list[str] | None, typer.Option("-p", "--player")] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    preset: Annotated[str | None, typer.Option("--preset")] = None,
    title: Annotated[str, typer.Option("--title")] = "",
    stands: Annotated[bool, typer.Option("--stands")] = False,
    key: Key = None,
) -> int:
    here = session(creates=True)
    answered = opening.open_table(
        here.caller,
        game,
        " ".join(table or []),
        players=pairs(player or []),
        kit=None if kit is None else read_kit(load_engine(game), kit),
        readings=pairs(reading or []),
        house_rules=house_rule or [],
        preset=None if preset is None else read_preset(preset),
        title=title,
        stands=stands,
        key=key,
    )
    if isinstance(answered.data, opening.NewAnswer):
        here.make_current(answered.data.game)
    return here.answer("new", answered)
