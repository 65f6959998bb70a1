"""``tournament zones``: ranges of tables given to judges."""

import re
from typing import Annotated

import typer

from answers.tournament import zones as answers
from cli.session import Key
from cli.tournament.context import run
from referee.errors import Misused


def zones(
    zone: Annotated[list[str] | None, typer.Argument()] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
    key: Key = None,
) -> int:
    if not zone and not clear:
        return run(answers.zones)
    if zone and clear:
        raise Misused("zones_or_clear")
    return run(answers.set_zones, [_zone(each) for each in zone or []], key=key)


def _zone(text: str) -> tuple[str, int, int]:
    """``Jo=1-20``, or ``Jo=7`` for one table."""
    found = re.fullmatch(r"(.+)=(\d{1,3})(?:[-–](\d{1,3}))?", text.strip())
    if found is None or not found[1].strip():
        raise Misused("bad_zone", text=text)
    return found[1].strip(), int(found[2]), int(found[3] or found[2])
