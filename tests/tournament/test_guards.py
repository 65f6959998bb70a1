"""The desk guards the organiser: names, rounds and results that cannot be meant so."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from answers.i18n import Voice
from answers.tournament import judging, lifecycle, player_reports, players, results, rounds
from answers.tournament.context import DeskCall
from answers.tournament.result_slips import Slip, outcome_of
from engines.kernel.messages.errors import MessageError
from referee.archive.read_models import list_games
from referee.judging.disputes import dispute
from referee.table.author import By
from referee.tournament import desk
from referee.tournament.default_plans import usual_plan
from referee.tournament.errors import WORDS
from referee.tournament.events import Outcome
from referee.tournament.interchange.json_csv import read_players
from referee.tournament.organiser_warnings import contradict
from referee.tournament.pairing.rounds import check_tournament
from referee.tournament.plan import Plan
from referee.tournament.ranking.standings import standings
from tests.cli.transcripts import run
from tests.tournament.asking import Stand, brooms, swiss

FOUR = ("Ana", "Bo", "Cleo", "Dan")


# names


@pytest.mark.parametrize("name", ["Ugo", "ugo urbain", "4", "#4", "Urb", "004"])
def test_every_spelling_of_a_registered_player_finds_that_player(name: str) -> None:
    stand = Stand(swiss(), "Ana", "Bo", "Cleo")
    stand.pair()
    stand.add("Ugo Urbain")
    stand.ask(players.come_late, name)
    assert stand.names() == ["Ana", "Bo", "Cleo", "Ugo Urbain"]
    assert stand.now.players[stand.id_of("Ugo Urbain")].status == "present"


def test_who_is_not_registered_comes_late_only_when_said_to_be_new() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.pair()
    assert stand.refusal(players.come_late, "Ugo").key == "late_and_unknown"
    stand.ask(players.come_late, "Ugo", new=True)
    assert "Ugo" in stand.names()
    assert stand.refusal(players.come_late, "Ugo", new=True).key == "registered_already"


def test_a_name_goes_before_a_number() -> None:
    stand = Stand(swiss(), "Ana", "1")
    stand.ask(players.drop, "1")
    assert stand.now.players[stand.id_of("1")].status == "dropped"
    stand.ask(players.drop, "#1")
    assert stand.now.players[stand.id_of("Ana")].status == "dropped"


def test_two_of_the_same_name_in_one_call_are_told_by_name() -> None:
    stand = Stand(swiss(), *FOUR)
    refused = stand.refusal(players.register, [*_entries("Eva  Sol", "Eva Sol")])
    assert (refused.key, refused.facts["player"]) == ("registered_already", "Eva Sol")


def _entries(*names: str) -> list[object]:
    return list(read_players("name\n" + "\n".join(names)).entries)


def test_a_name_like_one_on_the_list_is_pointed_out() -> None:
    stand = Stand(swiss(), "Ugo Urbain")
    assert "Ugo Urbain" in stand.told(stand.add("Ugo"))


def test_data_of_a_player_are_corrected_and_cleared() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.ask(players.edit, "Ana", club="Oak", rating=1500, seed=2, fixed_table=7)
    ana = stand.now.players[stand.id_of("Ana")]
    assert (ana.club, ana.rating, ana.seed, ana.fixed_table) == ("Oak", 1500, 2, 7)
    stand.ask(players.edit, "Ana", club="", seed=0, fixed_table=0)
    ana = stand.now.players[stand.id_of("Ana")]
    assert (ana.club, ana.rating, ana.seed, ana.fixed_table) == ("", 1500, None, None)
    assert stand.refusal(players.edit, "Ana").key == "nothing_to_edit"


def test_who_has_no_place_in_any_round_is_taken_off_the_list_for_good() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.ask(players.unregister, "Dan")
    stand.add("Eva")
    assert [player.number for player in stand.now.players.values()] == [1, 2, 3, 5]
    stand.play()
    assert stand.refusal(players.unregister, "Ana").key == "has_played"


def test_a_ghost_becomes_the_player_it_stood_for() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.play()
    stand.ask(players.drop, "Dan")
    stand.ask(players.come_late, "Daniel", new=True)
    stand.play()
    before = sum(row.values[0] for row in standings(stand.now).rows)
    stand.ask(players.merge, "Dan", "Daniel", "registered twice")
    assert stand.names() == list(FOUR)
    assert stand.now.players[stand.id_of("Dan")].status == "present"
    assert sum(row.values[0] for row in standings(stand.now).rows) == before
    assert check_tournament(stand.now) == []
    stand.play()
    assert check_tournament(stand.now) == []


def test_two_who_played_in_the_same_round_are_two() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.play()
    assert stand.refusal(players.merge, "Ana", "Bo", "the same").key == "both_played"


def test_columns_nobody_understands_are_named_and_first_names_are_read() -> None:
    listed = read_players("Nom,Prénom,Téléphone\nDupont,Jean,1\nDupont,Marie,2\n")
    assert [entry.name for entry in listed.entries] == ["Jean Dupont", "Marie Dupont"]
    stand = Stand(swiss())
    assert "Téléphone" in stand.told(stand.ask(players.register_list, listed, "list.csv"))
    assert stand.names() == ["Jean Dupont", "Marie Dupont"]


# rounds


def reopened() -> Stand:
    """The third round is played, the second open again."""
    stand = Stand(swiss(), *FOUR)
    stand.play()
    stand.play()
    stand.start()
    stand.ask(rounds.reopen, 2, "misread")
    return stand


def test_an_answer_without_a_round_is_about_the_last_one() -> None:
    stand = reopened()
    told = stand.told(stand.slip(1, "A", "B"))
    assert told.startswith("round 3, table 1")
    assert "reopened earlier: 2" in told
    assert stand.now.round(3).result(1) is not None
    assert len(stand.now.round(2).results[1]) == 1
    assert stand.ask(rounds.tables).data.round == 3


def test_a_hint_to_correct_names_the_round_it_means() -> None:
    stand = reopened()
    refused = stand.refusal(results.enter_result, 1, Slip(["A", "B"]), "slip", round=2)
    assert (refused.key, refused.facts["round"]) == ("result_is_in", 2)
    told = stand.told(stand.ask(results.correct_result, 1, Slip(["B", "A"]), "so", round=2))
    assert told.startswith("round 2, table 1")
    assert "round close 2" in told


def test_a_round_that_is_open_again_is_not_paired_over() -> None:
    stand = reopened()
    for table in (1, 2):
        stand.slip(table, "A", "B")
    stand.ask(rounds.close)
    stand.ask(lifecycle.revise, rounds=4, reason="one more")
    assert stand.refusal(rounds.pair).facts["round"] == 2


def test_what_could_not_be_avoided_is_said_when_a_round_is_paired() -> None:
    stand = Stand(swiss(4), "Ana", "Bo", "Cleo")
    for _ in range(3):
        stand.play()
    told = stand.told(stand.pair())
    assert "meet again" in told
    assert "second bye" in told


def test_who_leaves_a_table_is_missed_there() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.pair()
    assert "unpair" in stand.told(stand.ask(players.drop, "Ana"))
    assert "--absent" in stand.told(stand.ask(rounds.start))
    table = stand.now.round(1).draw.table_of[stand.id_of("Ana")]
    assert "Ana has withdrawn" in stand.told(stand.slip(table.number, "A", "B"))


# results

SEATS = "ABCD"


def counter_of(stand: Stand) -> DeskCall:
    return DeskCall(stand.caller, stand.id)


@pytest.fixture(scope="module")
def table_of_four() -> Stand:
    stand = Stand(brooms(), *FOUR)
    stand.start()
    return stand


def test_points_alone_place_everybody(table_of_four: Stand) -> None:
    """Every way four seats can score: whoever has more is before, equals share a place."""
    context = counter_of(table_of_four)
    for points in product(range(3), repeat=4):
        words = [f"{seat}={score}" for seat, score in zip(SEATS, points, strict=True)]
        outcome = outcome_of(context, 1, 1, Slip(words))
        places = [1 + sum(other > mine for other in points) for mine in points]
        assert (list(outcome.places), outcome.scores) == (places, points)


def test_places_and_points_must_agree(table_of_four: Stand) -> None:
    """Of all orders of places only those that the points allow are taken."""
    context = counter_of(table_of_four)
    points = {"A": 4, "B": 9, "C": 9, "D": 0}
    told = [f"{seat}={score}" for seat, score in points.items()]
    for order in permutations(SEATS):
        falling = [points[seat] for seat in order] == sorted(points.values(), reverse=True)
        slip = Slip([*order, *told])
        if not falling:
            with pytest.raises(MessageError, match="places_against_points"):
                outcome_of(context, 1, 1, slip)
            assert contradict(outcome_of(context, 1, 1, replace(slip, anyway=True)))
        else:
            outcome = outcome_of(context, 1, 1, slip)
            assert [outcome.places[SEATS.index(seat)] for seat in order] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("slip", "key"),
    [
        (Slip(["A"]), "place_of_everybody"),
        (Slip(["A", "B", "C", "D"]), "points_wanted"),
        (Slip(["A=3", "B=2"]), "score_of_everybody"),
        (Slip(["A", "B", "C", "D"], scores=["A"]), "bad_score"),
        (Slip(["A=3", "B=2", "C=1", "D=0", "E=99"]), "not_at_this_table"),
        (Slip(["A=3", "B=2", "C=1", "D=0"], absent=["E"]), "not_at_this_table"),
        (Slip(["A", "B", "C", "E"], anyway=True), "not_at_this_table"),
        (Slip(["A=3", "A=4", "B=2", "C=1", "D=0"]), "score_twice"),
        (Slip(["A=3", "B=2"], ["C=1", "D=0", "B=9"], anyway=True), "score_twice"),
        (Slip(["A=B", "C", "D", "A=3", "B=2", "C=1", "D=0"]), "places_against_points"),
    ],
)
def test_a_result_that_says_too_little_or_contradicts_itself_is_refused(
    slip: Slip, key: str, table_of_four: Stand
) -> None:
    """Told anew, or instead of a result."""
    assert table_of_four.refusal(results.enter_result, 1, slip, "slip").key == key
    told = Stand(brooms(), *FOUR)
    told.start()
    told.slip(1, "A=3", "B=2", "C=1", "D=0")
    assert told.refusal(results.correct_result, 1, slip, "slip").key == key


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_is_told_of_a_seat_that_is_not_there_or_of_who_did_not_come(
    data: st.DataObject,
) -> None:
    """By name, by whichever door: entered, corrected, in a list or from a phone."""
    size = data.draw(st.integers(2, 4))
    stand = Stand(swiss() if size == 2 else brooms(), *FOUR[:size])
    stand.start()
    seats = stand.now.round(1).table(1).seats
    words = [f"{seat}={data.draw(st.integers(0, 9))}" for seat in SEATS[:size]]
    at = data.draw(st.integers(0, size - 1))
    if data.draw(st.booleans()):
        other = data.draw(st.sampled_from("ABCDEFGH"[size:]))
        more = data.draw(st.sampled_from([([f"{other}=5"], []), ([other], []), ([], [other])]))
        key, named = "not_at_this_table", other
    else:
        points = f"{SEATS[at]}={data.draw(st.integers(1, 9))}"
        words[at] = data.draw(st.sampled_from([points, SEATS[at]]))
        more, named = ([], [SEATS[at]]), stand.caller.store_context.people.name(seats[at])
        key = "result_of_absent"
    slip = Slip([*words, *more[0]], absent=more[1])
    line = " ".join(["1", *slip.places, *(f"-{seat}" for seat in slip.absent)])
    refused = [
        stand.refusal(results.enter_result, 1, slip, ""),
        stand.refusal(results.enter_list, line).facts["problem"],
        stand.refusal(player_reports.report, 1, slip, player=seats[0]),
    ]
    stand.slip(1, *(f"{seat}={points}" for points, seat in enumerate(SEATS[:size])))
    refused.append(stand.refusal(results.correct_result, 1, slip, "misread"))
    for each in refused:
        assert each.key.removeprefix("error.") == key
        assert named in (each.facts.get("word"), *each.facts.get("names", ()))


def test_who_did_not_come_needs_no_points() -> None:
    stand = Stand(brooms(), *FOUR)
    stand.start()
    stand.slip(1, "A=3", "B=2", "C=5", absent=["D"])
    assert stand.now.round(1).results[1][0].outcome == Outcome(
        places=(2, 3, 1, 4), scores=(3, 2, 5, 0), absent=("D",)
    )


def test_points_that_were_left_out_are_remarked_upon() -> None:
    stand = Stand(brooms(1), *FOUR)
    stand.start()
    stand.slip(1, "A", "B", "C", "D", anyway=True)
    stand.ask(rounds.close)
    answered = stand.ask(judging.check)
    assert [problem.key for problem in answered.data.problems] == ["scores_missing"]
    assert answered.outcome == "done"


def test_a_list_of_results_is_taken_as_a_whole_or_not_at_all() -> None:
    stand = Stand(swiss(), *FOUR, "Eva", "Flo")
    stand.start()
    refused = stand.refusal(results.enter_list, "1 A B\n2 A C\n")
    assert (refused.key, refused.facts["line"]) == ("line_of_results", 2)
    twice = stand.refusal(results.enter_list, "1 A B\n1 A B\n")
    assert twice.facts["problem"].key == "error.table_named_twice"
    stand.slips("# slips of the first row\n1 A B\n2 A=7 B=7   # a draw\n\n3 A -B\n")
    found = [entered[0].outcome for _, entered in sorted(stand.now.round(1).results.items())]
    assert [outcome.places for outcome in found] == [(1, 2), (1, 1), (1, 2)]
    assert found[2].absent == ("B",)


@pytest.mark.parametrize("text", ["", "# nothing", "one A B", "3", '3 "A'])
def test_a_line_that_is_none_is_refused(text: str) -> None:
    stand = Stand(swiss(), *FOUR)
    stand.start()
    assert stand.refusal(results.enter_list, text).key in ("no_lines", "line_of_results")


LINES = ["1 A B", "2 A C", "3 A=7 B=7", "3 B A", "9 A B", "rubbish", "# for people", "", "2 B A"]


@given(order=st.permutations(LINES))
@settings(max_examples=25)
def test_of_a_list_with_bad_lines_the_others_can_be_recorded(order: list[str]) -> None:
    """By the reader of one line alone: a line is right where it would be, and its table is new."""
    stand = Stand(swiss(), *FOUR, "Eva", "Flo")
    stand.start()
    text = "\r\n".join(order)
    right: dict[str, int] = {}
    for number, line in enumerate(order, 1):
        if line in ("1 A B", "3 A=7 B=7", "3 B A", "2 B A"):
            right.setdefault(line[0], number)
    said = {number for number, line in enumerate(order, 1) if line[:1] not in ("", "#")}
    wrong = sorted(said - set(right.values()))
    refused = stand.refusal(results.enter_list, text)
    assert (refused.facts["line"], refused.facts["lines"]) == (wrong[0], wrong)
    assert not stand.now.round(1).results
    answered = stand.ask(results.enter_list, text, rest=True)
    assert [warning.facts["line"] for warning in answered.warnings] == wrong
    assert {str(table) for table in stand.now.round(1).results} == set(right)


def test_a_list_looks_up_the_games_of_the_event_once_for_all_its_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a line costs stays small: 127 open the view of games as often as one does."""

    def looked_up(lines: int) -> int:
        stand = Stand(swiss(), *(f"Player {number}" for number in range(254)))
        stand.start()
        asked: list[object] = []

        def counted(*given: Any, **more: Any) -> Any:
            asked.append(given)
            return list_games(*given, **more)

        with monkeypatch.context() as patch:
            patch.setattr(desk, "list_games", counted)
            stand.slips("\n".join(f"{table} A B" for table in range(1, lines + 1)))
        assert len(stand.now.round(1).results) == lines
        return len(asked)

    assert looked_up(127) == looked_up(1) <= 2


