"""Draws at a table that are not those of its deal are said when they are logged."""

from __future__ import annotations

from collections.abc import Collection

from cli.session import Session
from cli.speech import learn, say
from referee.record import Game
from referee.tournament.coop import Deviation
from referee.tournament.desk import Desk
from referee.tournament.tables import departures, read_ref


def warn_of_departures(here: Session, game: Game, numbers: Collection[int | None]) -> None:
    learn("cli.tournament")
    stream, round, _ = read_ref(game.opened.tournament)
    if not here.bench.store.streams(stream):
        return
    now = Desk(here.bench).load(stream).now
    for found in departures(now, round, game):
        if found.action in numbers:
            here.warnings.append(f"#{found.action} {departure_text(found)}")


def departure_text(found: Deviation) -> str:
    return say(
        "tournament.departed", pile=found.pile, drawn=found.drawn, expected=found.expected or "–"
    )
