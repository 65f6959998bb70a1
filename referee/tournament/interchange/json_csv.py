"""Import and export: JSON with a schema, and CSV that is safe against formula injection."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from engines.kernel.messages.catalogue import normalize as plain
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT, made_of
from referee.store.sidecars.people import PersonDetails
from referee.tournament import events
from referee.tournament.errors import NotPossible
from referee.tournament.plan import Match, Plan
from referee.tournament.ranking.boards import BoardScore, board_games, ranked
from referee.tournament.ranking.prizes import section_ranks
from referee.tournament.ranking.standings import standings
from referee.tournament.state import Round, Stage, Status, Tournament, person_at
from referee.tournament.values import Ratio, SectionLabel, Unplayed, section_labels
from referee.untrusted.safe_csv import BadCsv, out_of_cell, read_rows, safe_csv

Names = Mapping[str, str]
Details = Mapping[str, PersonDetails]
MOST_ROWS = 2000

# JSON -----------------------------------------------------------------------------------------


class _Sheet(BaseModel):
    model_config = STRICT | {"from_attributes": True}

    @classmethod
    def made_of(cls, *values: object, **more: Any) -> Self:
        """What values of the tournament say under the same names, and ``more``."""
        return made_of(cls, *values, **more)


class PlayerSheet(_Sheet):
    id: str
    number: int
    name: str
    club: str
    rating: int
    seed: int | None
    fixed_table: int | None
    status: Status
    away: dict[str, Unplayed]
    """By round that was not played: what it counts."""
    sections: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)


class TeamSheet(_Sheet):
    """The people of a team, in the order of the boards."""

    team: str
    members: tuple[str, ...]
    captain: str | None
    away: tuple[str, ...]


class PersonSheet(_Sheet):
    """Somebody who plays for a team."""

    id: str
    name: str
    team: str
    games: int
    won: int
    drawn: int
    lost: int
    unplayed: int
    """Boards won as nobody sat there."""


class TableSheet(_Sheet):
    number: int
    seats: tuple[str, ...]
    outcome: events.Outcome | None
    source: events.Source | None
    entered: tuple[int, ...]
    """The events that gave and corrected the result."""


class RoundSheet(_Sheet):
    number: int
    stage: Stage
    algorithm: str
    version: int
    seed: int
    input_hash: str
    closed: bool
    tables: tuple[TableSheet, ...]
    byes: tuple[str, ...]
    free: tuple[str, ...]
    third_place: int | None = Field(default=None, exclude_if=lambda table: table is None)
    """The table at which the losers of the semi-finals meet."""
    line_ups: dict[str, tuple[str, ...]] = Field(default={}, exclude_if=operator.not_)
    """By team: who sits at which board, board 1 first."""


class RowSheet(_Sheet):
    rank: int
    player: str
    values: tuple[Ratio, ...]
    """Exact fractions: numerator and denominator."""
    final: int | None
    """The place in the finals, which goes before everything else."""
    sections: dict[str, int] = Field(default={}, exclude_if=operator.not_)
    """The rank in each of their sections."""


class LotSheet(_Sheet):
    event: int
    order: tuple[str, ...]


class FinalsSheet(_Sheet):
    event: int
    style: Stage
    players: tuple[str, ...]
    """Best seed first."""
    first_round: int
    advance: int
    on_tie: str
    third_place: bool = Field(default=False, exclude_if=operator.not_)
    match: Match | None = Field(default=None, exclude_if=lambda match: match is None)


class PenaltySheet(_Sheet):
    event: int
    player: str
    halves: int
    reason: str
    cancelled: str | None


class TournamentSheet(_Sheet):
    """A tournament as it stands, for other programs."""

    format: Literal["referee/tournament@1"] = "referee/tournament@1"
    name: str
    plan: Plan
    last_event: int
    closed: bool
    players: tuple[PlayerSheet, ...]
    rounds: tuple[RoundSheet, ...]
    penalties: tuple[PenaltySheet, ...]
    lots: tuple[LotSheet, ...]
    finals: FinalsSheet | None
    readings: dict[str, dict[str, str]]
    columns: tuple[str, ...]
    standings: tuple[RowSheet, ...]
    prizes: tuple[events.Prize, ...] = Field(default=(), exclude_if=operator.not_)
    """In the order in which they are given."""
    teams: tuple[TeamSheet, ...] = Field(default=(), exclude_if=operator.not_)
    people: tuple[PersonSheet, ...] = Field(default=(), exclude_if=operator.not_)
    """Those who play for teams, with their results at the boards."""


def tournament_sheet(tournament: Tournament, names: Names) -> TournamentSheet:
    ranked = standings(tournament)
    sections = section_ranks(tournament, ranked.rows)
    finals = tournament.finals
    return TournamentSheet.made_of(
        tournament,
        last_event=tournament.last,
        players=tuple(
            PlayerSheet.made_of(
                player,
                name=names.get(player.id, ""),
                away={str(number): counts for number, counts in sorted(player.away.items())},
            )
            for player in tournament.players.values()
        ),
        rounds=tuple(_round_sheet(round) for round in tournament.rounds),
        finals=finals and FinalsSheet.made_of(finals, finals.started),
        readings={game: tournament.readings(game) for game in tournament.plan.games},
        columns=ranked.columns,
        standings=tuple(
            RowSheet.made_of(row, sections=sections.get(row.player, {})) for row in ranked.rows
        ),
        prizes=tournament.prizes.prizes,
        teams=tuple(
            TeamSheet.made_of(roster, team=team) for team, roster in tournament.teams.items()
        ),
        people=_people_sheet(tournament, names),
    )


def _people_sheet(tournament: Tournament, names: Names) -> tuple[PersonSheet, ...]:
    scores = {score.person: score for score in ranked(board_games(tournament))}
    return tuple(
        PersonSheet.made_of(
            scores.get(person, BoardScore(0, person, team, 0, 0, 0, 0)),
            id=person,
            name=names.get(person, ""),
            team=team,
        )
        for person, team in tournament.team_of.items()
    )


def _round_sheet(round: Round) -> RoundSheet:
    tables = tuple(_table_sheet(round, table) for table in round.draw.tables)
    return RoundSheet.made_of(
        round, round.draw, round.paired, tables=tables, line_ups=dict(round.line_ups)
    )


def _table_sheet(round: Round, table: events.Table) -> TableSheet:
    entered = round.results.get(table.number, ())
    result = entered[-1] if entered else None
    return TableSheet.made_of(
        table,
        outcome=result and result.outcome,
        source=result and result.source,
        entered=tuple(result.event for result in entered),
    )


def tournament_schema() -> dict[str, Any]:
    """The JSON Schema of a tournament sheet."""
    return TournamentSheet.model_json_schema(mode="serialization")


# Spreadsheets ---------------------------------------------------------------------------------


def pairings_csv(tournament: Tournament, number: int, names: Names, *, raw: bool = False) -> str:
    round = tournament.round(number)
    most = max((len(table.seats) for table in round.draw.tables), default=1)
    match = tournament.match_at(round, most)
    games = range(1, match.games + 1) if match is not None and round.started else ()
    kind = "board" if match is not None and match.boards else "game"
    heads = (*(events.seat_letter(seat) for seat in range(most)), *(f"{kind} {at}" for at in games))
    rows: list[Sequence[Any]] = [("round", "table", *heads)]
    for table in round.draw.tables:
        result = round.result(table.number) if games else None
        winners = (
            ("draw" if game == "=" else game for game in result.outcome.games) if result else ()
        )
        rows.append((number, table.number, *(names.get(p, p) for p in table.seats), *winners))
        sides = [tournament.line_up(number, team) for team in table.seats]
        for board in range(1, tournament.plan.boards_at(len(table.seats)) + 1):
            people = (person_at(side, board) or "" for side in sides)
            rows.append((number, f"{table.number}.{board}", *(names.get(p, p) for p in people)))
    rows += [(number, "bye", names.get(player, player)) for player in round.draw.byes]
    rows += [(number, "free", names.get(player, player)) for player in round.draw.free]
    return safe_csv(rows, raw=raw)


def _is_marked(cell: Any) -> Any:
    """A cell with anything in it that does not say no."""
    if not isinstance(cell, str):
        return cell
    return plain(cell.strip()) not in ("", "0", "-", "–", "no", "non", "n", "false")


class NamedPlayer(BaseModel):
    """Who plays, and what pairings ask of them."""

    name: Annotated[PlainText, Field(min_length=1, max_length=40)]
    club: Annotated[PlainText, Field(max_length=80)] = ""
    rating: int = Field(default=0, ge=0, le=9999)
    seed: int | None = Field(default=None, ge=1, le=9999)


class PlayerRow(PersonDetails, NamedPlayer):
    """A line of a list of players."""

    sections: Annotated[
        tuple[SectionLabel, ...],
        Field(max_length=events.MOST_SECTIONS_EACH),
        BeforeValidator(section_labels),
    ] = ()
    team: Annotated[PlainText, Field(max_length=40)] = ""
    """Where teams play: the one for which this is a member."""
    board: int | None = Field(default=None, ge=1, le=events.MOST_MEMBERS)
    """The place in the team: reserves come behind the boards."""
    captain: Annotated[bool, BeforeValidator(_is_marked)] = False

    @property
    def details(self) -> dict[str, str]:
        """What the row tells of the person, and no event keeps."""
        return self.model_dump(include={*PersonDetails.model_fields}, exclude_defaults=True)


class PlayerList(NamedTuple):
    """The players of a spreadsheet, and the columns that were not recognised."""

    entries: list[PlayerRow]
    unread: list[str]


_SHORT = PersonDetails.model_fields.keys() - {"last_name"}
"""Details of a form of their own: a column that has another is something else."""
_HEADINGS = {
    **{name: name for name in PlayerRow.model_fields},
    "nom": "name", "joueur": "name", "player": "name", "full name": "name",
    "nom complet": "name", "first name": "first", "given name": "first", "prenom": "first",
    "last name": "name", "surname": "name", "family name": "name", "nom de famille": "name",
    "titre": "title", "titre fide": "title", "fide title": "title",
    "fed": "federation",
    "license": "licence", "licence number": "licence",
    "license number": "licence", "numero de licence": "licence", "fide id": "licence",
    "id fide": "licence", "fide number": "licence", "code fide": "licence",
    "cote": "rating", "classement": "rating", "elo": "rating",
    "tete de serie": "seed", "equipe": "team", "team name": "team", "nom de l'equipe": "team",
    "plateau": "board", "echiquier": "board",
    "capitaine": "captain", "section": "sections", "categories": "sections",
    "category": "sections", "categorie": "sections", "age group": "sections",
}  # fmt: skip


_TRF_PLAYER = re.compile(r"001 [ \d]{4} ")


def _trf_players(lines: Sequence[str]) -> PlayerList:
    """The players of a FIDE report, by its columns: number, name and rating."""
    if len(lines) > MOST_ROWS:
        raise NotPossible("lines_of_a_list", most=MOST_ROWS)
    entries = []
    for number, line in enumerate(lines, 1):
        last, _, first = line[14:47].strip().partition(",")
        cells: dict[str | None, str] = {"name": last, "first": first}
        columns = {"title": line[10:13], "federation": line[53:56], "licence": line[57:68]}
        cells |= {name: cell for name, cell in columns.items() if _fits(name, cell)}
        if rating := line[48:52].strip():
            cells["rating"] = rating
        entries.append(_entry(number, cells))
    return PlayerList(entries, [])


def read_players(text: str) -> PlayerList:
    """Parse a list of players: of a spreadsheet, whose first line names the columns, or of a
    FIDE report (TRF)."""
    listed = [line for line in text.splitlines() if _TRF_PLAYER.match(line)]
    if listed:
        return _trf_players(listed)
    text = text.removeprefix("\ufeff")  # a program may have left it there
    delimiter = max(",;\t", key=next(iter(text.splitlines()), "").count)
    rows = _cells(text, delimiter)
    if not rows or len(rows) > MOST_ROWS:
        raise NotPossible("lines_of_a_list", most=MOST_ROWS)
    headings = [_HEADINGS.get(plain(cell.strip())) for cell in rows[0]]
    for at, heading in enumerate(headings):
        cells = (row[at] for row in rows[1:] if at < len(row))
        if heading in _SHORT and not all(_fits(heading, cell) for cell in cells):
            headings[at] = None  # something else is called so here
    if "name" not in headings:
        raise NotPossible("no_name_column")
    known = [heading for heading in headings if heading is not None]
    if len(set(known)) != len(known):
        twice = next(heading for heading in known if known.count(heading) > 1)
        columns = [
            cell for cell, heading in zip(rows[0], headings, strict=True) if heading == twice
        ]
        raise NotPossible("columns_alike", columns=columns)
    entries = [
        _entry(number, dict(zip(headings, row, strict=False)))
        for number, row in enumerate(rows[1:], 2)
        if any(cell.strip() for cell in row)
    ]
    unread = [
        cell.strip()
        for cell, heading in zip(rows[0], headings, strict=True)
        if heading is None and cell.strip()
    ]
    return PlayerList(entries, unread)


def _fits(detail: str, cell: str) -> bool:
    try:
        return bool(PersonDetails(**{detail: cell.strip()}))
    except ValidationError:
        return False


def _cells(text: str, delimiter: str) -> list[list[str]]:
    """Parse rows and cells; accepts the line ends of any system."""
    try:
        return list(islice(read_rows(text, delimiter), MOST_ROWS + 1))
    except BadCsv as error:
        raise NotPossible("bad_row", line=error.args[0]) from None


def _entry(number: int, cells: dict[str | None, str]) -> PlayerRow:
    values: dict[str, str] = {}
    for heading, cell in cells.items():
        cell = cell.strip()
        if heading is not None and cell:
            values[heading] = out_of_cell(cell)
    if first := values.pop("first", ""):
        last = values.get("name", "")  # beside a first name, the other one is the last
        values |= {"name": f"{first} {last}", "last_name": last} if last else {"name": first}
    try:
        return PlayerRow.model_validate(values)
    except ValidationError as error:
        column = str(error.errors()[0]["loc"][0])
        value = ascii(values.get(column, ""))[1:-1]
        raise NotPossible("bad_cell", line=number, column=column, value=value[:40]) from None
