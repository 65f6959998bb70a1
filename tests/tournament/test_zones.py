"""Judges' zones: the own calls first, and every call is shown to every judge whatever the zones."""

from __future__ import annotations

from random import Random

import pytest

from answers.context import Caller
from answers.i18n import Voice
from answers.judge.calls import calls
from answers.tournament import judging, player_reports, rounds, zones
from referee.table.author import Author
from referee.tournament.events import ZonesSet
from tests.tournament.asking import Stand, swiss

NAMES = tuple(f"P{number}" for number in range(1, 13))
JUDGES = ("Jo", "Kim", "Lou")


def hall() -> Stand:
    stand = Stand(swiss(3), *NAMES)
    stand.pair()
    stand.ask(rounds.start)
    return stand


def as_judge(stand: Stand, name: str) -> Caller:
    there = stand.caller.store_context
    (person,) = there.people.find(name) or (there.people.add(name),)
    return Caller(there, Author(person, "judge"), Voice())


def test_a_call_is_of_its_own_round_and_what_is_played_there() -> None:
    """Every round has another game, and two of them are open."""
    plan = swiss(2).model_copy(update={"games": ("benevolent", "bloody_grove")})
    stand = Stand(plan, *NAMES[:4])
    for number in (1, 2):
        stand.start()
        seat = stand.now.current_round.table(number).seats[0]
        stand.ask(player_reports.call_judge, number, player=stand.caller.name(seat))
        shown = calls(as_judge(stand, "Jo")).data.calls
        assert [(row.call.round, row.engine) for row in shown if row.call] == [
            *enumerate(plan.games[:number], 1)
        ]
        if number == 1:
            stand.slips("1 A B\n2 A B")
            stand.ask(rounds.close)


def test_every_call_is_shown_to_everybody_whatever_the_zones() -> None:
    """The order is that of a naive list: mine, nobody's, others'; each as old as before."""
    random = Random(42)
    stand = hall()
    callers = [as_judge(stand, name) for name in JUDGES]
    tables = [table.number for table in stand.now.current_round.draw.tables]
    random.shuffle(tables)
    for table in tables[:5]:
        seat = stand.now.current_round.table(table).seats[0]
        stand.ask(player_reports.call_judge, table, player=stand.caller.name(seat))
    oldest = [call.event for call in stand.now.calls]
    at = {call.event: call.table for call in stand.now.calls}
    assert [row.call.number for row in calls(callers[0]).data.calls if row.call] == oldest
    for _ in range(25):
        told = []
        for _ in range(random.randrange(5)):
            first, last = sorted(random.choices(range(1, 9), k=2))
            told.append((random.choice(JUDGES), first, last))
        done = stand.ask(zones.set_zones, told)
        holders = {
            table: {name for name, first, last in told if first <= table <= last}
            for table in range(1, 9)
        }
        assert bool(done.warnings) == any(len(names) > 1 for names in holders.values())
        for name, judge in zip(JUDGES, callers, strict=True):
            mine = [one for one in oldest if name in holders[at[one]]]
            nobodys = [one for one in oldest if not holders[at[one]]]
            others = [one for one in oldest if one not in mine and one not in nobodys]
            expected = mine + nobodys + others
            shown = calls(judge).data.calls
            assert [row.call.number for row in shown if row.call] == expected
            concerns = judging.disputes(judge, stand.id).data.concerns
            assert [row.call for row in concerns] == expected
            lines = judging.disputes(judge, stand.id).lines(Voice())
            for one, line in zip(expected, lines, strict=True):
                inside = [each for each in told if each[1] <= at[one] <= each[2]]
                named = [
                    f"zone {f}–{t} ({n})" if t > f else f"zone {f} ({n})" for n, f, t in inside
                ]
                assert (", ".join(named) or "–") in line
                assert line.count("zone ") == len(named)
            for row in shown:
                assert row.place is not None
                assert set(row.zone) == holders[row.place.table]
                assert row.own_zone == (name in holders[row.place.table])


def test_zones_are_an_event_told_anew_as_a_whole() -> None:
    stand = hall()
    stand.ask(zones.set_zones, [("Jo", 1, 3), ("Kim", 3, 4)])
    found = stand.ask(zones.zones)
    assert [(row.judge, row.first, row.last) for row in found.data.zones] == [
        ("Jo", 1, 3),
        ("Kim", 3, 4),
    ]
    assert [(row.first, row.last, row.judges) for row in found.data.overlaps] == [
        (3, 3, ["Jo", "Kim"])
    ]
    assert found.data.outside == [5, 6]
    assert "in several zones: 3 (Jo, Kim)" in stand.told(found)
    assert "plusieurs zones" in stand.told(found, "fr")
    assert isinstance(stand.hosted.told[-1].event, ZonesSet)
    stand.ask(zones.set_zones, [])
    assert stand.now.zones == ()


def test_who_is_new_is_told_by_name_and_who_is_known_is_not() -> None:
    stand = hall()
    stand.ask(zones.set_zones, [("Jo", 1, 2)])
    for lang in ("en", "fr"):
        names = ["Jo", f"Zoe {lang}", "jo", f"Kim {lang}"]
        made = stand.ask(zones.set_zones, [(name, 1, 1) for name in names])
        voice = Voice(lang)
        told = [text for text in map(voice.spoken, made.warnings) if "“" in text or "«" in text]
        assert len(told) == 2
        assert all(name in text for name, text in zip(names[1::2], told, strict=True))


def test_a_request_that_is_repeated_names_nobody_twice() -> None:
    stand = hall()
    for _ in range(2):
        stand.ask(zones.set_zones, [("Zoe", 1, 2)], key="once")
    assert len(stand.caller.store_context.people.find("Zoe")) == 1
    assert sum(isinstance(told.event, ZonesSet) for told in stand.hosted.told) == 1


@pytest.mark.parametrize(("first", "last"), [(0, 2), (3, 2), (1, 1000)])
def test_a_zone_that_is_none_is_refused(first: int, last: int) -> None:
    assert hall().refusal(zones.set_zones, [("Jo", first, last)]).key == "zone_backwards"
