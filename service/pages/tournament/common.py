"""What every page of a tournament shows: the round, who sits where, how it ended, the time."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from answers.admin.faces import TournamentFacesAnswer
from answers.answer import Data
from answers.i18n import Voice
from answers.rulebooks import games
from answers.tournament.bracket import BracketRound, drawn_bracket
from answers.tournament.clock import ClockAnswer, TimeAnswer
from answers.tournament.i18n import figure, fluent, measure_name
from answers.tournament.lifecycle import TournamentInfoAnswer, published_rules
from answers.tournament.match_slips import MatchOffered, match_offered
from answers.tournament.prizes import (
    TournamentPrizesAnswer,
    prize_lines,
    prize_rule,
    prizes_title,
    shown_prizes,
    winners_text,
)
from answers.tournament.result_slips import OutcomeText
from answers.tournament.round_view import AnsweredCall, TableAnswer, game_score
from answers.tournament.rounds import TournamentRoundAnswer
from answers.tournament.standings import (
    TournamentBracketAnswer,
    TournamentStandingsAnswer,
    standings_title,
)
from answers.tournament.teams import (
    TournamentBoardsAnswer,
    best_text,
    board_cells,
    board_heads,
)
from service.pages.page_context import PageContext


class Sitting(Data):
    """Somebody in a seat, or in none."""

    seat: str
    player: str
    name: str


class Reported(Data):
    """What somebody at a table says of its end."""

    player: str
    name: str
    result: str
    slip: dict[str, Any]
    """The same as a request says it: for who confirms it."""


class HallBoard(Data):
    """A board of a team match; a name is empty where nobody sits."""

    board: int
    first: str
    second: str
    begins: Literal["A", "B"]
    score: str
    """``1–0`` for the team named first; empty as long as nothing is told."""
    game: str
    """The record that is kept of it, if one is."""


class HallTable(Data):
    table: int
    seats: list[Sitting]
    result: str
    """Empty as long as there is none."""
    event: int | None
    """The event that the result came with: a correction says which it means."""
    game: str
    """The record that is kept of it, if one is; the last, if there are several."""
    so_far: str
    """A match: how it stands by the records of its games, as long as it has no result."""
    next_game: bool
    """Its match goes on with another game, of which no record is open yet."""
    agreed: bool
    """Everybody who sits there has said so."""
    reports: list[Reported]
    """What those who sit there say; those of a table without a result are still looked at."""
    differ: bool
    calling: list[str]
    """The players there who wait for a judge."""
    heard: list[AnsweredCall]
    time: TimeAnswer | None
    """Where it has another time than the round."""
    absent: list[str]
    """The players who did not come."""
    third_place: bool
    """Whether it is the table of the losers of the semi-finals."""
    boards: list[HallBoard]
    """Where teams meet: who sits at which board."""

    @property
    def state(self) -> Literal["done", "disputed", "reported", "open"]:
        """What the desk has to do with it."""
        if self.calling or self.differ:
            return "disputed"
        if self.result:
            return "done"
        return "reported" if self.reports else "open"

    def said_by(self, player: str) -> Reported | None:
        return next((each for each in self.reports if each.player == player), None)

    def said_to(self, player: str) -> Reported | None:
        """What somebody else there has said first."""
        return next((each for each in self.reports if each.player != player), None)

    def heard_by(self, player: str) -> str:
        """What a judge has answered to a player's last call."""
        answers = [each.text for each in self.heard if each.player == player]
        return answers[-1] if answers and player not in self.calling else ""

    def seat_of(self, player: str) -> str:
        """Where a player sits; empty for who sits elsewhere."""
        return next((each.seat for each in self.seats if each.player == player), "")


class HallRound(Data):
    number: int
    game: str
    """What is played."""
    state: str
    """``paired``, ``started`` or ``closed``."""
    clock: ClockAnswer | None
    match: MatchOffered | None
    tables: list[HallTable]
    byes: list[Sitting]
    free: list[Sitting]

    @property
    def playing(self) -> list[HallTable]:
        """The tables that are still played."""
        return [each for each in self.tables if self.state == "started" and not each.result]


