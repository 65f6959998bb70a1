"""A client of the API of `referee serve`, for programs at a table or a tournament.

Nothing but Python is needed: install it, or copy this file into your program. Written from the
OpenAPI document (`python -m tools.clients`).
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote, urlencode, urlsplit


class Refused(Exception):
    """The service says no; ``status``, ``code`` and the whole problem document."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title"))
        self.status = problem["status"]
        self.code = problem["code"]
        self.problem = problem


class Client:
    """One service, one token; a seat's token need not say who speaks."""

    soonest, latest = 1.0, 30.0
    """So many seconds are waited before a lost stream is asked for again."""

    def __init__(self, url: str, token: str = "", lang: str = "en", patience: float = 30) -> None:
        self._place = urlsplit(url)
        self._patience = patience
        self._headers = {"Accept-Language": lang, "Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def _open(self) -> HTTPConnection:
        kind = HTTPSConnection if self._place.scheme == "https" else HTTPConnection
        return kind(self._place.netloc, timeout=self._patience)

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        said = {name: value for name, value in (body or {}).items() if value is not None}
        target = f"/api/v1{path}" + (f"?{urlencode(asked, doseq=True)}" if asked else "")
        connection = self._open()
        try:
            content = None if body is None else json.dumps(said)
            connection.request(method, target, content, self._headers)
            reply = connection.getresponse()
            answer = json.loads(reply.read())
        finally:
            connection.close()
        if reply.status >= 400:
            raise Refused(answer)
        return answer["data"]

    def events(self, game: str, after: int = -1) -> Iterator[tuple[int, str, Any]]:
        """A game live: number of the entry, kind of the event, its data.

        A lost connection is made anew and goes on behind the last event; it ends when the service
        refuses it.
        """
        return self._follow(f"/games/{quote(game)}/events", after)

    def tournament_events(self, tournament: str, after: int = -1) -> Iterator[tuple[int, str, Any]]:
        """A tournament live, in the same way."""
        return self._follow(f"/tournaments/{quote(tournament)}/events", after)

    def _follow(self, path: str, after: int) -> Iterator[tuple[int, str, Any]]:
        number, pause = after, self.soonest
        while True:
            try:
                for event in self._stream(path, number):
                    number, pause = event[0], self.soonest
                    yield event
            except Refused as refused:
                if refused.status < 500 and refused.status != 429:
                    raise
            except (OSError, HTTPException, ValueError):
                pass  # the line was cut, or somebody between us has answered
            time.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, self.latest)

    def _stream(self, path: str, after: int) -> Iterator[tuple[int, str, Any]]:
        connection = self._open()
        headers = {**self._headers, "Last-Event-ID": str(after)}
        try:
            connection.request("GET", f"/api/v1{path}", None, headers)
            reply = connection.getresponse()
            if reply.status >= 400:
                raise Refused(json.loads(reply.read()))
            number, kind = after, "message"
            for line in map(bytes.decode, reply):
                if not line.endswith("\n"):
                    return
                name, _, value = line.rstrip("\n").partition(": ")
                if name == "id":
                    number = int(value)
                elif name == "event":
                    kind = value
                elif name == "data":
                    yield number, kind, json.loads(value)
        finally:
            connection.close()

    def games(
        self,
        *,
        closed: bool | None = None,
        engine: str | None = None,
        player: str | None = None,
        tournament: str | None = None,
        since: str | None = None,
        until: str | None = None,
        search: str | None = None,
        players: int | None = None,
        box: str | None = None,
        reading: str | None = None,
        clause: str | None = None,
        dispute: Literal["any", "open", "none"] | None = None,
        result: Literal["decided", "tied", "table_won", "table_lost", "none"] | None = None,
        won_by: str | None = None,
        current: str | None = None,
        start: int | None = None,
        most: int | None = None,
    ) -> GamesAnswer:
        """List games, latest first."""
        query = {
            "closed": closed,
            "engine": engine,
            "player": player,
            "tournament": tournament,
            "since": since,
            "until": until,
            "search": search,
            "players": players,
            "box": box,
            "reading": reading,
            "clause": clause,
            "dispute": dispute,
            "result": result,
            "won_by": won_by,
            "current": current,
            "start": start,
            "most": most,
        }
        answer: GamesAnswer = self._ask("GET", "/games", query=query)
        return answer

    def new(
        self,
        *,
        game: str,
        table: str | None = None,
        players: dict[str, str] | None = None,
        kit: str | dict[str, Any] | None = None,
        readings: dict[str, str] | None = None,
        house_rules: list[str] | None = None,
        preset: Preset | None = None,
        title: str | None = None,
        stands: bool | None = None,
    ) -> NewAnswer | OpeningRefusedAnswer:
        """Start a game."""
        body = {
            "game": game,
            "table": table,
            "players": players,
            "kit": kit,
            "readings": readings,
            "house_rules": house_rules,
            "preset": preset,
            "title": title,
            "stands": stands,
        }
        answer: NewAnswer | OpeningRefusedAnswer = self._ask("POST", "/games", body=body)
        return answer

    def info(self, game: str) -> InfoAnswer:
        """Set-up and status of a game."""
        answer: InfoAnswer = self._ask("GET", f"/games/{quote(game)}")
        return answer

    def log(
        self,
        game: str,
        *,
        lines: list[str | dict[str, Any]],
        stands: bool | None = None,
        after: int | None = None,
        by_sight: Literal["confirmed", "unconfirmed"] | None = None,
    ) -> LogAnswer:
        """Log moves, up to the first refusal."""
        body = {"lines": lines, "stands": stands, "after": after, "by_sight": by_sight}
        answer: LogAnswer = self._ask("POST", f"/games/{quote(game)}/actions", body=body)
        return answer

    def check(
        self,
        game: str,
        *,
        lines: list[str | dict[str, Any]],
        stands: bool | None = None,
        after: int | None = None,
    ) -> LogAnswer:
        """Check moves, recording nothing."""
        body = {"lines": lines, "stands": stands, "after": after}
        answer: LogAnswer = self._ask("POST", f"/games/{quote(game)}/check", body=body)
        return answer

    def state(self, game: str, *, at: int | None = None, view: str | None = None) -> StateAnswer:
        """The position, as text and data."""
        query = {"at": at, "view": view}
        answer: StateAnswer = self._ask("GET", f"/games/{quote(game)}/state", query=query)
        return answer

    def options(
        self,
        game: str,
        *,
        prefix: str | None = None,
        at: int | None = None,
        drawings: bool | None = None,
    ) -> OptionsAnswer:
        """Every legal move, and the form of those that cannot be listed."""
        query = {"prefix": prefix, "at": at, "drawings": drawings}
        answer: OptionsAnswer = self._ask("GET", f"/games/{quote(game)}/options", query=query)
        return answer

    def choices(self, game: str, *, prefix: str | None = None) -> ChoicesAnswer:
        """The words that may come next in a line."""
        query = {"prefix": prefix}
        answer: ChoicesAnswer = self._ask("GET", f"/games/{quote(game)}/choices", query=query)
        return answer

    def why(self, game: str, *, line: str, at: int | None = None) -> WhyAnswer:
        """Why a move is legal or not, with every rule consulted."""
        query = {"line": line, "at": at}
        answer: WhyAnswer = self._ask("GET", f"/games/{quote(game)}/why", query=query)
        return answer

    def moves(
        self,
        game: str,
        *,
        start: int | None = None,
        by: str | None = None,
        containing: str | None = None,
        everything: bool | None = None,
        bare: bool | None = None,
        view: str | None = None,
    ) -> MovesAnswer:
        """The record, move by move."""
        query = {
            "start": start,
            "by": by,
            "containing": containing,
            "everything": everything,
            "bare": bare,
            "view": view,
        }
        answer: MovesAnswer = self._ask("GET", f"/games/{quote(game)}/moves", query=query)
        return answer

    def entries(
        self,
        game: str,
        *,
        after: int | None = None,
        most: int | None = None,
        view: str | None = None,
    ) -> EntriesAnswer:
        """The record, entry by entry."""
        query = {"after": after, "most": most, "view": view}
        answer: EntriesAnswer = self._ask("GET", f"/games/{quote(game)}/entries", query=query)
        return answer

    def undo(
        self,
        game: str,
        *,
        count: int | None = None,
        to: int | None = None,
        reason: str | None = None,
    ) -> UndoAnswer:
        """Undo the last moves."""
        body = {"count": count, "to": to, "reason": reason}
        answer: UndoAnswer = self._ask("POST", f"/games/{quote(game)}/undo", body=body)
        return answer

    def redo(self, game: str, *, count: int | None = None) -> RedoAnswer:
        """Redo what was undone."""
        body = {"count": count}
        answer: RedoAnswer = self._ask("POST", f"/games/{quote(game)}/redo", body=body)
        return answer

    def finish(
        self, game: str, *, reason: str | None = None, yes: bool | None = None
    ) -> FinishAnswer:
        """Finish a game."""
        body = {"reason": reason, "yes": yes}
        answer: FinishAnswer = self._ask("POST", f"/games/{quote(game)}/finish", body=body)
        return answer

    def dispute_open(
        self,
        game: str,
        *,
        number: int,
        text: str | None = None,
        seat: str | None = None,
        clause: str | None = None,
        holds: bool | None = None,
        appeals: str | None = None,
    ) -> DisputeAnswer:
        """Call a judge about a move."""
        body = {
            "number": number,
            "text": text,
            "seat": seat,
            "clause": clause,
            "holds": holds,
            "appeals": appeals,
        }
        answer: DisputeAnswer = self._ask("POST", f"/games/{quote(game)}/disputes", body=body)
        return answer

    def access_who(self) -> WhoAnswer:
        """Who am I here?."""
        answer: WhoAnswer = self._ask("GET", "/me")
        return answer

    def join(self, *, code: str) -> PassAnswer:
        """Exchange a join code for a token and a cookie."""
        body = {"code": code}
        answer: PassAnswer = self._ask("POST", "/join", body=body)
        return answer

    def engine_list(self) -> EngineListAnswer:
        """List the games that can be refereed."""
        answer: EngineListAnswer = self._ask("GET", "/engines")
        return answer

    def tournament_list(self, *, current: str | None = None) -> TournamentListAnswer:
        """List tournaments."""
        query = {"current": current}
        answer: TournamentListAnswer = self._ask("GET", "/tournaments", query=query)
        return answer

    def tournament_new(
        self,
        *,
        name: str,
        game: str | None = None,
        games: list[str] | None = None,
        format: Literal[
            "swiss",
            "round_robin",
            "knockout",
            "double_elimination",
            "pods",
            "league",
            "duplicate",
            "ladder",
        ]
        | None = None,
        rounds: int | None = None,
        options: dict[str, Any] | None = None,
        deals: list[Deal | DealRef] | None = None,
        seats: SeatRange | None = None,
        scoring: Any | None = None,
        tie_breaks: list[
            Literal[
                "PTS",
                "DE",
                "BH",
                "BH/C1",
                "BH/C2",
                "BH/M1",
                "PS",
                "KS",
                "SB",
                "WIN",
                "OMW",
                "GP",
                "GW",
                "OGW",
                "EMGSB",
                "EMGSB/C1",
                "FIRSTS",
                "SHARE",
                "SCORE",
                "OPP",
                "BEST",
                "ATT",
                "LADDER",
                "LOT",
            ]
        ]
        | None = None,
        readings: dict[str, Any] | None = None,
        house_rules: dict[str, Any] | None = None,
        presets: dict[str, Any] | None = None,
        time: TimeRule | None = None,
        table_numbers: Literal["varied", "by_standings"] | None = None,
        check_in: bool | None = None,
        unplayed_rounds: Literal["fide_2024", "fide_2026"] | None = None,
        penalties: list[PenaltyLevel] | None = None,
        match: Match | None = None,
        like: Literal["olympiad"] | None = None,
        plan: Plan | None = None,
    ) -> ToldAnswer:
        """Create a tournament."""
        body = {
            "game": game,
            "games": games,
            "format": format,
            "rounds": rounds,
            "options": options,
            "deals": deals,
            "seats": seats,
            "scoring": scoring,
            "tie_breaks": tie_breaks,
            "readings": readings,
            "house_rules": house_rules,
            "presets": presets,
            "time": time,
            "table_numbers": table_numbers,
            "check_in": check_in,
            "unplayed_rounds": unplayed_rounds,
            "penalties": penalties,
            "match": match,
            "like": like,
            "name": name,
            "plan": plan,
        }
        answer: ToldAnswer = self._ask("POST", "/tournaments", body=body)
        return answer

    def tournament_info(self, tournament: str, *, at: int | None = None) -> TournamentInfoAnswer:
        """Status of a tournament."""
        query = {"at": at}
        answer: TournamentInfoAnswer = self._ask(
            "GET", f"/tournaments/{quote(tournament)}", query=query
        )
        return answer

    def tournament_players(self, tournament: str) -> TournamentPlayersAnswer:
        """List players."""
        answer: TournamentPlayersAnswer = self._ask(
            "GET", f"/tournaments/{quote(tournament)}/players"
        )
        return answer

    def tournament_register(
        self,
        tournament: str,
        *,
        players: list[PlayerRow],
        fixed_table: int | None = None,
        namesake: bool | None = None,
    ) -> ToldAnswer:
        """Register players."""
        body = {"players": players, "fixed_table": fixed_table, "namesake": namesake}
        answer: ToldAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/players", body=body
        )
        return answer

    def tournament_check_in(
        self, tournament: str, *, names: list[str] | None = None, everybody: bool | None = None
    ) -> ToldAnswer:
        """Check players in."""
        body = {"names": names, "everybody": everybody}
        answer: ToldAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/players/check-in", body=body
        )
        return answer

    def tournament_pair(
        self,
        tournament: str,
        *,
        round: int | None = None,
        seed: int | None = None,
        anyway: bool | None = None,
    ) -> TournamentRoundAnswer:
        """Pair the next round."""
        body = {"round": round, "seed": seed, "anyway": anyway}
        answer: TournamentRoundAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/round/pairing", body=body
        )
        return answer

    def tournament_start(
        self, tournament: str, *, round: int | None = None, with_clock: bool | None = None
    ) -> ToldAnswer:
        """Start a round."""
        body = {"round": round, "with_clock": with_clock}
        answer: ToldAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/round/start", body=body
        )
        return answer

    def tournament_round(
        self, tournament: str, *, round: int | None = None, player: str | None = None
    ) -> TournamentRoundAnswer:
        """A round and its tables."""
        query = {"round": round, "player": player}
        answer: TournamentRoundAnswer = self._ask(
            "GET", f"/tournaments/{quote(tournament)}/round", query=query
        )
        return answer

    def tournament_table(
        self,
        tournament: str,
        table: str,
        *,
        table_: str | None = None,
        round: int | None = None,
        players: int | None = None,
        again: bool | None = None,
        board: int | None = None,
    ) -> TournamentTableAnswer | OpeningRefusedAnswer:
        """Open the game of a table."""
        body = {"table": table_, "round": round, "players": players, "again": again, "board": board}
        answer: TournamentTableAnswer | OpeningRefusedAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/tables/{quote(table)}", body=body
        )
        return answer

    def tournament_result(
        self,
        tournament: str,
        table: str,
        *,
        reason: str,
        places: list[str] | None = None,
        scores: list[str] | None = None,
        absent: list[str] | None = None,
        measures: list[int] | None = None,
        tie_order: str | None = None,
        timed_out: bool | None = None,
        anyway: bool | None = None,
        games: str | None = None,
        round: int | None = None,
    ) -> ToldAnswer:
        """Enter a result."""
        body = {
            "places": places,
            "scores": scores,
            "absent": absent,
            "measures": measures,
            "tie_order": tie_order,
            "timed_out": timed_out,
            "anyway": anyway,
            "games": games,
            "round": round,
            "reason": reason,
        }
        answer: ToldAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/tables/{quote(table)}/result", body=body
        )
        return answer

    def tournament_round_close(self, tournament: str, *, round: int | None = None) -> ToldAnswer:
        """Close a round."""
        body = {"round": round}
        answer: ToldAnswer = self._ask(
            "POST", f"/tournaments/{quote(tournament)}/round/close", body=body
        )
        return answer

    def tournament_standings(
        self, tournament: str, *, through: int | None = None, section: str | None = None
    ) -> TournamentStandingsAnswer:
        """Standings."""
        query = {"through": through, "section": section}
        answer: TournamentStandingsAnswer = self._ask(
            "GET", f"/tournaments/{quote(tournament)}/standings", query=query
        )
        return answer

    def tournament_close(self, tournament: str, *, anyway: bool | None = None) -> ToldAnswer:
        """Close a tournament."""
        body = {"anyway": anyway}
        answer: ToldAnswer = self._ask("POST", f"/tournaments/{quote(tournament)}/close", body=body)
        return answer


