"""The organiser's desk: everything that is told of an event, told from one page."""

from __future__ import annotations

from answers.tournament.judging import ConcernAnswer
from answers.tournament.players import PlayerAnswer
from service.pages.guest import Guest
from service.pages.hall import Hall, hall, number_of
from service.pages.rendering import Shown, page
from service.problems import Refused

ENTRY = "tournament-check-in"
"""Whoever may do this stands at the desk."""
TOLD_HERE = (
    "tournament-register",
    "tournament-late",
    ENTRY,
    "tournament-drop",
    "tournament-return",
    "tournament-pair",
    "tournament-unpair",
    "tournament-swap",
    "tournament-seat",
    "tournament-start",
    "tournament-unstart",
    "tournament-round-close",
    "tournament-round-reopen",
    "tournament-result",
    "tournament-table",
    "tournament-clock-start",
    "tournament-finals",
    "tournament-disputes",
    "tournament-close",
    "tournament-reopen",
)


class DeskPage(Hall):
    players: list[PlayerAnswer]
    present: int
    may: dict[str, bool]
    concerns: list[ConcernAnswer]
    """What waits for a judge; nothing for who may not know."""
    hears_calls: bool
    """Calls of all tables are for them: those of this event come live."""
    timed: bool
    """The rules publish a time for a round."""
    slips: str
    """Where the codes of slips lead."""


@page("event-desk", "/tournaments/{tournament}/desk")
def desk(guest: Guest) -> Shown:
    may = {name.removeprefix("tournament-"): guest.may(name) for name in TOLD_HERE}
    if not guest.may(ENTRY):
        raise Refused("role", "role_may_not", role=guest.role, roles="organiser, judge, scribe")
    shown = hall(guest, number_of(guest.query.get("round", "")))
    players = guest.ask("tournament-players").data.players
    it = DeskPage(
        **dict(shown),
        players=players,
        present=sum(each.status == "present" for each in players),
        may=may,
        concerns=guest.ask("tournament-disputes").data.concerns if may["disputes"] else [],
        hears_calls=guest.visitor.scope == "" and guest.may("events"),
        timed=guest.ask("tournament-info").data.plan["time"] is not None,
        slips=f"{guest.address}/tournaments",
    )
    return Shown("hall_desk", guest.voice.say("hall.desk_of", name=shown.name), it)
