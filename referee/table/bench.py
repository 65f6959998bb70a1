"""The bench: runs the commands of a table and appends their entries to the record.

A command (``log``, ``undo``, ``dispute``…) is a function of a bench and a game that makes entries.
The bench tries them on the game, checks the author's permission, and appends them at the version
they were tried on (optimistic concurrency). An answer means that the entries are stored; a refusal
changes nothing. Games are immutable, so one bench serves many threads.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from functools import wraps
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from msgspec import Struct

from engines.kernel import evolve
from engines.kernel.messages.errors import MessageError
from engines.kernel.messages.unsafe_text import unseen_in
from referee.errors import Conflicting, Misused, NotFound
from referee.ids import letters_of, new_id
from referee.record.entries import Entry, EntryData, UnreadableEntry, entry_data, read_entry
from referee.record.fold import apply, apply_all, fold, start_game
from referee.record.game import Game
from referee.record.line import NO_CHANGE, Change
from referee.record.permissions import check_ending, check_kind, check_opening, check_role
from referee.store.envelopes import Conflict, Draft, KeyReused, Stored, StoreError
from referee.store.event_store import Store
from referee.store.hash_chain import find_unnamed
from referee.table.author import BY_SCRIBE, Author, By
from referee.table.game_cache import LONG, game_cache

if TYPE_CHECKING:
    from referee.table.snapshotting import Resuming

ENTRIES_AT_HAND = 200_000
"""Cache size: how many entries the games in memory may have together."""
A_FEW = 20
"""Batch size of warming: so many entries are folded without delaying a request."""


class Answer(Struct, frozen=True):
    """The entries that were recorded, and what they changed."""

    game: Game
    entries: tuple[Entry, ...] = ()
    change: Change = NO_CHANGE
    before: Game | None = None
    """The game before them, where it was there."""


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_key() -> str:
    return secrets.token_hex(8)


def new_game_id() -> str:
    return new_id("game-")


def game_id_of(text: str) -> str:
    return f"game-{letters_of(text)}"


class Bench:
    """Commands and games of one store. Clock and keys are injected, for tests and imports."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], str] = utc_now,
        keys: Callable[[], str] = new_key,
        ids: Callable[[], str] = new_game_id,
        at_hand: int = ENTRIES_AT_HAND,
        snapshots: bool = False,
    ) -> None:
        """``snapshots``: resume long records from snapshots instead of folding all of them."""
        self.store = store
        self._snapshots = snapshots
        # A dictionary, so that copies of this bench (``on``) share what one of them has loaded.
        self._found: dict[str, Resuming | None] = {}
        self.new_id = ids
        self._clock = clock
        self._keys = keys
        self._cache = game_cache(at_hand)

    def on(self, store: Store) -> Bench:
        """This bench with its cache, over another handle to the same store."""
        other = copy(self)
        other.store = store
        return other

    def elsewhere(self, store: Store) -> Bench:
        """A bench over another store, with the same clock and the same ids."""
        return Bench(store, clock=self._clock, keys=self._keys, ids=self.new_id)

    # finding games

    def game(self, game_id: str) -> Game:
        """The current game: the cached one, with the entries stored since."""
        game = self._cache.get(game_id)
        rows = self.store.read(game_id, after=-1 if game is None else game.version)
        if game is None and not rows:
            raise NotFound("no_such_game", game=game_id)
        if game is not None and not rows:
            return game
        refuse_altered(game_id, rows, game.entries[-1].head if game is not None else None)
        with written_by_this_version(game_id):
            if game is None:
                game = self._read(game_id, rows)
            else:
                for row in rows:
                    game = apply(game, read_entry(row)).game
        self._put(game)
        return game

    def keep(self, game: Game) -> None:
        """Cache a game that was folded elsewhere from entries that are stored here by now."""
        self._put(game)

    def taking_up(self, game_id: str) -> Iterator[None]:
        """Warm the cache with a game: a few entries at each step, or from a snapshot."""
        if self._cache.get(game_id) is not None:
            return
        rows = self.store.read(game_id)
        refuse_altered(game_id, rows)
        with written_by_this_version(game_id):
            if len(rows) > LONG and self._resuming is not None:
                game = self._read(game_id, rows)
            else:
                game = fold(game_id, rows[:A_FEW])
                for start in range(A_FEW, len(rows), A_FEW):
                    yield
                    game = apply_all(game, map(read_entry, rows[start : start + A_FEW])).game
        self._put(game)
        yield

    @property
    def has_room(self) -> bool:
        """Whether the cache is less than half full, so that warming it evicts nothing soon."""
        return self._cache.weight < self._cache.bound // 2

    def in_full(self, game_id: str) -> Game:
        """The same, folded from the start: nothing comes from a snapshot."""
        game = self.game(game_id)
        if not game.steps.whole:
            game = fold(game_id, self.store.read(game_id))
            self._cache.put(game.id, game)
        return game

    def _read(self, game_id: str, rows: Sequence[Stored]) -> Game:
        if len(rows) > LONG and self._resuming is not None:
            return self._resuming.game(game_id, rows)
        return fold(game_id, rows)

    def _put(self, game: Game) -> None:
        self._cache.put(game.id, game)
        if game.version > LONG and self._resuming is not None:
            self._resuming.look_at(game)

    @property
    def _resuming(self) -> Resuming | None:
        """Snapshot support; imported lazily, because only long records need it."""
        if self._snapshots and not self._found:
            from referee.table.snapshotting import resuming

            self._found["here"] = resuming(self.store.url)
        return self._found.get("here")

    def before(self, game: Game, seq: int) -> Game:
        """The game as it stood before one of its entries."""
        return fold(game.id, self.store.read(game.id)[:seq])

    def find(self, prefix: str) -> str:
        """Resolve a prefix of an id, with or without ``game-``, to the only game it fits."""
        start = prefix if prefix.startswith("game-") else f"game-{prefix}"
        found = self.store.streams(start)
        if start in found:
            return start
        if len(found) == 1:
            return found[0]
        key = "ambiguous_game" if found else "no_such_game"
        raise NotFound(key, game=prefix, games=found[:8])

    # telling

    def moment(self, game: Game) -> str:
        """The time for the next entry: never before the last one."""
        return max(self._clock(), game.entries[-1].at)

    def now(self) -> str:
        """What the clock says."""
        return self._clock()

    def new_key(self) -> str:
        return self._keys()

    def tell(self, game: Game, data: Sequence[EntryData], by: By) -> Answer:
        """Try entries on a game, append them atomically, and answer."""
        return self._keep(game, self.attempt(game, data, by))

    def _keep(self, game: Game, tried: Answer) -> Answer:
        """Append entries that were tried; what the store then holds is the answer."""
        stored = self._append(game.id, tried.entries, game.version)
        if [entry._replace(head="") for entry in stored] != list(tried.entries):
            return Answer(self.game(game.id), stored, before=game)
        entries = tuple(
            entry._replace(head=row.head) for entry, row in zip(tried.entries, stored, strict=True)
        )
        after = evolve(tried.game, entries=game.entries.extended(entries))
        self._put(after)
        return Answer(after, entries, tried.change, game)

    def attempt(self, game: Game, data: Sequence[EntryData], by: By) -> Answer:
        """Dry run: apply the entries and check permissions, without storing them."""
        made = self._made(data, by, game.version + 1, by.at or self.moment(game))
        after, change = game, NO_CHANGE
        for entry in made:
            applied = apply(after, entry)
            check_ending(after, entry)
            check_role(after, entry)
            after = applied.game
            change = change if applied.change == NO_CHANGE else applied.change
        return Answer(after, made, change, game)

    def begin(self, game_id: str, data: EntryData, by: By) -> Answer:
        """Store the first entry of a record."""
        check_opening(by.author.recorded)
        made = self._made([data], by, 0, self._clock())
        start_game(game_id, made[0])
        stored = self._append(game_id, made, -1)
        return Answer(self.game(game_id), stored)

    def _made(self, data: Sequence[EntryData], by: By, seq: int, at: str) -> tuple[Entry, ...]:
        """Build the entries with sequence numbers, keys and time; the store adds their heads."""
        key, author = by.key or self._keys(), by.author
        return tuple(
            Entry(seq + i, at, author.person, author.recorded, f"{key}.{i}" if i else key, item, "")
            for i, item in enumerate(data)
        )

    def _append(self, stream: str, entries: Sequence[Entry], expected: int) -> tuple[Entry, ...]:
        first = entries[0]
        drafts = [
            Draft(entry.data.KIND, entry.data.SCHEMA, entry_data(entry.data), entry.key)
            for entry in entries
        ]
        refuse_unseen(drafts)
        try:
            rows = self.store.append(
                stream, drafts, expected=expected, at=first.at, by=first.by, role=first.role
            )
        except Conflict as conflict:
            kinds = [read_entry(row).data.KIND for row in conflict.missed]
            raise VersionConflict("someone_else", entries=len(kinds), kinds=kinds[:5]) from None
        except KeyReused as reused:
            raise written_with_key(first.key, expected, reused.stored) from None
        return tuple(read_entry(row) for row in rows)

    def first_with(self, game: Game, keys: Sequence[str]) -> int | None:
        """The first entry of a game that was written with one of these idempotency keys."""
        found = self.store.keyed(game.id, keys).values()
        return min((row.seq for row in found if row.seq <= game.version), default=None)

    def check_key(self, game: Game, key: str, own: str) -> None:
        """One key, one request: refuse a key under which another command was logged already.

        Lines that are logged have keys of their own (``line_key``); ``own`` is this request's.
        """
        others = [key, *(line_key(key, lines) for lines in range(1, MOST_LINES + 1))]
        seq = self.first_with(game, [other for other in others if other != own])
        if seq is not None:
            raise IdempotencyKeyReused("key_reused", key=key, entry=seq)

    def known(
        self, game: Game, key: str, kind: type[EntryData], author: Author
    ) -> tuple[Entry, ...]:
        """The entries that an earlier command with this idempotency key has written."""
        seq = self.first_with(game, [key])
        if seq is None:
            if not _LINE_KEY.search(key):
                self.check_key(game, key, key)
            return ()
        first = game.entries[seq]
        others = takewhile(lambda e: e.key.startswith(f"{key}."), game.entries[seq + 1 :])
        same = (first.by, first.role) == (author.person, author.recorded)
        if not (same and isinstance(first.data, kind)):
            raise IdempotencyKeyReused("key_reused", key=key, entry=first.seq)
        return (first, *others)