class ActionAnswer(TypedDict):
    verb: str


class AnsweredCall(TypedDict):
    player: str
    text: str


class BoardAnswer(TypedDict):
    board: int
    first: SeatAnswer | None
    second: SeatAnswer | None
    begins: Literal["A", "B"]
    result: Literal["A", "B", "="] | None
    game: str | None


class BrokenEngineRow(TypedDict):
    engine: str
    package: str
    place: str
    why: str


class ChoiceRow(TypedDict):
    word: str
    name: str
    complete: bool
    options: int


class ChoicesAnswer(TypedDict):
    game: str
    choices: list[ChoiceRow]


class ClaimAnswer(TypedDict):
    number: int
    clause: str
    status: Literal["open", "cleared", "broken"]
    by: int | None
    seal: str | None


class ClockAnswer(TypedDict):
    minutes: int
    left: int
    ends: str | None
    up: bool
    state: Literal["running", "paused", "stopped"]
    starts: str | None
    starts_in: int
    tables: list[TableTimeAnswer]


class ConsultedAnswer(TypedDict):
    clause: str
    facts: dict[str, Any]
    held: bool
    effect: bool


class Deal(TypedDict):
    name: str
    game: str
    piles: dict[str, Any]
    seed: NotRequired[int | None]


class DealRef(TypedDict):
    name: str
    digest: str


