"""Results of matches: how they are written, read, told and refused."""

from __future__ import annotations

from itertools import product

import pytest

from answers.context import Caller
from answers.i18n import Voice
from answers.tournament import player_reports, printing, results, rounds, standings
from answers.tournament.context import DeskCall
from answers.tournament.i18n import fluent
from answers.tournament.match_slips import (
    match_text,
    read_games,
    results_of,
    tally,
)
from answers.tournament.result_slips import Slip, outcome_of, read_line, slip_telling
from engines.kernel.messages.errors import MessageError
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from referee.tournament.events import GameResult, Outcome, match_places
from referee.tournament.fold import apply
from referee.tournament.interchange.json_csv import pairings_csv
from referee.tournament.plan import Match, Plan
from tests.tournament.asking import Stand
from tests.tournament.test_matches import playable
from tests.tournament.test_papers import cells, page

BEST_OF_THREE = Match(games=3)
EIGHT_MINUTES = {"minutes": 8, "on_time": "judge"}


def of_matches(match: Match, format: str = "swiss", **more: object) -> Plan:
    return usual_plan("benevolent", format, 3, check_in=False, match=match, **more)


def paired(match: Match, format: str = "swiss", **more: object) -> tuple[Stand, DeskCall]:
    stand = Stand(of_matches(match, format, **more), "Ana", "Bo", "Cy", "Di")
    stand.start()
    return stand, DeskCall(stand.caller, stand.id)


def by_hand(match: Match) -> dict[tuple[int, int, int], bool]:
    """Every tally of a match, counted game by game, and whether more could have been played."""
    return {
        (way.count("A"), way.count("B"), way.count("=")): len(way) == match.games
        or 2 * max(way.count("A"), way.count("B")) > match.games
        for way in playable(match)
    }


@pytest.mark.parametrize("games", range(2, 8))
def test_every_result_of_a_match_is_written_read_and_taken(games: int) -> None:
    """What can be played can be told in figures, whatever the dash, and no other figures."""
    match = Match(games=games)
    stand, context = paired(match)
    possible = by_hand(match)
    for first, second, drawn in product(range(games + 2), repeat=3):
        if first + second == 0 and drawn == 0:
            continue
        figures = f"{first}-{second}" if not drawn else f"{first}-{second}-{drawn}"
        for word in (figures, figures.replace("-", "–")):
            if first + second + drawn > games:
                with pytest.raises(MessageError, match="too_many_games"):
                    read_games(match, word, listed=False)
                continue
            told = read_games(match, word, listed=False)
            assert tally(told) == (first, second, drawn)
            assert read_games(match, tally(told).short, listed=False) == told
        slip = Slip([figures], anyway=True)
        if (finished := possible.get((first, second, drawn))) is None:
            with pytest.raises(MessageError):
                apply(stand.now, results._by_hand(context, 1, 1, slip, "slip", {}))
            continue
        outcome = outcome_of(context, 1, 1, slip)
        event = results._by_hand(context, 1, 1, slip, "slip", {})
        assert apply(stand.now, event).round(1).result(1).outcome == outcome  # type: ignore[union-attr]
        assert match.is_over(outcome.games) is finished
        if not finished:
            with pytest.raises(MessageError, match="match_unfinished"):
                outcome_of(context, 1, 1, Slip([figures]))
        assert outcome_of(context, 1, 1, Slip([figures], timed_out=True)).timed_out


@pytest.mark.parametrize("games", range(2, 6))
@pytest.mark.parametrize("boards", [False, True])
def test_every_order_of_games_is_confirmed_as_it_was_told(games: int, boards: bool) -> None:
    match = Match(games=games, boards=boards)
    _, context = paired(match)
    for way in playable(match):
        outcome = outcome_of(context, 1, 1, Slip(games=way, anyway=True))
        assert "".join(outcome.games) == way
        assert outcome.places == match_places(outcome.games)
        again = slip_telling(outcome)
        assert again.games == way
        assert outcome_of(context, 1, 1, Slip(games=again.games, anyway=True)) == outcome
        line = f"1 {way if boards else tally(outcome.games).short}"
        _, slip = read_line(line, anyway=True)
        assert tally(outcome_of(context, 1, 1, slip).games) == tally(outcome.games)


