"""``referee new``: start a record."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import Key, Session, session
from cli.speech import language, say
from cli.telling import heard_data, opening_refusal, short, to_act, verdict_data
from engines.kernel.registry import load_engine
from referee.errors import Misused, Unfit
from referee.outside.files import read_kit
from referee.table import openings
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
    here = session()
    engine = load_engine(game)
    chosen = read_preset(preset) if preset is not None else None
    if chosen is not None and chosen.game != game:
        raise Unfit("preset_of_other_game", file=preset, game=chosen.game)
    words = table or []
    if not words or words[0].lower() != "table":
        words = ["table", *words]
    heard = openings.open_game(
        here.bench,
        game,
        " ".join(words),
        seats=_people(here, player or []),
        kit=None if kit is None else read_kit(engine, kit),
        readings={**(chosen.readings if chosen else {}), **pairs(reading or [])},
        house_rules=[*(chosen.house_rules if chosen else ()), *(house_rule or [])],
        preset=chosen.name if chosen else "",
        take_backs_need_judge=chosen.take_backs_need_judge if chosen else (),
        title=title,
        author=here.author,
        stands=stands,
        key=key,
    )
    if isinstance(heard, openings.OpeningRefused):
        refused = opening_refusal(here.paint, engine, heard)
        return here.answer("new", verdict_data(heard.verdict), refused, code=3)
    opened = heard.game
    here.make_current(opened.id)
    assumed = sum(datum.provenance == "assumed" for datum in opened.sheet.datums())
    name, box = engine.words.say("game", language()), str(opened.sheet.content["kit"])
    lines = [say("new.opened", game=short(opened.id), name=name, kit=box)]
    if assumed:
        lines.append("  " + say("new.assumed", count=assumed))
    lines.append("  " + to_act(opened))
    return here.answer("new", {**heard_data(heard), "assumed": assumed}, lines)


def pairs(words: list[str]) -> dict[str, str]:
    """``name=value`` words."""
    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise Misused("not_a_pair", word=word)
        found[name] = value
    return found


def _people(here: Session, players: list[str]) -> dict[str, str]:
    """``-p A=Anna``: a seat and a name, which gets a pseudonym."""
    return {seat.upper(): here.person(name) for seat, name in pairs(players).items()}
