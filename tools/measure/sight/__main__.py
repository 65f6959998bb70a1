"""Measure how well the referee sees, on tables that are drawn: ``make sight``.

Thresholds are set on seeds below 1000; what is told comes from seeds above. A simulation is not a
table: its camera is a pinhole, its boards are flat and matt, its pieces have one tone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

from engines.kernel import Action, ParseError
from engines.kernel.values.secret import Unknowable
from referee.errors import Unfit
from referee.sight.look import KnownBoard, Sighting, kinds_at, learned, score, sightings
from referee.sight.proposals import (
    UNEXPLAINED,
    Asked,
    Look,
    Proposal,
    is_sure,
    looks,
    nothing_happened,
    proposals,
)
from referee.sight.registration import Board
from tools.measure.sight import held
from tools.measure.sight.scene import Array, Condition, cv2
from tools.measure.sight.tables import GAMES, Table, tables

FRESH = 1000
TUNED = 11
PER_TABLE = 3
"""So many moves are measured of one game, so that a cell has many boards."""


class Cell:
    """Counts of one game and condition."""

    def __init__(self, game: str, condition: Condition) -> None:
        self.game, self.condition = game, condition
        self.count: Counter[str] = Counter()
        self.seconds = 0.0
        self.rivals = 0

    def row(self) -> dict[str, Any]:
        mean = self.seconds / max(1, self.count["looked"])
        return {
            "game": self.game,
            "condition": self.condition,
            **self.count,
            "rivals": round(self.rivals / max(1, self.count["moves"]), 1),
            "seconds": round(mean, 3),
        }


class Eyes:
    """What the product makes of two photographs of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.engine, self.setting = table.game.engine, table.game.setting
        self.scene = table.scene
        self.printed = {board.name: Board(self.scene.empty(board)) for board in self.scene.boards}
        self.corners: dict[str, Any] = {}
        """Where boards were found in the last photograph: a page sends them along."""

    def look(self, before: Array, after: Array, camera: Array, *, stands: bool) -> list[Sighting]:
        known = []
        assert self.engine.sight is not None
        for board in self.scene.boards:
            name, (wide, high) = board.name, board.size
            corners: Any = ()
            if not self.table.printed:
                corners = [
                    (x + self.scene.rng.gauss(0, 0.001), y + self.scene.rng.gauss(0, 0.001))
                    for x, y in self.scene.corners(board, camera)
                ]
            elif stands:
                corners = self.corners.get(name, ())
            printed = self.printed[name] if self.table.printed else None
            spots, reach = self.table.boards[name], self.engine.sight.reach
            known.append(KnownBoard(name, printed, spots, reach, corners, high / wide))
        seen = sightings(before, after, known)
        self.corners |= {one.board: one.corners for one in seen}
        return seen

    def asked(self) -> Asked:
        engine, setting = self.engine, self.setting
        assert engine.sight is not None

        def after(state: Any, action: Action) -> Any:
            try:
                judged = engine.judge(setting, state, action)
            except (ParseError, Unknowable):
                return None
            return judged.state if judged.accepted else None

        return Asked(
            lambda state: engine.options(setting, state),
            after,
            lambda state: engine.things(state, setting),
            engine.sight.alike,
            self.table.places.__contains__,
        )

    def ranked(self, seen: list[Sighting], state: Any) -> list[Proposal]:
        asked = self.asked()
        base = asked.things(state)
        known = learned(seen, kinds_at(base, asked.alike))
        return proposals(state, base, asked, lambda look: score(seen, look, known))


def measure(cells: list[Cell], moves: int, first_seed: int, minutes: float) -> Iterator[Cell]:
    """One table of each cell after the other, so that all of them grow alike; gives the cell."""
    end = time.monotonic() + 60 * minutes
    for seed in range(first_seed, first_seed + 400):
        open_cells = [cell for cell in cells if cell.count["moves"] < moves]
        for cell in open_cells:
            _of_table(cell, seed, moves)
            yield cell
            if time.monotonic() > end:
                return
        if not open_cells:
            return


