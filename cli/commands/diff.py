"""``referee diff``: what changed between two actions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Annotated, Any

import typer

from cli.session import session
from cli.speech import Paint, labelled, language, say
from engines.kernel import Engine
from referee.errors import NotFound
from referee.record.game import Game, RecordError
from referee.record.line import Step

app = typer.Typer(rich_markup_mode=None)

LONGEST_VALUE = 60


@app.command()
def diff(
    start: Annotated[int, typer.Argument(min=0)],
    end: Annotated[int | None, typer.Argument(min=0)] = None,
    view: Annotated[str | None, typer.Option("--view")] = None,
) -> int:
    here = session()
    game = here.seen(view)
    before, after = _step(game, start), game.steps[-1] if end is None else _step(game, end)
    changes = list(differences(game.engine.plain(before.state), game.engine.plain(after.state)))
    lines = list(told_differences(here.paint, game.engine, before, after))
    if here.verbose:
        lines += (_field(here.paint, *change) for change in changes)
    data = {
        "game": game.id,
        "changes": [{"path": path, "before": was, "after": now} for path, was, now in changes],
    }
    return here.answer("diff", data, lines or [say("diff.same")])


def told_differences(
    paint: Paint, engine: Engine[Any, Any], before: Step, after: Step
) -> Iterator[str]:
    """The sentences of the one position that are not those of the other."""
    was, now = (engine.describe(step.state, step.setting, language()) for step in (before, after))
    for kind, first, last, start, end in SequenceMatcher(None, was, now, False).get_opcodes():
        gone, come = was[first:last], now[start:end]
        if kind == "equal":
            continue
        if len(gone) == len(come):
            for old, new in zip(gone, come, strict=True):
                yield paint("bad", f"− {_abridged(old, new)}")
                yield paint("good", f"+ {_abridged(new, old)}")
        else:
            yield from (paint("bad", f"− {line}") for line in gone)
            yield from (paint("good", f"+ {line}") for line in come)


def _abridged(sentence: str, other: str) -> str:
    """The beginning, which says what it is about, and those parts that the other has not."""
    mark = "; " if "; " in sentence else ", "
    same, shown = {part.rstrip(".") for part in other.split(mark)}, []
    for place, part in enumerate(sentence.split(mark)):
        if place == 0 or part.rstrip(".") not in same:
            shown.append(part)
        elif shown[-1] != "…":
            shown.append("…")
    return mark.join(shown)


def _field(paint: Paint, path: str, was: Any, now: Any) -> str:
    """A field by its path, as a declared position and ``adjust`` name it."""
    gone = [paint("bad", f"− {_shown(was)}")] if was is not None else []
    come = [paint("good", f"+ {_shown(now)}")] if now is not None else []
    return labelled(path, " ".join([*gone, *come]))


def _shown(value: Any) -> str:
    """A part of the position on one line; ``--json`` has all of a large one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def _step(game: Game, number: int) -> Step:
    try:
        return game.step(number)
    except RecordError:
        raise NotFound("no_such_action", number=number) from None


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The paths at which two states differ, with both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            if key != "agenda":
                where = f"{path}.{key}" if path else key
                yield from differences(before.get(key), after.get(key), where)
    elif before != after:
        yield path, before, after
