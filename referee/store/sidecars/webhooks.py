"""Webhooks: addresses that are told of events, and what each of them is owed, in a sidecar file.

As with tokens, no record and no copy of a store has them: a secret that signs what is sent stands
beside each. What is owed names an entry and nothing of what it says, so that nobody's name is kept
here; what is sent is made anew from the record each time.
"""

from __future__ import annotations

import secrets
from base64 import b64encode
from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from referee.ids import new_id
from referee.store.envelopes import StoreError
from referee.store.sidecars.access import moment
from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454657
"""Marks the file as webhooks of ours ("REFW")."""
SECRET_BYTES = 24
SECRET_MARK = "whsec_"
"""In front of a secret, as Standard Webhooks writes it."""
MOST = 50
"""Of one store."""

Happening = Literal[
    "game_over", "dispute_called", "round_paired", "result_in", "standings_changed", "test"
]
HAPPENINGS: tuple[Happening, ...] = get_args(Happening)

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS webhooks (id TEXT PRIMARY KEY, scope TEXT NOT NULL, "
    "address TEXT NOT NULL, happenings TEXT NOT NULL, lang TEXT NOT NULL, secret TEXT NOT NULL, "
    "created TEXT NOT NULL, position BIGINT NOT NULL, failures INTEGER NOT NULL DEFAULT 0, "
    "due TEXT NOT NULL DEFAULT '', problem TEXT NOT NULL DEFAULT '', "
    "disabled TEXT NOT NULL DEFAULT '')",
    "CREATE TABLE IF NOT EXISTS owed (hook TEXT NOT NULL, number BIGINT NOT NULL, "
    "happening TEXT NOT NULL, stream TEXT NOT NULL, seq BIGINT NOT NULL, "
    "PRIMARY KEY (hook, number, happening))",
    "CREATE TABLE IF NOT EXISTS standings_told (hook TEXT NOT NULL, stream TEXT NOT NULL, "
    "digest TEXT NOT NULL, PRIMARY KEY (hook, stream))",
    "CREATE TABLE IF NOT EXISTS sender (name TEXT PRIMARY KEY, holder TEXT NOT NULL, "
    "until TEXT NOT NULL)",
)
"""The tables, in words that SQLite and PostgreSQL both understand."""

_HOOK = "id, scope, address, happenings, lang, secret, created, position, failures, due, problem, "
_ALL = f"SELECT {_HOOK}disabled FROM webhooks ORDER BY created, id"


class Webhook(NamedTuple):
    """An address, and how it is with it."""

    id: str
    scope: str
    """The game or tournament that it is told of; empty: everything."""
    address: str
    happenings: tuple[Happening, ...]
    lang: str
    secret: str
    created: str
    position: int
    """The entry of the store up to which it is known what the address is owed."""
    failures: int
    """Deliveries that have failed since the last one that arrived."""
    due: str
    """Before this nothing is sent: the last delivery has failed."""
    problem: str
    """Why the last delivery failed; empty if it arrived."""
    disabled: str
    """Since when nothing is sent any more, after too many failures."""


class Owed(NamedTuple):
    """One event that an address has not got yet."""

    hook: str
    number: int
    """Of the entry in the store."""
    happening: Happening
    stream: str
    seq: int

    @property
    def id(self) -> str:
        """The id of the event: the same however often it is sent."""
        return f"{self.stream}.{self.seq}.{self.happening}"


def webhooks_beside(store: Path) -> Path:
    return beside(store, "webhooks")


