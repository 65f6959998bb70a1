"""The record of one game: a pure fold of its entries to what counts.

Nothing is ever deleted. What *counts* is a line of actions and directives; taking back,
restoring and correcting change the line, and everything behind the change is judged anew.
At the first action that no longer holds the rest is *pending*: kept, shown, not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic_core import from_json

from engines.kernel import (
    Action,
    Audit,
    BadForm,
    Engine,
    Finding,
    Flaw,
    Judgement,
    KitSheet,
    Moment,
    OpenedSeal,
    Opening,
    Setting,
    Verdict,
    evolve,
)
from engines.kernel.registry import load_engine
from engines.kernel.versions import Age, age
from referee.record.entries import (
    Adjusted,
    Closed,
    Corrected,
    DisputeClosed,
    Disputed,
    EntryData,
    Held,
    KitDeclared,
    Logged,
    Noted,
    Opened,
    Penalised,
    PenaltyCancelled,
    ReadingFixed,
    Reopened,
    Restored,
    Resumed,
    Ruled,
    SealedValue,
    Signed,
    TakenBack,
    Unnoted,
    UnreadableEntry,
    Unsealed,
    VerdictData,
    read_data,
    verdict_data,
)
from referee.store.base import Stored
from referee.store.canon import canonical, digest


class RecordError(Flaw):
    """An entry that cannot follow what was recorded before it."""


class Entry(NamedTuple):
    """One item of a record: who added what, when."""

    seq: int
    at: str
    by: str
    role: str
    key: str
    data: EntryData
    head: str
    """The hash of the stored bytes: publish it, and nothing before it can be changed."""


class Item(NamedTuple):
    """One thing in the line: an action, an adjustment, or a reading fixed from here on."""

    number: int | None
    action: Action | None = None
    stands: bool = False
    changes: Mapping[str, Any] | None = None
    reading: tuple[str, str] | None = None
    seq: int = 0


class Step(NamedTuple):
    """An item that counts, and where it leads."""

    item: Item
    state: Any
    setting: Setting[Any]
    verdict: Verdict

    @property
    def number(self) -> int | None:
        return self.item.number

    @property
    def action(self) -> Action | None:
        return self.item.action


class Rejudged(NamedTuple):
    """An action whose verdict changed because something before it did."""

    number: int
    before: VerdictData
    after: VerdictData | None
    """None: it no longer holds, and is pending."""


class Change(NamedTuple):
    """What an entry did to the line besides adding to its end."""

    rejudged: tuple[Rejudged, ...] = ()
    pending: tuple[int, ...] = ()
    judged_again: int = 0
    """How many actions were judged anew."""


@dataclass
class Game:
    """What a record says, as far as it has been read."""

    id: str
    engine: Engine[Any, Any]
    opened: Opened
    sheet: KitSheet
    entries: list[Entry] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    """What counts: the opening, then every item of the line that holds."""
    pending: list[Item] = field(default_factory=list)
    undone: list[Item] = field(default_factory=list)
    seats: dict[str, str] = field(default_factory=dict)
    held: Held | Disputed | None = None
    closed: Closed | None = None
    disputes: dict[str, Disputed] = field(default_factory=dict)
    settled: dict[str, str] = field(default_factory=dict)
    """Disputes that are over, and the ruling (or the word ``withdrawn``) that ended them."""
    rulings: dict[str, Ruled] = field(default_factory=dict)
    overturned: dict[str, str] = field(default_factory=dict)
    """Rulings that no longer hold, and the ruling that says so."""
    penalties: dict[str, Penalised] = field(default_factory=dict)
    cancelled: dict[str, PenaltyCancelled] = field(default_factory=dict)
    seals: dict[str, SealedValue] = field(default_factory=dict)
    unsealed: dict[str, Unsealed] = field(default_factory=dict)
    notes: dict[str, Noted] = field(default_factory=dict)
    last_number: int = 0
    notes_made: int = 0

    # what it says now

    @property
    def state(self) -> Any:
        return self.steps[-1].state

    @property
    def setting(self) -> Setting[Any]:
        return self.steps[-1].setting

    @property
    def pinned(self) -> dict[str, str]:
        """The readings of today's engine as the game was opened with them.

        One that the record does not pin has the value that its engine had.
        """
        pinned, version = self.opened.readings, self.opened.engine_version
        return {
            name: pinned[name] if name in pinned else reading.under(version)
            for name, reading in self.engine.readings.items()
        }

    @property
    def age(self) -> Age:
        """Whether the record was begun by an older engine than today's, or by a newer one."""
        return age(self.opened.engine_version, than=self.engine.version)

    @property
    def head(self) -> str:
        return self.entries[-1].head

    @property
    def version(self) -> int:
        """The sequence number of the last entry."""
        return self.entries[-1].seq

    @property
    def last_action(self) -> Action | None:
        return next((step.action for step in reversed(self.steps) if step.action), None)

    def step(self, number: int) -> Step:
        """The step of an action that counts; #0 is the opening."""
        return self.steps[self._index(number)]

    def before(self, number: int) -> Step:
        """The step an action was judged from."""
        return self.steps[max(0, self._index(number) - 1)]

    def line(self) -> list[Item]:
        """Everything that is neither taken back nor corrected away, pending or not."""
        return [*(step.item for step in self.steps[1:]), *self.pending]

    def numbers(self) -> list[int]:
        return [item.number for item in self.line() if item.number is not None]

    @property
    def waiting(self) -> list[int]:
        """The numbers of the actions that are pending."""
        return [item.number for item in self.pending if item.number is not None]

    def open_disputes(self) -> list[Disputed]:
        return [dispute for dispute in self.disputes.values() if dispute.id not in self.settled]

    def moments(self) -> list[Moment[Any]]:
        """All that counts, as the engine follows it."""
        return [Moment(step.number, step.action, step.state) for step in self.steps]

    def seal_findings(self, seal_id: str, value: Any = None) -> tuple[Finding, ...]:
        """What an opened value proves of the line as it is now (or would, if it were this)."""
        seal = self.seals[seal_id]
        words: Any = value if value is not None else self.unsealed[seal_id].value
        check = self.engine.sealed.get(seal.what)
        if check is None or not _are_words(words):
            return ()
        sealed_at = next(e.seq for e in self.entries if e.data is seal)
        moments = self.moments()
        before = 1
        for index, step in enumerate(self.steps[1:], start=1):
            if step.item.seq < sealed_at:
                before = index + 1
        opened = OpenedSeal(
            seal.seat, tuple(words), tuple(moments[:before]), tuple(moments[before:])
        )
        try:
            return tuple(check(opened, self.setting))
        except BadForm:
            return ()

    # reading entries

    def apply(self, entry: Entry) -> Change:
        """Add the next entry."""
        if entry.seq != len(self.entries):
            raise RecordError("out_of_sequence", seq=entry.seq, expected=len(self.entries))
        change = _APPLY[type(entry.data)](self, entry, entry.data)
        self.entries.append(entry)
        return change or Change()

    def _open(self, entry: Entry, data: Opened) -> None:
        opening = self.engine.load(data.opening)
        if not isinstance(opening, Opening):
            raise RecordError("not_an_opening", verb=opening.verb)
        self.seats = dict(data.seats)
        self._judge_opening(Item(0, opening, seq=entry.seq))

    def _judge_opening(self, item: Item) -> None:
        opening = item.action
        assert isinstance(opening, Opening)
        setting, judged = judge_opening(
            self.engine, opening, self.sheet, self.pinned, self.opened.house_rules, lenient=True
        )
        if not judged.accepted:
            raise RecordError("opening_refused", clause=judged.verdict.clause)
        self.steps[:] = [Step(item, judged.state, setting, judged.verdict)]

    def _log(self, entry: Entry, data: Logged) -> None:
        self._take_number(data.number)
        self.undone.clear()
        action = self.engine.load(data.action)
        self._extend([Item(data.number, action, data.stands, seq=entry.seq)])
        if self.pending and self.age == "older":
            self._let_stand()

    def _let_stand(self) -> None:
        """Nothing is logged while something is pending: what today's engine refuses of an older
        record was accepted then, and happened."""
        while self.pending and not self.pending[0].stands:
            refused, *others = self.pending
            self.pending = []
            self._extend([refused._replace(stands=True), *others])

    def _adjust(self, entry: Entry, data: Adjusted) -> None:
        self._take_number(data.number)
        self.undone.clear()
        self._extend([Item(data.number, changes=data.changes, seq=entry.seq)])

    def _fix_reading(self, entry: Entry, data: ReadingFixed) -> None:
        self.engine.check_reading(data.reading, data.value)
        self._extend([Item(None, reading=(data.reading, data.value), seq=entry.seq)])

    def _take_back(self, entry: Entry, data: TakenBack) -> Change:
        line = self.line()
        numbered = [item for item in line if item.number is not None]
        taken = numbered[len(numbered) - len(data.numbers) :] if data.numbers else []
        if tuple(item.number for item in reversed(taken)) != data.numbers:
            raise RecordError("not_the_last", numbers=data.numbers)
        self.undone.extend(reversed(taken))
        return self._relay([item for item in line if item not in taken])

    def _restore(self, entry: Entry, data: Restored) -> Change:
        back = [self.undone.pop() for _ in data.numbers if self.undone]
        if tuple(item.number for item in back) != data.numbers:
            raise RecordError("not_taken_back", numbers=data.numbers)
        return self._relay([*self.line(), *back])

    def _correct(self, entry: Entry, data: Corrected) -> Change:
        if data.seats is not None:
            self.seats = dict(data.seats)
        if data.at == 0 and data.remove == (0,):
            return self._reopen_table(entry, data)
        self.undone.clear()
        line = self.line()
        known = {item.number for item in line}
        if missing := sorted({*data.remove, *data.keep} - known):
            raise RecordError("not_in_the_line", numbers=missing)
        index = self._place(line, data.at)
        added = []
        for said in data.insert:
            self._take_number(said.number)
            action = self.engine.load(said.action)
            added.append(Item(said.number, action, said.stands, seq=entry.seq))
        line[index:index] = added
        kept = [
            item._replace(stands=True) if item.number in data.keep else item
            for item in line
            if item.number not in data.remove
        ]
        return self._relay(kept)

    def _place(self, line: list[Item], number: int) -> int:
        for index, item in enumerate(line):
            if item.number == number:
                return index
        if number == self.last_number + 1:
            return len(line)
        raise RecordError("not_in_the_line", numbers=[number])

    def _reopen_table(self, entry: Entry, data: Corrected) -> Change:
        if len(data.insert) != 1:
            raise RecordError("one_opening", count=len(data.insert))
        opening = self.engine.load(data.insert[0].action)
        if not isinstance(opening, Opening):
            raise RecordError("not_an_opening", verb=opening.verb)
        before = list(self.steps)
        line = self.line()
        self._judge_opening(Item(0, opening, seq=entry.seq))
        return self._relay(line, before)

    def _declare_kit(self, entry: Entry, data: KitDeclared) -> Change:
        self.sheet = self.sheet.declare(data.path, data.value, data.source)
        before = list(self.steps)
        line = self.line()
        self._judge_opening(self.steps[0].item)
        return self._relay(line, before)

    def _hold(self, entry: Entry, data: Held) -> None:
        self.held = data

    def _resume(self, entry: Entry, data: Resumed) -> None:
        self.held = None

    def _dispute(self, entry: Entry, data: Disputed) -> None:
        if data.id != f"d{len(self.disputes) + 1}":
            raise RecordError("out_of_order", id=data.id)
        self.disputes[data.id] = data
        if data.holds:
            self.held = data

    def _close_dispute(self, entry: Entry, data: DisputeClosed) -> None:
        self._settle(data.id, "withdrawn")

    def _rule(self, entry: Entry, data: Ruled) -> None:
        if data.id != f"r{len(self.rulings) + 1}":
            raise RecordError("out_of_order", id=data.id)
        if data.overturns is not None:
            if data.overturns not in self.rulings or data.overturns in self.overturned:
                raise RecordError("not_in_force", id=data.overturns)
            self.overturned[data.overturns] = data.id
        if data.dispute is not None:
            self._settle(data.dispute, data.id)
        self.rulings[data.id] = data

    def _settle(self, dispute: str, by: str) -> None:
        if dispute not in self.disputes:
            raise RecordError("no_such_dispute", id=dispute)
        self.settled[dispute] = by
        if self.held is self.disputes[dispute]:
            self.held = None

    def _penalise(self, entry: Entry, data: Penalised) -> None:
        if data.id != f"x{len(self.penalties) + 1}":
            raise RecordError("out_of_order", id=data.id)
        self.penalties[data.id] = data

    def _cancel_penalty(self, entry: Entry, data: PenaltyCancelled) -> None:
        if data.id not in self.penalties or data.id in self.cancelled:
            raise RecordError("not_in_force", id=data.id)
        self.cancelled[data.id] = data

    def _sign(self, entry: Entry, data: Signed) -> None:
        if data.seq >= entry.seq:
            raise RecordError("signs_the_future", seq=data.seq)

    def _seal(self, entry: Entry, data: SealedValue) -> None:
        if data.id != f"s{len(self.seals) + 1}":
            raise RecordError("out_of_order", id=data.id)
        self.seals[data.id] = data

    def _unseal(self, entry: Entry, data: Unsealed) -> None:
        seal = self.seals.get(data.id)
        if seal is None or data.id in self.unsealed:
            raise RecordError("not_sealed", id=data.id)
        if seal_digest(self.id, seal.seat, seal.what, data.salt, data.value) != seal.digest:
            raise RecordError("seal_broken", id=data.id)
        self.unsealed[data.id] = data

    def _note(self, entry: Entry, data: Noted) -> None:
        self.notes_made += 1
        if data.id != f"n{self.notes_made}":
            raise RecordError("out_of_order", id=data.id)
        self.notes[data.id] = data

    def _unnote(self, entry: Entry, data: Unnoted) -> None:
        if self.notes.pop(data.id, None) is None:
            raise RecordError("no_such_note", id=data.id)

    def _close(self, entry: Entry, data: Closed) -> None:
        self.closed = data

    def _reopen(self, entry: Entry, data: Reopened) -> None:
        self.closed = None

    # judging the line

    def play(self, item: Item, last: Step | None = None) -> Step | None:
        """Where an item leads after the last step (or another one); None if it is refused."""
        last = last or self.steps[-1]
        if item.reading is not None:
            readings = {**last.setting.readings, item.reading[0]: item.reading[1]}
            setting = evolve(last.setting, readings=readings)
            return Step(item, last.state, setting, Verdict("legal"))
        if item.action is None:
            state = self.engine.adjust(last.setting, last.state, item.changes or {})
            return Step(item, state, last.setting, Verdict("legal"))
        judged = self.engine.judge(
            last.setting, last.state, item.action, item.number or 0, lenient=item.stands
        )
        if not judged.accepted:
            return None
        verdict = judged.verdict
        if isinstance(judged.action, Audit) and verdict.findings:
            verdict = self.engine.traced(last.setting, judged.action, verdict, self.moments())
        if item.action is not judged.action:
            item = item._replace(action=judged.action)
        return Step(item, judged.state, last.setting, verdict)

    def _extend(self, items: Iterable[Item]) -> None:
        for item in items:
            step = None if self.pending else self._try(item)
            if step is None:
                self.pending.append(item)
            else:
                self.steps.append(step)

    def _try(self, item: Item) -> Step | None:
        try:
            return self.play(item)
        except BadForm:
            return None

    def _relay(self, line: list[Item], before: list[Step] | None = None) -> Change:
        """Make this the line, judging anew from the first difference."""
        old = before if before is not None else list(self.steps)
        same = 1
        if before is None:
            while same < len(old) and same <= len(line) and old[same].item == line[same - 1]:
                same += 1
        del self.steps[same:]
        self.pending = []
        again = line[same - 1 :]
        self._extend(again)
        kept = same if before is None else 0
        return self._compare(old[kept:], self.steps[kept:], len(again))

    def _compare(self, old: list[Step], steps: list[Step], judged_again: int) -> Change:
        new = {step.number: step for step in steps}
        waiting = self.waiting
        rejudged = []
        for step in old:
            number = step.number
            if number is None or (number not in new and number not in waiting):
                continue
            after = new.get(number)
            if after is None:
                rejudged.append(Rejudged(number, verdict_data(step.verdict), None))
            elif after is not step:
                was, now = verdict_data(step.verdict), verdict_data(after.verdict)
                if was != now:
                    rejudged.append(Rejudged(number, was, now))
        return Change(tuple(rejudged), tuple(waiting), judged_again)

    def _index(self, number: int) -> int:
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].number == number:
                return index
        raise RecordError("does_not_count", number=number)

    def _take_number(self, number: int) -> None:
        if number != self.last_number + 1:
            raise RecordError("out_of_order", id=f"#{number}")
        self.last_number = number


