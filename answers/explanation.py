"""Explanation of a verdict: every clause consulted, the facts, the readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answers.i18n import Voice
from answers.verdict_text import (
    doubt_lines,
    finding_lines,
    moved_lines,
    near_line,
    outcome,
    reading_line,
    told_line,
    warning_lines,
)
from engines.kernel import Engine, Judgement, Moves, Point, Setting, Verdict
from engines.kernel.dialogue.clause_text import (
    because,
    clause_text,
    effect_told,
    readings_named,
    weighed,
)
from engines.kernel.messages.catalogue import Verbatim
from referee.record.history import Status


def gone_lines(voice: Voice, number: int, became: Status) -> list[str]:
    """What is told first of an action that does not count."""
    if became == "counts":
        return []
    return [voice.say("why.gone", number=number, status=Verbatim(voice.say(f"moves.{became}")))]


def readings_asked(
    engine: Engine[Any, Any], setting: Setting[Any], verdict: Verdict
) -> dict[str, str]:
    """The readings that a verdict rests on, and how they are set."""
    readings, told = setting.readings, (each.clause for each in verdict.consulted)
    named = readings_named(engine, verdict.readings, told, readings)
    return {name: readings[name] for name in named}


def why_lines(
    voice: Voice,
    engine: Engine[Any, Any],
    setting: Setting[Any],
    judged: Judgement[Any],
    moves: Moves,
    nearest: Sequence[str] = (),
) -> Iterator[str]:
    """Every clause that was asked, how it came out, and what the verdict rests on.

    ``voice`` is one ``at`` the table, where people are known by name.
    """
    verdict = judged.verdict
    line = told_line(voice, engine, engine.text(judged.action))
    yield f"{outcome(voice, verdict)}   {voice.mark('bold', line)}"
    for consulted, how in weighed(verdict):
        sign = "✘" if how == "broken" else "✔"
        word = voice.say(f"why.{how}")
        text = clause_text(engine, consulted.clause, voice.lang, setting.readings)
        yield f"  {sign} {word}  {consulted.clause}  {text}"
        clause = engine.clauses.get(consulted.clause)
        point = Point(consulted.clause, consulted.facts)
        told = because(engine, point, voice.lang, voice.names) if sign == "✘" else ""
        if how == "effect" and clause is not None and clause.told is not None:
            told = effect_told(engine, point, voice.lang, voice.names)
        if told:
            yield f"      {told}"
        if clause is not None and sign == "✘":
            yield f"      {voice.say('why.section', section=clause.section)}"
    yield from moved_lines(voice, engine, moves)
    yield from finding_lines(voice, engine, verdict)
    yield from warning_lines(voice, engine, verdict)
    yield from doubt_lines(voice, engine, setting, judged.state, verdict, judged.action)
    for name, value in readings_asked(engine, setting, verdict).items():
        yield f"  {reading_line(voice, engine, name, value)}"
    if nearest:
        yield f"  {voice.say('tell.try')}  " + " · ".join(
            near_line(voice, engine, line) for line in nearest
        )
