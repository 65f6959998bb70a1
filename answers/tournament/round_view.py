"""Answer and texts of one round: tables, seats, results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeVar

from answers.answer import Data
from answers.i18n import Voice, columns
from answers.permissions import JUDGES, KEEPERS
from answers.tournament.clock import ClockAnswer, clock_answer, clock_lines
from answers.tournament.context import DeskCall
from answers.tournament.i18n import measure_name
from answers.tournament.match_slips import match_text, tally_text
from answers.verdict_text import short as short_game
from engines.kernel.registry import load_engine
from referee.table.author import Author
from referee.tournament import knockout
from referee.tournament.errors import NotPossible
from referee.tournament.events import GameResult, Outcome, Table, seat_letter
from referee.tournament.plan import LadderScoring, Plan
from referee.tournament.state import Draw, Round, begins, person_at
from referee.tournament.table_games import counted_records, games_told, match_by_games

R = TypeVar("R", bound="RoundAnswer")
Decides = Literal["", "final", "third_place"]
"""What a table is known by: its last game, or the one beside it."""


def decides(table: int | None, final: int | None, third_place: int | None) -> Decides:
    if table is None:
        return ""
    return "final" if table == final else "third_place" if table == third_place else ""


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


class BoardAnswer(Data):
    """One board of a team match: who sits there for either team; nobody: None."""

    board: int
    first: SeatAnswer | None
    """Of the team in seat A."""
    second: SeatAnswer | None
    begins: Literal["A", "B"]
    """The seat of the team that begins there."""
    result: Literal["A", "B", "="] | None
    """The seat of the team that has won there; ``=``: a draw."""
    game: str | None
    """The record of this board, if one is kept."""


class TableAnswer(Data):
    table: int
    seats: list[SeatAnswer]
    games: list[str]
    """The records that are kept of it, oldest first."""
    played: list[GameResult]
    """A match: how those of its games ended of which a record is kept, as far as they are over."""
    next_game: bool
    """Its match goes on with another game, of which no record is open yet."""
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
    boards: list[BoardAnswer]
    """The boards of a team match; none where one game is played."""

    @property
    def by_seat(self) -> dict[str, SeatAnswer]:
        """Who sits there, by the letter of the seat."""
        return {seat_letter(at): each for at, each in enumerate(self.seats)}

    @property
    def record(self) -> str:
        """The record that is kept of it, the last if there are several; boards have their own."""
        return self.games[-1] if self.games and not self.boards else ""

    @property
    def state(self) -> Literal["done", "disputed", "reported", "open"]:
        """What the desk has to do with it."""
        if self.calling or self.differ:
            return "disputed"
        if self.outcome is not None:
            return "done"
        return "reported" if self.reports else "open"


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
    match: dict[str, Any] | None
    """The match that a table of two plays in it: how many games, and whether at boards."""
    tables: list[TableAnswer]
    byes: list[str]
    free: list[str]
    third_place: int | None
    """The table at which the losers of the semi-finals meet."""
    final: int | None
    """The table at which a knock-out, or the finals, are decided."""

    def decides(self, table: int) -> Decides:
        """What is played for at a table."""
        return decides(table, self.final, self.third_place)

    @property
    def state(self) -> Literal["closed", "started", "paired"]:
        return "closed" if self.closed else "started" if self.started else "paired"

    @property
    def playing(self) -> list[TableAnswer]:
        """The tables that are still played."""
        started = self.state == "started"
        return [each for each in self.tables if started and each.outcome is None]


def round_lines(
    voice: Voice, context: DeskCall, round: Round, before: Draw | None = None
) -> Iterator[str]:
    """All of a round, or where people sit otherwise than they did."""
    draw, paired = round.draw, round.paired
    known = {*before.tables, *before.byes, *before.free} if before is not None else set()
    game = load_engine(context.now.plan.game_of(round.number)).words.say("game", voice.lang)
    state = "closed" if round.closed else "started" if round.started else "paired"
    drawn = voice.say(
        "tournament.drawn_by", system=_system(voice, paired.algorithm), seed=paired.seed
    )
    title = voice.mark("bold", voice.say("tournament.round", round=round.number))
    yield f"{title} · {game} · {voice.say(f'tournament.round_{state}')} · {drawn}"
    yield from (f"  {line}" for line in clock_lines(voice, context, round))
    tables = [table for table in draw.tables if table not in known]
    yield from columns(_table_rows(voice, context, round, tables))
    for kind, players in (("bye", draw.byes), ("free", draw.free)):
        for player in (player for player in players if player not in known):
            yield "  " + voice.labelled(voice.say(f"term.{kind}"), context.name(player))


def _system(voice: Voice, algorithm: str) -> str:
    """How a round was paired, in words; a method that came from elsewhere by its own name."""
    key = f"tournament.drawn_{algorithm.partition('/')[0]}"
    return voice.say(key) if key in voice.words else algorithm


def _table_rows(
    voice: Voice, context: DeskCall, round: Round, tables: Sequence[Table]
) -> Iterator[tuple[str, ...]]:
    records = context.games()
    most = max((len(table.seats) for table in tables), default=0)
    final = knockout.final_table(context.now, round)
    for table in tables:
        names = seated(context, table.seats)
        games = records.get((round.number, table.number), [])
        played_for = decides(table.number, final, round.third_place)
        yield (
            f"  {table_title(voice, table.number, played_for)}",
            *names,
            *[""] * (most - len(names)),
            result_text(voice, context.now.plan, round, table.number)
            or _record_text(voice, [] if context.now.plan.boards_at(len(table.seats)) else games),
        )
        for board in board_answers(context, round, table):
            at = voice.say("tournament.board", board=board.board)
            record = _record_text(voice, [board.game] if board.game else [])
            yield (f"    {at}", *board_names(voice, board), game_score(board.result) or record)


def person_answer(context: DeskCall, person: str | None) -> SeatAnswer | None:
    return None if person is None else SeatAnswer(player=person, name=context.name(person))


def line_up_seen(context: DeskCall, number: int, team: str) -> tuple[str, ...]:
    """Who of a team sits at which board, as far as the asker may know: until the round starts no
    captain reads what the others hand in."""
    now, author = context.now, context.author
    started = number <= len(now.rounds) and now.round(number).started
    if started or author.role in KEEPERS.names or author.person == team:
        return now.line_up(number, team)
    return ()


def board_answers(context: DeskCall, round: Round, table: Table) -> list[BoardAnswer]:
    """Who sits at which board of a team match, and how it ended there."""
    now, entered = context.now, round.result(table.number)
    games = dict(enumerate(entered.outcome.games, start=1)) if entered is not None else {}
    number = now.plan.boards_at(len(table.seats))
    sides = [line_up_seen(context, round.number, team) for team in table.seats] if number else []
    records = context.board_records.get((round.number, table.number), {}) if number else {}
    return [
        BoardAnswer(
            board=board,
            first=person_answer(context, person_at(sides[0], board)),
            second=person_answer(context, person_at(sides[1], board)),
            begins=begins(board),
            result=games.get(board),
            game=records.get(board),
        )
        for board in range(1, number + 1)
    ]


def board_names(voice: Voice, board: BoardAnswer) -> tuple[str, str]:
    """The two at a board, and who of them begins."""
    return (
        _at_board(voice, board.first, begins=board.begins == "A"),
        _at_board(voice, board.second, begins=board.begins == "B"),
    )


def _at_board(voice: Voice, person: SeatAnswer | None, *, begins: bool) -> str:
    if person is None:
        return "–"
    return voice.say("tournament.begins", name=person.name) if begins else person.name


def game_score(result: str | None) -> str:
    """``1–0`` for the team named first."""
    return {"A": "1–0", "B": "0–1", "=": "½–½"}.get(result or "", "")


def table_title(voice: Voice, table: int, played_for: Decides = "") -> str:
    """Its number, and what is played for at it, if that is the final or the third place."""
    title = voice.say("tournament.table", table=table)
    return f"{title} ({voice.say(f'tournament.for_{played_for}')})" if played_for else title


def seated(context: DeskCall, seats: Sequence[str]) -> list[str]:
    """``A Ana``, ``B Bo``: who sits where."""
    return [f"{seat_letter(seat)} {context.name(player)}" for seat, player in enumerate(seats)]


def _record_text(voice: Voice, games: Sequence[str]) -> str:
    return voice.say("tournament.record", game=short_game(games[-1])) if games else "–"


def result_text(voice: Voice, plan: Plan, round: Round, table: int) -> str:
    """``1. A · 2. B``, with points and absences, or ``A 2 – 1 B``; empty without a result."""
    entered = round.result(table)
    return "" if entered is None else outcome_text(voice, plan, entered.outcome)


def named_result(voice: Voice, context: DeskCall, round: Round, table: int) -> str:
    """The same by the names of those who sat there."""
    entered = round.result(table)
    names = context.names_of(round.table(table).seats)
    return "" if entered is None else outcome_text(voice, context.now.plan, entered.outcome, names)


def paper_result(voice: Voice, plan: Plan, round: Round, table: int) -> str:
    """As :func:`short_result`; empty without a result."""
    entered = round.result(table)
    return "" if entered is None else short_result(voice, plan, entered.outcome)


def short_result(voice: Voice, plan: Plan, outcome: Outcome) -> str:
    """``1–0`` for who is named first, as the world writes it; ``12–9`` where points are told,
    ``2–1`` of a match, ``+`` and ``-`` where one did not come. More than two: by places."""
    if len(outcome.places) != 2 or outcome.measures is not None:
        return outcome_text(voice, plan, outcome)
    if outcome.absent:
        return "–".join("+" if seat in outcome.here else "-" for seat in range(2))
    if outcome.games:
        return tally_text(plan.match, outcome.games)
    if outcome.scores is not None:
        return "–".join(map(str, outcome.scores))
    first, second = outcome.places
    return game_score("=" if first == second else "A" if first < second else "B")


def outcome_text(voice: Voice, plan: Plan, outcome: Outcome, names: Sequence[str] = ()) -> str:
    """How a table ended, by the letters of its seats or by the names of those who sat there."""
    if outcome.games and not outcome.absent:
        return match_text(voice, plan.match, outcome.games)
    told_places = outcome.scores is None and outcome.measures is None and not outcome.absent
    if len(names) == 2 and told_places:
        won = [name for name, place in zip(names, outcome.places, strict=True) if place == 1]
        if len(won) == 1:
            return voice.say("tournament.won_by", name=won[0])
        return voice.say("tournament.drawn")
    places: dict[int, list[str]] = {}
    for seat, place in enumerate(outcome.places):
        scored = f" {outcome.scores[seat]}" if outcome.scores is not None else ""
        absent = f" ({voice.say('tournament.absent')})" if seat not in outcome.here else ""
        places.setdefault(place, []).append(
            f"{names[seat] if names else seat_letter(seat)}{scored}{absent}"
        )
    if outcome.measures is not None and isinstance(plan.scoring, LadderScoring):
        told = zip(plan.scoring.measures, outcome.measures, strict=True)
        return " · ".join(f"{measure_name(voice, each.name)} {value}" for each, value in told)
    return " · ".join(f"{place}. {' = '.join(places[place])}" for place in sorted(places))


def round_answer(
    shape: type[R], context: DeskCall, round: Round, player: str | None = None, **more: str
) -> R:
    """A round with the table of one player, or with all of them."""
    records, now = context.games(), context.now
    differing = round.differing
    match = now.match_at(round, 2)
    return shape.made_of(
        round,
        round.draw,
        round.paired,
        **more,
        round=round.number,
        game=now.plan.game_of(round.number),
        clock=clock_answer(context, round),
        match=match.model_dump(mode="json") if match is not None else None,
        final=knockout.final_table(now, round),
        tables=[
            TableAnswer(
                table=table.number,
                seats=[SeatAnswer(player=p, name=context.name(p)) for p in table.seats],
                games=records.get((round.number, table.number), []),
                played=list(played),
                next_game=next_game,
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
                boards=board_answers(context, round, table),
            )
            for table in round.draw.tables
            if player is None or player in table.seats
            for entered in (round.result(table.number),)
            for played, next_game in (_so_far(context, round, table, records),)
            for calls in (now.calls_of(round.number, table.number),)
        ],
    )


def _so_far(
    context: DeskCall, round: Round, table: Table, records: dict[tuple[int, int], list[str]]
) -> tuple[tuple[GameResult, ...], bool]:
    """The games of a match that records tell as far as the caller sees them, and whether the next
    one is to be opened."""
    games = records.get((round.number, table.number))
    match = match_by_games(context.now, round, table)
    if match is None or not games or round.result(table.number) is not None:
        return (), False
    seen = [context.caller.game(game) for game in games]
    try:
        told = games_told(round, table, counted_records(context.now, round, table, seen))
    except NotPossible:  # somebody else sits there by now
        return (), False
    return told, seen[-1].closed is not None and not match.is_over(told)


def _may_hear(author: Author, seats: Sequence[str]) -> bool:
    return author.person in seats or author.role in JUDGES.names
