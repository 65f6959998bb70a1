"""Questions of the set-up wizard, and the opening line made from the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engines.kernel import Engine, ParseError

_SEATS = "ABCDEFGH"
_ASKED_ELSEWHERE = ("first", "readings", "kit")


class SetupQuestion(NamedTuple):
    """One choice of the opening: what a seat has, who begins, or the value of a keyword."""

    about: str
    choices: tuple[str, ...]
    usual: str | None
    """What is chosen by whoever chooses nothing; nothing, where it may be left out."""
    seat: str = ""


def asked_of(engine: Engine[Any, Any], players: int) -> Iterator[SetupQuestion]:
    """The questions for so many players, in the order of the opening line."""
    seats = _seats(engine, players)
    values = _values(engine)
    for seat, value in seats.items():
        if value:
            yield SetupQuestion("value", values, value.partition("@")[0], seat)
    sections = engine.notation.sections(engine.opening)
    if "first" in sections:
        yield SetupQuestion("first", tuple(seats), next(iter(seats)))
    for keyword, behind in sections.items():
        words = behind and behind.words
        if keyword not in _ASKED_ELSEWHERE and (words or words is None):
            yield SetupQuestion(
                keyword, words or (keyword,), _usual_word(engine, players, keyword, words)
            )


def takes_several(engine: Engine[Any, Any], keyword: str) -> bool:
    """Whether several words may stand behind a keyword of the opening."""
    return any(f"{keyword} {{{keyword}...}}" in form for form in engine.opening.forms)


def opening_of(engine: Engine[Any, Any], players: int, chosen: Mapping[SetupQuestion, str]) -> str:
    """The opening line of these choices."""
    line = []
    for seat, value in _seats(engine, players).items():
        own = next((v for one, v in chosen.items() if one.seat == seat), value.partition("@")[0])
        place = value.partition("@")[2]
        line.append(f"{seat}={own}{'@' if place else ''}{place}" if value else seat)
    for one, value in chosen.items():
        if one.about == "value" or not value:
            continue
        line.append(one.about if value == one.about else f"{one.about} {value}")
    return " ".join(line)


def _usual(engine: Engine[Any, Any], players: int) -> list[str]:
    try:
        return engine.opening.usual(players).removeprefix("table ").split()
    except ParseError:
        return list(_SEATS[:players])


def _seats(engine: Engine[Any, Any], players: int) -> dict[str, str]:
    """The seats of a usual table, and what each has there."""
    found: dict[str, str] = {}
    for word in _usual(engine, players):
        seat, _, value = word.partition("=")
        if len(seat) != 1 or seat not in _SEATS:
            break
        found[seat] = value
    return found or dict.fromkeys(_SEATS[:players], "")


def _values(engine: Engine[Any, Any]) -> tuple[str, ...]:
    """What the seats of usual tables have: colours."""
    values = _seats(engine, engine.seats[1]).values()
    return tuple(dict.fromkeys(value.partition("@")[0] for value in values if value))


def _usual_word(
    engine: Engine[Any, Any], players: int, keyword: str, words: tuple[str, ...] | None
) -> str | None:
    usual = _usual(engine, players)
    if keyword not in usual:
        return None
    if words is None:
        return keyword
    behind = usual[usual.index(keyword) + 1 :]
    return next((word for word in behind if word in words), None)
