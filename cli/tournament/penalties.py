"""``tournament penalty``: points taken away; cancelled with a reason, never deleted."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import Key
from cli.speech import columns, say
from cli.tournament.counter import at_the_desk
from cli.tournament.counter import points as points_text
from cli.tournament.plan import read_halves
from referee.tournament.events import (
    PenaltyCancelled,
    PenaltyGiven,
)

Reason = Annotated[str, typer.Option("-m", "--reason")]

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="add")
def add_penalty(
    name: Annotated[str, typer.Argument()],
    points: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    clause: Annotated[str | None, typer.Option("--clause")] = None,
    key: Key = None,
) -> int:
    with at_the_desk(key, PenaltyGiven) as counter:
        player = counter.player(name)
        event = PenaltyGiven(
            player=player, halves=read_halves(points), reason=reason,
            clause=clause.upper() if clause else None,
        )  # fmt: skip
        number, lost = len(counter.hosted.told), points_text(event.halves)
        said = "tournament.penalised" if event.halves else "tournament.warned"
        line = say(said, name=counter.name(player), points=lost, number=number)
        return counter.tell_and_answer(event, lines=[line])


@app.command(name="cancel")
def cancel_penalty(
    number: Annotated[int, typer.Argument(min=0)],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    with at_the_desk(key, PenaltyCancelled) as counter:
        event = PenaltyCancelled(penalty=number, reason=reason)
        line = say("tournament.penalty_cancelled", number=number)
        return counter.tell_and_answer(event, lines=[line])


@app.command(name="list")
def list_penalties() -> int:
    with at_the_desk() as counter:
        given = counter.now.penalties
        rows = [
            (
                str(penalty.event),
                counter.name(penalty.player),
                points_text(penalty.halves),
                penalty.reason,
                say("penalty.status_cancelled", reason=penalty.cancelled)
                if penalty.cancelled is not None
                else "",
            )
            for penalty in given
        ]
        data = {
            "tournament": counter.id,
            "penalties": [
                {
                    "event": penalty.event, "player": penalty.player, "halves": penalty.halves,
                    "reason": penalty.reason, "clause": penalty.clause,
                    "cancelled": penalty.cancelled,
                }
                for penalty in given
            ],
        }  # fmt: skip
        shown = columns(rows) or [say("penalty.none")]
        return counter.here.answer_plain("tournament-penalties", data, shown)
