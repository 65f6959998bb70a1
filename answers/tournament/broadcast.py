"""The broadcast of an event: which boards it shows, its schedule and commentary; the big screens.

Boards and commentary are what the caller may see by now: for who only looks on, behind the
broadcast delay of the event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from answers.answer import Answered, Data
from answers.context import policy_of
from answers.i18n import Voice, columns
from answers.limits import Announcement, CommentText, Leaf, SectionName
from answers.permissions import EVERYBODY, Tells
from answers.tournament.context import BY_ROUND, DeskCall, RepeatedCall, ToldAnswer, reads, records
from answers.tournament.i18n import answered
from engines.kernel.messages.catalogue import Verbatim
from referee.errors import Misused
from referee.record.entries import ONLOOKERS
from referee.tournament import events
from referee.tournament.state import Comment, Round
from referee.tournament.values import RoundNumber, TableNumber

MOST_BOARDS = 12
"""So many boards are shown where the desk has chosen none."""


class BroadcastBoard(Data):
    table: int
    board: int | None = None
    """Of a team match."""
    game: str
    version: int
    """The last entry of the record that the caller may see by now."""


class RecordedGame(Data):
    round: int
    table: int
    game: str


class ScheduleRow(Data):
    at: str
    text: str


class CommentRow(Data):
    number: int
    at: str
    by: str
    text: str
    round: int | None
    table: int | None


class WallAnswer(Data):
    """What the big screens show."""

    shows: events.WallView
    paused: bool
    leaf: int
    section: str = ""
    """Of standings: only those of this section; one that is gone shows those of everybody."""


class TournamentBroadcastAnswer(Data):
    tournament: str
    name: str
    closed: bool
    round: int | None
    open: bool
    """Whether everybody may watch, who has the address or finds it."""
    delay_entries: int
    delay_seconds: int
    until_result: bool
    """The delay of a game ends with it."""
    wall: WallAnswer
    featured: list[int]
    """The tables that the desk has chosen; none: as many as there is room for."""
    boards: list[BroadcastBoard]
    schedule: list[ScheduleRow]
    comments: list[CommentRow]
    """The last one first."""
    archive: list[RecordedGame]
    """Every game of the event that is recorded, once it is closed."""
    state: str
    """Another one whenever there is something new to see."""


@reads("tournament-broadcast", "GET /broadcast", EVERYBODY, rename=BY_ROUND, etag="content")
def broadcast(
    context: DeskCall, *, number: RoundNumber | None = None
) -> Answered[TournamentBroadcastAnswer]:
    """What the broadcast of an event shows, in its last round or another."""
    now = context.now
    round = now.round(number) if number else now.rounds[-1] if now.rounds else None
    rules = policy_of(context.caller.store_context, context.id, "")
    games = context.games()
    boards = _boards(context, round, games) if round is not None else []
    comments = [_comment_row(context, one) for one in reversed(now.comments)
                if _is_visible(context, one, games)]  # fmt: skip
    seen = [now.last, *((each.game, each.version) for each in boards),
            *(each.number for each in comments), *(each.event for each in now.penalties),
            *(now.rounds[-1].results.items() if now.rounds else ())]  # fmt: skip
    data = TournamentBroadcastAnswer.made_of(
        now,
        rules,
        tournament=context.id,
        round=round.number if round is not None else None,
        open=rules.open_to != "members",
        wall=WallAnswer.made_of(
            now.wall, section=now.wall.section if now.wall.section in now.sections else ""
        ),
        featured=_featured(context, round) if round is not None else [],
        boards=boards,
        comments=comments,
        archive=[
            RecordedGame(round=at[0], table=at[1], game=game)
            for at, found in sorted(games.items())
            if now.closed
            for game in (found if now.has_matches else found[-1:])
        ],
        state=sha256(repr(seen).encode()).hexdigest()[:16],
    )
    return answered(lambda: data, lambda voice: _lines(voice, data))


def _lines(voice: Voice, data: TournamentBroadcastAnswer) -> Iterator[str]:
    yield voice.mark("bold", data.name)
    if data.delay_entries or data.delay_seconds:
        yield voice.say(
            "tournament.broadcast_delay", entries=data.delay_entries, seconds=data.delay_seconds
        )
    else:
        yield voice.say("tournament.broadcast_live")
    yield _featured_line(voice, data.featured)
    yield from columns((f"  {_place(voice, each)}", each.game) for each in data.boards)
    yield from columns((f"  {voice.moment(each.at)}", each.text) for each in data.schedule)
    yield from columns((f"  {voice.moment(each.at)}", each.by, each.text) for each in data.comments)


def _place(voice: Voice, shown: BroadcastBoard) -> str:
    table = voice.say("tournament.table", table=shown.table)
    if shown.board is None:
        return table
    return f"{table}, {voice.say('tournament.board', board=shown.board)}"


def _featured(context: DeskCall, round: Round) -> tuple[int, ...]:
    """Those that are still tables of the round: it may have been paired anew."""
    there = {table.number for table in round.draw.tables}
    return tuple(table for table in context.now.featured.get(round.number, ()) if table in there)


def _boards(
    context: DeskCall, round: Round, games: dict[tuple[int, int], list[str]]
) -> list[BroadcastBoard]:
    """The latest record of each table, and of a team match that of every board."""
    boards = context.desk.boards(context.id)
    featured = _featured(context, round)
    tables = featured or sorted(table for number, table in games if number == round.number)
    shown = [
        (table, board, game)
        for table in tables
        for board, game in sorted(
            {boards.get(game, 0): game for game in games.get((round.number, table), ())}.items()
        )
    ]
    return [
        BroadcastBoard(
            table=table, board=board or None, game=game, version=context.caller.game(game).version
        )
        for table, board, game in (shown if featured else shown[:MOST_BOARDS])
    ]


def _is_visible(
    context: DeskCall, comment: Comment, games: dict[tuple[int, int], list[str]]
) -> bool:
    """Whether a remark gives nothing away that the caller does not see yet."""
    told, caller = comment.told, context.caller
    if caller.author.role not in ONLOOKERS:
        return True
    if told.game is not None:
        if all(told.game not in found for found in games.values()):
            return False
        return told.entry is None or told.entry <= caller.game(told.game).version
    rules = policy_of(caller.store_context, context.id, "")
    written = datetime.fromisoformat(context.hosted.told[comment.event].at)
    return written <= datetime.now(UTC) - timedelta(seconds=rules.delay_seconds)


def _comment_row(context: DeskCall, comment: Comment) -> CommentRow:
    one = context.hosted.told[comment.event]
    return CommentRow.made_of(
        comment.told, number=comment.event, at=one.at, by=context.name(one.by)
    )


def _featured_line(voice: Voice, tables: Sequence[int]) -> str:
    if not tables:
        return voice.say("tournament.featured_all")
    named = [voice.say("tournament.table", table=table) for table in tables]
    return voice.say("tournament.featured", tables=named)


@records(
    "tournament-feature", "POST /broadcast/featured", Tells("tables_featured"), rename=BY_ROUND
)
def feature(
    context: DeskCall,
    tables: Annotated[Sequence[TableNumber], Field(max_length=24)] = (),
    *,
    number: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """Choose the tables that the broadcast shows."""
    event = events.TablesFeatured(round=context.round(number).number, tables=tuple(tables))
    return context.record(event, telling=lambda voice: [_featured_line(voice, event.tables)])


@records("tournament-schedule", "POST /broadcast/schedule", Tells("schedule_told"))
def schedule(
    context: DeskCall,
    items: Annotated[Sequence[events.ScheduleItem], Field(max_length=60)],
) -> Answered[ToldAnswer]:
    """Publish when what happens; the earlier schedule is replaced."""
    return context.record(events.ScheduleTold(items=tuple(items)))


@records(
    "tournament-comment", "POST /broadcast/comments", Tells("event_commented"), rename=BY_ROUND
)
def comment(
    context: DeskCall,
    text: CommentText,
    *,
    table: TableNumber | None = None,
    number: RoundNumber | None = None,
) -> Answered[ToldAnswer]:
    """A remark under the own name: of the event, or of a table and how it stands there."""
    if context.author.person == "anonymous":
        raise Misused("comment_needs_name")
    round = context.round(number).number if table is not None or number is not None else None
    game, entry = _stands_there(context, round, table)
    event = events.Commented(text=text, round=round, table=table, game=game, entry=entry)
    name = context.name(context.author.person)
    return context.record(
        event, telling=lambda voice: [voice.say("tournament.commented", name=name)]
    )


def _stands_there(
    context: DeskCall, round: int | None, table: int | None
) -> tuple[str | None, int | None]:
    """The record of a table and its last entry; of a request once more, as it stood at first.

    Of the boards of a team match it is the one that was written last: whoever sees that entry has
    seen what is on the others.
    """
    if isinstance(context, RepeatedCall):
        first = context.recorded[0].event
        return (first.game, first.entry) if isinstance(first, events.Commented) else (None, None)
    if round is None or table is None:
        return None, None
    records = context.desk.latest_at(context.id, round, table)
    if not records:
        return None, None
    record = max(records, key=lambda record: record.entries[-1].at)
    return record.id, record.version


@records("tournament-announce", "POST /announcement", Tells("announced"))
def announce(context: DeskCall, text: Announcement = "") -> Answered[ToldAnswer]:
    """Tell all phones and screens of the event something; nothing: it is over."""
    told = "announced" if text.strip() else "announced_nothing"
    return context.record(
        events.Announced(text=text.strip()), telling=lambda voice: [voice.say(f"tournament.{told}")]
    )


@records("tournament-wall", "POST /wall", Tells("wall_turned"))
def turn_wall(
    context: DeskCall,
    shows: events.WallView = "",
    *,
    paused: bool = False,
    leaf: Leaf = 0,
    section: SectionName | None = None,
) -> Answered[ToldAnswer]:
    """What every big screen shows that has no view of its own, and whether it stands still;
    standings of all or of a ``section``."""
    label = context.section(section) if section else ""
    if label and shows != "standings":
        raise Misused("section_of_standings")

    def render(voice: Voice) -> Iterator[str]:
        view = voice.say(f"tournament.wall_{shows or 'all'}")
        told = Verbatim(f"{view} · {label}") if label else view
        yield voice.say("tournament.wall_turned", view=told)

    return context.record(
        events.WallTurned(shows=shows, paused=paused, leaf=leaf, section=label), telling=render
    )
