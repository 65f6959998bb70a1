"""Tournament commands for judges: event history, open disputes, consistency check."""

from typing import Annotated

import typer

from answers.tournament import judging, lifecycle
from cli.session import Key
from cli.tournament.context import Reason, asked, run
from cli.tournament.plan import by_game


def history(at: Annotated[int | None, typer.Option("--at", min=0)] = None) -> int:
    if at is not None:
        return run(lifecycle.info, at=at)
    return run(judging.history)


def disputes() -> int:
    return run(judging.disputes)


def reading(
    reading: Annotated[str, typer.Argument()],
    game: Annotated[str | None, typer.Option("--of")] = None,
    reason: Reason = ...,  # type: ignore[assignment]
    key: Key = None,
) -> int:
    """Told again, it reaches the tables that a failure left out."""
    games = [game] if game else list(asked(lifecycle.info).data.readings)
    ((name, named),) = by_game([reading], games).items()
    ((question, value),) = named.items()
    return run(judging.rule_reading, name, question, value, reason, key=key)


def check() -> int:
    return run(judging.check)
