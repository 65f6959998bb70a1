"""Kits: what is in the physical box, every datum with its provenance."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args

from msgspec import Struct
from pydantic import (
    AfterValidator,
    BaseModel,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PrivateAttr,
    ValidationInfo,
)
from pydantic_core import CoreSchema, PydanticKnownError, core_schema, to_json

from engines.kernel.messages.catalogue import Language, Phrase, Verbatim
from engines.kernel.messages.errors import Flaw, ParseError
from engines.kernel.values.models import STRICT
from engines.kernel.values.numbers import whole_number

Provenance = Literal["rulebook", "derived", "public", "recalled", "assumed", "declared"]
PROVENANCES: tuple[str, ...] = get_args(Provenance)
_WEAKEST_LAST = ("declared", "rulebook", "derived", "public", "recalled", "assumed")

_LABELS = ("kit", "game", "version")
"""Metadata of a kit, not facts about the box."""
_NOWHERE = "-"
_MARK = "provenance"
_SOURCE = "source"
_SEEN = "seen"
PART = "#"
"""``borders#F1``: the part of a list of pairs that is about F1."""

MOST_DATA = 5000
"""How many data a kit may have, and how many characters the text of one."""


class Within(NamedTuple):
    """Limits of a number, a text, or of how many are in a list or table, that what is new keeps.

    A kit or a plan in a record is read whatever it says, so that a table which wrote down too
    large a number opens, and can declare another one.
    """

    least: int
    most: int

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        said = handler(schema)
        least, most = _LIMITS[said.get("type", "integer")]
        return {**said, least: self.least, most: self.most}

    def _checked(self, value: Any, info: ValidationInfo) -> Any:
        if not info.context or not info.context.get(_NEW):
            return value
        if isinstance(value, int):
            if value < self.least:
                raise PydanticKnownError("greater_than_equal", {"ge": self.least})
            if value > self.most:
                raise PydanticKnownError("less_than_equal", {"le": self.most})
            return value
        if isinstance(value, str):
            if len(value) < self.least:
                raise PydanticKnownError("string_too_short", {"min_length": self.least})
            if len(value) > self.most:
                raise PydanticKnownError("string_too_long", {"max_length": self.most})
            return value
        there = {"field_type": "List", "actual_length": len(value)}
        if len(value) < self.least:
            raise PydanticKnownError("too_short", {**there, "min_length": self.least})
        if len(value) > self.most:
            raise PydanticKnownError("too_long", {**there, "max_length": self.most})
        return value


_NEW = "new"
SAID_NOW: dict[str, Any] = {_NEW: True}
"""The context in which a model is read from a request or a file, not from a record."""
_LIMITS = {
    "integer": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}

Amount = Annotated[int, Within(0, 999)]
"""How many there are, what something costs or brings."""
Few = Annotated[int, Within(0, 20)]
"""How many of something are printed, or lie, side by side."""
Score = Annotated[int, Within(-999, 999)]
Coordinate = Annotated[int, Within(-99, 99)]


class Kit(BaseModel):
    """Base of a game's kit model: the data, and the sheet that says where they are known from."""

    model_config = STRICT

    kit: str
    game: str
    version: Annotated[int, Within(0, 9999)]

    says_all: ClassVar[frozenset[str]] = frozenset()
    """Data that, stated, take the place of whatever else their table said: a total for a list."""

    _sheet: "KitSheet | None" = PrivateAttr(default=None)

    @classmethod
    def stated(cls, sheet: "KitSheet", path: str, value: Any) -> tuple[str, Any]:
        """Normalize a statement about the box: from a path as people type it to the stored path."""
        if path in cls.says_all and sheet.at(path) is None:
            table, _, name = path.rpartition(".")
            return table, {name: value}
        return sheet.meant(path), value

    @classmethod
    def read(cls, sheet: "KitSheet", *, new: bool = False) -> Self:
        """``new``: a kit that is told, opened or declared must keep its limits (``Within``), and
        nothing in it is taken for something of another kind (``true`` for one)."""
        data, limits = sheet.data(), {_NEW: new}
        if new:
            kit = cls.model_validate_json(to_json(data), strict=True, context=limits)
        else:
            kit = cls.model_validate(data, context=limits)
        kit._sheet = sheet
        return kit

    def check_whole(self) -> None:
        """Raises a ``Flaw`` if the kit lacks something that play will need."""

    def provenance(self, path: str) -> str:
        """How a datum is known; a verdict names it where the datum is only assumed."""
        return self._sheet.provenance(path) if self._sheet is not None else "assumed"


