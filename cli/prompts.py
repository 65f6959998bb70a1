"""Questions at a terminal that are answered by a number, asked on the standard error.

Typer brings its own copy of Click without ``Choice``; what is typed is checked here, and asked
again in the user's language.
"""

from __future__ import annotations

from collections.abc import Sequence

import typer

from cli.i18n import say


def ask_number(question: str, numbers: Sequence[int], default: int | None = None) -> int | None:
    """One of these numbers; Enter is the default, or None where there is none."""
    usual = "" if default is None else str(default)
    while True:
        typed = str(
            typer.prompt(question, default=usual, show_default=bool(usual), err=True)
        ).strip()
        if not typed and default is None:
            return None
        for number in numbers:
            if typed == str(number):
                return number
        typer.echo(say("new.which_of", numbers=list(numbers)), err=True)


def ask_which(question: str, choices: Sequence[str], default: int | None = 0) -> int | None:
    """The index of one of several lines, which are listed with numbers from 1 on."""
    typer.echo(question, err=True)
    for number, line in enumerate(choices, start=1):
        typer.echo(f"  {number}  {line}", err=True)
    usual = None if default is None else default + 1
    picked = ask_number(say("new.which"), range(1, len(choices) + 1), usual)
    return None if picked is None else picked - 1
