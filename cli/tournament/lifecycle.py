"""Making, finding, closing a tournament."""

from pathlib import Path
from typing import Annotated, Any

import typer

from answers.admin import faces
from answers.tournament import lifecycle
from cli.session import Key, session
from cli.tournament.context import POINTER, Reason, organiser, run
from cli.tournament.plan import (
    by_game,
    made_plan,
    read_deal,
    read_measures,
    read_penalties,
    read_plan,
    read_points,
    read_seats,
)
from referee.errors import Misused
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited

USUAL_ROUNDS = 3


def new(
    name: Annotated[str, typer.Argument()],
    game: Annotated[list[str] | None, typer.Option("--of")] = None,
    format: Annotated[str | None, typer.Option("--format")] = None,
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, max=99)] = None,
    seats: Annotated[str | None, typer.Option("--seats")] = None,
    points: Annotated[str | None, typer.Option("--points")] = None,
    tie_break: Annotated[list[str] | None, typer.Option("--tie-break")] = None,
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    preset: Annotated[list[str] | None, typer.Option("--preset")] = None,
    minutes: Annotated[int | None, typer.Option("--minutes", min=1)] = None,
    on_time: Annotated[str | None, typer.Option("--on-time")] = None,
    measure: Annotated[list[str] | None, typer.Option("--measure")] = None,
    deal: Annotated[list[str] | None, typer.Option("--deal")] = None,
    counted: Annotated[int | None, typer.Option("--counted", min=1)] = None,
    third_place: Annotated[bool, typer.Option("--third-place")] = False,
    twice: Annotated[bool, typer.Option("--twice")] = False,
    mixed: Annotated[bool, typer.Option("--mixed")] = False,
    system: Annotated[str | None, typer.Option("--system")] = None,
    accelerated: Annotated[bool, typer.Option("--accelerated")] = False,
    leaders_first: Annotated[bool, typer.Option("--leaders-first")] = False,
    no_check_in: Annotated[bool, typer.Option("--no-check-in")] = False,
    penalty: Annotated[list[str] | None, typer.Option("--penalty")] = None,
    match: Annotated[int | None, typer.Option("--match", min=2, max=9)] = None,
    boards: Annotated[bool, typer.Option("--boards")] = False,
    plan: Annotated[str | None, typer.Option("--plan")] = None,
    key: Key = None,
) -> int:
    here = session(creates=True)
    if plan is not None:
        told_twice = {
            "--of": game, "--format": format, "--rounds": rounds, "--seats": seats,
            "--points": points, "--tie-break": tie_break, "--reading": reading,
            "--house-rule": house_rule, "--preset": preset, "--minutes": minutes,
            "--on-time": on_time, "--measure": measure, "--deal": deal, "--counted": counted,
            "--third-place": third_place, "--twice": twice, "--mixed": mixed, "--system": system,
            "--accelerated": accelerated, "--leaders-first": leaders_first,
            "--no-check-in": no_check_in, "--penalty": penalty, "--match": match,
            "--boards": boards,
        }  # fmt: skip
        if given := [option for option, value in told_twice.items() if value]:
            raise Misused("plan_or_options", options=given)
        published = read_plan(plan)
    elif not game:
        raise Misused("which_game_is_played")
    else:
        options: dict[str, Any] = {}
        if deal:
            options["deals"] = [read_deal(file).ref.model_dump() for file in deal]
        if counted is not None:
            options["counted"] = counted
        if third_place:
            options["third_place"] = True
        if twice:
            options["twice"] = True
        if mixed:
            options["by_standings"] = False
        if system is not None:
            options["system"] = system
        if accelerated:
            options["accelerated"] = True
        if boards and match is None:
            raise Misused("how_many_boards")
        if on_time and not minutes:
            raise Misused("option_needs", option="--on-time", other="--minutes")
        format = format or "swiss"
        sitting = read_seats(seats) if seats else None
        duels = sitting["most"] == 2 if sitting else format not in ("pods", "league")
        scoring = read_points(points, 2 if duels else 3) if points else None
        published = made_plan(
            game,
            format,
            rounds or USUAL_ROUNDS,
            options=options,
            seats=sitting,
            scoring=read_measures(measure) if measure else scoring,
            tie_breaks=tuple(each.upper() for each in tie_break or ()),
            readings=by_game(reading or [], game),
            house_rules={game[0]: tuple(house_rule)} if house_rule else {},
            presets=by_game(preset or [], game),
            time={"minutes": minutes, "on_time": on_time or "judge"} if minutes else None,
            table_numbers="by_standings" if leaders_first else None,
            check_in=None if not no_check_in else False,
            penalties=read_penalties(penalty or []),
            match={"games": match, "boards": boards} if match else None,
        )
    answered = organiser(here).ask(lifecycle.create, name, published, key=key)
    here.make_current(answered.data.tournament, POINTER)
    return here.answer(lifecycle.create, answered)


def list_tournaments() -> int:
    here = session()
    found = organiser(here).ask(lifecycle.tournaments, current=here.current(POINTER))
    return here.answer(lifecycle.tournaments, found)


def open_tournament(tournament: Annotated[str, typer.Argument()]) -> int:
    here = session()
    answered = organiser(here).ask(lifecycle.info, tournament)
    here.make_current(answered.data.tournament, POINTER)
    return here.answer(lifecycle.info, answered)


def info() -> int:
    return run(lifecycle.info)


def revise(
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, max=99)] = None,
    plan: Annotated[str | None, typer.Option("--plan")] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """Before the first pairing anything can change, afterwards the number of rounds."""
    if rounds is None and plan is None:
        raise Misused("nothing_to_revise")
    published = read_plan(plan) if plan is not None else None
    return run(lifecycle.revise, published, rounds=rounds, reason=reason, key=key)


def close(anyway: Annotated[bool, typer.Option("--anyway")] = False, key: Key = None) -> int:
    return run(lifecycle.close, anyway=anyway, key=key)


def reopen(reason: Reason = ..., key: Key = None) -> int:  # type: ignore[assignment]
    return run(lifecycle.reopen, reason, key=key)


def picture(
    file: Annotated[Path | None, typer.Argument()] = None,
    erase: Annotated[bool, typer.Option("--erase")] = False,
) -> int:
    if file is None:
        if not erase:
            raise Misused("picture_file")
        return run(faces.erase_emblem)
    return run(faces.add_emblem, read_limited(file, MOST_BYTES))
