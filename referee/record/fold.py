"""Folds the entries of a record into a game. Pure: ``apply`` returns another game, or refuses.

It must read every record ever written, so it refuses only what no version of the program could
have written. Who may write an entry is asked elsewhere, when it is written (``permissions``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from engines.kernel import Audit, Engine, KitSheet, Opening, ParseError, Verbatim, evolve
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, HeldUp, NotFound, RefereeError, Unfit
from referee.record.clocks import new_clock
from referee.record.entries import (
    Adjusted,
    Attended,
    ClockSet,
    Closed,
    Confirmed,
    Corrected,
    DisputeClosed,
    Disputed,
    Entry,
    EntryData,
    Held,
    KitDeclared,
    Logged,
    Noted,
    Opened,
    Penalised,
    PenaltyCancelled,
    PhotoErased,
    Photographed,
    ReadingFixed,
    Reinstated,
    Reopened,
    Restored,
    Resumed,
    Ruled,
    SealedValue,
    Seen,
    Signed,
    TakenBack,
    Unnoted,
    UnreadableEntry,
    Unsealed,
    judges,
    read_entry,
    verdict_data,
)
from referee.record.game import Game, Gone, RecordError, judge_opening, seal_digest
from referee.record.line import NO_CHANGE, Change, Item, JudgedItem, Rejudged, Stood, same_position
from referee.record.persistent_vector import PersistentVector
from referee.store.envelopes import Stored

CANNOT_FOLLOW = (UnreadableEntry, RecordError, RefereeError, ParseError)
"""The errors that an entry which does not fit may raise."""


class Applied(NamedTuple):
    """The game after an entry, and what the entry did to the line."""

    game: Game
    change: Change = NO_CHANGE


_new = tuple.__new__
"""Builds a named tuple from a tuple: takes half the time of calling its class."""

D = TypeVar("D", bound=EntryData)
Follows = Callable[[Game, Entry, Any], Game | Applied]
_STEPS: dict[type[EntryData], Follows] = {}


def fold(stream: str, stored: Iterable[Stored]) -> Game:
    """Replay a stream of stored entries into a game."""
    rows = iter(stored)
    return apply_all(start_game(stream, read_entry(next(rows))), map(read_entry, rows)).game


def engine_of(opened: Opened) -> Engine[Any, Any]:
    """The engine of a record; where its game is not installed, what wrote it is named."""
    try:
        return load_engine(opened.game)
    except ParseError as error:
        if error.key != "unknown_game":
            raise
        wrote = {"game": opened.game, "version": opened.engine_version}
        package = f"referee-{opened.game.replace('_', '-')}"
        told = {name: Verbatim(word) for name, word in {**wrote, "package": package}.items()}
        raise ParseError("not_installed", **told) from None


def start_game(stream: str, first: Entry) -> Game:
    """The game after its opening entry."""
    data = first.data
    if not isinstance(data, Opened):
        raise UnreadableEntry("no_opening")
    if first.seq != 0:
        raise RecordError("out_of_sequence", seq=first.seq, expected=0)
    game = Game(
        stream,
        engine_of(data),
        data,
        KitSheet(data.kit),
        entries=PersistentVector((first,)),
        seats=dict(data.seats),
        has_judge=bool(data.tournament) or judges(first.role),
    )
    opening = _opening(game, data.opening)
    return evolve(game, steps=PersistentVector((_opened(game, Item(0, opening, seq=first.seq)),)))


def apply(game: Game, entry: Entry) -> Applied:
    """The game after one more entry; raises if the entry cannot follow."""
    return apply_all(game, (entry,))


def apply_all(game: Game, entries: Iterable[Entry]) -> Applied:
    """Apply several entries; also returns the last change they made to the line."""
    told: list[Entry] = []
    due = len(game.entries)
    before, change = game.entries, NO_CHANGE
    for entry in entries:
        data = entry.data
        if entry.seq != due:
            raise RecordError("out_of_sequence", seq=entry.seq, expected=due)
        if type(data) is Confirmed:
            _check_head(data, before, told)
        after = _STEPS[type(data)](game, entry, data)
        line = game.steps
        if isinstance(after, Game):
            game = after
        else:
            game, made = after
            change = change if made == NO_CHANGE else made
        if not game.has_judge and judges(entry.role):
            game = evolve(game, has_judge=True)
        if game.clock is not None:
            game = _ticked(game, entry, line)
        told.append(entry)
        due += 1
    return Applied(evolve(game, entries=before.extended(told)), change)


def _check_head(data: Confirmed, before: Sequence[Entry], told: Sequence[Entry]) -> None:
    """A confirmation must name an existing entry and its head.

    An entry that is only tried has no head yet: then there is nothing to compare.
    """
    known = len(before)
    if data.seq < known:
        head = before[data.seq].head
    elif data.seq < known + len(told):
        head = told[data.seq - known].head
    else:
        raise RecordError("confirms_another", seq=data.seq)
    if head not in ("", data.head):
        raise RecordError("confirms_another", seq=data.seq)


def supposed(game: Game, data: Iterable[EntryData]) -> Applied:
    """Apply entries that are not recorded, to see what they would do."""
    entries = [
        Entry(seq, "", "anonymous", "scribe", "", item, "")
        for seq, item in enumerate(data, start=game.version + 1)
    ]
    return apply_all(game, entries)


def _step(kind: type[D]) -> Callable[[Callable[[Game, Entry, D], Game | Applied]], Follows]:
    def register(function: Callable[[Game, Entry, D], Game | Applied]) -> Follows:
        _STEPS[kind] = function
        return function

    return register


# adding to the line


@_step(Logged)
def _log(game: Game, entry: Entry, data: Logged) -> Game:
    must_go_on(game)
    _is_next(game, data.number)
    action = game.engine.text.load(data.action)
    item = _new(Item, (data.number, action, data.stands, None, None, entry.seq, False))
    if data.stands:
        item = game.let_stand(item)
    game = _extended(game, item, undone=(), last_number=data.number)
    return _let_stand(game) if game.pending and game.age == "older" else game


def _let_stand(game: Game) -> Game:
    """Keep an action of an older record that today's engine refuses: it was accepted then.

    Nothing was logged while anything was pending, so such an action cannot be left pending.
    """
    while game.pending and not game.pending[0].stands:
        refused, *others = game.pending
        game = _extended(evolve(game, pending=()), refused._replace(stands=True))
        for item in others:
            game = _extended(game, item)
    return game


@_step(Adjusted)
def _adjust(game: Game, entry: Entry, data: Adjusted) -> Game:
    must_go_on(game)
    _is_next(game, data.number)
    item = Item(data.number, changes=data.changes, seq=entry.seq)
    return _extended(game, item, undone=(), last_number=data.number)


@_step(ReadingFixed)
def _fix_reading(game: Game, entry: Entry, data: ReadingFixed) -> Game:
    must_be_open(game)
    game.engine.check_reading(data.reading, data.value)
    return _extended(game, Item(None, reading=(data.reading, data.value), seq=entry.seq))


def must_be_open(game: Game) -> None:
    if game.closed is not None:
        raise Conflicting("closed")


def must_go_on(game: Game) -> None:
    """Refuse if the record is closed or the game is on hold."""
    if game.closed is None and game.held is None:
        return
    must_be_open(game)
    if isinstance(game.held, Disputed):
        raise HeldUp("held_by_dispute", dispute=game.held.id)
    assert game.held is not None
    if judges(game.holder):
        raise HeldUp("held_by_judge", reason=game.held.reason)
    raise Conflicting("held", reason=game.held.reason)


def _is_next(game: Game, number: int) -> None:
    if number != game.last_number + 1:
        raise RecordError("out_of_order", id=f"#{number}")


def _extended(game: Game, item: Item, **changes: Any) -> Game:
    """Append a step to the line; behind something pending, queue the item there instead."""
    try:
        step = None if game.pending else game.laid(item)
    except ParseError:
        step = None
    if step is None:
        return evolve(game, pending=(*game.pending, item), **changes)
    return evolve(game, steps=game.steps.grown(step), foreseen=None, **changes)


# changing the line


@_step(TakenBack)
def _take_back(game: Game, entry: Entry, data: TakenBack) -> Applied:
    must_be_open(game)
    taken: list[Item] = []
    others: list[Item] = []
    for item in game.backwards():
        if len(taken) == len(data.numbers):
            break
        (others if item.number is None else taken).append(item)
    if tuple(item.number for item in taken) != data.numbers:
        raise RecordError("not_the_last", numbers=data.numbers)
    same = game.length - len(taken) - len(others)
    return _relaid(game, others[::-1], same, undone=(*game.undone, *taken))


@_step(Restored)
def _restore(game: Game, entry: Entry, data: Restored) -> Applied:
    must_be_open(game)
    kept = max(0, len(game.undone) - len(data.numbers))
    back = tuple(reversed(game.undone[kept:]))
    if tuple(item.number for item in back) != data.numbers:
        raise RecordError("not_taken_back", numbers=data.numbers)
    return _relaid(game, back, game.length, undone=game.undone[:kept])


@_step(Corrected)
def _correct(game: Game, entry: Entry, data: Corrected) -> Applied:
    must_be_open(game)
    if data.seats is not None:
        game = evolve(game, seats=dict(data.seats))
    if data.at == 0 and data.remove == (0,):
        return _reopened(game, entry, data)
    if data.seats is not None and not (data.remove or data.insert or data.keep):
        return Applied(game)  # who sits where is no matter of the line: an undo is not final
    touched = {data.at, *data.remove, *data.keep} - {game.last_number + 1}
    line = game.back_to(touched)
    same = game.length - len(line)
    index = _place(game, line, data.at)
    places = {item.number: place for place, item in enumerate(line) if item.number in touched}
    for number in (*data.remove, *data.keep):
        if number not in places:
            raise NotFound("no_such_action", number=number)
    if any(places[number] < index for number in data.remove):
        raise Conflicting("remove_behind", number=data.at)
    for offset, said in enumerate(data.insert, start=1):
        if said.number != game.last_number + offset:
            raise RecordError("out_of_order", id=f"#{said.number}")
    end = max((index, *(places[number] + 1 for number in (*data.remove, *data.keep))))
    put_in = [
        Item(said.number, game.engine.text.load(said.action), said.stands, seq=entry.seq)
        for said in data.insert
    ]
    if any(item.stands for item in put_in):
        put_in = _let_stand_at(game, same + index, put_in)
    changed = [
        item._replace(stands=True, quietly=False) if item.number in data.keep else item
        for item in (*line[:index], *put_in, *line[index:end])
        if item.number not in data.remove
    ]
    is_remedy = game.ordered_at == entry.seq - 1
    ordered = frozenset(said.number for said in data.insert) if is_remedy else frozenset()
    return _relaid(
        evolve(
            game,
            undone=(),
            last_number=game.last_number + len(data.insert),
            ruled=game.ruled | ordered,
        ),
        [*changed, *line[end:]],
        same,
        tail=len(line) - end,
    )


def _let_stand_at(game: Game, place: int, items: Sequence[Item]) -> list[Item]:
    """What is put in at a place of the line and stands: openly, or quietly (``Item``)."""
    there = evolve(game, steps=game.steps.upto(min(1 + place, len(game.steps))), pending=())
    found = []
    for item in items:
        found.append(there.let_stand(item))
        there = _extended(there, found[-1])
    return found


@_step(Reinstated)
def _reinstate(game: Game, entry: Entry, data: Reinstated) -> Applied:
    must_be_open(game)
    if data.ruling not in game.rulings:
        raise NotFound("no_such_ruling", ruling=data.ruling)
    if game.ordered_at == entry.seq - 1:
        # The correction that an appeal orders comes after what it puts back.
        game = evolve(game, ordered_at=entry.seq)
    if data.opening is not None:
        opening = _opening(game, data.opening.action)
        item = Item(0, opening, seq=entry.seq)
        return _relaid(game, game.line(), opening=_opened(game, item), undone=())
    line = game.back_to({data.at, *data.out} - {game.last_number + 1})
    same = game.length - len(line)
    index = _place(game, line, data.at)
    out = set(data.out)
    if not out <= {item.number for item in line[index:]}:
        raise RecordError("not_in_the_line", numbers=data.out)
    if not out.isdisjoint(data.back) or not {*game.numbers()}.isdisjoint(data.back):
        raise RecordError("not_taken_back", numbers=data.back)
    line[index:index] = [_left_item(game, number) for number in data.back]
    left = [item for item in line if item.number not in out]
    return _relaid(game, left, same, undone=())


def _left_item(game: Game, number: int) -> Item:
    """An action that has left the line, as it stood when it last counted."""
    if number in game.gone:
        return game.gone[number].after.item
    for item in game.undone:
        if item.number == number:
            return item
    raise RecordError("not_taken_back", numbers=[number])


def _place(game: Game, line: Sequence[Item], number: int) -> int:
    for index, item in enumerate(line):
        if item.number == number:
            return index
    if number == game.last_number + 1:
        return len(line)
    raise RecordError("not_in_the_line", numbers=[number])


def _reopened(game: Game, entry: Entry, data: Corrected) -> Applied:
    if len(data.insert) != 1:
        raise RecordError("one_opening", count=len(data.insert))
    opening = _opening(game, data.insert[0].action)
    return _relaid(game, game.line(), opening=_opened(game, Item(0, opening, seq=entry.seq)))


@_step(KitDeclared)
def _declare_kit(game: Game, entry: Entry, data: KitDeclared) -> Applied:
    must_be_open(game)
    game = evolve(game, sheet=game.sheet.declare(data.path, data.value, data.source))
    return _relaid(game, game.line(), opening=_opened(game, game.steps[0].item))


def _opening(game: Game, action: dict[str, Any]) -> Opening:
    opening = game.engine.text.load(action)
    if not isinstance(opening, Opening):
        raise RecordError("not_an_opening", verb=opening.verb)
    return opening


def _opened(game: Game, item: Item) -> JudgedItem:
    """The first step; an opening that breaks rules is judged leniently."""
    opening = item.action
    assert isinstance(opening, Opening)
    setting, judged = judge_opening(
        game.engine, opening, game.sheet, game.pinned, game.opened.house_rules, lenient=True
    )
    if not judged.accepted:
        raise RecordError("opening_refused", clause=judged.verdict.clause)
    setting = evolve(setting, engine=game.opened.engine_version)
    return JudgedItem(item, judged.state, setting, judged.verdict)


def _relaid(
    game: Game,
    behind: Sequence[Item],
    same: int = 0,
    opening: JudgedItem | None = None,
    tail: int = 0,
    **changes: Any,
) -> Applied:
    """Splice: keep the first ``same`` items of the line and replace everything behind them.

    Judges again from the first difference on, or all of it behind another opening. The last
    ``tail`` items are those of the line as it was: once their position is the same again, so are
    their verdicts, and a correction costs what it changes, not all that was played behind it.
    """
    counting = len(game.steps) - 1
    if same > counting:
        same, behind = counting, [*game.pending[: same - counting], *behind]
    known = 0 if opening is not None else _common(game.steps[1 + same :], behind)
    kept = 0 if opening is not None else 1 + same + known
    first = PersistentVector((opening,)) if opening is not None else game.steps.upto(kept)
    again = behind[known:]
    old = game.steps[max(0, kept - 1) :]
    tail = 0 if game.pending else min(tail, len(again))
    after = evolve(game, steps=first, pending=(), **changes)
    after, asked = _laid(after, again, old[len(old) - tail - 1 :] if tail else ())
    spliced = len(again) - asked
    old, new = old[: len(old) - spliced], after.steps[kept : len(after.steps) - spliced]
    after = evolve(after, gone=_left(game.gone, old, new))
    if not again:
        return Applied(after)
    change = _changed(old[min(kept, 1) :], new, after.waiting, len(again))
    return Applied(after, change._replace(asked=asked))


def _laid(game: Game, items: Sequence[Item], stood: Sequence[JudgedItem]) -> tuple[Game, int]:
    """Judge items behind the line, and for how many of them the engine was asked.

    ``stood`` are the steps of the last items as they stood, and the one before them.
    """
    changed = len(items) - max(len(stood) - 1, 0)
    traced = _last_traced(stood)
    for asked, item in enumerate(items):
        place = asked - changed
        if place >= traced and same_position(game.steps.last, stood[place]):
            return evolve(game, steps=game.steps.extended(stood[place + 1 :])), asked
        game = _extended(game, item)
        if game.pending:
            return evolve(game, pending=tuple(items[asked:])), len(items)
    return game, len(items)


def _last_traced(steps: Sequence[JudgedItem]) -> int:
    """Where the last wrong count stands: it is traced through the whole line, which may be another
    one now. What stands behind it is judged from its position alone.
    """
    found = (place for place, proofs in enumerate(map(_PROOFS, steps)) if proofs)
    return max((place for place in found if isinstance(steps[place].action, Audit)), default=0)


_PROOFS = attrgetter("verdict.findings")


def _left(gone: Gone, old: Sequence[JudgedItem], new: Sequence[JudgedItem]) -> Gone:
    """The actions that no longer count, with those that have just left the line."""
    counting = {step.number for step in new}
    left = {
        step.number: Stood(before, step)
        for before, step in pairwise(old)
        if step.number is not None and step.number not in counting
    }
    return gone | left if left else gone


def _common(steps: Sequence[JudgedItem], items: Sequence[Item]) -> int:
    """The length of the common prefix: so many steps need not be judged again."""
    for index, (step, item) in enumerate(zip(steps, items, strict=False)):
        if step.item is not item and step.item != item:
            return index
    return min(len(steps), len(items))


def _changed(
    old: Sequence[JudgedItem], new: Sequence[JudgedItem], waiting: Sequence[int], judged_again: int
) -> Change:
    counting = {step.number: step for step in new}
    rejudged = []
    for step in old:
        number = step.number
        if number is None or (number not in counting and number not in waiting):
            continue
        after = counting.get(number)
        was, now = verdict_data(step.verdict), verdict_data(after.verdict) if after else None
        if was != now:
            rejudged.append(Rejudged(number, was, now))
    return Change(tuple(rejudged), tuple(waiting), judged_again)


# holding and closing


@_step(Held)
def _hold(game: Game, entry: Entry, data: Held) -> Game:
    """Put the game on hold.

    A judge's hold replaces that of others; a hold by a dispute is not replaced.
    """
    weaker = isinstance(game.held, Held) and judges(entry.role) and not judges(game.holder)
    if game.held is not None and not weaker:
        return game
    return evolve(game, held=data, holder=entry.role)


@_step(Resumed)
def _resume(game: Game, entry: Entry, data: Resumed) -> Game:
    """Lift a hold; it may be lifted already, by a ruling."""
    return evolve(game, held=None, holder="")


@_step(ClockSet)
def _set_clock(game: Game, entry: Entry, data: ClockSet) -> Game:
    must_be_open(game)
    if data.seat is not None:
        game.must_seat(data.seat)
    if data.seconds is None:
        if game.clock is None:
            raise Conflicting("plays_without_clock")
        return evolve(game, clock=game.clock.given(data, entry.seq))
    if data.seconds == 0:
        return evolve(game, clock=None)
    clock = new_clock(data, entry.seq, entry.at, game.setting.seats, _round(game))
    return evolve(game, clock=clock)


def _ticked(game: Game, entry: Entry, line: PersistentVector[JudgedItem]) -> Game:
    clock = game.clock
    assert clock is not None
    stopped = game.held is not None or game.closed is not None or bool(game.pending)
    seats = () if stopped else game.state.agenda.seats
    turns: Counter[str] = Counter()
    if clock.rule.increment and line is not game.steps:
        known = len(line) - 1
        if len(game.steps) <= known or game.steps[known] is not line[known]:
            known = 0
        turns.update(_turns_over(game.steps[known:], clock.begun))
        turns.subtract(_turns_over(line[known:], clock.begun))
    clock = clock.ticked(entry.at, seats, _round(game), turns)
    return evolve(game, clock=clock)


def _turns_over(steps: Sequence[JudgedItem], begun: int) -> Iterator[str]:
    """Whose turn each of these steps but the first ended, back to what was played before."""
    for before, after in zip(steps[-2::-1], steps[:0:-1], strict=True):
        if after.item.seq <= begun:
            return
        yield from {*before.state.agenda.seats} - {*after.state.agenda.seats}


def _round(game: Game) -> int | None:
    return game.engine.score(game.state)[0]


@_step(Closed)
def _close(game: Game, entry: Entry, data: Closed) -> Game:
    must_be_open(game)
    return evolve(game, closed=data)


@_step(Reopened)
def _reopen(game: Game, entry: Entry, data: Reopened) -> Game:
    if game.closed is None:
        raise Conflicting("not_closed")
    return evolve(game, closed=None)


# disputes and rulings


@_step(Disputed)
def _dispute(game: Game, entry: Entry, data: Disputed) -> Game:
    _is_due(data.id, "d", len(game.disputes))
    for number in data.numbers:
        game.must_know(number)
    if data.seat is not None:
        game.must_seat(data.seat)
    if data.beside is not None:
        game.dispute_named(data.beside)
    if data.appeals is not None:
        game.ruling_in_force(data.appeals)
    disputes = {**game.disputes, data.id: data}
    if not data.holds:
        return evolve(game, disputes=disputes)
    return evolve(game, disputes=disputes, held=data, holder=entry.role)


@_step(DisputeClosed)
def _close_dispute(game: Game, entry: Entry, data: DisputeClosed) -> Game:
    return _settled(game, data.id, "withdrawn")


@_step(Attended)
def _attend(game: Game, entry: Entry, data: Attended) -> Game:
    if data.dispute is not None:
        game.dispute_named(data.dispute)
    return game


@_step(Seen)
def _see(game: Game, entry: Entry, data: Seen) -> Game:
    for number in data.numbers:
        game.must_know(number)
    return game


@_step(Ruled)
def _rule(game: Game, entry: Entry, data: Ruled) -> Game:
    _is_due(data.id, "r", len(game.rulings))
    if data.overturns is not None:
        game.ruling_in_force(data.overturns)
        game = evolve(game, overturned={**game.overturned, data.overturns: data.id})
    if data.dispute is None:
        for number in data.numbers:
            game.must_know(number)
    else:
        game = _settled(game, data.dispute, data.id, again=data.overturns is not None)
    game = _joined(game, data)
    if data.remedy == "corrected":
        game = evolve(game, ordered_at=entry.seq)
    return evolve(
        game, rulings={**game.rulings, data.id: data}, ruled=game.ruled.union(data.numbers)
    )


def _settled(game: Game, dispute: str, by: str, *, again: bool = False) -> Game:
    """A call that a ruling on another one had decided may have been closed by itself since: records
    were written so before the operations refused it."""
    game.dispute_named(dispute)
    if dispute in game.settled and not again:
        raise Conflicting("dispute_settled", dispute=dispute)
    return _held_on(evolve(game, settled={**game.settled, dispute: by}))


def _joined(game: Game, ruling: Ruled) -> Game:
    """One call: what the referee has called a judge for, and what players say about it; and all
    appeals against one ruling.

    A ruling on one of them decides the others, if they are about the same actions and clause.
    """
    ruled = game.disputes.get(ruling.dispute or "")
    others = [
        dispute
        for dispute in game.disputes.values()
        if dispute.id not in game.settled
        and game.joined.get(dispute.id, ruling.overturns) == ruling.overturns
        and {*dispute.numbers} <= {*ruling.numbers}
        and (dispute.clause is None or dispute.clause in ruling.clauses)
    ]
    by_itself = any(one is not None and _raised_by_itself(one) for one in (ruled, *others))
    also = {
        dispute.id: ruling.id
        for dispute in others
        if by_itself or (dispute.appeals is not None and dispute.appeals == ruling.overturns)
    }
    return _held_on(evolve(game, joined={**game.joined, **also})) if also else game


def _raised_by_itself(dispute: Disputed) -> bool:
    return dispute.cause in ("stands", "finding")


def _held_on(game: Game) -> Game:
    """The game, no longer held by a dispute that is over, but by the one it stood beside."""
    if not isinstance(game.held, Disputed):
        return game
    holding: Disputed | None = game.held
    while holding is not None and game.ended_by(holding) is not None:
        holding = game.disputes[holding.beside] if holding.beside is not None else None
    return evolve(game, held=holding, holder="")


@_step(Penalised)
def _penalise(game: Game, entry: Entry, data: Penalised) -> Game:
    _is_due(data.id, "x", len(game.penalties))
    game.must_seat(data.seat)
    return evolve(game, penalties={**game.penalties, data.id: data})


@_step(PenaltyCancelled)
def _cancel_penalty(game: Game, entry: Entry, data: PenaltyCancelled) -> Game:
    game.penalty_in_force(data.id)
    return evolve(game, cancelled={**game.cancelled, data.id: data})


def _is_due(said: str, letter: str, made: int) -> None:
    if said != f"{letter}{made + 1}":
        raise RecordError("out_of_order", id=said)


# signatures, sealed values, notes


@_step(Signed)
def _sign(game: Game, entry: Entry, data: Signed) -> Game:
    if data.seq >= entry.seq:
        raise RecordError("signs_the_future", seq=data.seq)
    return game


@_step(Confirmed)
def _confirm(game: Game, entry: Entry, data: Confirmed) -> Game:
    """Store a confirmation; its head was checked by ``apply_all``."""
    game.must_seat(data.seat)
    return evolve(game, confirmed={**game.confirmed, data.seat: data})


@_step(SealedValue)
def _seal(game: Game, entry: Entry, data: SealedValue) -> Game:
    _is_due(data.id, "s", len(game.seals))
    game.must_seat(data.seat)
    return evolve(game, seals={**game.seals, data.id: data})


@_step(Unsealed)
def _unseal(game: Game, entry: Entry, data: Unsealed) -> Game:
    seal = game.closed_seal(data.id)
    if seal_digest(game.id, seal.seat, seal.what, data.salt, data.value) != seal.digest:
        raise Unfit("seal_broken", id=data.id)
    return evolve(game, unsealed={**game.unsealed, data.id: data})


@_step(Noted)
def _note(game: Game, entry: Entry, data: Noted) -> Game:
    _is_due(data.id, "n", game.notes_made)
    game.must_know(data.number)
    notes = {**game.notes, data.id: data}
    return evolve(game, notes=notes, notes_made=game.notes_made + 1)


@_step(Unnoted)
def _unnote(game: Game, entry: Entry, data: Unnoted) -> Game:
    game.note_named(data.id)
    return evolve(game, notes={name: n for name, n in game.notes.items() if name != data.id})


@_step(Photographed)
def _photograph(game: Game, entry: Entry, data: Photographed) -> Game:
    _is_due(data.id, "f", len(game.photos))
    game.must_know(data.number)
    if data.dispute is not None:
        game.dispute_named(data.dispute)
    if data.only is not None:
        game.must_seat(data.only)
    return evolve(game, photos={**game.photos, data.id: data})


@_step(PhotoErased)
def _erase_photo(game: Game, entry: Entry, data: PhotoErased) -> Game:
    game.photo_named(data.id)
    return evolve(game, photos_erased={**game.photos_erased, data.id: data})


@_step(Opened)
def _open_again(game: Game, entry: Entry, data: Opened) -> Game:
    raise RecordError("opened_already")