def webhooks_path(url: str) -> Path | None:
    """The file of the webhooks of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else webhooks_beside(sqlite_path(url))


class Webhooks(SqliteTables):
    """The addresses of one store, and what they are owed."""

    def __init__(
        self,
        path: Path | None,
        witness: Witness | None = None,
        clock: Callable[[], str] = moment,
    ) -> None:
        self._clock = clock
        super().__init__(path, APPLICATION_ID, "webhooks", SCHEMA, witness)

    # addresses

    def add(
        self,
        scope: str,
        address: str,
        happenings: Sequence[Happening],
        lang: str,
        position: int,
        asked: str = "",
    ) -> Webhook:
        """Register an address for what is stored from here on.

        ``asked`` names the request, if it may come again: it is the same address then.
        """
        id = f"w{sha256(asked.encode()).hexdigest()[:12]}" if asked else new_id("w")
        if asked and (known := self.find(id)) is not None:
            return known
        if len(self.all()) >= MOST:
            raise StoreError("too_many_webhooks", limit=MOST)
        secret = SECRET_MARK + b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
        made = Webhook(
            id, scope, address, tuple(happenings), lang, secret, self._clock(), position,
            0, "", "", "",
        )  # fmt: skip
        self._change(
            "INSERT INTO webhooks (id, scope, address, happenings, lang, secret, created, position)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*made[:3], " ".join(made.happenings), *made[4:8]),
        )
        return self.find(id) or made

    def all(self) -> list[Webhook]:
        rows = self._kept_rows(_ALL)
        return [Webhook(*row)._replace(happenings=tuple(row[3].split())) for row in rows]

    def find(self, id: str) -> Webhook | None:
        return next((hook for hook in self.all() if hook.id == id), None)

    def remove(self, id: str) -> None:
        """Forget an address, and what it is owed."""
        self._change("DELETE FROM webhooks WHERE id = ?", (id,))
        self._change("DELETE FROM owed WHERE hook = ?", (id,))
        self._change("DELETE FROM standings_told WHERE hook = ?", (id,))

    def enable(self, id: str) -> None:
        """Begin anew with an address: what it is owed is sent at once."""
        self._change(
            "UPDATE webhooks SET failures = 0, due = '', problem = '', disabled = '' WHERE id = ?",
            (id,),
        )

    # what they are owed

    def owe(self, hook: str, position: int, owed: Sequence[Owed]) -> None:
        """Note what an address is owed of the entries up to a position.

        The position is noted last: after a crash between the two they are looked at again, and
        what is owed already is not owed twice.
        """
        if owed:
            self._change_all(
                "INSERT INTO owed (hook, number, happening, stream, seq) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                owed,
            )
        self._change(
            "UPDATE webhooks SET position = ? WHERE id = ? AND position < ?",
            (position, hook, position),
        )

    def go_back(self, hook: str, position: int) -> None:
        """The store has fewer entries than this address was told of: it was restored."""
        self._change("UPDATE webhooks SET position = ? WHERE id = ?", (position, hook))
        self._change("DELETE FROM owed WHERE hook = ? AND number > ?", (hook, position))

    def owed(self, hook: str) -> list[Owed]:
        """What an address has not got yet, in the order in which it happened."""
        rows = self._rows(
            "SELECT hook, number, happening, stream, seq FROM owed WHERE hook = ? "
            "ORDER BY number, happening",
            (hook,),
        )
        return [Owed(*row) for row in rows]

    def settle(self, owed: Owed) -> None:
        """It has arrived, or there is nothing to tell any more."""
        self._change(
            "DELETE FROM owed WHERE hook = ? AND number = ? AND happening = ?", tuple(owed[:3])
        )

    def note_arrival(self, hook: str) -> None:
        self._change(
            "UPDATE webhooks SET failures = 0, due = '', problem = '' "
            "WHERE id = ? AND (failures > 0 OR problem <> '')",
            (hook,),
        )

    def note_failure(self, hook: str, problem: str, wait: timedelta | None) -> None:
        """A delivery has failed; ``None``: nothing is sent any more until somebody enables it."""
        self._change(
            "UPDATE webhooks SET failures = failures + 1, problem = ?, due = ?, disabled = ? "
            "WHERE id = ?",
            (
                problem,
                moment(wait) if wait is not None else "",
                self._clock() if wait is None else "",
                hook,
            ),
        )

    # what they know of standings

    def standings_told(self, hook: str, stream: str) -> str:
        """A digest of the standings that an address was told last."""
        rows = self._rows(
            "SELECT digest FROM standings_told WHERE hook = ? AND stream = ?", (hook, stream)
        )
        return str(rows[0][0]) if rows else ""

    def note_standings(self, hook: str, stream: str, digest: str) -> None:
        self._change(
            "INSERT INTO standings_told (hook, stream, digest) VALUES (?, ?, ?) "
            "ON CONFLICT (hook, stream) DO UPDATE SET digest = excluded.digest",
            (hook, stream, digest),
        )

    # who sends

    def lease(self, holder: str, lifetime: timedelta) -> bool:
        """Whether this holder is the one who sends for now, among all workers and nodes.

        Two that believe it at once send something twice, under the same id: no harm is done.
        """
        self._change(
            "INSERT INTO sender (name, holder, until) VALUES ('sender', ?, ?) "
            "ON CONFLICT (name) DO NOTHING",
            (holder, ""),
        )
        taken = self._change(
            "UPDATE sender SET holder = ?, until = ? WHERE holder = ? OR until < ?",
            (holder, moment(lifetime), holder, self._clock()),
        )
        return taken == 1

    def end_lease(self, holder: str) -> None:
        self._change("UPDATE sender SET until = '' WHERE holder = ?", (holder,))
