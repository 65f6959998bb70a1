"""Analysis: judge lines that are only tried out, from a moment of a game or a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.explanation import why_lines
from answers.i18n import Voice
from answers.limits import Line, TriedLines
from answers.line_words import names_of
from answers.permissions import EVERYBODY, TABLE
from answers.play.views import photographs
from answers.privileged import step_at
from answers.verdict_text import doubted_lines, verdict_lines
from answers.verdicts import PointAnswer, VerdictAnswer, verdict_fields
from engines.kernel import Judgement, Moves, Verdict
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.svg import Shape
from engines.kernel.values.structs import evolve
from referee.record.entries import Number
from referee.record.game import Game
from referee.record.positions import FromPosition, PositionFile, judge_from_position
from replays.exports.annotations import named_spaces


class JudgedLine(VerdictAnswer):
    notation: str


class CheckAnswer(Data):
    lines: list[JudgedLine]
    doubted: list[PointAnswer] = []
    """Why the position can hardly have come about; the lines are judged all the same."""


class TriedLine(JudgedLine):
    told: list[str]
    """The verdict and what the line moves, in sentences."""
    why: list[str]
    """Every clause that was asked about it, in sentences."""


class TrialAnswer(Data):
    engine: str
    lines: list[TriedLine]
    """What was tried; where the position itself is refused, that alone."""
    accepted: bool
    doubted: list[PointAnswer] = []
    """Why the position can hardly have come about; the lines are judged all the same."""
    doubts: list[str] = []
    """The same in sentences."""
    picture: str
    """The table after the last line that was accepted; empty, if there is none."""
    words: list[str]
    options: list[str]
    """What may come next, as far as it can be listed."""
    templates: list[str]
    names: dict[str, str]
    labels: dict[str, str] = {}
    """What a button would say that does one of the options."""


@operation(
    "check-position",
    "POST /positions/check",
    grant=EVERYBODY,
    scope="public",
    kind="try",
    answer="check",
)
def check_position(
    caller: Caller,
    position: PositionFile,
    lines: Annotated[Sequence[Line], Field(min_length=1, max_length=500)],
) -> Answered[CheckAnswer]:
    """Would these be legal on a table that no record tells of?"""
    heard = judge_from_position(position, lines)
    refused = [(heard.refused, Moves())] if heard.refused else []
    judged = [*refused, *zip(heard.judged, heard.moves, strict=True)]

    def data() -> CheckAnswer:
        rows = [
            JudgedLine(
                **verdict_fields(each.verdict, moves), notation=heard.engine.text(each.action)
            )
            for each, moves in judged
        ]
        return CheckAnswer(lines=rows, doubted=_points(heard))

    def told(voice: Voice) -> Iterator[str]:
        yield from _doubts(voice, heard)
        for each, moves in judged:
            yield from verdict_lines(voice, heard.engine, each, moves, heard.setting.readings)

    illegal = any(not each.accepted for each, _ in judged)
    return Answered(data, told, "illegal" if illegal else "done")


@operation("trial", "GET /games/{game}/trial", grant=TABLE, kind="try")
def trial(
    caller: Caller,
    game_id: str,
    lines: TriedLines = (),
    *,
    at: Number | None = None,
    shape: Shape = "tall",
    photo: bool = False,
) -> Answered[TrialAnswer]:
    """Lines judged as if they were said after action ``at``; for who may see everything."""
    game = caller.everything(game_id, "trial")
    step = step_at(game, at)
    start = FromPosition(game.engine, step.setting, state=step.state)
    said = [text for line in lines for text in caller.said(game, line)]
    tried = start.judging(said, (step.number or 0) + 1)
    return _answered(caller, tried, shape, game, photographs(caller, game) if photo else {})


@operation(
    "position-trial",
    "POST /positions/trial",
    grant=EVERYBODY,
    scope="public",
    kind="try",
    answer="trial",
)
def position_trial(
    caller: Caller,
    position: PositionFile,
    lines: TriedLines = (),
    *,
    shape: Shape = "tall",
    photo: bool = False,
) -> Answered[TrialAnswer]:
    """Lines judged from a position, the table after them, and what may come next.

    ``photo``: on the club's own board, if the position says of its box what the club says of
    it, and whoever asks may look at the box.
    """
    tried = judge_from_position(position, lines)
    grounds = photographs_of_position(caller, tried) if photo else {}
    return _answered(caller, tried, shape, grounds=grounds)


def photographs_of_position(caller: Caller, tried: FromPosition) -> Mapping[str, Ground]:
    from answers.rulebooks.box_boards import grounds_of_box

    may_look = caller.author.role.partition(":")[0] in TABLE.names
    return grounds_of_box(caller, tried.engine.id, tried.setting.sheet) if may_look else {}


def _answered(
    caller: Caller,
    tried: FromPosition,
    shape: Shape,
    game: Game | None = None,
    grounds: Mapping[str, Ground] = {},
) -> Answered[TrialAnswer]:
    """``game``: the one at whose table it is tried; its people are called by name."""
    refused = [(tried.refused, Moves())] if tried.refused is not None else []
    judged = [*refused, *zip(tried.judged, tried.moves, strict=True)]
    accepted = all(each.accepted for each, _ in judged)

    def render(voice: Voice) -> Iterator[str]:
        seats = {} if game is None else game.seats
        yield from _doubts(voice.at(seats), tried)
        for each in judged:
            yield from _told(voice.at(seats), tried, *each)

    def data() -> TrialAnswer:
        names = {} if game is None else caller.names_at(game)
        voice = evolve(caller.voice, names=names)
        rows = [_row(voice, tried, *each) for each in judged]
        return _data(voice, tried, rows, shape, grounds, accepted=accepted)

    return Answered(data, render, "done" if accepted else "illegal")


def _doubted(tried: FromPosition) -> Verdict:
    """The verdict on the position, where one was declared and lies as it may."""
    declared = tried.declared
    return Verdict("legal") if declared is None or tried.refused else declared.verdict


def _points(tried: FromPosition) -> list[PointAnswer]:
    doubted = _doubted(tried).doubted
    return [PointAnswer(clause=point.clause, facts=dict(point.facts)) for point in doubted]


def _doubts(voice: Voice, tried: FromPosition) -> Iterator[str]:
    return doubted_lines(voice, tried.engine, _doubted(tried), tried.setting.readings)


def _told(voice: Voice, tried: FromPosition, each: Judgement[Any], moves: Moves) -> Iterator[str]:
    return verdict_lines(voice, tried.engine, each, moves, tried.setting.readings)


def _row(voice: Voice, tried: FromPosition, each: Judgement[Any], moves: Moves) -> TriedLine:
    notation, lang = tried.engine.text(each.action), voice.lang
    told = [*_told(voice, tried, each, moves)]
    why = [*why_lines(voice, tried.engine, tried.setting, each, moves)]
    if each is tried.refused:  # a whole position as data is no sentence
        said, short = tried.engine.text(each.action, lang), voice.say("trial.position")
        told, why = ([line.replace(said, short) for line in lines] for lines in (told, why))
    return TriedLine(**verdict_fields(each.verdict, moves), notation=notation, told=told, why=why)


def _data(
    voice: Voice,
    tried: FromPosition,
    rows: list[TriedLine],
    shape: Shape,
    grounds: Mapping[str, Ground],
    *,
    accepted: bool,
) -> TrialAnswer:
    engine, setting, state, lang = tried.engine, tried.setting, tried.state, voice.lang
    if tried.refused is not None:
        nothing: dict[str, Any] = {"picture": "", "words": [], "options": [], "templates": []}
        return TrialAnswer(engine=engine.id, lines=rows, accepted=False, **nothing, names={})
    last = next((each.action for each in reversed(tried.judged) if each.accepted), None)
    drawn = engine.picture(
        state, setting, lang, last, shape=shape, names=voice.names, grounds=grounds
    )
    words = engine.describe(state, setting, lang, voice.names)
    labels = {
        engine.text(action): engine.text.label(action, lang, voice.names)
        for action in engine.options(setting, state)
    }
    templates: list[str] = [usage for _, usage in engine.options.templates(setting, state)]
    return TrialAnswer(
        engine=engine.id,
        lines=rows,
        accepted=accepted,
        doubted=_points(tried),
        doubts=[line.strip() for line in _doubts(voice, tried)],
        picture=drawn.svg(
            engine.words.say("game", lang), "\n".join(words), lang=lang, over=named_spaces(drawn)
        ),
        words=words,
        options=list(labels),
        templates=templates,
        names=names_of(engine, (*labels, *templates), lang),
        labels=labels,
    )
