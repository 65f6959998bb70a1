"""Going through a box: where a club looks, and what it is asked there.

A kit says in which places there is something to see (``Look``). Of that, what nobody has vouched
for is asked: a ``Page`` of questions for every place, in the order of the box. What a club has
seen is *stated*: values by path. ``#`` in a path names a part of a datum: ``front.borders#F1``
are the regions that border on F1, of a list of pairs ``F1-H1``. ``None``: there is no such thing
in this box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from engines.kernel.box.guide import Guide, Look, Spelling
from engines.kernel.box.kit import PART, Kit, KitSheet, neighbours
from engines.kernel.picture.chart import Chart, side_by_side

Kind = Literal["one", "several", "number", "signs", "words"]
"""One of the choices; several; a number; signs in a fixed order; or whatever is typed."""

DIGITS = tuple("0123456789")


class Question(NamedTuple):
    """One datum that can be looked up."""

    path: str
    value: Any
    """The value known so far."""
    kind: Kind
    choices: tuple[Any, ...] = ()
    ordered: bool = True
    """Whether several values are a list; else they are a set."""
    spelling: Spelling = Spelling()
    open: bool = True
    """Whether it is still unanswered."""
    listed: bool = False
    """Whether the component is one of a list, and called by its place in it."""
    look: Look | None = None
    """Where something is to be seen that has only a number: that alone says nothing."""

    @property
    def item(self) -> str:
        """The path of the component that the question is about."""
        return self.path if PART in self.path else self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """Which property of the component the question asks for."""
        datum, part, _ = self.path.partition(PART)
        return datum.rpartition(".")[2] if not part else f"{datum.rpartition('.')[2]}{PART}"


class Page(NamedTuple):
    """A place of the box, with questions about the data there that are only assumed."""

    look: Look
    questions: tuple[Question, ...]

    @property
    def open(self) -> bool:
        return any(question.open for question in self.questions)


class Stated(NamedTuple):
    """The answer of a club about one datum, and its source."""

    value: Any
    source: str


class Tour(Struct, frozen=True, dict=True):
    """Guided data entry for the box of a game, and how far a club has come with it."""

    model: type[Kit]
    guide: Guide[Any]
    base: KitSheet
    stated: Mapping[str, Stated] = field(default_factory=dict)

    @cached_property
    def sheet(self) -> KitSheet:
        """The shipped kit with the club's answers and what follows from them."""
        sheet = self._as_told
        for path, source in self._vouched() if self.stated else ():
            sheet = sheet.stating(path, sheet.at(path), source)
        return sheet

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """One page for every place of the box where something is only assumed."""
        pages = (
            Page(look, tuple(map(self.question, filter(self.is_assumed, look.paths))))
            for look in self._looks
        )
        return tuple(page for page in pages if page.questions)

    def chart(self, name: str) -> Chart:
        """A map of the places that share this chart; side by side if the guide has no map."""
        found: Chart | None = self.guide.chart(self.kit, name)
        together = (page.look.spot for page in self.pages if page.look.chart == name)
        return side_by_side(dict.fromkeys(together)) if found is None else found

    def is_stated(self, path: str) -> bool:
        """Whether the club has stated this datum, or a table that contains it."""
        parts = path.split(".")
        return any(".".join(parts[:length]) in self.stated for length in range(1, len(parts) + 1))

    @cached_property
    def _as_told(self) -> KitSheet:
        sheet = self.base
        for path, said in self.stated.items():
            sheet = _stating(sheet, path, said)
        return sheet

    @cached_property
    def kit(self) -> Kit:
        """The kit with the answers; the shipped kit while the answers do not validate together."""
        try:
            return self.model.read(self._as_told)
        except ValueError:
            return self.model.read(self.base)

    @cached_property
    def _looks(self) -> tuple[Look, ...]:
        said = tuple(self.guide.looks(self.kit))
        if said:
            return said
        parts: dict[str, list[str]] = {}
        for datum in self.base.datums():
            parts.setdefault(datum.path.partition(".")[0], []).append(datum.path)
        return tuple(Look(part, tuple(paths), spot=part) for part, paths in parts.items())

    def is_assumed(self, path: str) -> bool:
        """Whether the shipped kit only assumes a datum.

        A datum that the kit does not have counts like the table that it would be in.
        """
        datum = path.partition(PART)[0]
        while datum and self.base.at(datum) is None:
            datum = datum.rpartition(".")[0]
        return self.base.provenance(datum) == "assumed" if datum else True

    def question(self, path: str) -> Question:
        """The question about one datum, wherever it is to be seen."""
        question = self._question(path)
        around = question.item.rpartition(".")[0]
        listed = self._as_told.is_list(around)
        if not listed and not question.item.rpartition(".")[2][:1].isdecimal():
            return question
        return question._replace(listed=listed, look=self._look_of.get(path))

    @cached_property
    def _look_of(self) -> dict[str, Look]:
        return {path: look for look in self._looks for path in look.paths}

    def _question(self, path: str) -> Question:
        datum, _, part = path.partition(PART)
        value, names = self._as_told.at(datum), self.guide.names(self.kit, datum)
        is_open = not self.is_stated(path)
        if part:
            near = list(neighbours(value or (), part))
            others = tuple(name for name in names if name != part)
            return Question(path, near, "several", others, ordered=False, open=is_open)
        shape, spelling = _schema_at(self.model, datum), self.guide.spelling(datum)
        if value is None:
            value = shape.get("default")
        if spelling.signs:
            return Question(path, value, "signs", spelling.signs, spelling=spelling, open=is_open)
        kind, choices = _kind(shape, names)
        ordered = datum.rpartition(".")[2] not in self.guide.sets
        return Question(path, value, kind, choices, ordered, spelling, is_open)

    def _vouched(self) -> Iterator[tuple[str, str]]:
        """Data confirmed indirectly, with their source.

        These are data that go along with a place of which every question is answered, and data of
        which every part is stated.
        """
        parts: dict[str, list[str]] = {}
        for look in self._looks:
            asked = [path for path in look.paths if self.is_assumed(path)]
            for path in asked:
                if PART in path:
                    parts.setdefault(path.partition(PART)[0], []).append(path)
            if asked and all(map(self.is_stated, asked)):
                told = (self.stated[path].source for path in asked if path in self.stated)
                source = next(told, "")
                yield from ((path, source) for path in look.along if self._in_doubt(path))
        for datum, paths in parts.items():
            if all(path in self.stated for path in paths) and self._in_doubt(datum):
                yield datum, self.stated[paths[-1]].source

    def _in_doubt(self, path: str) -> bool:
        sheet = self._as_told
        return sheet.at(path) is not None and sheet.provenance(path) == "assumed"