class StandingRow(Data):
    rank: int
    section_rank: int | None
    """Among those of a section, where only those are shown."""
    player: str
    name: str
    final: str
    values: list[str]


class HallStandings(Data):
    after: int
    title: str
    """After how many rounds, and whether one is still played or the finals count."""
    with_finals: bool
    columns: list[str]
    rows: list[StandingRow]
    section: str | None
    """The one that was asked for."""
    sections: list[str]


class PrizeLine(Data):
    place: int
    section: str
    text: str
    winners: str
    """Empty as long as nobody is named; the event's page names nobody before the end."""


class HallPrizes(Data):
    title: str
    rule: str
    """By which they are given, for everybody to read."""
    rows: list[PrizeLine]
    """In the order in which they are given; none: there are no prizes."""
    lines: str
    """The same as the desk writes them."""
    several: bool


class Hall(Data):
    tournament: str
    name: str
    closed: bool
    rounds: int
    """How many were paired."""
    planned: int
    asks: Literal["places", "points", "measures"]
    """What a result must tell."""
    measures: dict[str, str]
    """What the result of a team is measured by, each with what it is called."""
    timed: bool
    """The rules publish a time for a round: a result may say that it was up."""
    version: int
    """The last event."""
    announcement: str
    """What everybody should know now."""
    round: HallRound | None
    """The last that was paired, or the one that was asked for."""
    emblem: str | None
    """Where the picture of the event is."""
    faces: dict[str, str]
    """Where the pictures of the players are."""
    team_boards: int
    """At how many boards teams meet; 0 where people play for themselves."""

    @property
    def match(self) -> MatchOffered | None:
        """Where those who are paired play several games."""
        return self.round.match if self.round is not None else None


def hall(page_context: PageContext, number: int | None = None, player: str | None = None) -> Hall:
    """An event with one round of it; with the table of one player, or with all tables."""
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    pictures: TournamentFacesAnswer = page_context.ask("tournament-faces").data
    results = OutcomeText(page_context.voice, info.plan)
    return Hall(
        tournament=info.tournament,
        name=info.name,
        closed=info.closed,
        rounds=info.rounds,
        planned=info.plan["rounds"],
        team_boards=results.boards,
        asks=results.asks_for,
        measures=_measures(page_context.voice, info.plan),
        timed=info.plan["time"] is not None,
        version=info.last_event,
        announcement=info.announcement,
        round=round_of(page_context, info, number, player) if info.rounds else None,
        emblem=pictures.emblem,
        faces=pictures.faces,
    )


def _measures(voice: Voice, plan: Mapping[str, Any]) -> dict[str, str]:
    listed = plan["scoring"].get("measures", ())
    return {each["name"]: measure_name(voice, each["name"]) for each in listed}


def round_of(
    page_context: PageContext,
    info: TournamentInfoAnswer,
    number: int | None = None,
    player: str | None = None,
) -> HallRound:
    wanted = {"round": number, "player": player}
    found: TournamentRoundAnswer = page_context.ask("tournament-round", **wanted).data
    names = _names(page_context) if found.byes or found.free else {}
    results = OutcomeText(page_context.voice, info.plan)
    clock = None if found.closed else found.clock
    times = {each.table: each for each in clock.tables} if clock is not None else {}
    return HallRound(
        number=found.round,
        game=game_name(page_context, found.game),
        state="closed" if found.closed else "started" if found.started else "paired",
        clock=clock,
        match=match_offered(found.match),
        tables=[
            _table(results, table, times.get(table.table), found.third_place)
            for table in found.tables
        ],
        byes=[_without(each, names) for each in found.byes],
        free=[_without(each, names) for each in found.free],
    )


def game_name(page_context: PageContext, game: str) -> str:
    return games.game_name(page_context.voice, game)


def _names(page_context: PageContext) -> dict[str, str]:
    return {row.player: row.name for row in page_context.ask("tournament-players").data.players}


def _without(player: str, names: Mapping[str, str]) -> Sitting:
    return Sitting(seat="", player=player, name=names.get(player) or player)


