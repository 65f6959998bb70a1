"""``referee import``: take in a record; it is verified first, or nothing is stored."""

from pathlib import Path
from typing import Annotated

import typer

from answers.review import import_export
from cli.progress import progress_line
from cli.session import session
from referee.archive.record_files import RecordFile
from referee.errors import NotFound
from replays.formats import read_record_file

app = typer.Typer(rich_markup_mode=None)


@app.command(name="import")
def import_record(
    files: Annotated[list[Path], typer.Argument()],
    continues: Annotated[bool, typer.Option("--continue")] = False,
) -> int:
    here = session(creates=True)
    records = [_read(file) for file in files]
    answered = here.caller.ask(
        import_export.take_records, records, continues=continues, progress=progress_line
    )
    here.make_current(records[-1].stream)
    return here.answer("import", answered)


def _read(file: Path) -> RecordFile:
    if not file.is_file():
        raise NotFound("no_such_file", file=str(file))
    return read_record_file(file)
