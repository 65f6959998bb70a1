"""Full-text search for actions in all games."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.left_out import left_out
from answers.limits import Searched
from answers.permissions import KEEPERS
from answers.verdict_text import short
from engines.kernel import Language
from referee.archive.read_models import MoveFound, in_words, search_moves
from referee.errors import NotAllowed
from referee.secrecy.query_guard import view_of


class FoundMove(Data):
    game: str
    engine: str
    number: int
    line: str
    """As it is recorded."""
    told: str
    """The same in the language of whoever asks."""


class MoveSearchAnswer(Data):
    moves: list[FoundMove]


@operation("move-search", "GET /moves", grant=KEEPERS, slow=True)
def search(caller: Caller, words: Searched) -> Answered[MoveSearchAnswer]:
    """The latest actions of all games that have all these words, in either language."""
    if caller.viewer is not None:
        raise NotAllowed("needs_judge_view", what="search", view=view_of(caller.viewer))
    found = search_moves(caller.store_context.store, words)

    def render(voice: Voice) -> Iterator[str]:
        for move in found:
            yield f"{short(move.game)} #{move.number}  {_line(move, voice.lang)}"
        if not found:
            yield voice.say("found.no_moves")

    def data() -> MoveSearchAnswer:
        lang = caller.voice.lang
        rows = [FoundMove.made_of(move, line=_line(move), told=_line(move, lang)) for move in found]
        return MoveSearchAnswer(moves=rows)

    return Answered(data, render, warnings=left_out(caller))


def _line(move: MoveFound, lang: Language = "en") -> str:
    return in_words(move.engine, move.action, lang)