_APPLY: dict[type[EntryData], Any] = {
    Opened: Game._open,
    Logged: Game._log,
    TakenBack: Game._take_back,
    Restored: Game._restore,
    Corrected: Game._correct,
    Adjusted: Game._adjust,
    KitDeclared: Game._declare_kit,
    ReadingFixed: Game._fix_reading,
    Held: Game._hold,
    Resumed: Game._resume,
    Disputed: Game._dispute,
    DisputeClosed: Game._close_dispute,
    Ruled: Game._rule,
    Penalised: Game._penalise,
    PenaltyCancelled: Game._cancel_penalty,
    Signed: Game._sign,
    SealedValue: Game._seal,
    Unsealed: Game._unseal,
    Noted: Game._note,
    Unnoted: Game._unnote,
    Closed: Game._close,
    Reopened: Game._reopen,
}


def judge_opening(
    engine: Engine[Any, Any],
    opening: Opening,
    sheet: KitSheet,
    readings: Mapping[str, str],
    house_rules: Iterable[str],
    *,
    lenient: bool = False,
) -> tuple[Setting[Any], Judgement[Any]]:
    """An opening under these readings, where it names no others itself.

    ``lenient``: what is refused is heard once more, as it happened.
    """
    full = opening.model_copy(update={"readings": {**readings, **opening.readings}})
    setting = engine.setting(full, sheet, house_rules)
    judged = engine.open(setting, opening)
    if lenient and not judged.accepted:
        judged = engine.open(setting, opening, lenient=True)
    return setting, judged


