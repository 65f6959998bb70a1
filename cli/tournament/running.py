"""Making, finding, closing a tournament; what was told; what a judge must look at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cli.session import Key
from cli.speech import columns, language, say
from cli.tournament.clock import clock_data, clock_lines
from cli.tournament.counter import POINTER, Counter, at_the_desk, points, words
from cli.tournament.plan import (
    by_game,
    made_plan,
    read_deal,
    read_measures,
    read_plan,
    read_points,
    read_seats,
)
from engines.kernel.registry import load_engine
from referee.errors import Misused
from referee.tournament.desk import Hosted
from referee.tournament.events import Created, Plan, Revised, TournamentClosed, TournamentReopened
from referee.tournament.state import Tournament

Reason = Annotated[str, typer.Option("-m", "--reason")]


def new(
    name: Annotated[str, typer.Argument()],
    game: Annotated[list[str] | None, typer.Option("--of")] = None,
    format: Annotated[str, typer.Option("--format")] = "swiss",
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=99)] = 3,
    seats: Annotated[str | None, typer.Option("--seats")] = None,
    points: Annotated[str | None, typer.Option("--points")] = None,
    tie_break: Annotated[list[str] | None, typer.Option("--tie-break")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    preset: Annotated[list[str] | None, typer.Option("--preset")] = None,
    minutes: Annotated[int | None, typer.Option("--minutes", min=1)] = None,
    on_time: Annotated[str, typer.Option("--on-time")] = "judge",
    measure: Annotated[list[str] | None, typer.Option("--measure")] = None,
    deal: Annotated[list[str] | None, typer.Option("--deal")] = None,
    counted: Annotated[int | None, typer.Option("--counted", min=1)] = None,
    twice: Annotated[bool, typer.Option("--twice")] = False,
    no_check_in: Annotated[bool, typer.Option("--no-check-in")] = False,
    plan: Annotated[str | None, typer.Option("--plan")] = None,
    key: Key = None,
) -> int:
    with at_the_desk(key, Created) as counter:
        if plan is not None:
            published = read_plan(plan)
        elif not game:
            raise Misused("which_game_is_played")
        else:
            games = game
            options: dict[str, Any] = {}
            if deal:
                options["deals"] = [read_deal(file).ref.model_dump() for file in deal]
            if counted is not None:
                options["counted"] = counted
            if twice:
                options["twice"] = True
            sitting = read_seats(seats) if seats else None
            duels = sitting["most"] == 2 if sitting else format not in ("pods", "league")
            scoring = read_points(points, 2 if duels else 3) if points else None
            published = made_plan(
                games,
                format,
                rounds,
                options=options,
                seats=sitting,
                scoring=read_measures(measure) if measure else scoring,
                tie_breaks=tuple(name.upper() for name in tie_break or ()),
                readings=by_game(reading or [], games),
                house_rules={games[0]: tuple(house_rule)} if house_rule else {},
                presets=by_game(preset or [], games),
                time={"minutes": minutes, "on_time": on_time} if minutes else None,
                check_in=None if not no_check_in else False,
            )
        hosted = counter.desk.create(name, published, author=counter.author, key=counter.telling)
        counter.asked = hosted.id
        counter.here.make_current(hosted.id, POINTER)
        lines = [
            say("tournament.created", name=name, id=hosted.id),
            *(f"  {line}" for line in plan_lines(published)),
        ]
        return counter.told(lines)


def plan_lines(plan: Plan) -> Iterator[str]:
    """What is published before round one."""
    lang = language()
    games = ", ".join(load_engine(name).words.say("game", lang) for name in plan.games)
    yield say("tournament.plan_games", games=games)
    kind = say(f"tournament.format_{plan.format.kind}")
    yield say("tournament.plan_format", format=kind, rounds=plan.rounds, seats=_seats(plan))
    yield say("tournament.plan_points", points=_points(plan))
    ranked = " · ".join(f"{name} {words(f'column.{name}')}" for name in plan.tie_breaks)
    yield say("tournament.plan_tie_breaks", tie_breaks=ranked)
    for game, readings in plan.readings.items():
        told = ", ".join(f"{name}={value}" for name, value in readings.items())
        yield say("tournament.plan_readings", game=game, readings=told)
    for game, clauses in plan.house_rules.items():
        yield say("tournament.plan_house_rules", game=game, clauses=", ".join(clauses))
    for game, options in plan.presets.items():
        told = ", ".join(f"{name}={value}" for name, value in options.items())
        yield say("tournament.plan_presets", game=game, options=told)
    if plan.time is not None:
        rule = say(f"tournament.on_time_{plan.time.on_time}")
        yield say("tournament.plan_time", minutes=plan.time.minutes, rule=rule)


def _seats(plan: Plan) -> str:
    seats = plan.seats
    return str(seats.least) if seats.least == seats.most else f"{seats.least}–{seats.most}"


def _points(plan: Plan) -> str:
    scoring = plan.scoring
    if scoring.kind == "duel":
        halves: tuple[int, ...] = (scoring.win, scoring.draw, scoring.loss)
        key = "tournament.points_duel"
    elif scoring.kind == "places":
        halves, key = scoring.places, "tournament.points_places"
    elif scoring.kind == "ladder":
        names = " · ".join(measure.name for measure in scoring.measures)
        return say("tournament.points_ladder", measures=names)
    else:
        return say("tournament.points_game")
    return say(key, points=" – ".join(points(half) for half in halves))


def list_tournaments() -> int:
    with at_the_desk() as counter:
        current = counter.here.current(POINTER)
        rows = [_row(hosted, hosted.id == current) for hosted in counter.desk.all()]
        shown = columns(
            (
                "*" if row["current"] else " ",
                row["tournament"],
                row["name"],
                say(f"tournament.format_{row['format']}"),
                say("tournament.count_players", count=row["players"]),
                say("tournament.status_closed" if row["closed"] else "tournament.status_open"),
            )
            for row in rows
        )
        data = {"tournaments": rows}
        return counter.here.answer_plain("tournament-list", data, shown or [say("tournament.none")])


def _row(hosted: Hosted, current: bool) -> dict[str, Any]:
    now = hosted.now
    return {
        "tournament": hosted.id,
        "name": now.name,
        "format": now.plan.format.kind,
        "players": len(now.players),
        "rounds": len(now.rounds),
        "closed": now.closed,
        "created": hosted.told[0].at,
        "current": current,
    }


def open_tournament(tournament: Annotated[str, typer.Argument()]) -> int:
    with at_the_desk() as counter:
        counter.asked = tournament
        counter.here.make_current(counter.id, POINTER)
        return show_info(counter, counter.now)


def info() -> int:
    with at_the_desk() as counter:
        return show_info(counter, counter.now)


def show_info(counter: Counter, now: Tournament) -> int:
    hosted = counter.hosted
    lines = [
        f"{counter.here.paint('bold', now.name)}  {hosted.id}",
        *(f"  {line}" for line in plan_lines(now.plan)),
        f"  {_stands(now)}",
        *(f"  {line}" for line in (clock_lines(counter, now.open_round) if now.open_round else ())),
        "  " + say("tournament.head", number=now.last, head=hosted.head[:16]),
    ]
    data = {
        **_row(hosted, counter.here.current(POINTER) == hosted.id),
        "rounds": len(now.rounds),
        "open_round": now.open_round.number if now.open_round else None,
        "clock": clock_data(counter, now.open_round) if now.open_round else None,
        "plan": now.plan.model_dump(mode="json"),
        "readings": {game: now.readings(game) for game in now.plan.games},
        "last_event": now.last,
        "head": hosted.head,
    }
    return counter.here.answer_plain("tournament-info", data, lines)


def _stands(now: Tournament) -> str:
    present = sum(player.status == "present" for player in now.players.values())
    people = say("tournament.people", players=len(now.players), present=present)
    if now.closed:
        return f"{people} · {say('tournament.status_closed')}"
    if now.open_round is None:
        return f"{people} · {say('tournament.rounds_done', count=len(now.rounds))}"
    waiting = len(now.open_round.waiting)
    return f"{people} · {say('tournament.round_on', round=now.open_round.number, count=waiting)}"


def revise(
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, max=99)] = None,
    plan: Annotated[str | None, typer.Option("--plan")] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """Before the first pairing anything can change, afterwards the number of rounds."""
    with at_the_desk(key, Revised) as counter:
        if rounds is None and plan is None:
            raise Misused("nothing_to_revise")
        published = read_plan(plan) if plan is not None else counter.now.plan
        if rounds is not None:
            published = published.model_copy(update={"rounds": rounds})
        published = Plan.model_validate(published.model_dump())
        lines = [say("tournament.revised"), *(f"  {line}" for line in plan_lines(published))]
        return counter.tell_and_answer(Revised(plan=published, reason=reason), lines=lines)


def close(key: Key = None) -> int:
    with at_the_desk(key, TournamentClosed) as counter:
        played, planned = len(counter.now.rounds_of("main")), counter.now.plan.rounds
        if played < planned and counter.now.knockout_rules("main") is None:
            told = say("tournament.rounds_missing", played=played, planned=planned)
            counter.here.warnings.append(told)
        lines = [say("tournament.closed", name=counter.now.name)]
        return counter.tell_and_answer(TournamentClosed(), lines=lines)


def reopen(reason: Reason = ..., key: Key = None) -> int:  # type: ignore[assignment]
    with at_the_desk(key, TournamentReopened) as counter:
        lines = [say("tournament.reopened", name=counter.now.name)]
        return counter.tell_and_answer(TournamentReopened(reason=reason), lines=lines)
