"""Printing, exporting and importing; deals for cooperative games."""

from io import BytesIO
from pathlib import Path
from typing import Annotated, cast
from zipfile import is_zipfile

import typer

from answers.limits import ListName, PaperFormat
from answers.requests.uploads import event_record
from answers.review import import_export
from answers.tournament import lifecycle, printing, records
from cli.session import Key, session
from cli.tournament.context import (
    POINTER,
    Force,
    Output,
    RoundOption,
    asked,
    one_of,
    organiser,
    put_document,
    run,
)
from cli.tournament.plan import read_deal
from referee.archive.record_files import is_record
from referee.errors import Misused
from referee.untrusted.safe_toml import read_limited, read_toml_file

deals = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


def print_paper(
    what: Annotated[str, typer.Argument()],
    format: Annotated[str, typer.Option("--format")] = "html",
    round: RoundOption = None,
    url: Annotated[str, typer.Option("--url")] = "",
    large: Annotated[bool, typer.Option("--large")] = False,
    section: Annotated[str | None, typer.Option("--section")] = None,
    output: Output = None,
    force: Force = False,
) -> int:
    one_of("--format", format, ("html", "pdf"))
    made = asked(
        printing.printed,
        what,
        format=cast(PaperFormat, format),
        round=round,
        url=url,
        large=large,
        section=section,
    )
    return put_document(made, output, force)


def export(
    format: Annotated[str, typer.Argument()],
    of: Annotated[str, typer.Option("--list")] = "standings",
    round: RoundOption = None,
    raw_csv: Annotated[bool, typer.Option("--raw-csv")] = False,
    to_pair: Annotated[bool, typer.Option("--next")] = False,
    names: Annotated[bool, typer.Option("--names")] = False,
    output: Output = None,
    force: Force = False,
) -> int:
    one_of("--list", of, ("standings", "pairings", "players"))
    made = asked(
        printing.exported,
        format,
        of=cast(ListName, of),
        round=round,
        raw_csv=raw_csv,
        to_pair=to_pair,
        named=names,
    )
    return put_document(made, output, force)


def import_log(
    file: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Option("--name")] = "",
    game: Annotated[str, typer.Option("--of")] = "",
    key: Key = None,
) -> int:
    """Events with their chain are taken as they are, if they prove themselves; the pod log of
    another tool becomes a tournament of its own."""
    here = session(creates=True)
    content = read_limited(file)
    if is_record(content) or is_zipfile(BytesIO(content)):
        told = event_record(content)
        here.make_current(told["found"].stream, POINTER)
        taken = organiser(here).ask(records.take_record, told["found"])
        if games := told.get("games"):
            organiser(here).ask(import_export.take_records, games, continues=True)
        return here.answer(records.take_record, taken)
    if not game:
        raise Misused("which_game_is_played")
    title = name or Path(file).stem[:100]
    answered = organiser(here).ask(lifecycle.adopt_log, title, game, content, file=file, key=key)
    here.make_current(answered.data.tournament, POINTER)
    return here.answer(lifecycle.adopt_log, answered)


@deals.command(name="make")
def make_deal(
    piles: Annotated[str, typer.Argument()],
    name: Annotated[str, typer.Option("--name")] = ...,  # type: ignore[assignment]
    game: Annotated[str, typer.Option("--of")] = ...,  # type: ignore[assignment]
    seed: Annotated[int, typer.Option("--seed", min=0)] = ...,  # type: ignore[assignment]
    output: Output = None,
    force: Force = False,
) -> int:
    """Shuffle the piles of a file by a seed that is kept secret until the round is over."""
    made = printing.make_deal(name, game, read_toml_file(piles), seed, piles)
    return put_document(made, output, force)


@deals.command(name="print")
def print_deal(
    file: Annotated[str, typer.Argument()],
    format: Annotated[str, typer.Option("--format")] = "html",
    output: Output = None,
    force: Force = False,
) -> int:
    """A sheet by which a table lays out a deal."""
    one_of("--format", format, ("html", "pdf"))
    made = session().caller.ask(printing.deal_sheet, read_deal(file), format=format)
    return put_document(made, output, force)


@deals.command(name="reveal")
def reveal_deal(file: Annotated[str, typer.Argument()], key: Key = None) -> int:
    """Open a published deal: every draw, earlier or later, is compared with it."""
    return run(printing.reveal_deal, read_deal(file), key=key)
