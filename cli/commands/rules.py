"""``referee rules``: read and search the clauses of a game."""

from pathlib import Path
from typing import Annotated

import typer

from answers.file_answers import written
from answers.judge import faq as questions
from answers.rulebooks import rules as rulebook
from answers.rulebooks.rules_diff import rules_diff
from cli.output import atomic_write, refuse_existing
from cli.session import session
from referee.errors import Misused
from referee.untrusted.safe_toml import read_limited

app = typer.Typer(rich_markup_mode=None)


@app.command()
def rules(
    game: Annotated[str, typer.Argument()],
    clause: Annotated[str | None, typer.Argument()] = None,
    search: Annotated[str | None, typer.Option("--search")] = None,
    readings: Annotated[bool, typer.Option("--readings")] = False,
    audits: Annotated[bool, typer.Option("--audits")] = False,
    faq: Annotated[bool, typer.Option("--faq")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    diff: Annotated[Path | None, typer.Option("--diff")] = None,
    to: Annotated[Path | None, typer.Option("--to")] = None,
) -> int:
    here = session()
    if diff is not None:
        new = _text(to) if to is not None else ""
        return here.answer(rules_diff, rules_diff(game, _text(diff), new=new))
    if output is not None and not faq:
        raise Misused("output_needs_faq")
    if faq and output is not None:
        refuse_existing(output)
        format = output.suffix.removeprefix(".")
        made = here.caller.ask(questions.faq_file, game, format)
        atomic_write(output, made.content)
        return here.answer(written, written(str(output), made.content))
    if faq:
        return here.run(questions.faq, game)
    if audits:
        return here.answer(rulebook.audits, rulebook.audits(game))
    if readings:
        return here.answer(rulebook.readings, rulebook.readings(game, search=search))
    found = rulebook.rules(game, clause=clause, search=search, details=here.verbose)
    return here.answer(rulebook.rules, found)


def _text(file: Path) -> str:
    return read_limited(file).decode("utf-8", "replace")
