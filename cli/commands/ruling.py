"""``referee ruling``: decide disputes, and read the book of rulings."""

from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from answers.judge import precedents, rulings
from cli.arguments import pairs
from cli.output import atomic_write, put_new, refuse_existing
from cli.positions import Position, table
from cli.session import Key, Reason, session
from referee.archive.precedents import read_book_file
from referee.errors import Misused
from referee.judging.rulings import Decision
from referee.record.entries import Remedy
from referee.untrusted.safe_toml import write_toml

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)

REMEDIES: tuple[str, ...] = get_args(Remedy)


@app.command(name="issue")
def issue_ruling(
    dispute: Annotated[str | None, typer.Argument()] = None,
    *,
    reason: Reason,
    remedy: Annotated[str, typer.Option("--remedy")] = "none",
    correct: Annotated[list[str] | None, typer.Option("--correct")] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    clause: Annotated[list[str] | None, typer.Option("--clause")] = None,
    number: Annotated[list[int] | None, typer.Option("--number")] = None,
    seat: Annotated[str | None, typer.Option("--seat")] = None,
    level: Annotated[str, typer.Option("--level")] = "",
    authority: Annotated[str, typer.Option("--authority")] = "",
    cite: Annotated[list[str] | None, typer.Option("--cite")] = None,
    overturns: Annotated[str | None, typer.Option("--overturns")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    tournament: Annotated[bool, typer.Option("--tournament")] = False,
    position: Position = None,
    line: Annotated[list[str] | None, typer.Option("--line")] = None,
    case: Annotated[Path | None, typer.Option("--save-case")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    if (line or case) and position is None:
        raise Misused("lines_need_position")
    caller, game, numbers = table(here, position, line or ())
    if remedy not in REMEDIES:
        raise Misused("no_such_remedy", remedy=remedy, remedies=", ".join(REMEDIES))
    decision = Decision(
        reason=reason,
        remedy=cast(Remedy, "corrected" if correct and remedy == "none" else remedy),
        dispute=dispute,
        numbers=tuple(number or numbers),
        clauses=tuple(name.upper() for name in clause or ()),
        lines=tuple(correct or ()),
        stands=stands,
        seat=seat.upper() if seat else None,
        level=level,
        authority=authority,
        overturns=overturns,
        readings=pairs(reading or []),
        scope="tournament" if tournament else "game",
    )
    answered = caller.ask(rulings.rule, game, decision, cite=cite or [], dry_run=dry_run, key=key)
    if case is not None and isinstance(answered.data, rulings.RulingIssueAnswer):
        refuse_existing(case)
        atomic_write(case, caller.ask(rulings.case, game, "r1").encode())
    return here.answer(rulings.rule, answered)


@app.command(name="list")
def list_rulings(
    of: Annotated[str | None, typer.Option("--of")] = None,
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    search: Annotated[str, typer.Option("--search")] = "",
) -> int:
    here = session()
    return here.run(precedents.rulings, game=of, clause=clause, search=search)


@app.command()
def show(reference: Annotated[str, typer.Argument()]) -> int:
    here = session()
    game = None if "/" in reference else here.game_id()
    return here.run(precedents.ruling, reference, game)


@app.command()
def export(
    output: Annotated[Path, typer.Option("-o", "--output")],
    source: Annotated[str, typer.Option("--source")],
    names: Annotated[bool, typer.Option("--names")] = False,
) -> int:
    here = session()
    found = here.caller.ask(precedents.book, source, names=names)
    return put_new(
        here,
        output,
        lambda: write_toml(found.model_dump(mode="json")),
        told=lambda voice: [
            voice.say("ruling.exported", file=str(output), count=len(found.ruling))
        ],
    )


@app.command(name="import")
def import_book(file: Annotated[Path, typer.Argument()]) -> int:
    here = session(creates=True)
    return here.run(precedents.take_over_book, read_book_file(file))


@app.command(name="save-case")
def save_case(
    ruling: Annotated[str, typer.Argument()],
    output: Annotated[Path, typer.Option("-o", "--output")],
) -> int:
    here = session()
    game = here.game_id()
    return put_new(here, output, lambda: here.caller.ask(rulings.case, game, ruling), game)
