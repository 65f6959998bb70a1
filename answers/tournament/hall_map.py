"""The map of the hall: where the tables stand, and which of them wait for somebody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from answers.answer import Answered, Data
from answers.i18n import Voice, columns
from answers.permissions import EVERYBODY, JUDGES, Tells
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered
from answers.tournament.round_view import RoundAnswer, round_answer
from referee.errors import Misused
from referee.tournament.events import MOST_ROWS, HallLaid
from referee.tournament.hall_map import row_text, rows_told
from referee.tournament.values import RoundNumber

MapState = Literal["free", "open", "reported", "disputed", "done"]
SIGNS: dict[MapState, str] = {
    "disputed": "!", "open": "●", "reported": "…", "done": "✓", "free": "",
}  # fmt: skip
"""What a table is known by, without any colour."""
HallLine = Annotated[str, Field(max_length=500)]


class MapTable(Data):
    table: int
    state: MapState
    """``disputed``: a judge was called, or its players disagree; ``free``: nobody sits there."""


class MapRow(Data):
    name: str
    tables: list[MapTable]
    """From the left."""


class TournamentHallAnswer(Data):
    tournament: str
    round: int | None
    rows: list[MapRow]
    """Row behind row; none where there is no map."""
    outside: list[MapTable]
    """Tables of the round that stand on no row."""
    lines: list[str]
    """The rows as they can be told again."""

    @property
    def counts(self) -> dict[MapState, int]:
        """How many tables are in which state, those that wait for somebody first."""
        told = Counter(each.state for row in self.rows for each in row.tables)
        told.update(each.state for each in self.outside)
        return {state: told[state] for state in SIGNS if told[state] and SIGNS[state]}


def map_sign(voice: Voice, state: MapState) -> str:
    """The sign of a state, the same in every language."""
    return SIGNS[state]


@reads("tournament-hall", "GET /hall", EVERYBODY)
def hall(context: DeskCall, *, round: RoundNumber | None = None) -> Answered[TournamentHallAnswer]:
    """Where every table stands and how it is with it: by default in the last round."""
    data = _hall(context, round)

    def render(voice: Voice) -> Iterator[str]:
        if not data.rows:
            yield voice.say("tournament.hall_none")
            return
        counts = ", ".join(
            f"{SIGNS[state]} {voice.say(f'tournament.map_{state}')} {count}"
            for state, count in data.counts.items()
        )
        title = [voice.say("tournament.round", round=data.round)] if data.round else []
        yield " · ".join([*title, *filter(None, [counts])]) or voice.say("tournament.wall_map")
        most = max(len(row.tables) for row in data.rows)
        yield from columns(
            (
                row.name,
                *(f"{each.table}{SIGNS[each.state]}" for each in row.tables),
                *[""] * (most - len(row.tables)),
            )
            for row in data.rows
        )
        if data.outside:
            tables = [each.table for each in data.outside]
            yield voice.say("tournament.hall_outside", tables=tables)

    return answered(lambda: data, render, warnings=context.warnings)


@records("tournament-hall-set", "POST /hall", Tells("hall_laid"))
def set_hall(
    context: DeskCall,
    rows: Annotated[Sequence[HallLine], Field(max_length=MOST_ROWS)] = (),
) -> Answered[ToldAnswer]:
    """The rows of the hall told anew as a whole: ``8x16`` for eight rows of sixteen tables, or
    ``A: 1-12`` for one; nothing: no map."""
    told = rows_told(rows)
    if len(told) > MOST_ROWS:
        raise Misused("too_many_rows", most=MOST_ROWS)
    tables = sum(len(row.tables) for row in told)
    return context.record(
        HallLaid(rows=told),
        telling=lambda voice: [
            voice.say("tournament.hall_told", rows=len(told), tables=tables)
            if told
            else voice.say("tournament.hall_none")
        ],
    )


def _hall(context: DeskCall, number: int | None) -> TournamentHallAnswer:
    now = context.now
    laid = now.hall
    round = now.round(number) if number is not None else now.rounds[-1] if now.rounds else None
    states: dict[int, MapState] = {}
    if laid and round is not None:
        shown = round_answer(RoundAnswer, context, round)
        states |= {each.table: each.state for each in shown.tables}
        if context.author.role in JUDGES.names:
            waiting = context.desk.concerns(context.id)
            states |= {each.table: "disputed" for each in waiting if each.round == round.number}
    stand = {table for row in laid for table in row.tables}
    return TournamentHallAnswer(
        tournament=context.id,
        round=round.number if round is not None else None,
        rows=[
            MapRow(
                name=row.name,
                tables=[
                    MapTable(table=table, state=states.get(table, "free")) for table in row.tables
                ],
            )
            for row in laid
        ],
        outside=[
            MapTable(table=table, state=state)
            for table, state in sorted(states.items())
            if table not in stand
        ],
        lines=[row_text(row) for row in laid],
    )
