"""Judge my situation: a table that no record tells of, and what the rules say of a line there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from answers.answer import Data
from answers.play.analysis import TrialAnswer
from answers.requests.play import PositionTrial
from engines.kernel import Engine
from engines.kernel.messages.errors import MessageError, ParseError
from engines.kernel.registry import load_engine
from referee.record.positions import (
    PositionFile,
    judge_from_position,
    position_file,
    read_position,
)
from referee.untrusted.safe_toml import read_toml, write_toml
from replays.examples import Example, examples
from replays.gallery import sample, samples
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page
from service.pages.study import split_lines
from service.problems import Refused, told

MOMENTS = 6
LONGEST = 8000
"""A position as a link has it, in characters."""
SETUP = "setup"
Kind = Literal["number", "yes", "word", "words"]


class Start(Data):
    """Where one may begin: the set-up, or a moment of the sample game."""

    name: str
    number: int | None


class Field(Data):
    path: str
    value: str
    kind: Kind


class SituationPage(Data):
    engine: str
    name: str
    starts: list[Start]
    position: str
    """The position as a file."""
    fields: list[Field]
    lines: list[str]
    tried: TrialAnswer | None
    problem: str
    """Why the position or the line could not be read."""


@page("situation", "/situations/{engine}")
def situation(guest: Guest) -> Shown:
    engine = load_engine(guest.path["engine"])
    example = _example(engine.id, guest.query.get("example", ""))
    lines = (
        [*example.lines]
        if example is not None
        else split_lines(f"{guest.query.get('try', '')};{guest.query.get('line', '')}")
    )
    text, problem = guest.query.get("position", "")[: LONGEST + 1], ""
    tried: TrialAnswer | None = None
    data: dict[str, Any] = {}
    try:
        data = (
            _declared(guest, engine.id, text)
            if example is None
            else examples(engine.id).starts[example.start].model_dump(exclude_defaults=True)
        )
        file = _of_this_game(engine.id, data)
        tried, problem = _tried(guest, file, lines)
    except MessageError as error:
        problem = told(error, guest.voice)[1].message
    shown = SituationPage(
        engine=engine.id,
        name=engine.words.say("game", guest.voice.lang),
        starts=_starts(engine.id),
        position=write_toml(data) if data else text,
        fields=list(_fields(data.get("position") or {}, "position")),
        lines=lines,
        tried=tried,
        problem=problem,
    )
    return Shown("situation", guest.voice.say("situation.of", game=shown.name), shown)


def _example(engine: str, asked: str) -> Example | None:
    """An example of a clause: ``BEN-MOVE-3.1`` is its first."""
    clause, _, number = asked.partition(".")
    found = examples(engine).of(clause)
    return found[int(number) - 1] if number in map(str, range(1, len(found) + 1)) else None


def _declared(guest: Guest, engine: str, text: str) -> dict[str, Any]:
    """The position that is sent, or one to begin with; with whatever was changed of it."""
    if len(text) > LONGEST:
        raise Refused("misused", "position_too_long", most=LONGEST)
    data = (
        read_toml(text.encode(), "position.toml")
        if text.strip()
        else _begun(engine, guest.query.get("from"))
    )
    for name, value in guest.query.items():
        kind, _, path = name.partition(".")
        if kind in CHANGES:
            _change(data, kind, path, value)
    return data


def _begun(engine: str, start: str | None) -> dict[str, Any]:
    numbers = [each.number for each in _starts(engine) if each.number is not None]
    if numbers and start != SETUP:
        asked = int(start) if start is not None and start.isdecimal() and len(start) < 7 else -1
        return position_file(sample(engine), asked if asked in numbers else numbers[-1])
    return {"game": engine, "table": _table(load_engine(engine))}


def _table(engine: Engine[Any, Any]) -> str:
    """A usual table; of a game that names none, the first that can be opened."""
    players = engine.seats[0]
    try:
        return engine.opening.usual(players)
    except ParseError:
        plain = " ".join(["table", *"ABCDEFGH"[:players]])
    for line in (plain, f"{plain} first A"):
        try:
            if judge_from_position(PositionFile(game=engine.id, table=line), []).refused is None:
                return line
        except ParseError:
            continue
    return plain


def _starts(engine: str) -> list[Start]:
    moments = []
    if engine in samples() and load_engine(engine).position is not None:
        numbers = sample(engine).numbers()
        moments = numbers[:: max(1, len(numbers) // MOMENTS)][1:MOMENTS]
    return [
        Start(name=SETUP, number=None),
        *(Start(name=str(number), number=number) for number in moments),
    ]


def _of_this_game(engine: str, data: Mapping[str, Any]) -> PositionFile:
    file = read_position(data)
    if load_engine(file.game).id != engine:
        raise Refused("misused", "position_of_other_game", game=file.game)
    return file


def _tried(guest: Guest, file: PositionFile, lines: list[str]) -> tuple[TrialAnswer, str]:
    """The table after the lines; as it is declared, where a line cannot be read."""
    wanted = PositionTrial(position=file, lines=lines, shape=guest.shape)
    try:
        return guest.ask("position-trial", wanted).data, ""
    except ParseError as error:
        plain = wanted.model_copy(update={"lines": []})
        return guest.ask("position-trial", plain).data, told(error, guest.voice)[1].message


def _fields(data: Any, path: str) -> Iterator[Field]:
    """Whatever of a position can be changed in a field: a number, a word, a row of words."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _fields(value, f"{path}.{name}")
    elif isinstance(data, list) and all(isinstance(each, str) for each in data):
        yield Field(path=path, value=" ".join(data), kind="words")
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from _fields(value, f"{path}.{place}")
    elif isinstance(data, bool):
        yield Field(path=path, value="yes" if data else "no", kind="yes")
    elif isinstance(data, int | str):
        kind: Kind = "number" if isinstance(data, int) else "word"
        yield Field(path=path, value=str(data), kind=kind)


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


def _no_such_field(path: str) -> Refused:
    return Refused("misused", "no_such_field", field=path[:80])
