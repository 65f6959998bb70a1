"""How long the answers to whole games are, and what they never leave out."""

from __future__ import annotations

from statistics import median

import pytest

from answers.i18n import Voice
from answers.verdict_text import accepted
from engines.kernel.messages.catalogue import LANGUAGES, Language
from referee.record.line import JudgedItem
from referee.table.play import Heard
from replays.gallery import sample, samples


def told(game: str, step: JudgedItem, voice: Voice) -> list[str]:
    """The answer to one action of a sample game, as `log` gives it."""
    record = sample(game)
    number = step.number or 0
    steps = tuple(record.steps)[: tuple(record.steps).index(step) + 1]
    heard = Heard(
        record,
        action=step.action,
        verdict=step.verdict,
        number=number,
        steps=(steps[-2], step),
    )
    return list(accepted(voice, heard))


def answers(game: str, voice: Voice) -> list[list[str]]:
    return [told(game, step, voice) for step in list(sample(game).steps)[1:] if step.action]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", samples())
def test_the_usual_answer_has_three_lines_at_most(game: str, lang: Language) -> None:
    lengths = sorted(map(len, answers(game, Voice(lang))))
    assert median(lengths) <= 3


@pytest.mark.parametrize("game", samples())
def test_with_v_every_effect_is_told(game: str) -> None:
    brief, all_of_it = answers(game, Voice()), answers(game, Voice(thorough=True))
    assert all(set(few[1:]) <= set(many) for few, many in zip(brief, all_of_it, strict=True))
    steps = [step for step in list(sample(game).steps)[1:] if step.action]
    for step, lines in zip(steps, all_of_it, strict=True):
        for point in step.verdict.effects:
            assert any(point.clause in line for line in lines), (step.number, point)


@pytest.mark.parametrize("game", ["broom_service"])
def test_no_point_is_won_or_lost_without_a_line(game: str) -> None:
    record = sample(game)
    scores = {seat: player.vp for seat, player in record.steps[0].state.players.items()}
    for step in list(record.steps)[1:]:
        lines = told(game, step, Voice())
        for seat, player in step.state.players.items():
            if player.vp != scores[seat]:
                change = f"{seat} {'+' if player.vp > scores[seat] else '−'}"
                assert any(change in line for line in lines), step.number
            scores[seat] = player.vp
