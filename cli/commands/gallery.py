"""``referee gallery``: pictures of every game, and a page that shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.session import session
from cli.speech import language, say

app = typer.Typer(rich_markup_mode=None)


@app.command()
def gallery(folder: Annotated[Path, typer.Argument()]) -> int:
    from replays.gallery import gallery as drawn

    files = []
    for name, content in drawn(language()):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
        files.append(str(file))
    lines = [say("gallery.done", count=len(files), file=files[-1])]
    return session().answer_plain("gallery", {"files": files}, lines)