def test_a_slip_needs_no_reason_where_there_is_no_record() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.start()
    stand.ask(results.enter_result, 1, Slip(["A", "B"]), "")
    stand.ask(results.open_table, 2)
    refused = stand.refusal(results.enter_result, 2, Slip(["A", "B"]), "")
    assert refused.key == "result_needs_reason"


def test_the_desk_starts_once_for_many_commands(newcomer: Path) -> None:
    lines = """
players add Ana Bo "Cleo Sol" Dan
pair --seed 1
start
1 A B
2 A C
result 2 --absent B
round close
quit
pair
"""
    (newcomer / "first.txt").write_text(lines, "utf-8")
    run("referee tournament new Cup --of benevolent --no-check-in")
    out, code = run("referee tournament desk < first.txt")
    assert code == 2, out
    assert "“C” does not sit at this table" in out
    assert "Round 1 is closed." in out
    assert "round 2" not in run("referee tournament tables")[0]


def test_one_of_anything_is_told_as_one() -> None:
    stand = Stand(swiss(1), "Ana", "Bo")
    stand.start()
    missing = stand.refusal(rounds.close)
    assert (
        WORDS.say("error.results_missing", "en", **missing.facts)
        == "round 1: no result yet from table 1"
    )
    stand.slip(1, "A", "B")
    stand.ask(rounds.close)
    refused = stand.refusal(rounds.pair)
    said = WORDS.say("error.no_more_rounds", "en", **refused.facts)
    assert said == "the tournament has one round"


