"""What if: a stored game judged under other readings, house rules, kit or engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from engines.kernel import Action, KitSheet, Opening, ParseError, evolve
from engines.kernel.engine.engine import Engine
from referee.record.entries import action_data, verdict_data
from referee.record.game import Game
from referee.record.line import Item, JudgedItem
from referee.record.persistent_vector import PersistentVector


class Difference(NamedTuple):
    """An action that would have been judged otherwise."""

    number: int
    line: str
    before: str
    after: str
    """An outcome, or ``refused``: the game could not have gone on so."""
    clause: str | None


class Other(Struct, frozen=True):
    """What is to be different."""

    readings: Mapping[str, str] = field(default_factory=dict)
    house_rules: Sequence[str] | None = None
    kit: Mapping[str, Any] = field(default_factory=dict)
    """Data of the box, by path, as people type it."""
    engine: Engine[Any, Any] | None = None


def what_if(game: Game, other: Other) -> list[Difference]:
    """Where the verdicts of a game differ. Ends at the first action that would be refused."""
    replayed = _reopened(game, other)
    if isinstance(replayed, Difference):
        return [replayed]
    found: list[Difference] = []
    for step in game.steps[1:]:
        item = step.item
        if item.reading is not None and item.reading[0] in other.readings:
            continue
        after = _play(replayed, item)
        if after is None:
            return [*found, _refused(replayed, item, step)]
        replayed = evolve(replayed, steps=replayed.steps.grown(after))
        if step.action is not None and verdict_data(step.verdict) != verdict_data(after.verdict):
            found.append(_difference(game, step, after))
    return found


def _difference(game: Game, step: JudgedItem, after: JudgedItem) -> Difference:
    assert step.action is not None
    clause = after.verdict.clause or step.verdict.clause
    line, number = game.engine.text(step.action), step.number or 0
    return Difference(number, line, step.verdict.outcome, after.verdict.outcome, clause)


def _reopened(game: Game, other: Other) -> Game | Difference:
    """The same opening under other conditions, or how it differs already there."""
    sheet: KitSheet = game.sheet
    for path, value in other.kit.items():
        sheet = sheet.declare(*game.engine.stated(sheet, path, value), "what if")
    engine = other.engine or game.engine
    if other.kit:
        engine.read_new_kit(sheet)
    opening = _said_to(engine, game.steps[0].action)
    assert isinstance(opening, Opening)
    kept = {k: v for k, v in game.steps[0].setting.readings.items() if k in engine.readings}
    asked = opening.model_copy(update={"readings": {**kept, **other.readings}})
    house_rules = game.opened.house_rules if other.house_rules is None else other.house_rules
    setting = engine.setting(asked, sheet, house_rules)
    judged = engine.open(setting, opening)
    if not judged.accepted:
        line = engine.text(opening)
        return Difference(0, line, "legal", "refused", judged.verdict.clause)
    setting = evolve(setting, engine=game.opened.engine_version)
    first = JudgedItem(game.steps[0].item, judged.state, setting, judged.verdict)
    return Game(game.id, engine, game.opened, sheet, steps=PersistentVector((first,)))


def _said_to(engine: Engine[Any, Any], action: Action | None) -> Action | None:
    """An action as another engine understands it."""
    if action is None or isinstance(action, (engine.opening, *engine.actions)):
        return action
    return engine.text.load(action_data(action))


def _play(game: Game, item: Item) -> JudgedItem | None:
    try:
        return game.play(item._replace(action=_said_to(game.engine, item.action)))
    except ParseError:
        return None


def _refused(game: Game, item: Item, step: JudgedItem) -> Difference:
    number, was = item.number or 0, step.verdict.outcome
    if item.action is None:
        return Difference(number, "adjust", was, "refused", None)
    try:
        action = _said_to(game.engine, item.action)
        assert action is not None
        last = game.steps[-1]
        judged = game.engine.judge(last.setting, last.state, action, number)
    except ParseError:
        return Difference(number, item.action.verb_of(), was, "refused", None)
    line = game.engine.text(action)
    return Difference(number, line, was, "refused", judged.verdict.clause)
