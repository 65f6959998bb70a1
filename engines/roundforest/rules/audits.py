"""Counts and things seen at the table, compared with what the log says."""

from __future__ import annotations

from engines.kernel import Audit, BadForm, Hearing
from engines.roundforest.kit import FACINGS, Box
from engines.roundforest.rules.book import rules
from engines.roundforest.state import Game

_COUNTED = ("copper", "silver", "apples", "compasses")
_LISTED = ("pack", "debts")


@rules.hears(Audit)
def audit(state: Game, action: Audit, rule: Hearing[Box]) -> Game:
    """Changes nothing; a difference is found out."""
    subject, stated = _parted(action)
    derived = _derived(state, subject, stated)
    if derived != stated:
        rule.proves(
            "RND-LOG-3",
            *_turning(state, subject, stated),
            subject=" ".join(action.subject[: len(subject)]),
            stated=stated,
            derived=derived,
        )
    return state


@rules.counts("RND-LOG-3")
def count(state: Game, subject: tuple[str, ...]) -> str:
    """What the record follows back to the actions that changed it."""
    words = tuple(word.lower() for word in subject)
    listed = len(words) >= 2 and words[1] in _LISTED
    return _derived(state, words[:2] if listed else words, "")


def _parted(action: Audit) -> tuple[tuple[str, ...], str]:
    """Lists of objects and debts are compared in alphabetical order."""
    subject = tuple(word.lower() for word in action.subject)
    if len(subject) >= 2 and subject[1] in _LISTED:
        words = sorted([*subject[2:], action.value.lower()])
        return subject[:2], " ".join(words)
    return subject, action.value.lower()


def _derived(state: Game, subject: tuple[str, ...], stated: str) -> str:
    match subject:
        case ("black_bag",):
            return str(state.bags.black.size)
        case ("blue_bag",):
            return str(state.bags.blue.size)
        case ("aside_chips",):
            return str(state.bags.aside.size)
        case ("deck",):
            return str(len(state.cards.deck))
        case (cell,) if cell in state.forest.tiles:
            return _seen_on_tile(state, cell, stated)
        case (seat, what) if seat.upper() in state.players:
            player = state.players[seat.upper()]
            if what in _COUNTED:
                return str(getattr(player, what))
            if what in _LISTED:
                return " ".join(sorted(getattr(player, what))) or "none"
            if what == "pos":
                return player.pos or "pack"
    raise BadForm("unknown_subject", subject=" ".join(subject))


def _seen_on_tile(state: Game, cell: str, stated: str) -> str:
    """A tile's facing, its face as it lies, or what is on it, as the statement asks."""
    tile = state.forest.tiles[cell]
    if stated in FACINGS:
        return tile.facing
    if "/" in stated:
        return tile.face
    return state.forest.contents.get(cell, "none")


def _turning(state: Game, subject: tuple[str, ...], stated: str) -> tuple[int, ...]:
    """The action that turned a tile last, if its facing or its face is in question."""
    tile = state.forest.tiles.get(subject[0])
    if tile is None or not tile.turned or not (stated in FACINGS or "/" in stated):
        return ()
    return (tile.turned,)