def test_measures_of_teams_are_named() -> None:
    stand = Stand(usual_plan("bethel_woods", "ladder", 1, check_in=False), "Owls")
    stand.start()
    assert "won 1 · level 3" in stand.told(stand.slips("1 1 3"))


# disputes


def disputed() -> Stand:
    stand = Stand(swiss(1), "Ana", "Bo")
    stand.start()
    game = stand.ask(results.open_table, 1).data.game
    dispute(stand.caller.bench, game, 0, text="wrong colours", seat="B", by=By(stand.caller.author))
    stand.slip(1, "A", "B")
    return stand


def test_open_disputes_are_named_when_a_round_closes_and_stop_the_end() -> None:
    stand = disputed()
    assert "1/1 d1" in stand.told(stand.ask(rounds.close))
    answered = stand.ask(judging.check)
    assert "dispute_open" in [problem.key for problem in answered.data.problems]
    assert stand.refusal(lifecycle.close).facts["disputes"] == ["1/1 d1"]
    assert "1/1 d1" in stand.told(stand.ask(lifecycle.close, anyway=True))


# repairs inside a round


def test_who_comes_late_meets_who_had_the_bye() -> None:
    stand = Stand(swiss(), *FOUR, "Eva")
    stand.start()
    (bye,) = stand.now.round(1).draw.byes
    free = stand.caller.name(bye)
    stand.ask(players.come_late, "Ugo", new=True)
    head = stand.caller.store_context.desk.load(stand.id).head
    stand.ask(rounds.seat_together, ["Ugo", free])
    assert stand.caller.store_context.desk.load(stand.id).head == head, (
        "without a reason it is shown only"
    )
    stand.ask(rounds.seat_together, ["Ugo", free], reason="came in time after all")
    assert ["Ugo", free] in stand.seats()
    assert stand.now.round(1).draw.byes == ()
    for table in (1, 2, 3):
        stand.slip(table, "A", "B")
    stand.ask(rounds.close)
    assert stand.ranks()["Ugo"] == 1
    assert [p.key for p in check_tournament(stand.now)] == ["arranged_by_hand"]
    assert all(problem.is_remark for problem in check_tournament(stand.now))


