"""What judges of a tournament do: penalties, readings; and its history."""

from answers.limits import EntryNumber
from answers.tournament import judging, lifecycle
from cli.tournament.context import TOURNAMENT
from cli.tournament.plan import by_game, read_halves


def history(*, at: EntryNumber | None = None) -> int:
    if at is not None:
        return TOURNAMENT.run(lifecycle.info, at=at)
    return TOURNAMENT.run(judging.history)


def reading(reading: str, *, game: str | None = None, reason: str) -> int:
    """Told again, it reaches the tables that a failure left out."""
    games = [game] if game else list(TOURNAMENT.ask(lifecycle.info).data.readings)
    ((name, named),) = by_game([reading], games).items()
    ((question, value),) = named.items()
    return TOURNAMENT.run(judging.rule_reading, name, question, value, reason)


def add_penalty(
    name: str,
    points: str | None = None,
    *,
    reason: str,
    level: str = "",
    infringement: str = "",
    clause: str | None = None,
) -> int:
    halves = read_halves(points) if points is not None else None
    return TOURNAMENT.run(
        judging.penalise,
        name,
        halves,
        reason,
        clause=clause,
        infringement=infringement,
        level=level,
    )