# what can be chosen


def _kind(shape: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Kind, tuple[Any, ...]]:
    """The kind of input for a datum of this JSON schema, and the choices it offers."""
    match shape:
        case {"enum": values}:
            return "one", tuple(values)
        case {"type": "integer"}:
            return "number", DIGITS
        case {"type": "array", "items": {"type": "array", "items": {"enum": values}}}:
            return "several", tuple(values)
        case {"type": "array", "items": {"enum": values}}:
            return "several", tuple(values)
        case {"type": "array", "prefixItems": [{"enum": values}, *_]}:
            return "several", tuple(values)
        case {"type": "array", "items": {"type": "string"}} if names:
            return "several", names
        case {"type": "string"} if names:
            return "one", names
    return "words", ()


@cache
def _schema(model: type[Kit]) -> Mapping[str, Any]:
    schema = model.model_json_schema()
    resolved: Mapping[str, Any] = _resolved(schema, schema.get("$defs", {}))
    return resolved


def _resolved(node: Any, defs: Mapping[str, Any]) -> Any:
    """A JSON schema with its references resolved; of an optional one, the part that is not null."""
    if isinstance(node, list):
        return [_resolved(item, defs) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_resolved(defs[node["$ref"].rpartition("/")[2]], defs), **rest}
    known = {
        key: _resolved(value, defs) for key, value in node.items() if key not in ("$defs", "const")
    }
    if "const" in node:
        known["enum"] = [node["const"]]
    there = [one for one in known.get("anyOf", ()) if one.get("type") != "null"]
    if len(there) == 1:
        return {**there[0], **{key: value for key, value in known.items() if key != "anyOf"}}
    return known


def _schema_at(model: type[Kit], path: str) -> Mapping[str, Any]:
    node: Any = _schema(model)
    for key in path.split("."):
        if "properties" in node:
            node = node["properties"].get(key, {})
        elif node.get("type") == "array":
            node = node.get("items", {})
        else:
            node = _of_any_key(node, key)
    return node if isinstance(node, Mapping) else {}


def _of_any_key(node: Mapping[str, Any], key: str) -> Any:
    found = node.get("additionalProperties")
    if not isinstance(found, Mapping):
        found = next(iter(node.get("patternProperties", {}).values()), {})
    return found


# what was stated


def _stating(sheet: KitSheet, path: str, said: Stated) -> KitSheet:
    """The sheet with one answer; what was told of a thing that is gone goes with it."""
    datum, _, part = path.partition(PART)
    if said.value is None:
        return sheet.without(datum) if sheet.at(datum) is not None else sheet
    table = datum.rpartition(".")[0]
    if table and sheet.at(datum) is None and sheet.at(table) is None:
        return sheet
    if not part:
        return sheet.stating(datum, said.value, said.source)
    return sheet.declare(path, said.value, said.source)


# how it is told


def spelled(question: Question, chosen: Sequence[Any]) -> Any:
    """Build the value of a datum from the signs or choices that were picked (see ``apart``)."""
    spelling = question.spelling
    if question.kind == "signs":
        if isinstance(question.value, str):
            pairs = ("".join(chosen[at : at + 2]) for at in range(0, len(chosen), 2))
            return spelling.joint.join(pairs)
        numbers = all(isinstance(sign, int) for sign in question.value)
        return [int(sign) for sign in chosen] if numbers else list(chosen)
    if spelling.each == "each":
        return [[one] for one in chosen]
    return [list(chosen)] if spelling.each == "once" else list(chosen)


def apart(question: Question) -> list[Any]:
    """Split the value of a datum into the signs or choices it is built from (see ``spelled``)."""
    value, spelling = question.value, question.spelling
    if question.kind == "signs":
        return [str(sign) for sign in value if sign != spelling.joint]
    if spelling.each:
        return [one for many in value for one in many]
    return list(value or ())


def new_entry(sheet: KitSheet, table: str) -> str:
    """A free path for a new entry of a table whose entries are named letter plus number."""
    names = sheet.at(table) or {}
    letters = next(iter(names), "x1").rstrip("0123456789")
    width = max((len(name) - len(letters) for name in names), default=1)
    taken = {int(name[len(letters) :]) for name in names if name[len(letters) :].isdecimal()}
    number = next(number for number in range(1, len(taken) + 2) if number not in taken)
    return f"{table}.{letters}{number:0{width}d}"