def test_a_match_is_broken_and_made_while_the_round_is_played() -> None:
    stand = Stand(swiss(), *FOUR, "Eva", "Flo")
    stand.start()
    before = stand.seats()
    stand.slip(1, "A", "B")
    one, other = before[1][0], before[2][1]
    stand.ask(rounds.seat_together, [one, other], reason="they came together")
    assert stand.seats()[0] == before[0]
    assert [one, other] in stand.seats()
    assert {frozenset(seats) for seats in stand.seats()[1:]} == {
        frozenset({one, other}),
        frozenset({before[1][1], before[2][0]}),
    }
    refused = stand.refusal(rounds.seat_together, [before[0][0], one], reason="no")
    assert refused.key == "result_is_in"


def test_a_round_that_started_too_early_is_paired_anew() -> None:
    stand = Stand(swiss(), *FOUR)
    stand.start()
    stand.ask(rounds.unstart, "half the hall is missing")
    stand.ask(rounds.unpair, "again")
    stand.start()
    stand.slip(1, "A", "B")
    assert stand.refusal(rounds.unstart, "too late").key == "results_are_in"


@pytest.mark.parametrize("change", [rounds.swap_players, rounds.seat_together])
@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from([swiss(), brooms()]), st.integers(8, 16), st.sets(st.integers(0, 7), min_size=2)
)
def test_of_a_change_by_hand_only_what_changes_is_told(
    change: Any, plan: Plan, players: int, chosen: set[int]
) -> None:
    """As a preview and when it is made: a hall of a hundred tables does not hide it."""
    names = [f"P{number:02}" for number in range(players)]
    stand = Stand(plan, *names)
    stand.pair()
    before, draw = stand.now, stand.now.round(1).draw
    two = [names[at] for at in sorted(chosen)[:2]]
    asked = two if change is rounds.swap_players else [two]
    try:
        shown = stand.ask(change, *asked)
    except MessageError:
        reject()  # they sit so already
    assert stand.now == before
    made = stand.ask(change, *asked, reason="as they wish")
    after = stand.now.round(1).draw
    seats = {*draw.tables} ^ {*after.tables}
    moved = {player for table in seats for player in table.seats} | {*draw.byes} ^ {*after.byes}
    changed = {stand.caller.store_context.people.name(player) for player in moved}
    for answer in (shown, made):
        told = " ".join(answer.lines(Voice()))
        assert {name for name in names if name in told} == changed


