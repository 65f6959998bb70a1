"""What happened, entry by entry, as far as the caller may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from answers.answer import Answered, Data
from answers.caller import Caller
from answers.telling import numbered
from answers.voice import Voice
from engines.kernel.words import Verbatim
from referee.record.entries import (
    Confirmed,
    Corrected,
    Disputed,
    Entry,
    KitDeclared,
    Logged,
    Opened,
    ReadingFixed,
    Restored,
    SealedValue,
    Signed,
    TakenBack,
)
from referee.record.game import Game


class EntryRow(Data):
    """One entry, and how it is told."""

    entry: int
    kind: str
    at: str
    by: str
    role: str
    number: int | None
    """The number of the action, where it is one."""
    text: str | None
    """The action in the words of its game."""
    outcome: str | None
    clauses: list[str]
    told: str


class EntriesAnswer(Data):
    game: str
    last: int
    """The last entry that the caller may know of."""
    entries: list[EntryRow]


def entries(
    caller: Caller,
    game_id: str,
    *,
    after: int = -1,
    most: int | None = None,
    view: str | None = None,
) -> Answered[EntriesAnswer]:
    """The entries behind entry ``after``, in order."""
    game = caller.game(game_id, view)
    found = game.entries[after + 1 :][:most]

    def data() -> EntriesAnswer:
        rows = entry_rows(game, found, caller.voice)
        return EntriesAnswer(game=game.id, last=game.version, entries=rows)

    return Answered(data, lambda voice: [row.told for row in entry_rows(game, found, voice)])


def entry_rows(game: Game, found: Sequence[Entry], voice: Voice) -> list[EntryRow]:
    """Entries of a game, or of a view of it, told in this voice."""
    return [_row(game, entry, voice) for entry in found]


def _row(game: Game, entry: Entry, voice: Voice) -> EntryRow:
    said = entry.data if isinstance(entry.data, Logged) else None
    facts = _facts(game, entry)
    verdict = said.verdict if said is not None else None
    return EntryRow(
        entry=entry.seq,
        kind=entry.data.KIND,
        at=entry.at,
        by=entry.by,
        role=entry.role,
        number=facts.get("number"),
        text=str(facts["text"]) if said is not None else None,
        outcome=verdict.outcome if verdict is not None else None,
        clauses=[point.clause for point in verdict.breaches] if verdict is not None else [],
        told=voice.say(f"entry.{entry.data.KIND}", **facts),
    )


def _facts(game: Game, entry: Entry) -> dict[str, Any]:
    """What the sentence about an entry needs."""
    data, facts = entry.data, dict[str, Any]()
    for name in ("number", "id", "seat"):
        if isinstance(value := getattr(data, name, None), str | int):
            facts[name] = value
    if isinstance(data, TakenBack | Restored | Disputed):
        facts["numbers"] = numbered(list(data.numbers))
    elif isinstance(data, Corrected):
        facts["number"] = data.at
    elif isinstance(data, Signed | Confirmed):
        facts["entry"] = data.seq
    if (text := _text(game, data)) is not None:
        facts["text"] = Verbatim(text)
    return facts


def _text(game: Game, data: Any) -> str | None:
    if isinstance(data, Logged | Opened):
        action = data.action if isinstance(data, Logged) else data.opening
        return game.engine.text(game.engine.load(action))
    if isinstance(data, KitDeclared):
        return data.path
    if isinstance(data, ReadingFixed):
        return f"{data.reading}={data.value}"
    return data.what if isinstance(data, SealedValue) else None
