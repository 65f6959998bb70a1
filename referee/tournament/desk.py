"""The tournament desk: runs the commands of organisers and judges, and records their events.

A tournament is a stream in the same store as the games.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import chain, count
from typing import Any

from msgspec import Struct

from engines.kernel import KitSheet, Opening
from engines.kernel.messages.catalogue import normalize
from engines.kernel.registry import load_engine
from referee.archive.read_models import list_games
from referee.errors import Conflicting
from referee.judging.rulings import fix_reading
from referee.record.entries import PLAYER, Disputed, Penalised
from referee.record.game import Game
from referee.store.event_store import Store
from referee.table.author import Author, By
from referee.table.bench import (
    Bench,
    IdempotencyKeyReused,
    VersionConflict,
    game_id_of,
)
from referee.table.openings import OpeningRefused, open_game
from referee.table.play import Heard
from referee.tournament import events, table_games
from referee.tournament.deals import Deviation
from referee.tournament.errors import NotPossible
from referee.tournament.event_streams import (
    BY_ORGANISER,
    ORGANISER,
    EventStreams,
    LoadedStream,
    Recorded,
    check_role,
)
from referee.tournament.fold import apply, fold
from referee.tournament.penalty_steps import guide_of
from referee.tournament.plan import Deal, Plan
from referee.tournament.results_from_records import (
    check_slip,
    contradicted,
    proven_records,
    slip_of,
    told_by_records,
)
from referee.tournament.state import Call, Round, Tournament

RecordedEvent = Recorded[events.Event]


def new_seed() -> int:
    return secrets.randbelow(2**32)


class LoadedTournament(LoadedStream[events.Event, Tournament], frozen=True):
    """A tournament as loaded from the store: its state and all its events."""

    held_back: frozenset[int] = frozenset()
    """The events that whoever sees it is not told yet; its state is without them."""

    def at(self, number: int) -> Tournament:
        """The state after event ``number``."""
        if not 0 <= number < len(self.told):
            raise NotPossible("no_such_event", number=number, last=len(self.told) - 1)
        return fold(self.events[: number + 1])


class Concern(Struct, frozen=True):
    """Something at a table that waits for a judge."""

    round: int
    table: int
    game: Game | None = None
    """The record of the table, if the concern is about what it says."""
    dispute: Disputed | None = None
    deviation: Deviation | None = None
    call: Call | None = None
    """Somebody there called; neither this nor a record: its players report differently."""

    @property
    def called(self) -> str:
        """The id under which a judge refers to it."""
        if self.call is not None:
            return f"c{self.call.event}"
        return self.dispute.id if self.dispute is not None else "–"


def _check_in_time(now: Tournament, author: Author, event: events.Event, moment: str) -> None:
    """A team changes its line-up until it is due or the round starts; what was wrong then the desk
    corrects."""
    if isinstance(event, events.LineUpSet) and author.role == PLAYER:
        started = event.round <= len(now.rounds) and now.round(event.round).started
        if started:
            raise NotPossible("line_up_stands", round=event.round)
        if moment > now.line_ups_due.get(event.round, moment):
            raise NotPossible("line_up_late", round=event.round)


def _byes_of_merged_entries(now: Tournament) -> Iterator[events.ByeRequested]:
    """Byes that withdrawing the last pairing would forget, asked for again.

    The fold keeps only absences from before the pairing, and knows them under the entry that
    asked; that entry may since have been merged into another.
    """
    if not now.rounds:
        return
    number, before = now.rounds[-1].number, now.rounds[-1].before.players
    for entry, player in now.rounds[-1].merged.items():
        asked = entry in before and number in before[entry].away
        kept = player in before and number in before[player].away
        if asked and not kept and number in now.player(player).away:
            counts = now.player(player).away[number]
            yield events.ByeRequested(player=player, round=number, counts=counts)


def _next_game(now: Tournament, round: Round, table: events.Table, records: Sequence[Game]) -> bool:
    """Whether a match goes on with another game: the last is closed, and nobody has won yet."""
    return (
        table_games.match_by_games(now, round, table) is not None
        and records[-1].closed is not None
        and round.result(table.number) is None
        and not table_games.tells_result(
            now, round, table, table_games.counted_records(now, round, table, records)
        )
    )


def _concerns_of(now: Tournament, number: int, table: int, game: Game) -> Iterator[Concern]:
    departed: dict[str, Deviation] = {}
    for deviation in table_games.departures(now, number, game):
        dispute = table_games.departure_dispute(game, deviation)
        if dispute is None:
            yield Concern(number, table, game, deviation=deviation)
        else:
            departed[dispute.id] = deviation
    for dispute in game.open_disputes():
        yield Concern(number, table, game, dispute, departed.get(dispute.id))


class Desk(EventStreams[events.Event, Tournament, LoadedTournament]):
    """The tournaments of a store. Seeds, clock and keys are injected, for tests."""

    KIND = "tournament"
    SIDE_BY_SIDE = (
        events.Registered, events.SignedUp, events.CheckedIn, events.ResultEntered,
        events.ResultReported, events.JudgeCalled, events.Commented, events.WallTurned,
        events.PenaltyGiven, events.PointPenaltyCancelled, events.Announced, events.LineUpSet,
    )  # fmt: skip
    read_event = staticmethod(events.read_event)
    fold = staticmethod(fold)
    loaded = LoadedTournament

    def __init__(
        self, bench: Bench, *, seeds: Callable[[], int] = new_seed, **injected: Any
    ) -> None:
        """``injected``: clock, keys and ids, as ``EventStreams`` takes them."""
        super().__init__(**injected)
        self.bench = bench
        self._seeds = seeds

    @property
    def store(self) -> Store:
        return self.bench.store

    def on(self, bench: Bench) -> Desk:
        """This desk with its cache, over another bench of the same store."""
        other = copy(self)
        other.bench = bench
        return other

    # telling

    def create(self, name: str, plan: Plan, *, by: By = BY_ORGANISER) -> LoadedTournament:
        event = events.Created(name=name, plan=plan)
        check_role(by.author, event)
        table_games.check_plan(plan)
        return self.begin([event], by)

    def adopt(self, history: Sequence[events.Event], *, by: By = BY_ORGANISER) -> LoadedTournament:
        """Import a tournament that was run elsewhere, from its first event to its last."""
        fold(history)
        return self.begin(history, by)

    def _after(
        self, hosted: LoadedTournament, now: Tournament, event: events.Event, author: Author
    ) -> Tournament:
        _check_in_time(now, author, event, self.moment_in(hosted))
        after = apply(now, event)
        if isinstance(event, events.Revised):
            table_games.check_plan(event.plan)
        if isinstance(event, events.ReadingRuled):
            load_engine(event.game).check_reading(event.reading, event.value)
        return after

    def _check_together(
        self, hosted: LoadedTournament, told: Sequence[events.Event], author: Author
    ) -> None:
        """Hold slips and reports against the records of their tables."""
        slips = [
            event
            for event in told
            if isinstance(event, events.ResultReported)
            or (isinstance(event, events.ResultEntered) and isinstance(event.source, events.ByHand))
        ]
        games = self.games(hosted.id) if slips else {}
        for slip in slips:
            listed = games.get((slip.round, slip.table), [])
            if not listed:
                continue
            records = [self.bench.game(game) for game in listed]
            if isinstance(slip, events.ResultReported):
                self._check_report(hosted, slip, records)
            else:
                round = hosted.now.round(slip.round)
                check_slip(self.bench, hosted.now, round, slip.table, slip.outcome, records, author)

    def _following(self, now: Tournament) -> list[events.Event]:
        return [events.MovedUp(player=each.player) for each in now.next_up]

    # rounds

    def pair(
        self,
        tournament_id: str,
        number: int | None = None,
        seed: int | None = None,
        *,
        by: By = BY_ORGANISER,
    ) -> tuple[LoadedTournament, Round]:
        """Pair the next round; idempotent: a round that is paired already is returned."""
        hosted = self.load(tournament_id)
        now = hosted.now
        if number is None:
            last = now.rounds[-1] if now.rounds else None
            number = last.number if last and not last.closed else len(now.rounds) + 1
        if number > len(now.rounds):
            from referee.tournament.pairing.rounds import pair

            paired = pair(now, number, self._seeds() if seed is None else seed)
            table_games.check_table_sizes(now, paired)
            hosted = self.tell(tournament_id, paired, by=by)
        return hosted, hosted.now.round(number)

    def any_seed(self) -> int:
        """A seed of this desk's chance."""
        return self._seeds()

    def unpair(self, tournament_id: str, reason: str, *, by: By = BY_ORGANISER) -> LoadedTournament:
        hosted = self.load(tournament_id)
        told = self.known(tournament_id, by.key)
        now = hosted.at(told[0].number - 1) if told else hosted.now
        event = events.PairingWithdrawn(round=max(len(now.rounds), 1), reason=reason)
        asked = _byes_of_merged_entries(now)
        return self.tell(tournament_id, event, *asked, by=by)

    # the time of a round

    def clock_start(
        self,
        tournament_id: str,
        number: int,
        minutes: int | None = None,
        at: str | None = None,
    ) -> events.ClockStarted:
        """The event that starts a round's clock; the first time, with the published minutes. From
        ``at`` on it runs by itself."""
        now = self.load(tournament_id).now
        if minutes is None and now.plan.time is not None and now.round(number).clock is None:
            minutes = now.plan.time.minutes
        return events.ClockStarted(round=number, at=at or self.moment(), minutes=minutes)

    # tables

    def games(self, tournament_id: str) -> dict[tuple[int, int], list[str]]:
        """The records of every table, by round and table, oldest first."""
        listed = self._records(tournament_id)
        return {at: [row["game"] for row in rows] for at, rows in listed.items()}

    def _records(self, tournament_id: str) -> dict[tuple[int, int], list[dict[str, Any]]]:
        """The rows of the records that count, by round and table, oldest first."""
        by_table: dict[tuple[int, int], list[dict[str, Any]]] = {}
        listed = list_games(self.bench.store, within=tournament_id)
        rows = [row for row in listed if not row["kept_apart"]]
        for row in sorted(rows, key=lambda row: (row["opened"], row["game"])):
            _, number, table = table_games.read_ref(row["tournament"])
            by_table.setdefault((number, table), []).append(row)
        return by_table

    def boards(self, tournament_id: str) -> dict[str, int]:
        """By record of a board of a team match: which board it is."""
        listed = list_games(self.bench.store, within=tournament_id)
        at = {row["game"]: table_games.board_in(row["tournament"]) for row in listed}
        return {game: board for game, board in at.items() if board is not None}

    def latest_games(self, tournament_id: str) -> dict[tuple[int, int], list[str]]:
        """By round and table: its latest record, and of a team match that of every board."""
        return {
            at: [*{table_games.board_in(row["tournament"]): row["game"] for row in rows}.values()]
            for at, rows in self._records(tournament_id).items()
        }

    def latest_at(self, tournament_id: str, number: int, table: int) -> list[Game]:
        """The latest record of a table, and of a team match that of every board."""
        games = self.latest_games(tournament_id).get((number, table), [])
        return [self.bench.game(game) for game in games]

    def records_at(self, tournament_id: str, number: int, table: int) -> list[Game]:
        """All records of a table, oldest first: a match has several, and so has a replayed game."""
        games = self.games(tournament_id).get((number, table), [])
        return [self.bench.game(game) for game in games]

    def open_table(
        self,
        tournament_id: str,
        number: int,
        table: int,
        line: str = "",
        *,
        players: int | None = None,
        again: bool = False,
        board: int | None = None,
        kit: KitSheet | None = None,
        by: By = BY_ORGANISER,
    ) -> tuple[Heard | OpeningRefused, bool]:
        """The record of a table, opened by the published rules if needed, and whether it is new.

        ``players`` says how many sit at the table of a team; ``again`` opens another record for a
        game that is replayed. ``kit`` is the box that the rules name, where it is the club's own.
        In a match, once a game is closed, the next one is opened, until the match is over. A
        ``board`` of a team match is a game of its own, of the two who sit there.
        """
        now = self.load(tournament_id).now
        round = now.round(number)
        if not round.started:
            raise NotPossible("not_started", round=number)
        seated = round.table(table)
        if board is None and (boards := now.plan.boards_at(len(seated.seats))):
            raise NotPossible("which_board", table=table, boards=boards)
        at_board = None if board is None else table_games.board_table(now, number, seated, board)
        all_games = self.games(tournament_id)
        games = all_games.get((number, table), [])
        if board is not None:
            known = self.boards(tournament_id)
            games = [game for game in games if known.get(game) == board]
        if by.key is not None and (opened := self._opened_with(all_games, by.key)) is not None:
            if opened.id not in games or not self._asks_for(opened, now, seated, line, players):
                raise IdempotencyKeyReused("key_reused", key=by.key, entry=0)
            return Heard(opened), False
        records = [self.bench.game(game) for game in games]
        if games and not again and not _next_game(now, round, seated, records):
            return Heard(self._gone_on_with(games[-1], now, round, table, by.author)), False
        ref = table_games.table_ref(tournament_id, number, table, board)
        seats = at_board or table_games.next_seats(now, round, seated, records, again=again)
        for index in count(len(games)):
            game_id = game_id_of(f"{ref}/{index}")
            try:
                heard = self._open(now, ref, game_id, seats, line, players, kit, by)
            except Conflicting:
                if game_id in self.games(tournament_id).get((number, table), []):
                    return Heard(self._gone_on_with(game_id, now, round, table, by.author)), False
                continue  # something from elsewhere that is called so
            return heard, heard.accepted
        raise AssertionError("numbers do not end")

    def fits(self, game: Game) -> bool:
        """Whether a record from elsewhere may be that of the table it names.

        Those who were paired sit there, in their order, and the round had started, as it holds now.
        """
        stream, number, table = table_games.read_ref(game.opened.tournament)
        hosted = self.load(stream)
        started = [
            told.at
            for told in hosted.told
            if isinstance(told.event, events.RoundStarted) and told.event.round == number
        ]
        round = next((each for each in hosted.now.rounds if each.number == number), None)
        if round is None or not round.started:
            return False
        return any(
            each.number == table
            and table_games.sits_there(hosted.now, round, each, game)
            and game.entries[0].at >= started[-1]
            for each in round.draw.tables
        )

    def _opened_with(self, games: Mapping[tuple[int, int], list[str]], key: str) -> Game | None:
        """The record that an earlier request with the same key opened."""
        for game in chain.from_iterable(games.values()):
            first = self.bench.store.entry(game, 0)
            if first is not None and json.loads(first.body)["key"] == key:
                return self.bench.game(game)
        return None

    def _asks_for(
        self, record: Game, now: Tournament, table: events.Table, line: str, players: int | None
    ) -> bool:
        """Whether a record was opened as this request asks, but for readings ruled since."""
        _, number, _ = table_games.read_ref(record.opened.tournament)
        asked = self._opening(now, number, table, line, players)
        opened = record.engine.text.load(record.opened.opening)
        return asked == opened.model_copy(update={"readings": asked.readings})

    def _gone_on_with(
        self, game: str, now: Tournament, round: Round, table: int, author: Author
    ) -> Game:
        record = self.bench.game(game)
        if not table_games.sits_there(now, round, round.table(table), record):
            raise NotPossible("seats_changed", table=table)
        if record.closed is None and self._keep_readings(record, now, author):
            record = self.bench.game(game)
        return record

    def _open(
        self, now: Tournament, ref: str, game_id: str, table: events.Table, line: str,
        players: int | None, kit: KitSheet | None, by: By,
    ) -> Heard | OpeningRefused:  # fmt: skip
        _, number, _ = table_games.read_ref(ref)
        name = now.plan.game_of(number)
        opening = self._opening(now, number, table, line, players)
        return open_game(
            self.bench,
            name,
            opening,
            game_id=game_id,
            seats=table_games.sitting(table),
            kit=kit,
            readings=now.readings(name),
            house_rules=now.plan.house_rules.get(name, ()),
            title=now.name,
            tournament=ref,
            by=by,
        )

    def _opening(
        self, now: Tournament, number: int, table: events.Table, line: str, players: int | None
    ) -> Opening:
        engine = load_engine(now.plan.game_of(number))
        size = players or (len(table.seats) if now.seats.most > 1 else engine.seats[0])
        opening = table_games.published_opening(
            engine, now.plan, line or engine.opening.usual(size)
        )
        if now.seats.most > 1 and len(opening.seats) != len(table.seats):
            raise NotPossible(
                "opening_seats", table=table.number, seats=len(table.seats), told=len(opening.seats)
            )
        return opening

    # results

    def take_result(
        self, tournament_id: str, number: int, table: int, *, by: By = BY_ORGANISER
    ) -> LoadedTournament:
        """Take the result of a closed record that verifies.

        Idempotent; a record that was closed anew corrects the result.
        """
        hosted = self.load(tournament_id)
        records = self.records_at(tournament_id, number, table)
        if not records:
            raise NotPossible("no_game_there", round=number, table=table)
        now, round = hosted.now, hosted.now.round(number)
        proven = proven_records(self.bench.store, now, round, round.table(table), records)
        event = told_by_records(now, round, table, proven)
        if event is None:
            return hosted
        if (slip := slip_of(round, table)) is not None:
            check_slip(self.bench, now, round, table, slip, records, by.author)
        return self.tell(tournament_id, event, by=by)

    def _check_report(
        self, hosted: LoadedTournament, event: events.ResultReported, all_records: list[Game]
    ) -> None:
        """Refuse a report where the table has a record: the result comes from that."""
        now = hosted.now
        round = now.round(event.round)
        seated = round.table(event.table)
        records = [game for game in all_records if table_games.sits_there(now, round, seated, game)]
        if not records:
            return
        counted = table_games.counted_records(now, round, seated, records)
        some = len(counted) < now.plan.boards_at(len(seated.seats))
        told = (self.bench.store, now, round, event.table, event.outcome, records)
        if some and contradicted(*told) is None:
            return  # the other boards of a team match have none
        raise NotPossible("record_tells_it", table=event.table, game=records[-1].id)

    def collect(
        self,
        tournament_id: str,
        number: int,
        *,
        by: By = BY_ORGANISER,
        unproven: Callable[[NotPossible], None] = lambda error: None,
    ) -> list[int]:
        """Take the results of all tables whose records are closed; returns these tables.

        A record that does not verify, or is not of those who sit there now, is skipped, and
        ``unproven`` is called with the reason.
        """
        games = self.games(tournament_id)
        now = self.load(tournament_id).now
        round = now.round(number)
        found: dict[int, events.Event] = {}
        for table in round.waiting:
            records = [self.bench.game(game) for game in games.get((number, table), ())]
            seated = round.table(table)
            try:
                counted = table_games.counted_records(now, round, seated, records)
                if not table_games.tells_result(now, round, seated, counted):
                    continue
                proven = proven_records(self.bench.store, now, round, seated, records)
                event = told_by_records(now, round, table, proven)
            except NotPossible as error:
                unproven(error)
                continue
            if event is not None:
                found[table] = event
        if found:
            self.tell(tournament_id, *found.values(), by=by)
        return list(found)

    def enter_result(
        self,
        tournament_id: str,
        number: int,
        table: int,
        outcome: events.Outcome,
        reason: str,
        *,
        by: By = BY_ORGANISER,
    ) -> LoadedTournament:
        """Enter a result from a paper slip, with the reason why no record has it."""
        source = events.ByHand(reason=reason)
        event = events.ResultEntered(round=number, table=table, outcome=outcome, source=source)
        return self.tell(tournament_id, event, by=by)

    # judges

    def concerns(self, tournament_id: str) -> Iterator[Concern]:
        """Everything that waits for a judge.

        These are calls of tables, reports that differ, open disputes and findings of records, and
        draws that depart from the deal.
        """
        now = self.load(tournament_id).now
        for call in now.calls:
            if call.answered is None:
                yield Concern(call.round, call.table, call=call)
        for round in now.open_rounds:
            yield from (Concern(round.number, table) for table in round.differing)
        for (number, table), games in sorted(self.games(tournament_id).items()):
            for name in games if now.has_matches else games[-1:]:
                yield from _concerns_of(now, number, table, self.bench.game(name))

    def reveal_deal(
        self, tournament_id: str, deal: Deal, *, by: By = BY_ORGANISER
    ) -> list[Disputed]:
        """Reveal a published deal; returns the disputes it raises at tables that drew already.

        Repeating it completes what a failure interrupted.
        """
        if self.load(tournament_id).now.deals.get(deal.name) != deal:
            self.tell(tournament_id, events.DealRevealed(deal=deal), by=by)
        return [
            dispute
            for games in self.games(tournament_id).values()
            for game in games
            for dispute in self.dispute_departures(self.bench.game(game), by.author)
        ]

    def dispute_departures(self, game: Game, author: Author = ORGANISER) -> list[Disputed]:
        """Raise a dispute for every draw that departs from the deal; once each."""
        stream, number, _ = table_games.read_ref(game.opened.tournament)
        return [
            self._dispute_departure(game.id, deviation, author)
            for deviation in table_games.departures(self.load(stream).now, number, game)
            if table_games.departure_dispute(game, deviation) is None
        ]

    def departures_called(
        self, game_id: str, author: Author = ORGANISER
    ) -> list[tuple[Deviation, Disputed]]:
        """Every departure of a table from its deal with its dispute, raised now if missing."""
        stream, number, _ = table_games.read_ref(self.bench.game(game_id).opened.tournament)
        if not self.bench.store.streams(stream):
            return []
        self.dispute_departures(self.bench.game(game_id), author)
        game = self.bench.game(game_id)
        found = table_games.departures(self.load(stream).now, number, game)
        called = (
            (deviation, table_games.departure_dispute(game, deviation)) for deviation in found
        )
        return [(deviation, dispute) for deviation, dispute in called if dispute is not None]

    def _dispute_departure(self, game_id: str, found: Deviation, author: Author) -> Disputed:
        """Raise the dispute about one draw, retrying on version conflicts.

        Its text names what was drawn, not what the deal has: the seats may read the record.
        """
        while True:
            game = self.bench.game(game_id)
            if (known := table_games.departure_dispute(game, found)) is not None:
                return known
            dispute = Disputed(
                id=f"d{len(game.disputes) + 1}",
                numbers=(found.action,),
                cause="deal",
                text=f"{found.pile} {found.position}: {found.drawn}",
            )
            key = f"{game.opened.tournament}.deal.{found.action}.{found.pile}"
            with suppress(VersionConflict):
                self.bench.tell(game, [dispute], By(author, key))
                return dispute

    def rule_reading(
        self,
        tournament_id: str,
        game: str,
        reading: str,
        value: str,
        reason: str,
        *,
        by: By = BY_ORGANISER,
    ) -> list[str]:
        """Fix a reading at every table from now on; returns the records that were changed.

        Repeating it completes what a failure interrupted.
        """
        now = self.load(tournament_id).now
        ruled = {(r.ruled.game, r.ruled.reading): r.ruled.value for r in now.rulings}
        if ruled.get((game, reading)) != value:
            event = events.ReadingRuled(game=game, reading=reading, value=value, reason=reason)
            now = self.tell(tournament_id, event, by=by).now
        latest = chain.from_iterable(self.latest_games(tournament_id).values())
        return [
            record.id
            for record in map(self.bench.game, latest)
            if record.closed is None and self._keep_readings(record, now, by.author)
        ]

    def carry_ruling(self, game: Game, ruling_id: str, *, author: Author) -> list[str]:
        """Apply the readings of a ruling to all tables of its tournament; returns their records."""
        ruling = game.rulings[ruling_id]
        if ruling.scope != "tournament":
            return []
        tournament, _, _ = table_games.read_ref(game.opened.tournament)
        reason = f"{game.id}/{ruling_id}: {ruling.reason}"[:2000]
        told = []
        for name, value in ruling.readings.items():
            told += self.rule_reading(
                tournament, game.engine.id, name, value, reason, by=By(author)
            )
        return list(dict.fromkeys(told))

    def carry_penalties(self, game: Game, *, author: Author) -> list[RecordedEvent]:
        """Take off the points that the event's guide sets for the penalties of a table, and give
        back those of cancelled ones; returns what was told of it now.

        The name of a penalty is the key of its event. Repeating it completes what a failure
        interrupted.
        """
        if not game.penalties or not game.opened.tournament:
            return []
        stream, number, _ = table_games.read_ref(game.opened.tournament)
        if not self.has(stream) or self.load(stream).now.closed:
            return []
        told: list[RecordedEvent] = []
        for penalty in game.penalties.values():
            key = f"{game.id}/{penalty.id}"
            given = self.known(stream, key)
            cancelled = game.cancelled.get(penalty.id)
            event: events.Event | None = None
            if given and cancelled is not None:
                key = f"{key}/cancelled"
                event = events.PointPenaltyCancelled(
                    penalty=given[0].number, reason=cancelled.reason
                )
            elif not given and cancelled is None:
                event = self._points_off(game, penalty, number)
            if event is not None and not self.known(stream, key):
                self.tell(stream, event, by=By(author, key))
                told += self.known(stream, key)
        return told

    def _points_off(
        self, game: Game, penalty: Penalised, number: int
    ) -> events.PenaltyGiven | None:
        """What a penalty costs in the standings, nothing for a warning, which counts when it comes
        again; None if it is no level of the guide, or of nobody who is on the list.

        It is of who sits there in the record: the table may be somebody else's by now.
        """
        now = self.load(table_games.read_ref(game.opened.tournament)[0]).now
        said = normalize(penalty.level)
        level = next((one for one in guide_of(now.plan) if normalize(one.name) == said), None)
        player = game.seats.get(penalty.seat, next(iter(game.seats.values()), ""))  # a team's first
        for round in now.rounds[number - 1 : number]:
            player = round.merged.get(player, player)
        player = now.team_of.get(player, player)
        if level is None or player not in now.players:
            return None
        ruling = game.rulings.get(penalty.ruling or "")
        why = f"{penalty.level}: {penalty.reason}" if penalty.reason else penalty.level
        return events.PenaltyGiven(
            player=player,
            halves=level.halves,
            reason=why[:2000],
            clause=ruling.clauses[0] if ruling is not None and ruling.clauses else None,
            infringement=penalty.reason[:80],
            level=level.name,
        )

    def _keep_readings(self, game: Game, now: Tournament, author: Author) -> bool:
        """Apply the ruled readings to a record, where they can still change."""
        latest = {
            ruled.reading: (event, ruled)
            for event, ruled in now.rulings
            if ruled.game == game.engine.id
        }
        changed = False
        for reading, (event, ruled) in latest.items():
            pinned = game.engine.readings[reading].changeable != "any"
            if pinned or game.setting.readings[reading] == ruled.value:
                continue
            key = f"{game.opened.tournament}.{event}"
            fix_reading(
                self.bench, game.id, reading, ruled.value, reason=ruled.reason, by=By(author, key)
            )
            changed = True
        return changed
