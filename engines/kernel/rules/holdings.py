"""Holdings: who has how much of what; comparing two states tells what changed hands.

A game declares what is held where (``Holdings``), and the points of its seats. What an action
moved is the difference between the states before and after it, and between the stages that hands
went through in between (``rule.stage``): each piece is told as it was moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby, pairwise, product
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from engines.kernel.messages.catalogue import MINUS, Catalogue, Language, Verbatim
from engines.kernel.rules.hearing import Point


class Holding(NamedTuple):
    """An amount of a thing at a holder: a seat, or a place such as ``machine.3``.

    ``A.deck`` is a part of what seat A has, ``A.deck.top`` a part of that: what is known to lie
    there and nowhere else. What is only known better or worse than before has not been moved.
    """

    holder: str
    thing: str
    amount: int | None = 1
    """``None`` where a view conceals it."""


class Sought(NamedTuple):
    """A thing, and the holder from whom somebody says to have drawn it."""

    thing: str
    holder: str


class Hand(NamedTuple):
    """What can be told of a hidden hand from what is known of the table."""

    certain: frozenset[str]
    """These are in it."""
    possible: frozenset[str]
    """Nothing else can be in it."""
    honestly: bool = False
    """Only if its owner has told the truth so far."""
    shown: tuple[str, ...] = ()
    """What this view shows of it: its owner and the referee may have seen it."""


class Holdings(Struct, frozen=True):
    """What is held in a state, ``held(state, setting)``, and the points of each seat in it."""

    held: Callable[[Any, Any], Iterable[Holding]] = lambda state, setting: ()
    points: Callable[[Any], Mapping[str, int]] = lambda state: {}
    lying: Callable[[Any, Any], Iterable[Holding]] | None = None
    """Everything that lies on the table, also what every line about it names (pawns, laid cards):
    what must be moved after a correction. Without it, what is held."""
    piles: Callable[[Any, Any], Mapping[str, Sequence[str]]] = lambda state, setting: {}
    """What lies in an order that matters, by place; the last thing lies on top."""
    sizes: Callable[[Any], Mapping[str, int]] = lambda state: {}
    """How many cards lie where all can count and not see them: hands, decks, a supply."""
    round: Callable[[Any], int | None] = lambda state: None
    """The round, where the game counts its rounds."""
    by_round: bool = False
    """Whether points are won in every round, so that a score sheet has a row for each."""
    sought: Callable[[Point], Sought | None] = lambda point: None
    """What was not where a refused draw says it came from."""
    hand: Callable[[Any, Any, str], Hand] | None = None
    """What a seat's hidden hand may hold, by ``hand(state, setting, seat)``; None without hands."""
    in_hands: Callable[[Any], Iterable[str]] = lambda setting: ()
    """Everything that a hand may ever hold."""
    undeclared: frozenset[str] = frozenset()
    """Things that no position declares: where one is declared, they are not lost, but forgotten."""


class Moved(NamedTuple):
    """An amount of a thing that went from one holder to another; ``None`` is outside the game."""

    source: str | None
    target: str | None
    thing: str
    amount: int


class Scored(NamedTuple):
    """A seat won points, or lost them; ``total`` is what it has now."""

    seat: str
    points: int
    total: int


class Moves(NamedTuple):
    """All that an action moved, and the points it brought."""

    moved: tuple[Moved, ...] = ()
    scored: tuple[Scored, ...] = ()

    def told(self, words: Catalogue, lang: Language) -> list[str]:
        """Sentences in the order of the movements, then the points of each seat.

        What goes the same way one after the other is told together. ``gained.tile`` of the game's
        words, if there is one, tells of a tile that appears, ``lost.tile`` of one that vanishes,
        ``from_to.spy.column`` of a spy that goes to the column.
        """
        told = []
        for (key, source, target), group in groupby(self.moved, lambda each: _way(each, words)):
            things: dict[str, int] = {}
            for each in group:
                things[each.thing] = things.get(each.thing, 0) + each.amount
            said = ", ".join(
                thing_named(thing, count, words, lang) for thing, count in things.items()
            )
            facts = {
                "source": holder_named(source, words, lang),
                "target": holder_named(target, words, lang),
                "count": len(things),
            }
            told.append(words.say(key, lang, **facts, things=Verbatim(said)))
        return told + [_points(scored, words, lang) for scored in self.scored]

    def by_seat(self, words: Catalogue, lang: Language) -> Iterator[tuple[str, str, bool]]:
        """Short labels of what each seat gained or lost, and whether it was a gain."""
        for scored in self.scored:
            facts = {"sign": _sign(scored.points), "count": abs(scored.points)}
            yield scored.seat, words.say("news.points", lang, **facts), scored.points > 0
        for source, target, thing, amount in self.moved:
            said = thing_named(thing, amount, words, lang)
            if taker := seat_of(target):
                yield taker, f"+ {said}", True
            if giver := seat_of(source):
                yield giver, f"{MINUS} {said}", False

    def losers(self, actor: str | None) -> Iterator[str]:
        """The seats that lost something by another seat's action."""
        for moved in self.moved:
            if (giver := seat_of(moved.source)) and giver != actor:
                yield giver


