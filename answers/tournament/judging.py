"""Event history, disputes, consistency check, penalties and readings of a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.context import Caller
from answers.i18n import Voice, columns
from answers.tournament.context import (
    DeskCall,
    EventRef,
    ToldAnswer,
    at_the_desk,
    idempotent,
    readable,
    recording,
)
from answers.tournament.deal_checks import departure
from answers.tournament.i18n import answered, fluent, points
from answers.tournament.round_view import outcome_text
from answers.verdict_text import cause_told
from answers.verdict_text import short as short_game
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.registry import load_engine
from referee.tournament.consistency import inspect
from referee.tournament.desk import Concern, RecordedEvent
from referee.tournament.events import PenaltyGiven, PointPenaltyCancelled


class HistoryEvent(EventRef):
    at: str
    by: str
    role: str
    data: dict[str, Any]


class TournamentHistoryAnswer(Data):
    tournament: str
    events: list[HistoryEvent]


class ConcernAnswer(Data):
    round: int
    table: int
    kind: Literal["record", "reports", "call"]
    """What a record says, what its players say differently, or a table that calls."""
    game: str
    """The record, where that is the matter."""
    held: bool
    dispute: dict[str, Any] | None
    deviation: dict[str, Any] | None
    call: int | None
    """The event that called."""
    about: str
    """What it is about, in words."""


class TournamentDisputesAnswer(Data):
    tournament: str
    concerns: list[ConcernAnswer]


class ProblemAnswer(Data):
    round: int
    key: str
    facts: dict[str, Any]
    remark: bool
    """Worth telling, and in order."""


class TournamentCheckAnswer(Data):
    tournament: str
    problems: list[ProblemAnswer]


class TournamentPenalty(Data):
    event: int
    player: str
    halves: int
    reason: str
    clause: str | None
    cancelled: str | None


class TournamentPenaltiesAnswer(Data):
    tournament: str
    penalties: list[TournamentPenalty]


def history(caller: Caller, tournament: str) -> Answered[TournamentHistoryAnswer]:
    """Every event, in order."""
    with at_the_desk(caller, tournament) as context:
        hosted = context.hosted

        def data() -> TournamentHistoryAnswer:
            events = [
                HistoryEvent(
                    number=told.number,
                    at=told.at,
                    by=told.by,
                    role=told.role,
                    kind=told.event.KIND,
                    data=told.event.model_dump(mode="json") if readable(context, told) else {},
                )
                for told in hosted.told
            ]
            return TournamentHistoryAnswer(tournament=hosted.id, events=events)

        return answered(
            data,
            lambda voice: columns(context.history_row(voice, told) for told in hosted.told),
        )


def disputes(caller: Caller, tournament: str) -> Answered[TournamentDisputesAnswer]:
    """What a judge must look at, at all tables."""
    with at_the_desk(caller, tournament) as context:
        concerns = list(context.desk.concerns(context.id))

        def render(voice: Voice) -> list[str]:
            rows = columns(_concern(voice, context, concern) for concern in concerns)
            return rows or [voice.say("tournament.no_disputes")]

        def data() -> TournamentDisputesAnswer:
            rows = [_concern_answer(context, concern) for concern in concerns]
            return TournamentDisputesAnswer(tournament=context.id, concerns=rows)

        return answered(data, render)


def _concern_answer(context: DeskCall, concern: Concern) -> ConcernAnswer:
    game, call = concern.game, concern.call
    return ConcernAnswer(
        round=concern.round,
        table=concern.table,
        kind="record" if game is not None else "call" if call is not None else "reports",
        game=game.id if game is not None else "",
        held=game is not None and game.held is not None,
        dispute=concern.dispute.model_dump(mode="json") if concern.dispute else None,
        deviation=concern.deviation._asdict() if concern.deviation else None,
        call=call.event if call is not None else None,
        about=_about(fluent(context.caller.voice), context, concern),
    )


def _concern(voice: Voice, context: DeskCall, concern: Concern) -> tuple[str, ...]:
    found, dispute, game = concern.deviation, concern.dispute, concern.game
    numbers = dispute.numbers if dispute else (found.action,) if found else ()
    return (
        voice.say("tournament.round", round=concern.round),
        voice.say("tournament.table", table=concern.table),
        voice.say("tournament.record", game=short_game(game.id)) if game else "–",
        concern.called,
        " ".join(f"#{number}" for number in numbers) or "–",
        (dispute.clause if dispute else None) or "–",
        _about(voice, context, concern),
    )


def _about(voice: Voice, context: DeskCall, concern: Concern) -> str:
    found, dispute, call = concern.deviation, concern.dispute, concern.call
    if call is not None:
        calls = voice.say("tournament.calls", name=context.name(call.player))
        return voice.labelled(calls, call.text) if call.text else calls
    if dispute is not None:
        seats = concern.game.seats if concern.game is not None else {}
        seat = voice.called(dispute.seat, seats) if dispute.seat else None
        cause = cause_told(voice, dispute.cause, seat)
        text = voice.spoken(departure(found)) if found else dispute.text
        return voice.labelled(cause, text) if text and cause else text or cause
    if found is not None:
        return voice.spoken(departure(found))
    now = context.now
    reports = now.round(concern.round).reports[concern.table].items()
    return " / ".join(
        voice.labelled(context.name(player), outcome_text(voice, now.plan, told.outcome))
        for player, told in reports
    )


def _ruled_again(
    context: DeskCall,
    known: Sequence[RecordedEvent],
    game: str,
    reading: str,
    value: str,
    reason: str,
    *,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    return _ruled(context, game, reading, value, reason)


@idempotent(_ruled_again)
def rule_reading(
    context: DeskCall, game: str, reading: str, value: str, reason: str, *, key: str | None = None
) -> Answered[ToldAnswer]:
    """Read a rule so at every table; told again, it reaches those a failure left out."""
    return _ruled(context, game, reading, value, reason)


def _ruled(
    context: DeskCall, game: str, reading: str, value: str, reason: str
) -> Answered[ToldAnswer]:
    records = context.desk.rule_reading(
        context.id, game, reading, value, reason, author=context.author, key=context.telling
    )
    count = len(records)
    return context.recorded_answer(
        lambda voice: [
            voice.say(
                "tournament.ruled",
                reading=reading_in_words(load_engine(game), reading, value),
                count=count,
            )
        ],
        records,
    )


def check(caller: Caller, tournament: str) -> Answered[TournamentCheckAnswer]:
    """Whether every pairing, result and record is what it claims to be."""
    with at_the_desk(caller, tournament) as context:
        problems = inspect(context.desk, context.id)
        good = all(problem.is_remark for problem in problems)

        def render(voice: Voice) -> Iterator[str]:
            for problem in problems:
                text = voice.say(f"problem.{problem.key}", **context.named(problem.facts))
                if problem.round:
                    where = voice.say("tournament.round", round=problem.round)
                    text = voice.labelled(where, text)
                yield f"{'·' if problem.is_remark else '✘'} {text}"
            if good:
                rounds, events = len(context.now.rounds), len(context.hosted.told)
                yield "✔ " + voice.say("tournament.check_good", count=rounds, events=events)

        def data() -> TournamentCheckAnswer:
            rows = [
                ProblemAnswer(
                    round=problem.round,
                    key=problem.key,
                    facts=caller.voice.facts(problem.facts),
                    remark=problem.is_remark,
                )
                for problem in problems
            ]
            return TournamentCheckAnswer(tournament=context.id, problems=rows)

        return answered(data, render, "done" if good else "invalid")


# penalties


@recording
def penalise(
    context: DeskCall,
    name: str,
    halves: int,
    reason: str,
    *,
    clause: str | None = None,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    """Points taken away, in halves; none is a warning."""
    player = context.player(name)
    event = PenaltyGiven(
        player=player, halves=halves, reason=reason, clause=clause.upper() if clause else None
    )
    number = len(context.hosted.told)

    def render(voice: Voice) -> Iterator[str]:
        message = "tournament.penalised" if halves else "tournament.warned"
        lost = points(voice, halves)
        yield voice.say(message, name=context.name(player), points=lost, number=number)

    return context.record(event, telling=render)


@recording
def cancel_penalty(
    context: DeskCall, number: int, reason: str, *, key: str | None = None
) -> Answered[ToldAnswer]:
    return context.record(
        PointPenaltyCancelled(penalty=number, reason=reason),
        telling=lambda voice: [voice.say("tournament.penalty_cancelled", number=number)],
    )


def penalties(caller: Caller, tournament: str) -> Answered[TournamentPenaltiesAnswer]:
    with at_the_desk(caller, tournament) as context:
        given = context.now.penalties

        def render(voice: Voice) -> list[str]:
            rows = columns(
                (
                    str(penalty.event),
                    context.name(penalty.player),
                    points(voice, penalty.halves),
                    penalty.reason,
                    voice.say("penalty.status_cancelled", reason=penalty.cancelled)
                    if penalty.cancelled is not None
                    else "",
                )
                for penalty in given
            )
            return rows or [voice.say("penalty.none")]

        def data() -> TournamentPenaltiesAnswer:
            rows = [
                TournamentPenalty(
                    event=penalty.event,
                    player=penalty.player,
                    halves=penalty.halves,
                    reason=penalty.reason,
                    clause=penalty.clause,
                    cancelled=penalty.cancelled,
                )
                for penalty in given
            ]
            return TournamentPenaltiesAnswer(tournament=context.id, penalties=rows)

        return answered(data, render)