def has_all(*names: object) -> AfterValidator:
    """A validator for a table that must have an entry for each of these names."""

    def checked(table: dict[Any, Any]) -> dict[Any, Any]:
        for name in names:
            if name not in table:
                raise Flaw("at", place=str(name), problem=Phrase("flaw.missing"))
        return table

    return AfterValidator(checked)


Source = str | Mapping[str, str]
"""How a datum is known: a name or a table's own words, or a remark in every language."""


class Datum(NamedTuple):
    """One fact about the box."""

    path: str
    value: Any
    provenance: str
    source: Source | None

    def source_in(self, lang: Language) -> str:
        if isinstance(self.source, Mapping):
            return str(self.source.get(lang, ""))
        return self.source or ""


class KitSheet(Struct, frozen=True, dict=True):
    """A kit as it is written and stored: data with provenance marks among them.

    ``provenance`` and ``source`` may stand in any table and hold for everything below it;
    ``<key>_provenance`` and ``<key>_source`` mark the neighbouring ``<key>``. A source is a
    name (a heading of the rulebook, say), or ``{ en = "…", fr = "…" }``. ``<key>_seen`` says of
    which names in a list of pairs somebody has seen all pairs, with the source.
    """

    content: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """The data alone, for the game's kit model."""
        plain = _strip(self.content)
        assert isinstance(plain, dict)
        return plain

    def check_size(self) -> None:
        """Raises a ``Flaw`` if it has more data, or longer ones, than any box."""
        for number, datum in enumerate(_walk(self.content, "", "assumed", None), start=1):
            size = len(datum.value) if isinstance(datum.value, str | list | tuple) else 1
            if max(number, size) > MOST_DATA:
                place = Verbatim(self.shown(datum.path)[:80])
                raise Flaw("at", place=place, problem=Phrase("flaw.box_too_large"))

    def datums(self) -> Iterator[Datum]:
        """Every datum with its provenance and source, in the order of the file."""
        for datum in self._marked():
            known = datum.provenance in PROVENANCES
            yield datum if known else datum._replace(provenance="assumed")

    @cached_property
    def provenances(self) -> Mapping[str, int]:
        """How many data are known from where: kept, because every page of a table asks."""
        return Counter(datum.provenance for datum in self.datums())

    @cached_property
    def _data(self) -> dict[str, str]:
        return {datum.path: datum.provenance for datum in self.datums()}

    @cached_property
    def _weakest(self) -> dict[str, str]:
        """The weakest provenance of every datum and of every table of data."""
        found: dict[str, str] = {}
        for path, known in self._data.items():
            for part in _parts(path):
                found[part] = max(found.get(part, known), known, key=_WEAKEST_LAST.index)
        return found

    def badly_marked(self) -> Datum | None:
        """The first datum whose provenance is not one of ``PROVENANCES``."""
        return next((d for d in self._marked() if d.provenance not in PROVENANCES), None)

    def _marked(self) -> Iterator[Datum]:
        for datum in _walk(self.content, "", "assumed", None):
            if datum.path not in _LABELS:
                yield datum

    def provenance(self, path: str) -> str:
        """The provenance of a datum (of the weakest, if the path names several)."""
        if PART in path:
            path, _, part = path.partition(PART)
            if part in self._seen(path):
                return "declared"
        if path in self._weakest:
            return self._weakest[path]
        around = (self._data[part] for part in _parts(path) if part in self._data)
        return next(around, "assumed")

    def _seen(self, path: str) -> Mapping[str, str]:
        table, _, key = path.rpartition(".")
        node: Any = self.content
        for step in filter(None, table.split(".")):
            node = node.get(step) if isinstance(node, Mapping) else None
        return (node.get(f"{key}_{_SEEN}") or {}) if isinstance(node, Mapping) else {}

    def meant(self, path: str) -> str:
        """Translate a typed path into a stored one: list elements by index, from 0.

        People name elements by their ids, or count them from 1.
        """
        found = list(_walked(self.content, path.split("."), _place))
        if _NOWHERE in found:
            raise ParseError("unknown_datum", path=path)
        return ".".join(found)

    def shown(self, path: str) -> str:
        """Translate a stored path into the one people type: elements by id, or counted from 1."""
        return ".".join(_walked(self.content, path.split("."), _label))

    def is_list(self, path: str) -> bool:
        """Whether there is a list at a stored path."""
        return isinstance(self._node(path), list | tuple)

    def at(self, path: str) -> Any:
        """The value or table at a stored path; ``None`` if there is none."""
        return _strip(self._node(path))

    def _node(self, path: str) -> Any:
        node: Any = self.content
        for key in path.split("."):
            if isinstance(node, Mapping):
                node = node.get(key) if not _is_mark(key, node) else None
            elif isinstance(node, list | tuple) and (place := _index(node, key)) is not None:
                node = node[place]
            else:
                return None
        return node

    def stating(self, path: str, value: Any, source: str) -> "KitSheet":
        """A copy in which a club states a datum of its box, or adds an entry to a table."""
        if self.at(path) is None and (table := path.rpartition(".")[0]):
            there = self.at(table)
            if isinstance(there, Mapping):
                return self._replaced(table, path.rpartition(".")[2], value, source)
        return self.declare(path, value, source)

    def without(self, path: str) -> "KitSheet":
        """A copy without one entry of a table."""
        return self._replaced(*path.rpartition(".")[::2], None, "")

    def _replaced(self, table: str, key: str, value: Any, source: str) -> "KitSheet":
        return KitSheet(_with_entry(self.content, table.split("."), key, value, source))

    def declare(self, path: str, value: Any, source: str) -> "KitSheet":
        """A copy with one existing datum declared by the table; takes a stored path.

        Of a part (``borders#F1``) the value is the names that F1 is paired with.
        """
        if PART in path:
            return self._declare_part(*path.partition(PART)[::2], value, source)
        return KitSheet(_declared(self.content, path.split("."), path, value, source))

    def _declare_part(self, path: str, part: str, value: Any, source: str) -> "KitSheet":
        pairs = self.at(path)
        if not isinstance(pairs, list) or not _are_names(pairs) or not _are_names(value):
            raise ParseError("unknown_datum", path=f"{path}{PART}{part}")
        table, _, key = path.rpartition(".")
        seen = {**self._seen(path), part: source}
        keys = table.split(".")
        content = _with_mark(self.content, keys, key, with_neighbours(pairs, part, value), seen)
        return KitSheet(content)


