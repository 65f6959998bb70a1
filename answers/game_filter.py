"""Which games of a store are meant: the filters of the list, of the archive, of a bulk export."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from answers.context import Caller
from answers.known_games import is_called, known_games
from answers.limits import Players
from engines.kernel.messages.catalogue import LANGUAGES, normalize
from engines.kernel.messages.errors import ParseError
from engines.kernel.registry import load_engine
from referee.archive.read_models import games_with_clause
from referee.errors import Misused, NotAllowed
from referee.secrecy.query_guard import view_of

Outcome = Literal["decided", "tied", "table_won", "table_lost", "none"]
"""How games ended: somebody came first, several did, a table won or lost together, not at all."""
Dispute = Literal["any", "open", "none"]


@dataclass(frozen=True)
class GameFilter:
    """What is asked of a game; what is None is not asked."""

    closed: bool | None = None
    engine: str | None = None
    player: str | None = None
    """A name in any spelling."""
    tournament: str | None = None
    since: str | None = None
    """A date, or the beginning of one, on which it was opened."""
    until: str | None = None
    search: str = ""
    """Words of its name, its title, its players or its tournament."""
    players: Players | None = None
    """How many sit at the table."""
    box: str | None = None
    reading: str | None = None
    """``name=value``."""
    clause: str | None = None
    """It was broken, disputed or ruled on; or one of that section (``BEN-MOVE``)."""
    dispute: Dispute | None = None
    result: Outcome | None = None
    won_by: str | None = None
    """A name in any spelling."""


def chosen_games(
    caller: Caller,
    asked: GameFilter,
    progress: Callable[[int, int], None] | None = None,
    *,
    processes: int = 1,
) -> list[dict[str, Any]]:
    """The games that the caller finds and that are asked for, the latest first, with names."""
    if asked.clause and caller.viewer is not None:  # what was broken in secret is in it
        raise NotAllowed("needs_judge_view", what="clause", view=view_of(caller.viewer))
    store = caller.store_context.store
    with_clause = games_with_clause(store, asked.clause) if asked.clause else None
    reading = _reading(asked.reading) if asked.reading else None
    found = []
    for row in known_games(caller, progress, processes=processes):
        if with_clause is not None and row["game"] not in with_clause:
            continue
        if reading is not None and row["readings"].get(reading[0]) != reading[1]:
            continue
        names = {seat: caller.name(person) for seat, person in row["people"].items()}
        if _fits(asked, row, names) and _has_words(row, names, asked.search):
            found.append({**row, "players": names})
    if asked.dispute == "open":  # what an undo has settled, its game alone knows
        found = [row for row in found if caller.game(row["game"]).open_disputes()]
    return found


def opened_between(opened: str, since: str | None, until: str | None) -> bool:
    """Whether a game was opened then; each is a date, or the beginning of one."""
    return (since is None or opened >= since) and (until is None or opened[: len(until)] <= until)


def _fits(asked: GameFilter, row: dict[str, Any], names: dict[str, str]) -> bool:
    first = _first(row)
    return (
        (asked.closed is None or row["closed"] == asked.closed)
        and (asked.engine is None or row["engine"] == asked.engine)
        and (asked.tournament is None or row["tournament"].partition("/")[0] == asked.tournament)
        and opened_between(row["opened"], asked.since, asked.until)
        and (asked.players is None or row["seats"] == asked.players)
        and (asked.box is None or row["box"] == asked.box)
        and (asked.dispute != "open" or row["open_disputes"])
        and (asked.dispute in (None, "open") or bool(row["disputes"]) == (asked.dispute == "any"))
        and (asked.result is None or _outcome(row) == asked.result)
        and (asked.player is None or is_called(asked.player, names.values()))
        and (
            asked.won_by is None
            or is_called(asked.won_by, [names[seat] for seat in first if seat in names])
        )
    )


def _first(row: dict[str, Any]) -> list[str]:
    """The seats that came first, alone or together."""
    result = row["result"] or {}
    if result.get("won") is not None:
        return list(row["people"]) if result["won"] else []
    return list(result["places"][0]) if result.get("places") else []


def _outcome(row: dict[str, Any]) -> Outcome:
    result = row["result"] or {}
    if result.get("won") is not None:
        return "table_won" if result["won"] else "table_lost"
    first = _first(row)
    if not first:
        return "none"
    return "tied" if len(first) > 1 else "decided"


def _reading(text: str) -> tuple[str, str]:
    name, is_one, value = text.partition("=")
    if not is_one:
        raise Misused("reading_form", text=text)
    return name.strip(), value.strip()


def _has_words(row: dict[str, Any], names: dict[str, str], search: str) -> bool:
    """Whether all words are found in what a game is called, in either language."""
    if not search:
        return True
    said = (row["game"], row["title"], row["engine"], row["tournament"], *names.values())
    text = normalize(" ".join((*said, *_called(row["engine"]))))
    return all(word in text for word in normalize(search).split())


@cache
def _called(engine: str) -> tuple[str, ...]:
    """What is played, in both languages; a game that is not installed has its id alone."""
    try:
        words = load_engine(engine).words
    except ParseError:
        return ()
    return tuple(words.say("game", lang) for lang in LANGUAGES)
