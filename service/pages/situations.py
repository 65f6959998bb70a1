"""Try it here: a table from a game, an example, a sample or from nothing, and what the rules say of
a line there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from answers.play import declared_positions
from answers.play.analysis import TrialAnswer
from answers.rulebooks.games import game_name
from engines.kernel.messages.errors import MessageError, ParseError
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.study import split_lines
from service.problems import HttpRefusal, told

MOMENTS = 6
LONGEST = 8000
"""A position as a link has it, in characters."""
SETUP = "setup"
_IN_PICTURE = re.compile(r'data-(?:word|space)="([^"]+)"')
Kind = Literal["number", "yes", "word", "words"]


class FormField(NamedTuple):
    path: str
    label: str
    """The path in words of the reader's language."""
    value: str
    kind: Kind


@page("situation", "/try/{engine}")
def situation(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    example = declared_positions.of_example(
        engine, *_example(page_context.query.get("example", ""))
    )
    lines = (
        example[1]
        if example is not None
        else split_lines(
            f"{page_context.query.get('try', '')};{page_context.query.get('line', '')}"
        )
    )
    text, problem = page_context.query.get("position", "")[: LONGEST + 1], ""
    tried: TrialAnswer | None = None
    data: dict[str, Any] = {}
    try:
        data = _declared(page_context, engine, text) if example is None else example[0]
        tried, problem = _tried(page_context, _trial(page_context, engine, data, lines))
    except MessageError as error:
        problem = told(error, page_context.voice)[1].message
    named = partial(declared_positions.field_name, page_context.voice, engine)
    fields = list(_fields(data.get("position") or {}, "position", named))
    return Shown(
        "situation",
        page_context.voice.say("situation.of", game=game_name(page_context.voice, engine)),
        engine=engine,
        moments=declared_positions.moments(engine, MOMENTS),
        position=declared_positions.write(data) if data else text,
        fields=fields,
        called=_called(fields, tried.picture if tried is not None else "", named),
        lines=lines,
        tried=tried,
        problem=problem,
    )


def _called(fields: list[FormField], picture: str, named: Callable[[str], str]) -> dict[str, str]:
    """The names of what a position and its picture speak of, where they say more than the codes."""
    codes = {word for field in fields for word in (*field.value.split(), *field.path.split("."))}
    codes |= set(_IN_PICTURE.findall(picture))
    names = {code: named(code) for code in codes if not code.isdecimal()}
    return {code: name for code, name in sorted(names.items()) if name != code}


def _example(asked: str) -> tuple[str, str]:
    """An example of a clause: ``BEN-MOVE-3.1`` is its first."""
    clause, _, number = asked.partition(".")
    return clause, number


def _declared(page_context: PageContext, engine: str, text: str) -> dict[str, Any]:
    """The position that is sent, or one to begin with; with whatever was changed of it."""
    if len(text) > LONGEST:
        raise HttpRefusal("misused", "position_too_long", most=LONGEST)
    data = declared_positions.parse(text) if text.strip() else _begun(page_context, engine)
    for name, value in page_context.query.items():
        kind, _, path = name.partition(".")
        if kind in CHANGES:
            _change(data, kind, path, value)
    return data


def _begun(page_context: PageContext, engine: str) -> dict[str, Any]:
    """A moment of the game that the address names, of the sample, or an empty table."""
    start, game = (page_context.query.get(name) for name in ("from", "game"))
    if game:
        then = page_context.query.get("at", "")
        at = int(then) if then.isdecimal() and len(then) < 7 else None
        found = page_context.at_game(game).file("position", game=game, at=at)
        return declared_positions.parse(found.decode())
    numbers = declared_positions.moments(engine, MOMENTS)
    if numbers and start != SETUP:
        asked = int(start) if start is not None and start.isdecimal() and len(start) < 7 else -1
        number = asked if asked in numbers else numbers[-1]
        return declared_positions.at_moment(engine, number)
    return declared_positions.at_setup(engine)


def _trial(
    page_context: PageContext, engine: str, data: Mapping[str, Any], lines: list[str]
) -> dict[str, Any]:
    file = declared_positions.check(data)
    if file.game != engine:
        raise HttpRefusal("misused", "position_of_other_game", game=file.game)
    return {"position": file, "lines": lines, "shape": page_context.shape, "photo": True}


def _tried(page_context: PageContext, wanted: dict[str, Any]) -> tuple[TrialAnswer, str]:
    """The table after the lines; as it is declared, where a line cannot be read."""
    try:
        return page_context.ask("position-trial", **wanted).data, ""
    except ParseError as error:
        plain = page_context.ask("position-trial", **{**wanted, "lines": []}).data
        return plain, told(error, page_context.voice)[1].message


def _fields(
    data: Any, path: str, named: Callable[[str], str], label: tuple[str, ...] = ()
) -> Iterator[FormField]:
    """Whatever of a position can be changed in a field: a number, a word, a row of words."""
    said = " – ".join(label)
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _fields(value, f"{path}.{name}", named, (*label, named(name)))
    elif isinstance(data, list) and all(isinstance(each, str) for each in data):
        yield FormField(path=path, label=said, value=" ".join(data), kind="words")
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from _fields(value, f"{path}.{place}", named, (*label, str(place + 1)))
    elif isinstance(data, bool):
        yield FormField(path=path, label=said, value="yes" if data else "no", kind="yes")
    elif isinstance(data, int | str):
        kind: Kind = "number" if isinstance(data, int) else "word"
        yield FormField(path=path, label=said, value=str(data), kind=kind)


def _change(data: dict[str, Any], kind: str, path: str, said: str) -> None:
    """Do at the end of a path what the name of a change says: ``set.position.turn=4``."""
    inside: Any = data
    *way, last = path.split(".")
    for name in way:
        key = _key(inside, name)
        inside = inside[key] if isinstance(inside, list) else inside.get(key)
    CHANGES[kind](inside, _key(inside, last), said)


def _key(inside: Any, name: str) -> Any:
    """A name, or a place in a list."""
    if isinstance(inside, list) and name in map(str, range(len(inside))):
        return int(name)
    if not isinstance(inside, dict):
        raise _no_such_field(name)
    return name


def _set(inside: Any, key: Any, said: str) -> None:
    """Put what a field says where it belongs, as the kind of thing that is there."""
    if isinstance(inside, dict) and key not in inside:
        raise _no_such_field(key)
    was = inside[key]
    if isinstance(was, bool):
        inside[key] = said.strip().lower() in ("yes", "oui", "true")
    elif isinstance(was, int):
        number = said.strip()
        inside[key] = int(number) if re.fullmatch("-?[0-9]{1,9}", number) else said
    else:
        inside[key] = said.split() if isinstance(was, list) else said.strip()


def _put(inside: Any, key: Any, said: str) -> None:
    """Something where nothing was, of the kind that its neighbours are."""
    if isinstance(inside, list):
        raise _no_such_field(str(key))
    beside = next(iter(inside.values()), "")
    inside[key] = type(beside)() if isinstance(beside, int | list) else ""
    _set(inside, key, said)


def _drop(inside: Any, key: Any, said: str) -> None:
    if isinstance(inside, list) or key not in inside:
        raise _no_such_field(str(key))
    del inside[key]


CHANGES = {"set": _set, "put": _put, "drop": _drop}
"""What the name of a change begins with."""


def _no_such_field(path: str) -> HttpRefusal:
    return HttpRefusal("misused", "no_such_field", field=path[:80])