def neighbours(pairs: Iterable[str], name: str) -> Iterator[str]:
    for pair in pairs:
        one, _, other = pair.partition("-")
        if name in (one, other):
            yield other if name == one else one


def with_neighbours(pairs: Sequence[str], name: str, others: Iterable[str]) -> list[str]:
    """Replace the neighbours of a name in a list of pairs; pairs that stay keep their order."""
    wanted = dict.fromkeys(others)
    kept = [
        pair
        for pair in pairs
        if name not in pair.split("-") or set(pair.split("-")) - {name} <= wanted.keys()
    ]
    there = set(neighbours(kept, name))
    return kept + [f"{name}-{other}" for other in wanted if other not in there]


def _are_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _with_mark(node: Any, keys: list[str], key: str, value: Any, seen: Mapping[str, str]) -> Any:
    """A copy of nested data in which a list of pairs is replaced, and it is said who saw what."""
    if not keys:
        return {**node, key: value, f"{key}_{_SEEN}": dict(seen)}
    return {**node, keys[0]: _with_mark(node[keys[0]], keys[1:], key, value, seen)}


def _strip(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _strip(item) for key, item in value.items() if not _is_mark(key, value)}
    if isinstance(value, list | tuple):
        return [_strip(item) for item in value]
    return value


def _is_mark(key: str, table: Mapping[str, Any]) -> bool:
    neighbour, _, last = key.rpartition("_")
    if last == _SEEN:
        return neighbour in table
    return last in (_MARK, _SOURCE) and (not neighbour or neighbour in table)


