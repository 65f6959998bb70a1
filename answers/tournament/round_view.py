"""Answer and texts of one round: tables, seats, results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answers.answer import Data
from answers.i18n import Voice, columns
from answers.permissions import JUDGES
from answers.tournament.clock import ClockAnswer, clock_answer, clock_lines
from answers.tournament.context import DeskCall
from answers.tournament.i18n import measure_name
from answers.verdict_text import short as short_game
from engines.kernel.registry import load_engine
from referee.table.author import Author
from referee.tournament.events import Outcome, seat_letter
from referee.tournament.plan import LadderScoring, Plan
from referee.tournament.state import Round


class SeatAnswer(Data):
    player: str
    name: str


class ReportAnswer(Data):
    """What a player says of the own table."""

    player: str
    outcome: dict[str, Any]
    event: int


class AnsweredCall(Data):
    player: str
    """Who had called."""
    text: str


class TableAnswer(Data):
    table: int
    seats: list[SeatAnswer]
    games: list[str]
    outcome: dict[str, Any] | None
    event: int | None
    source: dict[str, Any] | None
    """Where the result comes from: a record, by hand, agreed by those who sit there."""
    reports: list[ReportAnswer]
    differ: bool
    """Its players say different things, and nobody has decided."""
    calling: list[str]
    """The players there who wait for a judge."""
    heard: list[AnsweredCall]
    """What judges have said to who called them: told to those who sit there, and to judges."""

    @property
    def by_seat(self) -> dict[str, SeatAnswer]:
        """Who sits there, by the letter of the seat."""
        return {seat_letter(at): each for at, each in enumerate(self.seats)}


class RoundAnswer(Data):
    round: int
    stage: str
    game: str
    algorithm: str
    version: int
    seed: int
    input_hash: str
    started: bool
    closed: bool
    clock: ClockAnswer | None
    tables: list[TableAnswer]
    byes: list[str]
    free: list[str]
    third_place: int | None
    """The table at which the losers of the semi-finals meet."""


def round_lines(voice: Voice, context: DeskCall, round: Round) -> Iterator[str]:
    draw, paired = round.draw, round.paired
    game = load_engine(context.now.plan.game_of(round.number)).words.say("game", voice.lang)
    state = "closed" if round.closed else "started" if round.started else "paired"
    drawn = voice.say(
        "tournament.drawn_by", system=_system(voice, paired.algorithm), seed=paired.seed
    )
    title = voice.mark("bold", voice.say("tournament.round", round=round.number))
    yield f"{title} · {game} · {voice.say(f'tournament.round_{state}')} · {drawn}"
    yield from (f"  {line}" for line in clock_lines(voice, context, round))
    yield from columns(_table_rows(voice, context, round))
    for kind, players in (("bye", draw.byes), ("free", draw.free)):
        for player in players:
            yield "  " + voice.labelled(voice.say(f"term.{kind}"), context.name(player))


def _system(voice: Voice, algorithm: str) -> str:
    """How a round was paired, in words; a method that came from elsewhere by its own name."""
    key = f"tournament.drawn_{algorithm.partition('/')[0]}"
    return voice.say(key) if key in voice.words else algorithm


def _table_rows(voice: Voice, context: DeskCall, round: Round) -> Iterator[tuple[str, ...]]:
    records = context.games()
    most = max(len(table.seats) for table in round.draw.tables)
    for table in round.draw.tables:
        names = seated(context, table.seats)
        games = records.get((round.number, table.number), [])
        yield (
            f"  {table_title(voice, round, table.number)}",
            *names,
            *[""] * (most - len(names)),
            result_text(voice, context.now.plan, round, table.number) or _record_text(voice, games),
        )


def table_title(voice: Voice, round: Round, table: int) -> str:
    """Its number, and whether it is the one at which the third place is played for."""
    title = voice.say("tournament.table", table=table)
    third = voice.say("tournament.for_third_place")
    return f"{title} ({third})" if table == round.third_place else title


def seated(context: DeskCall, seats: Sequence[str]) -> list[str]:
    """``A Ana``, ``B Bo``: who sits where."""
    return [f"{seat_letter(seat)} {context.name(player)}" for seat, player in enumerate(seats)]


def _record_text(voice: Voice, games: Sequence[str]) -> str:
    return voice.say("tournament.record", game=short_game(games[-1])) if games else "–"


def result_text(voice: Voice, plan: Plan, round: Round, table: int) -> str:
    """``1. A · 2. B``, with points and absences; empty as long as there is no result."""
    entered = round.result(table)
    return "" if entered is None else outcome_text(voice, plan, entered.outcome)


def outcome_text(voice: Voice, plan: Plan, outcome: Outcome) -> str:
    places: dict[int, list[str]] = {}
    for seat, place in enumerate(outcome.places):
        scored = f" {outcome.scores[seat]}" if outcome.scores is not None else ""
        absent = f" ({voice.say('tournament.absent')})" if seat not in outcome.here else ""
        places.setdefault(place, []).append(f"{seat_letter(seat)}{scored}{absent}")
    if outcome.measures is not None and isinstance(plan.scoring, LadderScoring):
        told = zip(plan.scoring.measures, outcome.measures, strict=True)
        return " · ".join(f"{measure_name(voice, each.name)} {value}" for each, value in told)
    return " · ".join(f"{place}. {' = '.join(places[place])}" for place in sorted(places))


def round_fields(context: DeskCall, round: Round, player: str | None = None) -> dict[str, Any]:
    """The fields of a ``RoundAnswer``; with the table of one player, or with all of them."""
    records, now = context.games(), context.now
    differing = round.differing
    return {
        "round": round.number,
        "stage": round.stage,
        "game": now.plan.game_of(round.number),
        "algorithm": round.paired.algorithm,
        "version": round.paired.version,
        "seed": round.paired.seed,
        "input_hash": round.paired.input_hash,
        "started": round.started,
        "closed": round.closed,
        "clock": clock_answer(context, round),
        "tables": [
            TableAnswer(
                table=table.number,
                seats=[SeatAnswer(player=p, name=context.name(p)) for p in table.seats],
                games=records.get((round.number, table.number), []),
                outcome=entered.outcome.model_dump(mode="json") if entered else None,
                event=entered.event if entered else None,
                source=entered.source.model_dump(mode="json") if entered else None,
                reports=[
                    ReportAnswer(
                        player=player,
                        outcome=told.outcome.model_dump(mode="json"),
                        event=told.event,
                    )
                    for player, told in round.reports.get(table.number, {}).items()
                ],
                differ=table.number in differing,
                calling=[call.player for call in calls if call.answered is None],
                heard=[
                    AnsweredCall(player=call.player, text=call.answered)
                    for call in calls
                    if call.answered is not None and _may_hear(context.author, table.seats)
                ],
            )
            for table in round.draw.tables
            if player is None or player in table.seats
            for entered in (round.result(table.number),)
            for calls in (now.calls_of(round.number, table.number),)
        ],
        "byes": list(round.draw.byes),
        "free": list(round.draw.free),
        "third_place": round.third_place,
    }


def _may_hear(author: Author, seats: Sequence[str]) -> bool:
    return author.person in seats or author.role in JUDGES.names
