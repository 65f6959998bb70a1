"""Cases from records: what was ruled once is guarded for ever."""

from __future__ import annotations

from typing import Any

from referee.errors import NotFound
from referee.positions import position_file
from referee.record import Game, RecordError, Step


def case_of_ruling(game: Game, ruling_id: str) -> dict[str, Any]:
    """A case file that says: here, this line gets this verdict."""
    ruling = game.rulings[ruling_id]
    number = ruling.numbers[0] if ruling.numbers else 0
    return _case(game, number, f"{game.id}/{ruling_id}: {ruling.reason}")


def _case(game: Game, number: int, name: str) -> dict[str, Any]:
    before, line, expected = _disputed(game, number)
    opening = game.steps[0].action
    assert opening is not None
    given: dict[str, Any] = {"log": game.engine.text(opening)}
    if game.engine.position_of is not None:
        file = position_file(game, before.number or 0)
        given["position"] = file["position"]
        if "stands" in file:
            given["stands"] = True
    else:
        played = game.steps[1 : game.steps.index(before) + 1]
        lines = [game.engine.text(step.action) for step in played if step.action is not None]
        given["log"] = "\n".join([given["log"], *lines])
    readings = {
        name: value
        for name, value in before.setting.readings.items()
        if value != game.engine.readings[name].default
    }
    declared = {
        datum.path: datum.value for datum in game.sheet.datums() if datum.provenance == "declared"
    }
    case: dict[str, Any] = {
        "name": name[:300],
        "given": "disputed",
        "lines": f"{line} -> {expected}",
    }
    if readings:
        given["readings"] = readings
    if declared:
        given["kit"] = declared
    if game.opened.house_rules:
        given["house_rules"] = list(game.opened.house_rules)
    return {"game": game.engine.id, "given": {"disputed": given}, "case": [case]}


def _disputed(game: Game, number: int) -> tuple[Step, str, str]:
    """The step before the disputed action, its line, and what the engine says of it.

    The action may have been taken back or corrected by the ruling itself: then it is
    looked up in the history, and the step it was judged from is the last one before it.
    """
    from referee.entries import Logged

    try:
        before, action = game.before(number), game.step(number).action
    except RecordError:
        found = [
            entry.data
            for entry in game.entries
            if isinstance(entry.data, Logged) and entry.data.number == number
        ]
        if not found:
            raise NotFound("no_such_action", number=number) from None
        action = game.engine.load(found[0].action)
        earlier = [step for step in game.steps if (step.number or 0) < number]
        before = earlier[-1]
    if action is None or number == 0:
        raise NotFound("no_such_action", number=number)
    judged = game.engine.judge(before.setting, before.state, action, number)
    return (
        before,
        game.engine.text(action),
        f"{judged.verdict.outcome} {judged.verdict.clause or ''}".strip(),
    )
