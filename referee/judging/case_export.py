"""Exports rulings as cases, so that later engines are tested against them."""

from __future__ import annotations

from typing import Any

from engines.kernel import Engine, Verdict, evolve
from referee.cases.case_file import CaseFile
from referee.cases.runner import run_case
from referee.errors import NotFound
from referee.judging.dispute_subject import Matter, matter
from referee.record.game import Game
from referee.record.positions import declared_data, position_file


def case_of_ruling(game: Game, ruling_id: str) -> dict[str, Any]:
    """A case file that says: here, this line gets this verdict.

    It begins with the position; where what was said before matters, its log tells the whole
    story. Readings that the ruling fixed are those of the case.
    """
    ruling = game.rulings[ruling_id]
    if not ruling.numbers or ruling.numbers == (0,):
        raise NotFound("no_case_in_ruling", ruling=ruling_id)
    disputed = matter(game, ruling.numbers[-1])
    if disputed.step.action is None:
        raise NotFound("no_case_in_ruling", ruling=ruling_id)
    readings = {**disputed.before.setting.readings, **ruling.readings}
    conditions = _conditions(disputed, readings)
    asked = f"{disputed.line.text} -> {_expected(disputed, readings)}"

    def made(told: list[str], given: dict[str, Any]) -> dict[str, Any]:
        case = {
            "name": f"{game.id}/{ruling_id}: {ruling.reason}"[:300],
            "given": "disputed",
            "lines": "\n".join((*told, asked)),
        }
        disputed = {"disputed": {**given, **conditions}}
        return {"game": game.engine.id, "given": disputed, "case": [case]}

    if game.engine.position_of is not None and not disputed.step.verdict.findings:
        from_position = made([], _position(disputed))
        if _passes(game.engine, from_position):
            return from_position
    return made(*_story(disputed))


def _passes(engine: Engine[Any, Any], content: dict[str, Any]) -> bool:
    file = CaseFile.model_validate(content)
    return run_case(engine, file, file.case[0]).passed


def _position(disputed: Matter) -> dict[str, Any]:
    """How the table stood."""
    file = position_file(disputed.game, disputed.before.number or 0)
    stands = {"stands": True} if "stands" in file else {}
    return {"log": file["table"], "position": file["position"], **stands}


def _story(disputed: Matter) -> tuple[list[str], dict[str, Any]]:
    """How the table came to stand so.

    Irregular actions and all that follows them are lines of the case itself, for a log only
    holds what was accepted.
    """
    game, before = disputed.game, disputed.before
    opening = game.steps[0].action
    assert opening is not None
    log = [game.engine.text(opening)]
    lines: list[str] = []
    for step in game.steps[1 : game.steps.index(before) + 1]:
        if step.action is None:
            continue
        text = game.engine.text(step.action)
        if step.item.stands or lines:
            lines.append(f"{text} -> {_words(step.verdict, step.item.stands)}")
        else:
            log.append(text)
    return lines, {"log": "\n".join(log)}


def _conditions(disputed: Matter, readings: dict[str, str]) -> dict[str, Any]:
    """Readings, kit and house rules that are not the usual ones."""
    game = disputed.game
    given: dict[str, Any] = {}
    unusual = {
        name: value
        for name, value in readings.items()
        if value != game.engine.readings[name].default
    }
    declared = declared_data(game)
    if unusual:
        given["readings"] = unusual
    if declared:
        given["kit"] = declared
    if game.opened.house_rules:
        given["house_rules"] = list(game.opened.house_rules)
    if game.age == "older":
        given["engine"] = game.opened.engine_version
    return given


def _expected(disputed: Matter, readings: dict[str, str]) -> str:
    """What the engine says of the line, as a case writes it."""
    game, before, step = disputed.game, disputed.before, disputed.step
    assert step.action is not None
    verdict: Verdict = step.verdict
    if readings != before.setting.readings or step.item.stands:
        setting = evolve(before.setting, readings=readings)
        verdict = game.engine.judge(setting, before.state, step.action, step.number or 0).verdict
    return _words(verdict)


def _words(verdict: Verdict, stands: bool = False) -> str:
    words: list[str] = ["stands" if stands else verdict.outcome]
    words += [point.clause for point in verdict.breaches] or [verdict.clause or ""]
    for finding in verdict.findings:
        settled = "proves" if finding.status == "broken" else "clears"
        words += [settled, finding.clause]
    return " ".join(word for word in words if word)
