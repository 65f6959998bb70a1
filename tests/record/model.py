"""What a table should look like after what was said at it: told naively, without any fold.

The model keeps the line as a list and judges all of it from the beginning, every time it is
asked. It is told what was said, and what the bench answered only where numbers are given out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.kernel import Engine, Opening, ParseError, evolve
from referee.record.game import Game

JUDGES = ("judge", "organiser")


@dataclass
class Said:
    """An action (as a line), an adjustment or a reading that was fixed."""

    number: int | None
    line: str = ""
    stands: bool = False
    changes: dict[str, Any] | None = None
    reading: tuple[str, str] | None = None


@dataclass
class Model:
    engine: Engine[Any, Any]
    opening: str
    declared: list[tuple[str, Any]] = field(default_factory=list)
    line: list[Said] = field(default_factory=list)
    undone: list[Said] = field(default_factory=list)
    last_number: int = 0
    holds: list[tuple[str, str]] = field(default_factory=list)
    """Who holds (a role), and for which dispute, if it is one; several disputes at once may."""
    closed: bool = False
    has_judge: bool = False
    disputes: dict[str, str] = field(default_factory=dict)
    """How each one ended, or ``open``."""
    rulings: list[str] = field(default_factory=list)
    ruled: set[int] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    """Who made each one."""

    # what counts

    def played(self) -> tuple[list[int | None], list[int | None], Any]:
        """What counts, what is pending, and the state that this leads to."""
        counting, pending, state, _ = self.judged()
        return counting, pending, state

    def judged(self) -> tuple[list[int | None], list[int | None], Any, list[dict[str, str]]]:
        """The same, and the readings in force at each of what counts, the opening first."""
        opening = self.engine.read(self.opening)
        assert isinstance(opening, Opening)
        sheet = self.engine.kit_sheet(opening.kit)
        for path, value in self.declared:
            sheet = sheet.declare(path, value, "counted")
        setting = self.engine.setting(opening, sheet)
        judged = self.engine.open(setting, opening)
        if not judged.accepted:
            judged = self.engine.open(setting, opening, lenient=True)
        state, counting = judged.state, list[int | None]()
        readings = [dict(setting.readings)]
        for place, said in enumerate(self.line):
            try:
                if said.reading is not None:
                    setting = evolve(setting, readings={**setting.readings, **dict([said.reading])})
                elif said.changes is not None:
                    state = self.engine.positions.adjust(setting, state, said.changes)
                else:
                    action = self.engine.read(said.line)
                    told = self.engine.judge(
                        setting, state, action, said.number or 0, lenient=said.stands
                    )
                    if not told.accepted:
                        return counting, self._from(place), state, readings
                    state = told.state
            except ParseError:
                return counting, self._from(place), state, readings
            counting.append(said.number)
            readings.append(dict(setting.readings))
        return counting, [], state, readings

    def _from(self, place: int) -> list[int | None]:
        return [left.number for left in self.line[place:]]

    def numbers(self) -> list[int]:
        return [said.number for said in self.line if said.number is not None]

    # what was said

    def say(self, line: str, stands: bool = False, **more: Any) -> None:
        self.last_number += 1
        self.line.append(Said(self.last_number, line, stands, **more))
        self.undone = []

    def fix(self, reading: str, value: str) -> None:
        self.line.append(Said(None, reading=(reading, value)))

    def take_back(self, count: int) -> None:
        for _ in range(count):
            last = max(at for at, said in enumerate(self.line) if said.number is not None)
            self.undone.append(self.line.pop(last))

    def restore(self, count: int) -> None:
        for _ in range(count):
            self.line.append(self.undone.pop())

    def splice(self, at: int, gone: Sequence[int], put: Sequence[tuple[str, bool]]) -> None:
        place = next(i for i, said in enumerate(self.line) if said.number == at)
        new = []
        for line, stands in put:
            self.last_number += 1
            new.append(Said(self.last_number, line, stands))
        self.line[place:place] = new
        self.line = [said for said in self.line if said.number not in gone]
        self.undone = []

    def keep(self, number: int) -> None:
        for said in self.line:
            if said.number == number:
                said.stands = True
        self.undone = []

    # who may

    def may_resume(self, role: str) -> bool:
        if self.closed or not self.holds:
            return False
        holder, dispute = self.holds[0]
        if role in JUDGES:
            return True
        if dispute or holder in JUDGES:
            return False
        if holder == "scribe":
            return role == "scribe"
        return role in ("scribe", holder)

    def may_hold(self, role: str) -> bool:
        """Somebody else's hold is not taken over, but by a judge; and a dispute's by nobody."""
        if self.closed or not self.holds:
            return not self.closed
        holder, dispute = self.holds[0]
        return not dispute and holder not in JUDGES and role in JUDGES

    def may_undo(self, role: str, count: int) -> bool:
        numbers = self.numbers()
        if self.closed or not 1 <= count <= len(numbers):
            return False
        if self.ruled & set(numbers[-count:]):
            return role in JUDGES or (role == "scribe" and not self.has_judge)
        return not role.startswith("seat:") or (count == 1 and self._is_own(self.last(), role))

    def may_redo(self, role: str, count: int) -> bool:
        if self.closed or not 1 <= count <= len(self.undone):
            return False
        if self.ruled & {said.number for said in self.undone[-count:]}:
            return role in JUDGES or (role == "scribe" and not self.has_judge)
        return not role.startswith("seat:") or (count == 1 and self._is_own(self.undone[-1], role))

    def may_correct(self, role: str, numbers: Collection[int]) -> bool:
        """Take these out, or let them stand."""
        if self.closed or role.startswith("seat:"):
            return False
        return role in JUDGES or not self.has_judge or self.ruled.isdisjoint(numbers)

    def last(self) -> Said:
        return [said for said in self.line if said.number is not None][-1]

    def _is_own(self, said: Said, role: str) -> bool:
        return bool(said.line) and f"seat:{self.engine.read(said.line).by}" == role

    def settle(self, dispute: str, by: str) -> None:
        self.disputes[dispute] = by
        self.holds = [one for one in self.holds if one[1] != dispute]

    # the comparison

    def check(self, game: Game) -> None:
        counting, pending, state, readings = self.judged()
        assert [step.number for step in game.steps[1:]] == counting
        assert [dict(step.setting.readings) for step in game.steps] == readings
        assert [item.number for item in game.pending] == pending
        assert game.state == state
        assert [item.number for item in game.undone] == [said.number for said in self.undone]
        assert game.last_number == self.last_number
        assert (game.held is not None, game.closed is not None) == (bool(self.holds), self.closed)
        assert game.has_judge == self.has_judge
        assert {d: game.settled.get(d, "open") for d in game.disputes} == self.disputes
        assert list(game.rulings) == self.rulings
        assert game.ruled == self.ruled
        assert list(game.notes) == list(self.notes)
