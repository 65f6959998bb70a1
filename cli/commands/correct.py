"""``referee correct``: change what was logged; everything behind it is judged anew."""

from typing import Annotated

import typer

from answers.play import corrections
from cli.arguments import pairs, typed
from cli.session import Key, Reason, session

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def correct(
    number: Annotated[int, typer.Argument(min=0)],
    words: Annotated[list[str] | None, typer.Argument()] = None,
    insert: Annotated[bool, typer.Option("--insert")] = False,
    remove: Annotated[int, typer.Option("--remove", min=0)] = 1,
    drop: Annotated[bool, typer.Option("--drop")] = False,
    keep: Annotated[bool, typer.Option("--keep")] = False,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    back: Annotated[bool, typer.Option("--undo")] = False,
    seats: Annotated[list[str] | None, typer.Option("-p", "--player")] = None,
    reason: Reason = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    return here.run(
        corrections.correct,
        here.game_id(),
        number,
        typed(words or []),
        remove=0 if insert else remove,
        drop=drop,
        keep=keep,
        stands=stands,
        back=back,
        seats=pairs(seats or []),
        reason=reason,
        dry_run=dry_run,
        key=key,
    )
