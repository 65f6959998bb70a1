"""What happened at the table: logged, checked, corrected, adjusted."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from answers.answer import Answered
from answers.play import actions, corrections
from cli.arguments import pairs, refuse_bytes, typed
from cli.i18n import write
from cli.session import Session, session
from engines.kernel import ParseError, Phrase
from engines.kernel.messages.errors import MessageError
from referee.errors import Unfit
from referee.untrusted.safe_json import UnsafeJson, read_json
from referee.untrusted.safe_toml import read_toml_file


def log(
    words: Sequence[str] = (),
    *,
    stands: bool = False,
    dry_run: bool = False,
    at: int | None = None,
    key: str | None = None,
) -> int:
    """Hear what happened, record it, or refuse it with its clause."""
    here = session()
    lines = _standard_input() if words == ["-"] else typed(words)
    ask, game = here.caller.ask, here.game_id()
    try:
        if dry_run:
            answered = ask(actions.check, game, lines, stands=stands, after=at, at_once=here.tell)
        else:
            answered = ask(
                actions.log, game, lines, stands=stands, after=at, key=key, at_once=here.tell
            )
            if answered.outcome == "illegal" and here.may_ask_about_boxes and sys.stdout.isatty():
                answered = _with_what_is_asked(here, answered, lines)
    except MessageError as error:
        if not here.json:
            write(getattr(error, "told", ()))
            sys.stderr.writelines(f"{line}\n" for line in actions.stopped_lines(here.voice, error))
        raise
    return here.answer(actions.log, answered)


def _with_what_is_asked(
    here: Session, answered: Answered[actions.LogAnswer], lines: list[str]
) -> Answered[actions.LogAnswer]:
    """Ask about assumed data of the box that a refusal rests on, and log again."""
    from cli.box.ask_on_refusal import ask_about

    game = here.game_id()
    if len(lines) > 1 or not ask_about(here, game, answered):
        return answered
    return here.caller.ask(actions.log, game, lines, at_once=here.tell)


def _standard_input() -> list[str]:
    lines = [line.rstrip("\n") for line in sys.stdin]
    refuse_bytes(lines)
    return lines


def check(words: Sequence[str], *, position: str | None = None) -> int:
    """Would this be legal? Records nothing."""
    here = session()
    if position is None:
        return here.run(actions.check, here.game_id(), typed(words), at_once=here.tell)
    from answers.context import open_store_context
    from answers.play.analysis import check_position
    from cli.positions import declared

    if not here.is_remote:
        here.store_context = open_store_context(
            "memory:"
        )  # a position needs no store, not even one that is there
    return here.run(check_position, declared(position), typed(words))


def correct(
    number: Annotated[int, Field(ge=0)],
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
    key: str | None = None,
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
        key=key,
    )


def adjust(
    changes: Sequence[str] = (),
    *,
    reason: str,
    file: Path | None = None,
    stands: bool = False,
    key: str | None = None,
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
