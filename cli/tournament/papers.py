"""Printing, exporting and importing; deals for cooperative games."""

from io import BytesIO
from pathlib import Path
from typing import Annotated, get_args
from zipfile import is_zipfile

from pydantic import Field

from answers.limits import ListName, PaperFormat
from answers.requests.uploads import event_record
from answers.review import import_export
from answers.tournament import lifecycle, printing, records
from cli.session import session
from cli.tournament.context import TOURNAMENT, one_of, put_document
from cli.tournament.plan import read_deal
from referee.archive.record_files import is_record
from referee.errors import Misused
from referee.tournament.values import RoundNumber
from referee.untrusted.safe_toml import read_limited, read_toml_file

LISTS: tuple[ListName, ...] = ("standings", "pairings", "players")


def print_paper(
    what: str,
    *,
    format: str = "html",
    round: RoundNumber | None = None,
    url: str = "",
    large: bool = False,
    section: str | None = None,
    output: str | None = None,
    force: bool = False,
) -> int:
    made = TOURNAMENT.ask(
        printing.printed,
        what,
        format=one_of("--format", format, get_args(PaperFormat)),
        round=round,
        url=url,
        large=large,
        section=section,
    )
    return put_document(made, output, force)


def export(
    format: str,
    *,
    of: str = "standings",
    round: RoundNumber | None = None,
    raw_csv: bool = False,
    to_pair: bool = False,
    names: bool = False,
    output: str | None = None,
    force: bool = False,
) -> int:
    made = TOURNAMENT.ask(
        printing.exported,
        format,
        of=one_of("--list", of, LISTS),
        round=round,
        raw_csv=raw_csv,
        to_pair=to_pair,
        named=names,
    )
    return put_document(made, output, force)


def import_log(file: str, *, name: str = "", game: str = "") -> int:
    """Events with their chain are taken as they are, if they prove themselves; the pod log of
    another tool becomes a tournament of its own."""
    here = session(creates=True)
    content = read_limited(file)
    if is_record(content) or is_zipfile(BytesIO(content)):
        uploaded = event_record(content)
        TOURNAMENT.make_current(here, uploaded["found"].stream)
        taken = here.organiser.ask(records.take_record, uploaded["found"])
        if games := uploaded.get("games"):
            here.organiser.ask(import_export.take_records, games, continues=True)
        return here.answer(records.take_record, taken)
    if not game:
        raise Misused("which_game_is_played")
    title = name or Path(file).stem[:100]
    answered = here.organiser.ask(lifecycle.adopt_log, title, game, content, file=file)
    TOURNAMENT.make_current(here, answered.data.tournament)
    return here.answer(lifecycle.adopt_log, answered)


def make_deal(
    piles: str,
    *,
    name: str,
    game: str,
    seed: Annotated[int, Field(ge=0)],
    output: str | None = None,
    force: bool = False,
) -> int:
    """Shuffle the piles of a file by a seed that is kept secret until the round is over."""
    made = printing.make_deal(name, game, read_toml_file(piles), seed, piles)
    return put_document(made, output, force)


def print_deal(
    file: str, *, format: str = "html", output: str | None = None, force: bool = False
) -> int:
    """A sheet by which a table lays out a deal."""
    paper = one_of("--format", format, get_args(PaperFormat))
    made = session().caller.ask(printing.deal_sheet, read_deal(file), format=paper)
    return put_document(made, output, force)
