"""``tournament prizes``: what can be won, and who gets it."""

from typing import Annotated

import typer

from answers.tournament import prizes
from cli.session import Key
from cli.tournament.context import run


def show_or_declare(
    line: Annotated[list[str] | None, typer.Argument()] = None,
    several: Annotated[bool, typer.Option("--several")] = False,
    clear: Annotated[bool, typer.Option("--clear")] = False,
    key: Key = None,
) -> int:
    """Without a line, what is declared; otherwise the whole list anew."""
    if line or clear:
        return run(prizes.declare, prizes.read_prizes(line or ()), several=several, key=key)
    return run(prizes.prizes)
