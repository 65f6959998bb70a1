"""Rounds that are repaired while they are played, again and again: the record stays good."""

from __future__ import annotations

import json

import pytest

from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    Dropped,
    Event,
    Late,
    Outcome,
    PairingWithdrawn,
    PlayerEdited,
    PlayersMerged,
    Registered,
    ResultEntered,
    Returned,
    RoundArranged,
    RoundCheckedIn,
    RoundClosed,
    RoundStarted,
    StartWithdrawn,
    read_event,
)
from referee.tournament.fold import fold
from referee.tournament.pairing.by_hand import seated_together
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import Plan
from referee.tournament.ranking.score_sheet import score_sheet
from referee.tournament.ranking.standings import standings, why
from referee.tournament.splitmix import SplitMix64
from tests.tournament.generator import player_id
from tests.tournament.hosting import SLIP, Hall, duels, tables_of_four

EVENTS = 8


class Repairs:
    """One organiser who changes everything that can be changed, at random."""

    def __init__(self, plan: Plan, players: int, seed: int) -> None:
        self.hall = Hall(plan, players)
        self.dice = SplitMix64(seed)
        self.newcomers = players
        self.done: set[str] = set()

    def try_to(self, *events: Event) -> None:
        """What is not possible now is refused, and changes nothing."""
        before, told = self.hall.now, len(self.hall.events)
        try:
            self.hall.tell(*events)
            self.done.add(events[-1].KIND)
        except NotPossible:
            del self.hall.events[told:]
            self.hall.now = before

    def somebody(self) -> str:
        return self.dice.pick(sorted(self.hall.now.players))

    def meddle(self) -> None:
        now = self.hall.now
        number = len(now.rounds)
        newcomer = player_id(self.newcomers)
        match self.dice.below(9):
            case 0:
                self.try_to(Dropped(player=self.somebody()))
            case 1:
                self.try_to(Returned(player=self.somebody()))
            case 2:
                self.newcomers += 1
                self.try_to(Registered(player=newcomer), Late(player=newcomer))
                if self.dice.one_in(2):
                    who = self.somebody()
                    self.try_to(PlayersMerged(player=who, merged=newcomer, reason="one person"))
            case 3:
                who = self.somebody()
                self.try_to(PlayerEdited(player=who, club=self.dice.pick(["Oak", "", "Elm"])))
            case 4:
                who, other = self.somebody(), max(now.players, key=lambda p: now.players[p].number)
                self.try_to(PlayersMerged(player=who, merged=other, reason="one person"))
            case 5:
                self.try_to(StartWithdrawn(round=number, reason="too early"))
            case _:
                self.seat_some()

    def seat_some(self) -> None:
        now, round = self.hall.now, self.hall.now.rounds[-1]
        here = sorted(player.id for player in now.players.values() if player.status == "present")
        chosen = self.dice.shuffled(here)[: now.seats.preferred]
        try:
            draw = seated_together(now, round, chosen)
        except NotPossible:
            return
        self.try_to(
            RoundArranged(
                round=round.number, tables=draw.tables, byes=draw.byes, free=draw.free, reason="so"
            )
        )

    def play(self) -> None:
        number = self.hall.next_round
        if self.dice.one_in(4):
            here = [p.id for p in self.hall.now.players.values() if p.status == "present"]
            tonight = tuple(self.dice.shuffled(sorted(here))[: max(8, len(here) - 2)])
            self.try_to(RoundCheckedIn(round=number, players=tonight))
        self.hall.pair(seed=number)
        for _ in range(self.dice.below(3)):
            self.meddle()
        if self.dice.one_in(5):
            self.try_to(PairingWithdrawn(round=number, reason="anew"))
            self.hall.pair(seed=number + 50)
        self.try_to(RoundStarted(round=number))
        waiting = list(self.hall.now.round(number).waiting)
        while waiting:
            if self.dice.one_in(3):
                self.meddle()
            self.try_to(RoundStarted(round=number))
            self.enter_one(number)
            waiting = list(self.hall.now.round(number).waiting)
        self.hall.tell(RoundClosed(round=number))

    def enter_one(self, number: int) -> None:
        round = self.hall.now.round(number)
        table = round.table(self.dice.pick(list(round.waiting)))
        places = tuple(self.dice.shuffled(range(1, len(table.seats) + 1)))
        outcome = Outcome(places=places, scores=tuple(50 - place for place in places))
        self.try_to(ResultEntered(round=number, table=table.number, outcome=outcome, source=SLIP))


@pytest.mark.parametrize("plan", [duels(rounds=4), tables_of_four(rounds=4)], ids=["two", "four"])
def test_whatever_is_repaired_the_record_stays_good(plan: Plan) -> None:
    done: set[str] = set()
    for seed in range(EVENTS):
        event = Repairs(plan, 11 + seed % 4, seed)
        for _ in range(3):
            event.play()
        now = event.hall.now
        assert fold(event.hall.events) == now
        assert fold(_stored_and_read(event.hall.events)) == now
        problems = [problem for problem in check_tournament(now) if not problem.is_remark]
        assert problems == [], seed
        _everybody_has_one_place(event.hall)
        _every_point_is_explained(event.hall)
        done |= event.done
    assert {"round_arranged", "players_merged", "start_withdrawn", "player_edited"} <= done
    assert {"round_checked_in", "pairing_withdrawn", "player_late"} <= done


def _stored_and_read(events: list[Event]) -> list[Event]:
    return [
        read_event(event.KIND, event.SCHEMA, json.loads(event.model_dump_json()))
        for event in events
    ]


def _everybody_has_one_place(hall: Hall) -> None:
    for round in hall.now.rounds:
        placed = list(round.draw.players)
        assert len(placed) == len(set(placed))
        assert set(placed) <= set(hall.now.players)


def _every_point_is_explained(hall: Hall) -> None:
    sheet = score_sheet(hall.now)
    for row in standings(hall.now).rows:
        assert len(sheet[row.player]) == len(hall.now.rounds)
        told = why(hall.now, row.player)
        assert [part.value for part in told.parts] == list(row.values)
