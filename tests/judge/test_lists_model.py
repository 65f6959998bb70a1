"""Every list that judges and readers have of tables, beside a notebook.

Several tables in one store; notes, disputes, penalties and rulings are made, removed, withdrawn,
cancelled and overturned at random. What each list says, in which order, is written down apart.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from answers.answer import Answered
from answers.context import Caller, StoreContext, open_store_context
from answers.judge import calls, disputes, precedents, rulings
from answers.play import lifecycle
from answers.play.actions import log
from answers.play.opening import open_table
from answers.review import notes
from referee.archive.read_models import HOLD, open_calls
from referee.errors import Conflicting, HeldUp, NotFound
from referee.judging.disputes import going
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.table.notes import Annotation

STEPS = max(400, int(os.environ.get("REFEREE_CHAOS", "0")))
PEOPLE = {"pa": "Ana", "pb": "Bo", "pj": "Jo", "pk": "Kim"}
JUDGES = ("pj", "pk")
WORDS = ("castle", "river", "bridge")


@dataclass
class Dispute:
    number: int
    seat: str | None
    text: str
    settled: str | None = None
    going: list[str] = field(default_factory=list)
    opened: int = 0
    since: str = ""


@dataclass
class Penalty:
    seat: str
    level: str
    reason: str
    ruling: str | None
    cancelled: str | None = None


@dataclass
class Table:
    """The page of one table."""

    id: str
    notes: dict[str, tuple[int, str, str, list[str], bool]] = field(default_factory=dict)
    notes_made: int = 0
    disputes: dict[str, Dispute] = field(default_factory=dict)
    hold: Dispute | None = None
    """What a judge is called to as to a dispute, while the game is held."""
    by_judge: bool = False
    """Who holds it is a judge: no dispute takes the place of that."""
    holding: list[str] = field(default_factory=list)
    """The open disputes for which the game is held."""
    penalties: dict[str, Penalty] = field(default_factory=dict)
    rulings: int = 0


@dataclass
class Ruling:
    reference: str
    remedy: str
    reason: str
    clauses: list[str]
    author: str
    overturned_by: str = ""


class Notebook:
    """Does something at a table, and writes down what has come of it."""

    def __init__(self, context: StoreContext, seed: int) -> None:
        self.context = context
        self.chance = Random(seed)
        self.tables: list[Table] = []
        self.rulings: list[Ruling] = []
        self.done = 0
        self.last: dict[tuple[str, str], str] = {}
        """What was done last with each dispute and each penalty of a table."""
        self.pairs: Counter[tuple[str, str]] = Counter()

    def caller(self, person: str, role: str = "") -> Caller:
        roles = {"pa": "seat:A", "pb": "seat:B"}
        return Caller(self.context, Author(person, role or roles.get(person, "judge")))

    def open(self) -> None:
        scribe = Caller(self.context)
        game = open_table(scribe, "pebbles", "A B first A", players={"A": "Ana", "B": "Bo"}).data
        table = getattr(game, "game")  # noqa: B009 - one of several answers
        assert log(scribe, table, ["take 2", "take 1", "take 3"]).outcome == "done"
        self.tables.append(Table(table))

    def step(self) -> None:
        table = self.chance.choice(self.tables)
        kinds = [
            self.note, self.unnote, *[self.call] * 2, self.withdraw,
            *[self.attend] * 6, *[self.attend_hold] * 6, *[self.hold] * 4, self.penalise,
            *[self.cancel] * 2, *[self.rule] * 2, self.appeal,
        ]  # fmt: skip
        self.done += 1
        before = self.last.get((table.id, "hold"))
        self.chance.choice(kinds)(table)
        if self.last.get((table.id, "hold")) != before:
            self.hold_agrees(table)

    def hold_agrees(self, table: Table) -> None:
        """Whoever went to an earlier pause does not go to this one, and nobody waits since then."""
        waiting = {row.stream: row.at for row in open_calls(self.context.store) if row.id == HOLD}
        assert waiting.get(table.id) == (table.hold.since if table.hold else None)
        if table.hold:
            gone = [PEOPLE[one.person] for one in going(self.context.bench.game(table.id))]
            assert gone == [PEOPLE[judge] for judge in table.hold.going]

    def calls_agree(self, judge: str) -> None:
        """Whatever is called for, the oldest first, with who goes there and since when it waits."""
        waiting = sorted(
            (
                (each.opened, table.id, name, [PEOPLE[one] for one in each.going])
                for table in self.tables
                for name, each in [*table.disputes.items(), (None, table.hold)]
                if each is not None and each.settled is None
            ),
            key=lambda call: call[0],
        )
        rows = calls.calls(self.caller(judge)).data.calls
        assert [
            (row.game, row.dispute and row.dispute.id, [one.name for one in row.going])
            for row in rows
        ] == [call[1:] for call in waiting]
        assert {one.name for row in rows for one in row.going if one.own} <= {PEOPLE[judge]}

    def did(self, table: Table, name: str, what: str) -> None:
        """Count what is done behind what with the same thing."""
        if before := self.last.get((table.id, name)):
            self.pairs[before, what] += 1
        self.last.pop((table.id, name), None)
        self.last[table.id, name] = what

    def note(self, table: Table) -> None:
        number, person = self.chance.randint(0, 3), self.chance.choice([*PEOPLE])
        text = " ".join(self.chance.sample(WORDS, 2))
        tags = tuple(self.chance.sample(("nice", "odd"), self.chance.randint(0, 2)))
        mark = self.chance.random() < 0.4
        said = Annotation(text, tags=tags, bookmark=mark)
        notes.add(self.caller(person), table.id, str(number), said)
        table.notes_made += 1
        table.notes[f"n{table.notes_made}"] = (number, PEOPLE[person], text, list(tags), mark)

    def unnote(self, table: Table) -> None:
        if table.notes:
            name = self.chance.choice([*table.notes])
            notes.remove(self.caller("pj"), table.id, name)
            del table.notes[name]

    def call(self, table: Table) -> None:
        number, person = self.chance.randint(0, 3), self.chance.choice(["pa", "pb", "pj"])
        text, holds = self.chance.choice(["", "that was not so"]), self.chance.random() < 0.2
        disputes.dispute(self.caller(person), table.id, number, text=text, holds=holds)
        seat = {"pa": "A", "pb": "B"}.get(person)
        made = Dispute(number, seat, text, opened=self.done)
        table.disputes[name := f"d{len(table.disputes) + 1}"] = made
        self.did(table, name, "called")
        if holds and not (table.hold and table.by_judge):
            self.did(table, "hold", "disputed")
            table.hold = None
            table.holding.append(name)

    def settle(self, table: Table, name: str, by: str) -> None:
        """A game that several disputes hold goes on when the last of them is settled."""
        table.disputes[name].settled = by
        if table.holding and not [each for each in table.holding if each != name]:
            self.did(table, "hold", "settled")
        table.holding = [each for each in table.holding if each != name]

    def one_open(self, table: Table) -> str | None:
        """Often the one of which something was said last."""
        waiting = [name for name, each in table.disputes.items() if each.settled is None]
        last = [name for at, name in self.last if at == table.id and name in waiting][-1:]
        return self.chance.choice([*waiting, *last * len(waiting)]) if waiting else None

    def withdraw(self, table: Table) -> None:
        if name := self.one_open(table):
            disputes.withdraw_dispute(self.caller("pk"), table.id, name)
            self.settle(table, name, "withdrawn")
            self.did(table, name, "withdrawn")

    def attend(self, table: Table) -> None:
        if name := self.one_open(table):
            judge = self.chance.choice([*JUDGES, *table.disputes[name].going * 2])
            self.go(table, name, judge, off=self.chance.random() < 0.5)

    def hold(self, table: Table) -> None:
        """Whoever went to the last one goes to no other; a judge takes over that of others."""
        who, on = self.chance.choice(["pa", "pj"]), self.chance.random() < 0.5
        if table.holding or (table.hold and (on or table.by_judge)):
            if not on:
                lifecycle.resume(self.caller("pj"), table.id)
                table.hold, table.holding = None, []
                self.did(table, "hold", "resumed")
            elif table.holding or table.by_judge or who == "pa":
                with pytest.raises(Conflicting, match="held_already"):
                    lifecycle.hold(self.caller(who), table.id)
            else:
                lifecycle.hold(self.caller(who), table.id)
                table.by_judge = True
                self.did(table, "hold", "taken over")
        elif table.hold is None:
            lifecycle.hold(self.caller(who), table.id)
            since = self.context.bench.game(table.id).entries[-1].at
            table.hold = Dispute(0, None, "", opened=self.done, since=since)
            table.by_judge = who == "pj"
            self.did(table, "hold", "held")

    def attend_hold(self, table: Table) -> None:
        if table.holding:
            with pytest.raises(HeldUp):
                disputes.attend_hold(self.caller("pj"), table.id)
        elif table.hold is not None:
            off = self.chance.random() < 0.5
            self.go(table, None, self.chance.choice([*JUDGES, *table.hold.going]), off=off)

    def go(self, table: Table, name: str | None, judge: str, *, off: bool = False) -> None:
        """Said again it changes nothing; nobody leaves who was not on the way."""
        call = table.disputes[name] if name else table.hold
        assert call is not None
        going = call.going
        if off and judge not in going:
            with pytest.raises(Conflicting):
                self.attended(table, name, judge, off=off)
            return
        told = self.attended(table, name, judge, off=off)
        self.did(table, name or "hold", "left" if off else "attended")
        if off:
            going.remove(judge)
        elif judge not in going:
            going.append(judge)
        assert [row.own for row in told.data.going] == [each == judge for each in going]

    def attended(
        self, table: Table, name: str | None, judge: str, *, off: bool
    ) -> Answered[disputes.AttendAnswer]:
        if name is None:
            return disputes.attend_hold(self.caller(judge), table.id, off=off)
        return disputes.attend(self.caller(judge), table.id, name, off=off)

    def penalise(self, table: Table) -> None:
        seat, level = self.chance.choice("AB"), self.chance.choice(["warning", "lost"])
        reason = self.chance.choice(["slow", "loud"])
        rulings.penalise(self.caller("pj"), table.id, seat, level, reason)
        table.penalties[f"x{len(table.penalties) + 1}"] = Penalty(seat, level, reason, None)
        self.did(table, f"x{len(table.penalties)}", "given")

    def cancel(self, table: Table) -> None:
        """Once, and nothing that was never given."""
        name = self.chance.choice([*table.penalties, f"x{len(table.penalties) + 1}"])
        given = table.penalties.get(name)
        if given is None or given.cancelled is not None:
            with pytest.raises(NotFound, match="no_such_penalty"):
                rulings.cancel_penalty(self.caller("pk"), table.id, name, "again")
            self.did(table, name, "refused")
        else:
            rulings.cancel_penalty(self.caller("pk"), table.id, name, f"not {name}")
            given.cancelled = f"not {name}"
            self.did(table, name, "cancelled")

    def rule(self, table: Table) -> None:
        if name := self.one_open(table):
            self.decide(table, name, None)

    def appeal(self, table: Table) -> None:
        """Of a dispute that was ruled on, by its last ruling: no other can be overturned."""
        ruled = [n for n, each in table.disputes.items() if (each.settled or "").startswith("r")]
        if ruled:
            name = self.chance.choice(ruled)
            in_force = {each.settled for each in table.disputes.values()}
            made = [f"r{number + 1}" for number in range(table.rulings + 1)]
            wrong = self.chance.choice([each for each in made if each not in in_force])
            again = Decision("so", "none", name, overturns=wrong)
            with pytest.raises(NotFound, match="no_such_ruling"):
                rulings.rule(self.caller("pj"), table.id, again)
            self.decide(table, name, table.disputes[name].settled)

    def decide(self, table: Table, name: str, overturns: str | None) -> None:
        remedy: Any = self.chance.choice(["none", "stands", "penalty"])
        clauses = self.chance.choice([(), ("PEB-TAKE-1",), ("PEB-TAKE-2", "PEB-TAKE-1")])
        judge, reason = self.chance.choice(JUDGES), " ".join(self.chance.sample(WORDS, 2))
        decision = Decision(
            reason, remedy, name, clauses=clauses, seat="B", level="warning", overturns=overturns
        )
        rulings.rule(self.caller(judge), table.id, decision)
        table.rulings += 1
        made = f"r{table.rulings}"
        self.settle(table, name, made)
        self.did(table, name, "ruled" if overturns is None else "appealed")
        if remedy == "penalty":
            penalty = Penalty("B", "warning", reason, made)
            table.penalties[f"x{len(table.penalties) + 1}"] = penalty
            self.did(table, f"x{len(table.penalties)}", "given")
        if overturns is not None:
            old = next(each for each in self.rulings if each.reference == f"{table.id}/{overturns}")
            old.overturned_by = f"{table.id}/{made}"
            for given in table.penalties.values():
                if given.ruling == overturns and given.cancelled is None:
                    given.cancelled = f"{made}: {reason}"
        ruling = Ruling(f"{table.id}/{made}", remedy, reason, list(clauses), judge)
        self.rulings.append(ruling)


PAIRS = {
    *product(("called", "attended", "left"), ("attended", "withdrawn", "ruled")),
    *product(("held", "attended", "left", "taken over"), ("attended", "resumed")),
    *product(("held", "attended", "left"), ("taken over", "disputed")),
    *product(("resumed", "settled"), ("held", "disputed")), ("disputed", "settled"),
    *product(("disputed",), ("disputed", "resumed")),
    *product(("ruled", "appealed"), ("appealed",)),
    ("attended", "left"), ("given", "cancelled"), ("cancelled", "refused"),
}  # fmt: skip
"""What can be done with a dispute or a penalty behind what."""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    folder: Path = tmp_path_factory.mktemp("tables")
    context = open_store_context(f"sqlite://{folder}/tables.db")
    clock = (f"2030-01-01T{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}.000Z" for n in count())
    context.bench._clock = lambda: next(clock)
    for person, name in PEOPLE.items():
        context.people.adopt(person, name)
    book = Notebook(context, 7)
    for _ in range(3):
        book.open()
    while book.done < STEPS or (PAIRS - {*book.pairs} and book.done < 5 * STEPS):
        book.step()
    for table in book.tables:
        for kind in (book.note, book.note, book.note, book.call, book.call, book.penalise):
            book.done += 1
            kind(table)
        last = [*table.disputes][-1]
        for judge in ("pk", "pj", "pk"):
            book.go(table, last, judge)
        while table.hold is None or table.hold.going:
            book.hold(table)
    book.go(book.tables[0], None, "pk")
    yield book
    context.store.close()


def test_the_notebook_has_everything_behind_everything_on_one_thing(notebook: Notebook) -> None:
    assert sorted(PAIRS - {*notebook.pairs}) == []


def test_notes_are_listed_by_action_and_those_removed_are_gone(notebook: Notebook) -> None:
    for table in notebook.tables:
        for tag, bookmarks in ((None, False), ("odd", False), (None, True), ("nice", True)):
            rows = notes.notes(notebook.caller("pa"), table.id, tag=tag, bookmarks=bookmarks).data
            kept = [
                (name, *note)
                for name, note in table.notes.items()
                if (tag is None or tag in note[3]) and (note[4] or not bookmarks)
            ]
            assert [
                (row.id, row.number, row.author, row.text, row.tags, row.bookmark)
                for row in rows.notes
            ] == sorted(kept, key=lambda note: note[1])


@pytest.mark.parametrize("word", WORDS)
def test_notes_of_all_tables_are_found_by_a_word(notebook: Notebook, word: str) -> None:
    found = notes.search(notebook.caller("pj"), word).data.notes
    assert sorted((row.game, row.note, row.number, row.text) for row in found) == sorted(
        (table.id, name, note[0], note[2])
        for table in notebook.tables
        for name, note in table.notes.items()
        if word in note[2]
    )


@pytest.mark.parametrize("open_only", [False, True])
def test_disputes_are_listed_in_their_order(notebook: Notebook, open_only: bool) -> None:
    for table in notebook.tables:
        rows = disputes.disputes(notebook.caller("pa"), table.id, open_only=open_only).data.disputes
        assert [(row.id, row.numbers, row.seat, row.text, row.settled) for row in rows] == [
            (name, [each.number], each.seat, each.text, each.settled)
            for name, each in table.disputes.items()
            if each.settled is None or not open_only
        ]


def test_penalties_are_listed_with_what_became_of_them(notebook: Notebook) -> None:
    for table in notebook.tables:
        rows = rulings.penalties(notebook.caller("pb"), table.id).data.penalties
        assert any(row.cancelled for row in rows)
        assert [
            (row.id, row.seat, row.level, row.reason, row.ruling, row.cancelled) for row in rows
        ] == [
            (name, each.seat, each.level, each.reason, each.ruling, each.cancelled)
            for name, each in table.penalties.items()
        ]


@pytest.mark.parametrize("clause", [None, "PEB-TAKE-1", "PEB-TAKE-2"])
def test_rulings_of_all_tables_come_newest_first(notebook: Notebook, clause: str | None) -> None:
    rows = precedents.rulings(notebook.caller("pj"), game="pebbles", clause=clause).data.rulings
    assert any(each.overturned_by for each in notebook.rulings)
    assert [
        (row.reference, row.remedy, row.reason, row.clauses, row.author, row.overturned_by)
        for row in rows
    ] == [
        (each.reference, each.remedy, each.reason, each.clauses, each.author, each.overturned_by)
        for each in reversed(notebook.rulings)
        if clause is None or clause in each.clauses
    ]


def test_calls_of_all_tables_come_oldest_first_with_who_goes(notebook: Notebook) -> None:
    assert max(len(each.going) for one in notebook.tables for each in one.disputes.values()) == 2
    for judge in JUDGES:
        notebook.calls_agree(judge)
