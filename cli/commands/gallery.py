"""``referee gallery``: pictures of every game, and a page that shows them."""

from pathlib import Path
from typing import Annotated

import typer

from answers.review.gallery import drawn, written
from cli.output import atomic_write
from cli.session import session

app = typer.Typer(rich_markup_mode=None)


@app.command()
def gallery(folder: Annotated[Path, typer.Argument()]) -> int:
    here = session()
    files = []
    for name, content in drawn(here.voice.lang):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, content.encode())
        files.append(str(file))
    return here.answer(written, written(files))
