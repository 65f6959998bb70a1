"""The games of the store: listed, counted, carried elsewhere and taken in; and the gallery."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from cli.output import atomic_write, draft_of, refuse_existing
from cli.progress import progress_line, progress_of
from cli.session import session
from referee.archive.process_pool import cores
from referee.archive.record_files import RecordFile
from referee.errors import Misused, NotFound


def games(
    *,
    open_only: bool = False,
    done_only: bool = False,
    of: str | None = None,
    player: str | None = None,
    tournament: str | None = None,
    since: str | None = None,
    until: str | None = None,
    search: str = "",
    players: Annotated[int | None, Field(ge=1, le=8)] = None,
    box: str | None = None,
    reading: str | None = None,
    clause: str | None = None,
    dispute: Literal["any", "open", "none"] | None = None,
    result: Literal["decided", "tied", "table_won", "table_lost", "none"] | None = None,
    won_by: str | None = None,
    export: str | None = None,
    output: Path = Path("games.zip"),
    names: bool = False,
    force: bool = False,
) -> int:
    from answers.file_answers import written
    from answers.game_filter import GameFilter
    from answers.play import info
    from answers.review import bulk_export

    here = session()
    closed = None if open_only == done_only else done_only
    asked = GameFilter(
        closed, of, player, tournament, since, until, search,
        players, box, reading, clause, dispute, result, won_by,
    )  # fmt: skip
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


def stats(
    *,
    of: str | None = None,
    player: str | None = None,
    tournament: str | None = None,
    since: str | None = None,
    until: str | None = None,
    players: int | None = None,
    variant: str | None = None,
    box: str | None = None,
    reading: str | None = None,
    names: bool = False,
    rebuild: bool = False,
    svg: bool = False,
    html: bool = False,
    output: Path | None = None,
) -> int:
    from answers.review import stats
    from cli.output import put

    here = session()
    wanted = stats.Selection(of, player, tournament, since, until, players, variant, box, reading)
    how: dict[str, Any] = {"names": names, "processes": cores(), "progress": progress_of()}
    if svg or html:
        made = stats.page if html else stats.chart
        return put(here, made(here.caller, wanted, **how), output)
    answered = stats.statistics(here.caller, wanted, **how, rebuild=rebuild)
    return here.answer(stats.statistics, answered)


def export(
    format: str,
    *,
    output: str | None = None,
    at: Annotated[int | None, Field(ge=0)] = None,
    shape: Literal["auto", "tall", "wide"] = "auto",
    width: Annotated[int | None, Field(ge=100, le=4000)] = None,
    view: str | None = None,
    names: bool = False,
    raw_csv: bool = False,
    force: bool = False,
) -> int:
    from answers.left_out import left_out
    from answers.review import import_export
    from replays.formats import ARCHIVES

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


def import_records(
    files: Sequence[Path] = (), *, continues: bool = False, accept: str | None = None
) -> int:
    """Take in records; they are verified first, or nothing is stored."""
    from answers.review import import_export

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
    from replays.formats import read_record_file

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
