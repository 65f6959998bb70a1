"""Event history, disputes, consistency check, penalties and readings of a tournament."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.limits import AnyName, Clause, Name, PenaltyHalves
from answers.permissions import EVERYBODY, JUDGES, Tells
from answers.tournament.context import (
    DeskCall,
    EventRef,
    ToldAnswer,
    readable,
    reads,
    records,
    repeatable,
)
from answers.tournament.deal_checks import departure
from answers.tournament.i18n import answered, fluent, points, said
from answers.tournament.round_view import outcome_text
from answers.tournament.zones import zone_tables
from answers.verdict_text import cause_told
from answers.verdict_text import short as short_game
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.messages.catalogue import LANGUAGES, Spoken, Verbatim, normalize
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import PlainText
from referee.errors import Misused, NotFound
from referee.record.entries import Reason, Remark
from referee.tournament.consistency import inspect
from referee.tournament.desk import Concern
from referee.tournament.events import PenaltyGiven, PointPenaltyCancelled
from referee.tournament.penalty_steps import USUAL_LEVELS, earlier, guide_of, next_step
from referee.tournament.plan import PenaltyLevel
from referee.tournament.state import Penalty
from referee.tournament.values import EventNumber
from referee.tournament.zones import judges_of, nearness


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
    zone: list[str] = []
    """In whose zone the table is, by name; nobody: it is everybody's."""
    own_zone: bool = False


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
    infringement: str = ""
    """What for, in few words; empty: as the reason says."""
    level: str = ""
    """The step of the guide, in words; empty where none was named."""
    round: int = 0
    """The round that was played, or the last one; 0 before the first."""


class TournamentPenaltiesAnswer(Data):
    tournament: str
    penalties: list[TournamentPenalty]


class PenaltyStep(Data):
    level: str
    """In words."""
    halves: int


class NextPenaltyAnswer(Data):
    """What a player was penalised for before, and which step of the guide comes next."""

    tournament: str
    player: str
    name: str
    before: list[TournamentPenalty]
    """Those in force for the same infringement."""
    rounds: list[int]
    """In which rounds that was."""
    others: list[TournamentPenalty]
    """Everything else the player was penalised for, cancelled or not."""
    proposed: PenaltyStep
    """For the judge to take or not."""
    further: bool
    """False: the severest step was given already, there is none behind it."""
    guide: list[PenaltyStep]
    """All steps, the mildest first."""


