"""What webhooks are told: which entries are such an event, and what is said of it.

It is what an onlooker with a token for that game or tournament would be told, and no earlier.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from answers.answer import Data
from answers.context import Caller, StoreContext, covers
from answers.play.info import PLAYS, ResultAnswer, ended_by, info
from answers.tournament.context import DeskCall
from answers.tournament.i18n import figure
from answers.tournament.round_view import outcome_text
from referee.record.entries import Closed, Disputed
from referee.record.game import Game
from referee.store.envelopes import Stored
from referee.store.sidecars.webhooks import Happening, Owed, Webhook
from referee.tournament import events
from referee.tournament.desk import RecordedEvent
from referee.tournament.ranking.standings import standings
from referee.tournament.table_games import read_ref
from referee.tournament.values import Ratio

RESULTS = (events.ResultEntered, events.ResultReported, events.ResultCorrected)
RANKING = (
    *RESULTS,
    events.RoundPaired,
    events.PairingWithdrawn,
    events.RoundClosed,
    events.RoundReopened,
    events.PenaltyGiven,
    events.PointPenaltyCancelled,
    events.LotDrawn,
    events.PlayersMerged,
    events.PlayerUnregistered,
    events.FinalsStarted,
    events.FinalsCancelled,
)
"""After these the standings may be others."""
OF_GAMES: dict[str, tuple[Happening, ...]] = {
    **{kind.KIND: ("game_over",) for kind in (*PLAYS, Closed)},
    Disputed.KIND: ("dispute_called",),
}
OF_TOURNAMENTS: dict[str, tuple[Happening, ...]] = {
    events.JudgeCalled.KIND: ("dispute_called",),
    events.RoundPaired.KIND: ("round_paired", "standings_changed"),
    **{kind.KIND: ("result_in", "standings_changed") for kind in RESULTS},
    **{kind.KIND: ("standings_changed",) for kind in RANKING[len(RESULTS) + 1 :]},
}
"""What may have happened, by the kind of the entry."""
MOST_TOLD = 500
"""So many tables or players are named in one event."""


class Later:
    """Onlookers do not see it yet."""


LATER: Final = Later()


class ToldTable(Data):
    table: int
    """Its number."""
    players: list[str]
    """Who sits there, in the order of the seats."""


class ToldPlace(Data):
    rank: int
    """The place; who is tied has the same."""
    name: str
    """Whose it is."""
    points: Ratio
    """The first figure of the standings, a fraction: numerator and denominator."""


class WebhookEvent(Data):
    """What is sent to an address: one event."""

    id: str
    """The same however often it is sent: who knows it has had this event."""
    type: Happening
    """What has happened."""
    at: str
    """When it was recorded."""
    text: str
    """The same in a sentence, in the language of the address."""
    tournament: str
    """The id of the tournament; empty for a game by itself."""
    name: str
    """What the tournament, or the table, is called."""
    game: str
    """The id of the game, where a record is kept of it; else empty."""
    round: int | None
    """The round of the tournament."""
    table: int | None
    """The table in that round."""
    result: ResultAnswer | None
    """How the game ended (``game_over``)."""
    players: list[str]
    """Who plays there, in the order of the seats."""
    places: list[int]
    """Their places in the same order (``result_in``)."""
    tables: list[ToldTable]
    """Who meets whom (``round_paired``)."""
    standings: list[ToldPlace]
    """Who is where (``standings_changed``)."""


# what an address is owed


def owed_of(
    store_context: StoreContext, hook: Webhook, number: int, stored: Stored
) -> Iterator[Owed]:
    """What an address is owed for an entry of the store, whenever it may be told."""
    kind = stored.topic.partition("@")[0]
    is_game = stored.stream.startswith("game-")
    found = (OF_GAMES if is_game else OF_TOURNAMENTS).get(kind, ())
    wanted = [each for each in found if each in hook.happenings]
    # an old record that is brought in happened before anybody wished to hear of it
    if not wanted or json.loads(stored.body)["at"] < hook.created:
        return
    if is_game:
        game = store_context.bench.game(stored.stream)
        if not covers(hook.scope, game.id, game.opened.tournament):
            return
        if wanted == ["game_over"] and _end(game) != stored.seq:
            return
    elif not covers(hook.scope, stored.stream):
        return
    for happening in wanted:
        yield Owed(hook.id, number, happening, stored.stream, stored.seq)


def _end(game: Game) -> int | None:
    """The entry since which it is known how the game ended."""
    if (ended := ended_by(game)) is not None or game.closed is None:
        return ended
    return max(entry.seq for entry in game.entries if isinstance(entry.data, Closed))


# what it is told


def event_of(caller: Caller, owed: Owed) -> WebhookEvent | Later | None:
    """What is told to this onlooker; nothing any more if it was taken back since."""
    if owed.happening == "test":
        return _said(owed, "", text=caller.voice.say("webhook.test"), name="")
    if owed.stream.startswith("game-"):
        return _of_game(caller, owed)
    return _of_tournament(caller, owed)


def _said(
    owed: Owed,
    at: str,
    *,
    text: str,
    name: str,
    tournament: str = "",
    game: str = "",
    round: int | None = None,
    table: int | None = None,
    result: ResultAnswer | None = None,
    players: Sequence[str] = (),
    places: Sequence[int] = (),
    tables: Sequence[ToldTable] = (),
    ranking: Sequence[ToldPlace] = (),
) -> WebhookEvent:
    return WebhookEvent(
        id=owed.id,
        type=owed.happening,
        at=at,
        text=text,
        tournament=tournament,
        name=name,
        game=game,
        round=round,
        table=table,
        result=result,
        players=[*players],
        places=[*places],
        tables=[*tables],
        standings=[*ranking],
    )


def _of_game(caller: Caller, owed: Owed) -> WebhookEvent | Later | None:
    known = caller.whole(owed.stream)
    if len(known.entries) <= owed.seq:
        return LATER
    told = info(caller, owed.stream).data
    event, round, table = read_ref(told.tournament) if told.tournament else ("", None, None)
    name = caller.store_context.desk.load(event).now.name if event else told.title
    called = name or owed.stream
    if owed.happening == "dispute_called":
        text = _judge_called(caller, called, round, table)
    elif _end(known) != owed.seq:
        return None
    else:
        text = caller.voice.say("webhook.game_over", name=called, end=told.to_act_text)
    players = [told.seats.get(seat, seat) for seat in told.all_seats]
    return _said(
        owed,
        known.entries[owed.seq].at,
        text=text,
        name=name,
        tournament=event,
        game=owed.stream,
        result=told.result if owed.happening == "game_over" else None,
        players=players,
        round=round,
        table=table,
    )


def _judge_called(caller: Caller, name: str, round: int | None, table: int | None) -> str:
    if table is None:
        return caller.voice.say("webhook.judge_called", name=name)
    return caller.voice.say("webhook.judge_called_at", name=name, round=round, table=table)


def _of_tournament(caller: Caller, owed: Owed) -> WebhookEvent | Later | None:
    whole = caller.store_context.desk.load(owed.stream)
    if owed.seq in caller.held_back(whole):
        return LATER
    context = DeskCall(caller, owed.stream)
    told = whole.told[owed.seq]
    if owed.happening == "standings_changed":
        return _standings(context, owed, told)
    event = told.event
    if isinstance(event, events.RoundPaired):
        return _round(context, owed, told, event.round)
    if isinstance(event, events.JudgeCalled):
        text = _judge_called(caller, context.now.name, event.round, event.table)
        return _said(
            owed, told.at, text=text, name=context.now.name, tournament=owed.stream,
            round=event.round, table=event.table,
        )  # fmt: skip
    assert isinstance(event, RESULTS)
    return _result(context, owed, told, event.round, event.table)


def _round(context: DeskCall, owed: Owed, told: RecordedEvent, number: int) -> WebhookEvent | None:
    now = context.now
    if number > len(now.rounds):
        return None  # the pairing was withdrawn
    tables = [
        ToldTable(table=each.number, players=context.names_of(each.seats))
        for each in now.round(number).draw.tables[:MOST_TOLD]
    ]
    text = context.caller.voice.say("webhook.round_paired", name=now.name, round=number)
    return _said(
        owed, told.at, text=text, name=now.name, tournament=owed.stream, round=number,
        tables=tables,
    )  # fmt: skip


def _result(
    context: DeskCall, owed: Owed, told: RecordedEvent, number: int, table: int
) -> WebhookEvent | None:
    now, voice = context.now, context.caller.voice
    if number > len(now.rounds):
        return None
    entered = now.round(number).result(table)
    if entered is None or entered.event != owed.seq:
        return None  # one of the players has reported it, or it is another one by now
    players = context.names_of(now.round(number).table(table).seats)
    ended = outcome_text(voice, now.plan, entered.outcome, players)
    text = voice.say("webhook.result_in", name=now.name, round=number, table=table, result=ended)
    return _said(
        owed, told.at, text=text, name=now.name, tournament=owed.stream, round=number, table=table,
        players=players, places=entered.outcome.places,
    )  # fmt: skip


def _standings(context: DeskCall, owed: Owed, told: RecordedEvent) -> WebhookEvent | None:
    ranked = standings(context.now, None)
    places = [
        ToldPlace.made_of(row, name=context.name(row.player), points=row.values[0])
        for row in ranked.rows[:MOST_TOLD]
        if row.values
    ]
    if not places:
        return None
    text = context.caller.voice.say(
        "webhook.standings_changed",
        name=context.now.name,
        first=[each.name for each in places if each.rank == places[0].rank][:3],
        points=figure(context.caller.voice, ranked.rows[0].values[0]),
    )
    return _said(
        owed, told.at, text=text, name=context.now.name, tournament=owed.stream, ranking=places
    )
