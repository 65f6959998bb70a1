"""``referee what-if``: judge stored games under other conditions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cli.commands.kit import stated_value
from cli.commands.new import pairs
from cli.session import session
from cli.speech import WORDS, say
from cli.telling import short
from referee.whatif import Difference, Other, what_if

app = typer.Typer(rich_markup_mode=None)


@app.command(name="what-if")
def what_if_command(
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    kit: Annotated[list[str] | None, typer.Option("--kit")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> int:
    here = session()
    other = Other(
        readings=pairs(reading or []),
        house_rules=house_rule,
        kit={path: stated_value(text) for path, text in pairs(kit or []).items()},
    )
    ids = list(here.bench.store.streams("game-")) if everything else [here.game_id()]
    current = here.bench.game(here.game_id()) if everything and here.current() else None
    engine = current.engine.id if current is not None else None
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    for game_id in ids:
        game = here.bench.game(game_id)
        if everything and engine is not None and game.engine.id != engine:
            continue
        found = what_if(game, other)
        data.append({"game": game_id, "differences": [item._asdict() for item in found]})
        if found:
            lines.append(f"{short(game_id)}: {say('whatif.count', count=len(found))}")
            lines += [f"  {_line(item)}" for item in (found[:1] if everything else found)]
        elif not everything:
            lines.append(f"{short(game_id)}: {say('whatif.same')}")
    differ = sum(bool(row["differences"]) for row in data)
    lines.append(say("whatif.summary", games=len(data), differ=differ))
    return here.answer("what-if", {"games": data, "differ": differ}, lines)


def _line(item: Difference) -> str:
    words = [
        say(f"outcome.{word}") if f"outcome.{word}" in WORDS else say("whatif.refused")
        for word in (item.before, item.after)
    ]
    return f"#{item.number} {item.line}: {words[0]} → {words[1]} {item.clause or ''}".rstrip()