@pytest.mark.parametrize("games", range(2, 10))
def test_what_is_offered_is_every_result_without_draws_the_clearest_first(games: int) -> None:
    match = Match(games=games)
    if games < 8:
        plain = {told for told in by_hand(match) if not told[2]}
        assert {*results_of(match)} == plain
    offered = results_of(match)
    assert {*offered} == {type(told)(told.second, told.first) for told in offered}
    leads = [told.first - told.second for told in offered]
    assert leads == sorted(leads, reverse=True)


@pytest.mark.parametrize(
    ("match", "slip", "key"),
    [
        (BEST_OF_THREE, Slip(["A", "B"]), "bad_games"),
        (BEST_OF_THREE, Slip(["A=B"]), "bad_games"),
        (BEST_OF_THREE, Slip(["Ana"]), "bad_games"),
        (BEST_OF_THREE, Slip(["ABA"]), "bad_games"),
        (BEST_OF_THREE, Slip(games="AXA"), "bad_games"),
        (BEST_OF_THREE, Slip(["2-2"]), "too_many_games"),
        (BEST_OF_THREE, Slip(["3-0"]), "won_before"),
        (BEST_OF_THREE, Slip(games="AAB"), "won_before"),
        (BEST_OF_THREE, Slip(["1-1"]), "match_unfinished"),
        (BEST_OF_THREE, Slip(["0-0"]), "games_wanted"),
        (Match(games=3, boards=True), Slip(["2-1"]), "bad_boards"),
        (Match(games=3, boards=True), Slip(["AB"]), "game_of_every_board"),
        (Match(games=3, boards=True), Slip(["AB"], anyway=True), "game_of_every_board"),
        (None, Slip(games="2-1"), "one_game_each"),
        (None, Slip(["2-1"]), "not_at_this_table"),
    ],
)
def test_a_match_that_is_told_otherwise_is_refused(
    match: Match | None, slip: Slip, key: str
) -> None:
    stand, _ = paired(match)  # type: ignore[arg-type]
    assert stand.refusal(results.enter_result, 1, slip, "slip").key == key


def test_who_does_not_come_to_a_match_needs_no_games() -> None:
    stand, _ = paired(BEST_OF_THREE)
    stand.slips("1 -B\n2 0-2")
    told = [stand.now.round(1).results[table][0].outcome for table in (1, 2)]
    assert told == [
        Outcome(places=(1, 2), absent=("B",)),
        Outcome(places=(2, 1), games=("B", "B")),
    ]


@pytest.mark.parametrize(
    ("boards", "games", "text"),
    [
        (False, "BAA", "A 2 – 1 B"),
        (False, "AB=", "A 1 – 1 B (1 drawn)"),
        (False, "BB", "A 0 – 2 B"),
        (True, "AB=A", "A 2½ – 1½ B (A B = A)"),
        (True, "===B", "A 1½ – 2½ B (= = = B)"),
        (True, "=BBB", "A ½ – 3½ B (= B B B)"),
    ],
)
def test_the_result_of_a_match_is_told_in_games(boards: bool, games: str, text: str) -> None:
    told: tuple[GameResult, ...] = tuple(games)  # type: ignore[assignment]
    assert match_text(fluent(Voice()), Match(games=4, boards=boards), told) == text


def said_to_win(told: str) -> int:
    """The games of the first in ``2-1`` or ``ABA``."""
    return int(told[0]) if "-" in told else told.count("A")


