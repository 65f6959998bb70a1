"""``referee export``: carry a record elsewhere."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from answers.left_out import left_out
from answers.review import import_export
from cli.output import atomic_write, draft_of, refuse_existing
from cli.progress import progress_of
from cli.session import session
from referee.archive.process_pool import cores
from replays.formats import ARCHIVES

app = typer.Typer(rich_markup_mode=None)


@app.command()
def export(
    format: Annotated[str, typer.Argument()],
    output: Annotated[str | None, typer.Option("-o", "--output")] = None,
    at: Annotated[int | None, typer.Option("--at", min=0)] = None,
    shape: Annotated[Literal["auto", "tall", "wide"], typer.Option("--shape")] = "auto",
    width: Annotated[int | None, typer.Option("--width", min=100, max=4000)] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
    names: Annotated[bool, typer.Option("--names")] = False,
    raw_csv: Annotated[bool, typer.Option("--raw-csv")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here = session()
    game = here.game_id()
    to_stdout = output == "-" or (output is None and not sys.stdout.isatty() and not here.json)
    file = Path(output or import_export.format_name(game, format))
    if not to_stdout:
        refuse_existing(file, force)
    wanted = import_export.ExportOptions(
        at, shape, width, view, names, raw_csv, processes=cores(), progress=progress_of()
    )
    if format in ARCHIVES and not to_stdout and not here.is_remote:
        with draft_of(file) as draft:
            missing = import_export.export_into(draft, here.caller, game, format, wanted)
        warnings = left_out(here.caller, missing)
        return here.answer(
            import_export.exported, import_export.exported(str(file), file, warnings)
        )
    made = here.caller.ask(import_export.export, game, format, wanted)
    if to_stdout:
        sys.stdout.buffer.write(made.content)
        sys.stdout.buffer.flush()
        return 0
    atomic_write(file, made.content)
    return here.answer(import_export.exported, import_export.exported(str(file), made.content))
