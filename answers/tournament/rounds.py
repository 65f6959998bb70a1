"""Pair, explain, change, start and close rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import AnyName, DrawSeed, Name, Names
from answers.permissions import EVERYBODY, Tells
from answers.tournament.apart import check_those_apart, warn_of_those_apart
from answers.tournament.clock import clock_lines
from answers.tournament.context import BY_ROUND, DeskCall, ToldAnswer, idempotent, reads, records
from answers.tournament.i18n import answered, headed, said
from answers.tournament.round_view import RoundAnswer, round_answer, round_lines
from answers.tournament.teams import warn_of_missing_line_ups, warn_of_small_teams
from referee.record.entries import Reason, Remark
from referee.table.author import By
from referee.tournament import events
from referee.tournament.desk import RecordedEvent
from referee.tournament.fold import apply
from referee.tournament.pairing import rounds
from referee.tournament.pairing.by_hand import seated_together
from referee.tournament.pairing.criteria import Meeting
from referee.tournament.pairing.finals import overtaken
from referee.tournament.pairing.round_robin import rounds_needed
from referee.tournament.plan import RoundRobin
from referee.tournament.state import Draw, Round, no_shows
from referee.tournament.values import RoundNumber, TableNumber


class TournamentRoundAnswer(RoundAnswer):
    tournament: str


class MeetingAnswer(Data):
    players: list[str]
    bye: bool
    costs: list[int]


class PricedAnswer(Data):
    costs: list[int]
    meetings: list[MeetingAnswer]


class TournamentExplainAnswer(Data):
    tournament: str
    round: int
    criteria: list[str]
    chosen: PricedAnswer
    asked: PricedAnswer | None
    decided_by: str | None
    event: int | None


def _shown_again(
    context: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentRoundAnswer]:
    return _shown(context, _as_it_was(context, known[0]))


@operation(
    "tournament-pair",
    "POST /tournaments/{tournament}/round/pairing",
    grant=Tells("round_paired"),
    rename=BY_ROUND,
    answer="tournament-round",
    slow=True,
)
@idempotent(_shown_again)
def pair(
    context: DeskCall,
    number: RoundNumber | None = None,
    *,
    seed: DrawSeed | None = None,
    anyway: bool = False,
) -> Answered[TournamentRoundAnswer]:
    """The next round, or its pairing again if it has not started. Where those would meet who must
    not, it waits for ``anyway``."""
    return _shown(context, _paired(context, number, seed, anyway=anyway))


def _priced_again(
    context: DeskCall,
    known: Sequence[RecordedEvent],
    number: int | None = None,
    *,
    seed: int | None = None,
    meet: tuple[str, str] | None = None,
    anyway: bool = False,
) -> Answered[TournamentExplainAnswer]:
    return _with_prices(context, _as_it_was(context, known[0]), meet)


@operation(
    "tournament-explain",
    "POST /tournaments/{tournament}/round/pairing/explained",
    grant=Tells("round_paired"),
    rename=BY_ROUND,
    slow=True,
)
@idempotent(_priced_again)
def pair_explained(
    context: DeskCall,
    number: RoundNumber | None = None,
    *,
    seed: DrawSeed | None = None,
    meet: tuple[Name, Name] | None = None,
    anyway: bool = False,
) -> Answered[TournamentExplainAnswer]:
    """The same, with what it costs; ``meet``: and what it would cost if these two met."""
    return _with_prices(context, _paired(context, number, seed, anyway=anyway), meet)


def _with_prices(
    context: DeskCall, round: Round, meet: tuple[str, str] | None
) -> Answered[TournamentExplainAnswer]:
    asked = None
    if meet is not None:
        a, b = (context.player(name) for name in meet)
        asked = rounds.asked_for(context.now, round.number, round.draw, a, b)
    return _explained(context, round, rounds.explain(context.now, round.number, round.draw, asked))


def _paired(
    context: DeskCall, number: int | None, seed: int | None, *, anyway: bool = False
) -> Round:
    now = context.now
    to_pair = now.open_round is None if number is None else number > len(now.rounds)
    if now.kept_apart and to_pair:
        seed = context.desk.any_seed() if seed is None else seed
        if not anyway:
            check_those_apart(context, number, seed)
    _, round = context.desk.pair(context.id, number, seed, by=context.by)
    _warn_of_costs(context, round)
    _warn_of_people(context, round)
    warn_of_those_apart(context, round)
    if round.number == 1:
        _warn_of_a_short_robin(context, round)
    warn_of_small_teams(context, round)
    warn_of_overtaken(context)
    return round


def _warn_of_costs(context: DeskCall, round: Round) -> None:
    """Warn of players who meet again and of second byes, whether or not anybody asks why."""
    by_bracket = context.now.knockout_rules(round.stage) is not None or round.stage != "main"
    if by_bracket or round.joined:
        return
    told = rounds.explain(context.now, round.number, round.draw)
    met = rounds.met_before(context.now, round.number)
    for meeting in told.chosen.meetings:
        costs = dict(zip(told.criteria, meeting.costs, strict=True))
        again = [p for p in meeting.players if not met[p].isdisjoint(meeting.players)]
        whom = {"repeats": again, "second_bye": meeting.players}
        for criterion, players in whom.items():
            if costs[criterion]:
                context.warn(f"tournament.unavoidable_{criterion}", names=context.names_of(players))


def _warn_of_people(context: DeskCall, round: Round) -> None:
    """Who did not come to the last round and is paired again; who waits for check-in and is not."""
    placed = set(round.draw.players)
    again = [player for player in no_shows(context.now, round.number - 1) if player in placed]
    waiting = [p.id for p in context.now.players.values() if p.status == "registered"]
    for message, players in (("paired_no_shows", again), ("not_checked_in", waiting)):
        if players:
            names = context.names_of(players)
            facts = {"names": names, "count": len(names), "round": round.number - 1}
            context.warn(f"tournament.{message}", **facts)


def _warn_of_a_short_robin(context: DeskCall, round: Round) -> None:
    plan = context.now.plan
    if isinstance(plan.format, RoundRobin):
        needed = rounds_needed(len(list(round.draw.players)), twice=plan.format.twice)
        if needed > plan.rounds:
            told = said("tournament.short_robin", needed=needed, planned=plan.rounds)
            context.warnings.append(told)


def warn_of_overtaken(context: DeskCall) -> None:
    """A correction may have changed who should be in the finals."""
    for player, other in overtaken(context.now):
        names = {"player": context.name(player), "other": context.name(other)}
        context.warn("tournament.finalist_overtaken", **names)


def _as_it_was(context: DeskCall, told: RecordedEvent) -> Round:
    """The round of an event, as that event left it."""
    assert isinstance(
        told.event,
        events.RoundPaired | events.Swapped | events.TablesAssigned | events.RoundArranged,
    )
    return context.hosted.at(told.number).round(told.event.round)


@records("tournament-unpair", "POST /round/pairing/withdrawal", Tells("pairing_withdrawn"))
def unpair(context: DeskCall, reason: Reason) -> Answered[ToldAnswer]:
    """Undo the pairing of a round that has not begun."""
    number = context.round().number
    context.desk.unpair(context.id, reason, by=context.by)
    return context.recorded_answer(lambda voice: [voice.say("tournament.unpaired", round=number)])


@reads("tournament-round", "GET /round", EVERYBODY, rename=BY_ROUND)
def tables(
    context: DeskCall, number: RoundNumber | None = None, *, player: AnyName | None = None
) -> Answered[TournamentRoundAnswer]:
    """A round: the one that is open, or the last one, if none is named. As data it may have the
    table of one player alone."""
    only = context.player(player) if player is not None else None
    return _shown(context, context.round(number), player=only)


def _shown(
    context: DeskCall,
    round: Round,
    price: rounds.Explanation | None = None,
    player: str | None = None,
    before: Draw | None = None,
) -> Answered[TournamentRoundAnswer]:
    """A round; in words only where people sit otherwise than ``before``."""

    def lines(voice: Voice) -> Iterator[str]:
        yield from round_lines(voice, context, round, before)
        if price is not None:
            yield from _explained_lines(voice, context, round.number, price)

    return answered(
        lambda: round_answer(TournamentRoundAnswer, context, round, player, tournament=context.id),
        lines,
        warnings=context.warnings,
    )


# explaining


def _explained(
    context: DeskCall, round: Round, told: rounds.Explanation, event: int | None = None
) -> Answered[TournamentExplainAnswer]:
    def lines(voice: Voice) -> Iterator[str]:
        if event is not None:
            yield voice.say("tournament.swapped", number=event)
        yield from _explained_lines(voice, context, round.number, told)

    return answered(
        lambda: TournamentExplainAnswer.made_of(
            told, tournament=context.id, round=round.number, event=event
        ),
        lines,
        warnings=context.warnings,
    )


def _explained_lines(
    voice: Voice, context: DeskCall, number: int, told: rounds.Explanation
) -> Iterator[str]:
    """Of two draws, the tables in which they differ."""
    both = [("chosen", told.chosen)]
    alike: Set[Meeting] = frozenset()
    if told.asked is not None:
        both.append(("asked", told.asked))
        alike = {*told.chosen.meetings} & {*told.asked.meetings}
    yield from headed(
        voice,
        [
            voice.say("tournament.round", round=number),
            *(voice.say(f"tournament.{title}") for title, _ in both),
        ],
        (
            (voice.say(f"term.{name}"), *(str(priced.costs[at]) for _, priced in both))
            for at, name in enumerate(told.criteria)
        ),
    )
    for title, priced in both:
        yield voice.mark("bold", voice.say(f"tournament.{title}"))
        meetings = [each for each in priced.meetings if each not in alike]
        yield from _meeting_lines(voice, context, told.criteria, meetings)
    if told.asked is not None:
        yield _decided(voice, told.decided_by)


def _meeting_lines(
    voice: Voice, context: DeskCall, criteria: Sequence[str], meetings: Sequence[Meeting]
) -> Iterator[str]:
    for meeting in meetings:
        names = " – ".join(context.name(player) for player in meeting.players)
        costs = ", ".join(
            f"{voice.say(f'term.{name}')} {cost}"
            for name, cost in zip(criteria, meeting.costs, strict=True)
            if cost
        )
        yield "  " + voice.labelled(names, costs or voice.say("tournament.costs_nothing"))


def _decided(voice: Voice, criterion: str | None) -> str:
    if criterion is None:
        return voice.say("tournament.costs_the_same")
    return voice.say("tournament.decided_by", criterion=voice.say(f"term.{criterion}"))


def _swapped_before(
    context: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentExplainAnswer]:
    after = _as_it_was(context, known[0])
    before = context.hosted.at(known[0].number - 1).round(after.number)
    explained = rounds.explain(context.now, after.number, before.draw, after.draw)
    return _explained(context, before, explained, known[0].number)


@operation(
    "tournament-swap",
    "POST /tournaments/{tournament}/round/swap",
    grant=Tells("players_swapped"),
    rename=BY_ROUND,
    answer="tournament-explain",
)
@idempotent(_swapped_before)
def swap_players(
    context: DeskCall,
    a: Name,
    b: Name,
    *,
    reason: Remark = "",
    number: RoundNumber | None = None,
    dry_run: bool = False,
) -> Answered[TournamentExplainAnswer]:
    """Two players change places; without a reason it is only priced."""
    round = context.round(number)
    one, two = context.player(a), context.player(b)
    told = rounds.explain(context.now, round.number, round.draw, rounds.swap(round.draw, one, two))
    event = None
    if reason and not dry_run:
        swapped = events.Swapped(round=round.number, a=one, b=two, reason=reason)
        event = context.tell(swapped).now.last
        warn_of_those_apart(context, context.round(round.number))
    elif not dry_run:
        context.warn("tournament.swap_preview")
    return _explained(context, round, told, event)


@operation(
    "tournament-move",
    "POST /tournaments/{tournament}/round/tables",
    grant=Tells("tables_assigned"),
    rename=BY_ROUND,
    answer="tournament-round",
)
@idempotent(_shown_again)
def move_tables(
    context: DeskCall,
    moves: Annotated[
        Sequence[tuple[TableNumber, TableNumber]], Field(min_length=1, max_length=999)
    ],
    *,
    number: RoundNumber | None = None,
) -> Answered[TournamentRoundAnswer]:
    """Tables of a round sit elsewhere: from number to number."""
    round = context.round(number)
    context.tell(events.TablesAssigned(round=round.number, moves=tuple(moves)))
    return _shown(context, context.round(round.number))


# rounds


@records("tournament-start", "POST /round/start", Tells("round_started"), rename=BY_ROUND)
def start(
    context: DeskCall, number: RoundNumber | None = None, *, with_clock: bool = False
) -> Answered[ToldAnswer]:
    """Begin the paired round: players see their tables, and results can come in."""
    round = context.round(number)
    at = round.number
    for player, table in round.draw.table_of.items():
        if context.now.players[player].status == "dropped":
            seat = events.seat_letter(table.seats.index(player))
            facts = {"name": context.name(player), "table": table.number, "round": at}
            context.warn("tournament.left_a_table", seat=seat, **facts)
    warn_of_missing_line_ups(context, round)
    to_record: list[events.Event] = [events.RoundStarted(round=at)]
    if with_clock:
        to_record.append(context.desk.clock_start(context.id, at))
    context.tell(*to_record)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.started", round=at)
        yield from clock_lines(voice, context, context.now.round(at))

    return context.recorded_answer(render)


@records("tournament-round-close", "POST /round/close", Tells("round_closed"), rename=BY_ROUND)
def close(context: DeskCall, number: RoundNumber | None = None) -> Answered[ToldAnswer]:
    """Results of closed records are taken first; open disputes of the round are named."""
    round = context.round(number).number
    context.desk.collect(
        context.id,
        round,
        by=By(context.author),
        unproven=lambda error: context.warnings.append(error.phrase),
    )
    context.warn_of_disputes(round)
    warn_of_overtaken(context)
    return context.record(events.RoundClosed(round=round))


@records("tournament-round-reopen", "POST /round/reopen", Tells("round_reopened"), rename=BY_ROUND)
def reopen(context: DeskCall, number: RoundNumber, reason: Remark) -> Answered[ToldAnswer]:
    """Open a round again that was closed, to correct a result."""
    return context.record(events.RoundReopened(round=number, reason=reason))


@records(
    "tournament-unstart", "POST /round/start/withdrawal", Tells("start_withdrawn"), rename=BY_ROUND
)
def unstart(
    context: DeskCall, reason: Remark, *, number: RoundNumber | None = None
) -> Answered[ToldAnswer]:
    """A round without results goes back to before its start: it can be paired anew."""
    return context.record(events.StartWithdrawn(round=context.round(number).number, reason=reason))


# tables by hand


def _seated_again(
    context: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentRoundAnswer]:
    after = _as_it_was(context, known[0])
    before = context.hosted.at(known[0].number - 1).round(after.number)
    return _shown(context, after, before=before.draw)


@operation(
    "tournament-seat",
    "POST /tournaments/{tournament}/round/seating",
    grant=Tells("round_arranged"),
    rename=BY_ROUND,
    answer="tournament-round",
)
@idempotent(_seated_again)
def seat_together(
    context: DeskCall, names: Names, *, reason: Remark = "", number: RoundNumber | None = None
) -> Answered[TournamentRoundAnswer]:
    """These sit at one table, whether they had a place or not; without a reason what would change
    is shown only, with its price where nobody is new in the round.

    Those they leave behind sit together, if there are as many as a table needs; else they have
    a bye.
    """
    round = context.round(number)
    players = [context.player(name) for name in names]
    draw = seated_together(context.now, round, players)
    event = events.RoundArranged(
        round=round.number,
        tables=draw.tables,
        byes=draw.byes,
        free=draw.free,
        reason=reason or "–",
    )
    if reason:
        context.tell(event)
        warn_of_those_apart(context, context.round(round.number))
        return _shown(context, context.round(round.number), before=round.draw)
    context.warn("tournament.arrange_preview")
    same = not round.joined and set(draw.players) == set(round.draw.players)
    price = rounds.explain(context.now, round.number, round.draw, draw) if same else None
    return _shown(context, apply(context.now, event).round(round.number), price, before=round.draw)
