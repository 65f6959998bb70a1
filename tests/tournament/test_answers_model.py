"""Every list that an event answers with, beside the organiser's book.

Histories are made up as for the fold and all kept in one store, with the same people in each: an
answer says what the book of its own event says, in its order, as it stands today; and to everybody
what is for them.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import pytest

from answers.answer import Answered
from answers.context import Caller, StoreContext
from answers.i18n import Voice
from answers.judge.calls import calls
from answers.tournament import (
    apart,
    broadcast,
    hall_map,
    judging,
    lifecycle,
    players,
    printing,
    prizes,
    registration,
    rounds,
    standings,
    zones,
)
from answers.tournament.bracket import bracket
from referee.store import open_store
from referee.table.author import Author, By
from referee.tournament import events as told
from referee.tournament.events import PRIVATE, Event, Outcome
from tests.tournament.model import Book, Sitting
from tests.tournament.test_fold_model import NAMES, PLANS, STEPS, Desk

CALLS = 16
HISTORIES = max(7, int(os.environ.get("REFEREE_CHAOS", "0")))
CALLED = dict(
    zip(
        [*NAMES, "pja", "pjb"],
        ["Zoe", "Émile", "Yan", "Bo", "ana", "Cy", "Xi", "dan", "Will", "Eve", "Ulla", "Tom"],
        strict=True,
    )
)
"""In another order than the pseudonyms."""


class Cup(NamedTuple):
    """An event, its book, and whoever asks."""

    id: str
    name: str
    book: Book
    history: list[Event]
    tellers: list[str]
    """Who told each of the events."""
    context: StoreContext

    def ask(
        self,
        operation: Callable[..., Answered[Any]],
        *args: Any,
        by: tuple[str, str] = ("organiser", "pja"),
        **more: Any,
    ) -> Any:
        return operation(self.caller(by), self.id, *args, **more).data

    def caller(self, by: tuple[str, str] = ("organiser", "pja")) -> Caller:
        return Caller(self.context, Author(role=by[0], person=by[1]), Voice())

    def file(self, format: str, **more: Any) -> str:
        return printing.exported(self.caller(), self.id, format, **more).content.decode()

    def csv(self, of: str, **more: Any) -> list[list[str]]:
        return list(csv.reader(io.StringIO(self.file("csv", of=of, raw_csv=True, **more))))


def _cup(context: StoreContext, plan: str, seed: int) -> Cup:
    desk = Desk(PLANS[plan], 1000 + seed)
    history: list[Event] = []
    steps = STEPS - 6 * seed
    judges = [desk.called, *[desk.call_taken] * 4]  # in the end they have much to do at once
    for step in range(steps + CALLS):
        event = desk.anything() if step < steps else desk.chance.choice(judges)()
        if event is not None and desk.book.tell(event):
            history.append(event)
    again = told.RoundReopened(round=1, reason="a slip was misread")
    if seed % 2 and desk.book.tell(again):  # often beside another round that is open
        history.append(again)
    name = f"{plan} {seed}"
    created = told.Created(name=name, plan=PLANS[plan])
    tellers = [desk.chance.choice(["pja", "pjb"]) for _ in history]
    authors = {who: By(Author(role="organiser", person=who)) for who in ("pja", "pjb")}
    cup = context.desk.adopt([created], by=authors["pjb"]).id
    done = 0
    for who, some in groupby(tellers):
        count = len([*some])
        at = context.desk.moment()
        context.desk._append(cup, history[done : done + count], done, authors[who], at)
        done += count
    return Cup(cup, name, desk.book, history, tellers, context)


@pytest.fixture(scope="module")
def cups(tmp_path_factory: pytest.TempPathFactory) -> list[Cup]:
    context = StoreContext(open_store(f"sqlite:///{tmp_path_factory.mktemp('cups')}/cups.db"))
    for person, name in CALLED.items():
        context.people.adopt(person, name)
    return [_cup(context, plan, seed) for plan in PLANS for seed in range(HISTORIES)]


Compared = Iterator[tuple[Any, Any]]
"""What is answered, and what the book says."""


def named(people: list[str]) -> list[str]:
    return [CALLED[person] for person in people]


# what each list says


def who_plays(cup: Cup) -> Compared:
    people = cup.book.people
    for role in ("organiser", "judge", "spectator"):
        knows = role == "organiser"
        answer = cup.ask(players.players, by=(role, "pja"))
        yield answer.paid, sum(p.paid for p in people.values()) if knows else None
        yield (
            [
                (
                    p.player, p.number, p.name, p.club, p.rating, p.seed, p.fixed_table, p.sections,
                    p.status, p.paid, p.here_for,
                )
                for p in answer.players
            ],
            [
                (
                    name, p.number, CALLED[name], p.club, p.rating, p.seed, p.table,
                    list(p.sections), p.status, p.paid if knows else None,
                    [at for at, here in sorted(cup.book.here_for.items()) if name in here],
                )
                for name, p in people.items()
            ],
        )  # fmt: skip


def who_registers(cup: Cup) -> Compared:
    book, set_up = cup.book, cup.book.registration
    here = sum(p.status != "dropped" for p in book.people.values())
    waiting = [(at, who, CALLED[who], club) for at, (who, club) in enumerate(book.waiting, 1)]
    someone = [*book.people, *(who for who, _ in book.waiting), "pja"]
    asking = [("organiser", "pja"), ("scribe", "pja"), ("spectator", "pja")]
    for by in asking + [("player", who) for who in (someone[0], someone[-2], someone[-1])]:
        answer = cup.ask(registration.registration, by=by)
        yield answer.capacity, set_up.capacity if set_up else None
        yield (
            (answer.set, answer.registered, answer.waiting),
            (set_up is not None, here, len(waiting)),
        )
        yield (
            [(row.place, row.player, row.name, row.club) for row in answer.waiting_list],
            waiting if by[0] in ("organiser", "scribe") else [],
        )
        if by[0] == "player":
            number = book.people[by[1]].number if by[1] in book.people else None
            places = {who: at for at, who, _, _ in waiting}
            yield (answer.mine.number, answer.mine.place), (number, places.get(by[1]))
        if set_up is None or set_up.closes is None:
            if book.rounds or book.closed:
                state = "over"
            elif set_up is None or not set_up.open:
                state = "closed"
            else:
                state = "full" if book.waiting or book.free_places() == 0 else "open"
            yield answer.state, state


def who_is_kept_apart(cup: Cup) -> Compared:
    yield (
        [(row.event, row.players, row.names, row.withdrawn) for row in cup.ask(apart.apart).apart],
        [(at, k.players, named(k.players), k.over) for at, k in cup.book.apart.items()],
    )


# rounds


def tables_of_rounds(cup: Cup) -> Compared:
    for number, sitting in enumerate(cup.book.rounds, 1):
        seated = [player for seats in sitting.tables.values() for player in seats]
        for by in [
            ("judge", "pja"),
            ("spectator", "pja"),
            ("player", seated[0]),
            ("player", seated[-1]),
        ]:
            answer = cup.ask(rounds.tables, number, by=by)
            yield (
                (answer.round, answer.stage, answer.started, answer.closed, answer.third_place),
                (number, sitting.stage, sitting.started, sitting.closed, sitting.third),
            )
            yield (answer.byes, answer.free), (sitting.byes, sitting.free)
            yield [_table(row) for row in answer.tables], list(_tables(cup, number, sitting, by))
            yield _clock(answer.clock), _watch(sitting)


def _table(row: Any) -> Any:
    return (
        row.table,
        [(seat.player, seat.name) for seat in row.seats],
        (row.outcome, row.event, row.source and row.source["kind"]),
        {report.player: (report.outcome, report.event) for report in row.reports},
        row.differ,
        row.calling,
        [(each.player, each.text) for each in row.heard],
    )


def _tables(cup: Cup, number: int, sitting: Sitting, by: tuple[str, str]) -> Iterator[Any]:
    for at, seats in sitting.tables.items():
        calls = [c for c in cup.book.calls.values() if (c.round, c.table) == (number, at)]
        hears = by[0] in ("judge", "organiser") or by[1] in seats
        says = sitting.says.get(at, {})
        yield (
            at,
            [(player, CALLED[player]) for player in seats],
            _last_result(sitting, at),
            {
                player: (outcome.model_dump(mode="json"), sitting.said_at[at][player])
                for player, outcome in says.items()
            },
            not sitting.results.get(at)
            and any(one != other for one in says.values() for other in says.values()),
            [call.player for call in calls if call.answer is None],
            [(call.player, call.answer) for call in calls if call.answer is not None and hears],
        )


def _last_result(sitting: Sitting, table: int) -> Any:
    if not sitting.results.get(table):
        return None, None, None
    event, known_by = sitting.told_by[table][-1]
    kind = "agreed" if known_by.startswith("agreed") else "game" if known_by == "game-x" else "hand"
    return sitting.results[table][-1].model_dump(mode="json"), event, kind


def _clock(clock: Any) -> Any:
    return clock and (
        clock.state,
        clock.minutes,
        [(each.table, each.minutes) for each in clock.tables],
    )


def _watch(sitting: Sitting) -> Any:
    watch = sitting.watch
    if watch is None:
        return None
    state = "stopped" if watch.off else "paused" if watch.running is None else "running"
    others = [(at, watch.minutes + more) for at, more in sorted(watch.more.items()) if more]
    return state, watch.minutes, others


def pairings_in_a_spreadsheet(cup: Cup) -> Compared:
    for number, sitting in enumerate(cup.book.rounds, 1):
        rows = cup.csv("pairings", round=number)[1:]
        yield (
            rows,
            [
                *([str(number), str(at), *named(seats)] for at, seats in sitting.tables.items()),
                *([str(number), "bye", CALLED[player]] for player in sitting.byes),
                *([str(number), "free", CALLED[player]] for player in sitting.free),
            ],
        )


# judges


def what_waits_for_a_judge(cup: Cup) -> Compared:
    book = cup.book
    waiting = [(c.round, c.table, "call", at) for at, c in book.calls.items() if c.answer is None]
    for number, sitting in enumerate(book.rounds, 1):
        said = {at: [*sitting.says.get(at, {}).values()] for at in sitting.tables}
        waiting += [
            (number, at, "reports", None)
            for at, outcomes in said.items()
            if not sitting.closed and not sitting.results.get(at)
            if any(outcome != outcomes[0] for outcome in outcomes)
        ]
    for judge in ("pja", "pjb", "pa"):
        rows = cup.ask(judging.disputes, by=("judge", judge)).concerns
        mine, nobodys, others = [], [], []
        for row in waiting:
            whose = [name for name, first, last in book.zones if first <= row[1] <= last]
            near = mine if judge in whose else others if whose else nobodys
            near.append((*row, named(whose), judge in whose))
        yield (
            [(row.round, row.table, row.kind, row.call, row.zone, row.own_zone) for row in rows],
            [*mine, *nobodys, *others],
        )


def penalties(cup: Cup) -> Compared:
    given = [
        (at, f.player, f.halves, f.why, f.round, f.cancelled) for at, f in cup.book.fines.items()
    ]
    asked: list[tuple[tuple[str, str], str | None]] = [(("judge", "pja"), None)]
    asked += [(("organiser", "pja"), player) for player in cup.book.people]
    asked += [(("player", player), None) for player in cup.book.people]
    for by, whose in asked:
        rows = cup.ask(judging.penalties, name=whose, by=by).penalties
        about = by[1] if by[0] == "player" else whose
        yield (
            [
                (
                    row.event, row.player, row.halves,
                    (row.reason, row.clause, row.infringement, row.level), row.round, row.cancelled,
                )
                for row in rows
            ],
            [row for row in given if about in (None, row[1])],
        )  # fmt: skip


def whose_tables(cup: Cup) -> Compared:
    answer, last = cup.ask(zones.zones), cup.book.rounds[-1:]
    yield (
        [(row.judge, row.first, row.last) for row in answer.zones],
        [(CALLED[judge], first, last) for judge, first, last in cup.book.zones],
    )
    theirs = [at for _, first, last in cup.book.zones for at in range(first, last + 1)]
    outside = [at for sitting in last for at in sitting.tables if at not in theirs]
    yield answer.outside, outside if theirs else []


def what_was_told(cup: Cup) -> Compared:
    for role in ("organiser", "judge"):
        events = cup.ask(judging.history, by=(role, "pja")).events
        yield [row.number for row in events], list(range(len(cup.history) + 1))
        yield [row.by for row in events], ["pjb", *cup.tellers]
        kinds = [event.KIND for event in cup.history]
        yield [row.kind for row in events][1:], kinds
        hidden = [role != "organiser" and isinstance(event, PRIVATE) for event in cup.history]
        data = [event.model_dump(mode="json") for event in cup.history]
        yield (
            [row.data for row in events][1:],
            [{} if hide else told for hide, told in zip(hidden, data, strict=True)],
        )


# the hall


def the_broadcast(cup: Cup) -> Compared:
    book = cup.book
    for number in (None, *range(1, len(book.rounds) + 1)):
        answer = cup.ask(broadcast.broadcast, number=number)
        shown = number or len(book.rounds)
        tables = book.rounds[shown - 1].tables if shown else {}
        yield (answer.name, answer.closed, answer.round), (cup.name, book.closed, shown or None)
        yield answer.featured, [at for at in book.featured.get(shown, []) if at in tables]
        yield [(row.at, row.text) for row in answer.schedule], book.schedule
        yield (
            [(row.number, row.text, row.by) for row in answer.comments],
            [(at, text, CALLED[cup.tellers[at - 1]]) for at, text in reversed(book.comments)],
        )
        yield (answer.wall.shows, answer.wall.paused, answer.wall.leaf), book.wall


def the_map_of_the_hall(cup: Cup) -> Compared:
    """As it is with every table in each round, whatever waits in another one."""
    book = cup.book
    stand = [at for _, tables in book.hall for at in tables]
    for number in (None, *range(1, len(book.rounds) + 1)):
        shown = number or len(book.rounds) or None
        sitting = book.rounds[shown - 1] if shown and book.hall else None
        states = (
            {at: _on_the_map(book, shown, sitting, at) for at in sitting.tables} if sitting else {}
        )
        for role in ("organiser", "judge", "scribe", "player", "spectator"):
            answer = cup.ask(hall_map.hall, round=number, by=(role, "pja"))
            yield answer.round, shown
            yield (
                [(row.name, [(at.table, at.state) for at in row.tables]) for row in answer.rows],
                [(name, [(at, states.get(at, "free")) for at in some]) for name, some in book.hall],
            )
            yield (
                [(at.table, at.state) for at in answer.outside],
                sorted((at, state) for at, state in states.items() if at not in stand),
            )


def _on_the_map(book: Book, number: int | None, sitting: Sitting, table: int) -> str:
    says = [*sitting.says.get(table, {}).values()]
    calls = [call for call in book.calls.values() if (call.round, call.table) == (number, table)]
    if any(call.answer is None for call in calls):
        return "disputed"
    if sitting.results.get(table):
        return "done"
    if any(one != says[0] for one in says):
        return "disputed"
    return "reported" if says else "open"


def where_it_stands(cup: Cup) -> Compared:
    book, answer = cup.book, cup.ask(lifecycle.info)
    open_rounds = [at for at, sitting in enumerate(book.rounds, 1) if not sitting.closed]
    yield (
        (answer.name, answer.players, answer.rounds, answer.closed, answer.last_event),
        (cup.name, len(book.people), len(book.rounds), book.closed, len(cup.history)),
    )
    yield answer.open_round, open_rounds[-1] if open_rounds else None
    yield answer.plan, book.plan.model_dump(mode="json")
    yield answer.readings, {game: book.readings_of(game) for game in book.plan.games}
    yield answer.announcement, book.announcement
    yield [(row.at, row.text) for row in answer.schedule], book.schedule
    finals = book.finals and (book.finals.style, book.finals.players)
    yield answer.finals and (answer.finals.style, answer.finals.players), finals


def where_it_stood(cup: Cup) -> Compared:
    """After an earlier event, whatever was told since."""
    for after in range(0, len(cup.history), 9):
        then = Book(cup.history and PLANS[cup.name.split()[0]])
        for event in cup.history[:after]:
            then.tell(event)
        answer = cup.ask(lifecycle.info, at=after)
        yield (
            (answer.players, answer.rounds, answer.announcement, answer.closed, answer.last_event),
            (len(then.people), len(then.rounds), then.announcement, then.closed, after),
        )


def what_can_be_won(cup: Cup) -> Compared:
    answer = cup.ask(prizes.prizes)
    yield [(row.place, row.section, row.text) for row in answer.prizes], cup.book.prizes
    yield (answer.several, answer.final), (cup.book.several_prizes, cup.book.closed)
    for row in answer.prizes:
        yield row.names, named(row.players)


# standings


def who_is_ranked(cup: Cup) -> Compared:
    answer = cup.ask(standings.standings)
    ranked = [row.player for row in answer.rows]
    yield sorted(ranked), sorted(name for name, p in cup.book.people.items() if p.came)
    yield [row.name for row in answer.rows], named(ranked)
    yield [row.rank for row in answer.rows], sorted(row.rank for row in answer.rows)
    yield (
        cup.csv("standings")[1:] and [row[:2] for row in cup.csv("standings")[1:]],
        [[str(row.rank), row.name] for row in answer.rows],
    )
    labels = {label for p in cup.book.people.values() for label in p.sections}
    labels |= {section for _, section, _ in cup.book.prizes if section}
    yield answer.sections, sorted(labels)
    for label in labels:
        members = [row for row in answer.rows if label in cup.book.people[row.player].sections]
        better = {row.player: sum(other.rank < row.rank for other in members) for row in members}
        section = cup.ask(standings.standings, section=label.upper())
        yield (
            [(row.player, row.rank, row.section_rank) for row in section.rows],
            [(row.player, row.rank, better[row.player] + 1) for row in members],
        )


def the_bracket(cup: Cup) -> Compared:
    book, answer = cup.book, cup.ask(bracket)
    shown = [
        (number, sitting)
        for number, sitting in enumerate(book.rounds, 1)
        if sitting.stage != "main" or book.plan.format.kind in ("knockout", "double_elimination")
    ]
    yield (
        [
            (each.round, [(t.table, [seat.player for seat in t.seats]) for t in each.tables])
            for each in answer.rounds
        ],
        [(number, [*sitting.tables.items()]) for number, sitting in shown],
    )
    through = []
    for _, sitting in shown[-1:]:
        for at, seats in sitting.tables.items():
            if sitting.results.get(at):
                through += _going_on(book, sitting, seats, sitting.results[at][-1])
    yield sorted(answer.through), sorted(through)


def _going_on(book: Book, sitting: Sitting, seats: list[str], outcome: Outcome) -> list[str]:
    """The best of a table who were there, so many as go on; level ones by the rule for that."""
    if sitting.stage == "top_table":
        return [player for player, place in zip(seats, outcome.places, strict=True) if place == 1]
    if book.finals is not None and sitting.stage != "main":
        count, rule, seeds = book.finals.advance, book.finals.on_tie, book.finals.players
    else:
        count, rule, seeds = book.plan.format.advance, book.plan.format.on_tie, []  # type: ignore[union-attr]
    if len(sitting.tables) == 1 and not sitting.free:
        count = 1

    def best(seat: int) -> tuple[int, int]:
        if rule == "later_seat":
            return outcome.places[seat], -seat
        if rule == "better_seed" and seeds:
            return outcome.places[seat], seeds.index(seats[seat])
        named = ["ABCDEFGH".index(letter) for letter in outcome.tie_order]
        return outcome.places[seat], named.index(seat) if seat in named else len(named) + seat

    return [seats[seat] for seat in sorted(outcome.here, key=best)[:count]]


# for other programs


def the_whole_as_json(cup: Cup) -> Compared:
    book, sheet = cup.book, json.loads(cup.file("json"))
    yield (
        (sheet["name"], sheet["last_event"], sheet["closed"]),
        (cup.name, len(cup.history), book.closed),
    )
    yield (
        [
            (
                p["id"], p["number"], p["name"], p["club"], p["rating"], p["seed"],
                p["fixed_table"], p["status"],
                {int(at): counts for at, counts in p["away"].items()}, p.get("sections", []),
            )
            for p in sheet["players"]
        ],
        [
            (
                name, p.number, CALLED[name], p.club, p.rating, p.seed, p.table, p.status, p.away,
                list(p.sections),
            )
            for name, p in book.people.items()
        ],
    )  # fmt: skip
    for number, (row, sitting) in enumerate(zip(sheet["rounds"], book.rounds, strict=True), 1):
        yield (
            (row["number"], row["stage"], row["closed"], row.get("third_place")),
            (number, sitting.stage, sitting.closed, sitting.third),
        )
        yield (row["byes"], row["free"]), (sitting.byes, sitting.free)
        yield (
            [(t["number"], t["seats"], t["outcome"], t["entered"]) for t in row["tables"]],
            [
                (
                    at,
                    seats,
                    _last_result(sitting, at)[0],
                    [e for e, _ in sitting.told_by.get(at, [])],
                )
                for at, seats in sitting.tables.items()
            ],
        )
    yield (
        [(p["event"], p["player"], p["halves"], p["cancelled"]) for p in sheet["penalties"]],
        [(at, fine.player, fine.halves, fine.cancelled) for at, fine in book.fines.items()],
    )
    yield [lot["order"] for lot in sheet["lots"]], book.lots
    yield sheet["finals"] and sheet["finals"]["players"], book.finals and book.finals.players
    yield sheet["readings"], {game: book.readings_of(game) for game in book.plan.games}
    told_prizes = [(p["place"], p.get("section", ""), p["text"]) for p in sheet.get("prizes", [])]
    yield told_prizes, book.prizes


def players_in_a_spreadsheet(cup: Cup) -> Compared:
    rows = cup.csv("players")
    at = {
        column: rows[0].index(column)
        for column in ("number", "name", "club", "rating", "seed", "status", "sections")
    }
    yield [[row[index] for index in at.values()] for row in rows[1:]], [
        [
            str(p.number), CALLED[name], p.club, str(p.rating), str(p.seed or ""), p.status,
            ", ".join(p.sections),
        ]
        for name, p in cup.book.people.items()
    ]  # fmt: skip


LISTS: list[Callable[[Cup], Compared]] = [
    who_plays,
    who_registers,
    who_is_kept_apart,
    tables_of_rounds,
    pairings_in_a_spreadsheet,
    what_waits_for_a_judge,
    penalties,
    whose_tables,
    what_was_told,
    the_broadcast,
    the_map_of_the_hall,
    where_it_stands,
    where_it_stood,
    what_can_be_won,
    who_is_ranked,
    the_bracket,
    the_whole_as_json,
    players_in_a_spreadsheet,
]


@pytest.mark.parametrize("said", LISTS, ids=lambda said: said.__name__)
def test_a_list_says_what_the_book_says(cups: list[Cup], said: Callable[[Cup], Compared]) -> None:
    for cup in cups:
        for answered, written in said(cup):
            assert answered == written, cup.history


def test_judges_have_the_calls_of_all_events_and_know_who_goes(cups: list[Cup]) -> None:
    for judge in ("pja", "pa"):
        found = calls(cups[0].caller(("judge", judge))).data.calls
        mine, nobodys, others = [], [], []
        for cup in cups:
            book = cup.book
            for at, call in book.calls.items():
                if call.answer is not None or book.closed:
                    continue
                whose = [name for name, first, last in book.zones if first <= call.table <= last]
                near = mine if judge in whose else others if whose else nobodys
                drawn = book.rounds[call.round - 1 : call.round]
                there = [player for each in drawn for player in each.tables.get(call.table, [])]
                where = (cup.id, cup.name, call.round, call.table, named(there), at)
                near.append((*where, CALLED[call.player], call.text, _going(cup, at, judge)))
        told_of = [
            (
                row.call.tournament, row.title, row.call.round, row.call.table,
                list(row.seats.values()), row.call.number, row.call.player, row.call.text,
                [(one.name, one.own) for one in row.going],
            )
            for row in found
            if row.call is not None
        ]  # fmt: skip
        assert told_of == [*mine, *nobodys, *others]


def _going(cup: Cup, call: int, judge: str) -> list[tuple[str, bool]]:
    """Each goes or stays by their own last word; whoever set out first is named first."""
    going: list[str] = []
    for event, who in zip(cup.history, cup.tellers, strict=True):
        if isinstance(event, told.CallTaken) and event.call == call:
            going = [each for each in going if not (each == who and event.off)]
            going += [who] if not event.off and who not in going else []
    return [(CALLED[who], who == judge) for who in going]


def test_events_are_listed_each_with_its_own(cups: list[Cup]) -> None:
    rows = lifecycle.tournaments(cups[0].caller()).data.tournaments
    told_of = {row.tournament: (row.name, row.players, row.rounds, row.closed) for row in rows}
    assert told_of == {
        cup.id: (cup.name, len(cup.book.people), len(cup.book.rounds), cup.book.closed)
        for cup in cups
    }


def test_histories_have_something_for_every_list(cups: list[Cup]) -> None:
    """Two of each in one event at least: nothing is compared with nothing."""
    books = [cup.book for cup in cups]
    assert max(len(book.waiting) for book in books) > 1
    assert max(len(book.apart) for book in books) > 1
    assert max(len(book.fines) for book in books) > 1
    assert max(len(book.comments) for book in books) > 1
    assert max(len(book.lots) for book in books) > 1
    assert max(len(book.rounds) for book in books) > 2
    assert max(sum(p.paid for p in book.people.values()) for book in books) > 1
    assert max(sum(call.answer is None for call in book.calls.values()) for book in books) > 1
    assert any(book.zones and book.calls for book in books)
    assert any(sum(not sitting.closed for sitting in book.rounds) > 1 for book in books)
    assert any(sitting.byes or sitting.free for book in books for sitting in book.rounds)
    assert any(sitting.watch for book in books for sitting in book.rounds)
    going = [
        {call: _going(cup, call, "") for call, said in cup.book.calls.items() if not said.answer}
        for cup in cups
        if not cup.book.closed
    ]
    assert any(len(judges) > 1 for calls in going for judges in calls.values())
    assert any(sum(map(bool, calls.values())) > 1 for calls in going)
    assert sum(map(_stays_away_from_one_of_two, cups)) > 3


def _stays_away_from_one_of_two(cup: Cup) -> bool:
    """Whether a judge who goes to two calls has said of one of them that they do not."""
    going: dict[str, list[int]] = {"pja": [], "pjb": []}
    for event, who in zip(cup.history, cup.tellers, strict=True):
        if isinstance(event, told.CallTaken) and not event.off:
            going[who].append(event.call)
        elif isinstance(event, told.CallTaken) and {event.call} < {*going[who]}:
            return True
    return False
