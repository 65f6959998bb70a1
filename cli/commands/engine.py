"""``referee engine``: the games this installation can referee."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.session import session
from cli.speech import columns, language, say, spoken
from engines.kernel.registry import engine_ids, load_engine

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_engines() -> int:
    here, lang = session(), language()
    found = []
    for game in engine_ids():
        engine = load_engine(game)
        found.append(
            {
                "engine": game,
                "name": engine.words.say("game", lang),
                "version": engine.version,
                "seats": list(engine.seats),
                "clauses": len(engine.clauses),
                "readings": len(engine.readings),
            }
        )
    lines = columns(
        (
            str(row["engine"]),
            str(row["name"]),
            str(row["version"]),
            _seats(engine.seats),
            say("engine.clauses", count=row["clauses"]),
        )
        for row, engine in ((row, load_engine(str(row["engine"]))) for row in found)
    )
    return here.answer_plain("engine-list", {"engines": found}, lines)


@app.command()
def info(game: Annotated[str, typer.Argument()]) -> int:
    here, lang = session(), language()
    engine = load_engine(game)
    edition = engine.edition_in(engine.edition, lang)
    lines = [f"{engine.words.say('game', lang)} · {engine.version} · {edition}"]
    lines.append(_seats(engine.seats))
    lines.append(say("engine.clauses", count=len(engine.clauses)))
    usages = {}
    for action in (engine.opening, *engine.actions):
        verb = action.verb_of()
        key = f"verb.{verb}"
        meaning = engine.words.say(key, lang) if key in engine.words else ""
        usages[verb] = {
            "forms": list(engine.notation.usages(action)),
            "french": list(action.french),
            "meaning": meaning,
        }
        aliases = f" ({', '.join(action.french)})" if action.french else ""
        lines.append(f"  {here.paint('bold', verb)}{aliases}  {meaning}".rstrip())
        lines += [f"      {spoken(usage)}" for usage in engine.notation.usages(action)]
    data = {
        "engine": game,
        "version": engine.version,
        "edition": engine.edition,
        "seats": list(engine.seats),
        "kits": list(engine.kits),
        "verbs": usages,
    }
    return here.answer_plain("engine-info", data, lines)


def _seats(seats: tuple[int, int]) -> str:
    low, high = seats
    return say("engine.seats_exactly" if low == high else "engine.seats", low=low, high=high)
