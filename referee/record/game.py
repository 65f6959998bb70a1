"""A game as its record tells it, up to some entry. It never changes: the next entry makes another.

Nothing is ever deleted. What *counts* is a line of actions and directives; taking back,
restoring and correcting change the line, and everything behind the change is judged anew.
At the first action that no longer holds the rest is *pending*: kept, shown, not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field

from engines import kernel
from engines.kernel.values.versions import Age, age
from referee.errors import Conflicting, NotFound
from referee.record import entries as kinds
from referee.record.clocks import Clock
from referee.record.hidden_state import holds_openly, judge_hidden
from referee.record.line import Item, JudgedItem, Stood, numbers_in
from referee.record.persistent_vector import PersistentVector
from referee.store.canonical_json import canonical, digest

if TYPE_CHECKING:
    from referee.record.lazy import LazyMapping

_new = tuple.__new__
"""Builds a named tuple from a tuple: takes half the time of calling its class."""


Gone: TypeAlias = "dict[int, Stood] | LazyMapping[int, Stood]"


class RecordError(kernel.Flaw):
    """An entry that cannot follow what was recorded before it."""


class Game(Struct, frozen=True, eq=False, weakref=True):
    """Everything a record says, up to some entry. Immutable: each entry makes a new one."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    id: str
    engine: kernel.Engine[Any, Any]
    opened: kinds.Opened
    sheet: kernel.KitSheet
    entries: PersistentVector[kinds.Entry] = field(default_factory=PersistentVector)
    steps: PersistentVector[JudgedItem] = field(default_factory=PersistentVector)
    """What counts: the opening, then every item of the line that holds."""
    pending: tuple[Item, ...] = ()
    undone: tuple[Item, ...] = ()
    gone: Gone = field(default_factory=dict)
    """Actions that have left the line, as they stood when they last counted."""
    seats: Mapping[str, str] = field(default_factory=dict)
    held: kinds.Held | kinds.Disputed | None = None
    holder: str = ""
    """The role that holds the game."""
    clock: Clock | None = None
    has_judge: bool = False
    """It is played in a tournament, or a judge or an organiser has written in its record."""
    closed: kinds.Closed | None = None
    disputes: Mapping[str, kinds.Disputed] = field(default_factory=dict)
    settled: Mapping[str, str] = field(default_factory=dict)
    """Disputes that are over, and the ruling (or the word ``withdrawn``) that ended them."""
    joined: Mapping[str, str] = field(default_factory=dict)
    """Disputes about what a ruling on another one has decided, and that ruling."""
    rulings: Mapping[str, kinds.Ruled] = field(default_factory=dict)
    ruled: frozenset[int] = frozenset()
    """Actions that rulings are about, and those that a remedy put in."""
    ordered_at: int = -1
    """Where the last ruling that orders a correction stands: the next entry is its remedy."""
    overturned: Mapping[str, str] = field(default_factory=dict)
    """Rulings that no longer hold, and the ruling that says so."""
    penalties: Mapping[str, kinds.Penalised] = field(default_factory=dict)
    cancelled: Mapping[str, kinds.PenaltyCancelled] = field(default_factory=dict)
    confirmed: Mapping[str, kinds.Confirmed] = field(default_factory=dict)
    """The last confirmation of each seat."""
    seals: Mapping[str, kinds.SealedValue] = field(default_factory=dict)
    unsealed: Mapping[str, kinds.Unsealed] = field(default_factory=dict)
    notes: Mapping[str, kinds.Noted] = field(default_factory=dict)
    photos: Mapping[str, kinds.Photographed] = field(default_factory=dict)
    """All that were ever taken, also the erased ones."""
    photos_erased: Mapping[str, kinds.PhotoErased] = field(default_factory=dict)
    last_number: int = 0
    notes_made: int = 0
    partial: bool = False
    """This is a redacted view: something is hidden in it."""
    foreseen: Stood | None = None
    """The judgement of the next action, if it was made already, so that it is made only once."""

    # what it says now

    @property
    def colours(self) -> Mapping[str, str]:
        """The colour of each seat's pieces, as far as the opening says one."""
        opening = self.engine.text.load(self.opened.opening)
        return opening.colours if isinstance(opening, kernel.Opening) else {}

    @property
    def unknown_colours(self) -> tuple[str, ...]:
        """Those of them that neither the game nor the box of the table names."""
        box = self.sheet.at("colours") or ()
        names = {*(box.get("names", ()) if isinstance(box, Mapping) else box)}
        words = self.engine.words
        return tuple(
            colour
            for colour in self.colours.values()
            if colour not in names
            and not any(f"{group}.{colour}" in words for group in ("term", "colour"))
        )

    @property
    def state(self) -> Any:
        return self.steps.last.state

    @property
    def setting(self) -> kernel.Setting[Any]:
        return self.steps.last.setting

    @property
    def pinned(self) -> dict[str, str]:
        """The readings pinned by the opening.

        A reading that the record does not pin has the value that its engine had then.
        """
        pinned, version = self.opened.readings, self.opened.engine_version
        return {
            name: pinned[name] if name in pinned else self.engine.readings[name].under(version)
            for name in self.engine.readings
        }

    @property
    def age(self) -> Age:
        """Whether the record was begun by an older engine than today's, the same or a newer one."""
        return age(self.opened.engine_version, than=self.engine.version)

    @property
    def head(self) -> str:
        return self.entries[-1].head

    @property
    def version(self) -> int:
        """The sequence number of the last entry."""
        return len(self.entries) - 1

    @property
    def agreed(self) -> bool:
        """Whether the record is closed, and every seat has confirmed the entry that closed it."""
        if self.closed is None:
            return False
        end = self.seq_of(self.closed)
        return all(
            seat in self.confirmed and self.confirmed[seat].seq >= end
            for seat in self.setting.seats
        )

    def seq_of(self, data: kinds.EntryData) -> int:
        """The sequence number of the entry with this data."""
        return next(entry.seq for entry in reversed(self.entries) if entry.data is data)

    def step(self, number: int) -> JudgedItem:
        """The step of an action that counts; #0 is the opening."""
        last = self.steps.last
        if last.item.number == number:
            return last
        return self.steps[self._index(number)]

    def before(self, number: int) -> JudgedItem:
        """The step before an action, from which it was judged."""
        return self.steps[max(0, self._index(number) - 1)]

    def counts(self, number: int) -> bool:
        return self.steps.last.item.number == number or any(
            number in numbers_in(part) for part in reversed(self.steps.parts)
        )

    def stood(self, number: int) -> Stood:
        """An action with the step before it, as it is judged now or was when it last counted."""
        if number in self.gone and not self.counts(number):
            return self.gone[number]
        return Stood(self.before(number), self.step(number))

    def line(self) -> list[Item]:
        """All items of the line, pending ones included."""
        return [*[step.item for step in self.steps][1:], *self.pending]

    @property
    def length(self) -> int:
        """The number of items in the line, pending ones included."""
        return len(self.steps) - 1 + len(self.pending)

    def backwards(self) -> Iterator[Item]:
        """Iterate over the line from its end."""
        counting = (step.item for step in reversed(self.steps))
        return islice(chain(reversed(self.pending), counting), self.length)

    def back_to(self, numbers: Set[int]) -> list[Item]:
        """The shortest suffix of the line with all these actions; all of it if one is missing."""
        counting = len(self.steps) - 1
        waiting = {item.number: place for place, item in enumerate(self.pending, start=counting)}
        try:
            places = [
                waiting[number] if number in waiting else self._index(number) - 1
                for number in numbers
            ]
        except RecordError:
            return self.line()
        start = max(0, min(places, default=self.length))
        steps = self.steps[1 + start :]
        return [*(step.item for step in steps), *self.pending[max(0, start - counting) :]]

    def numbers(self) -> list[int]:
        counting = islice(chain.from_iterable(map(numbers_in, self.steps.parts)), 1, None)
        return [number for number in counting if number is not None] + self.waiting

    @property
    def last_counting(self) -> int:
        """The number of the last action in the line; 0 if there is only the opening."""
        return next((item.number for item in self.backwards() if item.number is not None), 0)

    @property
    def waiting(self) -> list[int]:
        """The numbers of the actions that are pending."""
        return [item.number for item in self.pending if item.number is not None]

    def open_disputes(self) -> list[kinds.Disputed]:
        """The disputes that are not settled."""
        return [d for d in self.disputes.values() if self.ended_by(d) is None]

    def ended_by(self, dispute: kinds.Disputed) -> str | None:
        """How a dispute ended: a ruling, ``withdrawn`` or ``undone``; None while it is open.

        An illegal action that stood and was taken back leaves nothing to decide, as long as it is
        not restored; neither does a breach that nothing proves any more. A judge may still rule.
        """
        settled = self.settled.get(dispute.id) or self.joined.get(dispute.id)
        if settled is not None or dispute.cause not in ("stands", "finding"):
            return settled
        left = {*self.numbers()}.isdisjoint(dispute.numbers)
        return "undone" if left or not self._proves(dispute) else None

    def _proves(self, dispute: kinds.Disputed) -> bool:
        """Whether what raised a dispute by itself is still so: an illegal action, or a proof."""
        last = dispute.numbers[-1]
        if last in self.waiting:
            return True
        if dispute.cause == "stands":
            return any(self.step(number).verdict.breaches for number in dispute.numbers)
        proofs = [*self.step(last).verdict.findings] if self.counts(last) else []
        for opened in self.unsealed:
            proofs += self.seal_findings(opened)
        return any(one.status == "broken" and one.clause == dispute.clause for one in proofs)

    def _index(self, number: int) -> int:
        start = len(self.steps)
        for part in reversed(self.steps.parts):
            start -= len(part)
            if number in (numbers := numbers_in(part)):
                return start + numbers.index(number)
        raise RecordError("does_not_count", number=number)

    # what is asked for by its name

    def must_know(self, number: int) -> None:
        """Refuse a number that no action has."""
        if not 0 <= number <= self.last_number:
            raise NotFound("no_such_action", number=number)

    def must_seat(self, seat: str) -> None:
        if seat not in self.setting.seats:
            raise NotFound("no_such_seat", seat=seat)

    def must_cite(self, clause: str) -> None:
        if clause not in self.engine.clauses:
            raise NotFound("no_such_clause", clause=clause)

    def dispute_named(self, dispute: str) -> kinds.Disputed:
        if dispute not in self.disputes:
            raise NotFound("no_such_dispute", dispute=dispute)
        return self.disputes[dispute]

    def open_dispute(self, dispute: str) -> kinds.Disputed:
        found = self.dispute_named(dispute)
        if dispute in self.settled or dispute in self.joined:
            raise Conflicting("dispute_settled", dispute=dispute)
        return found

    def ruling_in_force(self, ruling: str) -> kinds.Ruled:
        """By its id, or as lists of many games name it: ``game-…/r1``."""
        own = ruling.removeprefix(f"{self.id}/")
        if own not in self.rulings or own in self.overturned:
            raise NotFound("no_such_ruling", ruling=ruling)
        return self.rulings[own]

    def penalty_in_force(self, penalty: str) -> kinds.Penalised:
        if penalty not in self.penalties or penalty in self.cancelled:
            raise NotFound("no_such_penalty", penalty=penalty)
        return self.penalties[penalty]

    def note_named(self, note: str) -> kinds.Noted:
        if note not in self.notes:
            raise NotFound("no_such_note", note=note)
        return self.notes[note]

    @property
    def standing_photos(self) -> dict[str, kinds.Photographed]:
        """The photographs that are not erased, by their ids."""
        return {id: photo for id, photo in self.photos.items() if id not in self.photos_erased}

    def shows(self, digest: str) -> bool:
        """Whether a photograph that is not erased is this picture."""
        return any(photo.digest == digest for photo in self.standing_photos.values())

    def photo_named(self, photo: str) -> kinds.Photographed:
        """A photograph that is not erased."""
        if photo not in self.photos:
            raise NotFound("no_such_photo", photo=photo)
        if photo in self.photos_erased:
            raise Conflicting("photo_erased", photo=photo)
        return self.photos[photo]

    def seal_named(self, seal_id: str) -> kinds.SealedValue:
        """The sealed value with this id, opened or not."""
        if seal_id not in self.seals:
            raise NotFound("no_such_secret", id=seal_id)
        return self.seals[seal_id]

    def closed_seal(self, seal_id: str) -> kinds.SealedValue:
        seal = self.seal_named(seal_id)
        if seal_id in self.unsealed:
            raise Conflicting("already_open", id=seal_id)
        return seal

    # judging

    def play(self, item: Item, last: JudgedItem | None = None) -> JudgedItem | None:
        """The step an item leads to after the last step (or another one); None if it is refused."""
        last = last or self.steps.last
        if self.foreseen is not None and self.foreseen.is_of(item, last):
            return self.foreseen.after._replace(item=item)
        if item.reading is not None:
            readings = {**last.setting.readings, item.reading[0]: item.reading[1]}
            setting = kernel.evolve(last.setting, readings=readings)
            return JudgedItem(item, last.state, setting, kernel.Verdict("legal"))
        if item.action is None:
            state = self.engine.positions.adjust(last.setting, last.state, item.changes or {})
            return JudgedItem(item, state, last.setting, kernel.Verdict("legal"))
        judged = self.judged(item.action, last, item.number or 0, lenient=item.stands)
        if not judged.accepted:
            return None
        if item.action is not judged.action:
            item = item._replace(action=judged.action)
        return _new(JudgedItem, (item, judged.state, last.setting, judged.verdict, judged.stages))

    def laid(self, item: Item) -> JudgedItem | None:
        """The step an item leads to in the line; None if it cannot hold, and is pending.

        What only a secret refutes stands: else whoever sees the line would learn what is hidden.
        """
        said = item._replace(stands=False, quietly=False) if item.quietly else item
        try:
            step = self.play(said)
        except kernel.ParseError:
            step = None
        if step is not None or said.stands or not self._holds_openly(said):
            return step
        step = self.play(said._replace(stands=True))
        return step and step._replace(item=step.item._replace(quietly=True))

    def let_stand(self, item: Item) -> Item:
        """An item that is said to stand; quietly, if nobody needs to let it as far as all know."""
        quietly = item.stands and not self.pending and self._holds_openly(item)
        return item._replace(quietly=True) if quietly else item

    def _holds_openly(self, item: Item) -> bool:
        last, number = self.steps.last, item.number or 0
        return item.action is not None and holds_openly(
            self.engine, last.setting, last.state, item.action, number
        )

    def judged(
        self, action: kernel.Action, last: JudgedItem, number: int, *, lenient: bool = False
    ) -> kernel.Judgement[Any]:
        """Judge an action after a step; a wrong count is traced to what touched it."""
        judge = partial(judge_hidden, self.engine) if self.partial else self.engine.judge
        heard = judge(last.setting, last.state, action, number, lenient=lenient)
        if not (
            heard.accepted and heard.verdict.findings and isinstance(heard.action, kernel.Audit)
        ):
            return heard
        before = self.moments(last)
        verdict = self.engine.traced(last.setting, heard.action, heard.verdict, before)
        return kernel.evolve(heard, verdict=verdict)

    def moments(self, last: JudgedItem | None = None) -> list[kernel.Moment[Any]]:
        """The line up to a step, in the form the engine takes."""
        found = []
        for step in self.steps:
            found.append(kernel.Moment(step.number, step.action, step.state))
            if step is last:
                break
        return found

    def seal_findings(self, seal_id: str, value: Any = None) -> tuple[kernel.Finding, ...]:
        """What a sealed value proves about the line now: the opened one, or this ``value``."""
        seal = self.seals[seal_id]
        words: Any = value if value is not None else self.unsealed[seal_id].value
        check = self.engine.sealed.get(seal.what)
        if check is None or not _are_words(words):
            return ()
        sealed_at = self.seq_of(seal)
        moments = self.moments()
        before = 1
        for index, step in enumerate(self.steps[1:], start=1):
            if step.item.seq < sealed_at:
                before = index + 1
        opened = kernel.OpenedSeal(
            seal.seat, tuple(words), tuple(moments[:before]), tuple(moments[before:])
        )
        try:
            return tuple(check(opened, self.setting))
        except kernel.ParseError:
            return ()