class DisputeAnswer(TypedDict):
    id: str
    numbers: list[int]
    seat: str | None
    clause: str | None
    text: str
    cause: Literal["seat", "finding", "stands", "deal", "slip"]
    holds: bool
    beside: str | None
    settled: str | None
    attended: NotRequired[bool]
    appeals: NotRequired[str | None]
    game: str


class DoubleElimination(TypedDict):
    kind: NotRequired[Literal["double_elimination"]]
    on_tie: NotRequired[Literal["replay", "better_seed", "later_seat", "judge"]]


class DoubtAnswer(TypedDict):
    datum: str
    provenance: str


class DuelScoring(TypedDict):
    kind: NotRequired[Literal["duel"]]
    win: NotRequired[int]
    draw: NotRequired[int]
    loss: NotRequired[int]
    bye: NotRequired[int]
    half_bye: NotRequired[int]


class Duplicate(TypedDict):
    kind: NotRequired[Literal["duplicate"]]
    deals: list[DealRef]


class EngineListAnswer(TypedDict):
    engines: list[EngineRow]
    broken: NotRequired[list[BrokenEngineRow]]


class EngineRow(TypedDict):
    engine: str
    name: str
    version: str
    seats: list[Any]
    clauses: int
    readings: int


class EntriesAnswer(TypedDict):
    game: str
    last: int
    entries: list[EntryRow]


