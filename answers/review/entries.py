"""The entries of a record one by one, redacted for the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import EVERYBODY
from answers.verdict_text import action_line
from engines.kernel import Action
from engines.kernel.messages.catalogue import Verbatim
from referee.record.entries import Corrected, Entry, EntryData, Logged, Opened
from referee.record.game import Game
from replays.exports.chronicle import Chronicle
from replays.exports.story import words


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


@operation(
    "entries",
    "GET /games/{game}/entries",
    grant=EVERYBODY,
    params="answers.requests.review:EntriesRequest",
)
def entries(
    caller: Caller,
    game_id: str,
    *,
    after: int = -1,
    most: int | None = None,
    view: str | None = None,
) -> Answered[EntriesAnswer]:
    """The entries after entry ``after``, in order."""
    game = caller.game(game_id, view)
    found = game.entries[after + 1 :][:most]

    def data() -> EntriesAnswer:
        rows = entry_rows(game, found, caller.voice)
        return EntriesAnswer(game=game.id, last=game.version, entries=rows)

    return Answered(data, lambda voice: [row.told for row in entry_rows(game, found, voice)])


def entry_rows(game: Game, found: Sequence[Entry], voice: Voice) -> list[EntryRow]:
    """Entries of a game, or of a view of it, told in this voice: around the moves, as the book
    of the game tells them."""

    def say(key: str, /, **facts: Any) -> str:
        return words().naming(voice.names).say(key, voice.lang, **facts)

    voice = voice.at(game.seats)
    people = {game.seats[seat]: name for seat, name in voice.names.items()}
    chronicle = Chronicle(game, say, people)
    return [_row(game, entry, voice, chronicle.sentence(entry)) for entry in found]


def _row(game: Game, entry: Entry, voice: Voice, told: str | None) -> EntryRow:
    data = entry.data
    said = data if isinstance(data, Logged) else None
    action = _action(game, data)
    spoken = action_line(voice, game.engine, action)
    number = data.at if isinstance(data, Corrected) else getattr(data, "number", None)
    if told is None:
        facts = {"number": number, "text": Verbatim(spoken), "id": getattr(data, "id", "")}
        told = voice.say(f"entry.{data.KIND}", **facts)
    return EntryRow.made_of(
        entry,
        entry=entry.seq,
        kind=data.KIND,
        number=number,
        text=game.engine.text(action) if said is not None and action is not None else None,
        outcome=said.verdict.outcome if said is not None else None,
        clauses=[point.clause for point in said.verdict.breaches] if said is not None else [],
        told=told,
    )


def _action(game: Game, data: EntryData) -> Action | None:
    if not isinstance(data, Logged | Opened):
        return None
    return game.engine.text.load(data.action if isinstance(data, Logged) else data.opening)
