"""Role × operation: who may ask what, as far as the role alone decides it.

What is written is decided by the kinds of entries and events themselves; here is which kinds an
operation writes. What depends on the table (whose action it is, whether there is a judge) is
asked by the core when the operation is carried out.
"""

from __future__ import annotations

from functools import cache

from referee.record.entries import KINDS, ONLOOKERS, PLAYER, SPECTATOR, Grants
from referee.record.permissions import IMPORT
from referee.tournament.events import KINDS as EVENTS

ROLES = ("organiser", "judge", "scribe", "seat", PLAYER, SPECTATOR)
EVERYBODY = frozenset(ROLES)
TABLE = EVERYBODY - ONLOOKERS
KEEPERS = frozenset(("organiser", "judge", "scribe"))
JUDGES = frozenset(("organiser", "judge"))
ORGANISER = frozenset(("organiser",))

_RECORDED = {
    "new": ("opened",),
    "log": ("logged",),
    "undo": ("taken_back",),
    "redo": ("restored",),
    "correct": ("corrected",),
    "adjust": ("adjusted",),
    "kit-declare": ("kit_declared",),
    "hold": ("held",),
    "resume": ("resumed",),
    "clock-set": ("clock_set",),
    "dispute-open": ("disputed",),
    "dispute-close": ("dispute_closed",),
    "ruling-issue": ("ruled",),
    "penalty-add": ("penalised",),
    "penalty-cancel": ("penalty_cancelled",),
    "sign": ("signed",),
    "confirm": ("confirmed",),
    "secret-seal": ("sealed",),
    "secret-open": ("unsealed",),
    "note-add": ("noted",),
    "note-remove": ("unnoted",),
    "finish": ("closed",),
    "reopen": ("reopened",),
    "tournament-table": ("opened",),
}
"""The kind of entry that an operation begins with."""

_TOLD = {
    "tournament-new": "tournament_created",
    "tournament-import": "tournament_created",
    "tournament-take": "tournament_created",
    "tournament-revise": "tournament_revised",
    "tournament-close": "tournament_closed",
    "tournament-reopen": "tournament_reopened",
    "tournament-register": "player_registered",
    "tournament-register-list": "player_registered",
    "tournament-check-in": "player_checked_in",
    "tournament-late": "player_late",
    "tournament-drop": "player_dropped",
    "tournament-return": "player_returned",
    "tournament-bye": "bye_requested",
    "tournament-pair": "round_paired",
    "tournament-explain": "round_paired",
    "tournament-unpair": "pairing_withdrawn",
    "tournament-swap": "players_swapped",
    "tournament-move": "tables_assigned",
    "tournament-start": "round_started",
    "tournament-round-close": "round_closed",
    "tournament-round-reopen": "round_reopened",
    "tournament-results": "result_entered",
    "tournament-result": "result_entered",
    "tournament-report": "result_reported",
    "tournament-call": "judge_called",
    "tournament-call-answer": "call_answered",
    "tournament-correct": "result_corrected",
    "tournament-clock-start": "clock_started",
    "tournament-clock-pause": "clock_paused",
    "tournament-clock-extend": "clock_extended",
    "tournament-clock-stop": "clock_stopped",
    "tournament-finals-cancel": "finals_cancelled",
    "tournament-finalist": "finalist_replaced",
    "tournament-round-check-in": "round_checked_in",
    "tournament-edit": "player_edited",
    "tournament-unregister": "player_unregistered",
    "tournament-merge": "players_merged",
    "tournament-unstart": "start_withdrawn",
    "tournament-seat": "round_arranged",
    "tournament-result-list": "result_entered",
    "tournament-finals": "finals_started",
    "tournament-lot": "lot_drawn",
    "tournament-penalise": "penalty_given",
    "tournament-penalty-cancel": "penalty_cancelled",
    "tournament-reading": "reading_ruled",
    "tournament-reveal": "deal_revealed",
    "tournament-sign": "tournament_signed",
}
"""The event of a tournament that an operation begins with."""

_OTHERS = {
    "check": TABLE,
    "check-position": EVERYBODY,
    "position-trial": EVERYBODY,
    "trial": TABLE,
    "cases": EVERYBODY,
    "kit-check": EVERYBODY,
    "kit-box": TABLE,
    "kit-told": KEEPERS,
    "verify-record": EVERYBODY,
    "dispute-show": JUDGES | {"scribe"},
    "dispute-calls": JUDGES,
    "dispute-picture": JUDGES | {"scribe"},
    "ruling-case": KEEPERS,
    "ruling-export": KEEPERS,
    "ruling-import": JUDGES,
    "what-if": KEEPERS,
    "what-if-all": JUDGES,
    "note-search": KEEPERS,
    "move-search": KEEPERS,
    "stats": KEEPERS,
    "stats-picture": KEEPERS,
    "verify": TABLE,
    "verify-all": JUDGES,
    "seal-make": JUDGES,
    "seal-check": JUDGES,
    "position": TABLE,
    "import": frozenset(grant.split()[0] for grant in IMPORT),
    "people-list": JUDGES,
    "people-show": ORGANISER,
    "people-rename": ORGANISER,
    "people-erase": ORGANISER,
    "access-list": KEEPERS,
    "access-give": KEEPERS,
    "access-code": TABLE,
    "access-revoke": KEEPERS,
    "access-log": ORGANISER,
    "access-rules": KEEPERS,
    "tournament-rules": ORGANISER,
    "tournament-invite": KEEPERS,
    "tournament-history": JUDGES,
    "tournament-disputes": JUDGES,
    "tournament-check": JUDGES,
    "tournament-export": KEEPERS,
    "doctor": ORGANISER,
    "metrics": ORGANISER,
    "events": JUDGES,
}
"""What writes nothing into a record and is not for everybody, or changes something beside it."""


@cache
def roles_for(operation: str) -> frozenset[str]:
    """The roles that may ever ask this; what is named nowhere is for everybody to read."""
    if operation in _RECORDED:
        return frozenset(
            role
            for kind in _RECORDED[operation]
            for grants in KINDS[kind].TOLD_BY.values()
            for role in _roles(grants)
        )
    if operation in _TOLD:
        return frozenset(EVENTS[_TOLD[operation]].BY) & EVERYBODY
    return _OTHERS.get(operation, EVERYBODY)


def _roles(grants: Grants) -> list[str]:
    """A grant by the role it is for: ``scribe alone`` is the scribe's, ``own seat`` a seat's."""
    return [next(role for role in ROLES if role in grant.split()) for grant in grants]