MOST_LINES = 100
"""Lines that are logged under one key."""
_LINE_KEY = re.compile(r"-[0-9]+-[0-9]+(-[0-9]+)?$")


def line_key(key: str, lines: int, line: int = 1, place: int = 0) -> str:
    """The idempotency key of one action of a request with several lines.

    The first one includes the number of lines, so that a longer request is not taken for the same.
    """
    made = f"{key}-{line}-{place}"
    return f"{made}-{lines}" if lines > 1 and (line, place) == (1, 0) else made


@contextmanager
def written_by_this_version(stream: str) -> Iterator[None]:
    """Report entries of a newer program as such: they are not corrupt, only unreadable here."""
    try:
        yield
    except UnreadableEntry as error:
        if error.key not in ("unknown_kind", "newer_schema"):
            raise
        raise StoreError("newer_entries", stream=stream) from error


def refuse_altered(stream: str, rows: Sequence[Stored], head: str | None = None) -> None:
    """Refuse a record with a broken hash chain; ``head`` is the last hash known before.

    A game that is resumed from a snapshot does not read its old entries: tampering with them is
    still noticed.
    """
    found = find_unnamed(rows)
    if found is not None:
        raise StoreError("altered", stream=stream, seq=found.seq)
    if head is not None and rows and f'"prev":"{head}"'.encode() not in rows[0].body:
        raise StoreError("altered", stream=stream, seq=rows[0].seq - 1)


