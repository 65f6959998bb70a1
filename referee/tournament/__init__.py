"""Tournaments: an event-sourced stream of their own, folded to a state by pure functions.

``fold`` turns events into a ``Tournament``; ``pair`` proposes the next round and ``check_round``
computes it again; ``standings`` and ``why`` derive every point from the results by number.
"""

from referee.tournament.errors import WORDS, NotPossible
from referee.tournament.events import Event, Plan, may_tell, read_event
from referee.tournament.fold import apply, fold, states
from referee.tournament.pairing import (
    asked_for,
    check_round,
    check_tournament,
    explain,
    pair,
    swap,
)
from referee.tournament.standings import standings, why
from referee.tournament.state import Draw, Tournament

__all__ = [
    "WORDS",
    "Draw",
    "Event",
    "NotPossible",
    "Plan",
    "Tournament",
    "apply",
    "asked_for",
    "check_round",
    "check_tournament",
    "explain",
    "fold",
    "may_tell",
    "pair",
    "read_event",
    "standings",
    "states",
    "swap",
    "why",
]