def test_who_has_come_tonight_is_paired_and_nobody_else() -> None:
    stand = Stand(swiss(), *FOUR, "Eva")
    stand.ask(players.check_in_for_round, 1, ["Ana", "Bo"])
    stand.ask(players.check_in_for_round, 1, ["Cleo"])
    stand.ask(players.check_in_for_round, 1, ["Dan"])
    stand.start()
    placed = set(stand.now.round(1).draw.players)
    assert stand.id_of("Eva") not in placed
    assert len(placed) == 4
    stand.slips("1 A B\n2 A B")
    stand.ask(rounds.close)
    stand.start()
    assert stand.id_of("Eva") in set(stand.now.round(2).draw.players)
    assert check_tournament(stand.now) == []


# plans


def test_everything_that_decides_the_points_is_published() -> None:
    plan = brooms(
        scoring={
            "kind": "places", "places": (10, 6, 4, 2, 0), "by_size": {"3": (10, 5, 0)},
            "tied_first": 7, "bye": 6, "half_bye": 3,
        }
    )  # fmt: skip
    stand = Stand(plan)
    told = stand.told(stand.ask(lifecycle.info))
    for part in ("5 – 3 – 2 – 1 – 0", "table of 3: 5 – 2.5 – 0", "3.5", "bye 3"):
        assert part in told
    dutch = Stand(swiss(1, options={"system": "dutch"}, unplayed_rounds="fide_2024"))
    told = dutch.told(dutch.ask(lifecycle.info))
    for part in ("Dutch", "one round", "2024"):
        assert part in told


