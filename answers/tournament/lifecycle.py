"""Create, import, list, revise and close tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import Local, operation
from answers.i18n import Voice, columns
from answers.left_out import left_out
from answers.limits import EngineName, EntryNumber, FileName, Id, Name
from answers.permissions import EVERYBODY, Tells
from answers.rulebooks.boxes import OWN
from answers.rulebooks.games import game_name
from answers.rulebooks.opening_form import opening_option
from answers.tournament.broadcast import ScheduleRow
from answers.tournament.clock import ClockAnswer, clock_answer, clock_lines
from answers.tournament.context import DeskCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered, measure_name, points, quoted, said
from answers.tournament.match_slips import match_lines
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.messages.catalogue import Phrase, Verbatim
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Unfit
from referee.record.entries import Reason
from referee.tournament.acceleration import virtual_halves
from referee.tournament.default_plans import edition_on
from referee.tournament.desk import LoadedTournament
from referee.tournament.event_streams import check_same_request
from referee.tournament.events import Created, Event, Revised, TournamentClosed, TournamentReopened
from referee.tournament.plan import (
    Duplicate,
    Elimination,
    Knockout,
    Ladder,
    League,
    PenaltyLevel,
    PlaceScoring,
    Plan,
    Pods,
    RoundRobin,
    Swiss,
)
from referee.tournament.ranking.tiebreaks import TIE_BREAKS
from referee.tournament.state import Tournament
from referee.untrusted.safe_json import UnsafeJson, read_json


class TournamentRow(Data):
    tournament: str
    name: str
    format: str
    players: int
    rounds: int
    closed: bool
    created: str


class TournamentListAnswer(Data):
    tournaments: list[TournamentRow]


class FinalistsAnswer(Data):
    style: Literal["top_table", "knockout", "double_elimination"]
    players: list[str]
    """Who plays on, best seed first."""


class TournamentInfoAnswer(TournamentRow):
    open_round: int | None
    clock: ClockAnswer | None
    plan: dict[str, Any]
    readings: dict[str, dict[str, str]]
    finals: FinalistsAnswer | None
    announcement: str
    """What everybody in the hall should know now; empty if there is nothing."""
    schedule: list[ScheduleRow]
    has_map: bool
    """Whether it was told where the tables stand."""
    last_event: int
    head: str


@operation(
    "tournament-new",
    "POST /tournaments",
    grant=Tells("tournament_created"),
    params="answers.requests.tournament:CreateTournamentRequest",
)
def create(caller: Caller, name: str, plan: Plan) -> Answered[ToldAnswer]:
    """A new tournament; what its plan says is published before round one. Where it does not say
    how unplayed rounds count, they count as FIDE has it today, however the plan was made."""
    plan = of_today(plan)
    desk = caller.store_context.desk
    if known := _made_before(caller, [Created(name=name, plan=plan)]):
        return known
    context = DeskCall(caller, "")
    context.id = desk.create(name, plan, by=context.by).id
    context.warnings += plan_warnings(plan)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.created", name=name, id=context.id)
        yield from (f"  {line}" for line in plan_lines(voice, plan))

    return context.recorded_answer(render)


def adopt(
    caller: Caller, name: str, events: Sequence[Event], *, skipped: Sequence[int] = ()
) -> Answered[ToldAnswer]:
    """A tournament from another tool's data; ``skipped`` are rounds that could not be read."""
    if known := _made_before(caller, events):
        return known
    context = DeskCall(caller, "")
    context.id = caller.store_context.desk.adopt(events, by=context.by).id
    if skipped:
        rounds = ", ".join(str(number) for number in skipped)
        context.warn("tournament.skipped", rounds=rounds)
    return context.recorded_answer(
        lambda voice: [voice.say("tournament.log_imported", name=name, count=len(events))]
    )


@operation(
    "tournament-import",
    "POST /tournaments/import",
    grant=Tells("tournament_created"),
    upload="answers.requests.uploads:pods_log",
    slow=True,
)
def adopt_log(
    caller: Caller,
    name: Name,
    game: EngineName,
    content: Local[bytes],
    *,
    file: FileName | None = None,
) -> Answered[ToldAnswer]:
    """A tournament from the pod log of another tool, read from a file."""
    from referee.tournament.interchange.podlog import read_pods_log

    played = load_engine(game).id
    try:
        data = read_json(content, limit=max(len(content), 1), fractions=True)
    except UnsafeJson as error:
        raise Unfit("bad_file", file=file or name, problem=error.phrase) from None
    log = read_pods_log(data, name=name, game=played, new_id=caller.store_context.people.add)
    return adopt(caller, name, log.events, skipped=log.skipped)


