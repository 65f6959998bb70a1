"""``referee verify``: form, chain, replay; of a stored game or of a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from answers.proof.verification import Record, stored_records, verify_all
from answers.proof.verification import verify as prove
from cli.local_keys import key_ring
from cli.progress import progress_line, progress_of
from cli.session import Session, session
from referee.archive.process_pool import cores
from replays.formats import read_record_file

app = typer.Typer(rich_markup_mode=None)


@app.command()
def verify(
    what: Annotated[list[str] | None, typer.Argument()] = None,
    head: Annotated[list[str] | None, typer.Option("--head")] = None,
    signed_by: Annotated[list[str] | None, typer.Option("--signed-by")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1)] = None,
) -> int:
    here = session()
    asked = {"heads": head or [], "signed_by": signed_by or []}
    if everything:
        answered = here.caller.ask(
            verify_all,
            key_ring(),
            **asked,
            processes=jobs or cores(),
            progress=progress_of(),
            tell=here.tell,
        )
    else:
        records = _records(here, what or [])
        answered = here.caller.ask(prove, records, key_ring(), **asked, progress=progress_line)
    return here.answer(prove, answered)


def _records(here: Session, names: list[str]) -> Iterator[Record]:
    """Files, and games of the store."""
    for name in names or [here.game_id()]:
        if Path(name).is_file():
            record_file = read_record_file(Path(name))
            yield Record(record_file.stream, record_file.rows)
        else:
            yield from here.caller.ask(stored_records, [here.caller.find_stream(name)])
