"""Brackets as they are drawn, on pages and on paper."""

from __future__ import annotations

from random import Random

import pytest

from answers.i18n import Voice
from answers.tournament.bracket import BracketRound, drawn_bracket
from answers.tournament.i18n import fluent
from answers.tournament.standings import bracket
from referee.tournament.errors import NotPossible
from referee.tournament.events import CheckedIn, Outcome, RoundClosed, RoundStarted
from referee.tournament.plan import Knockout
from tests.tournament.asking import Stand
from tests.tournament.hosting import duels

NAMES = ["Ana", "Bo", "Cleo", "Dan", "Eva", "Flo", "Gus", "Hal", "Ivo"]


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4, 6, 8, 9])
def test_whoever_won_goes_on_and_nobody_else(players: int, third_place: bool) -> None:
    stand, chance = Stand(duels(Knockout(third_place=third_place)), *NAMES[:players]), Random(1)
    desk = stand.caller.store_context.desk
    for player in desk.load(stand.id).now.players:
        desk.tell(stand.id, CheckedIn(player=player))
    won: dict[tuple[int, int], str] = {}
    while True:
        try:
            desk.pair(stand.id)
        except NotPossible:
            break
        drawn = desk.load(stand.id).now.open_round
        assert drawn is not None
        desk.tell(stand.id, RoundStarted(round=drawn.number))
        for table in drawn.draw.tables:
            places = chance.choice([(1, 2), (2, 1)])
            won[drawn.number, table.number] = table.seats[places.index(1)]
            outcome = Outcome(places=places)
            desk.enter_result(stand.id, drawn.number, table.number, outcome, "slip")
        desk.tell(stand.id, RoundClosed(round=drawn.number))
        check_drawn(stand, won)
    played = desk.load(stand.id).now.rounds
    has_one = any(each.third_place is not None for each in played)
    assert has_one == (third_place and players > 3)
    assert titles(stand)[-1] == "Final"


def drawn_now(stand: Stand) -> list[BracketRound]:
    found = bracket(stand.caller, stand.id).data
    plan = stand.caller.store_context.desk.load(stand.id).now.plan.model_dump(mode="json")
    return drawn_bracket(fluent(Voice("en")), found, plan, {})


def titles(stand: Stand) -> list[str]:
    return [each.title for each in drawn_now(stand)]


def check_drawn(stand: Stand, won: dict[tuple[int, int], str]) -> None:
    """Who won a table goes on, also where those who lost sit in the next round."""
    through = {
        (each.round, table.table): [seat.player for seat in table.seats if seat.through]
        for each in drawn_now(stand)
        for table in each.tables
    }
    assert through == {place: [player] for place, player in won.items()}
    for each in drawn_now(stand):  # the final above, third place below it
        assert [table.third_place for table in each.tables[:-1]] == [False] * len(each.tables[:-1])
