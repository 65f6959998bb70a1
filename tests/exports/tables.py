"""Recorded games with everything in them that a record can hold."""

from __future__ import annotations

from itertools import count

from engines.kernel import ParseError
from engines.kernel.registry import load_engine
from referee.judging.disputes import dispute
from referee.judging.rulings import fix_reading
from referee.record.game import Game
from referee.store import open_store
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import hold, resume
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import log
from tests.playing import random_game, restated, tables_of

HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script> =1+1 {#} [B "x"] \\'


def quiet_bench() -> Bench:
    """A bench in memory whose clock and keys do not depend on the day."""
    seconds, keys, ids = count(), count(1), count(1)
    return Bench(
        open_store("memory:"),
        clock=lambda: f"2026-01-01T12:{next(seconds) // 60 % 60:02}:00.000Z",
        keys=lambda: f"key-{next(keys)}",
        ids=lambda: f"game-{next(ids):08}",
    )


def recorded(bench: Bench, name: str, setup: str = "", limit: int = 60, seed: int = 1) -> Game:
    """A random game, logged as a table would."""
    engine = load_engine(name)
    setup = setup or next(iter(tables_of(name).SETUPS))
    played = random_game(engine, setup, seed)
    heard = open_game(bench, name, played.opening, seats={"A": "pana"}, title=HOSTILE)
    for action in played.actions[:limit]:
        assert log(bench, heard.game.id, action).accepted
    return bench.game(heard.game.id)


def eventful(bench: Bench, name: str, limit: int = 40) -> Game:
    """The same, with notes, taken-back lines, an irregularity, a ruling, readings, a kit fact."""
    game = recorded(bench, name, limit=limit)
    numbers = game.numbers()
    undo(bench, game.id, 2, reason="wrong seat")
    game = redo(bench, game.id, 1).game
    for number in numbers[:3]:
        annotate(bench, game.id, number, Annotation(HOSTILE, ("mistake",)), by=By(SCRIBE))
    spaces = list(game.engine.picture(game.state, game.setting, "en", None).anchors)
    *_, before, last = game.numbers()
    marked = Annotation(
        "look", ("brilliant", "idea"), ("club",), tuple(spaces[:1]), ((spaces[0], spaces[-1]),)
    )
    annotate(bench, game.id, before, marked, by=By(SCRIBE))
    line = game.engine.text(game.step(last).action or game.engine.read("end"))
    annotate(bench, game.id, last, Annotation(instead=(line,)), by=By(SCRIBE))
    game = correct(bench, game.id, last, [line], reason="said again").game
    datum = next(one for one in game.sheet.datums() if isinstance(one.value, int))
    game = declare_kit(bench, game.id, datum.path, datum.value, "counted twice").game
    _irregular(bench, game)
    changeable = [one for one in game.engine.readings.values() if one.changeable == "any"]
    if changeable:
        value = list(changeable[0].values)[-1]
        fix_reading(bench, game.id, changeable[0].id, value, reason="club", by=By(JUDGE))
    if game.engine.position_of is not None:
        now = bench.game(game.id)
        adjust(bench, game.id, restated(now.engine, now.setting, now.state), "counted")
    dispute(bench, game.id, bench.game(game.id).numbers()[-1], seat="A", text=HOSTILE)
    hold(bench, game.id, reason="lunch")
    return resume(bench, game.id).game


def _irregular(bench: Bench, game: Game) -> None:
    """Something illegal that happened all the same, if this position has such a line."""
    for step in game.steps[1:]:
        if step.action is None:
            continue
        try:
            heard = log(bench, game.id, step.action, stands=True, dry_run=True)
        except ParseError:
            continue
        if heard.stands:
            log(bench, game.id, step.action, stands=True)
            return
