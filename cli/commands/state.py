"""``referee state``: the position, in words, as a picture, as data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.session import session
from cli.speech import language, say, write
from cli.telling import to_act
from referee.outside.files import write_toml
from referee.record.positions import position_file
from referee.secrecy.views import needs_judge_view

app = typer.Typer(rich_markup_mode=None)


@app.command()
def state(
    at: Annotated[int | None, typer.Option("--at")] = None,
    toml: Annotated[bool, typer.Option("--toml")] = False,
    svg: Annotated[bool, typer.Option("--svg")] = False,
    view: Annotated[str | None, typer.Option("--view")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    game = here.seen(view)
    step = game.steps[-1] if at is None else game.step(at)
    lang = language()
    lines = game.engine.describe(step.state, step.setting, lang)
    if toml or svg:
        if toml:
            needs_judge_view(here.game(), here.view(view), "toml")
            text = write_toml(position_file(game, at))
        else:
            picture = game.engine.picture(step.state, step.setting, lang, step.action)
            title = game.engine.words.say("game", lang)
            text = picture.svg(title, "\n".join(lines), lang=lang)
        if output is None:
            write([text.rstrip("\n")])
            return 0
        output.write_text(text, encoding="utf-8")
        data = {"game": game.id, "file": str(output), "bytes": len(text.encode())}
        return here.answer("state", data, [say("written", file=str(output))])
    number = next((s.number for s in [step] if s.number is not None), 0)
    data = {
        "game": game.id,
        "number": number,
        "state": game.engine.plain(step.state),
        "words": lines,
    }
    return here.answer("state", data, [*lines, *([to_act(game)] if at is None else [])])