def _made_before(caller: Caller, events: Sequence[Event]) -> Answered[ToldAnswer] | None:
    """The answer to a call that has made its tournament already, from these events."""
    made = caller.store_context.desk.made_with(caller.key) if caller.key is not None else None
    if made is None:
        return None
    context = DeskCall(caller, made)
    known = context.recorded_before()
    check_same_request(known, events, caller.author)
    return context.repeated_answer(known)


def plan_warnings(plan: Plan) -> Iterator[Phrase]:
    """What a plan may say, and hardly anybody means."""
    together = any(load_engine(game).cooperative for game in plan.games)
    if together and not isinstance(plan.format, Duplicate | Ladder):
        yield said("tournament.plays_together")
    if isinstance(plan.format, RoundRobin) and plan.rounds == 1:
        yield said("tournament.robin_of_one")


def plan_lines(voice: Voice, plan: Plan) -> Iterator[str]:
    """What is published before round one."""
    games = ", ".join(load_engine(name).words.say("game", voice.lang) for name in plan.games)
    yield voice.say("tournament.plan_games", games=games)
    kind = ", ".join([format_name(voice, plan), *_options(voice, plan)])
    to_the_end = "_to_the_end" if isinstance(plan.format, Elimination) else ""
    yield voice.say(
        f"tournament.plan_format{to_the_end}", format=kind, count=plan.rounds, seats=_seats(plan)
    )
    yield from _acceleration(voice, plan)
    yield from match_lines(voice, plan.match)
    yield voice.say("tournament.plan_points", points=_points(voice, plan))
    yield from _other_points(voice, plan)
    if plan.table_numbers == "by_standings":
        yield voice.say("tournament.plan_table_numbers")
    ranked = " · ".join(f"{name} {voice.say(f'column.{name}')}" for name in plan.tie_breaks)
    yield voice.say("tournament.plan_tie_breaks", tie_breaks=ranked)
    if any(column in COUNTS_UNPLAYED for column in plan.tie_breaks):
        yield voice.say(f"tournament.plan_{plan.unplayed_rounds}")
    for game, readings in plan.readings.items():
        engine = load_engine(game)
        told = " ".join(
            voice.spoken(reading_in_words(engine, *reading)) for reading in readings.items()
        )
        yield voice.say(
            "tournament.plan_readings", game=game_name(voice, game), readings=Verbatim(told)
        )
    for game, clauses in plan.house_rules.items():
        yield voice.say(
            "tournament.plan_house_rules", game=game_name(voice, game), clauses=", ".join(clauses)
        )
    for game, options in plan.presets.items():
        said_options = [_option(voice, game, *option) for option in options.items()]
        yield voice.say(
            "tournament.plan_presets", game=game_name(voice, game), options=said_options
        )
    if plan.time is not None:
        rule = voice.say(f"tournament.on_time_{plan.time.on_time}")
        yield voice.say("tournament.plan_time", minutes=plan.time.minutes, rule=rule)
    if plan.check_in:
        yield voice.say("tournament.plan_check_in")
    if plan.penalties:
        levels = [_level(voice, level) for level in plan.penalties]
        yield voice.say("tournament.plan_penalties", levels=levels)


def _level(voice: Voice, level: PenaltyLevel) -> Verbatim:
    return Verbatim(level.name + (f" (−{points(voice, level.halves)})" if level.halves else ""))


def _option(voice: Voice, game: str, option: str, value: str) -> str:
    if option != "kit":
        return opening_option(voice, game, option, value)
    box = voice.say("tournament.own_box") if value == OWN else value
    return voice.labelled(voice.say("info.kit"), box)


def rules_in_force(voice: Voice, now: Tournament) -> list[str]:
    """Everything that decides a tournament, a sentence a line: its plan, and what was ruled."""
    return _in_force(voice, now.plan, {game: now.readings(game) for game in now.plan.games})


def published_rules(voice: Voice, info: TournamentInfoAnswer) -> list[str]:
    """The same from an answer."""
    return _in_force(voice, Plan.model_validate(info.plan), info.readings)


def _in_force(voice: Voice, plan: Plan, readings: Mapping[str, dict[str, str]]) -> list[str]:
    ruled = {game: told for game, told in readings.items() if told}
    lines = plan_lines(voice, plan.model_copy(update={"readings": ruled}))
    return [line[:1].upper() + line[1:] for line in lines]


def tie_break_names(voice: Voice) -> dict[str, str]:
    """Every tie-break that a plan may have, by its full name."""
    return {name: voice.say(f"column.{name}") for name in TIE_BREAKS if name != KNOCKOUT_COLUMN}


def of_today(plan: Plan) -> Plan:
    """The plan with FIDE's edition of today, where it names none."""
    if "unplayed_rounds" in plan.model_fields_set:
        return plan
    return plan.model_copy(update={"unplayed_rounds": edition_today()})


