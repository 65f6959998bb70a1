"""Try it here: a table from a game, an example, a sample or from nothing, and what the rules say of
a line there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from answers.i18n import Voice
from answers.play import declared_positions, pieces
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
_SPACES = re.compile(r'data-space="([^"]+)"')
_SEAT = re.compile("[A-Z]")


class FormField(NamedTuple):
    """What belongs to a position and is no piece: whose turn it is, the round, the points."""

    path: str
    label: str
    """The path in words of the reader's language."""
    value: str
    choices: dict[str, str]
    """What it may be, and how that is called; none for a number."""


class Here(NamedTuple):
    """A place, what lies there, and what could be put there or taken away."""

    place: str
    name: str
    lying: list[str]
    taken: list[pieces.Named]
    put: list[pieces.Named]


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
    voice = pieces.among(page_context.voice, _names(page_context))
    try:
        data = _declared(page_context, engine, text) if example is None else example[0]
        data = _moved(page_context, data)
        tried, problem = _tried(page_context, _trial(page_context, engine, data, lines))
    except MessageError as error:
        problem = told(error, page_context.voice)[1].message
    table = pieces.Table(data) if tried is not None and tried.picture else None
    return Shown(
        "situation",
        page_context.voice.say("situation.of", game=game_name(page_context.voice, engine)),
        engine=engine,
        moments=declared_positions.moments(engine, MOMENTS),
        position=declared_positions.write(data) if data else text,
        fields=[] if table is None else list(_fields(voice, engine, data, table)),
        places={} if table is None or tried is None else _places(voice, engine, tried, table),
        here=None if table is None else _here(page_context, voice, table),
        table=_at_table(page_context, text, lines, tried),
        lines=lines,
        tried=tried,
        problem=problem,
    )


def _names(page_context: PageContext) -> dict[str, str]:
    """Who sits at the table from which it began, for whoever may know."""
    game = page_context.query.get("game")
    if not game:
        return {}
    try:
        seats: dict[str, str] = page_context.at_game(game).ask("info", game=game).data.seats
    except MessageError:
        return {}
    return seats


def _places(voice: Voice, engine: str, tried: TrialAnswer, table: pieces.Table) -> dict[str, str]:
    """Every place by its name: those that hold something, and the other spaces of the picture."""
    holders = table.places()
    tails = {holder.rpartition(".")[2] for holder in holders}
    spaces = [code for code in _SPACES.findall(tried.picture) if code not in tails]
    named = {holder: pieces.place_name(voice, engine, holder) for holder in holders}
    free = {code: declared_positions.field_name(voice, engine, code) for code in spaces}
    named |= {code: name for code, name in free.items() if name not in named.values()}
    return pieces.in_order(named)


def _here(page_context: PageContext, voice: Voice, table: pieces.Table) -> Here | None:
    place = page_context.query.get("here", "")[:80]
    if not place:
        return None
    engine = page_context.path["engine"]
    holders = [holder for holder in table.places() if pieces.is_at(holder, place)]
    name = (
        pieces.place_name(voice, engine, holders[0])
        if len(holders) == 1
        else declared_positions.field_name(voice, engine, place)
    )

    def named(found: Iterable[pieces.Piece]) -> list[pieces.Named]:
        return [pieces.named(voice, engine, each) for each in found]

    lying = [pieces.piece_name(voice, engine, *spot) for spot in table.lying(place).items()]
    return Here(place, name, lying, named(table.taken(place)), named(table.put_here(place)))


def _moved(page_context: PageContext, data: dict[str, Any]) -> dict[str, Any]:
    """The position after the piece that the address names has gone its way."""
    asked = page_context.query
    if "piece" not in asked:
        return data
    piece = pieces.Piece(*(asked.get(name, "")[:80] for name in ("piece", "source", "target")))
    found = pieces.Table(data).moved(piece)
    if found is None:
        raise HttpRefusal("misused", "piece_cannot_lie_there")
    return found


def _at_table(
    page_context: PageContext, text: str, lines: list[str], tried: TrialAnswer | None
) -> str:
    """Where lines that were tried at a table, as it lay there, become a ruling."""
    asked = page_context.query
    game, dispute = asked.get("game", ""), asked.get("dispute", "")
    at_game = replace(page_context.at_game(game), path={"game": game}) if game else page_context
    judged = bool(lines) and tried is not None and tried.accepted
    if not (dispute and judged and at_game.may("ruling-issue")) or text.strip():
        return ""
    said = urlencode({"correct": ";".join(lines)})
    return f"/games/{quote(game)}/disputes/{quote(dispute)}?{said}#ruling"


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
        if kind == "set":
            _change(data, path, value)
    return data


def _begun(page_context: PageContext, engine: str) -> dict[str, Any]:
    """A moment of the game that the address names, of the sample, or an empty table."""
    start, game = (page_context.query.get(name) for name in ("from", "game"))
    if game:
        at = page_context.number("at")
        found = page_context.at_game(game).file("position", game=game, at=at)
        return declared_positions.parse(found.decode())
    numbers = declared_positions.moments(engine, MOMENTS)
    if numbers and start != SETUP:
        asked = page_context.number("from")
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
    voice: Voice, engine: str, data: Mapping[str, Any], table: pieces.Table
) -> Iterator[FormField]:
    """What is no piece, of the table or of a seat; what the game keeps in words of its own, and
    how far a turn has got, is changed in the file."""
    for path, value in pieces.fields(data.get("position") or {}):
        plain = [part for part in path if isinstance(part, str)]
        choices = _choices(voice, value, table.seats)
        seat = next(filter(_SEAT.fullmatch, plain), "")
        is_near = len(path) == 1 or (seat != "" and len(path) == 3)
        if choices is None or not is_near or len(plain) < len(path) or table.holds_pieces(path):
            continue
        told = [voice.names.get(seat) or seat] if seat else []
        told.append(declared_positions.field_name(voice, engine, plain[-1]))
        shown = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        yield FormField(".".join(("position", *plain)), " – ".join(told), shown, choices)


def _choices(voice: Voice, value: Any, seats: Sequence[str]) -> dict[str, str] | None:
    """``None`` for what nobody says at a table."""
    if isinstance(value, bool):
        return {word: voice.say(f"situation.{word}") for word in ("yes", "no")}
    if isinstance(value, int):
        return {}
    return {seat: voice.names.get(seat) or seat for seat in seats} if value in seats else None


def _change(data: dict[str, Any], path: str, said: str) -> None:
    """Put at the end of a path what a field says: ``set.position.turn=4``."""
    inside: Any = data
    *way, last = path.split(".")
    for name in way:
        key = _key(inside, name)
        inside = inside[key] if isinstance(inside, list) else inside.get(key)
    _set(inside, _key(inside, last), said)


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


def _no_such_field(path: str) -> HttpRefusal:
    return HttpRefusal("misused", "no_such_field", field=path[:80])