class EntryRow(TypedDict):
    entry: int
    kind: str
    at: str
    by: str
    role: str
    number: int | None
    text: str | None
    outcome: str | None
    clauses: list[str]
    told: str


class EventRef(TypedDict):
    number: int
    kind: str


class FinalistsAnswer(TypedDict):
    style: Literal["top_table", "knockout", "double_elimination"]
    players: list[str]


class FindingAnswer(TypedDict):
    status: Literal["broken", "cleared"]
    clause: str
    entries: list[int]
    facts: dict[str, Any]
    since: NotRequired[int | None]


class FinishAnswer(TypedDict):
    game: str
    reason: str
    places: list[list[str]]
    scores: dict[str, int]
    clause: str | None
    won: bool | None
    claims: list[ClaimAnswer]
    disputes: list[str]
    seals: list[str]
    head: str


class GameRow(TypedDict):
    game: str
    engine: str
    title: str
    people: dict[str, str]
    players: dict[str, str]
    entries: int
    actions: int
    opened: str
    updated: str
    closed: bool
    result: dict[str, Any] | None
    tournament: str
    kept_apart: NotRequired[bool]
    seats: NotRequired[int]
    box: NotRequired[str]
    readings: NotRequired[dict[str, str]]
    disputes: NotRequired[int]
    open_disputes: NotRequired[int]
    over: NotRequired[bool]


