"""``referee completion``: the script that lets a shell complete commands."""

from typing import Annotated

import typer

from cli.i18n import write
from cli.main import COMPLETING
from cli.typer_internals import SHELLS, get_completion_script
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None)


@app.command()
def completion(shell: Annotated[str, typer.Argument()]) -> int:
    if shell not in SHELLS:
        raise NotFound("no_such_shell", shell=shell, shells=SHELLS)
    write([get_completion_script(prog_name="referee", complete_var=COMPLETING, shell=shell)])
    return 0
