"""The history of a game: every action ever logged, and its status now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from engines.kernel import Verdict
from referee.record import entries as kinds
from referee.record.claims import Claim, claims
from referee.record.game import Game

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
    clauses: tuple[str, ...] = ()
    status: Status = "counts"
    stands: bool = False
    notes: tuple[str, ...] = ()
    settled: Literal["cleared", "broken"] | None = None
    """What became of a verdict that was undecided, once it could be checked."""
    settled_by: str | None = None
    """The action, ``#12``, or the opened seal, ``s1``, that settled it."""
    by_sight: kinds.BySight | None = None
    """A camera proposed it, and somebody has confirmed it or nobody yet."""


def history(game: Game) -> list[HistoryLine]:
    """Every action ever logged, in line order."""
    counting = {step.number: step for step in game.steps}
    pending = set(game.waiting)
    taken_back = _taken_back(game)
    settled = _settled(game)
    seen = seen_by_camera(game)
    notes: dict[int, list[str]] = {}
    for note in game.notes.values():
        notes.setdefault(note.number, []).append(" ".join([*note.glyphs, note.text]).strip())
    all_said = list(_said(game))
    opened = max(said.seq for said in all_said if said.number == 0)
    lines = []
    for said in all_said:
        number = said.number
        if number == 0 and said.seq != opened:
            lines.append(said._replace(status="corrected"))
            continue
        line = said._replace(notes=tuple(notes.get(number, ())), by_sight=seen.get(number))
        if number in counting:
            verdict = counting[number].verdict
            stands = counting[number].item.stands and verdict.outcome == "illegal"
            line = line._replace(outcome=verdict.outcome, clauses=_cited(verdict), stands=stands)
            if (claim := settled.get(number)) is not None:
                by = claim.seal or f"#{claim.by}"
                status: Literal["cleared", "broken"] = (
                    "broken" if claim.status == "broken" else "cleared"
                )
                line = line._replace(settled=status, settled_by=by)
        elif number in pending:
            line = line._replace(status="pending")
        else:
            line = line._replace(status="taken_back" if number in taken_back else "corrected")
        lines.append(line)
    return _in_line_order(game, lines)


def seen_by_camera(game: Game) -> dict[int, kinds.BySight]:
    """The actions that a camera proposed."""
    found: dict[int, kinds.BySight] = {}
    for entry in game.entries:
        if isinstance(entry.data, kinds.Seen):
            told: kinds.BySight = "confirmed" if entry.data.confirmed else "unconfirmed"
            found.update(dict.fromkeys(entry.data.numbers, told))
    return found


def line_said(game: Game, number: int) -> str:
    """One action as it was logged last, whether or not it still counts; empty if there is none."""
    return next((said.text for said in reversed(list(_said(game, number)))), "")


def status(game: Game, number: int) -> Status:
    """The status of one action: counts, pending, taken back or corrected."""
    if game.counts(number):
        return "counts"
    if number in game.waiting:
        return "pending"
    return "taken_back" if number in _taken_back(game) else "corrected"


def _settled(game: Game) -> dict[int, Claim]:
    """The deciding claim of every action whose claims are all settled, or one of them broken."""
    made: dict[int, list[Claim]] = {}
    for claim in claims(game).values():
        made.setdefault(claim.number, []).append(claim)
    found = {}
    for number, own in made.items():
        broken = [claim for claim in own if claim.status == "broken"]
        if broken or all(claim.status == "cleared" for claim in own):
            found[number] = (broken or own)[-1]
    return found


def _taken_back(game: Game) -> set[int]:
    """The numbers of the actions that were taken back and not restored."""
    numbers: set[int] = set()
    for entry in game.entries:
        if isinstance(entry.data, kinds.TakenBack):
            numbers |= set(entry.data.numbers)
        elif isinstance(entry.data, kinds.Restored):
            numbers -= set(entry.data.numbers)
        elif isinstance(entry.data, kinds.Reinstated):
            numbers -= set(entry.data.back)
    return numbers


def _said(game: Game, only: int | None = None) -> Iterator[HistoryLine]:
    """Every action with its original verdict; or what was said under one number alone."""
    for entry in game.entries:
        data, made = entry.data, (entry.seq, entry.at, entry.by)
        if isinstance(data, kinds.Logged | kinds.Corrected):
            for said in (data,) if isinstance(data, kinds.Logged) else data.insert:
                if only not in (None, said.number):
                    continue
                action, verdict = game.engine.text.load(said.action), said.verdict
                yield HistoryLine(
                    said.number,
                    *made,
                    action.by,
                    game.engine.text(action),
                    verdict.outcome,
                    _cited(verdict),
                    stands=said.stands,
                )
        elif isinstance(data, kinds.Adjusted):
            if only in (None, data.number):
                yield HistoryLine(data.number, *made, None, f"adjust ({data.reason})", "legal")
        elif only not in (None, 0):
            continue
        elif isinstance(data, kinds.Opened):
            text = game.engine.text(game.engine.text.load(data.opening))
            yield HistoryLine(0, *made, None, text, data.verdict.outcome)
        elif isinstance(data, kinds.Reinstated) and data.opening is not None:
            text = game.engine.text(game.engine.text.load(data.opening.action))
            yield HistoryLine(0, *made, None, text, data.opening.verdict.outcome)


def _cited(verdict: Verdict | kinds.VerdictData) -> tuple[str, ...]:
    return tuple(point.clause for point in (*verdict.breaches, *verdict.claims))


def _in_line_order(game: Game, lines: list[HistoryLine]) -> list[HistoryLine]:
    """Sort by the line; an action that has left it follows the one it came after."""
    place = {number: index for index, number in enumerate([0, *game.numbers()])}
    followed = came_after(game)

    def where(line: HistoryLine) -> tuple[int, int]:
        number = line.number
        if number in place:
            return place[number], -1
        while number not in place:
            number = followed[number]
        return place[number], line.number

    return sorted(lines, key=where)


def came_after(game: Game) -> dict[int, int]:
    """What each action followed in the line when it left it."""
    line, found = [0], dict[int, int]()

    def place_of(number: int) -> int:
        """Looked for from the end, where nearly everything happens."""
        place = len(line) - 1
        while place > 0 and line[place] != number:
            place -= 1
        return place

    def leave(numbers: Iterable[int]) -> None:
        for place in sorted(map(place_of, numbers), reverse=True):
            found[line[place]] = line[place - 1]
            del line[place]

    for entry in game.entries:
        data = entry.data
        if isinstance(data, kinds.Logged | kinds.Adjusted):
            line.append(data.number)
        elif isinstance(data, kinds.Restored):
            line.extend(data.numbers)
        elif isinstance(data, kinds.TakenBack):
            leave(data.numbers)
        elif isinstance(data, kinds.Corrected) and data.at != 0:
            place = place_of(data.at) or len(line)
            leave(data.remove)
            line[place:place] = [said.number for said in data.insert]
        elif isinstance(data, kinds.Reinstated) and data.opening is None:
            place = place_of(data.at) or len(line)
            line[place:place] = data.back
            leave(data.out)
    return found