class GameScoring(TypedDict):
    kind: NotRequired[Literal["game"]]
    bye: NotRequired[int]
    half_bye: NotRequired[int]


class GamesAnswer(TypedDict):
    total: int
    games: list[GameRow]


class HeardAnswer(TypedDict):
    verdict: Literal["legal", "illegal", "undecided"]
    clause: str | None
    breaches: list[PointAnswer]
    claims: list[PointAnswer]
    effects: list[PointAnswer]
    findings: list[FindingAnswer]
    warnings: list[WarningAnswer]
    doubted: NotRequired[list[PointAnswer]]
    moved: list[MovedAnswer]
    scored: list[ScoredAnswer]
    game: str
    number: int | None
    notation: str | None
    action: ActionAnswer | None
    accepted: bool
    stands: bool
    may_stand: bool
    disputes: list[str]
    attention: bool
    doubts: list[DoubtAnswer]
    to_act: list[str]
    head: str


class InfoAnswer(TypedDict):
    game: str
    engine: str
    engine_version: str
    edition: str
    title: str
    tournament: str
    all_seats: list[str]
    seats: dict[str, str]
    opening: str
    kit: str
    kit_hash: str
    provenance: dict[str, int]
    readings: dict[str, str]
    house_rules: list[str]
    preset: str
    take_backs_need_judge: list[str]
    entries: int
    actions: int
    pending: list[int]
    held: bool
    clock: TableClockAnswer | None
    closed: bool
    over: bool
    disputes: list[str]
    confirmed: dict[str, int]
    agreed: bool
    claims: list[ClaimAnswer]
    notes: int
    head: str
    to_act: list[str]
    corrected: int | None
    colours: NotRequired[dict[str, str]]
    to_act_text: NotRequired[str]
    result: NotRequired[ResultAnswer | None]


