"""``referee adjust``: bring the state in line with the real table."""

from pathlib import Path
from typing import Annotated, Any

import typer

from answers.play import corrections
from cli.session import Key, Reason, session
from engines.kernel import ParseError, Phrase
from referee.errors import Unfit
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.safe_toml import read_toml_file

app = typer.Typer(rich_markup_mode=None)


@app.command()
def adjust(
    changes: Annotated[list[str] | None, typer.Argument()] = None,
    *,
    reason: Reason,
    file: Annotated[Path | None, typer.Option("--file")] = None,
    stands: Annotated[bool, typer.Option("--stands")] = False,
    key: Key = None,
) -> int:
    here = session()
    wanted, whole, so = _position_in(file) if file is not None else ({}, False, False)
    for word in changes or []:
        path, sign, text = word.partition("=")
        if not sign:
            raise Unfit("not_a_pair", word=word)
        _put(wanted, path, _value(text))
    return here.run(
        corrections.adjust,
        here.game_id(),
        wanted,
        reason,
        whole=whole,
        stands=stands or so,
        key=key,
    )


def _position_in(file: Path) -> tuple[dict[str, Any], bool, bool]:
    """The whole position of a position file, and whether it stands; of another file, its parts."""
    content = read_toml_file(file)
    if "position" not in content:
        return _table(content, "position"), False, False
    return _table(content["position"], "position"), True, content.get("stands") is True


def _put(changes: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for key in above:
        changes = _table(changes.setdefault(key, {}), path)
    changes[last] = value


def _table(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ParseError("bad_position", field=path, problem=Phrase("flaw.no_table"))
    return value


def _value(text: str) -> Any:
    """JSON where it is JSON, else a word; ``none`` takes the key out."""
    if text == "none":
        return None
    try:
        return read_json(text.encode())
    except UnsafeJson:
        return text
