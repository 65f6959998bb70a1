"""``referee season``: leagues and ratings over several tournaments."""

from contextvars import ContextVar
from typing import Annotated, Any

import typer

from answers.season import exports, lifecycle, tables
from cli.session import Key, session
from cli.tournament.context import Force, Output, Reason, organiser, put_document
from referee.errors import Misused, NotFound
from referee.season.events import USUAL_PLACES, SeasonRules

CATALOGUES = ("referee.season", "referee.tournament", "answers.tournament")
POINTER = "#season"
"""The current season is kept beside the current game and tournament."""

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
players = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(players, name="players")
_asked: ContextVar[str | None] = ContextVar("season", default=None)

Places = Annotated[str | None, typer.Option("--places")]
Others = Annotated[int, typer.Option("--others", min=0)]
EventPoints = Annotated[bool, typer.Option("--event-points")]
Counted = Annotated[int | None, typer.Option("--counted", min=1, max=99)]
ListedOnly = Annotated[bool, typer.Option("--listed-only")]
Published = Annotated[bool, typer.Option("--published")]
RecordedOnly = Annotated[bool, typer.Option("--recorded-only")]
EloStart = Annotated[int, typer.Option("--elo-start", min=100, max=4000)]
EloK = Annotated[int, typer.Option("--elo-k", min=1, max=200)]


@app.callback()
def choose(season: Annotated[str | None, typer.Option("-s", "--season")] = None) -> None:
    _asked.set(season)


def _season() -> str:
    found = _asked.get() or session().current(POINTER)
    if found is None:
        raise NotFound("no_current_season")
    return found


def run(operation: Any, *said: Any, **options: Any) -> int:
    here = session()
    return here.answer(operation, organiser(here).ask(operation, _season(), *said, **options))


def _rules(
    places: str | None, others: int, event_points: bool, counted: int | None, listed_only: bool,
    published: bool, recorded_only: bool, elo_start: int, elo_k: int,
) -> SeasonRules:  # fmt: skip
    points: dict[str, Any] = {"kind": "points"}
    if not event_points:
        listed = places.split("-") if places else [str(each) for each in USUAL_PLACES]
        if not all(each.isdecimal() and int(each) <= 100_000 for each in listed):
            raise Misused("bad_points", text=places)
        points = {"kind": "places", "places": [int(each) for each in listed], "others": others}
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


@app.command()
def new(
    name: Annotated[str, typer.Argument()],
    places: Places = None,
    others: Others = 1,
    event_points: EventPoints = False,
    counted: Counted = None,
    listed_only: ListedOnly = False,
    published: Published = False,
    recorded_only: RecordedOnly = False,
    elo_start: EloStart = 1500,
    elo_k: EloK = 32,
    key: Key = None,
) -> int:
    here = session(creates=True)
    rules = _rules(
        places, others, event_points, counted, listed_only, published, recorded_only, elo_start,
        elo_k,
    )  # fmt: skip
    made = organiser(here).ask(lifecycle.create, name, rules, key=key)
    here.make_current(made.data.season, POINTER)
    return here.answer(lifecycle.create, made)


@app.command(name="list")
def list_seasons() -> int:
    here = session()
    found = organiser(here).ask(lifecycle.seasons, current=here.current(POINTER))
    return here.answer(lifecycle.seasons, found)


@app.command(name="open")
def open_season(season: Annotated[str, typer.Argument()]) -> int:
    here = session()
    found = organiser(here).ask(lifecycle.info, season)
    here.make_current(found.data.season, POINTER)
    return here.answer(lifecycle.info, found)


@app.command()
def info() -> int:
    return run(lifecycle.info)


@app.command()
def revise(
    places: Places = None,
    others: Others = 1,
    event_points: EventPoints = False,
    counted: Counted = None,
    listed_only: ListedOnly = False,
    published: Published = False,
    recorded_only: RecordedOnly = False,
    elo_start: EloStart = 1500,
    elo_k: EloK = 32,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    rules = _rules(
        places, others, event_points, counted, listed_only, published, recorded_only, elo_start,
        elo_k,
    )  # fmt: skip
    return run(lifecycle.revise, rules, reason, key=key)


@app.command()
def add(
    tournament: Annotated[str, typer.Argument()],
    weight: Annotated[int, typer.Option("--weight", min=1, max=10)] = 1,
    key: Key = None,
) -> int:
    return run(lifecycle.add_event, tournament, weight=weight, key=key)


@app.command()
def remove(
    tournament: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(lifecycle.remove_event, tournament, reason, key=key)


@app.command()
def standings() -> int:
    return run(tables.standings)


@app.command()
def ratings() -> int:
    return run(tables.ratings)


@app.command()
def player(name: Annotated[str, typer.Argument()]) -> int:
    return run(tables.player, name)


@app.command()
def export(
    format: Annotated[str, typer.Argument()], output: Output = None, force: Force = False
) -> int:
    made = organiser(session()).ask(exports.exported, _season(), format)
    return put_document(made, output, force)


@players.command(name="add")
def add_players(
    name: Annotated[list[str], typer.Argument()],
    club: Annotated[str, typer.Option("--club")] = "",
    key: Key = None,
) -> int:
    return run(lifecycle.list_players, name, club=club, key=key)


@players.command(name="remove")
def remove_player(
    name: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(lifecycle.unlist_player, name, reason, key=key)


@players.command(name="team")
def team(
    team: Annotated[str, typer.Argument()],
    name: Annotated[list[str] | None, typer.Argument()] = None,
    key: Key = None,
) -> int:
    return run(lifecycle.name_team, team, name or [], key=key)


@players.command(name="merge")
def merge(
    name: Annotated[str, typer.Argument()],
    merged: Annotated[str, typer.Argument()],
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    return run(lifecycle.merge, name, merged, reason, key=key)
