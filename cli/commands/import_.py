"""``referee import``: take in a record; it is verified first, or nothing is stored."""

from pathlib import Path
from typing import Annotated

import typer

from answers.review import import_export
from cli.progress import progress_line
from cli.session import session
from referee.archive.record_files import RecordFile
from referee.errors import Misused, NotFound
from replays.formats import read_record_file

app = typer.Typer(rich_markup_mode=None)


@app.command(name="import")
def import_record(
    files: Annotated[list[Path] | None, typer.Argument()] = None,
    continues: Annotated[bool, typer.Option("--continue")] = False,
    accept: Annotated[str | None, typer.Option("--accept")] = None,
) -> int:
    if accept is not None:
        here = session()
        game = here.caller.find(accept)
        return here.run(import_export.accept, game)
    if not files:
        raise Misused("which_file")
    here = session(creates=True)
    records = [_read(file) for file in files]
    answered = here.caller.ask(
        import_export.take_records, records, continues=continues, progress=progress_line
    )
    here.make_current(records[-1].stream)
    return here.answer(import_export.take_records, answered)


def _read(file: Path) -> RecordFile:
    if not file.is_file():
        raise NotFound("no_such_file", file=str(file))
    return read_record_file(file)
