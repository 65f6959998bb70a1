"""``referee what-if``: judge stored games under other conditions."""

from typing import Annotated

import typer

from answers.judge import what_if as what_if_answers
from cli.arguments import pairs, stated_value, typed
from cli.positions import Position, table
from cli.progress import progress_of
from cli.session import session
from engines.kernel.registry import load_engine
from referee.archive.process_pool import cores
from referee.errors import Misused
from referee.judging.what_if import Other
from referee.table.presets import read_preset

app = typer.Typer(rich_markup_mode=None)


@app.command(name="what-if")
def what_if(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    kit: Annotated[list[str] | None, typer.Option("--kit")] = None,
    preset: Annotated[str | None, typer.Option("--preset")] = None,
    engine: Annotated[str | None, typer.Option("--engine")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    of: Annotated[str | None, typer.Option("--of")] = None,
    position: Position = None,
) -> int:
    here = session()
    if words and position is None:
        raise Misused("lines_need_position")
    chosen = read_preset(preset) if preset is not None else None
    laid_aside = [*(chosen.house_rules if chosen else ()), *(house_rule or ())]
    other = Other(
        readings={**(chosen.readings if chosen else {}), **pairs(reading or [])},
        house_rules=laid_aside if chosen is not None or house_rule is not None else None,
        kit={path: stated_value(text) for path, text in pairs(kit or []).items()},
        engine=load_engine(engine) if engine is not None else None,
    )
    if not everything and of is None:
        caller, asked, _ = table(here, position, typed(words) if words else ())
        return here.answer(
            what_if_answers.what_if, caller.ask(what_if_answers.what_if, asked, other)
        )
    game = of or (chosen.game if chosen is not None else None)
    game = game or here.caller.game(here.game_id()).engine.id
    return here.run(what_if_answers.what_if_all, game, other, progress_of(), processes=cores())
