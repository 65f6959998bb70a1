"""``referee adjust``: bring the state in line with the real table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import Key, session
from cli.speech import say
from cli.telling import to_act
from referee.errors import Unfit
from referee.files import read_toml_file
from referee.reading import UnsafeJson, read_json

app = typer.Typer(rich_markup_mode=None)


@app.command()
def adjust(
    changes: Annotated[list[str] | None, typer.Argument()] = None,
    reason: Annotated[str, typer.Option("-m", "--reason")] = ...,  # type: ignore[assignment]
    file: Annotated[Path | None, typer.Option("--file")] = None,
    key: Key = None,
) -> int:
    here = session()
    wanted: dict[str, Any] = {}
    if file is not None:
        found = read_toml_file(file)
        wanted = found.get("position", found)
    for word in changes or []:
        path, sign, text = word.partition("=")
        if not sign:
            raise Unfit("not_a_pair", word=word)
        _put(wanted, path.split("."), _value(text))
    answer = here.bench.adjust(here.game_id(), wanted, reason, author=here.author, key=key)
    game = answer.game
    data = {"game": game.id, "number": game.last_number, "changes": wanted}
    lines = [say("adjust.done", number=game.last_number), "  " + to_act(game)]
    return here.answer("adjust", data, lines)


def _put(table: dict[str, Any], keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        table = table.setdefault(key, {})
    table[keys[-1]] = value


def _value(text: str) -> Any:
    """JSON where it is JSON, else a word; ``none`` takes the key out."""
    if text == "none":
        return None
    try:
        return read_json(text.encode())
    except UnsafeJson:
        return json.loads(json.dumps(text))
