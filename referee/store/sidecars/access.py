"""Access tokens, join codes and access policies, in a sidecar file and never in a record.

A token is a capability: a role within a scope (a stream, or everything), for a person, until it
expires or is revoked. Of tokens and codes only digests are kept.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from referee.ids import new_id
from referee.store.envelopes import StoreError
from referee.store.sidecars.sqlite_tables import SqliteTables
from referee.store.sqlite.files import beside, sqlite_path
from referee.store.witness import Witness

APPLICATION_ID = 0x52454641
"""Marks the file as tokens of ours ("REFA")."""
EVERYTHING = ""
"""The scope of a token that is good for the whole store."""
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that are taken for a digit."""
CODE_LENGTH = 8
TOKEN_BYTES = 16
SALT = "salt"
TOKEN_SECRET = "token secret"
"""What tokens are made from that may be asked for again; it is in no copy."""
MOST_TOKENS = 10_000
MOST_REFUSED = 1_000
"""Wrong codes that the book of admissions keeps: guessing must not fill the disk."""
_REFUSED_MORE = 100
"""So many more may be there before the oldest are deleted, all at once: a delete is a sync."""

OpenTo = Literal["everybody", "link", "members"]
LetIn = Literal["given", "joined", "revoked", "left", "refused"]
"""Kinds of rows in the admission log: a token was issued, a code was used…"""


class AccessToken(NamedTuple):
    """A token, without the secret that proves it."""

    id: str
    role: str
    scope: str
    person: str
    created: str
    expires: str | None
    revoked: str | None


class JoinCode(NamedTuple):
    """A join code, without its letters."""

    id: str
    role: str
    scope: str
    person: str
    once: bool
    created: str
    expires: str | None
    revoked: str | None
    uses: int


class AccessPolicy(NamedTuple):
    """Access rules of a table or tournament: who may watch, how late; what seats may do."""

    open_to: OpenTo | Literal[""] = ""
    """Empty where nothing is set: a table follows its tournament, a tournament its members."""
    delay_entries: int = 0
    """Broadcast delay: so many of the last entries are hidden from spectators."""
    delay_seconds: int = 0
    seats_log: bool = True
    """Every seat logs its own actions; otherwise the scribe logs all of them."""
    until_result: bool = False
    """The delay ends with the game; otherwise the end of a game is told as late as all else."""


class PolicyInForce(NamedTuple):
    """What holds at a table: its own policy and that of its event together."""

    open_to: OpenTo
    delay_entries: int
    delay_seconds: int
    seats_log: bool
    until_result: bool = False

    @property
    def delays(self) -> bool:
        return bool(self.delay_entries or self.delay_seconds)


def in_force(own: AccessPolicy, event: AccessPolicy | None = None) -> PolicyInForce:
    """The effective policy: the table's own rule, else its tournament's; the longer delay wins."""
    above = event or AccessPolicy()
    late = [rules for rules in (own, above) if any(rules[1:3])] or [own]
    return PolicyInForce(
        own.open_to or above.open_to or "members",
        max(own.delay_entries, above.delay_entries),
        max(own.delay_seconds, above.delay_seconds),
        own.seats_log,
        all(rules.until_result for rules in late),
    )


class Admission(NamedTuple):
    """A line of the book of admissions."""

    at: str
    what: LetIn
    id: str
    role: str
    scope: str
    person: str


_SEATS_LOG, _UNTIL_RESULT = 1, 2
"""Both choices stand in one column, so that stores of earlier versions need no other table."""

SCHEMA = (
    "CREATE TABLE IF NOT EXISTS tokens (id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, "
    "role TEXT NOT NULL, scope TEXT NOT NULL, person TEXT NOT NULL, created TEXT NOT NULL, "
    "expires TEXT, revoked TEXT)",
    "CREATE TABLE IF NOT EXISTS codes (id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, "
    "role TEXT NOT NULL, scope TEXT NOT NULL, person TEXT NOT NULL, single INTEGER NOT NULL, "
    "created TEXT NOT NULL, expires TEXT, revoked TEXT, uses INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE IF NOT EXISTS rules (stream TEXT PRIMARY KEY, open_to TEXT NOT NULL, "
    "delay_entries INTEGER NOT NULL, delay_seconds INTEGER NOT NULL, seats_log INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS admissions (at TEXT NOT NULL, what TEXT NOT NULL, "
    "id TEXT NOT NULL, role TEXT NOT NULL, scope TEXT NOT NULL, person TEXT NOT NULL)",
)
"""The tables, in words that SQLite and PostgreSQL both understand."""

_TOKEN = "id, role, scope, person, created, expires, revoked"
_CODE = "id, role, scope, person, single, created, expires, revoked, uses"
_ROOM = (
    "(SELECT count(*) FROM tokens WHERE revoked IS NULL AND (expires IS NULL OR expires > ?)) < ?"
)
"""Whether one more token may be given: those that let nobody in any more are not counted."""