def edition_today() -> str:
    """FIDE's edition that is in force."""
    return edition_on(datetime.now(UTC).date().isoformat())


KNOCKOUT_COLUMN = "KO"
"""Ranks a knock-out before everything else; no plan names it."""
COUNTS_UNPLAYED = frozenset({"BH", "BH/C1", "BH/C2", "BH/M1", "SB"})
"""Tie-breaks for which it matters how rounds that nobody played count."""


def format_name(voice: Voice, plan: Plan) -> str:
    swiss = isinstance(plan.format, Knockout) and plan.format.lives > 1
    return voice.say(f"tournament.format_{'two_lives' if swiss else plan.format.kind}")


def _options(voice: Voice, plan: Plan) -> Iterator[str]:
    """What a format says besides its name."""
    format = plan.format
    if isinstance(format, Swiss) and format.system == "dutch":
        yield voice.say("tournament.format_dutch")
    if isinstance(format, Pods):
        kind = "by_standings" if format.by_standings else "mixed"
        yield voice.say(f"tournament.format_{kind}")
    if isinstance(format, RoundRobin) and format.twice:
        yield voice.say("tournament.format_twice")
    if isinstance(format, League):
        yield voice.say("tournament.format_counted", count=format.counted)
    if isinstance(format, Elimination):
        yield voice.say(f"tournament.on_tie_{format.on_tie}")
        if format.third_place:
            yield voice.say("tournament.format_third_place")


def _acceleration(voice: Voice, plan: Plan) -> Iterator[str]:
    if not isinstance(plan.format, Swiss) or not plan.format.accelerated:
        return
    told = [virtual_halves(plan.rounds, number) for number in range(1, plan.rounds + 1)]
    parts = [voice.say("tournament.plan_accelerated", count=told.count(2))]
    if 1 in told:
        parts.append(voice.say("tournament.plan_accelerated_half", round=len(told) - told.count(0)))
    yield ", ".join(parts)


def _other_points(voice: Voice, plan: Plan) -> Iterator[str]:
    """Tables of other sizes, several firsts, and rounds somebody does not play."""
    scoring = plan.scoring
    if isinstance(scoring, PlaceScoring):
        for size, halves in sorted(scoring.by_size.items()):
            told = " – ".join(points(voice, half) for half in halves)
            yield voice.say("tournament.plan_by_size", size=size, points=told)
        if scoring.tied_first is not None:
            each = points(voice, scoring.tied_first)
            yield voice.say("tournament.plan_tied_first", points=each)
    bye, half = points(voice, scoring.bye), points(voice, scoring.half_bye)
    yield voice.say("tournament.plan_byes", bye=bye, half=half)


def points_in_words(voice: Voice, plan: Plan) -> str:
    """What a game brings, at tables of every size."""
    return " · ".join([_points(voice, plan), *_other_points(voice, plan)])


def _seats(plan: Plan) -> str:
    seats = plan.seats
    return str(seats.least) if seats.least == seats.most else f"{seats.least}–{seats.most}"


def _points(voice: Voice, plan: Plan) -> str:
    scoring = plan.scoring
    if scoring.kind == "duel":
        halves: tuple[int, ...] = (scoring.win, scoring.draw, scoring.loss)
        key = "tournament.points_duel"
    elif scoring.kind == "places":
        halves, key = scoring.places, "tournament.points_places"
    elif scoring.kind == "ladder":
        names = " · ".join(measure_name(voice, each.name) for each in scoring.measures)
        return voice.say("tournament.points_ladder", measures=names)
    else:
        return voice.say("tournament.points_game")
    return voice.say(key, points=" – ".join(points(voice, half) for half in halves))


@operation("tournament-list", "GET /tournaments", grant=EVERYBODY, scope="list")
def tournaments(caller: Caller, *, current: Id | None = None) -> Answered[TournamentListAnswer]:
    """Every tournament that the caller may find; ``current`` is marked with a star."""
    unread: list[str] = []
    all_of_them = caller.store_context.desk.all(unread)
    found = [caller.seen(hosted) for hosted in all_of_them if caller.reaches(hosted.id, "")]

    def render(voice: Voice) -> list[str]:
        rows = columns(_listed(voice, hosted, hosted.id == current) for hosted in found)
        return rows or [voice.say("tournament.none")]

    return answered(
        lambda: TournamentListAnswer(
            tournaments=[TournamentRow(**_fields(hosted, hosted.now)) for hosted in found]
        ),
        render,
        warnings=left_out(caller, unread),
    )


def _listed(voice: Voice, hosted: LoadedTournament, current: bool) -> tuple[str, ...]:
    now = hosted.now
    return (
        "*" if current else " ",
        hosted.id,
        now.name,
        voice.say(f"tournament.format_{now.plan.format.kind}"),
        voice.say("tournament.count_players", count=len(now.players)),
        voice.say("tournament.status_closed" if now.closed else "tournament.status_open"),
    )


