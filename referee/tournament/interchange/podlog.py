"""The pod log of other tools (tournament log, format 1.0), written and read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Struct, field
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engines.kernel.rules.actions import PlainText
from referee.store.canonical_json import canonical, digest
from referee.tournament.errors import NotPossible
from referee.tournament.events import (
    ByHand,
    CheckedIn,
    Created,
    Dropped,
    Event,
    Outcome,
    Registered,
    ResultEntered,
    RoundClosed,
    RoundPaired,
    RoundStarted,
    Table,
    seat_index,
)
from referee.tournament.plan import PlaceScoring, Plan, Pods, SeatRange
from referee.tournament.state import Round, Tournament

Names = Mapping[str, str]
MOST_PLAYERS = 2000


def pods_log(tournament: Tournament, uid: str, names: Names) -> dict[str, Any]:
    """A snapshot of a tournament of pods. Our places and scores travel as additions."""
    scoring, seats = tournament.plan.scoring, tournament.plan.seats
    winner = drawn = 0
    if isinstance(scoring, PlaceScoring):
        winner, drawn = scoring.places[0], scoring.tied_first or 0
    sizes = sorted(
        range(seats.least, seats.most + 1), key=lambda size: (size != seats.preferred, -size)
    )
    return {
        "format_version": "1.0",
        "generator": {"name": "referee"},
        "uid": _uuid(uid),
        "config": {
            "pod_sizes": sizes,
            "allow_bye": True,
            "win_points": winner // 2,
            "bye_points": scoring.bye // 2,
            "draw_points": drawn // 2,
            "snake_pods": False,
            "n_rounds": tournament.plan.rounds,
            "max_byes": 1,
            "auto_export": False,
            "standings_export": {"fields": [0, 2, 4], "format": 0, "dir": ""},
            "global_wr_seats": [0] * seats.most,
            "top_cut": 0,
        },
        "players": [
            {"uid": _uuid(uid, player), "name": names.get(player, player), "decklist": None}
            for player in tournament.players
        ],
        "rounds": [_pods_round(tournament, uid, round) for round in tournament.rounds_of("main")],
    }


def _uuid(*parts: str) -> str:
    """A name-based identifier: the same name always gets the same."""
    text = digest("/".join(parts).encode())
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:32]))


def _pods_round(tournament: Tournament, uid: str, round: Round) -> dict[str, Any]:
    this = _uuid(uid, str(round.number))
    gone = [p.id for p in round.before.players.values() if p.status == "dropped"]
    absent = [
        table.seats[seat_index(letter)]
        for table in round.draw.tables
        if (result := round.result(table.number)) is not None
        for letter in result.outcome.absent
    ]
    return {
        "tour": _uuid(uid),
        "seq": round.number - 1,
        "stage": 0,
        "logic": round.paired.algorithm,
        "uid": this,
        "dropped": [_uuid(uid, player) for player in gone],
        "disabled": [],
        "byes": [_uuid(uid, player) for player in round.draw.byes],
        "game_loss": [_uuid(uid, player) for player in absent],
        "pods": [
            {
                "uid": _uuid(uid, str(round.number), str(table.number)),
                "tour_round": this,
                "table": table.number,
                "cap": tournament.plan.seats.most,
                "players": [_uuid(uid, player) for player in table.seats],
                **_pods_result(uid, round, table),
            }
            for table in round.draw.tables
        ],
    }


def _pods_result(uid: str, round: Round, table: Table) -> dict[str, Any]:
    entered = round.result(table.number)
    if entered is None:
        return {"result": []}
    outcome = entered.outcome
    firsts = [p for p, place in zip(table.seats, outcome.places, strict=True) if place == 1]
    return {
        "result": [_uuid(uid, player) for player in firsts],
        "places": list(outcome.places),
        "scores": None if outcome.scores is None else list(outcome.scores),
    }


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


Uid = Annotated[str, Field(max_length=64)]


class _LogConfig(_Lenient):
    pod_sizes: tuple[Annotated[int, Field(ge=2, le=8)], ...] = Field(min_length=1, max_length=8)
    win_points: int = Field(ge=0, le=1000)
    bye_points: int = Field(ge=0, le=1000)
    draw_points: int = Field(ge=0, le=1000)
    n_rounds: int = Field(ge=1, le=99)


class _LogPlayer(_Lenient):
    uid: Uid
    name: Annotated[PlainText, Field(max_length=200)]


class _LogPod(_Lenient):
    table: int = Field(ge=0, le=998)
    result: tuple[Uid, ...]
    players: tuple[Uid, ...] = Field(min_length=1, max_length=8)
    places: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None


class _LogRound(_Lenient):
    seq: int = Field(ge=0, le=98)
    stage: int = 0
    logic: str = Field(default="", max_length=80)
    dropped: tuple[Uid, ...] = ()
    byes: tuple[Uid, ...] = ()
    pods: tuple[_LogPod, ...] = Field(max_length=999)


class _Log(_Lenient):
    config: _LogConfig
    players: tuple[_LogPlayer, ...] = Field(max_length=MOST_PLAYERS)
    rounds: tuple[_LogRound, ...] = Field(max_length=99)


class PodsImport(Struct):
    events: list[Event] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    skipped: list[int] = field(default_factory=list)
    """Rounds of play-offs, which the log does not tell enough about."""


def read_pods_log(data: Any, *, name: str, game: str, new_id: Callable[[str], str]) -> PodsImport:
    """The events that lead to what a pod log of another tool shows.

    ``new_id`` gives a pseudonym for a name.
    """
    try:
        log = _Log.model_validate(data)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise NotPossible("bad_log", where=where) from None
    ids = {player.uid: new_id(player.name) for player in log.players}
    answer = PodsImport(names={ids[player.uid]: player.name for player in log.players})
    answer.events.append(Created(name=name, plan=_plan_of(log.config, game)))
    answer.events += [Registered(player=player) for player in ids.values()]
    answer.events += [CheckedIn(player=player) for player in ids.values()]
    gone: set[str] = set()
    for number, told in enumerate(sorted(log.rounds, key=lambda told: told.seq), 1):
        if told.stage != 0:
            answer.skipped.append(number)
            continue
        try:
            answer.events += _round_events(number, told, ids, gone)
        except (KeyError, ValidationError):
            raise NotPossible("bad_log", where=f"rounds.{told.seq}") from None
    return answer


def _plan_of(config: _LogConfig, game: str) -> Plan:
    sizes = config.pod_sizes
    return Plan(
        games=(game,),
        format=Pods(),
        rounds=config.n_rounds,
        seats=SeatRange(least=min(sizes), most=max(sizes), preferred=sizes[0]),
        scoring=PlaceScoring(
            places=(2 * config.win_points, *(0,) * (max(sizes) - 1)),
            tied_first=2 * config.draw_points,
            bye=2 * config.bye_points,
        ),
        tie_breaks=("PTS", "FIRSTS", "OPP"),
    )


def _round_events(number: int, told: _LogRound, ids: dict[str, str], gone: set[str]) -> list[Event]:
    leaving = [ids[uid] for uid in told.dropped if ids[uid] not in gone]
    gone.update(leaving)
    tables = [
        Table(number=pod.table or at, seats=tuple(ids[uid] for uid in pod.players))
        for at, pod in enumerate(told.pods, 1)
    ]
    paired = RoundPaired(
        round=number,
        algorithm="imported",
        version=1,
        seed=0,
        input_hash=digest(canonical(told.model_dump(mode="json"))),
        tables=tuple(tables),
        byes=tuple(ids[uid] for uid in told.byes),
    )
    events: list[Event] = [*(Dropped(player=player) for player in leaving), paired]
    events.append(RoundStarted(round=number))
    source = ByHand(reason="imported from a pod log")
    for pod, table in zip(told.pods, tables, strict=True):
        if pod.result:
            outcome = Outcome(places=_places(pod), scores=pod.scores)
            events.append(
                ResultEntered(round=number, table=table.number, outcome=outcome, source=source)
            )
    if all(pod.result for pod in told.pods):
        events.append(RoundClosed(round=number))
    return events


def _places(pod: _LogPod) -> tuple[int, ...]:
    if pod.places is not None:
        return pod.places
    behind = len(pod.result) + 1
    return tuple(1 if uid in pod.result else behind for uid in pod.players)
