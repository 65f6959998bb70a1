"""Playing on from a moment of a game, as a table of its own."""

from __future__ import annotations

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import Id, Title
from answers.permissions import Writes
from answers.verdict_text import short, to_act
from referee.record.entries import Number
from referee.table import branches


class BranchAnswer(Data):
    game: str
    """The new game."""
    origin: str
    at: int
    """The last action that both have."""


@operation("branch", "POST /branches", grant=Writes("opened"))
def branch(caller: Caller, game_id: Id, at: Number, *, title: Title = "") -> Answered[BranchAnswer]:
    """A new game with the same people that begins with everything up to action ``at``.

    From its opening it is the same table once more, and has the same title.
    """
    whole = caller.everything(game_id, "branch")
    told_apart = caller.voice.say("branch.title", game=short(game_id), number=at)
    called = title or (told_apart if at else whole.opened.title)
    made = branches.branch(caller.bench, whole, at, title=called[:120], by=caller.by)

    def told(voice: Voice) -> list[str]:
        said = voice.say("branch.made", game=short(made.id), origin=short(game_id), number=at)
        return [said, "  " + to_act(voice, made)]

    return Answered(lambda: BranchAnswer(game=made.id, origin=game_id, at=at), told)