def _fields(hosted: LoadedTournament, now: Tournament) -> dict[str, Any]:
    return {
        "tournament": hosted.id,
        "name": now.name,
        "format": now.plan.format.kind,
        "players": len(now.players),
        "rounds": len(now.rounds),
        "closed": now.closed,
        "created": hosted.told[0].at,
    }


@reads("tournament-info", "GET", EVERYBODY)
def info(context: DeskCall, *, at: EntryNumber | None = None) -> Answered[TournamentInfoAnswer]:
    """Where a tournament stands, or stood after an event."""
    hosted = context.hosted
    now = hosted.now if at is None else hosted.at(at)
    return answered(
        lambda: _info(context, hosted, now), lambda voice: _lines(voice, context, hosted, now)
    )


def _info(context: DeskCall, hosted: LoadedTournament, now: Tournament) -> TournamentInfoAnswer:
    return TournamentInfoAnswer(
        **_fields(hosted, now),
        open_round=on.number if (on := now.round_on) else None,
        clock=clock_answer(context, on) if on else None,
        plan=now.plan.model_dump(mode="json"),
        readings={game: now.readings(game) for game in now.plan.games},
        finals=(
            FinalistsAnswer(style=now.finals.started.style, players=list(now.finals.players))
            if now.finals is not None
            else None
        ),
        announcement=now.announcement,
        has_map=bool(now.hall),
        schedule=[ScheduleRow(at=item.at, text=item.text) for item in now.schedule],
        last_event=now.last,
        head=hosted.head,
    )


def _lines(
    voice: Voice, context: DeskCall, hosted: LoadedTournament, now: Tournament
) -> Iterator[str]:
    yield f"{voice.mark('bold', now.name)}  {hosted.id}"
    yield from (f"  {line}" for line in plan_lines(voice, now.plan))
    yield f"  {_stands(voice, now)}"
    if now.announcement:
        told = quoted(voice, now.announcement)
        yield "  " + voice.labelled(voice.say("tournament.announcement"), told)
    if now.round_on:
        yield from (f"  {line}" for line in clock_lines(voice, context, now.round_on))
    yield "  " + voice.say("tournament.head", number=now.last, head=hosted.head[:16])


def _stands(voice: Voice, now: Tournament) -> str:
    present = sum(player.status == "present" for player in now.players.values())
    people = voice.say("tournament.people", players=len(now.players), present=present)
    if now.closed:
        return f"{people} · {voice.say('tournament.status_closed')}"
    if not now.open_rounds:
        return f"{people} · {voice.say('tournament.rounds_done', count=len(now.rounds))}"
    on = [
        voice.say("tournament.round_on", round=round.number, count=len(round.waiting))
        for round in now.open_rounds
    ]
    return " · ".join([people, *on])


@records(
    "tournament-revise",
    "POST /plan",
    Tells("tournament_revised"),
    params="answers.requests.tournament:ReviseRequest",
)
def revise(
    context: DeskCall, plan: Plan | None = None, *, rounds: int | None = None, reason: str
) -> Answered[ToldAnswer]:
    """Before the first pairing anything can change, afterwards the number of rounds."""
    published = of_today(plan) if plan is not None else context.now.plan
    if rounds is not None:
        published = published.model_copy(update={"rounds": rounds})
    published = Plan.model_validate(published.model_dump())
    if plan is not None:
        context.warnings += plan_warnings(published)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("tournament.revised")
        yield from (f"  {line}" for line in plan_lines(voice, published))

    return context.record(Revised(plan=published, reason=reason), telling=render)


@records("tournament-close", "POST /close", Tells("tournament_closed"))
def close(context: DeskCall, *, anyway: bool = False) -> Answered[ToldAnswer]:
    """Open disputes stop it; ``anyway``: they are named and left open."""
    now = context.now
    if (waiting := context.warn_of_disputes()) and not anyway:
        raise Conflicting("disputes_are_open", disputes=waiting, confirm="anyway")
    played, planned = len(now.rounds_of("main")), now.plan.rounds
    if played < planned and now.knockout_rules("main") is None:
        context.warn("tournament.rounds_missing", played=played, planned=planned)
    return context.record(
        TournamentClosed(), telling=lambda voice: [voice.say("tournament.closed", name=now.name)]
    )


@records("tournament-reopen", "POST /reopen", Tells("tournament_reopened"))
def reopen(context: DeskCall, reason: Reason) -> Answered[ToldAnswer]:
    """Open a tournament again that was closed."""
    name = context.now.name
    return context.record(
        TournamentReopened(reason=reason),
        telling=lambda voice: [voice.say("tournament.reopened", name=name)],
    )
