"""A seat on its own phone: the table as it may see it, its own actions, its word on the record."""

from __future__ import annotations

from answers.answer import Data
from answers.rulebooks.games import sealable
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table import Sayable, sayable
from service.pages.table_common import TableView, sheet
from service.problems import HttpRefusal


class SealedRow(Data):
    id: str
    what: str
    digest: str
    opened: bool
    value: str


class SeatPage(TableView):
    seat: str
    mine: bool
    """It is this seat's turn."""
    may_log: bool
    sayable: Sayable
    sealed: list[SealedRow]
    """What this seat has sealed."""
    sealable: list[str]
    """What this game can check when it is opened."""
    to_confirm: bool
    """Something was told since this seat last confirmed the record."""


@page("seat", "/games/{game}/seat")
def seat(page_context: PageContext) -> Shown:
    own = page_context.seat
    if own is None:
        raise HttpRefusal("role", "no_seat_here")
    shown = sheet(page_context)
    goes_on = shown.at is None and not (shown.closed or shown.held)
    may_log = goes_on and page_context.ask("game-rules").data.seats_log
    said = _own(sayable(page_context, shown), own) if may_log else Sayable()
    it = SeatPage(
        **dict(shown),
        seat=own,
        mine=own in shown.to_act and goes_on,
        may_log=may_log,
        sayable=said,
        sealed=_sealed(page_context, own),
        sealable=sealable(shown.engine),
        to_confirm=_to_confirm(page_context, shown.confirmed.get(own, -1)),
    )
    return Shown("seat", page_context.voice.say("seat.title", seat=own, game=shown.name), it)


def _to_confirm(page_context: PageContext, confirmed: int) -> bool:
    told = page_context.ask("entries", after=confirmed).data.entries
    return any(entry.kind != "confirmed" for entry in told)


def _own(said: Sayable, own: str) -> Sayable:
    """Its own actions, and what is nobody's."""
    others = {f"{letter} " for letter in "ABCDEFGH" if letter != own}
    lines = [line for line in said.lines if line[:2] not in others]
    return said.model_copy(update={"lines": lines})


def _sealed(page_context: PageContext, own: str) -> list[SealedRow]:
    return [
        SealedRow(
            id=row.id,
            what=row.what,
            digest=row.digest,
            opened=row.value is not None,
            value=" ".join(row.value) if isinstance(row.value, list) else str(row.value or ""),
        )
        for row in page_context.ask("secret-list").data.secrets
        if row.seat == own
    ]
