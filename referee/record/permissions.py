"""Permissions: which role may write which kind of entry. The one place that knows.

The grants stand on the entries themselves (``EntryData.TOLD_BY``). Here is what they depend on: the
state of the game, and the seat that owns an entry. Permissions are checked when an entry is
written, never when a record is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from referee.errors import Conflicting, NotAllowed
from referee.record import entries as kinds
from referee.record.game import Game
from referee.record.line import Item

_ROLE_OF = {"scribe alone": "scribe", "own seat": "seat"}
IMPORT: kinds.Grants = kinds.WITHOUT_A_JUDGE
"""Who may add the entries of a file to a record that goes on here."""
ACCEPT: kinds.Grants = ("organiser",)
"""Who may accept an imported game that was set apart."""
NOBODYS = ""
"""The owner of an entry that belongs to no seat."""


def permitted(game: Game, entry: kinds.Entry) -> bool:
    """Whether the author of the next entry may write it."""
    return _granted(_grants(game, entry), entry.role, game.has_judge, _owner(game, entry))


def check_role(game: Game, entry: kinds.Entry) -> None:
    """Like ``permitted``, but raises with the reason."""
    grants = _grants(game, entry)
    if entry.role in grants:
        return
    owner = _owner(game, entry)
    if _granted(grants, entry.role, game.has_judge, owner):
        return
    if kinds.seat_of(entry.role) is not None and "own seat" in grants and owner:
        raise NotAllowed("own_seat_only", role=entry.role, seat=owner)
    raise _not_among(grants, entry.role, game.has_judge)


def check_kind(game: Game, kind: type[kinds.EntryData], role: str) -> None:
    """Refuse a role that may never write this kind of entry here, before any other check."""
    ever = tuple(grant for grants in kind.TOLD_BY.values() for grant in grants)
    if not _granted(ever, role, game.has_judge, kinds.seat_of(role)):
        raise _not_among(ever, role, game.has_judge)


def check_ending(game: Game, entry: kinds.Entry) -> None:
    """Refuse most kinds of entries after the record is closed."""
    if game.closed is not None and entry.data.KIND not in kinds.AFTER_THE_END:
        raise Conflicting("closed")


def check_opening(role: str) -> None:
    grants = kinds.KINDS["opened"].TOLD_BY[""]
    if role not in grants:
        raise _not_among(grants, role, has_judge=False)


def check_import(game: Game, role: str) -> None:
    """Refuse a role that may not add entries from a file to a stored record."""
    if not _granted(IMPORT, role, game.has_judge, NOBODYS):
        raise _not_among(IMPORT, role, game.has_judge)


def _grants(game: Game, entry: kinds.Entry) -> kinds.Grants:
    told_by = entry.data.TOLD_BY
    return told_by[circumstance(game, entry)] if len(told_by) > 1 else told_by[""]


def _granted(grants: kinds.Grants, role: str, has_judge: bool, owner: str | None) -> bool:
    if role in grants:
        return True
    if role == "scribe":
        return "scribe alone" in grants and not has_judge
    seat = kinds.seat_of(role)
    if seat is None:
        return False
    return "seat" in grants or ("own seat" in grants and owner in (None, seat))


def _not_among(grants: kinds.Grants, role: str, has_judge: bool) -> NotAllowed:
    standing = [grant for grant in grants if grant != "scribe alone" or not has_judge]
    roles = [_ROLE_OF.get(grant, grant) for grant in standing]
    if all(kinds.judges(allowed) for allowed in roles):
        return NotAllowed("judge_only", role=role)
    return NotAllowed("role_may_not", role=role, roles=list(dict.fromkeys(roles)))


# what it depends on


def circumstance(game: Game, entry: kinds.Entry) -> str:
    """The circumstance that selects the grants of an entry; ``""`` is the usual case."""
    data = entry.data
    if isinstance(data, kinds.TakenBack | kinds.Restored):
        return _if_ruled(game, data.numbers)
    if isinstance(data, kinds.Corrected):
        return _if_ruled(game, (*data.remove, *data.keep))
    if isinstance(data, kinds.Resumed):
        return _held_by(game)
    if isinstance(data, kinds.DisputeClosed):
        return _if_raised(game.disputes.get(data.id), kinds.seat_of(entry.role))
    return ""


def _if_raised(dispute: kinds.Disputed | None, seat: str | None) -> str:
    """Whether a dispute was raised by this seat, or by any seat if the scribe asks."""
    raised = dispute is not None and dispute.cause == "seat" and seat in (None, dispute.seat)
    return "raised" if raised else ""


def _if_ruled(game: Game, numbers: tuple[int, ...]) -> str:
    return "" if game.ruled.isdisjoint(numbers) else "ruled"


def _held_by(game: Game) -> str:
    if isinstance(game.held, kinds.Disputed) or kinds.judges(game.holder):
        return ""
    return "seat" if kinds.seat_of(game.holder) is not None else "scribe"


def _owner(game: Game, entry: kinds.Entry) -> str | None:
    """The seat that owns an entry; None if anybody does, ``NOBODYS`` if no seat does."""
    owner = _OWNERS.get(type(entry.data))
    return owner(game, entry, entry.data) if owner is not None else None


def _owner_of_action(game: Game, entry: kinds.Entry, data: kinds.Logged) -> str | None:
    by = data.action.get("by")
    return by if isinstance(by, str) else None


def _owner_of_taken_back(game: Game, entry: kinds.Entry, data: kinds.TakenBack) -> str:
    numbered = (item for item in game.backwards() if item.number is not None)
    return _only_owner(list(islice(numbered, 1)), data.numbers)


def _owner_of_restored(game: Game, entry: kinds.Entry, data: kinds.Restored) -> str:
    return _only_owner(list(game.undone[-1:]), data.numbers)


def _only_owner(last: list[Item], numbers: tuple[int, ...]) -> str:
    """The owner of a single last action; of more than one action no seat is the owner."""
    if len(numbers) != 1 or not last or last[0].action is None:
        return NOBODYS
    return last[0].action.by or NOBODYS


def _owner_of_hold(game: Game, entry: kinds.Entry, data: kinds.Resumed) -> str:
    return kinds.seat_of(game.holder) or NOBODYS


def _owner_of_dispute(game: Game, entry: kinds.Entry, data: kinds.Disputed) -> str | None:
    return data.seat


def _owner_of_complaint(game: Game, entry: kinds.Entry, data: kinds.DisputeClosed) -> str:
    dispute = game.disputes.get(data.id)
    return (dispute.seat if dispute is not None else None) or NOBODYS


def _owner_of_confirmation(game: Game, entry: kinds.Entry, data: kinds.Confirmed) -> str:
    return data.seat


def _owner_of_seal(game: Game, entry: kinds.Entry, data: kinds.SealedValue) -> str:
    return data.seat


def _owner_of_secret(game: Game, entry: kinds.Entry, data: kinds.Unsealed) -> str:
    seal = game.seals.get(data.id)
    return seal.seat if seal is not None else NOBODYS


def _owner_of_note(game: Game, entry: kinds.Entry, data: kinds.Unnoted) -> str:
    """A note belongs to the person who wrote it, in the same role."""
    return _owner_of_made(game, entry, game.notes.get(data.id))


def _owner_of_photo(game: Game, entry: kinds.Entry, data: kinds.PhotoErased) -> str:
    """A photograph belongs to the person who added it, in the same role, or whose hand it shows."""
    photo = game.photos.get(data.id)
    if photo is not None and photo.only is not None:
        return photo.only
    return _owner_of_made(game, entry, photo)


def _owner_of_made(game: Game, entry: kinds.Entry, data: kinds.EntryData | None) -> str:
    for made in reversed(game.entries):
        if made.data is data and (made.by, made.role) == (entry.by, entry.role):
            return kinds.seat_of(made.role) or NOBODYS
    return NOBODYS


_OWNERS: dict[type[kinds.EntryData], Callable[[Game, kinds.Entry, Any], str | None]] = {
    kinds.Logged: _owner_of_action,
    kinds.TakenBack: _owner_of_taken_back,
    kinds.Restored: _owner_of_restored,
    kinds.Resumed: _owner_of_hold,
    kinds.Disputed: _owner_of_dispute,
    kinds.DisputeClosed: _owner_of_complaint,
    kinds.Confirmed: _owner_of_confirmation,
    kinds.SealedValue: _owner_of_seal,
    kinds.Unsealed: _owner_of_secret,
    kinds.Unnoted: _owner_of_note,
    kinds.PhotoErased: _owner_of_photo,
}


# the table of all this


ENTRY_LABELS = {
    ("opened", ""): "start a game",
    ("logged", ""): "log a move",
    ("taken_back", ""): "undo",
    ("taken_back", "ruled"): "undo what was ruled",
    ("restored", ""): "redo",
    ("restored", "ruled"): "redo what was ruled",
    ("corrected", ""): "correct",
    ("corrected", "ruled"): "correct what was ruled",
    ("reinstated", ""): "put back what an overturned ruling changed",
    ("adjusted", ""): "adjust",
    ("kit_declared", ""): "declare a detail of the box",
    ("reading_fixed", ""): "fix a reading",
    ("held", ""): "pause",
    ("resumed", ""): "resume what a dispute or a judge has paused",
    ("resumed", "scribe"): "resume what the scribe has paused",
    ("resumed", "seat"): "resume what a seat has paused",
    ("clock_set", ""): "set the clock",
    ("disputed", ""): "call a judge",
    ("dispute_closed", ""): "withdraw a dispute that nobody raised",
    ("dispute_closed", "raised"): "withdraw a dispute that a seat raised",
    ("attended", ""): "go to a table that calls",
    ("ruled", ""): "rule, overturn a ruling",
    ("penalised", ""): "penalise",
    ("penalty_cancelled", ""): "cancel a penalty",
    ("signed", ""): "sign",
    ("confirmed", ""): "confirm",
    ("sealed", ""): "seal a value",
    ("unsealed", ""): "reveal a sealed value",
    ("noted", ""): "add a note",
    ("unnoted", ""): "remove a note",
    ("photographed", ""): "add a photograph",
    ("photo_erased", ""): "erase a photograph",
    ("seen", ""): "confirm what a camera has proposed",
    ("closed", ""): "finish",
    ("reopened", ""): "reopen",
}
_SIGNS = {"scribe alone": "yes ¹", "own seat": "its own"}


def role_table() -> Iterator[tuple[str, str, str, str, str]]:
    """The permission table in words: what organiser, judge, scribe and seat may do."""
    for (kind, case), operation in ENTRY_LABELS.items():
        yield _row(operation, kinds.KINDS[kind].TOLD_BY[case])
    yield _row("import into a game that is under way here", IMPORT)
    yield _row("accept an imported game that was set apart", ACCEPT)


def _row(operation: str, grants: kinds.Grants) -> tuple[str, str, str, str, str]:
    def told(role: str) -> str:
        return next((_SIGNS.get(g, "yes") for g in grants if role in g.split()), "–")

    return operation, told("organiser"), told("judge"), told("scribe"), told("seat")
