"""Opening a table: which game, how many, and who sits where."""

from __future__ import annotations

from answers.answer import Data
from answers.rulebooks.games import assumed_data, game_name, usual_opening
from answers.rulebooks.opening_form import FormQuestion, FormReading, questions, readings
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.problems import HttpRefusal


class GameChoice(Data):
    engine: str
    name: str
    least: int
    most: int


class NewPage(Data):
    games: list[GameChoice]


class OpeningPage(GameChoice):
    players: int
    seats: list[str]
    line: str
    """The usual opening for so many; empty where the game has none."""
    assumed: int
    """So many data of the box are assumed: of the club's own, if it has told something of it."""
    questions: list[FormQuestion]
    readings: list[FormReading]
    boxes: list[str]
    """The club's other boxes of this game, by name; its own is the usual one."""
    kits: list[str]
    """The boxes that come with the game, where there is a choice."""


@page("new", "/new")
def new(page_context: PageContext) -> Shown:
    _may_open(page_context)
    games = [
        _choice(page_context, row.engine) for row in page_context.ask("engine-list").data.engines
    ]
    return Shown("new", page_context.voice.say("new_table.title"), NewPage(games=games))


@page("opening", "/new/{engine}")
def opening(page_context: PageContext) -> Shown:
    _may_open(page_context)
    choice = _choice(page_context, page_context.path["engine"])
    asked = page_context.query.get("players", "")
    players = int(asked) if asked.isdecimal() and len(asked) < 3 else choice.least
    players = min(max(players, choice.least), choice.most)
    line, seats = usual_opening(choice.engine, players)
    kits = [row.kit for row in page_context.ask("kit-list").data.kits if row.game == choice.engine]
    own = page_context.ask("kit-box", engine=choice.engine).data
    shown = OpeningPage(
        **dict(choice),
        players=players,
        seats=seats,
        line=line,
        assumed=own.asked - own.told if own.told else assumed_data(choice.engine),
        questions=questions(page_context.voice, choice.engine, players) if line else [],
        readings=readings(page_context.voice, choice.engine, players),
        boxes=[name for name in own.boxes if name != own.kit],
        kits=kits if own.boxes or len(kits) > 1 else [],
    )
    return Shown("new_table", choice.name, shown)


def _may_open(page_context: PageContext) -> None:
    if not page_context.may("new"):
        raise HttpRefusal(
            "role", "role_may_not", role=page_context.role, roles=["organiser", "judge", "scribe"]
        )


def _choice(page_context: PageContext, engine: str) -> GameChoice:
    least, most = page_context.ask("engine-info", engine=engine).data.seats
    name = game_name(page_context.voice, engine)
    return GameChoice(engine=engine, name=name, least=least, most=most)
