"""Brackets as they are drawn, on pages and on paper."""

from __future__ import annotations

import re
from html import unescape
from random import Random

import pytest

from answers.i18n import Voice
from answers.tournament import results, rounds
from answers.tournament.bracket import BracketRound, bracket, drawn_bracket, own_path
from answers.tournament.i18n import fluent
from answers.tournament.players import ask_byes, check_in, seed
from answers.tournament.printing import printed
from answers.tournament.result_slips import Slip
from answers.tournament.standings import OnTie
from referee.tournament.errors import NotPossible
from referee.tournament.events import CheckedIn, Outcome, RoundClosed, RoundStarted
from referee.tournament.plan import DoubleElimination, Knockout
from referee.tournament.ranking.score_sheet import score_sheet
from tests.tournament.asking import Stand
from tests.tournament.hosting import duels

NAMES = ["Ana", "Bo", "Cleo", "Dan", "Eva", "Flo", "Gus", "Hal", "Ivo"]


RULES: tuple[OnTie, ...] = ("replay", "better_seed", "later_seat", "judge")
CUPS = [(2, rule, False) for rule in RULES] + [
    (players, RULES[(at + third) % 4], bool(third))
    for at, players in enumerate((3, 4, 6, 8, 9))
    for third in (0, 1)
]


@pytest.mark.parametrize(("players", "on_tie", "third_place"), CUPS)
def test_whoever_won_goes_on_and_nobody_else(
    players: int, on_tie: OnTie, third_place: bool
) -> None:
    """A tie is won by whom the rule for it names, in the final as well."""
    format = Knockout(third_place=third_place, on_tie=on_tie)
    stand, chance = Stand(duels(format), *NAMES[:players]), Random(1)
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
            tied = on_tie != "replay" and chance.random() < 0.6
            places = (1, 1) if tied else chance.choice([(1, 2), (2, 1)])
            winner, order = table.seats[places.index(1)], chance.choice([("A", "B"), ("B", "A")])
            if tied and on_tie == "better_seed":
                winner = min(table.seats, key=stand.now.rounds[0].paired.seeding.index)
            elif tied:
                winner = table.seats[1 if on_tie == "later_seat" else "AB".index(order[0])]
            won[drawn.number, table.number] = winner
            outcome = Outcome(places=places, tie_order=order if tied else ())
            desk.enter_result(stand.id, drawn.number, table.number, outcome, "slip")
        desk.tell(stand.id, RoundClosed(round=drawn.number))
        check_drawn(stand, won)
        drawn_rounds = [(each.round, each.to_come) for each in drawn_now(stand)]
        needed = (players - 1).bit_length()
        assert drawn_rounds == [
            (number, 0 if number <= drawn.number else 2 ** (needed - number))
            for number in range(1, needed + 1)
        ]
    played = desk.load(stand.id).now.rounds
    has_one = any(each.third_place is not None for each in played)
    assert has_one == (third_place and players > 3)
    assert titles(stand)[-1] == "Final"


@pytest.mark.parametrize("players", range(2, 10))
def test_with_two_lives_everybody_is_drawn_where_their_defeats_put_them(players: int) -> None:
    stand, chance = Stand(duels(Knockout(lives=2)), *NAMES[:players]), Random(players)
    desk = stand.caller.store_context.desk
    for player in desk.load(stand.id).now.players:
        desk.tell(stand.id, CheckedIn(player=player))
    lost = dict.fromkeys(desk.load(stand.id).now.players, 0)
    seen: dict[tuple[int, int], tuple[str, dict[str, str], list[str]]] = {}
    while True:
        try:
            _, round = desk.pair(stand.id)
        except NotPossible:
            break
        last_two = len(round.draw.tables) == 1 and not round.draw.free
        desk.tell(stand.id, RoundStarted(round=round.number))
        for table in round.draw.tables:
            winner = chance.choice(table.seats)
            seen[round.number, table.number] = where_it_belongs(table.seats, lost, winner, last_two)
            places = tuple(1 if player == winner else 2 for player in table.seats)
            desk.enter_result(stand.id, round.number, table.number, Outcome(places=places), "slip")
        for table in round.draw.tables:
            for player in set(table.seats) - {*seen[round.number, table.number][2]}:
                lost[player] += 1
        desk.tell(stand.id, RoundClosed(round=round.number))
        drawn = drawn_now(stand)
        assert seen == {
            (each.round, table.table): (
                each.part,
                {seat.player: seat.note for seat in table.seats},
                [seat.player for seat in table.seats if seat.through],
            )
            for each in drawn
            for table in each.tables
        }
        over = sum(times < 2 for times in lost.values()) == 1
        assert [each.to_come for each in drawn if each.to_come] == [] if over else [1]
        order = [PARTS.index(each.part) for each in drawn]
        assert order == sorted(order)
    assert "inal · " in titles(stand)[-1]
    finals = [each for each in drawn_now(stand) if each.title.startswith(("Final", "Deciding"))]
    assert [each.title.split(" · ")[0] for each in finals] in (
        ["Final"],
        ["Final", "Deciding final"],
    )


