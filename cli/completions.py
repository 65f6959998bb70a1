"""What a shell completes beside commands and options: games, ids, formats, roles."""

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

from answers.admin.access import UNSEATED_ROLES
from cli.session import Session, store_url
from cli.typer_internals import SHELLS, complete_with
from engines.kernel.messages.catalogue import LANGUAGES
from engines.kernel.registry import engine_ids
from referee.errors import RefereeError
from referee.store.envelopes import StoreError
from replays.formats import FORMATS

Candidates = Callable[[Any], Iterable[str]]


def _games(ctx: Any) -> Iterable[str]:
    return engine_ids()


def _records(ctx: Any) -> Iterable[str]:
    return _streams(ctx, "game-")


def _tournaments(ctx: Any) -> Iterable[str]:
    return _streams(ctx, "tournament-")


def _streams(ctx: Any, prefix: str) -> Iterable[str]:
    """The ids of the store, which is only read; of another computer's none: a key waits for it."""
    here = Session(store_url(ctx.find_root().params.get("store")))
    if here.is_remote:
        return ()
    try:
        with closing(here.store_context) as opened:
            return opened.store.streams(prefix)
    except (RefereeError, StoreError, OSError):
        return ()


def complete_values(command: Any, key: str) -> None:
    """Let a shell complete the values of a command's arguments and options."""
    for param in command.params:
        by_name = _ARGUMENTS if param.param_type_name == "argument" else _OPTIONS
        candidates = _OF_ONE_COMMAND.get(f"{key}.{param.name}", by_name.get(param.name))
        if candidates is not None:
            complete_with(param, candidates)


_ARGUMENTS: dict[str, Candidates] = {
    "game": _games,
    "record": _records,
    "games": _records,
    "tournament": _tournaments,
    "role": lambda ctx: UNSEATED_ROLES,
    "shell": lambda ctx: SHELLS,
}
_OPTIONS: dict[str, Candidates] = {
    "of": _games,
    "tournament": _tournaments,
}
_OF_ONE_COMMAND: dict[str, Candidates] = {
    "command.game": _records,
    "command.lang": lambda ctx: LANGUAGES,
    "command.export.format": lambda ctx: FORMATS,
    "command.verify.what": _records,
}
