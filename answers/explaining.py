"""Why a line is legal or not: every clause that was asked, the facts, the readings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.telling import (
    doubt_lines,
    finding_lines,
    moved_lines,
    outcome,
    reading_line,
    warning_lines,
)
from answers.voice import Voice
from engines.kernel import Judgement, Moves, Point
from engines.kernel.sentences import because, clause_text
from referee.record.game import Game


def why_lines(
    voice: Voice, game: Game, judged: Judgement[Any], moves: Moves, nearest: list[str]
) -> Iterator[str]:
    engine, verdict = game.engine, judged.verdict
    yield f"{outcome(voice, verdict)}   {voice.mark('bold', engine.text(judged.action))}"
    broken = {point.clause for point in verdict.breaches}
    for consulted in verdict.consulted:
        if consulted.effect and not consulted.held:
            continue
        sign = "✘" if consulted.clause in broken and not consulted.held else "✔"
        word = voice.say(
            "why.effect" if consulted.effect else ("why.broken" if sign == "✘" else "why.held")
        )
        text = clause_text(engine, consulted.clause, voice.lang, game.setting.readings)
        yield f"  {sign} {word}  {consulted.clause}  {text}"
        told = (
            because(engine, Point(consulted.clause, consulted.facts), voice.lang)
            if sign == "✘"
            else ""
        )
        if told:
            yield f"      {told}"
        clause = engine.clauses.get(consulted.clause)
        if clause is not None and sign == "✘":
            yield f"      {voice.say('why.section', section=clause.section)}"
    yield from moved_lines(voice, engine, moves)
    yield from finding_lines(voice, engine, verdict)
    yield from warning_lines(voice, engine, verdict)
    yield from doubt_lines(voice, game.sheet, verdict)
    for name in verdict.readings:
        yield f"  {reading_line(voice, engine, name, game.setting.readings[name])}"
    if nearest:
        yield f"  {voice.say('tell.try')}  " + " · ".join(nearest)
