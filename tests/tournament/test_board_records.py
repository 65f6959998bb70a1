"""Records of team matches: every board is a game of its own, of the two who sit there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.judging.rulings import Decision, fix_reading, issue
from referee.record.game import Game
from referee.table.author import By
from referee.table.lifecycle import close
from referee.table.play import log
from referee.tournament.consistency import inspect
from referee.tournament.desk import Desk
from referee.tournament.errors import NotPossible
from referee.tournament.events import FromGames, LineUpSet, Outcome, TeamSet, match_places
from referee.tournament.plan import Match
from referee.tournament.proof import verify_tournament
from referee.tournament.ranking.boards import board_games
from referee.tournament.table_games import board_in, read_ref, table_ref
from tests.tournament.test_desk import (
    JUDGE,
    PEBBLES,
    SCRIBE,
    cup,
    desk,
    desk_over,
    play_out,
    started,
)

__all__ = ["desk"]

BOARDS = 3
PEOPLE = (("pmx", "pmy", "pmz", "pmw"), ("pna", "pnb", "pnc"))


class TeamTable:
    """The one table of two teams, and on paper how each board ended."""

    def __init__(self, desk: Desk, game: str = "pebbles", line: str = PEBBLES) -> None:
        self.desk = desk
        self.line = line
        self.cup = cup(desk, players=2, game=game, match=Match(games=BOARDS, boards=True))
        for team, people in zip(sorted(desk.load(self.cup).now.players), PEOPLE, strict=True):
            desk.tell(self.cup, TeamSet(player=team, members=people))
        self.number = started(desk, self.cup)
        now = desk.load(self.cup).now
        self.teams = now.round(self.number).table(1).seats
        self.sides = [now.line_up(self.number, team) for team in self.teams]
        self.ended: dict[int, str] = {}
        self.records: dict[int, Game] = {}

    def open(self, board: int, *, again: bool = False) -> Game:
        heard, new = self.desk.open_table(
            self.cup, self.number, 1, self.line, board=board, again=again, by=By(SCRIBE)
        )
        assert new == (board not in self.records or again)
        pair = [side[board - 1] for side in self.sides]
        assert [*heard.game.seats.values()] == (pair if board % 2 else pair[::-1])
        if new:
            self.ended.pop(board, None)
            self.records[board] = heard.game
        assert heard.game.id == self.records[board].id
        return heard.game

    def play(self, board: int, choices: st.DataObject) -> None:
        game = self.desk.bench.game(self.records[board].id)
        if game.closed is not None:
            return
        while not game.state.over:
            options = game.engine.options(game.setting, game.state)
            line = options[choices.draw(st.integers(0, len(options) - 1))]
            game = log(self.desk.bench, game.id, line).game
        close(self.desk.bench, game.id)
        ended = self.desk.bench.game(game.id)
        assert ended.closed is not None
        first = ended.closed.places[0]
        winner = ended.seats[first[0]]
        self.ended[board] = "=" if len(first) > 1 else "A" if winner in self.sides[0] else "B"

    @property
    def games(self) -> tuple[Any, ...]:
        return tuple(self.ended[board] for board in range(1, BOARDS + 1))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(choices=st.data())
def test_a_team_match_is_what_its_boards_come_to(choices: st.DataObject) -> None:
    """Boards are opened, played and played again in any order; the paper has the result."""
    desk = desk_over("memory:")
    table = TeamTable(desk)
    steps = st.tuples(st.sampled_from(["open", "play", "play", "play", "again"]),
                      st.integers(1, BOARDS))  # fmt: skip
    for step, board in choices.draw(st.lists(steps, max_size=12)):
        table.open(board, again=step == "again" and board in table.records)
        if step == "play":
            table.play(board, choices)
    taken = desk.collect(table.cup, table.number)
    if len(table.ended) < BOARDS:
        assert taken == []
        with pytest.raises(NotPossible) as refused:
            desk.take_result(table.cup, table.number, 1)
        assert refused.value.key in ("boards_go_on", "no_game_there")
        return
    assert taken == [1]
    now = desk.load(table.cup).now
    entered = now.round(table.number).result(1)
    assert entered is not None
    assert entered.outcome == Outcome(places=match_places(table.games), games=table.games)
    assert isinstance(entered.source, FromGames)
    told = [each.game for each in entered.source.games]
    assert told == [table.records[board].id for board in range(1, BOARDS + 1)]
    assert inspect(desk, table.cup) == []
    rows = desk.bench.store.read(table.cup)
    assert verify_tournament(desk, table.cup, rows).problems == []
    assert {game.person for game in board_games(now)} == {p for side in table.sides for p in side}


def test_a_slip_tells_the_boards_without_a_record_and_contradicts_none_that_has_one(
    desk: Desk,
) -> None:
    table = TeamTable(desk)
    play_out(desk, table.open(2).id)
    ended = desk.bench.game(table.records[2].id)
    assert ended.closed is not None
    winner = ended.seats[ended.closed.places[0][0]]
    won: Any = "A" if winner in table.sides[0] else "B"
    lost: Any = "B" if won == "A" else "A"
    wrong = ("A", lost, "=")
    told = Outcome(places=match_places(wrong), games=wrong)
    with pytest.raises(NotPossible, match="slip_against_record"):
        desk.enter_result(table.cup, table.number, 1, told, "their slip")
    right = ("A", won, "=")
    desk.enter_result(
        table.cup, table.number, 1, Outcome(places=match_places(right), games=right), "their slip"
    )
    assert [found.key for found in inspect(desk, table.cup) if not found.is_remark] == []


def test_a_board_is_named_and_both_sit_there(desk: Desk) -> None:
    table = TeamTable(desk)
    for board, why in ((None, "which_board"), (BOARDS + 1, "table_has_no_board")):
        with pytest.raises(NotPossible, match=why):
            desk.open_table(table.cup, table.number, 1, PEBBLES, board=board)
    first = table.open(1)
    assert board_in(first.opened.tournament) == 1
    assert read_ref(first.opened.tournament) == (table.cup, table.number, 1)
    assert first.opened.tournament == table_ref(table.cup, table.number, 1, 1)
    assert desk.fits(first)
    short = LineUpSet(round=table.number, player=table.teams[0], boards=table.sides[0][1:2])
    desk.tell(table.cup, short)
    assert not desk.fits(first), "somebody else sits there by now"
    with pytest.raises(NotPossible, match="board_is_empty"):
        desk.open_table(table.cup, table.number, 1, PEBBLES, board=2)
    with pytest.raises(NotPossible, match="seats_changed"):
        desk.open_table(table.cup, table.number, 1, PEBBLES, board=1)


def _readings(table: TeamTable, name: str) -> dict[int, str]:
    games = {board: table.desk.bench.game(game.id) for board, game in table.records.items()}
    return {board: game.setting.readings[name] for board, game in games.items()}


def _judged(reading: str) -> TeamTable:
    """A match of three boards of a game with a reading that can change: two of them are played."""
    desk = desk_over("memory:")
    table = TeamTable(desk, game="benevolent", line="")
    for board in (1, 2, 3):
        table.open(board)
    close(desk.bench, table.records[3].id, reason="nobody came")
    assert len({*_readings(table, reading).values()}) == 1
    return table


def test_a_ruling_on_a_reading_reaches_every_board_that_is_played() -> None:
    table = _judged("grey_count")
    before = _readings(table, "grey_count")
    played = [table.records[board].id for board in (1, 2)]
    told = table.desk.rule_reading(table.cup, "benevolent", "grey_count", "flat", "as asked")
    assert sorted(told) == sorted(played)
    assert _readings(table, "grey_count") == {1: "flat", 2: "flat", 3: before[3]}
    assert table.desk.rule_reading(table.cup, "benevolent", "grey_count", "flat", "again") == []
    assert inspect(table.desk, table.cup) == []


def test_a_ruling_of_one_board_for_the_event_reaches_the_others() -> None:
    table = _judged("grey_count")
    desk, here = table.desk, table.records[1].id
    decision = Decision(reason="asked", readings={"grey_count": "flat"}, scope="tournament")
    ruled = issue(desk.bench, here, decision, by=By(JUDGE)).game
    assert desk.carry_ruling(ruled, "r1", author=JUDGE) == [table.records[2].id]
    assert {_readings(table, "grey_count")[board] for board in (1, 2)} == {"flat"}


def test_boards_of_one_match_that_are_judged_by_different_readings_are_named() -> None:
    table = _judged("grey_count")
    fix_reading(
        table.desk.bench,
        table.records[1].id,
        "grey_count",
        "flat",
        reason="only here",
        by=By(JUDGE),
    )
    [found] = inspect(table.desk, table.cup)
    usual = _readings(table, "grey_count")[2]
    assert (found.round, found.key, found.is_remark) == (1, "boards_read_differently", False)
    assert found.facts == {
        "table": 1, "reading": "grey_count", "boards": ["1 flat", f"2 {usual}"],
    }  # fmt: skip


def test_a_slip_is_disputed_at_the_board_it_contradicts(desk: Desk) -> None:
    table = TeamTable(desk)
    play_out(desk, table.open(1).id)
    table.open(2)
    told = desk.bench.game(table.records[1].id)
    assert told.closed is not None
    won = "A" if told.seats[told.closed.places[0][0]] in table.sides[0] else "B"
    games: Any = ("B" if won == "A" else "A", "=", "=")
    slip = Outcome(places=match_places(games), games=games)
    with pytest.raises(NotPossible, match="slip_against_record") as refused:
        desk.enter_result(table.cup, table.number, 1, slip, "their slip")
    assert refused.value.facts["game"] == table.records[1].id
    decision = Decision("the slip is right", dispute=refused.value.facts["dispute"])
    issue(desk.bench, table.records[1].id, decision, by=By(JUDGE))
    table.open(3)
    desk.enter_result(table.cup, table.number, 1, slip, "their slip")
    assert [found.key for found in inspect(desk, table.cup) if not found.is_remark] == []
