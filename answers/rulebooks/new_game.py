"""A new game to start from, written to a folder."""

from __future__ import annotations

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.permissions import NOBODY
from engines.kernel.registry import engine_ids
from referee.errors import Conflicting
from referee.game_check.template import new_game

__all__ = ["drafted", "written"]


class NewGameAnswer(Data):
    game: str
    files: list[str]


def drafted(game: str, *, hidden: bool = False) -> dict[str, str]:
    """The files of a game that does not exist yet, by path; ``hidden``: with secret hands."""
    if game in engine_ids():
        raise Conflicting("game_installed", game=game)
    return new_game(game, hidden=hidden)


@operation("engine-new", grant=NOBODY)
def written(game: str, files: list[str]) -> Answered[NewGameAnswer]:
    """The answer to a game that was written."""
    return Answered(
        lambda: NewGameAnswer(game=game, files=files),
        lambda voice: [*files, voice.say("new_game.done", game=game, count=len(files))],
    )