def judge_opening(
    engine: kernel.Engine[Any, Any],
    opening: kernel.Opening,
    sheet: kernel.KitSheet,
    readings: Mapping[str, str],
    house_rules: Iterable[str],
    *,
    lenient: bool = False,
) -> tuple[kernel.Setting[Any], kernel.Judgement[Any]]:
    """Judge an opening under these readings, unless it names others itself.

    ``lenient``: a refused opening is judged once more, as it happened.
    """
    full = opening.model_copy(update={"readings": {**readings, **opening.readings}})
    setting = engine.setting(full, sheet, house_rules)
    judged = engine.open(setting, opening)
    if lenient and not judged.accepted:
        judged = engine.open(setting, opening, lenient=True)
    return setting, judged


def seal_digest(game_id: str, seat: str, what: str, salt: str, value: Any) -> str:
    """The salted hash of a sealed value (a commitment).

    It covers game and seat, so that nobody can seal a copy of another seat's value.
    """
    return digest(bytes.fromhex(salt) + canonical([game_id, seat, what, value]))


def _are_words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)


def rearranged(before: Game, after: Game) -> kernel.Rearrangement:
    """What must be moved on the table, which lies as one game tells it, to lie as the other does.

    Both are as the same person sees them: nothing is told of what a view conceals.
    """
    was, now = before.steps.last, after.steps.last
    if was.state is now.state:
        return kernel.Rearrangement()
    return after.engine.rearranged(was.state, now.state, was.setting, now.setting)


def moves_between(game: Game, before: JudgedItem, after: JudgedItem) -> kernel.Moves:
    """What changed hands between two steps."""
    return game.engine.moves(before.state, after.state, after.setting, after.action, after.stages)
