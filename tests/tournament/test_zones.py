"""Judges' zones: the own calls first, and every call is shown to every judge whatever the zones.
The map of the hall: every table once, as it is with it."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.context import Caller
from answers.i18n import Voice
from answers.judge.calls import calls
from answers.tournament import hall_map, judging, player_reports, results, rounds, zones
from answers.tournament.result_slips import Slip
from referee.table.author import Author
from referee.tournament.events import HallRow, Zone, ZonesSet
from referee.tournament.hall_map import row_text, rows_told
from referee.tournament.zones import judges_of, nearness, overlaps
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
    stand.ask(hall_map.set_hall, ["1x2"])
    for number in (1, 2):
        stand.start()
        seat = stand.now.current_round.table(number).seats[0]
        stand.ask(player_reports.call_judge, number, player=stand.caller.name(seat))
        shown = calls(as_judge(stand, "Jo")).data.calls
        assert [(row.call.round, row.engine) for row in shown if row.call] == [
            *enumerate(plan.games[:number], 1)
        ]
        for round in range(1, number + 1):
            (row,) = stand.ask(hall_map.hall, round=round).data.rows
            usual = "open" if round == number else "done"
            expected = ["disputed" if table == round else usual for table in (1, 2)]
            assert [each.state for each in row.tables] == expected, (number, round)
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


@given(
    st.lists(
        st.builds(
            lambda who, first, more: Zone(judge=who, first=first, last=first + more),
            st.sampled_from(("pjo", "pkim", "plou")), st.integers(1, 12), st.integers(0, 5),
        ),
        max_size=6,
    )
)  # fmt: skip
def test_zones_that_overlap_are_those_of_several_judges_table_by_table(told: list[Zone]) -> None:
    """However often one judge has the same table, behind whomever."""
    marked = []
    for table in range(1, 20):
        whose: list[str] = []
        for zone in told:
            if table in range(zone.first, zone.last + 1) and zone.judge not in whose:
                whose.append(zone.judge)
        assert [*judges_of(told, table)] == whose
        for judge in ("pjo", "pkim", "plou"):
            expected = 0 if whose.count(judge) else 2 if whose else 1
            assert nearness(told, table, judge) == expected
        marked += [(table, whose)] if len(whose) > 1 else []
    found = overlaps(told)
    assert [
        (table, [*run.judges]) for run in found for table in range(run.first, run.last + 1)
    ] == (marked)
    for one, other in pairwise(found):
        assert one.judges != other.judges or one.last + 1 < other.first, "one run each"


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


# the map of the hall


@pytest.mark.parametrize("seed", range(30))
def test_rows_are_read_as_they_stand_and_told_again_as_they_were_read(seed: int) -> None:
    dice = Random(seed)
    tables = dice.sample(range(1, 60), dice.randrange(1, 40))
    if seed % 2:
        tables.sort(reverse=seed % 4 == 1)
    rows = []
    while tables:
        some, tables = tables[: (cut := dice.randrange(1, 12))], tables[cut:]
        rows.append(HallRow(name=dice.choice(["", "A", "Scène: fond"]), tables=tuple(some)))
    assert rows_told([row_text(row) for row in rows]) == tuple(rows)


def test_several_rows_are_said_at_once_and_numbered_on() -> None:
    told = rows_told(["Stage: 3 1", "", " 2 x 3 ", "B:12–10", "13"])
    assert [row.tables for row in told] == [(3, 1), (4, 5, 6), (7, 8, 9), (12, 11, 10), (13,)]
    assert [row.name for row in told] == ["Stage", "", "", "B", ""]


@pytest.mark.parametrize(
    "lines",
    [["0"], ["1-1000"], ["99x99"], ["1x0"], ["A"], ["A:"], [": 1"], ["1-"], ["1-2-3"], ["1", "1"],
     ["3-1 2"], ["990", "1x10"], ["x" * 25 + ": 1"], ["1-99 100"], ["9x9"] * 9, ["1x1"] * 61],
)  # fmt: skip
def test_what_is_no_row_of_the_hall_is_refused_and_the_map_stays(lines: list[str]) -> None:
    stand = hall()
    stand.ask(hall_map.set_hall, ["1x2"])
    assert stand.refusal(hall_map.set_hall, lines).key in {
        "bad_hall_row", "stands_twice", "too_many_rows",
    }  # fmt: skip
    assert [row.tables for row in stand.now.hall] == [(1, 2)]


def test_every_table_is_on_the_map_once_and_as_it_is_with_it() -> None:
    stand = hall()
    for table in (1, 2):
        stand.ask(results.enter_result, table, Slip(["A", "B"]), "")
    a, b = stand.now.current_round.table(3).seats
    stand.ask(player_reports.call_judge, 2, player=stand.now.current_round.table(2).seats[0])
    stand.ask(player_reports.report, 3, Slip(["A", "B"]), player=a)
    stand.ask(player_reports.report, 4, Slip(["A", "B"]),
              player=stand.now.current_round.table(4).seats[0])  # fmt: skip
    stand.ask(player_reports.report, 3, Slip(["B", "A"]), player=b)
    stand.ask(hall_map.set_hall, ["Front: 3-1", "9 4"])
    for role in ("organiser", "judge", "scribe", "player", "spectator"):
        asker = Caller(stand.caller.store_context, Author("psomebody", role), Voice())
        found = hall_map.hall(asker, stand.id).data
        states = [[(each.table, each.state) for each in row.tables] for row in found.rows]
        assert states == [
            [(3, "disputed"), (2, "disputed"), (1, "done")], [(9, "free"), (4, "reported")],
        ]  # fmt: skip
        assert [(each.table, each.state) for each in found.outside] == [(5, "open"), (6, "open")]
        assert found.lines == ["Front: 3-1", "9, 4"]
    told = stand.told(stand.ask(hall_map.hall))
    assert all(part in told for part in ("3!", "1✓", "4…", "not on the map: 5, 6"))
    stand.ask(hall_map.set_hall)
    assert "no map" in stand.told(stand.ask(hall_map.hall))
