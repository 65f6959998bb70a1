"""What a dispute is about: the actions it names, each as it stood when it last counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engines.kernel import Audit, Opening, evolve, to_plain
from referee.errors import NotFound
from referee.record.entries import Disputed
from referee.record.fold import apply, start_game
from referee.record.game import Game
from referee.record.history import HistoryLine, history
from referee.record.line import JudgedItem, Stood
from referee.secrecy.query_guard import known_after


class Matter(Struct, frozen=True):
    """One disputed action."""

    game: Game
    """The game as it stood when the action last counted."""
    before: JudgedItem
    step: JudgedItem
    line: HistoryLine
    """The action in the history: its words, and what has become of it since."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses it broke or rests on."""
        verdict = self.step.verdict
        return tuple(dict.fromkeys(p.clause for p in (*verdict.breaches, *verdict.claims)))


def matters(game: Game, dispute: Disputed) -> list[Matter]:
    """The actions a dispute names, in the order it names them; the last one if it names none."""
    return [matter(game, number) for number in dispute.numbers or [game.last_counting]]


def matter(game: Game, number: int) -> Matter:
    lines = {line.number: line for line in history(game)}
    if number not in lines:
        raise NotFound("no_such_action", number=number)
    then = as_it_stood(game, number)
    return Matter(then, then.before(number), then.step(number), lines[number])


def openly(matter: Matter) -> Matter:
    """The same, with what everybody may know to be said of it."""
    return evolve(matter, step=known_after(matter.game, Stood(matter.before, matter.step), ""))


def as_it_stood(game: Game, number: int) -> Game:
    """The game at the last moment when an action counted: now, or before it was removed."""
    if game.counts(number):
        return game
    now = then = start_game(game.id, game.entries[0])
    for entry in game.entries[1:]:
        now = apply(now, entry).game
        then = now if now.counts(number) else then
    return then


def offender(game: Game, numbers: Sequence[int]) -> str | None:
    """Whoever did what is disputed: the seat of the first action; None where nobody's is named.

    Whoever counts what lies on the table has done nothing.
    """
    action = matter(game, numbers[0]).step.action if numbers else None
    return None if isinstance(action, Opening | Audit | None) else action.by


def broken(found: list[Matter], clause: str | None) -> Mapping[str, Any]:
    """The facts that broke a clause (or the first one broken), as plain data."""
    for each in found:
        verdict = each.step.verdict
        points = [(point.clause, point.facts) for point in verdict.breaches]
        points += [(f.clause, f.facts) for f in verdict.findings if f.status == "broken"]
        for cited, facts in points:
            if clause is None or cited == clause:
                plain: dict[str, Any] = to_plain(dict(facts))
                return plain
    return {}
