"""Carrying records elsewhere and taking them in; the gallery of all games."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from answers.left_out import left_out
from answers.review import import_export
from cli.output import atomic_write, draft_of, refuse_existing
from cli.progress import progress_line, progress_of
from cli.session import session
from referee.archive.process_pool import cores
from referee.archive.record_files import RecordFile
from referee.errors import Misused, NotFound
from replays.formats import ARCHIVES, read_record_file


def export(
    format: str,
    *,
    output: str | None = None,
    wanted: import_export.ExportOptions,
    force: bool = False,
) -> int:
    here = session()
    game = here.game_id()
    to_stdout = output == "-" or (output is None and not sys.stdout.isatty() and not here.json)
    file = Path(output or import_export.format_name(game, format))
    if not to_stdout:
        refuse_existing(file, force)
    wanted = replace(wanted, processes=cores(), progress=progress_of())
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


def import_records(
    files: Sequence[Path] = (), *, continues: bool = False, accept: str | None = None
) -> int:
    """Take in records; they are verified first, or nothing is stored."""
    if accept is not None:
        here = session()
        return here.run(import_export.accept, here.caller.find(accept))
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


def gallery(folder: Path) -> int:
    """Pictures of every game, and a page that shows them."""
    from answers.review.gallery import drawn, written

    here = session()
    files = []
    for name, content in drawn(here.voice.lang):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, content.encode())
        files.append(str(file))
    return here.answer(written, written(files))
