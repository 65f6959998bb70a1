"""``referee diff``: what changed between two actions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import labelled, say
from referee.errors import NotFound
from referee.record import Game, RecordError, Step

app = typer.Typer(rich_markup_mode=None)

LONGEST_VALUE = 60


@app.command()
def diff(
    start: Annotated[int, typer.Argument(min=0)],
    end: Annotated[int | None, typer.Argument(min=0)] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
) -> int:
    here = session()
    game = here.seen(view)
    before, after = _step(game, start), game.steps[-1] if end is None else _step(game, end)
    changes = list(differences(game.engine.plain(before.state), game.engine.plain(after.state)))
    lines = []
    for path, was, now in changes:
        gone = [here.paint("bad", f"− {_shown(was)}")] if was is not None else []
        come = [here.paint("good", f"+ {_shown(now)}")] if now is not None else []
        lines.append(labelled(path, " ".join([*gone, *come])))
    data = {
        "game": game.id,
        "changes": [{"path": path, "before": was, "after": now} for path, was, now in changes],
    }
    return here.answer("diff", data, lines or [say("diff.same")])


def _shown(value: Any) -> str:
    """A part of the position on one line; ``--json`` has all of a large one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def _step(game: Game, number: int) -> Step:
    try:
        return game.step(number)
    except RecordError:
        raise NotFound("no_such_action", number=number) from None


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The paths at which two states differ, with both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            if key != "agenda":
                where = f"{path}.{key}" if path else key
                yield from differences(before.get(key), after.get(key), where)
    elif before != after:
        yield path, before, after
