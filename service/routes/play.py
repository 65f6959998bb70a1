"""A table: opening, logging, looking, going back, ending, confirming."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from answers.answer import Answered
from answers.play import (
    actions,
    analysis,
    clocks,
    confirmation,
    corrections,
    info,
    lifecycle,
    opening,
    views,
)
from answers.play.analysis import TrialAnswer
from answers.play.clocks import GameClockAnswer
from answers.play.confirmation import ConfirmAnswer
from answers.play.corrections import (
    AdjustAnswer,
    AdjustRefusedAnswer,
    CorrectAnswer,
    InsertionRefusedAnswer,
    RedoAnswer,
    UndoAnswer,
)
from answers.play.info import GamesAnswer, InfoAnswer
from answers.play.lifecycle import FinishAnswer, GameAnswer, HeldAnswer
from answers.play.logged import CheckAnswer, LogAnswer
from answers.play.looked import (
    ChoicesAnswer,
    DiffAnswer,
    MovesAnswer,
    OptionsAnswer,
    StateAnswer,
    WhyAnswer,
)
from answers.play.opening import NewAnswer, OpenAnswer, OpeningRefusedAnswer
from answers.rulebooks.boxes import club_kit
from engines.kernel import Engine, KitSheet, Seat
from engines.kernel.registry import load_engine
from referee.record.positions import PositionFile
from referee.table.presets import Preset, check_preset
from referee.untrusted.safe_toml import checked_kit
from service.routing import Ask, File, Params, route

Line = Annotated[str, Field(max_length=2000)]
Lines = Annotated[list[Line | dict[str, Any]], Field(min_length=1, max_length=500)]
"""Actions in the words of the game, or as data."""
Words = Annotated[str, Field(max_length=2000)]
View = Annotated[str | None, Field(max_length=40, examples=["public", "seat:A", "judge"])]
Number = Annotated[int, Field(ge=0, le=1_000_000)]
Most = Annotated[int, Field(ge=1, le=500)]


class Games(Params):
    closed: bool | None = None
    engine: str | None = None
    player: str | None = None
    tournament: Annotated[str | None, Field(max_length=80)] = None
    search: Annotated[str, Field(max_length=200)] = ""
    current: Annotated[str | None, Field(max_length=80)] = None
    """The game that is marked in what is told."""
    start: Number = 0
    most: Most = 50


class NewTable(Params):
    game: str
    """The engine: ``benevolent``…"""
    table: Words = ""
    """The opening line, with or without its first word."""
    players: dict[str, Annotated[str, Field(max_length=40)]] = {}
    kit: Annotated[str, Field(max_length=60)] | dict[str, Any] | None = None
    """The name of a kit of the game, or a kit file as data."""
    readings: dict[str, str] = {}
    house_rules: list[str] = []
    preset: Preset | None = None
    title: Annotated[str, Field(max_length=120)] = ""
    stands: bool = False


class Actions(Params):
    lines: Lines
    stands: bool = False
    """It really happened, whatever the rules say."""
    after: Number | None = None
    """The number of the last action that the caller has seen."""


class Position(Params):
    position: PositionFile
    lines: Annotated[list[Line], Field(min_length=1, max_length=500)]


class Trial(Params):
    lines: Annotated[list[Line], Field(max_length=100)] = []
    at: Number | None = None
    shape: Literal["tall", "wide"] = "tall"


class PositionTrial(Params):
    position: PositionFile
    lines: Annotated[list[Line], Field(max_length=100)] = []
    shape: Literal["tall", "wide"] = "tall"


class At(Params):
    at: Number | None = None
    view: View = None


class Drawn(At):
    shape: Literal["tall", "wide"] = "tall"
    names: bool = False
    """Whether the people at the table are called by their names."""
    noted: bool = False
    """With the marks and arrows of the notes on it, and every space named."""


class Prefix(Params):
    prefix: Annotated[str, Field(max_length=200)] = ""
    at: Number | None = None


class Begun(Params):
    prefix: Annotated[str, Field(max_length=1000)] = ""
    """The words of a line so far."""


class Why(Params):
    line: Line
    """A line, or the number of an action that was logged."""
    at: Number | None = None


class Moves(Params):
    start: Number = 0
    by: Annotated[str | None, Field(max_length=1)] = None
    containing: Annotated[str | None, Field(max_length=200)] = None
    everything: bool = False
    bare: bool = False
    """Told in as many lines as there are actions, without what they moved."""
    view: View = None


class Between(Params):
    start: Number
    end: Number | None = None
    fields: bool = False
    """Told by the fields of the position."""
    view: View = None


class Undoing(Params):
    count: Annotated[int, Field(ge=1, le=10_000)] = 1
    to: Number | None = None
    reason: Words = ""


class Redoing(Params):
    count: Annotated[int, Field(ge=1, le=10_000)] = 1


class Correction(Params):
    number: Number
    lines: Annotated[list[Line], Field(max_length=500)] = []
    remove: Annotated[int, Field(ge=0, le=10_000)] = 1
    drop: bool = False
    keep: bool = False
    stands: bool = False
    reason: Words = ""
    dry_run: bool = False


class Adjustment(Params):
    changes: dict[str, Any]
    reason: Words
    whole: bool = False
    """The changes are a whole position."""
    stands: bool = False
    """The table is so, though no table can show it."""


class Reason(Params):
    reason: Words = ""


class ClockTime(Reason):
    """The time that everybody has, or how much more is given."""

    seconds: Annotated[int, Field(ge=0, le=360_000)] | None = None
    """Zero takes the clock away."""
    per: Literal["seat", "round"] = "seat"
    at_zero: Literal["nothing", "judge"] = "nothing"
    seat: Seat | None = None
    given: Annotated[int, Field(ge=-360_000, le=360_000)] = 0


class Ending(Reason):
    yes: bool = False
    """Also with disputes or sealed values still open."""


class GoodReason(Params):
    reason: Annotated[str, Field(min_length=1, max_length=2000)]


class Upto(Params):
    entry: Number | None = None
    """Up to this entry; by default all that was said."""


@route("games")
def games(ask: Ask, wanted: Games) -> Answered[GamesAnswer]:
    return info.games(
        ask.caller,
        closed=wanted.closed,
        engine=wanted.engine,
        player=wanted.player,
        tournament=wanted.tournament,
        search=wanted.search,
        current=wanted.current,
        start=wanted.start,
        most=wanted.most,
    )


@route("new")
def new(ask: Ask, table: NewTable) -> Answered[NewAnswer | OpeningRefusedAnswer]:
    preset = table.preset
    return opening.open_table(
        ask.caller,
        table.game,
        table.table,
        players=table.players,
        kit=_kit(ask, load_engine(table.game), table.kit),
        readings=table.readings,
        house_rules=table.house_rules,
        preset=check_preset(preset.model_dump(), preset.name) if preset is not None else None,
        title=table.title,
        stands=table.stands,
        key=ask.key,
    )


def _kit(ask: Ask, engine: Engine[Any, Any], said: str | dict[str, Any] | None) -> KitSheet | None:
    """A kit of the club, one that is shipped, or one that is brought."""
    if said is None:
        return None
    if isinstance(said, str):
        return club_kit(ask.caller, engine, said) or engine.kit_sheet(said)
    return checked_kit(engine, said, "kit")


@route("info")
def game_info(ask: Ask) -> Answered[InfoAnswer]:
    return info.info(ask.caller, ask.game)


@route("open", rehearses=True)
def take_up(ask: Ask) -> Answered[OpenAnswer]:
    return opening.take_up(ask.caller, ask.game)


@route("log")
def log(ask: Ask, said: Actions) -> Answered[LogAnswer]:
    lines = actions.in_words(ask.caller, ask.game, said.lines)
    return actions.log(
        ask.caller,
        ask.game,
        lines,
        stands=said.stands,
        after=said.after,
        key=ask.key,
        at_once=ask.told.append,
    )


@route("check", answer="log", rehearses=True)
def check(ask: Ask, said: Actions) -> Answered[LogAnswer]:
    lines = actions.in_words(ask.caller, ask.game, said.lines)
    return actions.check(
        ask.caller,
        ask.game,
        lines,
        stands=said.stands,
        after=said.after,
        at_once=ask.told.append,
    )


@route("check-position", answer="check", rehearses=True, public=True)
def check_position(ask: Ask, said: Position) -> Answered[CheckAnswer]:
    return actions.check_position(ask.caller, said.position, said.lines)


@route("trial", rehearses=True)
def trial(ask: Ask, tried: Trial) -> Answered[TrialAnswer]:
    return analysis.trial(ask.caller, ask.game, tried.lines, at=tried.at, shape=tried.shape)


@route("position-trial", answer="trial", rehearses=True, public=True)
def position_trial(ask: Ask, said: PositionTrial) -> Answered[TrialAnswer]:
    return analysis.position_trial(ask.caller, said.position, said.lines, shape=said.shape)


@route("state")
def state(ask: Ask, wanted: At) -> Answered[StateAnswer]:
    return views.state(ask.caller, ask.game, at=wanted.at, view=wanted.view)


@route("picture")
def picture(ask: Ask, wanted: Drawn) -> File:
    drawn = views.picture(
        ask.caller,
        ask.game,
        at=wanted.at,
        view=wanted.view,
        shape=wanted.shape,
        names=wanted.names,
        noted=wanted.noted,
    )
    return File(f"{ask.game}.svg", drawn.encode(), "image/svg+xml")


@route("position")
def position(ask: Ask, wanted: At) -> File:
    found = views.position(ask.caller, ask.game, at=wanted.at, view=wanted.view)
    return File(f"{ask.game}.toml", found.encode(), "application/toml")


@route("options")
def options(ask: Ask, wanted: Prefix) -> Answered[OptionsAnswer]:
    return views.options(ask.caller, ask.game, prefix=wanted.prefix, at=wanted.at)


@route("choices")
def choices(ask: Ask, wanted: Begun) -> Answered[ChoicesAnswer]:
    return views.choices(ask.caller, ask.game, wanted.prefix)


@route("why")
def why(ask: Ask, asked: Why) -> Answered[WhyAnswer]:
    return views.why(ask.caller, ask.game, asked.line.split(), at=asked.at)


@route("moves")
def moves(ask: Ask, wanted: Moves) -> Answered[MovesAnswer]:
    return views.moves(
        ask.caller,
        ask.game,
        start=wanted.start,
        by=wanted.by,
        containing=wanted.containing,
        everything=wanted.everything,
        view=wanted.view,
        bare=wanted.bare,
    )


@route("diff")
def diff(ask: Ask, wanted: Between) -> Answered[DiffAnswer]:
    return views.diff(
        ask.caller, ask.game, wanted.start, wanted.end, view=wanted.view, fields=wanted.fields
    )


@route("undo")
def undo(ask: Ask, said: Undoing) -> Answered[UndoAnswer]:
    return corrections.undo(
        ask.caller, ask.game, said.count, to=said.to, reason=said.reason, key=ask.key
    )


@route("redo")
def redo(ask: Ask, said: Redoing) -> Answered[RedoAnswer]:
    return corrections.redo(ask.caller, ask.game, said.count, key=ask.key)


@route("correct")
def correct(ask: Ask, said: Correction) -> Answered[CorrectAnswer | InsertionRefusedAnswer]:
    return corrections.correct(
        ask.caller,
        ask.game,
        said.number,
        said.lines,
        remove=said.remove,
        drop=said.drop,
        keep=said.keep,
        stands=said.stands,
        reason=said.reason,
        dry_run=said.dry_run,
        key=ask.key,
    )


@route("adjust")
def adjust(ask: Ask, said: Adjustment) -> Answered[AdjustAnswer | AdjustRefusedAnswer]:
    return corrections.adjust(
        ask.caller,
        ask.game,
        said.changes,
        said.reason,
        whole=said.whole,
        stands=said.stands,
        key=ask.key,
    )


@route("confirm")
def confirm(ask: Ask, said: Upto) -> Answered[ConfirmAnswer]:
    return confirmation.confirm(ask.caller, ask.game, said.entry, key=ask.key)


@route("finish")
def finish(ask: Ask, said: Ending) -> Answered[FinishAnswer]:
    return lifecycle.finish(ask.caller, ask.game, reason=said.reason, yes=said.yes, key=ask.key)


@route("reopen")
def reopen(ask: Ask, said: GoodReason) -> Answered[GameAnswer]:
    return lifecycle.reopen(ask.caller, ask.game, said.reason, key=ask.key)


@route("hold")
def hold(ask: Ask, said: Reason) -> Answered[HeldAnswer]:
    return lifecycle.hold(ask.caller, ask.game, reason=said.reason, key=ask.key)


@route("clock")
def clock(ask: Ask) -> Answered[GameClockAnswer]:
    return clocks.show_clock(ask.caller, ask.game)


@route("clock-set", answer="clock")
def clock_set(ask: Ask, said: ClockTime) -> Answered[GameClockAnswer]:
    return clocks.set_clock(
        ask.caller,
        ask.game,
        said.seconds,
        per=said.per,
        at_zero=said.at_zero,
        seat=said.seat,
        given=said.given,
        reason=said.reason,
        key=ask.key,
    )


@route("resume")
def resume(ask: Ask, said: Reason) -> Answered[HeldAnswer]:
    return lifecycle.resume(ask.caller, ask.game, reason=said.reason, key=ask.key)
