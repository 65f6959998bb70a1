"""A game step by step, as data."""

from __future__ import annotations

from typing import Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import View
from answers.permissions import EVERYBODY
from answers.verdicts import VerdictAnswer, verdict_fields
from referee.record.entries import Number
from referee.record.game import Game, moves_between
from referee.record.line import JudgedItem


class StepRow(VerdictAnswer):
    number: int | None
    notation: str | None
    state: dict[str, Any]


class ReplayAnswer(Data):
    game: str
    steps: list[StepRow]


@operation("replay", "GET /games/{game}/steps", grant=EVERYBODY)
def replay(
    caller: Caller, game_id: str, *, at: Number = 0, view: View = None
) -> Answered[ReplayAnswer]:
    """Every step that counts, from action ``at`` on."""
    game = caller.game(game_id, view)
    steps = [step for step in game.steps if (step.number or 0) >= at]

    def render(voice: Voice) -> list[str]:
        line = game.engine.text
        return [f"#{step.number} {line(step.action, voice.lang)}" for step in steps if step.action]

    return Answered(
        lambda: ReplayAnswer(game=game.id, steps=[_row(game, step) for step in steps]), render
    )


def _row(game: Game, step: JudgedItem) -> StepRow:
    before = game.before(step.number) if step.number is not None else step
    return StepRow(
        **verdict_fields(step.verdict, moves_between(game, before, step)),
        number=step.number,
        notation=game.engine.text(step.action) if step.action is not None else None,
        state=game.engine.plain(step.state),
    )