class Recount(NamedTuple):
    """Points of a seat, or the cards at a place, that are to be as many as ``now``."""

    holder: str
    what: Literal["points", "cards"]
    was: int
    now: int


class Pile(NamedTuple):
    """The order in which things are to lie at a place; the last one on top."""

    place: str
    things: tuple[str, ...]


class Rearrangement(NamedTuple):
    """All that hands must do so that one table lies as another: the difference, and no more."""

    moved: tuple[Moved, ...] = ()
    counted: tuple[Recount, ...] = ()
    arranged: tuple[Pile, ...] = ()

    def __bool__(self) -> bool:
        return any(self)

    def told(self, words: Catalogue, lang: Language) -> list[str]:
        """Sentences: what goes where, counts from and to, and piles in their order."""
        counted = (
            words.say(
                f"table.{each.what}",
                lang,
                holder=holder_named(each.holder, words, lang),
                was=each.was,
                count=each.now,
            )
            for each in self.counted
        )
        arranged = (
            words.say(
                "table.order",
                lang,
                holder=holder_named(place, words, lang),
                things=Verbatim(", ".join(thing_named(thing, 1, words, lang) for thing in things)),
            )
            for place, things in self.arranged
        )
        return [*Moves(self.moved).told(words, lang), *counted, *arranged]


def rearranged(
    holdings: Holdings, before: Any, after: Any, setting: Any, setting_after: Any
) -> Rearrangement:
    """What must be moved so that the table of one state is that of another.

    Nothing is told of what a view conceals in one of them.
    """
    lying = holdings.lying or holdings.held
    was, now = _Tally(lying(before, setting)), _Tally(lying(after, setting_after))
    concealed = was.concealed | now.concealed
    changes = [
        each
        for thing in dict.fromkeys((*was.counts, *now.counts))
        for each in _paired(thing, was.seen(thing, concealed), now.seen(thing, concealed), _nested)
        if each.target is not None or thing not in holdings.undeclared
    ]
    moved = tuple(each for each in changes if not _nested(each.source, each.target))
    known = [
        each._replace(source=each.target, target=None) for each in changes if each not in moved
    ]
    forgotten = [each._replace(target=None) for each in changes if each not in moved]
    counted = (
        *_recounts("points", holdings.points(before), holdings.points(after)),
        *_recounts("cards", holdings.sizes(before), holdings.sizes(after)),
    )
    piles = holdings.piles(before, setting)
    arranged = (
        Pile(place, (*things,))
        for place, things in holdings.piles(after, setting_after).items()
        if _relaid(place, things, known)
        != _relaid(place, piles.get(place, ()), (*forgotten, *moved))
    )
    return Rearrangement(moved, counted, tuple(arranged))


def _recounts(
    what: Literal["points", "cards"], old: Mapping[str, int], new: Mapping[str, int]
) -> Iterator[Recount]:
    for holder, number in new.items():
        if holder in old and number != old[holder]:
            yield Recount(holder, what, old[holder], number)


def _relaid(place: str, pile: Sequence[str], moved: Iterable[Moved]) -> list[str]:
    """A pile after what goes was taken out and what comes was laid on top, one after the other."""
    left = list(pile)
    for source, target, thing, amount in moved:
        if source == place:
            for _ in range(min(amount, left.count(thing))):
                left.remove(thing)
        if target == place:
            left += [thing] * amount
    return left


def seat_of(holder: str | None) -> str | None:
    """The seat that a holder is, or is a part of."""
    first = (holder or "").partition(".")[0]
    return first if len(first) == 1 and first.isupper() else None


def _of_one_seat(source: str | None, target: str | None) -> bool:
    return seat_of(source) is not None and seat_of(source) == seat_of(target)


def _nested(source: str | None, target: str | None) -> bool:
    """Whether one of two places is a part of the other."""
    shorter, longer = sorted((source or "", target or ""), key=len)
    return _of_one_seat(source, target) and f"{longer}.".startswith(f"{shorter}.")


