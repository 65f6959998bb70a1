"""Draws at a table that are not those of its deal call for a judge when they are logged."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cli.session import Session
from cli.speech import learn, say
from referee.record.game import Game
from referee.secrecy.views import HIDDEN
from referee.tournament.deals import Deviation
from referee.tournament.desk import Desk
from referee.tournament.tables import departure_dispute, departures, read_ref


def warn_of_departures(here: Session, game: Game, numbers: Collection[int | None]) -> None:
    here.warnings += departure_lines(here, game, numbers)


def departure_lines(here: Session, game: Game, numbers: Collection[int | None]) -> Iterator[str]:
    """What is said of these actions, once a judge was called for."""
    learn("cli.tournament")
    stream, round, _ = read_ref(game.opened.tournament)
    if not here.bench.store.streams(stream):
        return
    desk = Desk(here.bench)
    desk.dispute_departures(game, here.author)
    game = here.bench.game(game.id)
    for found in departures(desk.load(stream).now, round, game):
        dispute = departure_dispute(game, found)
        if found.action in numbers and dispute is not None:
            if here.author.seat is not None:
                found = found._replace(expected=HIDDEN)
            called = say("tell.dispute_opened", id=dispute.id)
            yield f"#{found.action} {departure_text(found)} – {called}"


def departure_text(found: Deviation) -> str:
    return say(
        "tournament.departed", pile=found.pile, drawn=found.drawn, expected=found.expected or "–"
    )
