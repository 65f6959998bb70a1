"""A client of the API of `referee serve`, for programs at a table. Nothing but Python is needed.

Written from the OpenAPI document (`python -m tools.clients`); copy it into your program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPSConnection
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
        """A game live: number of the entry, kind of the event, its data. Ends with the stream."""
        connection = self._open()
        headers = {**self._headers, "Last-Event-ID": str(after)}
        try:
            connection.request("GET", f"/api/v1/games/{quote(game)}/events", None, headers)
            reply = connection.getresponse()
            if reply.status >= 400:
                raise Refused(json.loads(reply.read()))
            number, kind = after, "message"
            for line in map(bytes.decode, reply):
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


class ActionAnswer(TypedDict):
    verb: str


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


class ConsultedAnswer(TypedDict):
    clause: str
    facts: dict[str, Any]
    held: bool
    effect: bool


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


class DoubtAnswer(TypedDict):
    datum: str
    provenance: str


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


LogAnswer = dict[str, Any]


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


class PileAnswer(TypedDict):
    place: str
    things: list[str]


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
    restored: list[int]


class RejudgedRow(TypedDict):
    number: int
    before: Literal["legal", "illegal", "undecided"]
    after: Literal["legal", "illegal", "undecided", "pending"]
    clauses: list[str]


class ResultAnswer(TypedDict):
    places: list[list[str]]
    scores: dict[str, int]
    clause: str | None
    won: bool | None
    reason: str


class ScoredAnswer(TypedDict):
    seat: str
    points: int
    total: int


class StateAnswer(TypedDict):
    game: str
    number: int
    state: dict[str, Any]
    words: list[str]
    claims: list[ClaimAnswer]
    clock: TableClockAnswer | None
    status: Literal["counts", "pending", "taken_back", "corrected"]


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


class UndoAnswer(TypedDict):
    game: str
    table: NotRequired[RearrangedAnswer]
    judged_again: int
    rejudged: list[RejudgedRow]
    pending: list[int]
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
