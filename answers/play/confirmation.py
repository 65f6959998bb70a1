"""Confirmation: a seat agrees with the record so far."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.permissions import Writes
from referee.proof.head_codes import head_code
from referee.record.entries import Confirmed, Number
from referee.table import confirmations


class ConfirmAnswer(Data):
    game: str
    entry: int
    seat: str
    confirms: int
    """The last entry that it agrees with."""
    head: str
    agreed: bool
    """The record is closed, and all seats have confirmed it."""


@operation(
    "confirm",
    "POST /games/{game}/confirmations",
    grant=Writes("confirmed"),
    rename={"seq": "entry"},
)
def confirm(caller: Caller, game_id: str, seq: Number | None = None) -> Answered[ConfirmAnswer]:
    """The seat that speaks agrees with everything so far, or up to entry ``seq``."""
    answer = confirmations.confirm(caller.bench, game_id, by=caller.by, seq=seq)
    entry, made, game = answer.entries[0], answer.entries[0].data, answer.game
    assert isinstance(made, Confirmed)

    def render(voice: Voice) -> Iterator[str]:
        code = head_code(made.head)
        seat = voice.called(made.seat, game.seats)
        yield voice.say("confirm.done", seat=seat, entry=made.seq, code=code)
        if game.agreed:
            yield "  " + voice.say("confirm.agreed")
        elif game.closed is not None:
            end = game.seq_of(game.closed)
            agreeing = {seat for seat, each in game.confirmed.items() if each.seq >= end}
            waiting = [
                voice.called(seat, game.seats)
                for seat in game.setting.seats
                if seat not in agreeing
            ]
            yield "  " + voice.say("confirm.waiting", seats=waiting)

    return Answered(
        lambda: ConfirmAnswer(
            game=game.id,
            entry=entry.seq,
            seat=made.seat,
            confirms=made.seq,
            head=made.head,
            agreed=game.agreed,
        ),
        render,
    )
