"""``referee engine``: the games this installation can referee."""

from pathlib import Path
from typing import Annotated

import typer

from answers.rulebooks import game_check, new_game, rules
from cli.commands.cases import case_files
from cli.i18n import say, write
from cli.output import atomic_write
from cli.session import Session, session
from engines.kernel import ParseError
from engines.kernel.registry import load_engine, package_of
from referee.errors import Conflicting

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_engines() -> int:
    here = session()
    return here.answer(rules.engines, rules.engines(here.voice.lang))


@app.command()
def info(game: Annotated[str, typer.Argument()]) -> int:
    here = session()
    return here.answer(rules.engine, rules.engine(game, here.voice.lang))


@app.command()
def check(
    game: Annotated[str, typer.Argument()],
    cases: Annotated[list[Path] | None, typer.Option("--cases")] = None,
    games: Annotated[int, typer.Option("--games", min=1, max=1000)] = 3,
) -> int:
    here = session()
    files = [each.file for each in case_files(cases or ())]
    return here.answer(game_check.check, game_check.check(game, here.voice, files, games))


@app.command()
def dev(
    game: Annotated[str, typer.Argument()],
    port: Annotated[int, typer.Option("--port", min=1, max=65535)] = 8420,
) -> int:
    from cli.commands.serve import needs_web, serve_at
    from cli.dev_server import (
        changed_for,
        folder_of,
        start_anew_on_change,
        wait_for_change,
        written,
    )

    needs_web()
    here = session(creates=True)
    folder = folder_of(package_of(game))
    before = written(folder)
    try:
        engine = load_engine(game)
        table = _table_of(here, game, engine.opening.usual(engine.seats[0]))
    except ParseError as error:
        if changed_for() is None:
            raise
        write([here.voice.spoken(error.phrase)])
        wait_for_change(folder, before)
    changed = changed_for()
    told = [say("welcome.changed", file=changed)] if changed is not None else None
    start_anew_on_change(folder, before)
    serve_at(here, port, f"to=/games/{table}/workbench", told)
    return 0


def _table_of(here: Session, game: str, line: str) -> str:
    """The last table of the game that is still played, or a new one."""
    from answers.play import info, opening

    for row in info.games(here.caller).data.games:
        if row.engine == game and not row.closed:
            return str(row.game)
    opened = opening.open_table(here.caller, game, line.removeprefix("table ")).data
    assert isinstance(opened, opening.NewAnswer)
    return opened.game


@app.command()
def new(
    game: Annotated[str, typer.Argument()],
    into: Annotated[Path, typer.Option("--into")] = Path(),
    hidden: Annotated[bool, typer.Option("--hidden")] = False,
) -> int:
    here = session()
    folder = into / game
    drafted = new_game.drafted(game, hidden=hidden)
    if folder.exists():
        raise Conflicting("file_exists", file=str(folder))
    for name, text in drafted.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, text.encode())
    files = [str(folder / name) for name in drafted]
    return here.answer(new_game.written, new_game.written(game, files))
