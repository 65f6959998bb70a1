"""``referee store``: make a store, look at it, bring it elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from answers.admin import stores
from cli.progress import progress_of
from cli.session import session, store_url

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command()
def init(writer: Annotated[list[str] | None, typer.Option("--writer")] = None) -> int:
    here = session()
    return here.answer(stores.init, stores.init(here.own_store, writer or []))


@app.command()
def check(accept_loss: Annotated[bool, typer.Option("--accept-loss")] = False) -> int:
    here = session()
    answered = stores.check(here.own_store, here.voice, accept=accept_loss)
    return here.answer(stores.check, answered)


@app.command()
def repair(to: Annotated[Path | None, typer.Option("--to")] = None) -> int:
    here = session()
    return here.answer(stores.repair, stores.repair(here.own_store, to))


@app.command()
def copy(
    target: Annotated[str, typer.Argument()],
    no_names: Annotated[bool, typer.Option("--no-names")] = False,
) -> int:
    here = session()
    answered = stores.copy(
        here.own_store, store_url(target), names=not no_names, progress=progress_of()
    )
    return here.answer(stores.copy, answered)
