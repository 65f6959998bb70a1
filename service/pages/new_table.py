"""Opening a table: which game, how many, and who sits where."""

from __future__ import annotations

from answers.rulebooks.games import assumed_data, game_name, usual_opening
from answers.rulebooks.opening_form import questions, readings
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.problems import HttpRefusal


@page("new", "/new")
def new(page_context: PageContext) -> Shown:
    _may_open(page_context)
    engines = page_context.ask("engine-list").data.engines
    games = [(row, page_context.ask("engine-info", engine=row.engine).data) for row in engines]
    return Shown("new", page_context.voice.say("new_table.title"), games=games)


@page("opening", "/new/{engine}")
def opening(page_context: PageContext) -> Shown:
    _may_open(page_context)
    engine = page_context.path["engine"]
    least, most = page_context.ask("engine-info").data.seats
    players = page_context.number("players") or least
    players = min(max(players, least), most)
    line, seats = usual_opening(engine, players)
    kits = [row.kit for row in page_context.ask("kit-list").data.kits if row.game == engine]
    own = page_context.ask("kit-box", engine=engine).data
    return Shown(
        "new_table",
        game_name(page_context.voice, engine),
        engine=engine,
        least=least,
        most=most,
        players=players,
        seats=seats,
        line=line,
        assumed=own.asked - own.told if own.told else assumed_data(engine),
        questions=questions(page_context.voice, engine, players) if line else [],
        readings=readings(page_context.voice, engine, players),
        boxes=[name for name in own.boxes if name != own.kit],
        kits=kits if own.boxes or len(kits) > 1 else [],
    )


def _may_open(page_context: PageContext) -> None:
    if not page_context.may("new"):
        raise HttpRefusal(
            "role", "role_may_not", role=page_context.role, roles=["organiser", "judge", "scribe"]
        )