def moves(
    holdings: Holdings, before: Any, after: Any, setting: Any, stages: Sequence[Any] = ()
) -> Moves:
    """What has moved between two states, stage by stage.

    What a seat does among its own hidden cards is told by the action itself.
    """
    tallies = [_Tally(holdings.held(state, setting)) for state in (before, *stages, after)]
    concealed = frozenset().union(*(tally.concealed for tally in tallies))
    moved = (
        each
        for was, now in pairwise(tallies)
        for thing in dict.fromkeys((*was.counts, *now.counts))
        if was.counts.get(thing) != now.counts.get(thing)
        for each in _paired(
            thing, was.seen(thing, concealed), now.seen(thing, concealed), _of_one_seat
        )
        if each.target is not None or thing not in holdings.undeclared
        if not _of_one_seat(each.source, each.target)
    )
    old, new = holdings.points(before), holdings.points(after)
    scored = (
        Scored(seat, total - old[seat], total)
        for seat, total in new.items()
        if seat in old and total != old[seat]
    )
    return Moves(tuple(moved), tuple(scored))


def elsewhere(
    holdings: Holdings, sought: Sought, states: Sequence[Any], setting: Any
) -> Iterator[tuple[str, int]]:
    """Who has what is sought, and at which of the states it came there: the last one is now."""
    tallies = [
        _Tally(holdings.held(state, setting)).counts.get(sought.thing, {}) for state in states
    ]
    for holder, amount in tallies[-1].items():
        if amount and holder != sought.holder:
            fewer = (at for at, tally in enumerate(tallies) if tally.get(holder, 0) < amount)
            yield holder, max(fewer, default=-1) + 1


class _Tally:
    """Amounts by thing and holder."""

    def __init__(self, held: Iterable[Holding]) -> None:
        self.counts: dict[str, dict[str, int]] = {}
        self.concealed: set[tuple[str, str]] = set()
        for holder, thing, amount in held:
            if amount is None:
                self.concealed.add((thing, holder))
            else:
                holders = self.counts.setdefault(thing, {})
                holders[holder] = holders.get(holder, 0) + amount

    def seen(self, thing: str, concealed: Set[tuple[str, str]]) -> dict[str, int]:
        """The amounts of a thing by holder, without those hidden at any stage."""
        holders = self.counts.get(thing, {})
        return {one: amount for one, amount in holders.items() if (thing, one) not in concealed}


def _paired(
    thing: str,
    was: Mapping[str, int],
    now: Mapping[str, int],
    first: Callable[[str | None, str | None], bool],
) -> Iterator[Moved]:
    """Match losses with gains: ``first`` those of which it is true, then in the order of the
    holders."""
    changes = {
        holder: now.get(holder, 0) - was.get(holder, 0) for holder in dict.fromkeys((*was, *now))
    }
    losses = {holder: -change for holder, change in changes.items() if change < 0}
    gains = {holder: change for holder, change in changes.items() if change > 0}
    for source, target in sorted(product(losses, gains), key=lambda pair: not first(*pair)):
        if amount := min(losses[source], gains[target]):
            yield Moved(source, target, thing, amount)
            losses[source] -= amount
            gains[target] -= amount
    yield from (Moved(source, None, thing, amount) for source, amount in losses.items() if amount)
    yield from (Moved(None, target, thing, amount) for target, amount in gains.items() if amount)


def _way(moved: Moved, words: Catalogue) -> tuple[str, str | None, str | None]:
    """The message that tells of a movement, and its two ends."""
    source, target, thing, _ = moved
    way = "from_to" if source and target else "gained" if target else "lost"
    own = f"{way}.{thing.partition('.')[0]}"
    there = f"{own}.{(target or '').partition('.')[0]}"
    key = next((key for key in (there, own) if key in words), f"moved.{way}")
    return key, source, target


def _points(scored: Scored, words: Catalogue, lang: Language) -> str:
    facts = {"seat": scored.seat, "sign": _sign(scored.points), "total": scored.total}
    return words.say("moved.points", lang, count=abs(scored.points), **facts)


def _sign(points: int) -> str:
    return "+" if points > 0 else MINUS


def holder_named(holder: str | None, words: Catalogue, lang: Language) -> Verbatim:
    """The name of a holder, from ``holder.machine`` of the catalogue for ``machine.3``, and from
    ``holder.top`` for ``A.deck.top``."""
    kind, _, place = (holder or "").partition(".")
    if place and seat_of(holder):
        kind, place = place.rpartition(".")[2], kind
    key = f"holder.{kind}"
    if key in words:
        return Verbatim(words.say(key, lang, place=place))
    return Verbatim(words.names.get(kind, holder or ""))


def thing_named(thing: str, count: int, words: Catalogue, lang: Language) -> str:
    """An amount in words: by ``thing.leaf`` of the catalogue if there is one, else by the name."""
    kind, _, named = thing.partition(".")
    which, _, part = named.partition(".")
    for key in (f"thing.{thing}", f"thing.{kind}"):
        if key in words:
            return words.say(key, lang, count=count, which=which, part=part)
    name = words.term(thing, lang)
    return name if count == 1 else words.say("moved.times", lang, count=count, name=Verbatim(name))
