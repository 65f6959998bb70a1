"""Lists of games and rulings, as far as the caller may see them.

Read models contain every entry at once. For a spectator with a broadcast delay, each game is listed
as it stood then, and sorted accordingly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from answers.context import Caller, policy_of
from engines.kernel.messages.catalogue import normalize
from referee.archive.precedents import BookRuling
from referee.archive.read_models import actions_counted, list_games
from referee.record.entries import entry_data


def known_games(
    caller: Caller,
    progress: Callable[[int, int], None] | None = None,
    *,
    processes: int = 1,
) -> list[dict[str, Any]]:
    """The games that the caller finds, the latest first."""
    rows = [
        row
        for row in list_games(caller.store_context.store, progress, processes=processes)
        if caller.reaches(row["game"], row["tournament"])
    ]
    known = [_as_known(caller, row) for row in rows]
    if any(one is not row for one, row in zip(known, rows, strict=True)):
        known.sort(key=lambda row: str(row["game"]))
        known.sort(key=lambda row: str(row["updated"]), reverse=True)
    return known


def is_called(typed: str, names: Iterable[str]) -> bool:
    """Whether somebody is meant, in any spelling: each word begins one of the name's words."""
    wanted = normalize(typed).split()
    return any(
        all(any(word.startswith(part) for word in words) for part in wanted)
        for words in (normalize(name).split() for name in names)
    )


def _as_known(caller: Caller, row: dict[str, Any]) -> dict[str, Any]:
    if not caller.waits(row["game"], row["tournament"]) or _is_shown_whole(caller, row):
        return row
    game = caller.game(row["game"])
    told = ((entry.data.KIND, entry_data(entry.data)) for entry in game.entries)
    return {
        **row,
        "people": dict(game.seats),
        "entries": len(game.entries),
        "actions": actions_counted(told),
        "updated": game.entries[-1].at,
        "closed": game.closed is not None,
        "result": entry_data(game.closed) if game.closed is not None else None,
        "readings": dict(game.setting.readings),
        "disputes": len(game.disputes),
        "open_disputes": len(game.open_disputes()),
    }


def _is_shown_whole(caller: Caller, row: Mapping[str, Any]) -> bool:
    """Whether a game ended so long ago that no delay holds anything back; asked without it."""
    rules = policy_of(caller.store_context, row["game"], row["tournament"])
    opened, updated = (datetime.fromisoformat(row[name]) for name in ("opened", "updated"))
    took = updated - opened if rules.delay_entries else timedelta()
    late = max(took, timedelta(seconds=rules.delay_seconds))
    return bool(row["closed"]) and (rules.until_result or updated + late <= datetime.now(UTC))


def known_rulings(
    caller: Caller, book: Iterable[tuple[BookRuling, str]], places: Mapping[str, str]
) -> list[tuple[BookRuling, str]]:
    """Without own rulings that the caller has to wait for; ``places``: where games are played."""
    found = []
    for ruling, source in book:
        game, _, id = ruling.reference.partition("/")
        if source or not caller.waits(game, places.get(game, "")):
            found.append((ruling, source))
            continue
        rulings = caller.game(game).rulings
        if id in rulings:
            _, _, by = ruling.overturned_by.partition("/")
            hidden = {} if by in rulings else {"overturned_by": ""}
            found.append((ruling.model_copy(update=hidden), source))
    return found


def people_of(caller: Caller) -> dict[str, dict[str, str]]:
    """Who sits where in each game, by pseudonym."""
    return {row["game"]: row["people"] for row in list_games(caller.store_context.store)}


def places(caller: Caller) -> dict[str, str]:
    """Where in a tournament each game is played; empty, if in none."""
    return {row["game"]: row["tournament"] for row in list_games(caller.store_context.store)}
