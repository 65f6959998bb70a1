"""Playing on from a moment of a game: a new record that begins as that game did."""

from __future__ import annotations

from engines.kernel import KitSheet
from referee.errors import NotFound, Unfit
from referee.record.entries import KitDeclared, read_entry
from referee.record.game import Game
from referee.store import open_store
from referee.store.envelopes import Conflict
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import By
from referee.table.bench import Bench, IdempotencyKeyReused
from referee.table.openings import OpeningRefused, open_game
from referee.table.play import log


def branch(bench: Bench, game: Game, at: int, *, title: str, by: By) -> Game:
    """A new record with what counts of ``game`` up to action ``at``, by the readings there.

    It is written elsewhere first and then stored as a whole, so that there is never half of one.
    """
    if at and at not in game.numbers():
        raise NotFound("no_such_action", number=at)
    numbers = [step.number for step in game.steps]
    steps = game.steps[: len(numbers) - numbers[::-1].index(at)]
    opened, opening = game.opened, steps[0].action
    apart = bench.elsewhere(open_store("memory:"))
    heard = open_game(
        apart,
        game.engine.id,
        opening,  # type: ignore[arg-type]  # the first step of a game is its opening
        seats=game.seats,
        kit=KitSheet(opened.kit),
        readings={
            name: value
            for name, value in steps[-1].setting.readings.items()
            if value != opened.readings.get(name)
        },
        house_rules=opened.house_rules,
        preset=opened.preset,
        take_backs_need_judge=opened.take_backs_need_judge,
        title=title,
        by=by,
        stands=True,
    )
    if isinstance(heard, OpeningRefused):
        raise Unfit("branch_refused", number=0)
    made, anew = heard.game.id, By(by.author)
    for entry in game.entries:
        if isinstance(told := entry.data, KitDeclared):
            declare_kit(apart, made, told.path, told.value, told.source, by=anew)
    for step in steps[1:]:
        if step.action is not None:
            if not log(apart, made, step.action, by=anew, stands=True).accepted:
                raise Unfit("branch_refused", number=step.number)
        elif step.item.changes is not None:
            adjust(apart, made, step.item.changes, title, stands=True, by=anew)
    written = apart.store.read(made)
    try:
        bench.store.adopt(written)
    except Conflict:  # by its key it was made before
        there = bench.store.read(made)[: len(written)]
        if [read_entry(row).data for row in there] != [read_entry(row).data for row in written]:
            raise IdempotencyKeyReused("key_reused", key=by.key, entry=0) from None
    return bench.game(made)
