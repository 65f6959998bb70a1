"""Games that reached a position: found in the archive, with what was played then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.game_filter import GameFilter, chosen_games
from answers.i18n import Voice, columns
from answers.play.info import GameRow, result_told
from answers.privileged import step_at
from answers.review.stats import counted_tables
from answers.verdict_text import short, told_line
from engines.kernel.registry import load_engine
from referee.archive.reached import ReachedPosition, position_key
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


def reached(caller: Caller, game_id: str, *, at: int | None = None) -> Answered[ReachedAnswer]:
    """Finished games that the caller may see, and that looked so to everybody at the table."""
    public = caller.game(game_id, PUBLIC)
    step = step_at(public, at)
    engine = public.engine
    with counted_tables(Caller(caller.store_context)) as tables:
        found = tables.reached(position_key(public, step))
    rows = [
        (GameRow(**row), found[row["game"]])
        for row in chosen_games(caller, GameFilter(closed=True, engine=engine.id))
        if row["game"] in found and row["game"] != public.id and not row["kept_apart"]
    ]

    def data() -> ReachedAnswer:
        return _answer(caller.voice, public.id, step.number or 0, rows)

    def told(voice: Voice) -> Iterator[str]:
        answer = _answer(voice, public.id, step.number or 0, rows)
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

    return Answered(data, told)


def _answer(
    voice: Voice, game: str, at: int, rows: list[tuple[GameRow, ReachedPosition]]
) -> ReachedAnswer:
    counts = Counter(there.following for _, there in rows if there.following)
    return ReachedAnswer(
        game=game,
        at=at,
        total=len(rows),
        games=[
            ReachedGame(
                game=row.game,
                title=row.title,
                players=row.players,
                number=there.number,
                following=there.following,
                told=told_line(voice, load_engine(row.engine), there.following),
                result=result_told(voice, row),
                opened=row.opened,
            )
            for row, there in rows[:MOST]
        ],
        following=[
            FollowingCount(
                line=line, told=told_line(voice, load_engine(rows[0][0].engine), line), games=count
            )
            for line, count in counts.most_common()
        ],
    )
