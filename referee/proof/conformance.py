"""Conformance: whether this program could have written an entry, here, then and by this author.

The fold refuses only what no record can hold. A bench checks more before it writes; the same checks
are made again here for entries that are already written. Some depend on the engine, whose versions
may differ; the rest are fixed rules for records. Version 0.1.0 had fewer of these, and its records
are held only to those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple, TypeVar

from engines.kernel import Action, ParseError
from engines.kernel.messages.errors import MessageError
from engines.kernel.values.versions import VERSION, age
from referee.errors import Conflicting, NotAllowed, RefereeError
from referee.judging import rulings
from referee.judging.appeals import penalties_cancelled, put_back
from referee.proof.commitments import check_sealable, seal_calls
from referee.record import entries as kinds
from referee.record.fold import supposed
from referee.record.game import Game, RecordError
from referee.record.line import Item
from referee.record.permissions import check_opening, check_role
from referee.secrecy.query_guard import check_question, needs_everything
from referee.table.author import Author
from referee.table.automatic_disputes import (
    calls_for_a_judge,
    judged_anew,
    judged_at,
    judged_openly,
)
from referee.table.lifecycle import check_clock
from referee.table.notes import check_glyphs, check_note
from referee.table.photos import check_whose
from referee.table.play import check_decided
from referee.table.takeback_barriers import check_take_back

CLOCKS_DIFFER = timedelta(days=1)
"""Tolerated difference between the clocks of computers that write to one record."""

_ALWAYS_GUARDED = (
    kinds.Ruled,
    kinds.Penalised,
    kinds.PenaltyCancelled,
    kinds.ReadingFixed,
    kinds.SealedValue,
    kinds.Unsealed,
    kinds.Disputed,
)
"""Permissions for these were checked in every version."""
_FIRST_GAMES = ("benevolent", "bethel_woods", "bloody_grove", "broom_service", "roundforest")
_FIRST_ENGINES = "1.0"
"""The version of our games in 0.1.0: later ones were never begun under its laws."""
_NAMES_ONCE = ("numbers", "clauses")
_SINCE_THEN = frozenset({"held_already", "not_held"})
"""Errors that 0.1.0 did not raise, or raised for other reasons."""


class Objection(NamedTuple):
    """Why a bench would have refused to write an entry."""

    error: MessageError
    by_engine: bool = False
    """The engine raised it: another version may have judged otherwise."""
    lawful_once: bool = False
    """It was allowed by the rules for records in force when the record was begun."""


class RequiredEntry(NamedTuple):
    """A required follow-up: an entry that the one before it must be followed by."""

    kind: type[kinds.EntryData]
    said: Mapping[str, Any]
    by_engine: bool = False

    @classmethod
    def whole(cls, data: kinds.EntryData, *, by_engine: bool = False) -> RequiredEntry:
        return cls(type(data), dict(data), by_engine)

    def is_paid_with(self, data: kinds.EntryData) -> bool:
        return type(data) is self.kind and all(
            getattr(data, name) == value for name, value in self.said.items()
        )


class Conformance:
    """Checks the entries of one record in order; asks what the commands ask before they write."""

    def __init__(self, first: kinds.Entry, game: Game) -> None:
        self._laws = game.opened.laws
        self._leading = first
        self._latest = first.at
        self._owed: Sequence[Sequence[RequiredEntry]] = ((),)
        """What must follow: one of these."""
        self._before_ruling: Game | None = None

    def opening(self, game: Game) -> list[Objection]:
        """The objections to the opening entry."""
        found = []
        for check, by_engine in ((_opened_by, False), (_opened_with, True)):
            try:
                check(game)
            except (RefereeError, RecordError, ParseError) as error:
                once = self._laws == 1 and isinstance(error, NotAllowed)
                found.append(Objection(error, by_engine, once))
        return found

    def look(self, before: Game, after: Game, entry: kinds.Entry) -> list[Objection]:
        """The objections to the next entry."""
        found = self._dues(before, after, entry)
        found += self._asked(before, after, entry)
        self._latest = max(self._latest, entry.at)
        return found

    def rest(self) -> list[Objection]:
        """The objection to a follow-up entry that is missing at the end."""
        return [self._missing(self._owed[0][0])] if all(self._owed) else []

    def _asked(self, before: Game, after: Game, entry: kinds.Entry) -> list[Objection]:
        found, data = [], entry.data
        for checks, by_engine in _ASKED:
            try:
                if by_engine:
                    _check_form(data)
                else:
                    self._check_author(before, entry)
                if (check := checks.get(type(data))) is not None:
                    check(before, after, entry, data)
            except (RefereeError, RecordError, ParseError) as error:
                once = not by_engine and self._laws == 1 and _lawful_once(entry, error)
                found.append(Objection(error, by_engine, once))
        return found

    def _check_author(self, before: Game, entry: kinds.Entry) -> None:
        if (seat := kinds.seat_of(entry.role)) is not None:
            before.must_seat(seat)
        check_time(entry.at, self._latest)
        check_role(before, entry)

    # what an entry brings along

    def _dues(self, before: Game, after: Game, entry: kinds.Entry) -> list[Objection]:
        found: list[Objection] = []
        owed, self._owed = self._owed, ((),)
        if owed == ((),) and _brings_nothing(entry.data) and not after.state.over:
            self._leading, self._before_ruling = entry, None
            return found
        together = self._told_together(entry)
        paid = [due[1:] for due in owed if due and together and due[0].is_paid_with(entry.data)]
        if paid:
            self._owed = paid if any(paid) else self._calls_of_ruling(after, entry)
            return found
        if all(owed):
            found.append(self._missing(owed[0][0]))
        elif _comes_along(entry.data):
            found.append(self._called(RecordError("brought_by_nothing")))
        self._leading = entry
        try:
            self._owed = self._brought(before, after, entry)
        except (RefereeError, ParseError) as error:
            found.append(self._called(error))
        return found

    def _called(self, error: MessageError, *, by_engine: bool = True) -> Objection:
        """An objection about automatic disputes; version 0.1.0 had other rules for these."""
        return Objection(error, by_engine, lawful_once=self._laws == 1 and by_engine)

    def _told_together(self, entry: kinds.Entry) -> bool:
        leading = self._leading
        return (entry.at, entry.by, entry.role) == (leading.at, leading.by, leading.role)

    def _missing(self, due: RequiredEntry) -> Objection:
        error = RecordError("brings_along", seq=self._leading.seq, kind=due.kind.KIND)
        return self._called(error, by_engine=due.by_engine)

    def _brought(
        self, before: Game, after: Game, entry: kinds.Entry
    ) -> Sequence[Sequence[RequiredEntry]]:
        """What an entry is followed by; nobody is called for a secret by the device on the table,
        nor by what changes the line, as earlier versions did."""
        data, by_judge = entry.data, kinds.judges(entry.role)
        if isinstance(data, kinds.Logged):
            self._before_ruling = None
            if not after.counts(data.number):
                return ((),)
            stood = after.stood(data.number)
            due = calls_for_a_judge(before, judged_at(before, stood), by_judge=by_judge)
            quiet = calls_for_a_judge(before, judged_openly(before, stood), by_judge=by_judge)
            return _either(_owed(due), _owed(quiet) if entry.role == "scribe" else _owed(due))
        if isinstance(data, kinds.Corrected | kinds.KitDeclared):
            self._before_ruling = None
            return _calls(before, after, by_judge)
        return (self._brought_once(before, after, entry),)

    def _brought_once(
        self, before: Game, after: Game, entry: kinds.Entry
    ) -> Sequence[RequiredEntry]:
        data = entry.data
        self._before_ruling = None
        if isinstance(data, kinds.Unsealed):
            findings = before.seal_findings(data.id, data.value)
            return _owed(seal_calls(before, before.seals[data.id], findings))
        if isinstance(data, kinds.Ruled):
            self._before_ruling = before
            return _remedies(before, data)
        return ()

    def _calls_of_ruling(
        self, after: Game, entry: kinds.Entry
    ) -> Sequence[Sequence[RequiredEntry]]:
        """The disputes required after a ruling whose remedy inserted lines."""
        ruled, self._before_ruling = self._before_ruling, None
        if ruled is None or not _puts_in_lines(after, self._leading.seq):
            return ((),)
        return _calls(ruled, after, kinds.judges(entry.role))


def _puts_in_lines(game: Game, since: int) -> bool:
    entries = game.entries[since:]
    return any(isinstance(entry.data, kinds.Corrected) and entry.data.insert for entry in entries)


def _calls(before: Game, after: Game, by_judge: bool) -> Sequence[Sequence[RequiredEntry]]:
    due, once = (
        calls_for_a_judge(
            before, list(judged_anew(before, after, openly=openly)), by_judge=by_judge
        )
        for openly in (True, False)
    )
    return _either(_owed(due), _owed(once))


def _either(one: list[RequiredEntry], other: list[RequiredEntry]) -> list[list[RequiredEntry]]:
    return [one] if one == other else [one, other]


def _owed(disputes: Iterator[kinds.Disputed] | Sequence[kinds.Disputed]) -> list[RequiredEntry]:
    return [RequiredEntry.whole(dispute, by_engine=True) for dispute in disputes]


def _remedies(game: Game, ruling: kinds.Ruled) -> list[RequiredEntry]:
    """The entries that must follow a ruling and carry it out."""
    if not ruling.puts_back:
        return _own_remedies(game, ruling)
    undoing, cancelled = put_back(game, ruling), penalties_cancelled(game, ruling)
    before = supposed(game, undoing).game
    line: list[RequiredEntry] = []
    others: list[RequiredEntry] = []
    for required in _own_remedies(before, ruling):
        (line if required.kind in (kinds.TakenBack, kinds.Corrected) else others).append(required)
    whole = RequiredEntry.whole
    return [*map(whole, undoing), *line, *map(whole, cancelled), *others]


def _own_remedies(game: Game, ruling: kinds.Ruled) -> list[RequiredEntry]:
    fixed = [RequiredEntry.whole(reading) for reading in rulings.readings_fixed(game, ruling)]
    if ruling.remedy == "taken_back":
        return [RequiredEntry.whole(rulings.taken_back(game, ruling)), *fixed]
    if ruling.remedy == "corrected":
        said = {"at": rulings.first_remedied(game, ruling), "reason": rulings.reason_of(ruling)}
        return [RequiredEntry(kinds.Corrected, said), *fixed]
    if ruling.remedy == "penalty":
        said = {"ruling": ruling.id, "reason": ruling.reason}
        return [RequiredEntry(kinds.Penalised, said), *fixed]
    return fixed


def _brings_nothing(data: kinds.EntryData) -> bool:
    """Fast path: an ordinary action, which requires no follow-up entry."""
    return type(data) is kinds.Logged and not data.stands and not data.verdict.findings


def _comes_along(data: kinds.EntryData) -> bool:
    """Whether an entry of this kind is only ever written as the follow-up of another."""
    if isinstance(data, kinds.Disputed):
        return data.cause in ("stands", "finding")
    return isinstance(data, kinds.Reinstated) or (
        isinstance(data, kinds.Penalised) and data.ruling is not None
    )


def _lawful_once(entry: kinds.Entry, error: MessageError) -> bool:
    if isinstance(error, NotAllowed) and error.key != "take_back_needs_judge":
        return not isinstance(entry.data, _ALWAYS_GUARDED)
    return error.key in _SINCE_THEN


def _check_form(data: kinds.EntryData) -> None:
    """What no command writes, though it can be read: nothing at all, or the same thing twice.

    Earlier versions took it: of their records it is a difference, as another verdict is.
    """
    for name in _NAMES_ONCE:
        named = getattr(data, name, ())
        if isinstance(named, tuple) and len(set(named)) < len(named):
            raise RecordError("names_twice", field=name)
    if isinstance(data, kinds.Adjusted) and not data.changes:
        raise RecordError("says_nothing", field="changes")
    if isinstance(data, kinds.Penalised) and not data.level.strip():
        raise RecordError("says_nothing", field="level")


def check_time(at: str, latest: str) -> None:
    """Refuse an entry that is dated far before its predecessors."""
    if at < latest and _moment(at) + CLOCKS_DIFFER < _moment(latest):
        raise RecordError("back_in_time", at=at, latest=latest)


def _moment(told: str) -> datetime:
    return datetime.fromisoformat(told)


# the beginning


def _opened_by(game: Game) -> None:
    version = game.opened.engine_version
    if game.age == "unknown" and re.match(VERSION, game.engine.version):
        raise RecordError("no_version", version=version)
    begun_first = game.opened.laws == 1 and game.opened.game in _FIRST_GAMES
    if begun_first and age(version, than=_FIRST_ENGINES) == "newer":
        raise RecordError("other_laws", version=version)
    check_opening(game.entries[0].role)
    for seat in game.opened.seats:
        game.must_seat(seat)


def _opened_with(game: Game) -> None:
    opened, engine, opening = game.opened, game.engine, game.steps[0].action
    label = opened.kit.get("kit")
    if label in engine.kits and opened.kit != engine.kits[str(label)].content:
        raise RecordError("other_kit", kit=label)
    named = getattr(opening, "kit", None)
    if named is not None and named != label:
        raise RecordError("other_kit", kit=named)
    if game.age not in ("older", "newer"):
        if opened.edition != engine.edition:
            raise RecordError("other_edition", edition=opened.edition)
        if opened.readings != game.setting.readings:
            raise RecordError("other_readings")
    if opening is not None and kinds.action_data(opening) != opened.opening:
        raise RecordError("other_words")


# what is asked of each kind


Check = Callable[[Game, Game, kinds.Entry, Any], None]
D = TypeVar("D", bound=kinds.EntryData)
_LAWS: dict[type[kinds.EntryData], Check] = {}
_ENGINE: dict[type[kinds.EntryData], Check] = {}
_ASKED = ((_LAWS, False), (_ENGINE, True))
"""Each with whether the engine answers."""


def _asks(
    checks: dict[type[kinds.EntryData], Check], kind: type[D]
) -> Callable[[Callable[[Game, Game, kinds.Entry, D], None]], Check]:
    def register(check: Callable[[Game, Game, kinds.Entry, D], None]) -> Check:
        checks[kind] = check
        return check

    return register


def _author(entry: kinds.Entry) -> Author:
    return Author(entry.by, entry.role)


def _must_say(something: object) -> None:
    if not something:
        raise RecordError("nothing_said")


def _must_break_a_rule(said: kinds.Said) -> None:
    """Only an illegal action may be marked as standing."""
    if said.stands and said.verdict.outcome != "illegal":
        raise RecordError("stands_for_nothing", number=said.number)


def _must_be_in_its_words(after: Game, said: kinds.Said) -> None:
    last = after.steps.last
    if last.item.number != said.number:
        if not after.counts(said.number):
            return
        last = after.step(said.number)
    action = last.item.action
    if action is not None and not _is_written_so(action, said.action):
        raise RecordError("other_words")


def _is_written_so(action: Action, data: kinds.ActionData) -> bool:
    """Whether the data equals ``action_data(action)``, with a fast path for plain fields."""
    defaults = _defaults(type(action))
    for name, value in data.items():
        if name == "verb":
            continue
        if type(value) not in (str, int) or getattr(action, name, None) != value:
            return kinds.action_data(action) == data
        if value == defaults[name]:
            return False
    return action.by == data.get("by")


@cache
def _defaults(kind: type[Action]) -> dict[str, Any]:
    return {name: field.default for name, field in kind.model_fields.items()}


@_asks(_LAWS, kinds.Logged)
def _logged(before: Game, after: Game, entry: kinds.Entry, data: kinds.Logged) -> None:
    _must_break_a_rule(data)


@_asks(_ENGINE, kinds.Logged)
def _judged(before: Game, after: Game, entry: kinds.Entry, data: kinds.Logged) -> None:
    check_decided(before)
    _must_be_in_its_words(after, data)
    if (seat := kinds.seat_of(entry.role)) is not None:
        action = before.engine.text.load(data.action)
        check_question(before, before.steps[-1], action, seat)


@_asks(_ENGINE, kinds.Adjusted)
def _adjusted(before: Game, after: Game, entry: kinds.Entry, data: kinds.Adjusted) -> None:
    check_decided(before)
    if not after.counts(data.number):
        before.play(Item(data.number, changes=data.changes))


@_asks(_LAWS, kinds.TakenBack)
def _taken_back(before: Game, after: Game, entry: kinds.Entry, data: kinds.TakenBack) -> None:
    _must_say(data.numbers)
    check_take_back(before, data.numbers[-1], _author(entry))


@_asks(_LAWS, kinds.Restored)
def _restored(before: Game, after: Game, entry: kinds.Entry, data: kinds.Restored) -> None:
    _must_say(data.numbers)


@_asks(_LAWS, kinds.Corrected)
def _corrected(before: Game, after: Game, entry: kinds.Entry, data: kinds.Corrected) -> None:
    _must_say(data.remove or data.insert or data.keep or data.seats is not None)
    for seat in data.seats or {}:
        after.must_seat(seat)
    for said in data.insert:
        _must_break_a_rule(said)
    if data.remove or data.insert:
        check_take_back(before, data.at, _author(entry))


@_asks(_ENGINE, kinds.Corrected)
def _inserted(before: Game, after: Game, entry: kinds.Entry, data: kinds.Corrected) -> None:
    for said in data.insert:
        _must_be_in_its_words(after, said)


@_asks(_ENGINE, kinds.ReadingFixed)
def _reading_fixed(before: Game, after: Game, entry: kinds.Entry, data: kinds.ReadingFixed) -> None:
    rulings.must_be_changeable(before, data.reading)


@_asks(_LAWS, kinds.Held)
def _held(before: Game, after: Game, entry: kinds.Entry, data: kinds.Held) -> None:
    if after.held is not data:
        raise Conflicting("held_already", role=before.holder)


@_asks(_LAWS, kinds.Resumed)
def _resumed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Resumed) -> None:
    if before.held is None:
        raise Conflicting("not_held")


@_asks(_LAWS, kinds.ClockSet)
def _clock_set(before: Game, after: Game, entry: kinds.Entry, data: kinds.ClockSet) -> None:
    check_clock(before, data)


@_asks(_LAWS, kinds.Disputed)
def _disputed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Disputed) -> None:
    _must_say(data.numbers)
    if data.cause != "seat":
        elsewhere = data.cause in ("deal", "slip") and not before.opened.tournament
        if data.holds or data.seat or elsewhere:
            raise RecordError("brought_by_nothing")
    elif kinds.seat_of(entry.role) not in (None, data.seat):
        raise NotAllowed("own_seat_only", role=entry.role, seat=data.seat or "–")


@_asks(_ENGINE, kinds.Disputed)
def _cited(before: Game, after: Game, entry: kinds.Entry, data: kinds.Disputed) -> None:
    if data.clause is not None:
        before.must_cite(data.clause)


@_asks(_LAWS, kinds.Ruled)
def _ruled(before: Game, after: Game, entry: kinds.Entry, data: kinds.Ruled) -> None:
    for number in data.numbers:
        before.must_know(number)
    if data.scope == "tournament" and not before.opened.tournament:
        raise Conflicting("no_tournament", game=before.id)


@_asks(_ENGINE, kinds.Ruled)
def _ruled_on(before: Game, after: Game, entry: kinds.Entry, data: kinds.Ruled) -> None:
    rulings.check_ruling(before, data)


@_asks(_LAWS, kinds.SealedValue)
def _sealed(before: Game, after: Game, entry: kinds.Entry, data: kinds.SealedValue) -> None:
    check_sealable(data.what)


@_asks(_LAWS, kinds.Unsealed)
def _unsealed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Unsealed) -> None:
    words = data.value
    _must_say(isinstance(words, list) and words and all(isinstance(word, str) for word in words))


@_asks(_LAWS, kinds.Noted)
def _assessed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Noted) -> None:
    check_glyphs(data.glyphs)


@_asks(_LAWS, kinds.Photographed)
def _photographed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Photographed) -> None:
    check_whose(data.only, entry.role)


@_asks(_ENGINE, kinds.Noted)
def _noted(before: Game, after: Game, entry: kinds.Entry, data: kinds.Noted) -> None:
    check_note(before, data)
    if data.variation:
        needs_everything(before, kinds.seat_of(entry.role), "note add --instead")


@_asks(_ENGINE, kinds.Closed)
def _closed(before: Game, after: Game, entry: kinds.Entry, data: kinds.Closed) -> None:
    check_decided(before)
    if not data.reason and before.engine.result(before.state) is None:
        raise Conflicting("not_over", seats=before.state.agenda.seats)
