"""What a desk is told without asking: no-shows, lots in vain, short schedules, changed results,
substitutes; and players and whole tournaments from files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from answers.admin import people
from answers.context import Caller, open_store_context
from answers.requests.uploads import event_record
from answers.tournament import (
    broadcast,
    judging,
    lifecycle,
    players,
    printing,
    records,
    results,
    rounds,
    standings,
)
from answers.tournament.result_slips import Slip
from referee.errors import Conflicting, Unfit
from referee.table.author import Author
from referee.table.lifecycle import close
from referee.tournament.default_plans import usual_plan
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import Announced
from referee.tournament.interchange.json_csv import read_players
from tests.tournament.asking import Stand, swiss


def stand(*names: str, rounds: int = 3) -> Stand:
    return Stand(swiss(rounds), *names)


def warned(here: Stand, answered: object) -> str:
    return here.told(answered)  # type: ignore[arg-type]


def test_who_did_not_come_is_named_when_the_next_round_is_paired() -> None:
    here = stand("Ana", "Bo", "Cleo", "Dan")
    here.start()
    here.ask(results.enter_result, 1, Slip(["A"], absent=["B"]), "")
    here.slip(2, "A", "B")
    here.ask(rounds.close)
    missing = here.caller.name(here.now.round(1).table(1).seats[1])
    told = warned(here, here.pair())
    assert f"{missing} did not come to round 1 and is paired again" in told


def test_who_left_after_not_coming_is_not_named() -> None:
    here = stand("Ana", "Bo", "Cleo", "Dan")
    here.start()
    here.ask(results.enter_result, 1, Slip(["A"], absent=["B"]), "")
    here.slip(2, "A", "B")
    here.ask(rounds.close)
    here.ask(players.drop, here.now.round(1).table(1).seats[1])
    assert "did not come" not in warned(here, here.pair())


def test_who_is_not_checked_in_is_named_when_a_round_is_paired() -> None:
    here = Stand(usual_plan("benevolent", "swiss", 3), "Ana", "Bo")
    here.ask(players.check_in, everybody=True)
    here.add("Cleo")
    assert "not checked in, so not paired: Cleo" in warned(here, here.pair())


def test_only_those_who_met_are_named_when_a_table_meets_again() -> None:
    names = ("Ana", "Bo", "Cleo", "Dan")
    here = Stand(usual_plan("broom_service", "pods", 4, check_in=False), *names)
    here.start()
    here.slip(1, "A=40", "B=30", "C=20", "D=10")
    here.ask(rounds.close)
    assert "they meet again" in warned(here, here.pair())


def test_a_schedule_that_is_too_short_is_told_at_once() -> None:
    here = Stand(
        usual_plan("benevolent", "round_robin", 1, check_in=False), "Ana", "Bo", "Cleo", "Dan"
    )
    plan = here.now.plan
    published = here.ask(lambda caller, _: lifecycle.create(caller, "Other", plan))
    assert "one round is planned: everyone meets one opponent" in warned(here, published)
    assert "1 round is planned; everyone meets everyone only in 3" in warned(here, here.pair())
    longer = plan.model_copy(update={"rounds": 3})
    assert not here.ask(lambda caller, _: lifecycle.create(caller, "Third", longer)).warnings


def test_a_lot_among_some_of_those_who_are_level_is_told_to_change_nothing() -> None:
    here = stand("Ana", "Bo", "Cleo", "Dan", rounds=1)
    here.start()
    here.slip(1, "A=B")
    here.slip(2, "A=B")
    here.ask(rounds.close)
    assert "changes nothing" in warned(
        here, here.ask(standings.draw_lot, ["Ana", "Bo"], "x", seed=1)
    )
    everybody = ["Ana", "Bo", "Cleo", "Dan"]
    told = warned(here, here.ask(standings.draw_lot, everybody, "x", seed=1))
    assert "changes nothing" not in told


def test_a_correction_of_a_result_that_has_changed_is_refused_and_once_seen_is_not() -> None:
    here = stand("Ana", "Bo")
    here.start()
    here.slip(1, "A", "B")
    seen = here.now.round(1).result(1)
    assert seen is not None
    here.ask(results.correct_result, 1, Slip(["A=B"]), "ruled", corrects=seen.event)
    with pytest.raises(Conflicting) as refused:
        here.ask(results.correct_result, 1, Slip(["B", "A"]), "misread", corrects=seen.event)
    assert refused.value.key == "result_changed"
    now = here.now.round(1).result(1)
    assert now is not None
    here.ask(results.correct_result, 1, Slip(["B", "A"]), "seen", corrects=now.event, key="k")
    again = here.ask(
        results.correct_result, 1, Slip(["B", "A"]), "seen", corrects=now.event, key="k"
    )
    assert again.data.events[0].kind == "result_corrected"


def test_finals_that_a_correction_has_overtaken_are_told_at_the_next_closing() -> None:
    here = stand("Ana", "Bo", "Cleo", "Dan", rounds=1)
    here.play()
    here.ask(standings.finals, 2, style="knockout", lot=1)
    here.ask(rounds.reopen, 1, "misread")
    table = here.now.round(1).draw.table_of[here.now.finals.players[0]]  # type: ignore[union-attr]
    here.ask(results.correct_result, table.number, Slip(["B", "A"]), "misread", round=1)
    assert "after a correction" in warned(here, here.ask(rounds.close, 1))


def test_players_of_a_fide_report_are_registered_by_name_and_rating() -> None:
    here = stand("Ana Martin", "Bo")
    here.ask(players.edit, "Ana Martin", rating=1800)
    report = printing.exported(here.caller, here.id, "trf").content.decode()
    rows = read_players(report).entries
    assert {(row.name, row.rating) for row in rows} == {("Ana Martin", 1800), ("Bo", 0)}
    line = f"001 {7:>4} f    {'Dupont, Zoé':<33} {1650:>4} FRA"
    (found,) = read_players(f"012 Cup\n{line}\n").entries
    assert (found.name, found.rating) == ("Zoé Dupont", 1650)


def test_lists_are_by_last_name_where_it_is_known() -> None:
    here = stand("Zoé Ash", "Bo Young", "Cleo", "Amy")
    here.ask(players.register_list, read_players("Nom;Prénom\nYoung;Bo\nash;zoé\n"), "list")
    here.ask(players.edit, "Zoé Ash", last_name="Ash", title="wim", federation="fra", licence="7")
    here.pair()
    paper = printing.printed(here.caller, here.id, "names").content.decode()
    order = [paper.index(name) for name in ("Amy", "Ash, Zoé", "Cleo", "Young, Bo")]
    assert order == sorted(order)
    rows = {row.name: row for row in here.ask(players.players).data.players}
    zoé = rows["Zoé Ash"]
    assert (zoé.title, zoé.federation, zoé.licence, zoé.listed) == ("WIM", "FRA", "7", "Ash, Zoé")
    onlooker = replace(here.caller, author=Author(role="spectator"))
    assert {row.licence for row in players.players(onlooker, here.id).data.players} == {""}
    assert here.refusal(players.edit, "Bo Young", last_name="Bow").key == "last_name_elsewhere"
    refused = here.refusal(players.edit, "Bo Young", title="grandmaster")
    assert (refused.key, refused.facts["field"]) == ("bad_value", "title")
    here.caller.store_context.people.describe(zoé.player, title="long ago")
    assert "long ago" in {row.title for row in here.ask(players.players).data.players}


def test_what_is_kept_of_a_person_is_told_to_whoever_may_ask_and_erased_with_the_name() -> None:
    here = stand("Ana Martin")
    (ana,) = here.now.players
    here.ask(players.edit, "Ana Martin", last_name="Martin", licence="123456")
    assert people.known(here.caller, ana).data.details == {
        "last_name": "Martin", "licence": "123456",
    }  # fmt: skip
    people.erase(here.caller, ana)
    assert here.caller.store_context.people.details([ana]) == {}


def test_duels_of_a_game_that_a_table_wins_together_are_not_published_without_a_word() -> None:
    for game, format, warns in (
        ("bethel_woods", "swiss", True),
        ("bethel_woods", "ladder", False),
        ("benevolent", "swiss", False),
    ):
        plan = usual_plan(game, format, 3)
        here = Stand(swiss())
        for told in (
            lifecycle.create(here.caller, "Together", plan),
            here.ask(lifecycle.revise, plan, reason="as we play"),
        ):
            assert ("the whole table wins or loses" in here.told(told)) == warns, (game, format)


def test_an_announcement_is_told_until_the_next_or_the_end_of_it() -> None:
    here = stand("Ana", "Bo")
    for text in ("Lunch until 14:00", "Round 2 at 14:10", ""):
        here.ask(broadcast.announce, text)
        assert here.ask(lifecycle.info).data.announcement == text
    here.ask(broadcast.announce, "Thank you", key="k1")
    here.ask(broadcast.announce, "Thank you", key="k1")
    assert (
        sum(
            isinstance(one.event, Announced)
            for one in here.caller.store_context.desk.load(here.id).told
        )
        == 4
    )


def test_a_whole_tournament_with_its_games_is_proven_in_another_store(tmp_path: Path) -> None:
    here = stand("Ana", "Bo", rounds=1)
    here.start()
    game = here.ask(results.open_table, 1).data.game
    close(here.caller.bench, game, reason="the hall closes")
    packed = printing.exported(here.caller, here.id, "whole").content
    assert packed == printing.exported(here.caller, here.id, "whole").content
    there = Caller(open_store_context(f"sqlite://{tmp_path}/there.db"), ORGANISER)
    records.take_record(there, **event_record(packed))
    assert there.bench.game(game).head == here.caller.bench.game(game).head
    assert [p.key for p in judging.check(there, here.id).data.problems] == [
        p.key for p in here.ask(judging.check).data.problems
    ]


def test_a_packed_file_without_a_tournament_is_refused() -> None:
    here = stand("Ana", "Bo")
    whole = printing.exported(here.caller, here.id, "whole").content
    with pytest.raises(Unfit):
        event_record(whole[: len(whole) // 2])
