"""``referee replay``: step through a game."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import language, write
from cli.telling import because, clause_text, finding_line, outcome, verdict_data
from referee.record import Game, Step

app = typer.Typer(rich_markup_mode=None)


@app.command()
def replay(
    at: Annotated[int, typer.Option("--at", min=0)] = 0,
    plain: Annotated[bool, typer.Option("--plain")] = False,
    nl: Annotated[bool, typer.Option("--nl")] = False,
) -> int:
    here = session()
    game = here.game()
    steps = [step for step in game.steps if step.action is None or (step.number or 0) >= at]
    if nl:
        write(json.dumps(_data(game, step), ensure_ascii=False) for step in steps)
        return 0
    if here.json:
        data = {"game": game.id, "steps": [_data(game, step) for step in steps]}
        return here.answer("replay", data, [])
    for step in steps:
        write(_lines(game, step))
    return 0


def _lines(game: Game, step: Step) -> list[str]:
    here, lang, engine = session(), language(), game.engine
    text = engine.text(step.action) if step.action is not None else "adjust"
    lines = [f"#{step.number} {here.paint('bold', text)}   {outcome(here.paint, step.verdict)}"]
    for point in (*step.verdict.breaches, *step.verdict.claims):
        lines.append(f"  {point.clause}  {clause_text(engine, point.clause)}")
        if point.facts:
            lines.append(f"    {because(engine, point)}")
    lines += [f"  {finding_line(here.paint, engine, f)}" for f in step.verdict.findings]
    for note in game.notes.values():
        if note.number == step.number:
            lines.append(f"  {note.id} {' '.join(note.glyphs)} «{note.text}»")
    lines += [f"    {line}" for line in engine.describe(step.state, step.setting, lang)]
    return lines


def _data(game: Game, step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "notation": game.engine.text(step.action) if step.action is not None else None,
        **verdict_data(step.verdict),
        "state": game.engine.plain(step.state),
    }
