"""Pair, explain, change, start and close rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answers.answer import Answered, Data
from answers.context import Caller
from answers.i18n import Voice
from answers.tournament.clock import clock_lines
from answers.tournament.context import DeskCall, ToldAnswer, at_the_desk, idempotent, recording
from answers.tournament.i18n import answered, headed, said
from answers.tournament.round_view import RoundAnswer, round_fields, round_lines
from referee.tournament.desk import RecordedEvent
from referee.tournament.events import (
    Event,
    RoundArranged,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundStarted,
    StartWithdrawn,
    Swapped,
    TablesAssigned,
    seat_letter,
)
from referee.tournament.fold import apply
from referee.tournament.pairing.by_hand import seated_together
from referee.tournament.pairing.rounds import Explanation, Priced, asked_for, explain, swap
from referee.tournament.state import Round


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
    counter: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentRoundAnswer]:
    return _shown(counter, _as_it_was(counter, known[0]))


@idempotent(_shown_again)
def pair(
    counter: DeskCall,
    number: int | None = None,
    *,
    seed: int | None = None,
    key: str | None = None,
) -> Answered[TournamentRoundAnswer]:
    """The next round, or its pairing again if it has not started."""
    return _shown(counter, _paired(counter, number, seed))


def _priced_again(
    counter: DeskCall,
    known: Sequence[RecordedEvent],
    number: int | None = None,
    *,
    seed: int | None = None,
    meet: tuple[str, str] | None = None,
    key: str | None = None,
) -> Answered[TournamentExplainAnswer]:
    return _with_prices(counter, _as_it_was(counter, known[0]), meet)


@idempotent(_priced_again)
def pair_explained(
    counter: DeskCall,
    number: int | None = None,
    *,
    seed: int | None = None,
    meet: tuple[str, str] | None = None,
    key: str | None = None,
) -> Answered[TournamentExplainAnswer]:
    """The same, with what it costs; ``meet``: and what it would cost if these two met."""
    return _with_prices(counter, _paired(counter, number, seed), meet)


def _with_prices(
    counter: DeskCall, round: Round, meet: tuple[str, str] | None
) -> Answered[TournamentExplainAnswer]:
    asked = None
    if meet is not None:
        a, b = (counter.player(name) for name in meet)
        asked = asked_for(counter.now, round.number, round.draw, a, b)
    return _explained(counter, round, explain(counter.now, round.number, round.draw, asked))


def _paired(counter: DeskCall, number: int | None, seed: int | None) -> Round:
    _, round = counter.desk.pair(
        counter.id, number, seed, author=counter.author, key=counter.telling
    )
    _warn_of_costs(counter, round)
    return round


def _warn_of_costs(counter: DeskCall, round: Round) -> None:
    """Meetings again and second byes are said without being asked for."""
    if counter.now.knockout_rules(round.stage) is not None or round.stage != "main":
        return
    told = explain(counter.now, round.number, round.draw)
    for meeting in told.chosen.meetings:
        costs = dict(zip(told.criteria, meeting.costs, strict=True))
        names = [counter.name(player) for player in meeting.players]
        for criterion in ("repeats", "second_bye"):
            if costs[criterion]:
                counter.warnings.append(said(f"tournament.unavoidable_{criterion}", names=names))


def _as_it_was(counter: DeskCall, told: RecordedEvent) -> Round:
    """The round of an event, as that event left it."""
    assert isinstance(told.event, RoundPaired | Swapped | TablesAssigned | RoundArranged)
    return counter.hosted.at(told.number).round(told.event.round)


@recording
def unpair(counter: DeskCall, reason: str, *, key: str | None = None) -> Answered[ToldAnswer]:
    number = counter.round().number
    counter.desk.unpair(counter.id, reason, author=counter.author, key=counter.telling)
    return counter.recorded_answer(lambda voice: [voice.say("tournament.unpaired", round=number)])


def tables(
    caller: Caller, tournament: str, number: int | None = None, *, player: str | None = None
) -> Answered[TournamentRoundAnswer]:
    """A round: the one that is open, or the last one, if none is named. As data it may have the
    table of one player alone."""
    with at_the_desk(caller, tournament) as counter:
        only = counter.player(player) if player is not None else None
        return _shown(counter, counter.round(number), player=only)


def _shown(
    counter: DeskCall,
    round: Round,
    price: Explanation | None = None,
    player: str | None = None,
) -> Answered[TournamentRoundAnswer]:
    def lines(voice: Voice) -> Iterator[str]:
        yield from round_lines(voice, counter, round)
        if price is not None:
            yield from _explained_lines(voice, counter, round.number, price)

    return answered(
        lambda: TournamentRoundAnswer(
            tournament=counter.id, **round_fields(counter, round, player)
        ),
        lines,
        warnings=counter.warnings,
    )


# explaining


def _explained(
    counter: DeskCall, round: Round, told: Explanation, event: int | None = None
) -> Answered[TournamentExplainAnswer]:
    def lines(voice: Voice) -> Iterator[str]:
        yield from _explained_lines(voice, counter, round.number, told)
        if event is not None:
            yield voice.say("tournament.swapped", number=event)

    return answered(
        lambda: TournamentExplainAnswer(
            tournament=counter.id,
            round=round.number,
            criteria=list(told.criteria),
            chosen=_priced(told.chosen),
            asked=_priced(told.asked) if told.asked is not None else None,
            decided_by=told.decided_by,
            event=event,
        ),
        lines,
        warnings=counter.warnings,
    )


def _priced(priced: Priced) -> PricedAnswer:
    return PricedAnswer(
        costs=list(priced.costs),
        meetings=[
            MeetingAnswer(players=list(m.players), bye=m.bye, costs=list(m.costs))
            for m in priced.meetings
        ],
    )


def _explained_lines(
    voice: Voice, counter: DeskCall, number: int, told: Explanation
) -> Iterator[str]:
    both = [("chosen", told.chosen)]
    if told.asked is not None:
        both.append(("asked", told.asked))
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
        yield from _meeting_lines(voice, counter, told.criteria, priced)
    if told.asked is not None:
        yield _decided(voice, told.decided_by)


def _meeting_lines(
    voice: Voice, counter: DeskCall, criteria: Sequence[str], priced: Priced
) -> Iterator[str]:
    for meeting in priced.meetings:
        names = " – ".join(counter.name(player) for player in meeting.players)
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
    counter: DeskCall, known: Sequence[RecordedEvent], /, *args: object, **options: object
) -> Answered[TournamentExplainAnswer]:
    after = _as_it_was(counter, known[0])
    before = counter.hosted.at(known[0].number - 1).round(after.number)
    explained = explain(counter.now, after.number, before.draw, after.draw)
    return _explained(counter, before, explained, known[0].number)


@idempotent(_swapped_before)
def swap_players(
    counter: DeskCall,
    a: str,
    b: str,
    *,
    reason: str = "",
    number: int | None = None,
    dry_run: bool = False,
    key: str | None = None,
) -> Answered[TournamentExplainAnswer]:
    """Two players change places; without a reason it is only priced."""
    round = counter.round(number)
    one, two = counter.player(a), counter.player(b)
    told = explain(counter.now, round.number, round.draw, swap(round.draw, one, two))
    event = None
    if reason and not dry_run:
        swapped = Swapped(round=round.number, a=one, b=two, reason=reason)
        event = counter.tell(swapped).now.last
    elif not dry_run:
        counter.warnings.append(said("tournament.swap_preview"))
    return _explained(counter, round, told, event)


@idempotent(_shown_again)
def move_tables(
    counter: DeskCall,
    moves: Sequence[tuple[int, int]],
    *,
    number: int | None = None,
    key: str | None = None,
) -> Answered[TournamentRoundAnswer]:
    """Tables of a round sit elsewhere: from number to number."""
    round = counter.round(number)
    counter.tell(TablesAssigned(round=round.number, moves=tuple(moves)))
    return _shown(counter, counter.round(round.number))


# rounds


@recording
def start(
    counter: DeskCall,
    number: int | None = None,
    *,
    with_clock: bool = False,
    key: str | None = None,
) -> Answered[ToldAnswer]:
    round = counter.round(number)
    at = round.number
    for player, table in round.draw.table_of.items():
        if counter.now.players[player].status == "dropped":
            seat = seat_letter(table.seats.index(player))
            facts = {"name": counter.name(player), "table": table.number, "round": at}
            counter.warnings.append(said("tournament.left_a_table", seat=seat, **facts))
    events: list[Event] = [RoundStarted(round=at)]
    if with_clock:
        events.append(counter.desk.clock_start(counter.id, at))
    counter.tell(*events)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.started", round=at)
        yield from clock_lines(voice, counter, counter.now.round(at))

    return counter.recorded_answer(render)


@recording
def close(
    counter: DeskCall, number: int | None = None, *, key: str | None = None
) -> Answered[ToldAnswer]:
    """Results of closed records are taken first; open disputes of the round are named."""
    round = counter.round(number).number
    counter.desk.collect(
        counter.id,
        round,
        author=counter.author,
        unproven=lambda error: counter.warnings.append(error.phrase),
    )
    counter.warn_of_disputes(round)
    return counter.record(
        RoundClosed(round=round),
        telling=lambda voice: [voice.say("tournament.round_was_closed", round=round)],
    )


@recording
def reopen(
    counter: DeskCall, number: int, reason: str, *, key: str | None = None
) -> Answered[ToldAnswer]:
    return counter.record(
        RoundReopened(round=number, reason=reason),
        telling=lambda voice: [voice.say("tournament.round_was_reopened", round=number)],
    )


@recording
def unstart(
    counter: DeskCall, reason: str, *, number: int | None = None, key: str | None = None
) -> Answered[ToldAnswer]:
    """A round without results goes back to before its start: it can be paired anew."""
    at = counter.round(number).number
    return counter.record(
        StartWithdrawn(round=at, reason=reason),
        telling=lambda voice: [voice.say("tournament.unstarted", round=at)],
    )


# tables by hand


@idempotent(_shown_again)
def seat_together(
    counter: DeskCall,
    names: Sequence[str],
    *,
    reason: str = "",
    number: int | None = None,
    key: str | None = None,
) -> Answered[TournamentRoundAnswer]:
    """These sit at one table, whether they had a place or not; without a reason it is shown only,
    with its price where nobody is new in the round.

    Those they leave behind sit together, if there are as many as a table needs; else they have
    a bye.
    """
    round = counter.round(number)
    players = [counter.player(name) for name in names]
    draw = seated_together(counter.now, round, players)
    event = RoundArranged(
        round=round.number,
        tables=draw.tables,
        byes=draw.byes,
        free=draw.free,
        reason=reason or "–",
    )
    if reason:
        return _shown(counter, counter.tell(event).now.round(round.number))
    counter.warnings.append(said("tournament.arrange_preview"))
    same = not round.joined and set(draw.players) == set(round.draw.players)
    price = explain(counter.now, round.number, round.draw, draw) if same else None
    return _shown(counter, apply(counter.now, event).round(round.number), price)
