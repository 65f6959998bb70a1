"""Many games in one file: a zip of a selection, each game in the same format."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from answers.context import Caller
from answers.declaration import operation
from answers.file_answers import File
from answers.game_filter import GameFilter, chosen_games
from answers.permissions import KEEPERS
from answers.review.import_export import OF_CLOSED_GAMES, ExportOptions, export, format_name
from referee.errors import Misused, NotFound
from replays.formats import ARCHIVES

MOST_EXPORTED = 500
NAME = "games.zip"


@operation(
    "export-chosen",
    "GET /exports/{format}",
    grant=KEEPERS,
    params="answers.requests.review:ChosenExportRequest",
    rename={"selection": "*"},
    file="games.zip",
    slow=True,
)
def export_chosen(
    caller: Caller,
    format: str,
    selection: GameFilter,
    *,
    names: bool = False,
    on_step: Callable[[int, int], None] = lambda done, total: None,
) -> File:
    """The games that are asked for, in one zip.

    Where a format tells a result, those that have none are left out.
    """
    if format in ARCHIVES:
        raise Misused("one_game_formats", format=format)
    format_name("game-", format)  # a format that there is
    rows = chosen_games(caller, selection)
    if format in OF_CLOSED_GAMES:
        rows = [row for row in rows if row["closed"]]
    if not rows:
        raise NotFound("no_games_chosen")
    if len(rows) > MOST_EXPORTED:
        raise Misused("too_many_chosen", most=MOST_EXPORTED)
    alone = caller.uncached()  # a scan of many games leaves those at hand where they are
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        for done, row in enumerate(rows, start=1):
            file = export(alone, row["game"], format, ExportOptions(names=names))
            called = f"{row['opened'][:10]}-{row['engine']}-{file.name}"
            archive.writestr(ZipInfo(called), file.content, ZIP_DEFLATED)
            on_step(done, len(rows))
    return File(NAME, made.getvalue())