def _table(
    results: OutcomeText, table: TableAnswer, time: TimeAnswer | None, third_place: int | None
) -> HallTable:
    names = {each.player: each.name for each in table.seats}
    return HallTable(
        table=table.table,
        seats=[
            Sitting(seat=letter, player=each.player, name=each.name)
            for letter, each in table.by_seat.items()
        ],
        result="" if table.outcome is None else results.told(table.outcome),
        event=table.event,
        game=table.games[-1] if table.games and not table.boards else "",
        so_far=results.so_far(table.played),
        next_game=table.next_game,
        agreed=table.source is not None and table.source["kind"] == "agreed",
        reports=[
            Reported(
                player=each.player,
                name=names[each.player],
                result=results.told(each.outcome),
                slip=results.slip(each.outcome),
            )
            for each in table.reports
        ],
        differ=table.differ,
        calling=table.calling,
        heard=table.heard,
        time=time,
        absent=[
            table.by_seat[letter].player
            for letter in (table.outcome["absent"] if table.outcome else ())
        ],
        third_place=table.table == third_place,
        boards=[
            HallBoard(
                board=each.board,
                first=each.first.name if each.first is not None else "",
                second=each.second.name if each.second is not None else "",
                begins=each.begins,
                score=game_score(each.result),
                game=each.game or "",
            )
            for each in table.boards
        ],
    )


def standings(page_context: PageContext, section: str | None = None) -> HallStandings:
    wanted = {"section": section}
    found: TournamentStandingsAnswer = page_context.ask("tournament-standings", **wanted).data
    return HallStandings(
        after=found.rounds,
        title=standings_title(page_context.voice, found, found.section),
        with_finals=found.with_finals,
        columns=found.columns,
        rows=[
            StandingRow(
                rank=row.rank,
                section_rank=row.section_rank,
                player=row.player,
                name=row.name,
                final="–" if row.final is None else f"{row.final}.",
                values=[figure(page_context.voice, Fraction(*value)) for value in row.values],
            )
            for row in found.rows
        ],
        section=found.section,
        sections=found.sections,
    )


def prizes(page_context: PageContext, *, desk: bool = False) -> HallPrizes:
    """What can be won; who wins it once the event is closed, at the desk as things stand."""
    found: TournamentPrizesAnswer = page_context.ask("tournament-prizes").data
    told, voice = found if desk else shown_prizes(found), fluent(page_context.voice)
    named = any(row.players for row in told.prizes)
    return HallPrizes(
        title=prizes_title(voice, told),
        rule=prize_rule(voice, told),
        rows=[
            PrizeLine(
                place=row.place,
                section=row.section,
                text=row.text,
                winners=winners_text(voice, row) if named else "",
            )
            for row in told.prizes
        ],
        lines="\n".join(prize_lines(told)),
        several=told.several,
    )


class HallBoards(Data):
    """Everybody's results at the boards."""

    columns: list[str]
    rows: list[list[str]]
    best: dict[int, str]
    """By board: who did best there."""


def boards(page_context: PageContext) -> HallBoards:
    found: TournamentBoardsAnswer = page_context.ask("tournament-boards").data
    voice = fluent(page_context.voice)
    return HallBoards(
        columns=board_heads(voice),
        rows=[list(cells) for cells in board_cells(voice, found.people)],
        best={each.board: best_text(voice, each) for each in found.boards},
    )


def number_of(text: str) -> int | None:
    """The number of a round in an address; none, if it is none."""
    return int(text) if text.isdecimal() and len(text) < 4 else None


def rules(page_context: PageContext) -> list[str]:
    """Everything that decides the event, in sentences: the plan, and what was ruled since."""
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    return published_rules(page_context.voice, info)


def bracket(page_context: PageContext) -> list[BracketRound]:
    """The rounds of a knock-out or of finals, the first one first."""
    found: TournamentBracketAnswer = page_context.ask("tournament-bracket").data
    if not found.rounds:
        return []
    plan = page_context.ask("tournament-info").data.plan
    return drawn_bracket(page_context.voice, found, plan, _names(page_context))
