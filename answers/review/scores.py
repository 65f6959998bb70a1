"""The points of each seat through a game, and where its rounds begin."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.permissions import EVERYBODY
from replays.exports.stepping import SCRIPT, STYLE, score_rows, stepping_words

__all__ = ["STEPPING_FILES", "ScoreRow", "ScoresAnswer", "scores", "stepping_words"]
STEPPING_FILES = (SCRIPT, STYLE)
"""What live pages share with an exported one; they lie beside its script."""


class ScoreRow(Data):
    number: int
    """The action after which it stands so."""
    round: int | None
    points: dict[str, int]


class ScoresAnswer(Data):
    game: str
    last: int
    """The last action that counts."""
    scores: list[ScoreRow]
    """The opening, and every action that changes the points or begins a round."""


@operation("scores", "GET /games/{game}/scores", grant=EVERYBODY)
def scores(caller: Caller, game_id: str) -> Answered[ScoresAnswer]:
    """How the points went, as far as the caller may know them."""
    game = caller.game(game_id)
    rows = [ScoreRow(**row._asdict()) for row in score_rows(game)]
    names = caller.names_at(game)

    def told(voice: Voice) -> Iterator[str]:
        if not any(row.points for row in rows):
            yield voice.say("scores.none")
            return
        yield from columns(
            (
                f"#{row.number}",
                voice.say("scores.round", number=row.round) if row.round is not None else "",
                *(f"{names.get(seat, seat)} {points}" for seat, points in row.points.items()),
            )
            for row in rows
        )

    return Answered(lambda: ScoresAnswer(game=game.id, last=game.last_counting, scores=rows), told)
