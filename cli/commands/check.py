"""``referee check``: would this be legal? Records nothing."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.commands.log import hear_lines
from cli.commands.log import typed as typed_lines
from cli.session import session
from cli.telling import verdict_data, verdict_lines
from referee.outside.files import read_toml_file
from referee.record.positions import judge_from_position, read_position

app = typer.Typer(rich_markup_mode=None)


@app.command(context_settings={"ignore_unknown_options": True})
def check(
    words: Annotated[list[str], typer.Argument()],
    position: Annotated[str | None, typer.Option("--position")] = None,
) -> int:
    here = session()
    if position is None:
        return hear_lines(
            here, typed_lines(words), stands=False, dry_run=True, after=None, key=None
        )
    lines = [line for _, line in typed_lines(words)]
    heard = judge_from_position(read_position(read_toml_file(position)), lines)
    told: list[str] = []
    data: list[dict[str, Any]] = []
    for judged in [*([heard.refused] if heard.refused else []), *heard.judged]:
        told += verdict_lines(here.paint, heard.engine, judged)
        data.append({"notation": heard.engine.text(judged.action), **verdict_data(judged.verdict)})
    illegal = heard.refused is not None or any(not judged.accepted for judged in heard.judged)
    return here.answer("check", {"lines": data}, told, code=3 if illegal else 0)
