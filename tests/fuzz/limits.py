"""Data at their limits and just beyond them, made from a JSON schema and data that fit it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence, Set
from typing import Any

Schema = dict[str, Any]
Path = tuple[str | int, ...]
LARGEST, LONGEST = 10_000, 1001
"""Just beyond what may be said where the schema has no limit of its own."""


def with_value(data: Any, path: Path, value: Any) -> Any:
    """The data with another value at a path; what is missing on the way there is a table."""
    if not path:
        return value
    name, *rest = path
    if isinstance(data, list):
        assert isinstance(name, int)
        return [*data[:name], with_value(data[name], tuple(rest), value), *data[name + 1 :]]
    there = data if isinstance(data, dict) else {}
    return {**there, name: with_value(there.get(name), tuple(rest), value)}


_NEEDED = {
    "integer": {"minimum", "maximum"},
    "number": {"minimum", "maximum"},
    "array": {"maxItems"},
    "string": {"maxLength"},
}


def unlimited(
    schema: Schema, parts: dict[str, Schema], kinds: Set[str] = _NEEDED.keys(), path: str = ""
) -> Iterator[str]:
    """The numbers, lists and texts of a schema that lack a lower or an upper limit."""
    if "$ref" in schema:
        schema = parts[schema["$ref"].rpartition("/")[2]]
    for choice in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from unlimited(choice, parts, kinds, path)
    kind = schema.get("type", "")
    if kind in kinds and _NEEDED[kind] - schema.keys() and not _is_closed(schema):
        yield path
    inside = {"[]": schema.get("items"), ".*": schema.get("additionalProperties")}
    inside |= {f".{name}": part for name, part in schema.get("properties", {}).items()}
    inside |= {f".<{name}>": part for name, part in schema.get("patternProperties", {}).items()}
    inside |= {f"[{at}]": part for at, part in enumerate(schema.get("prefixItems", ()))}
    for name, part in inside.items():
        if isinstance(part, dict):
            yield from unlimited(part, parts, kinds, path + name)


def _is_closed(schema: Schema) -> bool:
    """Whether only certain texts fit: those that are listed, or of a pattern without repeats."""
    pattern = re.sub(r"\[[^\]]*\]", "x", schema.get("pattern", "*"))
    closed = re.fullmatch(r"\^.*\$", pattern) and not re.search(r"[*+]|,\}", pattern)
    return bool(closed) or not schema.keys().isdisjoint({"enum", "const"})


class Limits:
    """What could stand in data of this schema: each example teaches the words of its texts."""

    def __init__(self, schema: Schema, examples: Sequence[Any]) -> None:
        self._schema = schema
        self._parts: dict[str, Schema] = schema.get("$defs", {})
        self._words: dict[str, dict[str, None]] = {}
        for example in examples:
            for part, _, value in self._visited(schema, example):
                if isinstance(value, str):
                    self._learn(part, value)
                elif isinstance(value, dict):
                    for name in value:
                        self._learn(_names(part), name)

    def cases(self, data: Any) -> Iterator[tuple[Path, Any]]:
        """Every place of the data, and of what it leaves out, with values that could be said."""
        for part, path, value in self._visited(self._schema, data):
            for instead in self._values(part, value):
                if instead != value:
                    yield path, instead

    def _learn(self, part: Schema, word: str) -> None:
        if "pattern" in part and re.search(part["pattern"], word):
            self._words.setdefault(part["pattern"], {})[word] = None

    def _visited(
        self, part: Schema, value: Any, path: Path = ()
    ) -> Iterator[tuple[Schema, Path, Any]]:
        if "$ref" in part:
            part = self._parts[part["$ref"].rpartition("/")[2]]
        if "anyOf" in part:
            for choice in part["anyOf"]:
                yield from self._visited(choice, value, path)
            return
        yield part, path, value
        inside: dict[str | int, Any] = dict(part.get("properties", {}))
        if isinstance(value, dict) and "properties" not in part:
            inside = dict.fromkeys(value, _inside(part))
        if isinstance(value, list):
            items = [*part.get("prefixItems", ()), *[part.get("items")] * len(value)]
            inside = dict(enumerate(items[: min(2, len(value))]))
        for name, within in inside.items():
            if isinstance(within, dict):
                held = value.get(name) if isinstance(value, dict) else None
                held = value[name] if isinstance(value, list) else held  # type: ignore[index]
                yield from self._visited(within, held, (*path, name))

    def _values(self, part: Schema, value: Any = None, depth: int = 4) -> Iterator[Any]:
        """What a part may be: numbers and lists at their limits and beyond, every choice."""
        if "$ref" in part:
            part = self._parts[part["$ref"].rpartition("/")[2]]
        for choice in part.get("anyOf", ()):
            yield from self._values(choice, value, depth)
        yield from part.get("enum", [part["const"]] if "const" in part else [])
        match part.get("type"):
            case "boolean":
                yield from (True, False)
            case "integer":
                least, most = part.get("minimum", -LARGEST), part.get("maximum", LARGEST)
                yield from (most, most + 1, least, least - 1, 0, 1)
            case "string":
                yield from self._words.get(part.get("pattern", ""), ())
            case "array" if depth:
                yield from self._lists(part, value, depth)
            case "object" if depth:
                yield from self._tables(part, depth)

    def _lists(self, part: Schema, value: Any, depth: int) -> Iterator[Any]:
        items = part.get("items")
        found = list(self._values(items, None, depth - 1)) if isinstance(items, dict) else []
        found += value if isinstance(value, list) else []
        things = list({json.dumps(thing): thing for thing in found}.values())
        most = min(part.get("maxItems", LONGEST), LONGEST)
        yield []
        if things:
            yield things
            for length in {most, most + 1}:
                yield [things[0]] * length
                yield [things[at % len(things)] for at in range(length)]

    def _tables(self, part: Schema, depth: int) -> Iterator[Any]:
        if fields := part.get("properties"):
            needed = part.get("required", ())
            said = {
                name: next(self._values(fields[name], None, depth - 1), None) for name in needed
            }
            yield said
            return
        names = [*self._words.get(_names(part).get("pattern", ""), ())] or list("AB1")
        yield {}
        if isinstance(within := _inside(part), dict):
            for value in self._values(within, None, depth - 1):
                yield dict.fromkeys(names, value)


def _inside(part: Schema) -> Any:
    """The schema of the values of a table."""
    patterns = iter(part.get("patternProperties", {}).values())
    return next(patterns, part.get("additionalProperties"))


def _names(part: Schema) -> Schema:
    """The schema of the names in a table."""
    for pattern in part.get("patternProperties", {}):
        return {"pattern": pattern}
    names: Schema = part.get("propertyNames", {})
    return names