class Knockout(TypedDict):
    kind: NotRequired[Literal["knockout"]]
    advance: NotRequired[int]
    lives: NotRequired[int]
    on_tie: NotRequired[Literal["replay", "better_seed", "later_seat", "judge"]]
    third_place: NotRequired[bool]


class Ladder(TypedDict):
    kind: NotRequired[Literal["ladder"]]


class LadderScoring(TypedDict):
    kind: NotRequired[Literal["ladder"]]
    measures: list[Measure]
    bye: NotRequired[int]
    half_bye: NotRequired[int]


class League(TypedDict):
    kind: NotRequired[Literal["league"]]
    counted: int


LogAnswer = dict[str, Any]


class Match(TypedDict):
    games: int
    boards: NotRequired[bool]
    bye_boards: NotRequired[int | None]
    no_show_boards: NotRequired[int | None]
    roster_order: NotRequired[bool]


class Measure(TypedDict):
    name: str
    better: NotRequired[Literal["more", "fewer"]]


class MoveRow(TypedDict):
    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: Literal["legal", "illegal", "undecided"]
    clauses: list[str]
    status: Literal["counts", "pending", "taken_back", "corrected"]
    stands: bool
    notes: list[str]
    settled: Literal["cleared", "broken"] | None
    settled_by: str | None
    round: NotRequired[int | None]
    told: NotRequired[str]
    by_sight: NotRequired[Literal["confirmed", "unconfirmed"] | None]
    remarks: NotRequired[list[str]]


class MovedAnswer(TypedDict):
    source: str | None
    target: str | None
    thing: str
    amount: int


class MovesAnswer(TypedDict):
    game: str
    moves: list[MoveRow]


class NewAnswer(TypedDict):
    verdict: Literal["legal", "illegal", "undecided"]
    clause: str | None
    breaches: list[PointAnswer]
    claims: list[PointAnswer]
    effects: list[PointAnswer]
    findings: list[FindingAnswer]
    warnings: list[WarningAnswer]
    doubted: NotRequired[list[PointAnswer]]
    moved: list[MovedAnswer]
    scored: list[ScoredAnswer]
    game: str
    number: int | None
    notation: str | None
    action: ActionAnswer | None
    accepted: bool
    stands: bool
    may_stand: bool
    disputes: list[str]
    attention: bool
    doubts: list[DoubtAnswer]
    to_act: list[str]
    head: str
    assumed: int
    unchosen: dict[str, str]


class OpeningRefusedAnswer(TypedDict):
    verdict: Literal["legal", "illegal", "undecided"]
    clause: str | None
    breaches: list[PointAnswer]
    claims: list[PointAnswer]
    effects: list[PointAnswer]
    findings: list[FindingAnswer]
    warnings: list[WarningAnswer]
    doubted: NotRequired[list[PointAnswer]]
    moved: list[MovedAnswer]
    scored: list[ScoredAnswer]
    engine: str
    notation: str