def seal_digest(game_id: str, seat: str, what: str, salt: str, value: Any) -> str:
    """What a sealed value shows of itself before it is opened.

    It names game and seat, so that nobody can seal a copy of what another has sealed.
    """
    return digest(bytes.fromhex(salt) + canonical([game_id, seat, what, value]))


def _are_words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)


def read_entry(stored: Stored) -> Entry:
    """A stored entry, read and brought up to date."""
    return parsed_entry(from_json(stored.body), stored.head)


def parsed_entry(body: Mapping[str, Any], head: str) -> Entry:
    """The same of an entry whose JSON has been read already."""
    return Entry(
        seq=body["seq"],
        at=body["at"],
        by=body["by"],
        role=body["role"],
        key=body["key"],
        data=read_data(body["kind"], body["schema"], body["data"]),
        head=head,
    )


def start_game(stream: str, first: Entry) -> Game:
    """A game that has read nothing but its opening."""
    if not isinstance(first.data, Opened):
        raise UnreadableEntry("no_opening")
    engine = load_engine(first.data.game)
    game = Game(stream, engine, first.data, KitSheet(first.data.kit))
    game.apply(first)
    return game


def fold(stream: str, stored: Iterable[Stored]) -> Game:
    """The game that a stream of stored entries tells."""
    rows = iter(stored)
    game = start_game(stream, read_entry(next(rows)))
    for row in rows:
        game.apply(read_entry(row))
    return game
