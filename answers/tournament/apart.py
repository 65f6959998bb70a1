"""Who must not sit at one table: named by organisers, read by them alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from answers.limits import Name
from answers.permissions import ORGANISER, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered
from referee.errors import Conflicting
from referee.record.entries import Reason, Remark
from referee.tournament.events import ApartWithdrawn, PlayersKeptApart
from referee.tournament.pairing.rounds import pair
from referee.tournament.plan import RoundRobin
from referee.tournament.state import Draw, Round, Tournament, apart_together
from referee.tournament.values import EventNumber


class ApartRow(Data):
    event: int
    players: list[str]
    names: list[str]
    reason: str
    withdrawn: str | None
    """Why they may meet after all; it stays on the list."""


class TournamentApartAnswer(Data):
    tournament: str
    apart: list[ApartRow]


@reads("tournament-apart", "GET /apart", ORGANISER)
def apart(context: DeskCall) -> Answered[TournamentApartAnswer]:
    """Everybody who is kept apart, and who was."""
    rows = [
        ApartRow.made_of(each, names=context.names_of(each.players)) for each in context.now.apart
    ]

    def render(voice: Voice) -> list[str]:
        listed = columns(
            (
                str(row.event),
                ", ".join(row.names),
                row.reason,
                ""
                if row.withdrawn is None
                else voice.say("tournament.apart_no_more", reason=row.withdrawn),
            )
            for row in rows
        )
        return listed or [voice.say("tournament.apart_none")]

    return answered(lambda: TournamentApartAnswer(tournament=context.id, apart=rows), render)


@records("tournament-keep-apart", "POST /apart", Tells("players_kept_apart"))
def keep_apart(
    context: DeskCall,
    names: Annotated[Sequence[Name], Field(min_length=2, max_length=12)],
    reason: Remark,
) -> Answered[ToldAnswer]:
    """They are never seated together as long as that is possible."""
    players = tuple(context.player(name) for name in names)
    if isinstance(context.now.plan.format, RoundRobin):
        raise Conflicting("apart_in_robin")
    listed = context.names_of(players)
    number = len(context.hosted.told)
    if context.now.knockout_rules(context.now.stage) is not None:
        context.warn("tournament.apart_in_bracket")
    event = PlayersKeptApart(players=players, reason=reason)
    now = context.tell(event).now
    if now.round_on is not None:
        warn_of_those_apart(context, now.round_on)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.kept_apart", names=listed, number=number)

    return context.recorded_answer(render)


@records("tournament-apart-end", "POST /apart/{number}/withdrawal", Tells("apart_withdrawn"))
def meet_again(context: DeskCall, number: EventNumber, reason: Reason) -> Answered[ToldAnswer]:
    """They may meet after all; that they were kept apart stays on the list."""
    return context.record(ApartWithdrawn(apart=number, reason=reason))


def check_those_apart(context: DeskCall, number: int | None, seed: int) -> None:
    """Before a round is paired: whoever would meet and must not is named, and why."""
    now = context.now
    paired = pair(now, len(now.rounds) + 1 if number is None else number, seed)
    meeting = apart_together(now, Draw(paired.tables, paired.byes, paired.free))
    if meeting:
        pairs = _pairs(context, meeting)
        told = {"round": paired.round, "pairs": pairs, "seed": seed, "confirm": "anyway"}
        raise Conflicting(f"apart_meet_{_why(now)}", **told)  # with the seed it is the same draw


def _why(now: Tournament) -> str:
    """What has them meet."""
    if now.stage == "top_table":
        return "top_table"
    rules = now.knockout_rules(now.stage)
    if rules is not None and rules.has_fixed_bracket:
        return "bracket"
    return "robin" if isinstance(now.plan.format, RoundRobin) else "nothing_else"


def warn_of_those_apart(context: DeskCall, round: Round) -> None:
    """Who sits together in a round and must not; a judge reads no reason."""
    meeting = apart_together(context.now, round.draw)
    if meeting:
        context.warn(
            "tournament.apart_together", pairs=_pairs(context, meeting), round=round.number
        )


def _pairs(context: DeskCall, meeting: Sequence[tuple[int, str, str]]) -> list[str]:
    return [f"{context.name(one)} – {context.name(other)}" for _, one, other in meeting]
