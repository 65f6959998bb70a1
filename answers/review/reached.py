"""Games that reached a position: found in the archive, with what was played then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.known_games import known_games
from answers.permissions import EVERYBODY
from answers.play.info import GameRow, game_row, result_told
from answers.privileged import step_at
from answers.review.stats import Progress, counted_tables, no_progress
from answers.verdict_text import short, told_line
from engines.kernel import Engine
from referee.archive.reached import ReachedPosition, position_key
from referee.record.entries import Number
from referee.secrecy.redaction import PUBLIC

MOST = 50
"""So many games are listed, the latest; what was played next is counted in all of them."""


class ReachedGame(Data):
    game: str
    title: str
    players: dict[str, str]
    number: int
    """The action after which it looked so for the first time."""
    following: str
    """What was played then, as it is recorded; empty at the end."""
    told: str
    """The same in a sentence."""
    result: str
    """Who won, in words."""
    opened: str


class FollowingCount(Data):
    """What was played next, and in how many games."""

    line: str
    told: str
    games: int


class ReachedAnswer(Data):
    game: str
    at: int
    total: int
    """How many other games reached it; some of them are listed."""
    games: list[ReachedGame]
    following: list[FollowingCount]


@operation("reached", "GET /games/{game}/reached", grant=EVERYBODY, slow=True)
def reached(
    caller: Caller,
    game_id: str,
    *,
    at: Number | None = None,
    on_step: Progress = no_progress,
) -> Answered[ReachedAnswer]:
    """Finished games that the caller may see, and that looked so to everybody at the table."""
    public = caller.game(game_id, PUBLIC)
    step = step_at(public, at)
    engine = public.engine
    with counted_tables(Caller(caller.store_context), progress=on_step) as tables:
        found = tables.reached(position_key(public, step))
    others = [
        row
        for row in known_games(caller)
        if row["closed"] and row["game"] in found and row["game"] != public.id
        if not row["kept_apart"]
    ]
    following = Counter(found[row["game"]].following for row in others)
    shown = [(game_row(caller, row), found[row["game"]]) for row in others[:MOST]]

    def answer_in(voice: Voice) -> ReachedAnswer:
        return ReachedAnswer(
            game=public.id,
            at=step.number or 0,
            total=len(others),
            games=[_game(voice, engine, row, there) for row, there in shown],
            following=[
                FollowingCount(line=line, told=told_line(voice, engine, line), games=count)
                for line, count in following.most_common()
                if line
            ],
        )

    def told(voice: Voice) -> Iterator[str]:
        answer = answer_in(voice)
        yield voice.say("reached.count", count=answer.total, number=answer.at)
        yield from columns(("  ", str(one.games), one.told) for one in answer.following)
        yield from columns(
            (
                short(one.game),
                f"#{one.number}",
                " · ".join(one.players.values()) or "–",
                one.told or "–",
                one.result or "–",
                voice.day(one.opened),
            )
            for one in answer.games
        )

    return Answered(lambda: answer_in(caller.voice), told)


def _game(
    voice: Voice, engine: Engine[Any, Any], row: GameRow, there: ReachedPosition
) -> ReachedGame:
    return ReachedGame.made_of(
        row,
        number=there.number,
        following=there.following,
        told=told_line(voice, engine, there.following),
        result=result_told(voice, row),
    )
