"""Opening a table: which game, how many, and who sits where."""

from __future__ import annotations

from answers.answer import Data
from answers.rulebooks.games import game_name, usual_opening
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page
from service.problems import Refused


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


@page("new", "/new")
def new(guest: Guest) -> Shown:
    _may_open(guest)
    games = [_choice(guest, row.engine) for row in guest.ask("engine-list").data.engines]
    return Shown("new", guest.voice.say("new_table.title"), NewPage(games=games))


@page("opening", "/new/{engine}")
def opening(guest: Guest) -> Shown:
    _may_open(guest)
    choice = _choice(guest, guest.path["engine"])
    asked = guest.query.get("players", "")
    players = int(asked) if asked.isdecimal() and len(asked) < 3 else choice.least
    players = min(max(players, choice.least), choice.most)
    line, seats = usual_opening(choice.engine, players)
    shown = OpeningPage(**dict(choice), players=players, seats=seats, line=line)
    return Shown("opening", choice.name, shown)


def _may_open(guest: Guest) -> None:
    if not guest.may("new"):
        raise Refused("role", "role_may_not", role=guest.role, roles="organiser, judge, scribe")


def _choice(guest: Guest, engine: str) -> GameChoice:
    least, most = guest.ask("engine-info", engine=engine).data.seats
    name = game_name(guest.voice, engine)
    return GameChoice(engine=engine, name=name, least=least, most=most)
