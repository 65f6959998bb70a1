"""Pieces of a declared position: what lies at a place, and what could be put there, by name.

A position is data of a game's own shape. What a small change of it means at the table is not
written down anywhere twice: it is tried, and the holdings of both tables are compared. What moves
exactly one piece is offered, in the words of the holdings; everything else is no piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from itertools import chain
from typing import Any, Literal, NamedTuple

from answers.i18n import Voice
from answers.line_words import called
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.errors import MessageError
from engines.kernel.registry import load_engine
from engines.kernel.rules.holdings import holder_named, thing_named
from engines.kernel.values.structs import evolve
from referee.record.positions import judge_from_position, position_actions, read_position

MOST = 60
"""Pieces offered at a place."""
MOST_TRIED = 900
"""Changes that are tried for one answer."""
_MOST_WORDS = 80
Path = tuple[str | int, ...]
Spot = tuple[str, str]
"""A holder and a thing, as the holdings call them."""
Act = Literal["count", "add", "drop", "turn", "set", "put", "unset"]


class _Edit(NamedTuple):
    """A small change of the data: of a number, a row of words, a word, an entry of a table."""

    path: Path
    act: Act
    value: Any = None

    def done(self, data: Any) -> Any:
        """The same data with it, otherwise untouched; it must be where it was found."""
        changed = deepcopy(data)
        inside = changed
        for name in self.path[:-1]:
            inside = inside[name]
        last = self.path[-1]
        if self.act == "count":
            inside[last] += self.value
        elif self.act == "add":
            inside[last] = inside[last] + (
                self.value if isinstance(inside[last], str) else [self.value]
            )
        elif self.act == "drop":
            inside[last] = _without(inside[last], self.value)
        elif self.act == "turn":
            place, word = self.value
            inside[last][place] = word
        elif self.act == "unset":
            del inside[last]
        else:
            inside[last] = self.value
        return changed


class Piece(NamedTuple):
    """A piece that goes from one holder to another; ``""`` is off the table."""

    thing: str
    source: str
    target: str


class _Effect(NamedTuple):
    change: Counter[Spot]
    faults: Counter[str]
    """Clauses that the table breaks."""


class Table:
    """A position, and what small changes of it would mean."""

    def __init__(self, file: Mapping[str, Any]) -> None:
        opened = read_position({**file, "position": None})
        self._start = judge_from_position(opened, [])
        self._engine = self._start.engine
        if "position" not in file:  # a table that has just been opened lies there as well
            laid = self._engine.positions.data_of(self._start.setting, self._start.state)
            file = {**file, "position": laid}
        self._file = dict(file)
        self._position: dict[str, Any] = self._file["position"]
        self._bare = opened.model_copy(update={"setup": ()})
        self._known: dict[tuple[_Edit, ...], _Effect | None] = {}

    # what it shows

    @property
    def seats(self) -> tuple[str, ...]:
        return self._start.setting.seats

    def places(self) -> list[str]:
        """Every holder of something."""
        return list(dict.fromkeys(holder for holder, _ in self.lies))

    def lying(self, place: str) -> dict[str, int]:
        """What lies at a place, and how much of it."""
        found = Counter[str]()
        for (holder, thing), amount in self.lies.items():
            found[thing] += amount if is_at(holder, place) else 0
        return dict(+found)

    def holds_pieces(self, path: Path) -> bool:
        """Whether a field says where a piece lies: it needs no form of its own."""
        return any(
            effect is not None and effect.change
            for edit in chain(self._takes_of(path), self._turned_elsewhere(path))
            for effect in [self._effect(edit)]
        )

    # what could be

    def put_here(self, place: str) -> dict[Piece, dict[str, Any]]:
        """The pieces that could be put at a place, each with the position that it would make."""
        found: dict[Piece, dict[str, Any]] = {}
        loose: dict[Spot, _Edit] = {}
        for edit in self._gives(place):
            effect = self._effect(edit)
            if effect is None or (spot := _arrives(effect.change, place)) is None:
                continue
            source = _leaves(effect.change, spot)
            if source is not None and not self._faulty(effect):
                found.setdefault(Piece(spot[1], source, spot[0]), self._made(edit))
            else:
                loose.setdefault(spot, edit)
        for spot, edit in loose.items():
            for piece, data in self._brought(spot, edit):
                found.setdefault(piece, data)
        return dict(list(found.items())[:MOST])

    def taken(self, place: str) -> dict[Piece, dict[str, Any]]:
        """The pieces that could be taken from a place, off the table or back where they belong."""
        found: dict[Piece, dict[str, Any]] = {}
        for edit, spot in self._taking:
            if not is_at(spot[0], place):
                continue
            for back in ((), *((each,) for each in self._returns(spot))):
                effect = self._effect(edit, *back)
                if effect is None or self._faulty(effect):
                    continue
                target = _lands(effect.change, spot)
                if target is not None:
                    found.setdefault(Piece(spot[1], spot[0], target), self._made(edit, *back))
                if not back and target is not None:
                    break
        return dict(list(found.items())[:MOST])

    def moved(self, piece: Piece) -> dict[str, Any] | None:
        """The position after a piece has gone its way; ``None`` if it cannot."""
        ways = self.put_here(piece.target) if piece.target else {}
        if piece not in ways and piece.source:
            ways = self.taken(piece.source)
        return ways.get(piece)

    # how it is found

    @cached_property
    def _base(self) -> tuple[Counter[Spot], Counter[str]]:
        read = self._read(self._position)
        return (Counter(), Counter()) if read is None else read

    @property
    def lies(self) -> Counter[Spot]:
        """How much of what lies at each holder."""
        return self._base[0]

    def _read(self, position: Mapping[str, Any]) -> tuple[Counter[Spot], Counter[str]] | None:
        """What lies where in a position, and what the rules have against it."""
        if self._start.refused is not None:
            return None
        engine, setting = self._engine, self._start.setting
        try:
            (action,) = position_actions(
                engine, self._bare.model_copy(update={"position": position})
            )
            judged = engine.judge(setting, self._start.state, action, lenient=True)
        except (MessageError, KeyError, ValueError):
            return None
        if not judged.accepted:
            return None
        held: Counter[Spot] = Counter()
        holdings = engine.holdings
        for holder, thing, amount in (holdings.lying or holdings.held)(judged.state, setting):
            held[holder, thing] += amount or 0
        faults = Counter(point.clause for point in judged.verdict.breaches)
        return +held, faults

    def _effect(self, *edits: _Edit) -> _Effect | None:
        if edits not in self._known and len(self._known) < MOST_TRIED:
            self._known[edits] = self._tried(edits)
        return self._known.get(edits)

    def _tried(self, edits: Sequence[_Edit]) -> _Effect | None:
        try:
            read = self._read(self._after(edits))
        except (KeyError, IndexError, TypeError, ValueError):
            return None  # two changes of the same field do not go together
        if read is None:
            return None
        change = Counter(read[0])
        change.subtract(self.lies)
        return _Effect(Counter({spot: by for spot, by in change.items() if by}), read[1])

    def _after(self, edits: Iterable[_Edit]) -> dict[str, Any]:
        data: dict[str, Any] = self._position
        for edit in edits:
            data = edit.done(data)
        return data

    def _made(self, *edits: _Edit) -> dict[str, Any]:
        return {**self._file, "position": self._after(edits)}

    def _faulty(self, effect: _Effect) -> bool:
        """Whether the table breaks a rule that it does not break now."""
        return bool(effect.faults - self._base[1])

    def _brought(self, spot: Spot, edit: _Edit) -> Iterator[tuple[Piece, dict[str, Any]]]:
        """A piece comes from wherever one lies, else from off the table."""
        sources = set()
        for take, (holder, thing) in self._taking:
            if thing != spot[1] or holder in sources or holder == spot[0]:
                continue
            both = self._effect(take, edit)
            exactly = {spot: 1, (holder, thing): -1}
            if both is not None and dict(both.change) == exactly and not self._faulty(both):
                sources.add(holder)
                yield Piece(thing, holder, spot[0]), self._made(take, edit)
        alone = self._effect(edit)
        is_new = alone is not None and dict(alone.change) == {spot: 1}
        if not sources and alone is not None and is_new and not self._faulty(alone):
            yield Piece(spot[1], "", spot[0]), self._made(edit)

    @cached_property
    def _taking(self) -> list[tuple[_Edit, Spot]]:
        """The changes that take one piece away, and which: it lies nowhere then, or elsewhere."""
        found = []
        for path, _ in fields(self._position):
            for edit in self._takes_of(path):
                effect = self._effect(edit)
                gone = [] if effect is None else list(effect.change.items())
                lost = [spot for spot, by in gone if by == -1]
                if len(lost) == 1 and all(
                    spot == lost[0] or (by == 1 and spot[1] == lost[0][1]) for spot, by in gone
                ):
                    found.append((edit, lost[0]))
        return found

    def _takes_of(self, path: Path) -> Iterator[_Edit]:
        value = _at(self._position, path)
        if isinstance(value, list):
            yield from (_Edit(path, "drop", word) for word in dict.fromkeys(value))
        elif isinstance(value, bool):
            return
        elif isinstance(value, int):
            yield _Edit(path, "count", -1)
        elif isinstance(value, str):
            yield _Edit(path, "unset")
            if _is_row(value):
                yield from (_Edit(path, "drop", letter) for letter in dict.fromkeys(value))

    def _turned_elsewhere(self, path: Path) -> Iterator[_Edit]:
        """A number becomes the next, a word another that stands in its place elsewhere."""
        value = _at(self._position, path)
        if isinstance(value, int) and not isinstance(value, bool):
            yield _Edit(path, "count", 1)
        elif isinstance(value, str):
            others = (_at(self._position, each) for each, _ in fields(self._position))
            rows = (row if isinstance(row, list) else [row] for row in others)
            names = {holder.partition(".")[2] for holder, _ in self.lies} & {
                word for row in rows for word in row if isinstance(word, str)
            }
            yield from (_Edit(path, "set", name) for name in sorted(names - {value})[:3])

    def _returns(self, spot: Spot) -> Iterator[_Edit]:
        """Where a piece that is taken away may go: it is counted, or stands in a row."""
        word = _code(spot)
        for path, value in fields(self._position):
            if isinstance(value, list):
                yield _Edit(path, "add", word)
            elif isinstance(value, int) and not isinstance(value, bool):
                yield _Edit(path, "count", 1)

    def _gives(self, place: str) -> Iterator[_Edit]:
        """The changes that may bring something to a place: whatever names it, or lies under its
        name."""
        codes = dict.fromkeys((place, place.partition(".")[2] or place, place.rpartition(".")[2]))
        words = self._words
        for path, value in fields(self._position):
            if set(codes).intersection(map(str, path)):
                yield from _given(path, value, words)
            for code in codes:
                if isinstance(value, list):
                    yield from (_Edit(path, "turn", (at, code)) for at in range(len(value)))
                    yield _Edit(path, "add", code)
                elif isinstance(value, str):
                    yield _Edit(path, "set", code)
                elif code.isdecimal() and not isinstance(value, bool) and int(code) != value:
                    yield _Edit(path, "set", int(code))
        for path, table in _tables(self._position):
            beside = [value for value in table.values() if not isinstance(value, dict | list)]
            amounts = all(isinstance(value, int) for value in beside)
            if set(codes).intersection(map(str, path)) and amounts:
                yield from (_Edit((*path, word), "put", 1) for word in words if word not in table)
            for code in codes:
                if code not in table and all(isinstance(value, str) for value in beside):
                    values = dict.fromkeys((*beside, *(() if beside else words)))
                    yield from (_Edit((*path, code), "put", value) for value in values)

    @cached_property
    def _words(self) -> list[str]:
        """What things are called in the data: by the last part of their names, or as they stand."""
        things = (part for _, thing in self.lies for part in (thing, thing.rpartition(".")[2]))
        rows = (value for _, value in fields(self._position) if isinstance(value, list))
        written = (word for row in rows for word in row if isinstance(word, str))
        return list(dict.fromkeys(chain(things, written)))[:_MOST_WORDS]


def among(voice: Voice, names: Mapping[str, str]) -> Voice:
    """The same localiser, with people called by these names."""
    return evolve(voice, names=names)


def in_order(named: Mapping[str, str]) -> dict[str, str]:
    """Places by the alphabet of their names."""
    return dict(sorted(named.items(), key=lambda item: normalize(item[1])))


class Named(NamedTuple):
    """A piece and its way, in the words of whoever reads them."""

    piece: Piece
    name: str
    source: str
    target: str


def named(voice: Voice, engine: str, piece: Piece) -> Named:
    """``Zoé’s pawn 1``, from where, and where to."""
    words = load_engine(engine).words.naming(voice.names)
    ends = (holder_named(end, words, voice.lang) if end else "" for end in piece[1:])
    return Named(piece, piece_name(voice, engine, piece.thing), *ends)


def piece_name(voice: Voice, engine: str, thing: str, amount: int = 1) -> str:
    """As the holdings have it; what they know by its code alone, or do not tell from its like, as
    the box has it: ``bear Elite EB2``."""
    played = load_engine(engine)
    words, code = played.words.naming(voice.names), thing.rpartition(".")[2]
    plain, label = thing_named(thing, 1, words, voice.lang), called(played, code, voice.lang)
    if plain != code and (code not in label.split() or code in plain or label == code):
        return thing_named(thing, amount, words, voice.lang)
    return label if amount == 1 else words.say("moved.times", voice.lang, count=amount, name=label)


def place_name(voice: Voice, engine: str, place: str) -> str:
    return str(holder_named(place, load_engine(engine).words.naming(voice.names), voice.lang))


# the shape of a position


def fields(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Numbers, words and rows of words of a position, wherever they stand."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from fields(value, (*path, name))
    elif isinstance(data, list) and not all(isinstance(each, str) for each in data):
        for place, value in enumerate(data):
            yield from fields(value, (*path, place))
    else:
        yield path, data


def _tables(data: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if isinstance(data, Mapping):
        if path:
            yield path, data
        for name, value in data.items():
            yield from _tables(value, (*path, name))


def _at(data: Any, path: Path) -> Any:
    for name in path:
        data = data[name]
    return data


def _given(path: Path, value: Any, words: Sequence[str]) -> Iterator[_Edit]:
    if isinstance(value, list):
        yield from (_Edit(path, "add", word) for word in words)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int):
        yield _Edit(path, "count", 1)
    elif _is_row(value):
        yield from (_Edit(path, "add", word) for word in words if len(word) == 1)


def _is_row(value: str) -> bool:
    """Pieces of one letter each are written as one word: ``DDE``."""
    return value == "" or (value.isalpha() and value.isupper())


def _without(row: Any, word: str) -> Any:
    if isinstance(row, str):
        return row.replace(word, "", 1)
    at = row.index(word)
    return [*row[:at], *row[at + 1 :]]


# what a change of the table says


def is_at(holder: str, place: str) -> bool:
    """Whether a holder is a place, or lies under its name: ``tile.c2`` and ``A.deck`` do."""
    return place == holder or place in holder.split(".")


def _arrives(change: Counter[Spot], place: str) -> Spot | None:
    """The one piece that a change brings to a place."""
    here = [spot for spot, by in change.items() if by > 0]
    if len(here) == 1 and change[here[0]] == 1 and is_at(here[0][0], place):
        return here[0]
    return None


def _leaves(change: Counter[Spot], spot: Spot) -> str | None:
    """From where the same piece has gone, with which way up it lay there; ``None`` where something
    else has, or nothing."""
    gone = {each: by for each, by in change.items() if by < 0}
    holders = {holder for holder, _ in gone}
    here = next((holder for holder, thing in gone if thing == spot[1]), None)
    if holders == {here} and all(by == -1 and _code(at) == _code(spot) for at, by in gone.items()):
        return here
    return None


def _code(spot: Spot) -> str:
    return spot[1].rpartition(".")[2]


def _lands(change: Counter[Spot], spot: Spot) -> str | None:
    """Where a piece that was taken away lies then; ``""`` if it is nowhere on the table."""
    come = {each: by for each, by in change.items() if each != spot}
    if change[spot] != -1 or any((_code(at), by) != (_code(spot), 1) for at, by in come.items()):
        return None
    holders = [holder for holder, thing in come if thing == spot[1]]
    is_one = len(holders) < 2 and {holder for holder, _ in come} == {*holders}
    return "".join(holders) if is_one else None