def refuse_unseen(drafts: Sequence[Draft]) -> None:
    """Refuse invisible characters: with them two different texts would look the same."""
    for draft in drafts:
        if (code := unseen_in(draft.data)) is not None:
            raise Misused("unseen_character", code=code)


class VersionConflict(Conflicting):
    """Optimistic concurrency: another writer was first. Reload, and try again."""


class IdempotencyKeyReused(Conflicting):
    """The idempotency key was already used for a different command."""


def written_with_key(key: str, expected: int, found: Stored) -> Conflicting:
    """The refusal where a key is in use, and what was written with it differs.

    Behind entries that the writer has not seen it may be the same request, sent twice at once and
    written from another state: whoever tries again finds it there, and compares what was asked.
    """
    if -1 < expected < found.seq:
        kind = found.topic.partition("@")[0]
        return VersionConflict("someone_else", entries=found.seq - expected, kinds=[kind])
    return IdempotencyKeyReused("key_reused", key=key, entry=found.seq)


P = ParamSpec("P")
A = TypeVar("A", bound=Answer)
Again = Callable[..., Any]


class DryRunBench(Bench):
    """A dry run: everything is tried, nothing is stored."""

    def __init__(self, bench: Bench, at: str) -> None:
        super().__init__(bench.store, clock=lambda: at, keys=bench._keys, ids=bench.new_id)

    def _keep(self, game: Game, tried: Answer) -> Answer:
        return tried


