"""The history of a game: every action ever said, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from referee.entries import Adjusted, Corrected, Logged, Opened, Restored, TakenBack
from referee.record import Entry, Game

Status = Literal["counts", "pending", "taken_back", "corrected"]


class HistoryLine(NamedTuple):
    """One action in the order it was said."""

    number: int
    seq: int
    at: str
    by: str
    seat: str | None
    text: str
    outcome: str
    clauses: tuple[str, ...]
    status: Status
    stands: bool
    notes: tuple[str, ...]


def history(game: Game) -> list[HistoryLine]:
    """Everything that was said, in the order of the line it stands or stood in."""
    counting = {step.number: step for step in game.steps}
    pending = set(game.waiting)
    taken_back = _taken_back(game)
    notes: dict[int, list[str]] = {}
    for note in game.notes.values():
        notes.setdefault(note.number, []).append(" ".join([*note.glyphs, note.text]).strip())
    lines = []
    for entry, number, seat, text, outcome, clauses, stands in _said(game):
        if number in counting:
            status: Status = "counts"
            verdict = counting[number].verdict
            outcome = verdict.outcome
            clauses = tuple(point.clause for point in (*verdict.breaches, *verdict.claims))
        elif number in pending:
            status = "pending"
        else:
            status = "taken_back" if number in taken_back else "corrected"
        lines.append(
            HistoryLine(
                number,
                entry.seq,
                entry.at,
                entry.by,
                seat,
                text,
                outcome,
                clauses,
                status,
                stands,
                tuple(notes.get(number, ())),
            )
        )
    return _in_line_order(game, lines)


def _taken_back(game: Game) -> set[int]:
    """The actions that no longer count because somebody took them back."""
    numbers: set[int] = set()
    for entry in game.entries:
        if isinstance(entry.data, TakenBack):
            numbers |= set(entry.data.numbers)
        elif isinstance(entry.data, Restored):
            numbers -= set(entry.data.numbers)
    return numbers


def _said(
    game: Game,
) -> Iterator[tuple[Entry, int, str | None, str, str, tuple[str, ...], bool]]:
    for entry in game.entries:
        data = entry.data
        if isinstance(data, Opened):
            action = game.engine.load(data.opening)
            yield entry, 0, None, game.engine.text(action), data.verdict.outcome, (), False
        elif isinstance(data, Adjusted):
            yield entry, data.number, None, f"adjust ({data.reason})", "legal", (), False
        elif isinstance(data, Logged | Corrected):
            for said in (data,) if isinstance(data, Logged) else data.insert:
                action = game.engine.load(said.action)
                clauses = tuple(p.clause for p in (*said.verdict.breaches, *said.verdict.claims))
                text = game.engine.text(action)
                yield (
                    entry,
                    said.number,
                    action.by,
                    text,
                    said.verdict.outcome,
                    clauses,
                    said.stands,
                )


def _in_line_order(game: Game, lines: list[HistoryLine]) -> list[HistoryLine]:
    """What counts in its order; what no longer counts behind what it followed when said."""
    place = {number: index for index, number in enumerate([0, *game.numbers()])}
    ordered: list[tuple[tuple[float, int], HistoryLine]] = []
    last: float = 0
    for line in lines:
        if line.number in place:
            last = place[line.number]
            ordered.append(((last, 0), line))
        else:
            ordered.append(((last, line.number), line))
    return [line for _, line in sorted(ordered, key=lambda pair: pair[0])]