@pytest.mark.parametrize("lives", [1, 2])
@pytest.mark.parametrize("players", [2, 3, 6, 9, 40])
def test_a_bracket_on_paper_has_everybody_it_is_drawn_with(players: int, lives: int) -> None:
    """And a blank line for everybody who is still to come; those who go on are bold."""
    names = [f"<{number}> & co" for number in range(players)]
    third = players > 3 and lives == 1
    stand, chance = Stand(duels(Knockout(lives=lives, third_place=third)), *names), Random(players)
    stand.ask(check_in, everybody=True)
    assert stand.refusal(printed, "bracket").key == "no_bracket_yet"
    for large in (False, True):
        _, round = stand.caller.store_context.desk.pair(stand.id)
        stand.ask(rounds.start)
        for table in round.draw.tables:
            slip = Slip(chance.choice([["A", "B"], ["B", "A"]]))
            stand.ask(results.enter_result, table.number, slip, "slip")
        stand.ask(rounds.close)
        drawn, page = drawn_now(stand), stand.ask(printed, "bracket", large=large).content.decode()
        seats = [seat for each in drawn for table in each.tables for seat in table.seats]
        assert [unescape(name) for name in re.findall(r"&lt;\d+&gt; &amp; co", page)] == [
            name
            for each in drawn
            for name in [
                *(seat.name for table in each.tables for seat in table.seats),
                *map(stand.caller.name, each.free),
            ]
        ]
        bold = [seat.through for seat in seats].count(True) + sum(len(e.free) for e in drawn)
        assert page.count("<b>") == bold
        blank = sum(each.to_come + each.third_to_come for each in drawn)
        assert page.count('class="blank"') == 2 * blank
        made = stand.ask(printed, "bracket", format="pdf", large=large).content
        assert len(re.findall(rb"/Type ?/Page\b", made)) >= len({each.part for each in drawn})
        if players == 2 and lives == 1:
            break


PARTS = ("Without a defeat", "With one defeat", "One of each, and final")


