"""TRANSITION: the old way to tell, for commands that do not ask answers/ yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from answers import telling
from answers.changes import Changed, change_fields
from answers.changes import raised as raised_by
from answers.telling import numbered, short
from answers.verdicts import action_answer, finding_answers, heard_answer, verdict_answer
from cli.speech import language, voice
from engines.kernel import sentences

__all__ = ["numbered", "short"]


def _voice(paint: Any = None, program: str | None = None) -> Any:
    return replace(voice(), mark=paint or (lambda style, text: text), program=program)


def because(engine: Any, point: Any) -> str:
    return sentences.because(engine, point, language())


def clause_text(engine: Any, clause: str) -> str:
    return sentences.clause_text(engine, clause, language())


def facts_line(engine: Any, facts: Any) -> str:
    return sentences.facts_line(engine, facts, language())


def outcome(paint: Any, verdict: Any) -> str:
    return telling.outcome(_voice(paint), verdict)


def refusal(
    paint: Any,
    game: Any,
    heard: Any,
    near: Any,
    *,
    program: str | None = "referee",
    insisted: bool = False,
) -> Any:
    return telling.refusal(_voice(paint, program), game, heard, near, insisted=insisted)


def insertion_refused(game: Any, error: Any) -> list[str]:
    return list(telling.insertion_refused(_voice(), game.engine, error))


def opening_refusal(paint: Any, engine: Any, heard: Any) -> Any:
    return telling.opening_refusal(_voice(paint), engine, heard)


def verdict_lines(paint: Any, engine: Any, judged: Any) -> Any:
    return telling.verdict_lines(_voice(paint), engine, judged)


def point_lines(engine: Any, point: Any) -> Any:
    return telling.point_lines(_voice(), engine, point)


def effect_line(engine: Any, point: Any) -> Any:
    return telling.effect_line(_voice(), engine, point)


def doubt_lines(sheet: Any, points: Any) -> Any:
    return telling.doubt_lines(_voice(), sheet, points)


def accepted(paint: Any, heard: Any, *, logged: bool = True) -> Any:
    return telling.accepted(_voice(paint), heard, logged=logged)


def finding_line(paint: Any, engine: Any, finding: Any) -> str:
    return telling.finding_line(_voice(paint), engine, finding)


def to_act(game: Any) -> str:
    return telling.to_act(_voice(), game)


def over_line(game: Any) -> str:
    return telling.over_line(_voice(), game)


def change_lines(paint: Any, game: Any, change: Any, *, helping: bool = True) -> Any:
    breaches: Any = ()
    if change.pending:
        first = next(item for item in game.pending if item.number == change.pending[0])
        if first.action is not None:
            judged = game.engine.judge(game.setting, game.state, first.action, first.number or 0)
            breaches = judged.verdict.breaches
    return Changed(game, change, breaches).lines(_voice(paint), helping=helping)


def pending_line(change: Any) -> str:
    from answers.changes import pending_line as told

    return told(_voice(), change)


def raised(answer: Any) -> list[str]:
    return list(raised_by(answer))


def raised_lines(answer: Any) -> Any:
    return Changed(answer.game, answer.change, (), raised_by(answer)).raised_lines(_voice())


def heard_data(heard: Any) -> dict[str, Any]:
    return heard_answer(heard).model_dump(mode="json")


def verdict_data(verdict: Any) -> dict[str, Any]:
    return verdict_answer(verdict).model_dump(mode="json")


def findings_data(findings: Any) -> list[dict[str, Any]]:
    return [finding.model_dump(mode="json") for finding in finding_answers(findings)]


def action_data(action: Any) -> dict[str, Any] | None:
    return None if action is None else action_answer(action).model_dump(mode="json")


def change_data(change: Any) -> dict[str, Any]:
    fields = change_fields(change)
    return {**fields, "rejudged": [row.model_dump(mode="json") for row in fields["rejudged"]]}
