"""``referee rules``: read and search the clauses of a game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import labelled, language, say
from engines.kernel import Clause, Engine
from engines.kernel.registry import load_engine
from engines.kernel.words import fold
from referee.errors import NotFound

app = typer.Typer(rich_markup_mode=None)


@app.command()
def rules(
    game: Annotated[str, typer.Argument()],
    clause: Annotated[str | None, typer.Argument()] = None,
    search: Annotated[str | None, typer.Option("--search")] = None,
    readings: Annotated[bool, typer.Option("--readings")] = False,
) -> int:
    here = session()
    engine = load_engine(game)
    if readings:
        return _readings(engine, search)
    found = _found(engine, clause, search)
    lines = []
    section = None
    for item in found:
        if item.section != section:
            section = item.section
            lines.append(here.paint("bold", section))
        lines.append(f"  {item.id}  {item.say(language())}")
        if clause is not None or here.verbose:
            lines += _details(engine, item)
    data = {"game": game, "clauses": [item.model_dump(mode="json") for item in found]}
    return here.answer_plain("rules", data, lines)


def _found(engine: Engine[Any, Any], clause: str | None, search: str | None) -> list[Clause]:
    clauses = list(engine.clauses.values())
    if clause is not None:
        wanted = clause.upper()
        found = [c for c in clauses if c.id == wanted] or [
            c for c in clauses if c.id.startswith(wanted)
        ]
        if not found:
            raise NotFound("no_such_clause", clause=clause)
        clauses = found
    if search is not None:
        words = fold(search).split()
        clauses = [
            c for c in clauses if all(w in fold(f"{c.en} {c.fr} {c.section}") for w in words)
        ]
        if not clauses:
            raise NotFound("nothing_found", words=search)
    return clauses


def _details(engine: Engine[Any, Any], clause: Clause) -> list[str]:
    lines = [f"      {say('rules.kind', kind=say(f'kind.{clause.kind}'))}"]
    if clause.reason is not None:
        lines.append(f"      {clause.reason.say(language())}")
    for reading in engine.readings.values():
        if clause.id in reading.clauses:
            lines.append(f"      {say('rules.reading', reading=reading.id)}")
            lines.append(f"        {reading.question.say(language())}")
    return lines


def _readings(engine: Engine[Any, Any], search: str | None) -> int:
    here, lang = session(), language()
    found = [
        reading
        for reading in engine.readings.values()
        if search is None or fold(search) in fold(f"{reading.id} {reading.question.say(lang)}")
    ]
    lines = []
    for reading in found:
        lines.append(f"{here.paint('bold', reading.id)}  {reading.question.say(lang)}")
        for value, meaning in reading.values.items():
            mark = say("rules.default") if value == reading.default else ""
            lines.append(f"    {labelled(value, meaning.say(lang))} {mark}".rstrip())
        lines.append(f"    {say('rules.why', why=reading.why.say(lang))}")
    data = {"game": engine.id, "readings": [r.model_dump(mode="json") for r in found]}
    return here.answer_plain("rules", data, lines)
