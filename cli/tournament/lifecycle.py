"""Making, finding, revising a tournament."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from answers.admin import faces
from answers.tournament import lifecycle
from cli.session import session
from cli.tournament.context import TOURNAMENT
from cli.tournament.plan import (
    by_game,
    made_plan,
    read_deal,
    read_halves,
    read_measures,
    read_penalties,
    read_plan,
    read_points,
    read_seats,
)
from referee.errors import Misused
from referee.tournament.default_plans import Model
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited

USUAL_ROUNDS = 3


def new(
    name: str,
    *,
    game: Sequence[str] = (),
    format: str | None = None,
    rounds: Annotated[int | None, Field(ge=1, le=99)] = None,
    seats: str | None = None,
    points: str | None = None,
    tie_break: Sequence[str] = (),
    reading: Sequence[str] = (),
    house_rule: Sequence[str] = (),
    preset: Sequence[str] = (),
    minutes: Annotated[int | None, Field(ge=1)] = None,
    on_time: str | None = None,
    measure: Sequence[str] = (),
    deal: Sequence[str] = (),
    counted: Annotated[int | None, Field(ge=1)] = None,
    third_place: bool = False,
    twice: bool = False,
    mixed: bool = False,
    system: str | None = None,
    accelerated: bool = False,
    leaders_first: bool = False,
    no_check_in: bool = False,
    penalty: Sequence[str] = (),
    match: Annotated[int | None, Field(ge=2, le=9)] = None,
    boards: bool = False,
    bye_boards: str | None = None,
    no_show_boards: str | None = None,
    roster_order: bool = False,
    like: Model | None = None,
    plan: str | None = None,
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
            "--boards": boards, "--bye-boards": bye_boards, "--no-show-boards": no_show_boards,
            "--roster-order": roster_order, "--like": like,
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
        if boards and match is None and like is None:
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
            tie_breaks=tuple(name.upper() for name in tie_break),
            readings=by_game(reading, game),
            house_rules={game[0]: tuple(house_rule)} if house_rule else {},
            presets=by_game(preset, game),
            time={"minutes": minutes, "on_time": on_time or "judge"} if minutes else None,
            table_numbers="by_standings" if leaders_first else None,
            check_in=None if not no_check_in else False,
            penalties=read_penalties(penalty),
            match=_match(match, boards, bye_boards, no_show_boards, roster_order),
            like=like,
        )
    answered = here.organiser.ask(lifecycle.create, name, lifecycle.of_today(published))
    TOURNAMENT.make_current(here, answered.data.tournament)
    return here.answer(lifecycle.create, answered)


def _match(
    games: int | None, boards: bool, bye: str | None, no_show: str | None, roster_order: bool
) -> dict[str, Any]:
    told = {
        "games": games,
        "boards": boards or None,
        "bye_boards": read_halves(bye) if bye is not None else None,
        "no_show_boards": read_halves(no_show) if no_show is not None else None,
        "roster_order": roster_order or None,
    }
    return {name: rule for name, rule in told.items() if rule is not None}


def list_tournaments() -> int:
    here = session()
    answered = here.organiser.ask(lifecycle.tournaments, current=TOURNAMENT.current(here))
    return here.answer(lifecycle.tournaments, answered)


def open_tournament(tournament: str) -> int:
    here = session()
    answered = here.organiser.ask(lifecycle.info, tournament)
    TOURNAMENT.make_current(here, answered.data.tournament)
    return here.answer(lifecycle.info, answered)


def revise(
    *,
    rounds: Annotated[int | None, Field(ge=1, le=99)] = None,
    plan: str | None = None,
    reason: str,
) -> int:
    """Before the first pairing anything can change, afterwards the number of rounds."""
    if rounds is None and plan is None:
        raise Misused("nothing_to_revise")
    published = lifecycle.of_today(read_plan(plan)) if plan is not None else None
    return TOURNAMENT.run(lifecycle.revise, published, rounds=rounds, reason=reason)


def picture(file: Path | None = None, *, erase: bool = False) -> int:
    if file is not None:
        return TOURNAMENT.run(faces.add_emblem, read_limited(file, MOST_BYTES))
    if not erase:
        raise Misused("picture_file")
    return TOURNAMENT.run(faces.erase_emblem)