@pytest.mark.parametrize("made", ["--plan plan.toml", "--of benevolent --rounds 3"])
def test_the_edition_of_today_counts_however_the_event_was_made(newcomer: Path, made: str) -> None:
    (newcomer / "plan.toml").write_text(
        'games = ["benevolent"]\nrounds = 3\ntie_breaks = ["PTS", "BH"]\n'
        'format = {kind = "swiss"}\nseats = {least = 2, most = 2, preferred = 2}\n'
        "scoring = {kind = 'duel', win = 2}\n"
    )
    told, _ = run(f"referee tournament new Cup {made}")
    today = f"FIDE’s rules of {lifecycle.edition_today().removeprefix('fide_')}"
    assert today in told
    told, _ = run("referee tournament revise --plan plan.toml -m anew")
    assert today in told


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("--plan plan.toml --rounds 7", "plan_or_options"),
        ("--plan plan.toml --of benevolent", "plan_or_options"),
        ("--plan half.toml", "points_in_halves"),
        ("--plan text.toml", "bad_file"),
    ],
)
def test_a_plan_file_stands_alone_and_counts_half_points(
    newcomer: Path, line: str, key: str
) -> None:
    plan = (
        'games = ["benevolent"]\nrounds = 3\ntie_breaks = ["PTS"]\nformat = {kind = "swiss"}\n'
        "seats = {least = 2, most = 2, preferred = 2}\nscoring = {kind = 'duel', win = 2}\n"
    )
    (newcomer / "plan.toml").write_text(plan, "utf-8")
    (newcomer / "half.toml").write_text(plan.replace("win = 2", "win = 1.5"), "utf-8")
    (newcomer / "text.toml").write_text(plan.replace("rounds = 3", 'rounds = "3"'), "utf-8")
    assert run("referee tournament new Cup --plan plan.toml")[1] == 0
    out, _ = run(f"referee tournament new Cup {line} --json")
    assert f'"code": "{key}"' in out