def access_path(url: str) -> Path | None:
    """The file of the tokens of a store; ``None`` (in memory) if the store has no file."""
    return None if url == "memory:" else access_beside(sqlite_path(url))


def access_beside(store: Path) -> Path:
    return beside(store, "access")


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def typed_code(text: str) -> str:
    """A code as it was given out, however it was typed: any case, spaces, hyphens."""
    return "".join(sign for sign in text.upper() if sign.isalnum())


def shown_code(letters: str) -> str:
    """The letters of a code as people read them."""
    return f"{letters[:4]}-{letters[4:]}"


def moment(after: timedelta = timedelta()) -> str:
    at = datetime.now(UTC) + after
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Access(SqliteTables):
    """The tokens, codes and rules of one store."""

    def __init__(
        self,
        path: Path | None,
        clock: Callable[[], str] = moment,
        *,
        witness: Witness | None = None,
    ) -> None:
        self._clock = clock
        schema = [f"{each} STRICT" for each in SCHEMA]
        super().__init__(path, APPLICATION_ID, "tokens", schema, witness)

    # tokens

    def give(
        self,
        role: str,
        scope: str,
        person: str,
        lifetime: timedelta | None = None,
        *,
        asked: str = "",
    ) -> tuple[AccessToken, str]:
        """A new token, and the secret that is shown once.

        ``asked`` names the request, if it may come again: see ``given_for``.
        """
        secret = self._asked_secret(asked) if asked else secrets.token_urlsafe(TOKEN_BYTES)
        given = AccessToken(
            new_id("t"), role, scope, person, self._clock(), self._end(lifetime), None
        )
        made = self._change(
            f"INSERT INTO tokens ({_TOKEN}, digest) SELECT ?, ?, ?, ?, ?, ?, NULL, ? "
            f"WHERE {_ROOM} ON CONFLICT DO NOTHING",
            (*given[:-1], digest_of(secret), *self._room()),
        )
        if made:
            self._note("given", given)
            return given, secret
        known = self._proven_by(secret)  # the same request, at another node or a moment ago
        if known is None:
            raise StoreError("too_many_tokens", limit=MOST_TOKENS)
        return known, secret

    def given_for(self, asked: str) -> tuple[AccessToken, str] | None:
        """The token that this request was given before, whatever became of it, and its secret."""
        secret = self._asked_secret(asked)
        known = self._proven_by(secret)
        return None if known is None else (known, secret)

    def _asked_secret(self, asked: str) -> str:
        """It follows from the name of the request and from what only this store knows."""
        digest = hmac.digest(self._secret(TOKEN_SECRET), asked.encode(), "sha256")
        return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode().rstrip("=")

    def pass_of(self, secret: str) -> AccessToken | None:
        """The token that this secret proves, if it is still good."""
        found = self._proven_by(secret)
        return found if found is not None and self._is_good(found) else None

    def revoked_pass_of(self, secret: str) -> AccessToken | None:
        """The token that this secret proved until it was revoked."""
        found = self._proven_by(secret)
        return found if found is not None and found.revoked is not None else None

    def _proven_by(self, secret: str) -> AccessToken | None:
        rows = self._kept_rows(f"SELECT {_TOKEN} FROM tokens WHERE digest = ?", digest_of(secret))
        return AccessToken(*rows[0]) if rows else None

    def passes(self) -> list[AccessToken]:
        """Every token that is still good, in the order they were given."""
        rows = self._rows(f"SELECT {_TOKEN} FROM tokens ORDER BY created, id")
        return [found for row in rows if self._is_good(found := AccessToken(*row))]

    # codes

    def make_code(
        self, role: str, scope: str, person: str, *, once: bool, lifetime: timedelta | None = None
    ) -> tuple[JoinCode, str]:
        """A new join code, and its letters, which are shown once."""
        (made,) = self.make_codes(role, scope, [person], once=once, lifetime=lifetime)
        return made

    def make_codes(
        self,
        role: str,
        scope: str,
        people: Sequence[str],
        *,
        once: bool,
        lifetime: timedelta | None = None,
    ) -> list[tuple[JoinCode, str]]:
        """A new join code for each of them, in one transaction: a hall has hundreds."""
        end, now = self._end(lifetime), self._clock()
        made = [
            (
                JoinCode(new_id("c"), role, scope, person, once, now, end, None, 0),
                "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH)),
            )
            for person in people
        ]
        self._change_all(
            f"INSERT INTO codes ({_CODE}, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (id) DO NOTHING",
            [(*code[:4], int(once), *code[5:], digest_of(letters)) for code, letters in made],
        )
        return made

    def redeem(
        self, text: str, lifetime: timedelta | None = None
    ) -> tuple[AccessToken, str] | None:
        """Exchange a code for a token; None if it is not good, or was used up.

        Both or neither: a code for one use is not lost to whoever gets no token for it.
        """
        code, now = digest_of(typed_code(text)), self._clock()
        id, secret = new_id("t"), secrets.token_urlsafe(TOKEN_BYTES)
        self._change_together(
            (
                "UPDATE codes SET uses = uses + 1 WHERE digest = ? AND revoked IS NULL "
                f"AND (single = 0 OR uses = 0) AND (expires IS NULL OR expires > ?) AND {_ROOM}",
                (code, now, *self._room()),
            ),
            (
                f"INSERT INTO tokens ({_TOKEN}, digest) SELECT ?, role, scope, person, ?, ?, NULL, "
                "? FROM codes WHERE digest = ? ON CONFLICT DO NOTHING",
                (id, now, self._end(lifetime), digest_of(secret), code),
            ),
        )
        given = self._proven_by(secret)
        if given is not None:
            self._note("given", given)
            self._note("joined", given)
            return given, secret
        if self.code_of(text) is not None:
            raise StoreError("too_many_tokens", limit=MOST_TOKENS)
        self._note("refused", AccessToken("", "", "", "anonymous", now, None, None))
        self._rotate_refused()
        return None

    def _room(self) -> tuple[str, int]:
        """The values of ``_ROOM``."""
        return self._clock(), MOST_TOKENS

    def code_of(self, text: str) -> JoinCode | None:
        """The code that these letters are, if it can still be used."""
        return next(iter(self._good_codes("digest = ?", digest_of(typed_code(text)))), None)

    def codes(self) -> list[JoinCode]:
        """Every code that can still be used."""
        return self._good_codes("revoked IS NULL")

    def _good_codes(self, which: str, *values: str) -> list[JoinCode]:
        rows = self._rows(f"SELECT {_CODE} FROM codes WHERE {which} ORDER BY created, id", values)
        found = [JoinCode(*row)._replace(once=bool(row[4])) for row in rows]
        return [code for code in found if self._is_good(code) and not (code.once and code.uses)]

    # for both

    def find(self, id: str) -> AccessToken | JoinCode | None:
        """A token or a code that is still good, by its id."""
        tokens = self._rows(f"SELECT {_TOKEN} FROM tokens WHERE id = ?", (id,))
        good: list[AccessToken | JoinCode] = [
            found for row in tokens if self._is_good(found := AccessToken(*row))
        ]
        return next(iter([*good, *self._good_codes("id = ?", id)]), None)

    def holds(self, role: str, scope: str, person: str | None = None) -> bool:
        """Whether a device has this role, of this person: one has taken it, and has not signed
        itself out.

        Whoever signs a device out by its id may not take its place by that.
        """
        rows = self._rows(
            "SELECT id FROM tokens WHERE role = ? AND scope = ? AND person = coalesce(?, person) "
            "AND (expires IS NULL OR expires > ?) "
            "AND id NOT IN (SELECT id FROM admissions WHERE what = 'left' AND scope = ?)",
            (role, scope, person, self._clock(), scope),
        )
        return bool(rows)

    def devices(self, role: str, scope: str) -> int:
        """How many devices have a role now."""
        rows = self._rows(
            "SELECT count(*) FROM tokens WHERE role = ? AND scope = ? AND revoked IS NULL "
            "AND (expires IS NULL OR expires > ?)",
            (role, scope, self._clock()),
        )
        return int(rows[0][0])

    def leave(self, id: str) -> bool:
        """Revoke a token at the wish of its own device."""
        found = self.find(id)
        if found is None or not self.revoke(id):
            return False
        self._note("left", found)
        return True

    def revoke(self, *ids: str) -> bool:
        """Revoke tokens and codes; whether any of them was good."""
        now = self._clock()
        found = [each for id in ids if (each := self.find(id)) is not None]
        for table, kind in (("tokens", AccessToken), ("codes", JoinCode)):
            if ended := [(now, each.id) for each in found if isinstance(each, kind)]:
                self._change_all(f"UPDATE {table} SET revoked = ? WHERE id = ?", ended)
        if found:
            self._note("revoked", *found)
        return bool(found)

    def admissions(self, most: int = 200) -> list[Admission]:
        """The book of admissions, the latest first."""
        rows = self._rows(
            "SELECT at, what, id, role, scope, person FROM admissions ORDER BY at DESC LIMIT ?",
            (most,),
        )
        return [Admission(*row) for row in rows]

    def admissions_of(self, person: str) -> list[Admission]:
        rows = self._rows(
            "SELECT at, what, id, role, scope, person FROM admissions WHERE person = ? ORDER BY at",
            (person,),
        )
        return [Admission(*row) for row in rows]

    def of_person(self, person: str) -> list[AccessToken]:
        """Every token that a person ever had, good or not."""
        rows = self._rows(
            f"SELECT {_TOKEN} FROM tokens WHERE person = ? ORDER BY created", (person,)
        )
        return [AccessToken(*row) for row in rows]

    def forget(self, person: str) -> int:
        """Take away a person's tokens, and whatever the book of admissions says of them."""
        gone = self._change("DELETE FROM tokens WHERE person = ?", (person,))
        self._change("DELETE FROM codes WHERE person = ?", (person,))
        self._change("DELETE FROM admissions WHERE person = ?", (person,))
        return gone

    def salt(self) -> bytes:
        """A secret of this store, the same at every node and after every start; copies of the store
        have it too."""
        return self._secret(SALT)

    def _secret(self, name: str) -> bytes:
        """It stands among the rules: their table is there in every store that has tokens."""
        told = "SELECT open_to FROM rules WHERE stream = ?"
        if not (rows := self._rows(told, (name,))):
            self._change(
                "INSERT INTO rules (stream, open_to, delay_entries, delay_seconds, seats_log) "
                "VALUES (?, ?, 0, 0, 0) ON CONFLICT (stream) DO NOTHING",
                (name, secrets.token_hex(TOKEN_BYTES)),
            )
            rows = self._rows(told, (name,))
        return str(rows[0][0]).encode()

    def changes(self) -> tuple[object, ...]:
        """A value that changes whenever somebody's access may have ended, in any process."""
        tokens = self._rows("SELECT count(*), count(revoked), max(created) FROM tokens")
        rules = self._rows(
            "SELECT stream, open_to, delay_entries, delay_seconds FROM rules "
            "WHERE stream NOT IN (?, ?) ORDER BY stream",
            (SALT, TOKEN_SECRET),
        )
        return tuple(tuple(row) for row in (*tokens, *rules))

    # what is open

    def rules(self, stream: str) -> AccessPolicy:
        rows = self._kept_rows(
            "SELECT open_to, delay_entries, delay_seconds, seats_log FROM rules WHERE stream = ?",
            stream,
        )
        if not rows:
            return AccessPolicy()
        open_to, entries, seconds, seats = rows[0]
        chosen = bool(seats & _SEATS_LOG), bool(seats & _UNTIL_RESULT)
        return AccessPolicy(open_to, entries, seconds, *chosen)

    def delayed(self) -> frozenset[str]:
        """The tables and tournaments that are shown with a delay."""
        told = "SELECT stream FROM rules WHERE delay_entries > 0 OR delay_seconds > 0"
        return frozenset(stream for (stream,) in self._kept_rows(told))

    def set_rules(self, stream: str, rules: AccessPolicy) -> None:
        self._change(
            "INSERT INTO rules (stream, open_to, delay_entries, delay_seconds, seats_log) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET open_to = excluded.open_to, "
            "delay_entries = excluded.delay_entries, delay_seconds = excluded.delay_seconds, "
            "seats_log = excluded.seats_log",
            (
                stream,
                *rules[:3],
                _SEATS_LOG * rules.seats_log + _UNTIL_RESULT * rules.until_result,
            ),
        )

    def copy_to(self, other: Access) -> int:
        """Bring the rules of all tables to another store; tokens and codes stay. How many."""
        told = "SELECT stream FROM rules WHERE stream <> ? ORDER BY stream"
        streams = [stream for (stream,) in self._rows(told, (TOKEN_SECRET,))]
        for stream in streams:
            other.set_rules(stream, self.rules(stream))
        return len(streams)

    def _is_good(self, found: AccessToken | JoinCode) -> bool:
        return found.revoked is None and (found.expires is None or found.expires > self._clock())

    def _end(self, lifetime: timedelta | None) -> str | None:
        return None if lifetime is None else moment(lifetime)

    def _note(self, what: LetIn, *about: AccessToken | JoinCode) -> None:
        self._change_all(
            "INSERT INTO admissions (at, what, id, role, scope, person) VALUES (?, ?, ?, ?, ?, ?)",
            [(self._clock(), what, each.id, each.role, each.scope, each.person) for each in about],
        )

    def _rotate_refused(self) -> None:
        """Keep the newest refusals only; what was given, joined or revoked stays."""
        (count,) = self._rows("SELECT count(*) FROM admissions WHERE what = 'refused'")[0]
        if count > MOST_REFUSED + _REFUSED_MORE:
            self._change(
                "DELETE FROM admissions WHERE what = 'refused' AND at < (SELECT at FROM admissions "
                "WHERE what = 'refused' ORDER BY at DESC LIMIT 1 OFFSET ?)",
                (MOST_REFUSED - 1,),
            )
