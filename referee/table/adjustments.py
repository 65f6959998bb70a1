"""Adjustments: making the record agree with the real table, its state or its box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import Illegal, Misused
from referee.record.entries import Adjusted, KitDeclared
from referee.record.fold import must_be_open
from referee.record.game import Game
from referee.secrecy.query_guard import needs_everything
from referee.store.canonical_json import canonical
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, once
from referee.table.corrections import tell_with_calls
from referee.table.play import check_ready


@once(Adjusted)
def adjust(
    bench: Bench,
    game: Game,
    changes: Mapping[str, Any],
    reason: str,
    *,
    whole: bool = False,
    stands: bool = False,
    by: By = BY_SCRIBE,
) -> Answer:
    """Replace part of the position, or all of it, by what the real table shows, with a reason.

    What contradicts the rules is refused, unless it is really so: then it ``stands``.
    """
    check_ready(game, by.author)
    needs_everything(game, by.author.viewer, "adjust")
    engine, last = game.engine, game.steps[-1]
    if whole:
        changes = engine.positions.changes_to(last.setting, last.state, changes)
    if (whole or not changes) and not engine.positions.alters(last.setting, last.state, changes):
        raise Misused("nothing_to_adjust")
    verdict, may_stand = engine.positions.contradictions(last.setting, last.state, changes)
    if verdict.breaches and not (stands and may_stand):
        raise Illegal("contradiction", clause=verdict.clause, verdict=verdict, may_stand=may_stand)
    number = game.last_number + 1
    data = Adjusted(number=number, changes=dict(changes), reason=reason)
    return bench.tell(game, [data], by)


@once(KitDeclared)
def declare_kit(
    bench: Bench,
    game: Game,
    path: str,
    value: Any,
    source: str,
    *,
    by: By = BY_SCRIBE,
    dry_run: bool = False,
) -> Answer:
    """Declare a fact about the table's box; the whole game is judged again."""
    must_be_open(game)
    needs_everything(game, by.author.viewer, "kit declare")
    sheet = game.sheet.declare(path, value, source)
    canonical(sheet.content)
    game.engine.read_whole_kit(sheet)
    data = KitDeclared(path=path, value=value, source=source)
    return tell_with_calls(bench, game, [data], by, dry_run=dry_run)
