"""The history of a record, told naively: from its stored bytes, with a list and no fold.

A list of numbers is the line; whatever leaves it remembers what it came after. Only whether an
action counts now, and its verdict now, are asked of the game: the record's own model checks these.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.kernel import Engine
from referee.record.game import Game
from referee.store.envelopes import Stored


@dataclass
class PlainMove:
    """An action as it was said, and what became of it."""

    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: str
    clauses: list[str]
    stands: bool = False
    status: str = "counts"
    notes: list[str] = field(default_factory=list)
    settled: str = ""


@dataclass
class PlainEvent:
    """Anything else that was recorded, after the move that was recorded before it."""

    kind: str
    seq: int
    at: str
    by: str
    role: str
    data: dict[str, Any]
    after: int


class PlainHistory:
    """Read from the rows of a store."""

    def __init__(self, game: Game, rows: Sequence[Stored]) -> None:
        self.engine: Engine[Any, Any] = game.engine
        self.moves: dict[int, PlainMove] = {}
        self.former_openings: list[PlainMove] = []
        self.events: list[PlainEvent] = []
        self.notes: dict[str, dict[str, Any]] = {}
        self.disputes: dict[str, dict[str, Any]] = {}
        self.rulings: dict[str, dict[str, Any]] = {}
        self.line: list[int] = []
        self.came_after: dict[int, int] = {}
        self.undone: set[int] = set()
        self.kept: set[int] = set()
        self.last = 0
        for row in rows:
            self._read(json.loads(row.body))
        self._judge(game)

    def _read(self, entry: dict[str, Any]) -> None:
        kind, data = entry["kind"], entry["data"]
        if kind == "opened":
            self._said(entry, {"number": 0, "action": data["opening"], "verdict": data["verdict"]})
        elif kind == "logged":
            self._said(entry, data)
            self.line.append(data["number"])
        elif kind == "adjusted":
            self._adjusted(entry, data)
        elif kind == "taken_back":
            for number in data["numbers"]:
                self._leaves(number)
                self.undone.add(number)
        elif kind == "restored":
            self.line += data["numbers"]
            self.undone -= set(data["numbers"])
        elif kind == "corrected":
            self._corrected(entry, data)
        elif kind == "reinstated":
            self._reinstated(entry, data)
        elif kind == "noted":
            self.notes[data["id"]] = data
        elif kind == "unnoted":
            del self.notes[data["id"]]
        elif kind == "disputed":
            self.disputes[data["id"]] = data
        elif kind == "ruled":
            self.rulings[data["id"]] = data
        if kind not in ("opened", "logged", "adjusted", "noted", "unnoted"):
            self.events.append(
                PlainEvent(
                    kind, entry["seq"], entry["at"], entry["by"], entry["role"], data, self.last
                )
            )

    def _said(self, entry: dict[str, Any], said: dict[str, Any]) -> None:
        action, verdict = self.engine.text.load(said["action"]), said["verdict"]
        points = [*verdict.get("breaches", ()), *verdict.get("claims", ())]
        self.last = said["number"]
        self.moves[self.last] = PlainMove(
            self.last, entry["seq"], entry["at"], entry["by"], action.by, self.engine.text(action),
            verdict["outcome"], [point["clause"] for point in points], said.get("stands", False),
        )  # fmt: skip

    def _adjusted(self, entry: dict[str, Any], data: dict[str, Any]) -> None:
        self.last = data["number"]
        self.moves[self.last] = PlainMove(
            self.last, entry["seq"], entry["at"], entry["by"], None, f"adjust ({data['reason']})",
            "legal", [],
        )  # fmt: skip
        self.line.append(self.last)

    def _leaves(self, number: int) -> None:
        place = self.line.index(number)
        self.came_after[number] = self.line[place - 1] if place else 0
        self.line.remove(number)

    def _reinstated(self, entry: dict[str, Any], data: dict[str, Any]) -> None:
        if (opening := data.get("opening")) is not None:
            self.former_openings.append(self.moves[0])
            self.former_openings[-1].status = "corrected"
            self._said(entry, opening)
            return
        at, back = data["at"], data.get("back", ())
        place = self.line.index(at) if at in self.line else len(self.line)
        self.line[place:place] = back
        self.undone -= set(back)
        for number in reversed([one for one in self.line if one in data.get("out", ())]):
            self._leaves(number)

    def _corrected(self, entry: dict[str, Any], data: dict[str, Any]) -> None:
        insert = data.get("insert", ())
        if data["at"] == 0:
            self.former_openings.append(self.moves[0])
            self.former_openings[-1].status = "corrected"
            self._said(entry, insert[0])
            return
        at = data["at"]
        place = self.line.index(at) if at in self.line else len(self.line)
        remove = data.get("remove", ())
        for number in reversed([one for one in self.line if one in remove]):
            self._leaves(number)
        for offset, said in enumerate(insert):
            self._said(entry, said)
            self.line.insert(place + offset, said["number"])
        for number in data.get("keep", ()):
            self.kept.add(number)

    # what it comes to

    def _judge(self, game: Game) -> None:
        steps = {step.number: step for step in game.steps}
        for move in self.moves.values():
            if move.number in steps:
                verdict = steps[move.number].verdict
                move.outcome = verdict.outcome
                move.clauses = [point.clause for point in (*verdict.breaches, *verdict.claims)]
                as_played = move.stands or move.number in self.kept
                move.stands = as_played and verdict.outcome == "illegal"
                claimed = [point.clause for point in verdict.claims]
                move.settled = self._settled(game, move.number, claimed)
            elif move.number in self.line:
                move.status = "pending"
            else:
                move.status = "taken_back" if move.number in self.undone else "corrected"
        for note in self.notes.values():
            words = " ".join([*note.get("glyphs", ()), note.get("text", "")]).strip()
            self.moves[note["number"]].notes.append(words)

    def _settled(self, game: Game, number: int, claimed: list[str]) -> str:
        fates = []
        for clause in claimed:
            found = {
                finding.status
                for step in game.steps
                for finding in step.verdict.findings
                if number in finding.entries
                and finding.clause in (clause, *self.engine.clauses[clause].settled_by)
                and not (finding.status == "broken" and len(finding.entries) > 1)
            }
            fates.append("broken" if "broken" in found else "cleared" if found else "")
        return "broken" if "broken" in fates else "cleared" if fates and all(fates) else ""

    def in_order(self) -> list[PlainMove]:
        """Every action in its place: what left the line follows what it came after."""
        behind: dict[int, list[int]] = {}
        for number in sorted(self.moves):
            if number and number not in self.line:
                before = self.came_after[number]
                while before and before not in self.line:
                    before = self.came_after[before]
                behind.setdefault(before, []).append(number)
        told = [*self.former_openings, self.moves[0], *(self.moves[n] for n in behind.get(0, ()))]
        for number in self.line:
            told += [self.moves[n] for n in (number, *behind.get(number, ()))]
        return told

    def page(self) -> list[PlainMove | PlainEvent]:
        """The rows of an export: moves, and behind each what else was recorded."""
        rows: list[PlainMove | PlainEvent] = []
        for move in self.in_order():
            if any(move is former for former in self.former_openings):
                continue
            rows.append(move)
            rows += [event for event in self.events if event.after == move.number]
        return rows
