"""Changing what was logged, and bringing the state in line with the real table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from answers.limits import EntryNumber
from answers.play import corrections
from cli.arguments import pairs, typed
from cli.session import session
from engines.kernel import ParseError, Phrase
from referee.errors import Unfit
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.safe_toml import read_toml_file


def correct(
    number: EntryNumber,
    words: Sequence[str] = (),
    *,
    insert: bool = False,
    remove: Annotated[int, Field(ge=0)] = 1,
    drop: bool = False,
    keep: bool = False,
    stands: bool = False,
    back: bool = False,
    seats: Sequence[str] = (),
    reason: str = "",
    dry_run: bool = False,
) -> int:
    """Change what was logged; everything behind it is judged anew."""
    here = session()
    return here.run(
        corrections.correct,
        here.game_id(),
        number,
        typed(words),
        remove=0 if insert else remove,
        drop=drop,
        keep=keep,
        stands=stands,
        back=back,
        seats=pairs(seats),
        reason=reason,
        dry_run=dry_run,
    )


def adjust(
    changes: Sequence[str] = (), *, reason: str, file: Path | None = None, stands: bool = False
) -> int:
    """Bring the state in line with the real table."""
    here = session()
    wanted, whole, so = _position_in(file) if file is not None else ({}, False, False)
    for word in changes:
        path, sign, text = word.partition("=")
        if not sign:
            raise Unfit("not_a_pair", word=word)
        _put(wanted, path, _value(text))
    return here.run(
        corrections.adjust, here.game_id(), wanted, reason, whole=whole, stands=stands or so
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
