"""A seat on its own phone: the table as it may see it, its own actions, its word on the record."""

from __future__ import annotations

from dataclasses import replace

from answers.rulebooks.games import game_name, sealable
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table import Sayable, sayable
from service.pages.table_common import sheet
from service.problems import HttpRefusal


@page("seat", "/games/{game}/seat")
def seat(page_context: PageContext) -> Shown:
    own = page_context.seat
    if own is None:
        raise HttpRefusal("role", "no_seat_here")
    shown = sheet(page_context, drawings=True)
    info = shown.info
    goes_on = shown.at is None and not (info.closed or info.held)
    may_log = goes_on and page_context.ask("game-rules").data.seats_log
    since = page_context.ask("entries", after=info.confirmed.get(own, -1)).data.entries
    name = game_name(page_context.voice, info.engine)
    access = page_context.access_control.store_context.access
    return Shown(
        "seat",
        page_context.voice.say("seat.title", seat=own, game=name),
        **vars(shown),
        seat=own,
        mine=own in info.to_act and goes_on,
        may_log=may_log,
        sayable=_own(sayable(page_context, shown), own) if may_log else Sayable(),
        in_hand=[row for row in shown.pieces.held if row.in_hand and row.seat == own],
        sealed=[row for row in page_context.ask("secret-list").data.secrets if row.seat == own],
        sealable=sealable(page_context.voice, info.engine),
        devices=access.devices(f"seat:{own}", page_context.game),
        to_confirm=any(entry.kind != "confirmed" for entry in since),
    )


def _own(said: Sayable, own: str) -> Sayable:
    """Its own actions, and what is nobody's."""
    others = {f"{letter} " for letter in "ABCDEFGH" if letter != own}
    lines = [line for line in said.lines if line[:2] not in others]
    return replace(said, lines=lines)
