"""Why a line is legal or not: every clause that was asked, the facts, the readings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cli.speech import Paint, language, say
from cli.telling import because, clause_text, doubt_lines, outcome
from engines.kernel import Engine, Judgement, Point, Verbatim
from referee.errors import NotFound
from referee.record.game import Game, RecordError
from referee.secrecy.discretion import check_question
from referee.table.author import Author


def explained(game: Game, words: list[str], at: int | None, author: Author) -> Judgement[Any]:
    """A logged action where it stood, or a line as if it were said now (or after ``--at``)."""
    if len(words) == 1 and words[0].lstrip("#").isdigit():
        number = int(words[0].lstrip("#"))
        try:
            step, before = game.step(number), game.before(number)
        except RecordError:
            raise NotFound("no_such_action", number=number) from None
        if step.action is None or number == 0:
            raise NotFound("no_such_action", number=number)
        return game.engine.judge(
            before.setting, before.state, step.action, number, lenient=step.item.stands
        )
    step = game.steps[-1] if at is None else game.step(at)
    action = game.engine.read(" ".join(words))
    check_question(game, step, action, author.seat)
    return game.engine.judge(step.setting, step.state, action, game.last_number + 1)


def why_lines(
    paint: Paint, game: Game, judged: Judgement[Any], nearest: list[str]
) -> Iterator[str]:
    engine, verdict = game.engine, judged.verdict
    yield f"{outcome(paint, verdict)}   {paint('bold', engine.text(judged.action))}"
    broken = {point.clause for point in verdict.breaches}
    for consulted in verdict.consulted:
        if consulted.effect and not consulted.held:
            continue
        sign = "✘" if consulted.clause in broken and not consulted.held else "✔"
        word = say(
            "why.effect" if consulted.effect else ("why.broken" if sign == "✘" else "why.held")
        )
        yield f"  {sign} {word}  {consulted.clause}  {clause_text(engine, consulted.clause)}"
        told = because(engine, Point(consulted.clause, consulted.facts)) if sign == "✘" else ""
        if told:
            yield f"      {told}"
        clause = engine.clauses.get(consulted.clause)
        if clause is not None and sign == "✘":
            yield f"      {say('why.section', section=clause.section)}"
    yield from doubt_lines(game.sheet, verdict.breaches)
    yield from _reading_lines(engine, game, verdict.readings)
    if nearest:
        yield f"  {say('tell.try')}  " + " · ".join(nearest)


def _reading_lines(engine: Engine[Any, Any], game: Game, names: tuple[str, ...]) -> Iterator[str]:
    lang = language()
    for name in names:
        reading, value = engine.readings[name], game.setting.readings[name]
        asked = f"{reading.question.say(lang)} {reading.values[value].say(lang)}"
        yield f"  {say('why.reading', reading=name, value=Verbatim(value))}  {asked}"
