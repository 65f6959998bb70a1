"""``referee rules``: read and search the clauses of a game."""

from typing import Annotated

import typer

from answers.rulebooks import rules as rulebook
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def rules(
    game: Annotated[str, typer.Argument()],
    clause: Annotated[str | None, typer.Argument()] = None,
    search: Annotated[str | None, typer.Option("--search")] = None,
    readings: Annotated[bool, typer.Option("--readings")] = False,
    audits: Annotated[bool, typer.Option("--audits")] = False,
) -> int:
    here = session()
    if audits:
        return here.answer(rulebook.audits, rulebook.audits(game))
    if readings:
        return here.answer(rulebook.readings, rulebook.readings(game, search=search))
    found = rulebook.rules(game, clause=clause, search=search, details=here.verbose)
    return here.answer(rulebook.rules, found)