def _of_table(cell: Cell, seed: int, moves: int) -> None:
    """The moves of one game: alone; now and then several, nothing at all, or a forbidden one."""
    eyes: Eyes | None = None
    done = 0
    waited = 0
    for table, options in tables(cell.game, seed):
        if eyes is None:
            eyes = Eyes(table)
        waited += 1
        asked, state, rng = eyes.asked(), table.game.state, table.scene.rng
        # Some moments apart, so that one table shows several stages of its game.
        if waited % 4 or not options:
            continue
        after = [(action, asked.after(state, action)) for action in options]
        things = asked.things(state)
        seen = [
            (one, looks(things, asked.things(one), asked)) for _, one in after if one is not None
        ]
        visible = [(one, look) for one, look in seen if look]
        cell.count["options"] += len(seen)
        cell.count["unseen"] += len(seen) - len(visible)
        if not visible:
            continue
        chosen, look = rng.choice(visible)
        before, camera = _photo(cell, table, state, first=True)
        standing = table.scene.remembered()
        _move(cell, eyes, state, chosen, look, before, camera, len({look for _, look in visible}))
        table.scene.pieces = standing
        standing = table.scene.remembered()
        if done % 2 == 0:
            _idle(cell, eyes, state, before, camera)
            _illegal(cell, eyes, state, {look for _, look in seen}, before, camera)
        else:
            _sequence(cell, eyes, state, before, camera)
        table.scene.pieces = standing
        done += 1
        if done >= PER_TABLE or cell.count["moves"] >= moves:
            return


def _photo(cell: Cell, table: Table, state: Any, *, first: bool = False) -> tuple[Array, Array]:
    scene = table.scene
    scene.show(table.things(state))
    share = {"stand": 0.15, "phone": 0.25, "hard": 0.5}[cell.condition]
    if not first and scene.rng.random() < share:
        scene.bump()
    camera = scene.camera(cell.condition)
    return scene.photograph(cell.condition, camera), camera


def _looked(
    cell: Cell, eyes: Eyes, state: Any, before: Array, after: Array, camera: Array
) -> tuple[list[Sighting], list[Proposal]] | None:
    begun = time.process_time()
    try:
        seen = eyes.look(before, after, camera, stands=cell.condition == "stand")
        ranked = eyes.ranked(seen, state) if seen else []
    except Unfit:
        seen, ranked = [], []
    cell.seconds += time.process_time() - begun
    cell.count["looked"] += 1
    if len(seen) < len(eyes.scene.boards):
        cell.count["lost"] += 1
    return (seen, ranked) if seen else None


def _strength(seen: list[Sighting]) -> dict[str, float]:
    return {place: n for one in seen for place, n in one.evidence.strength().items()}


def _move(
    cell: Cell,
    eyes: Eyes,
    state: Any,
    chosen: Any,
    look: Look,
    before: Array,
    camera: Array,
    rivals: int,
) -> None:
    count = cell.count
    count["moves"] += 1
    cell.rivals += rivals
    after, _ = _photo(cell, eyes.table, chosen)
    found = _looked(cell, eyes, state, before, after, camera)
    if found is None:
        return
    seen, ranked = found
    if nothing_happened(_strength(seen)):
        count["overlooked"] += 1
        return
    proposed = [one for one in ranked if one.actions]
    same = [_signs(one.look) == _signs(look) for one in proposed]
    count["first"] += any(same[:1])
    named = [look in (one.look, *one.looks) for one in proposed]
    count["kind"] += any(named[:1])
    count["asked"] += any(same[:1]) and bool(proposed[0].same)
    count["three"] += any(same[:3])
    sure = is_sure(ranked)
    if sure:
        count["sure"] += 1
        count["sure_wrong"] += not any(named[:1])
    count["unexplained"] += ranked[0].score < UNEXPLAINED


def _signs(look: Look) -> frozenset[tuple[str, bool]]:
    return frozenset((place, count > 0) for place, _, count in look)


def _idle(cell: Cell, eyes: Eyes, state: Any, before: Array, camera: Array) -> None:
    """Only the light has changed, and on a phone the view."""
    photo, _ = _photo(cell, eyes.table, state, first=True)
    found = _looked(cell, eyes, state, before, photo, camera)
    cell.count["idle"] += 1
    if found is not None and not nothing_happened(_strength(found[0])):
        cell.count["alarm"] += 1
        best = found[1][0] if found[1] else None
        cell.count["alarm_move"] += (
            best is not None and bool(best.actions) and best.score >= UNEXPLAINED
        )


def _illegal(
    cell: Cell, eyes: Eyes, state: Any, legal: set[Look], before: Array, camera: Array
) -> None:
    """A piece is moved to where no rule lets it go."""
    table, rng = eyes.table, eyes.scene.rng
    things = table.things(state)
    movable = sorted(key for key in things if not key[1].startswith("face."))
    signs = {_signs(look) for look in legal}
    for _ in range(20):
        if not movable:
            return
        place, kind = rng.choice(movable)
        to = rng.choice(sorted(table.places - {place}))
        if to.startswith("gap.") or frozenset({(place, False), (to, True)}) in signs:
            continue
        changed = {**things, (place, kind): things[place, kind] - 1}
        changed[to, kind] = changed.get((to, kind), 0) + 1
        eyes.scene.show({key: n for key, n in changed.items() if n})
        camera_after = eyes.scene.camera(cell.condition)
        photo = eyes.scene.photograph(cell.condition, camera_after)
        found = _looked(cell, eyes, state, before, photo, camera)
        eyes.scene.show(things)
        cell.count["illegal"] += 1
        if found is not None:
            seen, ranked = found
            told = not ranked or ranked[0].score < UNEXPLAINED
            cell.count["illegal_told"] += told
            changed_places = {name for one in seen for name in one.evidence.changed()[:3]}
            cell.count["illegal_places"] += told and {place, to} <= changed_places
        return


