"""Matches of several games, or of several boards: what may be told, and what it counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from engines.kernel.messages.errors import first_mistake
from referee.tournament import events as told
from referee.tournament.default_plans import usual_plan
from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import ByHand, Outcome, match_places
from referee.tournament.fold import apply
from referee.tournament.plan import DuelScoring, Match, Plan
from referee.tournament.ranking.standings import standings, why
from tests.tournament.hosting import Hall

NAMES = [f"p{letter}" for letter in "abcdef"]
COLUMNS = ("PTS", "GP", "GW", "OGW")
SCORINGS = [
    DuelScoring(),
    DuelScoring(win=6, draw=2, loss=0, bye=6, half_bye=2),
    DuelScoring(win=4, draw=3, loss=1, bye=3, half_bye=1),
]
TEAMS = [Match(games=3, boards=True), Match(games=4, boards=True), Match.olympiad(4),
         Match(games=3, boards=True, bye_boards=3, no_show_boards=5)]  # fmt: skip
MATCHES = [*(Match(games=games) for games in range(2, 8)), *TEAMS]


def of_matches(match: Match | None, **more: Any) -> Plan:
    return usual_plan("bloody_grove", "swiss", 9, check_in=False, match=match, **more)


def playable(match: Match) -> list[str]:
    """Every way in which a match may go, played out game by game: it stops when nobody can be
    caught, and may stop before; at boards all are played."""
    found = []
    for played in range(1, match.games + 1):
        for games in product("AB=", repeat=played):
            if match.boards:
                fits = played == match.games
            else:
                fits = all(
                    2 * max(games[:at].count("A"), games[:at].count("B")) <= match.games
                    for at in range(played)
                )
            if fits:
                found.append("".join(games))
    return found


def columns_of(match: Match) -> tuple[str, ...]:
    return (*COLUMNS, "EMGSB", "EMGSB/C1") if match.boards else COLUMNS


@st.composite
def halls(draw: st.DrawFn) -> Hall:
    """Some rounds: people stay away, do not come, and results are corrected."""
    match = draw(st.sampled_from(MATCHES))
    plan = of_matches(
        match, scoring=draw(st.sampled_from(SCORINGS)), tie_breaks=columns_of(match),
        unplayed_rounds=draw(st.sampled_from(["fide_2024", "fide_2026"])),
    )  # fmt: skip
    hall = Hall(plan)
    names = NAMES[: draw(st.integers(3, 6))]
    for name in names:
        hall.tell(told.Registered(player=name))
    ways = playable(match)
    for number in range(1, draw(st.integers(1, 3)) + 1):
        for name in draw(st.lists(st.sampled_from(names), max_size=1)):
            counts = draw(st.sampled_from(["half_bye", "zero_bye", "full_bye"]))
            hall.tell(told.ByeRequested(player=name, round=number, counts=counts))
        here = draw(st.permutations([p.id for p in hall.now.available(number)]))
        tables = [
            told.Table(number=at + 1, seats=tuple(here[2 * at : 2 * at + 2]))
            for at in range(len(here) // 2)
        ]
        hall.tell(
            told.RoundPaired(
                round=number, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
                tables=tuple(tables), byes=tuple(here[2 * len(tables):]),
            ),
            told.RoundStarted(round=number),
        )  # fmt: skip
        for table in tables:
            for again in range(draw(st.integers(1, 2))):
                absent = draw(st.sampled_from(["", "", "", "A", "B", "AB"]))
                games = tuple(draw(st.sampled_from(ways))) if not absent else ()
                places = {"": match_places(games), "A": (2, 1), "B": (1, 2), "AB": (1, 1)}[absent]
                ended = Outcome(places=places, absent=tuple(absent), games=games)
                where = {"round": number, "table": table.number, "outcome": ended}
                hall.tell(
                    told.ResultCorrected(**where, reason="misread")
                    if again
                    else told.ResultEntered(**where, source=ByHand(reason="slip"))
                )
        hall.tell(told.RoundClosed(round=number))
    return hall


class OneRound(NamedTuple):
    """What a round brought somebody: match points, how the games went, and whom they met."""

    points: Fraction
    games: tuple[int, int, int] = (0, 0, 0)
    """Won, drawn, lost."""
    met: str = ""
    asked: bool = False
    """They asked for a bye that brings no win."""
    away: bool = False
    """They did not come, or had asked not to."""
    forfeit: str = ""
    """Whom they should have met."""


def games_on_paper(hall: Hall) -> dict[str, list[OneRound]]:
    """Round by round, from nothing but what was told."""
    plan = hall.now.plan
    scoring, match = plan.scoring, plan.match
    assert isinstance(scoring, DuelScoring)
    assert match is not None
    enough = match.games // 2 + 1

    def unplayed(halves: int | None) -> tuple[int, int, int]:
        if halves is None:
            return enough, 0, 0
        return halves // 2, halves % 2, match.games - halves // 2 - halves % 2

    last = {
        (e.round, e.table): e.outcome
        for e in hall.events
        if isinstance(e, told.ResultEntered | told.ResultCorrected)
    }
    rounds: dict[str, list[OneRound]] = {name: [] for name in hall.now.players}
    for paired in (e for e in hall.events if isinstance(e, told.RoundPaired)):
        seats = {name: table for table in paired.tables for name in table.seats}
        for name, lines in rounds.items():
            counts = hall.now.player(name).away.get(paired.round, "zero_bye")
            if name in paired.byes or (name not in seats and counts == "full_bye"):
                lines.append(OneRound(Fraction(scoring.bye, 2), unplayed(match.bye_boards)))
                continue
            if name not in seats:
                half = Fraction(scoring.half_bye, 2) if counts == "half_bye" else Fraction(0)
                lines.append(OneRound(half, asked=True, away=True))
                continue
            table = seats[name]
            outcome = last[paired.round, table.number]
            mine, theirs = ("A", "B") if table.seats[0] == name else ("B", "A")
            other = table.seats["AB".index(theirs)]
            if mine in outcome.absent:
                lost = enough if match.no_show_boards is None else match.games
                lines.append(OneRound(Fraction(0), (0, 0, lost), away=True, forfeit=other))
            elif theirs in outcome.absent:
                won = unplayed(match.no_show_boards)
                lines.append(OneRound(Fraction(scoring.win, 2), won, forfeit=other))
            else:
                count = tuple(outcome.games.count(each) for each in (mine, "=", theirs))
                worth = (
                    scoring.win if count[0] > count[2]
                    else scoring.draw if count[0] == count[2] else scoring.loss
                )  # fmt: skip
                lines.append(OneRound(Fraction(worth, 2), count, met=other))
    return rounds


def on_paper(hall: Hall) -> dict[str, tuple[Fraction, ...]]:
    """Games won, the part of them, and the opponents' part; of teams the points of their opponents
    times the board points against them, with and without the lowest opponent."""
    plan = hall.now.plan
    scoring = plan.scoring
    assert isinstance(scoring, DuelScoring)
    rounds = games_on_paper(hall)
    rate = {}
    for name, lines in rounds.items():
        won, drawn, lost = (sum(line.games[at] for line in lines) for at in range(3))
        part = won * scoring.win + drawn * scoring.draw
        rate[name] = max(
            Fraction(33, 100), Fraction(part, scoring.win * max(1, won + drawn + lost))
        )
    score = {
        name: sum((line.points for line in lines), Fraction(0)) for name, lines in rounds.items()
    }
    adjusted = {}
    for name, lines in rounds.items():
        there = max((at for at, line in enumerate(lines) if not line.away), default=-1)
        adjusted[name] = sum(
            (Fraction(scoring.draw, 2) if line.asked and at > there else line.points
             for at, line in enumerate(lines)),
            Fraction(0),
        )  # fmt: skip

    def against(name: str, line: OneRound) -> Fraction:
        """What whoever they met has, or a dummy in their place."""
        if line.met:
            return adjusted[line.met]
        if plan.unplayed_rounds == "fide_2024":
            return score[name]
        if line.forfeit:
            return min(score[name], adjusted[line.forfeit])
        return min(score[name], Fraction(scoring.draw, 2) * len(rounds[name]))

    found = {}
    for name, lines in rounds.items():
        met = [rate[line.met] for line in lines if line.met]
        at_boards = [
            (not line.away, against(name, line), line.games[0] + Fraction(line.games[1], 2))
            for line in lines
        ]
        products = [opponent * mine for _, opponent, mine in at_boards]
        least = min(((here, opponent, opponent * mine) for here, opponent, mine in at_boards))
        games = [line.games for line in lines]
        values = [
            sum((won + Fraction(drawn, 2) for won, drawn, _ in games), Fraction(0)),
            rate[name],
            sum(met, Fraction(0)) / max(1, len(met)),
            *([sum(products), sum(products) - least[2]] if plan.boards else []),
        ]
        found[name] = tuple(Fraction(value) for value in values)
    return found


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(hall=halls())
def test_games_of_matches_count_as_adding_up_on_paper_says(hall: Hall) -> None:
    rows = standings(hall.now).rows
    assert {row.player: row.values[1:] for row in rows} == on_paper(hall)
    for row in rows:
        for part in why(hall.now, row.player).parts:
            rounds = [term.round for term in part.terms]
            assert rounds == sorted(rounds, key=lambda number: number or 99)


@pytest.mark.parametrize("match", [match for match in MATCHES if match.games < 6], ids=str)
def test_every_way_a_match_can_go_is_taken_and_no_other(match: Match) -> None:
    hall = Hall(of_matches(match))
    hall.tell(*(told.Registered(player=name) for name in NAMES[:2]))
    hall.tell(
        told.RoundPaired(
            round=1, algorithm="by-hand", version=1, seed=1, input_hash="0" * 64,
            tables=(told.Table(number=1, seats=(NAMES[0], NAMES[1])),),
        ),
        told.RoundStarted(round=1),
    )  # fmt: skip
    playable_ways = set(playable(match))
    for played in range(match.games + 2):
        for games in product("AB=", repeat=played):
            event = told.ResultEntered(
                round=1, table=1, source=ByHand(reason="slip"),
                outcome=Outcome(places=match_places(games), games=games),
            )  # fmt: skip
            if "".join(games) in playable_ways:
                apply(hall.now, event)
            else:
                with pytest.raises(NotPossible):
                    apply(hall.now, event)


def test_games_are_told_of_matches_alone_and_fit_the_places() -> None:
    with pytest.raises(ValidationError) as refused:
        Outcome(places=(2, 1), games=("A", "B", "A"))
    assert first_mistake(refused.value, WORDS).phrase.key == "flaw.places_of_the_games"
    for columns, match, why_not in (
        (("PTS", "GW"), None, "tie_break_for_matches"),
        (("PTS", "OGW"), None, "tie_break_for_matches"),
        (("PTS", "GP"), None, "tie_break_for_matches"),
        (("PTS", "SCORE"), Match(games=3), "tie_break_of_one_game"),
        (("PTS", "SHARE"), Match(games=2, boards=True), "tie_break_of_one_game"),
        (("PTS", "EMGSB"), Match(games=3), "tie_break_for_boards"),
    ):
        with pytest.raises(ValidationError) as refused:
            of_matches(match, tie_breaks=columns)
        assert first_mistake(refused.value, WORDS).phrase.key == f"flaw.{why_not}"


def test_a_plan_without_matches_and_a_result_of_one_game_are_written_as_before() -> None:
    assert "match" not in of_matches(None).model_dump(mode="json")
    assert "games" not in Outcome(places=(1, 2)).model_dump(mode="json")
