"""Players report their tables themselves: agreed by all, disputed where they differ."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.admin import access
from answers.answer import Answered
from answers.context import Caller, StoreContext, open_store_context
from answers.tournament import judging, lifecycle, player_reports, players, results, rounds
from answers.tournament.context import at_the_desk
from answers.tournament.result_slips import Slip, outcome_of, slip_telling
from engines.kernel.messages.errors import MessageError
from referee.errors import Misused, NotAllowed
from referee.store import open_store
from referee.table.author import Author, By
from referee.tournament.consistency import inspect
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    Agreed,
    ByHand,
    Outcome,
    PlayersMerged,
    Registered,
    ResultReported,
    RoundArranged,
    StartWithdrawn,
    Swapped,
    Table,
)
from referee.tournament.interchange.json_csv import PlayerRow
from referee.tournament.proof import verify_tournament
from tests.tournament.asking import Stand, brooms, swiss
from tests.tournament.hosting import Hall, duels, tables_of_four

A_WINS, B_WINS, DRAW = Slip(["A", "B"]), Slip(["B", "A"]), Slip(["A=B"])
JUDGE = Author("pjudge", "judge")


@pytest.fixture
def stand() -> Stand:
    made = Stand(swiss(), "Ana", "Bo", "Cleo", "Dan")
    made.ask(rounds.pair, seed=1)
    made.ask(rounds.start)
    return made


def sitting(stand: Stand, table: int = 1) -> tuple[str, ...]:
    return stand.now.current_round.table(table).seats


def phone(stand: Stand, player: str) -> Caller:
    return Caller(stand.caller.store_context, Author(player, "player"))


def report(stand: Stand, player: str, slip: Slip, table: int = 1) -> Answered[object]:
    return player_reports.report(phone(stand, player), stand.id, table, slip)


def refused(stand: Stand, player: str, slip: Slip = A_WINS, table: int = 1) -> str:
    with pytest.raises(MessageError) as error:
        report(stand, player, slip, table)
    return error.value.key


def test_it_is_the_result_once_everybody_at_the_table_says_so(stand: Stand) -> None:
    first, second = sitting(stand)
    report(stand, first, B_WINS)
    assert stand.now.current_round.result(1) is None
    report(stand, second, B_WINS)
    entered = stand.now.current_round.result(1)
    assert entered is not None
    assert entered.outcome.places == (2, 1)
    assert isinstance(entered.source, Agreed)
    events = [
        stand.caller.store_context.desk.load(stand.id).told[n].event for n in entered.source.reports
    ]
    assert [event.player for event in events] == [first, second]  # type: ignore[attr-defined]


def test_what_differs_waits_for_the_desk_until_they_agree_or_it_decides(stand: Stand) -> None:
    for table, end in ((1, "agree"), (2, "desk")):
        first, second = sitting(stand, table)
        report(stand, first, A_WINS, table)
        told = report(stand, second, DRAW, table)
        assert "do not match" in " ".join(told.told(stand.caller.voice))
        (concern,) = stand.ask(judging.disputes).data.concerns
        assert (concern.kind, concern.table) == ("reports", table)
        name = stand.caller.store_context.people.name
        assert concern.about == f"{name(first)}: {name(first)} won / {name(second)}: draw"
        if end == "agree":
            report(stand, second, A_WINS, table)
        else:
            stand.ask(results.enter_result, table, DRAW, "seen by the desk")
        assert stand.ask(judging.disputes).data.concerns == []
    by = [stand.now.current_round.result(table) for table in (1, 2)]
    assert [type(each.source) for each in by if each] == [Agreed, ByHand]


def test_a_round_that_waits_for_a_confirmation_is_not_closed(stand: Stand) -> None:
    report(stand, sitting(stand)[0], A_WINS)
    assert stand.refusal(rounds.close).key == "results_missing"


def test_a_player_speaks_for_nobody_else(stand: Stand) -> None:
    first, second = sitting(stand)
    stranger = sitting(stand, 2)[0]
    assert refused(stand, stranger) == "sits_elsewhere"
    with pytest.raises(NotAllowed) as error:
        player_reports.report(phone(stand, first), stand.id, 1, A_WINS, player=second)
    assert error.value.key == "for_oneself_only"
    for operation in (
        lambda caller: results.enter_result(caller, stand.id, 1, A_WINS, ""),
        lambda caller: rounds.close(caller, stand.id),
        lambda caller: players.drop(caller, stand.id, second),
        lambda caller: player_reports.answer_call(caller, stand.id, 3),
    ):
        with pytest.raises(NotAllowed):
            operation(phone(stand, first))


def test_who_has_no_phone_tells_the_desk(stand: Stand) -> None:
    first, second = sitting(stand)
    report(stand, first, A_WINS)
    stand.ask(player_reports.report, 1, A_WINS, player=second)
    assert stand.now.current_round.result(1) is not None
    assert stand.refusal(player_reports.report, 2, A_WINS).key == "which_players"


def test_nobody_wins_by_saying_alone_that_the_other_did_not_come(stand: Stand) -> None:
    report(stand, sitting(stand)[0], Slip(["A"], absent=["B"]))
    assert stand.now.current_round.result(1) is None


def test_a_report_after_the_result_is_refused_and_a_judge_is_called_instead(stand: Stand) -> None:
    first, second = sitting(stand)
    report(stand, first, A_WINS)
    report(stand, second, A_WINS)
    assert refused(stand, second, B_WINS) == "result_is_in"
    player_reports.call_judge(phone(stand, second), stand.id, 1, "we have misread the score")
    with pytest.raises(NotPossible) as error:
        player_reports.call_judge(phone(stand, second), stand.id, 1)
    assert error.value.key == "called_already"
    (concern,) = stand.ask(judging.disputes).data.concerns
    assert (concern.kind, concern.table, concern.call) == ("call", 1, stand.now.last)
    assert concern.about.endswith("calls a judge: we have misread the score")
    results.correct_result(
        Caller(stand.caller.store_context, JUDGE), stand.id, 1, B_WINS, "misread"
    )
    player_reports.answer_call(
        Caller(stand.caller.store_context, JUDGE), stand.id, concern.call, "corrected"
    )
    assert stand.ask(judging.disputes).data.concerns == []
    third = sitting(stand, 2)[0]
    for who, heard in ((second, ["corrected"]), (third, [])):
        told = rounds.tables(phone(stand, who), stand.id).data
        assert [each.text for table in told.tables for each in table.heard] == heard
    assert stand.refusal(player_reports.answer_call, concern.call).key == "answered_already"
    assert stand.refusal(player_reports.answer_call, 2).key == "no_such_call"


def test_an_open_call_is_remarked_upon_and_named_before_the_end(stand: Stand) -> None:
    player_reports.call_judge(phone(stand, sitting(stand)[0]), stand.id, 1)
    desk = stand.caller.store_context.desk
    assert [p.key for p in inspect(desk, stand.id) if p.is_remark] == ["table_waits"]
    for table in (1, 2):
        stand.ask(results.enter_result, table, A_WINS, "")
    closed = stand.ask(rounds.close)
    assert [warning.key for warning in closed.warnings] == ["tournament.disputes_wait"]
    assert stand.refusal(lifecycle.close).key == "disputes_are_open"


def test_a_record_needs_no_report(stand: Stand) -> None:
    stand.ask(results.open_table, 1)
    assert refused(stand, sitting(stand)[0]) == "record_tells_it"


def test_two_phones_that_confirm_at_once_make_one_result(stand: Stand) -> None:
    first, second = sitting(stand)
    for player in (first, second):
        for _ in range(2):
            answered = player_reports.report(
                phone(stand, player), stand.id, 1, A_WINS, key=f"phone-{player}"
            )
            assert answered.data.events
    assert stand.now.current_round.result(1) is not None
    reports = [
        one
        for one in stand.caller.store_context.desk.load(stand.id).told
        if isinstance(one.event, ResultReported)
    ]
    assert len(reports) == 2


def test_the_stream_with_reports_and_calls_is_proven(stand: Stand) -> None:
    first, second = sitting(stand)
    report(stand, first, A_WINS)
    report(stand, second, A_WINS)
    player_reports.call_judge(phone(stand, first), stand.id, 1)
    desk, store = stand.caller.store_context.desk, stand.caller.store_context.store
    assert verify_tournament(desk, stand.id, store.read(stand.id)).problems == []


def test_whoever_is_told_of_in_the_name_of_another_is_found_out(stand: Stand) -> None:
    """A stream written past the desk, in which a player reports for the opponent."""
    first, second = sitting(stand)
    desk = stand.caller.store_context.desk
    event = ResultReported(round=1, table=1, player=second, outcome=Outcome(places=(1, 2)))
    forger = By(Author(first, "player"), "forged")
    desk._append(stand.id, [event], stand.now.last, forger, desk.moment())
    report = verify_tournament(desk, stand.id, stand.caller.store_context.store.read(stand.id))
    assert [problem.key for problem in report.problems] == ["unlawful"]


def test_players_check_themselves_in_and_nobody_else() -> None:
    stand = Stand(swiss().model_copy(update={"check_in": True}), "Ana", "Bo")
    ana, bo = stand.now.players
    players.check_in(phone(stand, ana), stand.id, [ana])
    assert [player.status for player in stand.now.players.values()] == ["present", "registered"]
    with pytest.raises(NotAllowed):
        players.check_in(phone(stand, ana), stand.id, [bo])
    with pytest.raises(NotAllowed):
        players.check_in(phone(stand, ana), stand.id, everybody=True)


def test_a_code_stays_good_for_its_player_until_the_next_one_replaces_it(stand: Stand) -> None:
    rows = stand.ask(player_reports.invite, everybody=True).data.invitations
    assert [row.name for row in rows] == ["Ana", "Bo", "Cleo", "Dan"]
    anew = stand.ask(player_reports.invite, ["Ana"]).data.invitations
    store_context = stand.caller.store_context
    assert store_context.access.redeem(rows[0].code) is None
    found = store_context.access.redeem(anew[0].code)
    assert found is not None
    assert (found[0].role, found[0].scope, found[0].person) == ("player", stand.id, anew[0].player)
    again = store_context.access.redeem(anew[0].code)
    assert again is not None
    assert again[0].person == anew[0].player
    assert store_context.access.redeem(rows[1].code) is not None
    with pytest.raises(Misused):
        access.code(stand.caller, "player", scope=stand.id, name="Ana")


INVITED = st.lists(
    st.tuples(st.integers(0, 1), st.sets(st.integers(0, 2), min_size=1)), min_size=1, max_size=6
)


@settings(max_examples=20)
@given(INVITED)
def test_of_all_codes_those_are_good_that_were_made_last_for_their_player_and_event(
    told: list[tuple[int, set[int]]],
) -> None:
    """The same people at two events: an invitation to one takes none to the other away."""
    names = ("Ana", "Bo", "Cleo")
    store_context = StoreContext(open_store("memory:"))
    cups = [Stand(swiss(), *names, store_context=store_context) for _ in range(2)]
    good: dict[tuple[int, str], str] = {}
    codes: list[str] = []
    for at, who in told:
        asked = [names[each] for each in sorted(who)]
        for row in cups[at].ask(player_reports.invite, asked).data.invitations:
            good[at, row.name] = row.code
            codes.append(row.code)
    for code in codes:
        came = store_context.access.redeem(code)
        expected = [whom for whom, last in good.items() if last == code]
        found = [] if came is None else [(came[0].scope, came[0].person)]
        assert found == [(cups[at].id, cups[at].id_of(name)) for at, name in expected]


# what becomes of reports when the tables change


def reported(hall: Hall, table: int = 1) -> None:
    player = hall.now.current_round.table(table).seats[0]
    hall.tell(ResultReported(round=1, table=table, player=player, outcome=Outcome(places=(1, 2))))


def test_reports_go_with_the_seats_they_were_about() -> None:
    hall = Hall(duels(), 4)
    hall.start()
    one, two = hall.now.current_round.draw.tables
    reported(hall, 1)
    reported(hall, 2)
    a, b = one.seats
    hall.tell(Swapped(round=1, a=a, b=b, reason="seats"))
    assert set(hall.now.current_round.reports) == {2}
    made_anew = (Table(number=1, seats=(b, a)), Table(number=2, seats=(two.seats[1], two.seats[0])))
    hall.tell(RoundArranged(round=1, tables=made_anew, reason="anew"))
    assert hall.now.current_round.reports == {}
    reported(hall, 1)
    hall.tell(StartWithdrawn(round=1, reason="too early"))
    assert hall.now.current_round.reports == {}
    assert hall.refolded() == hall.now


def test_reports_and_calls_of_an_entry_are_those_of_who_it_turned_out_to_be() -> None:
    hall = Hall(duels(), 4)
    hall.start()
    hall.tell(Registered(player="pzz"))
    player = hall.now.current_round.table(1).seats[0]
    reported(hall)
    hall.tell(PlayersMerged(player="pzz", merged=player, reason="one person"))
    assert set(hall.now.current_round.reports[1]) == {"pzz"}


def test_three_of_four_are_not_everybody() -> None:
    hall = Hall(tables_of_four(), 4)
    hall.start()
    *first, last = hall.now.current_round.table(1).seats
    outcome = Outcome(places=(1, 2, 3, 4), scores=(40, 30, 20, 10))
    for player in first:
        hall.tell(ResultReported(round=1, table=1, player=player, outcome=outcome))
    assert hall.now.current_round.result(1) is None
    hall.tell(ResultReported(round=1, table=1, player=last, outcome=outcome))
    assert hall.now.current_round.result(1) is not None


SAID = [Outcome(places=places) for places in ((1, 2), (2, 1), (1, 1))]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), max_size=8))
def test_whatever_is_reported_the_result_is_what_all_said_last(
    said: list[tuple[int, int]],
) -> None:
    hall = Hall(duels(), 2)
    hall.start()
    seats = hall.now.current_round.table(1).seats
    last: dict[int, Outcome] = {}
    for seat, at in said:
        event = ResultReported(round=1, table=1, player=seats[seat], outcome=SAID[at])
        agreed = last.get(0) is not None and last.get(0) == last.get(1)
        if agreed:
            with pytest.raises(NotPossible):
                hall.tell(event)
            continue
        hall.tell(event)
        last[seat] = SAID[at]
    entered = hall.now.current_round.result(1)
    both = last.get(0) is not None and last.get(0) == last.get(1)
    assert (entered.outcome if entered else None) == (last[0] if both else None)
    differ = len(last) == 2 and not both
    assert hall.now.current_round.differing == ((1,) if differ else ())


def test_a_confirmed_slip_tells_exactly_what_was_reported() -> None:
    """Every ranking of three and four with ties, with and without points and absences."""
    stand = Stand(brooms(), "Ana", "Bo", "Cleo", "Dan")
    stand.ask(rounds.pair, seed=1)
    tried = 0
    for ranks in product((1, 2, 3, 4), repeat=4):
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
        scores = tuple(40 - 10 * place for place in places)
        for told in (scores, None):
            outcome = Outcome(places=places, scores=told)
            with at_the_desk(stand.caller, stand.id) as context:
                slip = slip_telling(outcome)
                anyway = Slip(slip.places, slip.scores, anyway=True)
                assert outcome_of(context, 1, 1, anyway) == outcome
            tried += 1
    assert tried == 512
    absent = Outcome(places=(1, 2, 4, 3), absent=("C",), scores=(9, 8, 0, 7))
    with at_the_desk(stand.caller, stand.id) as context:
        assert outcome_of(context, 1, 1, slip_telling(absent)) == absent


def test_a_hall_that_reports_at_the_same_moment_is_heard(tmp_path: Path) -> None:
    """Every phone through one service: nobody is sent away because somebody else was quicker."""
    store_context = open_store_context(f"sqlite://{tmp_path}/hall.db")
    desk = Caller(store_context, ORGANISER)
    event = lifecycle.create(desk, "Cup", swiss()).data.tournament
    players.register(desk, event, [PlayerRow(name=f"P{number}") for number in range(32)])
    rounds.pair(desk, event, seed=1)
    rounds.start(desk, event)
    seats = {
        player: table.number
        for table in store_context.desk.load(event).now.current_round.draw.tables
        for player in table.seats
    }

    def tell(player: str) -> str:
        caller = Caller(store_context, Author(player, "player"))
        return player_reports.report(caller, event, seats[player], A_WINS).outcome

    with ThreadPoolExecutor(len(seats)) as hands:
        assert set(hands.map(tell, seats)) == {"done"}
    assert store_context.desk.load(event).now.current_round.waiting == ()
    store_context.store.close()