@reads("tournament-history", "GET /history", JUDGES)
def history(context: DeskCall) -> Answered[TournamentHistoryAnswer]:
    """Every event, in order."""
    hosted = context.hosted

    def data() -> TournamentHistoryAnswer:
        events = [
            HistoryEvent.made_of(
                told,
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


@reads("tournament-disputes", "GET /disputes", JUDGES)
def disputes(context: DeskCall) -> Answered[TournamentDisputesAnswer]:
    """What a judge must look at, at all tables."""
    zones, person = context.now.zones, context.author.person
    concerns = sorted(
        context.desk.concerns(context.id),
        key=lambda concern: nearness(zones, concern.table, person),
    )

    def render(voice: Voice) -> list[str]:
        rows = columns(_concern(voice, context, concern) for concern in concerns)
        return rows or [voice.say("tournament.no_disputes")]

    def data() -> TournamentDisputesAnswer:
        rows = [_concern_answer(context, concern) for concern in concerns]
        return TournamentDisputesAnswer(tournament=context.id, concerns=rows)

    return answered(data, render)


def _concern_answer(context: DeskCall, concern: Concern) -> ConcernAnswer:
    game, call = concern.game, concern.call
    judges = judges_of(context.now.zones, concern.table)
    return ConcernAnswer.made_of(
        concern,
        kind="record" if game is not None else "call" if call is not None else "reports",
        game=game.id if game is not None else "",
        held=game is not None and game.held is not None,
        dispute=concern.dispute.model_dump(mode="json") if concern.dispute else None,
        deviation=concern.deviation._asdict() if concern.deviation else None,
        call=call.event if call is not None else None,
        about=_about(fluent(context.caller.voice), context, concern),
        zone=context.names_of(judges),
        own_zone=context.author.person in judges,
    )


def _concern(voice: Voice, context: DeskCall, concern: Concern) -> tuple[str, ...]:
    found, dispute, game = concern.deviation, concern.dispute, concern.game
    numbers = dispute.numbers if dispute else (found.action,) if found else ()
    return (
        voice.say("tournament.round", round=concern.round),
        voice.say("tournament.table", table=concern.table),
        *([_zone(voice, context, concern.table)] if context.now.zones else []),
        voice.say("tournament.record", game=short_game(game.id)) if game else "–",
        concern.called,
        " ".join(f"#{number}" for number in numbers) or "–",
        (dispute.clause if dispute else None) or "–",
        _about(voice, context, concern),
    )


def _zone(voice: Voice, context: DeskCall, table: int) -> str:
    """In whose zone a table is: the list begins with those of whoever reads it."""
    inside = [each for each in context.now.zones if each.first <= table <= each.last]
    told = (
        voice.say("tournament.in_zone", tables=zone_tables(each), name=context.name(each.judge))
        for each in inside
    )
    return ", ".join(told) or "–"


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
    round = now.round(concern.round)
    names = context.names_of(round.table(concern.table).seats)
    return " / ".join(
        voice.labelled(context.name(player), outcome_text(voice, now.plan, told.outcome, names))
        for player, told in round.reports[concern.table].items()
    )


@operation(
    "tournament-reading",
    "POST /tournaments/{tournament}/readings",
    grant=Tells("reading_ruled"),
    params="answers.requests.tournament:TournamentReadingRequest",
)
@repeatable
def rule_reading(
    context: DeskCall, game: str, reading: str, value: str, reason: str
) -> Answered[ToldAnswer]:
    """Read a rule so at every table; told again, it reaches those a failure left out."""
    records = context.desk.rule_reading(context.id, game, reading, value, reason, by=context.by)
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


@reads("tournament-check", "GET /check", JUDGES, slow=True)
def check(context: DeskCall) -> Answered[TournamentCheckAnswer]:
    """Whether every pairing, result and record is what it claims to be."""
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
            ProblemAnswer.made_of(
                problem,
                facts=context.caller.voice.facts(problem.facts),
                remark=problem.is_remark,
            )
            for problem in problems
        ]
        return TournamentCheckAnswer(tournament=context.id, problems=rows)

    return answered(data, render, "done" if good else "invalid")


# penalties


@records("tournament-penalise", "POST /penalties", Tells("penalty_given"))
def penalise(
    context: DeskCall,
    name: Name,
    halves: Annotated[PenaltyHalves | None, Field(default=None)],
    reason: Remark,
    *,
    clause: Clause | None = None,
    infringement: Annotated[PlainText, Field(max_length=80)] = "",
    level: Annotated[PlainText, Field(max_length=60)] = "",
) -> Answered[ToldAnswer]:
    """Points taken away, in halves; none is a warning. Or a step of the guide, and what it costs.

    Where it comes again, what was given before and what the guide proposes is told beside it.
    """
    player, clause = context.player(name), clause.upper() if clause else None
    before = earlier(context.now, player, infringement or reason, clause)
    taken = level_of(context.caller.voice, guide_of(context.now.plan), level) if level else None
    if halves is None and taken is None:
        raise Misused("penalty_of_what", proposed=_proposal(context, before))
    lost = halves if halves is not None else taken.halves if taken is not None else 0
    event = PenaltyGiven(
        player=player,
        halves=lost,
        reason=reason,
        clause=clause,
        infringement=infringement,
        level=taken.name if taken is not None else "",
    )
    number = len(context.hosted.told)
    if before:
        context.warnings.append(_repeated(context, before))

    def render(voice: Voice) -> Iterator[str]:
        message = "tournament.penalised" if lost else "tournament.warned"
        if taken is not None:
            message = "tournament.penalised_level"
        yield voice.say(
            message,
            name=context.name(player),
            points=points(voice, lost),
            number=number,
            level=_step_text(voice, PenaltyLevel(name=taken.name, halves=lost)) if taken else "",
        )

    return context.record(event, telling=render)


@records(
    "tournament-penalty-cancel", "POST /penalties/{number}/cancellation", Tells("penalty_cancelled")
)
def cancel_penalty(context: DeskCall, number: EventNumber, reason: Reason) -> Answered[ToldAnswer]:
    """Cancel a penalty of the tournament; it stays in its log, with the reason."""
    return context.record(PointPenaltyCancelled(penalty=number, reason=reason))


@reads("tournament-penalties", "GET /penalties", EVERYBODY)
def penalties(
    context: DeskCall, *, name: AnyName | None = None
) -> Answered[TournamentPenaltiesAnswer]:
    """All of them for judges and organisers; for anybody else their own."""
    whose = context.player(name) if name else None
    given = [
        penalty
        for penalty in context.now.penalties
        if (whose is None or penalty.player == whose)
        and (context.author.judges or penalty.player == context.author.person)
    ]

    def render(voice: Voice) -> list[str]:
        rows = columns(_penalty_row(voice, context, penalty) for penalty in given)
        return rows or [voice.say("penalty.none")]

    def data() -> TournamentPenaltiesAnswer:
        rows = [_penalty_answer(context.caller.voice, penalty) for penalty in given]
        return TournamentPenaltiesAnswer(tournament=context.id, penalties=rows)

    return answered(data, render)


@reads("tournament-penalty-next", "GET /penalties/next", JUDGES)
def next_penalty(
    context: DeskCall, name: Name, *, infringement: Remark = "", clause: Clause | None = None
) -> Answered[NextPenaltyAnswer]:
    """What a player has been given for the same before, and what the guide proposes now."""
    now, player = context.now, context.player(name)
    guide = guide_of(now.plan)
    before = earlier(now, player, infringement, clause.upper() if clause else None)
    others = [each for each in now.penalties if each.player == player and each not in before]
    proposed, further = next_step(guide, before)

    def render(voice: Voice) -> Iterator[str]:
        if before:
            yield voice.spoken(_before(context, before))
            yield from columns(_penalty_row(voice, context, each) for each in before)
        else:
            yield voice.say("tournament.not_penalised_for_it", name=context.name(player))
        yield voice.spoken(_proposal(context, before))
        if others:
            yield voice.say("tournament.penalised_otherwise")
            yield from columns(_penalty_row(voice, context, each) for each in others)

    def data() -> NextPenaltyAnswer:
        voice = context.caller.voice
        return NextPenaltyAnswer(
            tournament=context.id,
            player=player,
            name=context.name(player),
            before=[_penalty_answer(voice, each) for each in before],
            rounds=_rounds(before),
            others=[_penalty_answer(voice, each) for each in others],
            proposed=_step(voice, proposed),
            further=further,
            guide=[_step(voice, each) for each in guide],
        )

    return answered(data, render)


def _penalty_row(voice: Voice, context: DeskCall, penalty: Penalty) -> tuple[str, ...]:
    return (
        str(penalty.event),
        context.name(penalty.player),
        voice.say("tournament.round", round=penalty.round) if penalty.round else "–",
        level_text(voice, penalty.level) or "–",
        points(voice, penalty.halves),
        f"{penalty.infringement} · {penalty.reason}"
        if penalty.infringement and penalty.infringement not in penalty.reason
        else penalty.reason,
        voice.say("penalty.status_cancelled", reason=penalty.cancelled)
        if penalty.cancelled is not None
        else "",
    )


def _penalty_answer(voice: Voice, penalty: Penalty) -> TournamentPenalty:
    return TournamentPenalty.made_of(penalty, level=level_text(voice, penalty.level))


def _rounds(given: Iterable[Penalty]) -> list[int]:
    return sorted({each.round for each in given if each.round})


def level_text(voice: Voice, level: str) -> str:
    """A level of a guide as people say it: those of the usual guide in their language."""
    return voice.say(f"penalty_level.{level}") if level in USUAL_LEVELS else level


def _step(voice: Voice, level: PenaltyLevel) -> PenaltyStep:
    return PenaltyStep(level=level_text(voice, level.name), halves=level.halves)


def _step_text(voice: Voice, level: PenaltyLevel) -> Verbatim:
    off = f" (−{points(voice, level.halves)})" if level.halves else ""
    return Verbatim(level_text(voice, level.name) + off)


def level_of(voice: Voice, guide: Sequence[PenaltyLevel], named: str) -> PenaltyLevel:
    """A step of a guide by its name; those of the usual guide in any language."""
    for level in guide:
        names = {level.name, *(level_text(Voice(lang), level.name) for lang in LANGUAGES)}
        if normalize(named.strip()) in {normalize(name) for name in names}:
            return level
    fluently = fluent(voice)
    raise NotFound(
        "no_such_level", level=named, levels=[_step_text(fluently, level) for level in guide]
    )


def _before(context: DeskCall, before: Sequence[Penalty]) -> Spoken:
    """How often, in which rounds, and what it was."""
    voice = fluent(context.caller.voice)
    levels = [
        level_text(voice, each.level)
        or (f"−{points(voice, each.halves)}" if each.halves else voice.say("penalty_level.warning"))
        for each in before
    ]
    return said(
        "tournament.penalised_before" if _rounds(before) else "tournament.penalised_before_rounds",
        name=context.name(before[0].player),
        count=len(before),
        rounds=_rounds(before),
        levels=[Verbatim(level) for level in levels],
    )


def _proposal(context: DeskCall, before: Sequence[Penalty]) -> Spoken:
    voice = fluent(context.caller.voice)
    proposed, further = next_step(guide_of(context.now.plan), before)
    key = "tournament.guide_proposes" if further else "tournament.guide_ends"
    return said(key, level=_step_text(voice, proposed))


def _repeated(context: DeskCall, before: Sequence[Penalty]) -> Spoken:
    return said(
        "tournament.penalised_again",
        before=_before(context, before),
        proposal=_proposal(context, before),
    )