class BatchBench(Bench):
    """A unit of work for one game: entries are tried as they come and appended in one batch."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench.store, clock=bench._clock, keys=bench._keys, ids=bench.new_id)
        self._bench = bench
        self._tried: tuple[Game, Answer] | None = None

    def game(self, game_id: str) -> Game:
        return self._bench.game(game_id) if self._tried is None else self._tried[1].game

    def moment(self, game: Game) -> str:
        """All entries of a batch have the same time."""
        return super().moment(game) if self._tried is None else self._tried[1].entries[0].at

    def _keep(self, game: Game, tried: Answer) -> Answer:
        before, so_far = self._tried or (game, Answer(game))
        self._tried = before, evolve(tried, entries=(*so_far.entries, *tried.entries))
        return tried

    def commit(self, game_id: str) -> Game:
        """Append the batch; returns the game after it."""
        if self._tried is None:
            return self._bench.game(game_id)
        tried = self._tried[1]
        kept = self._bench._keep(*self._tried)
        if [entry._replace(head="") for entry in kept.entries] != list(tried.entries):
            kinds = [entry.data.KIND for entry in kept.entries]
            raise VersionConflict("someone_else", entries=len(kinds), kinds=kinds[:5])
        return kept.game


def _replayed(bench: Bench, game: Game, found: tuple[Entry, ...], command: Again) -> Answer:
    """The answer to a repeated command whose first answer was lost (idempotent replay).

    A dry run at the place and time of the first proves that it is the same command; if it would
    store anything else, the key was reused.
    """
    before = bench.before(game, found[0].seq)
    try:
        tried: Answer = command(DryRunBench(bench, found[0].at), before)
    except MessageError:
        tried = Answer(before)
    if [entry.data for entry in tried.entries] != [entry.data for entry in found]:
        raise IdempotencyKeyReused("key_reused", key=found[0].key, entry=found[0].seq)
    return Answer(game, found, tried.change, before)


def once(
    kind: type[EntryData], again: Again | None = None
) -> Callable[[Callable[Concatenate[Bench, Game, P], A]], Callable[Concatenate[Bench, str, P], A]]:
    """Makes a command idempotent: with the same key it is answered, not carried out again.

    ``kind`` is what the command writes: a role that may never write it is refused first. ``again``
    makes the answer where a dry run cannot, because the command never writes the same twice.
    """

    def keyed(
        command: Callable[Concatenate[Bench, Game, P], A],
    ) -> Callable[Concatenate[Bench, str, P], A]:
        @wraps(command)
        def answered(bench: Bench, game_id: str, /, *args: P.args, **options: P.kwargs) -> A:
            game = bench.game(game_id)
            try:
                return once_only(bench, game, *args, **options)
            except MessageError as error:
                error.at_table(game.seats)
                raise

        def once_only(bench: Bench, game: Game, /, *args: P.args, **options: P.kwargs) -> A:
            by = options.get("by")
            by = by if isinstance(by, By) else BY_SCRIBE
            if by.key is not None and (found := bench.known(game, by.key, kind, by.author)):
                if again is not None:
                    return cast(A, again(game, found, *args, **options))

                def dry_run(there: Bench, then: Game) -> Answer:
                    return command(there, then, *args, **options)

                return cast(A, _replayed(bench, game, found, dry_run))
            check_kind(game, kind, by.author.recorded)
            return command(bench, game, *args, **options)

        return answered

    return keyed
