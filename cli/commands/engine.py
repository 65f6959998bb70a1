"""``referee engine``: the games this installation can referee."""

from pathlib import Path
from typing import Annotated

import typer

from answers.rulebooks import game_check, new_game, rules
from cli.commands.cases import case_files
from cli.output import atomic_write
from cli.session import session
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
