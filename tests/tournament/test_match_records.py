"""Records of matches: a record a game, seats that change, and one result from all of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.judging.rulings import penalise
from referee.record.game import Game
from referee.season.ratings import _proof
from referee.table.author import JUDGE, By
from referee.table.lifecycle import close, reopen
from referee.table.play import log
from referee.tournament.consistency import inspect
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.events import FromGames, Outcome, match_places
from referee.tournament.plan import Match
from referee.tournament.proof import verify_tournament
from tests.tournament.test_desk import PEBBLES, cup, desk, desk_over, play_out, started

__all__ = ["desk"]


class MatchTable:
    """The first table of a cup of matches, and on paper who has won the games that count."""

    def __init__(self, desk: Desk, games: int, **plan: object) -> None:
        self.desk, self.match = desk, Match(games=games)
        self.cup = cup(desk, match=self.match, **plan)
        self.number = started(desk, self.cup)
        self.people = desk.load(self.cup).now.round(self.number).table(1).seats
        self.won: list[str] = []
        """By person, and ``=``."""
        self.last = "none"
        """What the last record is: none, open, counts, void."""

    @property
    def over(self) -> bool:
        wins = [self.won.count(person) for person in self.people]
        return 2 * max(wins) > self.match.games or len(self.won) == self.match.games

    @property
    def games(self) -> tuple[Any, ...]:
        return tuple(
            "=" if person == "=" else "AB"[self.people.index(person)] for person in self.won
        )

    def open(self, *, again: bool = False) -> Game:
        heard, new = self.desk.open_table(self.cup, self.number, 1, PEBBLES, again=again)
        game = heard.game
        if self.last == "none" or again or (self.last != "open" and not self.over):
            assert new
            if again and self.last == "counts":
                self.won.pop()
            assert game.seats["A"] == self.people[len(self.won) % 2]
            self.last = "open"
        else:
            assert not new
        return game

    def play(self, game: Game, choices: st.DataObject) -> None:
        while not game.state.over:
            options = game.engine.options(game.setting, game.state)
            line = options[choices.draw(st.integers(0, len(options) - 1))]
            game = log(self.desk.bench, game.id, line).game
        close(self.desk.bench, game.id)
        ended = self.desk.bench.game(game.id)
        assert ended.closed is not None
        first = ended.closed.places[0]
        self.won.append("=" if len(first) > 1 else ended.seats[first[0]])
        self.last = "counts"

    def void(self, game: Game) -> None:
        close(self.desk.bench, game.id, reason="the clock fell")
        self.last = "void"

    def result(self) -> Any:
        return self.desk.load(self.cup).now.round(self.number).result(1)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(choices=st.data(), games=st.integers(2, 5))
def test_a_match_is_what_its_games_that_count_come_to(choices: st.DataObject, games: int) -> None:
    """Games are played, broken off and played again; whoever adds up on paper has the result."""
    desk = desk_over("memory:")
    table = MatchTable(desk, games)
    for step in choices.draw(
        st.lists(st.sampled_from(["play"] * 4 + ["void", "again"]), max_size=9)
    ):
        if step == "again":
            table.open(again=True)
            continue
        game = table.open()
        if table.last != "open":
            break
        if step == "void":
            table.void(game)
        else:
            table.play(game, choices)
    taken = desk.collect(table.cup, table.number)
    if not (table.over and table.last != "open"):
        assert taken == []
        with pytest.raises(NotPossible) as refused:
            desk.take_result(table.cup, table.number, 1)
        assert refused.value.key in ("match_goes_on", "no_game_there")
        return
    assert taken == [1]
    entered = table.result()
    assert entered.outcome == Outcome(places=match_places(table.games), games=table.games)
    assert isinstance(entered.source, FromGames)
    assert len(entered.source.games) == len(table.won)
    assert _proof(entered) == ("record", entered.source.games[-1].game)
    assert inspect(desk, table.cup) == []
    rows = desk.bench.store.read(table.cup)
    assert verify_tournament(desk, table.cup, rows).problems == []
    assert not desk.open_table(table.cup, table.number, 1)[1]


def won_twice(desk: Desk) -> MatchTable:
    """A match of two games that are both played."""
    table = MatchTable(desk, 2)
    for _ in range(2):
        play_out(desk, table.open().id)
        table.last = "counts"
        table.won.append("")
    return table


def test_a_game_that_is_closed_anew_corrects_the_match(desk: Desk) -> None:
    table = won_twice(desk)
    desk.take_result(table.cup, table.number, 1)
    before = table.result()
    first = before.source.games[0].game
    reopen(desk.bench, first, reason="a move was misread", by=By(JUDGE))
    assert "game_is_open" in {found.key for found in inspect(desk, table.cup)}
    with pytest.raises(NotPossible, match="match_goes_on"):
        desk.take_result(table.cup, table.number, 1)
    close(desk.bench, first)
    desk.take_result(table.cup, table.number, 1)
    assert table.result().outcome == before.outcome
    assert inspect(desk, table.cup) == []


def test_a_slip_may_tell_more_games_than_the_records_and_never_fewer(desk: Desk) -> None:
    table = MatchTable(desk, 3)
    game = table.open()
    play_out(desk, game.id)
    ended = desk.bench.game(game.id)
    assert ended.closed is not None
    winner = ended.closed.places[0][0]
    loser = "B" if winner == "A" else "A"
    for games in ((loser, loser), ()):
        told = (
            Outcome(places=match_places(games), games=games)
            if games
            else Outcome(places=(1, 2) if winner == "B" else (2, 1), absent=(winner,))
        )
        with pytest.raises(NotPossible, match="slip_against_record"):
            desk.enter_result(table.cup, table.number, 1, told, "their slip")
    both = Outcome(places=match_places((loser, winner)), games=(loser, winner))  # type: ignore[arg-type]
    desk.enter_result(table.cup, table.number, 1, both, "their slip")
    assert [found.key for found in inspect(desk, table.cup) if not found.is_remark] == []
    assert not desk.open_table(table.cup, table.number, 1)[1]


def test_a_penalty_in_a_swapped_seat_is_that_of_who_sits_there(desk: Desk) -> None:
    table = MatchTable(desk, 3, penalties=({"name": "late", "halves": 1},))
    play_out(desk, table.open().id)
    table.last, table.won = "counts", [""]
    second = table.open()
    assert [*second.seats.values()] == [*table.people[::-1]]
    assert desk.fits(second)
    penalise(desk.bench, second.id, "A", "late", "", by=By(JUDGE))
    desk.carry_penalties(desk.bench.game(second.id), author=JUDGE)
    assert [each.player for each in desk.load(table.cup).now.penalties] == [table.people[1]]