def where_it_belongs(
    seats: tuple[str, ...], lost: dict[str, int], winner: str, last_two: bool
) -> tuple[str, dict[str, str], list[str]]:
    """The part a table is drawn in, what is noted beside each, and who goes on."""
    defeats = [lost[player] for player in seats]
    part = PARTS[2 if sum(defeats) == 1 or (last_two and any(defeats)) else max(defeats)]
    notes = {
        player: " ".join(
            ["first defeat"] * (player != winner and not lost[player])
            + ["one defeat"] * (lost[player] == 1 and 0 in defeats)
        )
        for player in seats
    }
    return part, notes, [winner]


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


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8, 9])
def test_a_double_elimination_is_told_before_it_is_played(players: int) -> None:
    """What a path says of the next match, and of where a win and a defeat lead, comes true."""
    stand, chance = Stand(duels(DoubleElimination()), *NAMES[:players]), Random(players)
    assert "match" in stand.ask(printed, "bracket").content.decode()
    stand.ask(check_in, everybody=True)
    drawn = drawn_now(stand)
    assert sum(len(each.tables) for each in drawn) == 2 * players - 1
    names = {player: stand.caller.name(player) for player in stand.now.players}
    promised: dict[str, tuple[str, str]] = {}
    desk = stand.caller.store_context.desk
    while True:
        found = bracket(stand.caller, stand.id).data
        paths = {p: own_path(fluent(Voice("en")), found, p, names) for p in names}
        for player, (place, other) in promised.items():
            assert place in paths[player][0]
            assert paths[player][0].endswith(other) or " of match " in other
        try:
            _, round = desk.pair(stand.id)
        except NotPossible:
            break
        for table in round.draw.tables:
            for player, other in zip(table.seats, table.seats[::-1], strict=True):
                assert f"round {round.number}: against {names[other]}" in paths[player][0]
        stand.ask(rounds.start)
        promised = {}
        for table in round.draw.tables:
            slip = Slip(chance.choice([["A", "B"], ["B", "A"]]))
            stand.ask(results.enter_result, table.number, slip, "slip")
            won = table.seats["AB".index(slip.places[0])]
            for player in table.seats:
                line = paths[player][1 if player == won else 2]
                if told := re.search(r"to match (\d+), round (\d+), against (.*)", line):
                    promised[player] = (f"Match {told[1]}, round {told[2]}:", told[3])
                else:
                    over = "A win wins" if player == won else "A defeat is the end"
                    assert line.startswith(over)
        stand.ask(rounds.close)
        check_drawn_matches(stand)
    assert all(not path for path in paths.values())


def check_drawn_matches(stand: Stand) -> None:
    """Every table that was played is drawn once, with whoever won it."""
    drawn = [
        (each.round, table.table, [seat.player for seat in table.seats if seat.through])
        for each in drawn_now(stand)
        for table in each.tables
        if table.table is not None
    ]
    assert sorted(drawn) == [
        (round.number, table.number, [table.seats[entered.outcome.places.index(1)]])
        for round in stand.now.rounds
        for table in round.draw.tables
        if (entered := round.result(table.number)) is not None
    ]


def test_seeds_are_changed_by_number_until_the_first_round_starts() -> None:
    stand = Stand(duels(DoubleElimination()), *NAMES[:6])
    stand.ask(check_in, everybody=True)

    def order() -> list[str]:
        return [stand.caller.name(p) for p in bracket(stand.caller, stand.id).data.seeding]

    assert order() == NAMES[:6]
    stand.ask(seed, "Eva", 2)
    assert order() == ["Ana", "Eva", "Bo", "Cleo", "Dan", "Flo"]
    stand.caller.store_context.desk.pair(stand.id)
    stand.ask(seed, "Ana", 6)
    assert (order(), stand.now.rounds) == (["Eva", "Bo", "Cleo", "Dan", "Flo", "Ana"], ())
    assert stand.refusal(seed, "Ana", 7).key == "no_such_seed"
    stand.caller.store_context.desk.pair(stand.id)
    stand.ask(rounds.start)
    assert stand.refusal(seed, "Ana", 1).key == "seeds_are_played"


def test_the_best_begin_later_by_list() -> None:
    """Their first rounds count as told, and they are paired from then on; no bracket has that."""
    stand = Stand(duels(rounds=3), *NAMES[:8])
    stand.ask(check_in, everybody=True)
    assert stand.refusal(ask_byes, ["Ana"], 3).key == "byes_of_all_rounds"
    stand.ask(ask_byes, ["Ana", "Bo", "Ana"], 2)
    late = {player for player in stand.now.players if stand.caller.name(player) in ("Ana", "Bo")}
    desk = stand.caller.store_context.desk
    for number in (1, 2, 3):
        _, round = desk.pair(stand.id)
        seated = {player for table in round.draw.tables for player in table.seats}
        assert (late <= seated) if number == 3 else not late & seated
        stand.ask(rounds.start)
        for table in round.draw.tables:
            stand.ask(results.enter_result, table.number, Slip(["A", "B"]), "slip")
        stand.ask(rounds.close)
    kinds = {p: [line.kind for line in score_sheet(stand.now)[p]] for p in late}
    assert {*map(tuple, kinds.values())} == {("full_bye", "full_bye", "played")}
    cup = Stand(duels(DoubleElimination()), *NAMES[:4])
    assert cup.refusal(ask_byes, ["Ana"], 1).key == "byes_in_a_bracket"
