"""The desk of a tournament."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from answers.answer import Answered
from answers.play.opening import OpeningRefusedAnswer
from answers.tournament import (
    clock,
    judging,
    lifecycle,
    player_reports,
    players,
    printing,
    results,
    rounds,
)
from answers.tournament import (
    standings as standings_answers,
)
from answers.tournament.clock import TournamentClockAnswer
from answers.tournament.context import ToldAnswer
from answers.tournament.judging import (
    TournamentCheckAnswer,
    TournamentDisputesAnswer,
    TournamentHistoryAnswer,
    TournamentPenaltiesAnswer,
)
from answers.tournament.lifecycle import TournamentInfoAnswer, TournamentListAnswer
from answers.tournament.player_reports import TournamentInvitationsAnswer
from answers.tournament.players import TournamentPlayersAnswer
from answers.tournament.printing import Document
from answers.tournament.result_slips import Slip
from answers.tournament.results import TournamentTableAnswer
from answers.tournament.rounds import TournamentExplainAnswer, TournamentRoundAnswer
from answers.tournament.standings import (
    OnTie,
    TournamentBracketAnswer,
    TournamentFinalsAnswer,
    TournamentStandingsAnswer,
    TournamentWhyAnswer,
)
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from referee.archive.record_files import read_record
from referee.errors import Misused
from referee.tournament.default_plans import usual_plan
from referee.tournament.errors import WORDS
from referee.tournament.interchange.json_csv import Entry, PlayerList
from referee.tournament.plan import Deal, Plan, SeatRange
from referee.tournament.values import Unplayed
from service.routes.play import GoodReason, Words
from service.routing import Ask, File, Params, route

Name = Annotated[str, Field(min_length=1, max_length=100)]
Round = Annotated[int | None, Field(ge=1, le=999)]
Table = Annotated[int, Field(ge=1, le=9999)]
Seed = Annotated[int | None, Field(ge=0, le=2**32 - 1)]
Minutes = Annotated[int, Field(ge=-10_000, le=10_000)]
Names = Annotated[list[Name], Field(max_length=2000)]
Format = Literal["swiss", "round_robin", "knockout", "pods", "league", "duplicate", "ladder"]


class Creating(Params):
    name: Name
    plan: Plan | None = None
    """A published plan; instead of it, the usual one of a game and a format."""
    game: str | None = None
    format: Format = "swiss"
    rounds: Annotated[int, Field(ge=1, le=99)] = 3

    def published(self) -> Plan:
        if self.plan is not None:
            return self.plan
        if self.game is None:
            raise Misused("which_game_is_played")
        try:
            return usual_plan(load_engine(self.game).id, self.format, self.rounds)
        except ValidationError as error:
            problem = first_mistake(error, WORDS).phrase
            raise Misused("bad_plan", problem=problem) from None


class Marked(Params):
    current: Annotated[str | None, Field(max_length=80)] = None
    """The tournament that is marked in what is told."""


class Revising(Params):
    plan: Plan | None = None
    rounds: Annotated[int | None, Field(ge=1, le=99)] = None
    reason: Words


class AtEvent(Params):
    at: Annotated[int | None, Field(ge=0)] = None


class Registering(Params):
    players: Annotated[list[Entry], Field(min_length=1, max_length=2000)]
    fixed_table: Annotated[int | None, Field(ge=1)] = None
    namesake: bool = False


class Listing(Params):
    players: Annotated[list[Entry], Field(min_length=1, max_length=2000)]
    unread: Annotated[list[Name], Field(max_length=100)] = []
    """Columns of the list that nobody understood."""
    source: Annotated[str, Field(max_length=120)] = "list"


class CheckingIn(Params):
    names: Names = []
    everybody: bool = False


class Coming(Params):
    name: Name
    missed: Unplayed = "zero_bye"


class ComingLate(Coming):
    new: bool = False
    """Somebody else of a name that is known already."""


class Leaving(Params):
    name: Name
    reason: Words = ""


class Bye(Params):
    name: Name
    round: Annotated[int, Field(ge=1, le=999)]
    counts: Unplayed = "half_bye"


class Pairing(Params):
    round: Round = None
    seed: Seed = None


class Explaining(Pairing):
    meet: tuple[Name, Name] | None = None


class Which(Params):
    round: Round = None


class WhichTables(Which):
    player: Annotated[str | None, Field(max_length=100)] = None
    """The table of this player alone."""


class Swapping(Params):
    a: Name
    b: Name
    reason: Words = ""
    round: Round = None
    dry_run: bool = False


class Moving(Params):
    moves: Annotated[list[tuple[Table, Table]], Field(min_length=1, max_length=999)]
    round: Round = None


class Starting(Params):
    round: Round = None
    with_clock: bool = False


class Reopening(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    reason: Words


class Opening(Params):
    table: Words = ""
    """What the opening line says besides what the tournament fixes."""
    round: Round = None
    players: Annotated[int | None, Field(ge=1, le=8)] = None
    again: bool = False


class Taking(Params):
    table: Annotated[int | None, Field(ge=1, le=9999)] = None
    """One table; by default all whose record is closed."""
    round: Round = None


class Told(Params):
    """How a table ended, as people say it."""

    places: list[Annotated[str, Field(max_length=200)]] = []
    scores: list[Annotated[str, Field(max_length=60)]] = []
    absent: list[Annotated[str, Field(max_length=60)]] = []
    measures: list[int] | None = None
    tie_order: Annotated[str, Field(max_length=40)] = ""
    timed_out: bool = False
    anyway: bool = False
    round: Round = None

    def slip(self) -> Slip:
        return Slip(
            self.places,
            self.scores,
            self.absent,
            self.measures,
            self.tie_order,
            self.timed_out,
            self.anyway,
        )


class Result(Told):
    reason: Words


class Reporting(Told):
    player: Annotated[str, Field(max_length=100)] = ""
    """Who says so; a player speaks for themselves."""


class Calling(Params):
    text: Words = ""
    player: Annotated[str, Field(max_length=100)] = ""
    round: Round = None


class AnsweringCall(Params):
    text: Words = ""


class ClockStart(Params):
    minutes: Annotated[int | None, Field(ge=1, le=10_000)] = None
    round: Round = None


class ClockReason(Params):
    reason: Words = ""
    round: Round = None


class Extending(ClockReason):
    minutes: Minutes
    table: Annotated[int | None, Field(ge=1)] = None


class Through(Params):
    through: Round = None


class Finals(Params):
    places: Annotated[int, Field(ge=2, le=64)]
    style: Literal["knockout", "top_table"] = "top_table"
    seats: SeatRange | None = None
    advance: Annotated[int, Field(ge=1, le=8)] = 1
    on_tie: OnTie = "better_seed"
    lot: Seed = None
    reason: Words = ""
    dry_run: bool = False


class Replacing(Params):
    name: Name
    substitute: Name
    reason: Words


class Editing(Params):
    name: Name
    club: Annotated[str | None, Field(max_length=80)] = None
    rating: Annotated[int | None, Field(ge=0, le=9999)] = None
    seed: Annotated[int | None, Field(ge=0, le=9999)] = None
    fixed_table: Annotated[int | None, Field(ge=0, le=999)] = None


class Merging(Params):
    name: Name
    other: Name
    reason: Words


class RoundCheckIn(Params):
    round: Annotated[int, Field(ge=1, le=999)]
    names: Names


class Unstarting(Params):
    round: Round = None
    reason: Words


class Together(Params):
    names: Names
    round: Round = None
    reason: Words = ""


class Results(Params):
    lines: Annotated[str, Field(max_length=60_000)]
    """A line a table: ``3 B A``, ``4 A=40 B=38``."""
    reason: Words = ""
    round: Round = None
    anyway: bool = False


class Closing(Params):
    anyway: bool = False


class Lot(Params):
    names: Names
    reason: Words
    seed: Seed = None


class TournamentPenalty(Params):
    name: Name
    halves: Annotated[int, Field(ge=0, le=1998)]
    """Half points taken away; none is a warning."""
    reason: Words
    clause: Annotated[str | None, Field(max_length=40)] = None


class TournamentReading(Params):
    game: str
    reading: Annotated[str, Field(max_length=80)]
    value: Annotated[str, Field(max_length=80)]
    reason: Words


class Paper(Params):
    format: Literal["html", "pdf"] = "html"
    round: Round = None
    url: Annotated[str, Field(max_length=500)] = ""
    """An address that is printed as a code, where the paper has one."""
    large: bool = False


class Export(Params):
    of: Literal["standings", "pairings", "players"] = "standings"
    round: Round = None
    raw_csv: bool = False
    to_pair: bool = False
    """Of ``trf``: a report from which another program pairs the next round."""
    named: bool = False
    """Of ``events``: with the names of the players."""


class Log(Params):
    name: Name
    game: str
    file: Annotated[str | None, Field(max_length=200)] = None
    """What the file is called, for whoever is told that it cannot be read."""


def _file(document: Document) -> File:
    media = {
        "csv": "text/csv; charset=utf-8",
        "html": "text/html; charset=utf-8",
        "json": "application/json",
        "jsonl": "application/x-ndjson",
        "pdf": "application/pdf",
        "trf": "text/plain; charset=utf-8",
    }
    return File(*document, media[document.name.rpartition(".")[2]])


# the tournament itself


@route("tournament-list")
def tournaments(ask: Ask, wanted: Marked) -> Answered[TournamentListAnswer]:
    return lifecycle.tournaments(ask.caller, current=wanted.current)


@route("tournament-new", answer="tournament-told")
def create(ask: Ask, said: Creating) -> Answered[ToldAnswer]:
    return lifecycle.create(ask.caller, said.name, said.published(), key=ask.key)


@route("tournament-import", answer="tournament-told", takes_file=True)
def adopt(ask: Ask, wanted: Log) -> Answered[ToldAnswer]:
    return lifecycle.adopt_log(
        ask.caller, wanted.name, wanted.game, ask.content, file=wanted.file, key=ask.key
    )


@route("tournament-take", answer="tournament-told", takes_file=True)
def take_record(ask: Ask) -> Answered[ToldAnswer]:
    return lifecycle.take_record(ask.caller, read_record(BytesIO(ask.content)))


@route("tournament-info")
def tournament_info(ask: Ask, wanted: AtEvent) -> Answered[TournamentInfoAnswer]:
    return lifecycle.info(ask.caller, ask.tournament, at=wanted.at)


@route("tournament-revise", answer="tournament-told")
def revise(ask: Ask, said: Revising) -> Answered[ToldAnswer]:
    return lifecycle.revise(
        ask.caller,
        ask.tournament,
        said.plan,
        rounds=said.rounds,
        reason=said.reason,
        key=ask.key,
    )


@route("tournament-close", answer="tournament-told")
def close(ask: Ask, said: Closing) -> Answered[ToldAnswer]:
    return lifecycle.close(ask.caller, ask.tournament, anyway=said.anyway, key=ask.key)


@route("tournament-reopen", answer="tournament-told")
def reopen(ask: Ask, said: GoodReason) -> Answered[ToldAnswer]:
    return lifecycle.reopen(ask.caller, ask.tournament, said.reason, key=ask.key)


@route("tournament-history")
def history(ask: Ask) -> Answered[TournamentHistoryAnswer]:
    return judging.history(ask.caller, ask.tournament)


@route("tournament-disputes")
def disputes(ask: Ask) -> Answered[TournamentDisputesAnswer]:
    return judging.disputes(ask.caller, ask.tournament)


@route("tournament-check")
def check(ask: Ask) -> Answered[TournamentCheckAnswer]:
    return judging.check(ask.caller, ask.tournament)


@route("tournament-reading", answer="tournament-told")
def rule_reading(ask: Ask, said: TournamentReading) -> Answered[ToldAnswer]:
    return judging.rule_reading(
        ask.caller,
        ask.tournament,
        load_engine(said.game).id,
        said.reading,
        said.value,
        said.reason,
        key=ask.key,
    )


# players


@route("tournament-players")
def list_players(ask: Ask) -> Answered[TournamentPlayersAnswer]:
    return players.players(ask.caller, ask.tournament)


@route("tournament-register", answer="tournament-told")
def register(ask: Ask, said: Registering) -> Answered[ToldAnswer]:
    return players.register(
        ask.caller,
        ask.tournament,
        said.players,
        fixed_table=said.fixed_table,
        namesake=said.namesake,
        key=ask.key,
    )


@route("tournament-register-list", answer="tournament-told")
def register_list(ask: Ask, said: Listing) -> Answered[ToldAnswer]:
    listed = PlayerList(said.players, said.unread)
    return players.register_list(ask.caller, ask.tournament, listed, said.source, key=ask.key)


@route("tournament-check-in", answer="tournament-told")
def check_in(ask: Ask, said: CheckingIn) -> Answered[ToldAnswer]:
    return players.check_in(
        ask.caller, ask.tournament, said.names, everybody=said.everybody, key=ask.key
    )


@route("tournament-late", answer="tournament-told")
def come_late(ask: Ask, said: ComingLate) -> Answered[ToldAnswer]:
    return players.come_late(
        ask.caller, ask.tournament, said.name, said.missed, new=said.new, key=ask.key
    )


@route("tournament-round-check-in", answer="tournament-told")
def check_in_for_round(ask: Ask, said: RoundCheckIn) -> Answered[ToldAnswer]:
    return players.check_in_for_round(
        ask.caller, ask.tournament, said.round, said.names, key=ask.key
    )


@route("tournament-edit", answer="tournament-told")
def edit_player(ask: Ask, said: Editing) -> Answered[ToldAnswer]:
    return players.edit(
        ask.caller,
        ask.tournament,
        said.name,
        club=said.club,
        rating=said.rating,
        seed=said.seed,
        fixed_table=said.fixed_table,
        key=ask.key,
    )


@route("tournament-unregister", answer="tournament-told")
def unregister(ask: Ask, said: Leaving) -> Answered[ToldAnswer]:
    return players.unregister(
        ask.caller, ask.tournament, said.name, reason=said.reason, key=ask.key
    )


@route("tournament-merge", answer="tournament-told")
def merge_players(ask: Ask, said: Merging) -> Answered[ToldAnswer]:
    return players.merge(
        ask.caller, ask.tournament, said.name, said.other, said.reason, key=ask.key
    )


@route("tournament-drop", answer="tournament-told")
def drop(ask: Ask, said: Leaving) -> Answered[ToldAnswer]:
    return players.drop(ask.caller, ask.tournament, said.name, reason=said.reason, key=ask.key)


@route("tournament-return", answer="tournament-told")
def come_back(ask: Ask, said: Coming) -> Answered[ToldAnswer]:
    return players.come_back(ask.caller, ask.tournament, said.name, said.missed, key=ask.key)


@route("tournament-bye", answer="tournament-told")
def ask_bye(ask: Ask, said: Bye) -> Answered[ToldAnswer]:
    return players.ask_bye(
        ask.caller, ask.tournament, said.name, said.round, said.counts, key=ask.key
    )


# rounds


@route("tournament-round")
def show_round(ask: Ask, wanted: WhichTables) -> Answered[TournamentRoundAnswer]:
    return rounds.tables(ask.caller, ask.tournament, wanted.round, player=wanted.player)


@route("tournament-pair", answer="tournament-round")
def pair(ask: Ask, said: Pairing) -> Answered[TournamentRoundAnswer]:
    return rounds.pair(ask.caller, ask.tournament, said.round, seed=said.seed, key=ask.key)


@route("tournament-explain")
def pair_explained(ask: Ask, said: Explaining) -> Answered[TournamentExplainAnswer]:
    return rounds.pair_explained(
        ask.caller, ask.tournament, said.round, seed=said.seed, meet=said.meet, key=ask.key
    )


@route("tournament-unpair", answer="tournament-told")
def unpair(ask: Ask, said: GoodReason) -> Answered[ToldAnswer]:
    return rounds.unpair(ask.caller, ask.tournament, said.reason, key=ask.key)


@route("tournament-swap", answer="tournament-explain")
def swap(ask: Ask, said: Swapping) -> Answered[TournamentExplainAnswer]:
    return rounds.swap_players(
        ask.caller,
        ask.tournament,
        said.a,
        said.b,
        reason=said.reason,
        number=said.round,
        dry_run=said.dry_run,
        key=ask.key,
    )


@route("tournament-move", answer="tournament-round")
def move(ask: Ask, said: Moving) -> Answered[TournamentRoundAnswer]:
    return rounds.move_tables(
        ask.caller, ask.tournament, said.moves, number=said.round, key=ask.key
    )


@route("tournament-start", answer="tournament-told")
def start(ask: Ask, said: Starting) -> Answered[ToldAnswer]:
    return rounds.start(
        ask.caller, ask.tournament, said.round, with_clock=said.with_clock, key=ask.key
    )


@route("tournament-unstart", answer="tournament-told")
def unstart(ask: Ask, said: Unstarting) -> Answered[ToldAnswer]:
    return rounds.unstart(ask.caller, ask.tournament, said.reason, number=said.round, key=ask.key)


@route("tournament-seat", answer="tournament-round")
def seat_together(ask: Ask, said: Together) -> Answered[TournamentRoundAnswer]:
    return rounds.seat_together(
        ask.caller,
        ask.tournament,
        said.names,
        reason=said.reason,
        number=said.round,
        key=ask.key,
    )


@route("tournament-round-close", answer="tournament-told")
def close_round(ask: Ask, said: Which) -> Answered[ToldAnswer]:
    return rounds.close(ask.caller, ask.tournament, said.round, key=ask.key)


@route("tournament-round-reopen", answer="tournament-told")
def reopen_round(ask: Ask, said: Reopening) -> Answered[ToldAnswer]:
    return rounds.reopen(ask.caller, ask.tournament, said.round, said.reason, key=ask.key)


# tables and results


@route("tournament-table")
def open_table(ask: Ask, said: Opening) -> Answered[TournamentTableAnswer | OpeningRefusedAnswer]:
    return results.open_table(
        ask.caller,
        ask.tournament,
        ask.number("table"),
        said.table,
        round=said.round,
        players=said.players,
        again=said.again,
        key=ask.key,
    )


@route("tournament-results", answer="tournament-told")
def take_results(ask: Ask, said: Taking) -> Answered[ToldAnswer]:
    return results.take_results(
        ask.caller, ask.tournament, said.table, round=said.round, key=ask.key
    )


@route("tournament-result", answer="tournament-told")
def enter_result(ask: Ask, said: Result) -> Answered[ToldAnswer]:
    return results.enter_result(
        ask.caller,
        ask.tournament,
        ask.number("table"),
        said.slip(),
        said.reason,
        round=said.round,
        key=ask.key,
    )


@route("tournament-correct", answer="tournament-told")
def correct_result(ask: Ask, said: Result) -> Answered[ToldAnswer]:
    return results.correct_result(
        ask.caller,
        ask.tournament,
        ask.number("table"),
        said.slip(),
        said.reason,
        round=said.round,
        key=ask.key,
    )


@route("tournament-report", answer="tournament-told")
def report(ask: Ask, said: Reporting) -> Answered[ToldAnswer]:
    return player_reports.report(
        ask.caller,
        ask.tournament,
        ask.number("table"),
        said.slip(),
        player=said.player,
        round=said.round,
        key=ask.key,
    )


@route("tournament-call", answer="tournament-told")
def call_judge(ask: Ask, said: Calling) -> Answered[ToldAnswer]:
    return player_reports.call_judge(
        ask.caller,
        ask.tournament,
        ask.number("table"),
        said.text,
        player=said.player,
        round=said.round,
        key=ask.key,
    )


@route("tournament-call-answer", answer="tournament-told")
def answer_call(ask: Ask, said: AnsweringCall) -> Answered[ToldAnswer]:
    return player_reports.answer_call(
        ask.caller, ask.tournament, ask.number("number"), said.text, key=ask.key
    )


@route("tournament-invite")
def invite(ask: Ask, said: CheckingIn) -> Answered[TournamentInvitationsAnswer]:
    return player_reports.invite(ask.caller, ask.tournament, said.names, everybody=said.everybody)


@route("tournament-result-list", answer="tournament-told")
def enter_results(ask: Ask, said: Results) -> Answered[ToldAnswer]:
    return results.enter_list(
        ask.caller,
        ask.tournament,
        said.lines,
        said.reason,
        anyway=said.anyway,
        round=said.round,
        key=ask.key,
    )


# the clock


@route("tournament-clock")
def show_clock(ask: Ask, wanted: Which) -> Answered[TournamentClockAnswer]:
    return clock.show(ask.caller, ask.tournament, round=wanted.round)


@route("tournament-clock-start", answer="tournament-told")
def start_clock(ask: Ask, said: ClockStart) -> Answered[ToldAnswer]:
    return clock.start(ask.caller, ask.tournament, said.minutes, round=said.round, key=ask.key)


@route("tournament-clock-pause", answer="tournament-told")
def pause_clock(ask: Ask, said: ClockReason) -> Answered[ToldAnswer]:
    return clock.pause(
        ask.caller, ask.tournament, reason=said.reason, round=said.round, key=ask.key
    )


@route("tournament-clock-extend", answer="tournament-told")
def extend_clock(ask: Ask, said: Extending) -> Answered[ToldAnswer]:
    return clock.extend(
        ask.caller,
        ask.tournament,
        said.minutes,
        table=said.table,
        reason=said.reason,
        round=said.round,
        key=ask.key,
    )


@route("tournament-clock-stop", answer="tournament-told")
def stop_clock(ask: Ask, said: ClockReason) -> Answered[ToldAnswer]:
    return clock.stop(ask.caller, ask.tournament, reason=said.reason, round=said.round, key=ask.key)


# ranking


@route("tournament-standings")
def standings(ask: Ask, wanted: Through) -> Answered[TournamentStandingsAnswer]:
    return standings_answers.standings(ask.caller, ask.tournament, through=wanted.through)


@route("tournament-why")
def why(ask: Ask, wanted: Through) -> Answered[TournamentWhyAnswer]:
    return standings_answers.why(
        ask.caller, ask.tournament, ask.path["player"], through=wanted.through
    )


@route("tournament-bracket")
def bracket(ask: Ask) -> Answered[TournamentBracketAnswer]:
    return standings_answers.bracket(ask.caller, ask.tournament)


@route("tournament-finals")
def finals(ask: Ask, said: Finals) -> Answered[TournamentFinalsAnswer]:
    return standings_answers.finals(
        ask.caller,
        ask.tournament,
        said.places,
        style=said.style,
        seats=said.seats,
        advance=said.advance,
        on_tie=said.on_tie,
        lot=said.lot,
        reason=said.reason,
        dry_run=said.dry_run,
        key=ask.key,
    )


@route("tournament-finals-cancel", answer="tournament-told")
def cancel_finals(ask: Ask, said: GoodReason) -> Answered[ToldAnswer]:
    return standings_answers.cancel_finals(ask.caller, ask.tournament, said.reason, key=ask.key)


@route("tournament-finalist", answer="tournament-told")
def replace_finalist(ask: Ask, said: Replacing) -> Answered[ToldAnswer]:
    return standings_answers.replace_finalist(
        ask.caller, ask.tournament, said.name, said.substitute, said.reason, key=ask.key
    )


@route("tournament-lot", answer="tournament-told")
def draw_lot(ask: Ask, said: Lot) -> Answered[ToldAnswer]:
    return standings_answers.draw_lot(
        ask.caller, ask.tournament, said.names, said.reason, seed=said.seed, key=ask.key
    )


@route("tournament-penalties")
def penalties(ask: Ask) -> Answered[TournamentPenaltiesAnswer]:
    return judging.penalties(ask.caller, ask.tournament)


@route("tournament-penalise", answer="tournament-told")
def penalise(ask: Ask, said: TournamentPenalty) -> Answered[ToldAnswer]:
    return judging.penalise(
        ask.caller,
        ask.tournament,
        said.name,
        said.halves,
        said.reason,
        clause=said.clause,
        key=ask.key,
    )


@route("tournament-penalty-cancel", answer="tournament-told")
def cancel_penalty(ask: Ask, said: GoodReason) -> Answered[ToldAnswer]:
    return judging.cancel_penalty(
        ask.caller, ask.tournament, ask.number("number"), said.reason, key=ask.key
    )


# papers and deals


@route("tournament-paper")
def paper(ask: Ask, wanted: Paper) -> File:
    return _file(
        printing.printed(
            ask.caller,
            ask.tournament,
            ask.path["paper"],
            format=wanted.format,
            round=wanted.round,
            url=wanted.url,
            large=wanted.large,
        )
    )


@route("tournament-export")
def export(ask: Ask, wanted: Export) -> File:
    return _file(
        printing.exported(
            ask.caller,
            ask.tournament,
            ask.path["format"],
            of=wanted.of,
            round=wanted.round,
            raw_csv=wanted.raw_csv,
            to_pair=wanted.to_pair,
            named=wanted.named,
        )
    )


@route("tournament-reveal", answer="tournament-told")
def reveal_deal(ask: Ask, said: Deal) -> Answered[ToldAnswer]:
    return printing.reveal_deal(ask.caller, ask.tournament, said, key=ask.key)