class OptionAnswer(TypedDict):
    notation: str
    action: ActionAnswer
    label: NotRequired[str]
    secret: NotRequired[bool]


class OptionsAnswer(TypedDict):
    game: str
    options: list[OptionAnswer]
    in_silence: list[OptionAnswer]
    templates: list[str]
    names: dict[str, str]
    drawings: NotRequired[dict[str, str]]


class PassAnswer(TypedDict):
    id: str
    role: str
    scope: str
    person: str
    name: str
    created: str
    expires: str | None
    token: str


class PenaltyLevel(TypedDict):
    name: str
    halves: NotRequired[int]


class PileAnswer(TypedDict):
    place: str
    things: list[str]


class PlaceScoring(TypedDict):
    kind: NotRequired[Literal["places"]]
    places: list[int]
    by_size: NotRequired[dict[str, Any]]
    tied_first: NotRequired[int | None]
    bye: NotRequired[int]
    half_bye: NotRequired[int]


class Plan(TypedDict):
    games: list[str]
    format: Any
    rounds: int
    seats: SeatRange
    scoring: Any
    tie_breaks: list[
        Literal[
            "PTS",
            "DE",
            "BH",
            "BH/C1",
            "BH/C2",
            "BH/M1",
            "PS",
            "KS",
            "SB",
            "WIN",
            "OMW",
            "GP",
            "GW",
            "OGW",
            "EMGSB",
            "EMGSB/C1",
            "FIRSTS",
            "SHARE",
            "SCORE",
            "OPP",
            "BEST",
            "ATT",
            "LADDER",
            "LOT",
        ]
    ]
    readings: NotRequired[dict[str, Any]]
    house_rules: NotRequired[dict[str, Any]]
    presets: NotRequired[dict[str, Any]]
    time: NotRequired[TimeRule | None]
    table_numbers: NotRequired[Literal["varied", "by_standings"]]
    check_in: NotRequired[bool]
    unplayed_rounds: NotRequired[Literal["fide_2024", "fide_2026"]]
    penalties: NotRequired[list[PenaltyLevel]]
    match: NotRequired[Match | None]


class PlayerRow(TypedDict):
    name: str
    club: NotRequired[str]
    rating: NotRequired[int]
    seed: NotRequired[int | None]
    last_name: NotRequired[str]
    title: NotRequired[str]
    federation: NotRequired[str]
    licence: NotRequired[str]
    sections: NotRequired[list[str]]
    team: NotRequired[str]
    board: NotRequired[int | None]
    captain: NotRequired[bool]


class Pods(TypedDict):
    kind: NotRequired[Literal["pods"]]
    by_standings: NotRequired[bool]


class PointAnswer(TypedDict):
    clause: str
    facts: dict[str, Any]


class Preset(TypedDict):
    game: str
    name: str
    readings: NotRequired[dict[str, str]]
    house_rules: NotRequired[list[str]]
    take_backs_need_judge: NotRequired[list[Literal["observation", "other_seat"]]]


class RearrangedAnswer(TypedDict):
    moved: NotRequired[list[MovedAnswer]]
    counted: NotRequired[list[RecountAnswer]]
    arranged: NotRequired[list[PileAnswer]]
    told: NotRequired[list[str]]


class RecountAnswer(TypedDict):
    holder: str
    what: Literal["points", "cards"]
    was: int
    now: int


class RedoAnswer(TypedDict):
    game: str
    table: NotRequired[RearrangedAnswer]
    judged_again: int
    rejudged: list[RejudgedRow]
    pending: list[int]
    disputes_ended: NotRequired[list[str]]
    restored: list[int]


class RejudgedRow(TypedDict):
    number: int
    before: Literal["legal", "illegal", "undecided"]
    after: Literal["legal", "illegal", "undecided", "pending"]
    clauses: list[str]


class ReportAnswer(TypedDict):
    player: str
    outcome: dict[str, Any]
    event: int


class ResultAnswer(TypedDict):
    places: list[list[str]]
    scores: dict[str, int]
    clause: str | None
    won: bool | None
    reason: str


class RoundRobin(TypedDict):
    kind: NotRequired[Literal["round_robin"]]
    twice: NotRequired[bool]