def _sequence(cell: Cell, eyes: Eyes, state: Any, before: Array, camera: Array) -> None:
    """Two or three actions between two photographs."""
    rng, asked = eyes.scene.rng, eyes.asked()
    length = rng.choice((2, 3))
    at, done = state, 0
    for _ in range(length):
        options = [*asked.options(at)]
        steps = [one for one in (asked.after(at, action) for action in options) if one is not None]
        if not steps:
            break
        at, done = rng.choice(steps), done + 1
    look = looks(asked.things(state), asked.things(at), asked)
    if done < 2 or not look:
        return
    photo, _ = _photo(cell, eyes.table, at)
    found = _looked(cell, eyes, state, before, photo, camera)
    cell.count[f"row{done}"] += 1
    if found is not None:
        proposed = [_signs(one.look) for one in found[1] if one.actions]
        cell.count[f"row{done}_three"] += _signs(look) in proposed[:3]


# the table of figures


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Wilson's, for 95 %."""
    if not tries:
        return 0.0, 1.0
    z, share = 1.96, hits / tries
    middle = (share + z * z / (2 * tries)) / (1 + z * z / tries)
    half = z * sqrt(share * (1 - share) / tries + z * z / (4 * tries**2)) / (1 + z * z / tries)
    return max(0.0, middle - half), min(1.0, middle + half)


def _share(row: dict[str, Any], hits: str, tries: str) -> str:
    n, of = row.get(hits, 0), row.get(tries, 0)
    if not of:
        return "–"
    low, high = interval(n, of)
    return f"{n}/{of} ({100 * low:.0f}–{100 * high:.0f} %)"


def _of(row: dict[str, Any], hits: str, tries: str) -> str:
    return f"{row.get(hits, 0)}/{row.get(tries, 0)}"


HEADS = (
    "game, condition (rivals)",
    "first",
    "among three",
    "with its kind",
    "two in a row, among three",
    "three in a row",
    "unexplained though legal",
    "overlooked",
    "alarms",
    "a move proposed then",
    "illegal told",
    "both places named",
    "board not found",
    "processor s",
)


def printed(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"| {' | '.join(HEADS)} |"
    yield "|---" * len(HEADS) + "|"
    for row in rows:
        parts = (
            f"{row['game']}, {row['condition']} ({row['rivals']})",
            _share(row, "first", "moves"),
            _share(row, "three", "moves"),
            _of(row, "kind", "moves"),
            _of(row, "row2_three", "row2"),
            _of(row, "row3_three", "row3"),
            _of(row, "unexplained", "moves"),
            _of(row, "overlooked", "moves"),
            _share(row, "alarm", "idle"),
            str(row.get("alarm_move", 0)),
            _of(row, "illegal_told", "illegal"),
            _of(row, "illegal_places", "illegal"),
            _of(row, "lost", "looked"),
            f"{row['seconds']:.2f}",
        )
        yield f"| {' | '.join(parts)} |"
    sure, wrong = (sum(row.get(name, 0) for row in rows) for name in ("sure", "sure_wrong"))
    low, high = interval(wrong, sure)
    yield f"sure and wrong: {wrong} of {sure} sure ({100 * low:.2f}–{100 * high:.2f} %)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=200, help="of each game and condition")
    parser.add_argument("--minutes", type=float, default=3, help="after which no table is begun")
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--conditions", nargs="*", default=["stand", "phone"])
    parser.add_argument("--cards", type=int, default=1, help="so many clubs' sets of cards")
    parser.add_argument("--tuned", action="store_true", help="the seeds that thresholds are set on")
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    cv2.setNumThreads(1)
    cells = [Cell(game, condition) for condition in told.conditions for game in told.games]
    rows: list[dict[str, Any]] = []
    for _ in measure(cells, told.moves, TUNED if told.tuned else FRESH, told.minutes):
        rows = [cell.row() for cell in cells if cell.count["looked"]]
        if told.json:
            told.json.write_text(json.dumps(rows, indent=1), "utf-8")
    print("\n".join(printed(rows)))
    print("\n".join(held.told(held.measured(TUNED if told.tuned else FRESH, told.cards))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