def _walk(value: Any, path: str, provenance: str, source: Source | None) -> Iterator[Datum]:
    if isinstance(value, Mapping):
        if _MARK in value:
            provenance, source = value[_MARK], value.get(_SOURCE)
        else:
            source = value.get(_SOURCE, source)
        for key, item in value.items():
            if _is_mark(key, value):
                continue
            own = value.get(f"{key}_{_MARK}", provenance)
            own_source = value.get(f"{key}_{_SOURCE}", source if own == provenance else None)
            yield from _walk(item, f"{path}.{key}" if path else key, own, own_source)
    elif isinstance(value, list | tuple) and any(isinstance(i, Mapping | list) for i in value):
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}.{index}", provenance, source)
    else:
        yield Datum(path, value, provenance, source)


def _ids(items: Sequence[Any]) -> list[str]:
    """The ids of the elements of a list; empty unless every element has one, all different."""
    names = [str(item["id"]) for item in items if isinstance(item, Mapping) and "id" in item]
    return names if len(set(names)) == len(items) else []


def _place(items: Sequence[Any], typed: str) -> str:
    """The index (from 0) of a list element typed by its id, or by its number counted from 1."""
    names = _ids(items)
    if typed in names:
        return str(names.index(typed))
    number = whole_number(typed) or 0
    return str(number - 1) if 0 < number <= len(items) else _NOWHERE


def _index(items: Sequence[Any], place: str) -> int | None:
    """Where in a list a stored path points; ``None`` where that is not in it."""
    number = whole_number(place)
    return number if number is not None and number < len(items) else None


def _label(items: Sequence[Any], place: str) -> str:
    """How people name the element at an index: by its id, else by its number counted from 1."""
    if (at := _index(items, place)) is None:
        return place
    return (_ids(items) or [str(n) for n in range(1, len(items) + 1)])[at]


def _walked(
    node: Any, keys: list[str], named: Callable[[Sequence[Any], str], str]
) -> Iterator[str]:
    """Translate a path key by key; where it enters a list, ``named`` translates the element."""
    for key in keys:
        if isinstance(node, list | tuple):
            yield named(node, key)
            at = _index(node, key if named is _label else _place(node, key))
            node = node[at] if at is not None else None
        else:
            yield key
            node = node.get(key) if isinstance(node, Mapping) else None


def _parts(path: str) -> Iterator[str]:
    """A path and all its prefixes, the longest first."""
    keys = path.split(".")
    return (".".join(keys[:length]) for length in range(len(keys), 0, -1))


def _with_entry(node: Any, keys: list[str], key: str, value: Any, source: str) -> Any:
    """A copy of nested data in which one table has an entry set, or removed if it is ``None``."""
    if not keys:
        marked = (key, f"{key}_{_MARK}", f"{key}_{_SOURCE}")
        changed = {name: item for name, item in node.items() if name not in marked}
        if value is not None:
            changed |= dict(zip(marked, (value, "declared", source), strict=True))
        return changed
    first, rest = keys[0], keys[1:]
    if isinstance(node, Mapping):
        return {**node, first: _with_entry(node[first], rest, key, value, source)}
    items = list(node)
    items[int(first)] = _with_entry(items[int(first)], rest, key, value, source)
    return items


def _declared(node: Any, keys: list[str], path: str, value: Any, source: str) -> Any:
    key, rest = keys[0], keys[1:]
    if isinstance(node, Mapping) and key in node and not _is_mark(key, node):
        changed = dict(node)
        if rest:
            changed[key] = _declared(node[key], rest, path, value, source)
        else:
            changed[key] = value
            changed[f"{key}_{_MARK}"] = "declared"
            changed[f"{key}_{_SOURCE}"] = source
        return changed
    if isinstance(node, list | tuple) and rest and (at := _index(node, key)) is not None:
        items = list(node)
        items[at] = _declared(items[at], rest, path, value, source)
        return items
    raise ParseError("unknown_datum", path=path)