class ScheduleRow(TypedDict):
    at: str
    text: str


class ScoredAnswer(TypedDict):
    seat: str
    points: int
    total: int


class SeatAnswer(TypedDict):
    player: str
    name: str


class SeatRange(TypedDict):
    least: int
    most: int
    preferred: int


class StandingsRow(TypedDict):
    rank: int
    section_rank: int | None
    player: str
    name: str
    values: list[list[Any]]
    final: int | None


class StateAnswer(TypedDict):
    game: str
    number: int
    state: dict[str, Any]
    words: list[str]
    claims: list[ClaimAnswer]
    clock: TableClockAnswer | None
    status: Literal["counts", "pending", "taken_back", "corrected"]


class Swiss(TypedDict):
    kind: NotRequired[Literal["swiss"]]
    system: NotRequired[Literal["matching", "dutch"]]
    accelerated: NotRequired[bool]


class TableAnswer(TypedDict):
    table: int
    seats: list[SeatAnswer]
    games: list[str]
    played: list[Literal["A", "B", "="]]
    next_game: bool
    outcome: dict[str, Any] | None
    event: int | None
    source: dict[str, Any] | None
    reports: list[ReportAnswer]
    differ: bool
    calling: list[str]
    heard: list[AnsweredCall]
    boards: list[BoardAnswer]


class TableClockAnswer(TypedDict):
    per: Literal["seat", "round"]
    seconds: int
    at_zero: Literal["nothing", "judge"]
    increment: int
    set_by: int
    round: int | None
    left: dict[str, int]
    running: list[str]
    since: str


class TableTimeAnswer(TypedDict):
    minutes: int
    left: int
    ends: str | None
    up: bool
    table: int


class TimeRule(TypedDict):
    minutes: int
    on_time: Literal["as_it_stands", "finish_the_turn", "finish_the_round", "judge"]


class ToldAnswer(TypedDict):
    tournament: str
    name: str
    events: list[EventRef]
    head: str
    games: NotRequired[list[str]]


class TournamentInfoAnswer(TypedDict):
    tournament: str
    name: str
    format: str
    players: int
    rounds: int
    closed: bool
    created: str
    open_round: int | None
    clock: ClockAnswer | None
    plan: dict[str, Any]
    readings: dict[str, dict[str, str]]
    finals: FinalistsAnswer | None
    announcement: str
    schedule: list[ScheduleRow]
    has_map: bool
    last_event: int
    head: str


class TournamentListAnswer(TypedDict):
    tournaments: list[TournamentRow]


class TournamentPlayerAnswer(TypedDict):
    player: str
    number: int
    name: str
    club: str
    rating: int
    seed: int | None
    fixed_table: int | None
    last_name: str
    title: str
    federation: str
    licence: str
    sections: list[str]
    paid: bool | None
    status: Literal["registered", "present", "dropped"]
    here_for: list[int]


class TournamentPlayersAnswer(TypedDict):
    tournament: str
    players: list[TournamentPlayerAnswer]
    paid: int | None


class TournamentRoundAnswer(TypedDict):
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
    tables: list[TableAnswer]
    byes: list[str]
    free: list[str]
    third_place: int | None
    final: int | None
    tournament: str


class TournamentRow(TypedDict):
    tournament: str
    name: str
    format: str
    players: int
    rounds: int
    closed: bool
    created: str


class TournamentStandingsAnswer(TypedDict):
    tournament: str
    rounds: int
    unfinished: bool
    with_finals: bool
    columns: list[str]
    rows: list[StandingsRow]
    section: str | None
    sections: list[str]


class TournamentTableAnswer(TypedDict):
    tournament: str
    round: int
    table: int
    board: int | None
    game: str
    new: bool
    seats: dict[str, str]
    readings: dict[str, str]


class UndoAnswer(TypedDict):
    game: str
    table: NotRequired[RearrangedAnswer]
    judged_again: int
    rejudged: list[RejudgedRow]
    pending: list[int]
    disputes_ended: NotRequired[list[str]]
    undone: list[int]


class WarningAnswer(TypedDict):
    warning: str
    facts: dict[str, Any]


class WhoAnswer(TypedDict):
    role: str
    scope: str
    person: str
    name: str
    picture: str | None


WhyAnswer = dict[str, Any]
