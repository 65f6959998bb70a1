"""Appeals: what an overturned ruling did is undone before the new one is carried out.

However many rulings a dispute has seen, the last one starts from what happened at the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.record.entries import (
    Corrected,
    Disputed,
    Opened,
    PenaltyCancelled,
    ReadingFixed,
    Reinstated,
    Restored,
    Ruled,
    Said,
    TakenBack,
)
from referee.record.fold import supposed
from referee.record.game import Game
from referee.record.history import came_after


def appealed(game: Game, dispute: Disputed) -> str | None:
    """The ruling in force that a decision on a dispute overturns; None, if nobody has decided."""
    ruling = game.settled.get(dispute.id, dispute.appeals or "")
    while ruling in game.overturned:
        ruling = game.overturned[ruling]
    return ruling if ruling in game.rulings else None


def overturned_by(game: Game, ruling: Ruled) -> Iterator[Ruled]:
    """The ruling that is overturned, and those that were overturned before it, the latest first."""
    name = ruling.overturns
    while name is not None:
        found = game.rulings[name]
        yield found
        name = found.overturns


def put_back(game: Game, ruling: Ruled) -> list[Reinstated]:
    """The entries that undo what overturned rulings changed in the line, as far as it holds."""
    made: list[Reinstated] = []
    for overturned in overturned_by(game, ruling):
        entry = _reinstatement(game, overturned)
        if entry is not None:
            made.append(entry)
            game = supposed(game, [entry]).game
    return made


def penalties_cancelled(game: Game, ruling: Ruled) -> list[PenaltyCancelled]:
    """Penalties that overturned rulings gave end with them."""
    overturned = {one.id for one in overturned_by(game, ruling)}
    return [
        PenaltyCancelled(id=penalty.id, reason=f"{ruling.id}: {ruling.reason}"[:2000])
        for penalty in game.penalties.values()
        if penalty.ruling in overturned and penalty.id not in game.cancelled
    ]


def readings_before(game: Game, overturned: Ruled) -> dict[str, str]:
    """How the rulebook is read without a ruling, where that differs from how it is read now.

    Whoever spoke last and was not overturned is heard; the opening, where nobody is left.
    """
    said = _said_of_readings(game)
    before: dict[str, str] = {}
    for name in overturned.readings:
        everybody = [("", game.steps[0].setting.readings[name]), *said.get(name, ())]
        others = [value for ruling, value in everybody if ruling != overturned.id]
        if others[-1] != everybody[-1][1]:
            before[name] = others[-1]
    return before


def _said_of_readings(game: Game) -> dict[str, list[tuple[str, str]]]:
    """What is said of each reading, by which ruling, and is not overturned.

    An appeal that only puts back what is read anyway says nothing of its own.
    """
    said: dict[str, list[tuple[str, str]]] = {}
    carried_out: dict[str, str] = {}
    for data in (entry.data for entry in game.entries):
        if isinstance(data, Ruled):
            if data.overturns is not None:
                for name, values in said.items():
                    said[name] = [each for each in values if each[0] != data.overturns]
            for name, value in data.readings.items():
                usual = ("", game.steps[0].setting.readings[name])
                now = (said.get(name) or [usual])[-1][1]
                if data.overturns is None or value != now:
                    said.setdefault(name, []).append((data.id, value))
            carried_out = dict(data.readings)
        elif isinstance(data, ReadingFixed) and carried_out.pop(data.reading, "") != data.value:
            said.setdefault(data.reading, []).append(("", data.value))
    return said


def _reinstatement(game: Game, ruling: Ruled) -> Reinstated | None:
    remedy = line_remedy(game, ruling)
    if remedy is None:
        return None
    seq, data = remedy
    if isinstance(data, Corrected) and data.at == 0:
        return _opening_put_back(game, ruling, seq)
    inserted = [said.number for said in data.insert] if isinstance(data, Corrected) else []
    removed = data.remove if isinstance(data, Corrected) else data.numbers[::-1]
    line = game.numbers()
    out = tuple(number for number in line if number in inserted)
    left_at = _left_at(game)
    back = tuple(number for number in removed if left_at.get(number) == seq)
    if not back and not out:
        return None
    at = out[0] if out else _place_of(game, back[0], line)
    return Reinstated(ruling=ruling.id, at=at, back=back, out=out)


def line_remedy(game: Game, ruling: Ruled) -> tuple[int, TakenBack | Corrected] | None:
    """The entry that carries out a ruling's remedy, and its place; None if it changed no line."""
    if ruling.remedy not in ("taken_back", "corrected"):
        return None
    for entry in game.entries[_ruled_at(game, ruling) + 1 :]:
        if isinstance(entry.data, TakenBack | Corrected):
            return entry.seq, entry.data
        if not isinstance(entry.data, Reinstated):
            break
    return None


def _ruled_at(game: Game, ruling: Ruled) -> int:
    return next(
        entry.seq
        for entry in game.entries
        if isinstance(entry.data, Ruled) and entry.data.id == ruling.id
    )


def _left_at(game: Game) -> dict[int, int]:
    """The actions that do not count, and the entry that took each out last."""
    left: dict[int, int] = {}
    for entry in game.entries:
        data = entry.data
        if isinstance(data, TakenBack):
            left.update(dict.fromkeys(data.numbers, entry.seq))
        elif isinstance(data, Corrected):
            left.update(dict.fromkeys(data.remove, entry.seq))
        elif isinstance(data, Reinstated):
            left.update(dict.fromkeys(data.out, entry.seq))
        for number in _came_back(data):
            left.pop(number, None)
    return left


def _came_back(data: object) -> tuple[int, ...]:
    if isinstance(data, Restored):
        return data.numbers
    return data.back if isinstance(data, Reinstated) else ()


def _place_of(game: Game, number: int, line: list[int]) -> int:
    """Before which action one comes back: the one behind what it followed when it left."""
    followed = came_after(game)
    before = followed[number]
    while before and before not in line:
        before = followed[before]
    behind = line[line.index(before) + 1 :] if before else line
    return behind[0] if behind else game.last_number + 1


def _opening_put_back(game: Game, ruling: Ruled, seq: int) -> Reinstated | None:
    """The opening before a remedy, unless it was corrected again since."""
    said: list[tuple[int, Said]] = []
    for entry in game.entries:
        data = entry.data
        if isinstance(data, Opened):
            said.append((entry.seq, Said(number=0, action=data.opening, verdict=data.verdict)))
        elif isinstance(data, Corrected) and data.at == 0 and data.remove == (0,):
            said.append((entry.seq, data.insert[0]))
        elif isinstance(data, Reinstated) and data.opening is not None:
            said.append((entry.seq, data.opening))
    if said[-1][0] != seq:
        return None
    return Reinstated(ruling=ruling.id, at=0, opening=said[-2][1])
