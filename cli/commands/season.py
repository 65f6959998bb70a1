"""Leagues and ratings over several tournaments."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from answers.season import exports, lifecycle
from cli.session import session
from cli.tournament.context import SEASON, put_document
from referee.errors import Misused
from referee.season.events import USUAL_PLACES, SeasonRules


@dataclass(frozen=True)
class RuleOptions:
    """The rules of a season, as they are typed."""

    places: str | None = None
    others: Annotated[int, Field(ge=0)] = 1
    event_points: bool = False
    counted: Annotated[int | None, Field(ge=1, le=99)] = None
    points_for: Literal["seated", "everybody"] | None = None
    listed_only: bool = False
    published: bool = False
    recorded_only: bool = False
    elo_start: Annotated[int, Field(ge=100, le=4000)] = 1500
    elo_k: Annotated[int, Field(ge=1, le=200)] = 32

    @property
    def rules(self) -> SeasonRules:
        points: dict[str, Any] = {"kind": "points"}
        if not self.event_points:
            listed = self.places.split("-") if self.places else [*map(str, USUAL_PLACES)]
            if not all(place.isdecimal() and int(place) <= 100_000 for place in listed):
                raise Misused("bad_points", text=self.places)
            places = [int(place) for place in listed]
            points = {"kind": "places", "places": places, "others": self.others}
        return SeasonRules.model_validate(
            {
                "points": points,
                "counted": self.counted,
                "points_for": self.points_for,
                "listed_only": self.listed_only,
                "published": self.published,
                "rated": "recorded" if self.recorded_only else "all",
                "elo": {"start": self.elo_start, "k": self.elo_k},
            },
            strict=False,
        )


def new(name: str, *, options: RuleOptions) -> int:
    here = session(creates=True)
    made = here.organiser.ask(lifecycle.create, name, options.rules)
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


def revise(*, options: RuleOptions, reason: str) -> int:
    return SEASON.run(lifecycle.revise, options.rules, reason)


def export(format: str, *, output: str | None = None, force: bool = False) -> int:
    return put_document(SEASON.ask(exports.exported, format), output, force)
