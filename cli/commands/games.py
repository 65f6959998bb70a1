"""The games of the store, and many of them in one file."""

from dataclasses import replace
from pathlib import Path

from answers.file_answers import written
from answers.game_filter import GameFilter
from answers.play import info
from answers.review import bulk_export
from cli.output import atomic_write, refuse_existing
from cli.progress import progress_of
from cli.session import session
from referee.archive.process_pool import cores


def games(
    *,
    open_only: bool = False,
    done_only: bool = False,
    wanted: GameFilter,
    export: str | None = None,
    output: Path = Path(bulk_export.NAME),
    names: bool = False,
    force: bool = False,
) -> int:
    here = session()
    asked = replace(wanted, closed=None if open_only == done_only else done_only)
    if export is not None:
        refuse_existing(output, force)
        made = here.caller.ask(bulk_export.export_chosen, export, asked, names=names)
        atomic_write(output, made.content)
        return here.answer(written, written(str(output), made.content))
    return here.run(
        info.games,
        **vars(asked),
        current=here.current(),
        processes=cores(),
        progress=progress_of(),
    )
