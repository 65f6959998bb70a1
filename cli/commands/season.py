"""Leagues and ratings over several tournaments."""

from typing import Annotated, Any

from pydantic import Field

from answers.season import exports, lifecycle
from cli.session import session
from cli.tournament.context import SEASON, put_document
from referee.errors import Misused
from referee.season.events import USUAL_PLACES, SeasonRules

Others = Annotated[int, Field(ge=0)]
Counted = Annotated[int | None, Field(ge=1, le=99)]
EloStart = Annotated[int, Field(ge=100, le=4000)]
EloK = Annotated[int, Field(ge=1, le=200)]


def _rules(
    places: str | None, others: int, event_points: bool, counted: int | None, listed_only: bool,
    published: bool, recorded_only: bool, elo_start: int, elo_k: int,
) -> SeasonRules:  # fmt: skip
    points: dict[str, Any] = {"kind": "points"}
    if not event_points:
        listed = places.split("-") if places else [str(place) for place in USUAL_PLACES]
        if not all(place.isdecimal() and int(place) <= 100_000 for place in listed):
            raise Misused("bad_points", text=places)
        points = {"kind": "places", "places": [int(place) for place in listed], "others": others}
    return SeasonRules.model_validate(
        {
            "points": points,
            "counted": counted,
            "listed_only": listed_only,
            "published": published,
            "rated": "recorded" if recorded_only else "all",
            "elo": {"start": elo_start, "k": elo_k},
        },
        strict=False,
    )


def new(
    name: str,
    *,
    places: str | None = None,
    others: Others = 1,
    event_points: bool = False,
    counted: Counted = None,
    listed_only: bool = False,
    published: bool = False,
    recorded_only: bool = False,
    elo_start: EloStart = 1500,
    elo_k: EloK = 32,
) -> int:
    here = session(creates=True)
    rules = _rules(
        places, others, event_points, counted, listed_only, published, recorded_only, elo_start,
        elo_k,
    )  # fmt: skip
    made = here.organiser.ask(lifecycle.create, name, rules)
    SEASON.make_current(here, made.data.season)
    return here.answer(lifecycle.create, made)


def list_seasons() -> int:
    here = session()
    answered = here.organiser.ask(lifecycle.seasons, current=SEASON.current(here))
    return here.answer(lifecycle.seasons, answered)


def open_season(season: str) -> int:
    here = session()
    answered = here.organiser.ask(lifecycle.info, season)
    SEASON.make_current(here, answered.data.season)
    return here.answer(lifecycle.info, answered)


def revise(
    *,
    places: str | None = None,
    others: Others = 1,
    event_points: bool = False,
    counted: Counted = None,
    listed_only: bool = False,
    published: bool = False,
    recorded_only: bool = False,
    elo_start: EloStart = 1500,
    elo_k: EloK = 32,
    reason: str,
) -> int:
    rules = _rules(
        places, others, event_points, counted, listed_only, published, recorded_only, elo_start,
        elo_k,
    )  # fmt: skip
    return SEASON.run(lifecycle.revise, rules, reason)


def export(format: str, *, output: str | None = None, force: bool = False) -> int:
    return put_document(SEASON.ask(exports.exported, format), output, force)
