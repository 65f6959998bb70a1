"""``referee what-if``: judge stored games under other conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cli.commands.kit import stated_value
from cli.commands.new import pairs
from cli.session import Session, session
from cli.speech import WORDS, labelled, say
from cli.telling import short
from engines.kernel.registry import load_engine
from referee.archive.lists import list_games
from referee.judging.whatif import Difference, Other, what_if
from referee.record.game import Game
from referee.secrecy.views import needs_judge_view, view_for
from referee.table.presets import read_preset

app = typer.Typer(rich_markup_mode=None)


@app.command(name="what-if")
def what_if_command(
    reading: Annotated[list[str] | None, typer.Option("--reading")] = None,
    house_rule: Annotated[list[str] | None, typer.Option("--house-rule")] = None,
    kit: Annotated[list[str] | None, typer.Option("--kit")] = None,
    preset: Annotated[str | None, typer.Option("--preset")] = None,
    engine: Annotated[str | None, typer.Option("--engine")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    of: Annotated[str | None, typer.Option("--of")] = None,
) -> int:
    here = session()
    chosen = read_preset(preset) if preset is not None else None
    laid_aside = [*(chosen.house_rules if chosen else ()), *(house_rule or ())]
    other = Other(
        readings={**(chosen.readings if chosen else {}), **pairs(reading or [])},
        house_rules=laid_aside if chosen is not None or house_rule is not None else None,
        kit={path: stated_value(text) for path, text in pairs(kit or []).items()},
        engine=load_engine(engine) if engine is not None else None,
    )
    several = everything or of is not None
    of = of or (chosen.game if chosen is not None else None)
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    for game in _games(here, of) if several else [here.game()]:
        needs_judge_view(game, view_for(here.author.role, None, ()), "what-if")
        found = what_if(game, other)
        data.append({"game": game.id, "differences": [item._asdict() for item in found]})
        if found:
            lines.append(say("whatif.count", game=short(game.id), count=len(found)))
            lines += [f"  {_line(item)}" for item in (found[:1] if several else found)]
        elif not several:
            lines.append(say("whatif.same", game=short(game.id)))
    differ = sum(bool(row["differences"]) for row in data)
    if several:
        lines.append(say("whatif.summary", count=len(data), differ=differ))
    return here.answer("what-if", {"games": data, "differ": differ}, lines)


def _games(here: Session, of: str | None) -> Iterator[Game]:
    """All games of one kind: the one named, or that of the current game."""
    of = here.game().engine.id if of is None else load_engine(of).id
    for row in list_games(here.bench.store):
        if row["engine"] == of:
            yield here.bench.game(row["game"])


def _line(item: Difference) -> str:
    words = [
        say(f"outcome.{word}") if f"outcome.{word}" in WORDS else say("whatif.refused")
        for word in (item.before, item.after)
    ]
    told = f"{words[0]} → {words[1]} {item.clause or ''}".rstrip()
    return labelled(f"#{item.number} {item.line}", told)
