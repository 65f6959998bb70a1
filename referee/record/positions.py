"""Judging without a log: a position declared in a file, and lines judged from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct, field
from pydantic import BaseModel, Field, JsonValue, ValidationError

from engines.kernel import Action, Engine, Judgement, KitSheet, Moves, Opening, ParseError, Setting
from engines.kernel.messages.errors import first_mistake
from engines.kernel.registry import load_engine
from engines.kernel.rules.actions import refuse_beyond_limits
from engines.kernel.values.models import STRICT
from referee.errors import Unfit
from referee.record.game import Game

_Line = Annotated[str, Field(max_length=2000)]


class PositionFile(BaseModel):
    """A table as it stands, declared by hand."""

    model_config = STRICT

    game: str = Field(max_length=40)
    table: _Line = Field(description="The line that opens the game.")
    setup: tuple[_Line, ...] = Field(
        default=(), max_length=500, description="Lines that come before the position."
    )
    position: dict[str, JsonValue] | None = None
    stands: bool = Field(
        default=False, description="The position itself breaks a rule, and is the real table's."
    )
    house_rules: tuple[Annotated[str, Field(max_length=40)], ...] = Field(
        default=(), max_length=200, description="Clauses that this table sets aside."
    )
    kit: dict[str, JsonValue] = Field(
        default={}, description="Data of the box that this table declares, by path."
    )


def read_position(data: Mapping[str, Any]) -> PositionFile:
    try:
        return PositionFile.model_validate(data)
    except ValidationError as error:
        wrong = first_mistake(error)
        raise ParseError("bad_position", field=wrong.place, problem=wrong.problem) from None


class FromPosition(Struct):
    """The verdicts on lines played from a declared position."""

    engine: Engine[Any, Any]
    setting: Setting[Any]
    opened: Judgement[Any] | None = None
    """What was said of the opening, where the lines begin at one."""
    declared: Judgement[Any] | None = None
    """What was said of the position, where the lines begin at one: its doubts stand there."""
    refused: Judgement[Any] | None = None
    """The opening or the position itself, if it was refused."""
    judged: list[Judgement[Any]] = field(default_factory=list)
    moves: list[Moves] = field(default_factory=list)
    """What each of them moved."""
    state: Any = None

    def judging(self, lines: Sequence[str], number: int = 1) -> FromPosition:
        """A copy that has judged these lines as well, up to the first that is refused."""
        engine, setting = self.engine, self.setting
        for text in [text for line in lines for text in engine.notation.split(line)]:
            judged = engine.judge(setting, self.state, engine.read(text), number)
            self.judged.append(judged)
            moved = engine.moves(self.state, judged.state, setting, judged.action, judged.stages)
            self.moves.append(moved)
            if not judged.accepted:
                break
            self.state, number = judged.state, number + 1
        return self


def judge_from_position(file: PositionFile, lines: Sequence[str]) -> FromPosition:
    """Judge lines from a declared position. The first line that is refused ends it."""
    engine, sheet = position_sheet(file)
    opening = engine.read(file.table)
    assert isinstance(opening, Opening)
    setting = engine.setting(opening, sheet, file.house_rules)
    start: Judgement[Any] = engine.open(setting, opening)
    answer = FromPosition(engine, setting, start)
    if not start.accepted:
        answer.refused = start
        return answer
    answer.state = start.state
    for action in position_actions(engine, file):
        lenient = file.stands and type(action) is engine.position
        judged = engine.judge(setting, answer.state, action, lenient=lenient)
        if type(action) is engine.position:
            answer.declared = judged
        if not judged.accepted:
            answer.refused = judged
            return answer
        answer.state = judged.state
    return answer.judging(lines)


def position_sheet(file: PositionFile) -> tuple[Engine[Any, Any], KitSheet]:
    """The engine of a position file, and its kit with the data that the table declared."""
    engine = load_engine(file.game)
    opening = engine.read(file.table)
    if not isinstance(opening, Opening):
        raise Unfit("not_an_opening")
    sheet = engine.kit_sheet(opening.kit)
    for path, value in file.kit.items():
        sheet = sheet.stating(path, value, "position file")
    if not file.kit:
        return engine, sheet
    sheet = KitSheet({**sheet.content, "kit": "position"})
    engine.read_new_kit(sheet)
    return engine, sheet


def position_actions(engine: Engine[Any, Any], file: PositionFile) -> list[Action]:
    """The set-up lines before the position, and the position itself."""
    actions = [engine.read(text) for line in file.setup for text in engine.notation.split(line)]
    if file.position is not None:
        if engine.position is None:
            raise ParseError("no_positions", game=engine.id)
        refuse_beyond_limits(file.position)
        try:
            actions.append(engine.position.model_validate(file.position))
        except ValidationError as error:
            wrong = first_mistake(error, engine.words)
            raise ParseError("bad_position", field=wrong.place, problem=wrong.problem) from None
    return actions


def position_file(game: Game, number: int | None = None) -> dict[str, Any]:
    """Export a state as a position file."""
    engine = game.engine
    step = game.steps[-1] if number is None else game.step(number)
    opening = game.steps[0].action
    assert opening is not None
    file: dict[str, Any] = {
        "game": engine.id,
        "table": engine.text(opening),
        "position": engine.positions.data_of(step.setting, step.state),
    }
    if step.setting.house_rules:
        file["house_rules"] = sorted(step.setting.house_rules)
    if declared := declared_data(game):
        file["kit"] = declared
    if judge_from_position(read_position(file), []).refused is not None:
        file["stands"] = True
    return file


def declared_data(game: Game) -> dict[str, Any]:
    """What this table has declared about its box, by path."""
    found = {}
    for datum in game.sheet.datums():
        table, _, place = datum.path.rpartition(".")
        if datum.provenance != "declared":
            continue
        if place.isdecimal() and isinstance(whole := game.sheet.at(table), list):
            found[table] = whole  # a list of lists, like the hexes of a shape, is declared at once
        else:
            found[datum.path] = datum.value
    return found