def test_two_players_who_tell_the_same_games_agree_in_whatever_order() -> None:
    stand, _ = paired(BEST_OF_THREE)
    for table, (first, second) in {1: ("2-1", "ABA"), 2: ("ABA", "2-1")}.items():
        for player, told in zip(
            stand.now.round(1).table(table).seats, (first, second), strict=True
        ):
            caller = Caller(stand.caller.store_context, Author(player, "player"))
            player_reports.report(caller, stand.id, table, Slip(games=told))
        assert stand.now.round(1).result(table) is not None
    for said in product(("2-1", "BAA", "1-2"), repeat=3):
        again, _ = paired(BEST_OF_THREE)
        last: dict[str, int] = {}
        seats = again.now.round(1).table(1).seats
        for player, told in zip((seats[0], seats[1], seats[0]), said, strict=True):
            if again.now.round(1).result(1) is None:
                caller = Caller(again.caller.store_context, Author(player, "player"))
                player_reports.report(caller, again.id, 1, Slip(games=told))
                last[player] = said_to_win(told)
        agreed = len(last) == 2 and len({*last.values()}) == 1
        assert (again.now.round(1).result(1) is not None) == agreed, said
    boards, _ = paired(Match(games=3, boards=True))
    for player, told in zip(boards.now.round(1).table(1).seats, ("ABA", "BAA"), strict=True):
        caller = Caller(boards.caller.store_context, Author(player, "player"))
        player_reports.report(caller, boards.id, 1, Slip(games=told))
    assert boards.now.round(1).differing == (1,)


def test_papers_and_lists_tell_the_games_from_both_sides() -> None:
    stand, _ = paired(BEST_OF_THREE)
    stand.slips("1 2-1\n2 1-1-1")
    rows = [row[3] for row in cells(page(stand, "crosstable"))[1:]]
    assert sorted(cell.split()[1] for cell in rows) == ["1–1–1", "1–1–1", "1–2", "2–1"]
    for what in ("slips", "crosstable", "rules"):
        made = printing.printed(stand.caller, stand.id, what, format="pdf")
        assert made.content.startswith(b"%PDF")
    told = stand.caller.store_context.people.names([*stand.now.players])
    listed = pairings_csv(stand.now, 1, told).splitlines()
    assert listed[0].endswith('"A","B","game 1","game 2","game 3"')
    assert [line.split(",", 4)[4] for line in listed[1:]] == ['"B","A","A"', '"B","draw","A"']


@pytest.mark.parametrize("before", [None, BEST_OF_THREE])
def test_finals_may_be_played_in_longer_matches(before: Match | None) -> None:
    stand = Stand(usual_plan("benevolent", "swiss", 1, check_in=False, match=before), *"abcd")
    stand.start()
    stand.slips("1 2-1\n2 2-0" if before else "1 A B\n2 A B")
    stand.ask(rounds.close)
    answer = stand.ask(standings.finals, 2, style="knockout", match=5, lot=1)
    assert "best of 5 games, 3 win" in stand.told(answer)
    stand.start()
    refused = stand.refusal(results.enter_result, 1, Slip(["2-1"]), "slip")
    assert refused.key == "match_unfinished"
    assert "game 5" in page(stand, "slips")
    stand.slips("1 1-3")
    assert stand.now.round(2).results[1][0].outcome.games == ("A", "B", "B", "B")
    assert stand.now.round(1).results[1][0].outcome.games == (("B", "A", "A") if before else ())


def test_finals_in_matches_need_points_of_duels() -> None:
    stand = Stand(usual_plan("benevolent", "swiss", 1, check_in=False, scoring={
        "kind": "places", "places": (4, 0)}, tie_breaks=("PTS",)), *"abcd")  # fmt: skip
    stand.start()
    stand.slips("1 A B\n2 A B")
    stand.ask(rounds.close)
    told = {"style": "knockout", "match": 3, "lot": 1}
    assert stand.refusal(standings.finals, 2, **told).key == "finals_of_duels"


def test_a_match_that_ends_level_in_time_is_decided_by_the_rules_of_the_knock_out() -> None:
    stand, _ = paired(BEST_OF_THREE, "knockout", time=EIGHT_MINUTES, options={"on_tie": "judge"})
    assert (
        stand.refusal(results.enter_result, 1, Slip(["1-1"], timed_out=True), "slip").key
        == "judge_decides_tie"
    )
    stand.ask(results.enter_result, 1, Slip(["1-1"], timed_out=True, tie_order="B"), "slip")
    stand.slips("2 2-0")
    stand.ask(rounds.close)
    through = {stand.now.round(1).table(1).seats[1], stand.now.round(1).table(2).seats[0]}
    stand.start()
    assert {*stand.now.round(2).table(1).seats} == through
