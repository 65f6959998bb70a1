"""Projections: read models made from the entries for lists and searches, rebuilt at will.

They live in a file of their own beside the store. Rows and the place up to which entries
were taken in are written in one transaction, so that each entry counts exactly once.

What entries do to the tables may be worked out elsewhere (``foretell``): statements in the
order of the entries, carried out here as if they had been made here.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from eventsourcing.persistence import IntegrityError
from msgspec import Struct
from pydantic_core import from_json

from engines.kernel.messages.errors import MessageError
from referee.store.envelopes import Stored, StoreError
from referee.store.event_store import Store
from referee.store.sqlite import files
from referee.store.sqlite.connection import switch_to_wal
from referee.store.sqlite.errors import translating_errors
from referee.store.urls import is_postgres, server_of

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x52454656
"""Marks the file as read models of ours ("REFV")."""
_MARK = slice(68, 72)
"""Where SQLite writes that number in its file."""
BATCH = 500
_SET_ASIDE = "set_aside@1"
_CREATE_SET_ASIDE = (
    "CREATE TABLE IF NOT EXISTS set_aside "
    "(number INTEGER PRIMARY KEY, stream TEXT, head TEXT) STRICT"
)
_UNFIT = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MessageError,
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""What an entry brings about that says something else than its kind should."""
_WORD = re.compile(r"\w+")
MANY = 100_000
"""From so many entries on, starting worker processes pays off."""
BLIND_TO_ACCENTS = "unicode61 remove_diacritics 2"

Body = dict[str, Any]
Progress = Callable[[int, int], None]
Statement = tuple[str, Sequence[Any]]
Known = Mapping[str, Callable[..., tuple[Any, ...] | None]]
"""Queries that can be answered from their parameters, without a database."""
Sums = Mapping[str, Callable[[Any, Any], Sequence[Any]]]
"""How two executions of a statement on one row (its last parameter) become a single one.

For counters: they commute with everything in between, so a batch updates each row once.
"""


class EntryRange(NamedTuple):
    """A range of entry numbers: after ``after``, up to and including ``upto``."""

    after: int
    upto: int


class NumberedEntry(NamedTuple):
    """An entry with its number in the log."""

    number: int
    entry: Stored


class ProjectedBatch(NamedTuple):
    """The SQL that a range of entries comes to, computed without the tables."""

    entries: int
    position: int
    """The number of the last of them, and its head."""
    head: str
    steps: list[Statement | NumberedEntry]
    """SQL, or an entry whose projection has to read the tables and is run where they are."""


Foretelling = Callable[[Sequence[EntryRange]], Generator[ProjectedBatch, None, None]]


class ReadModel(Struct, frozen=True):
    """How entries become rows. Raise ``version`` whenever the same entries give other rows."""

    name: str
    version: int
    create: Callable[[Database], None]
    project: Callable[[Database, Stored, Body], None]

    def __call__(self, db: Database, stored: Stored, body: Body) -> None:
        self.project(db, stored, body)


def read_model(
    *, version: int, create: Callable[[Database], None]
) -> Callable[[Callable[[Database, Stored, Body], None]], ReadModel]:
    """Make a function ``(db, stored, body) -> None`` a read model of the same name."""

    def made(project: Callable[[Database, Stored, Body], None]) -> ReadModel:
        return ReadModel(project.__name__, version, create, project)

    return made


def view_path(url: str) -> Path | None:
    """The file of the read models of a store; ``None`` (in memory) if the store is in memory.

    What is in PostgreSQL is read from a file that each computer makes for itself.
    """
    return local_path(url, "view")


def local_path(url: str, what: str) -> Path | None:
    """The file of some read models of a store, by what they are."""
    if url == "memory:":
        return None
    if not is_postgres(url):
        return files.beside(files.sqlite_path(url), what)
    file = server_of(url).local_file(f"{what}.db")
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


class Projections:
    """The tables of some read models, brought up to date when they are read.

    ``schemas`` says which schema of a kind of entry they know. What is newer was written by a
    newer program and is left out; that program, which knows others, makes the tables anew.
    """

    def __init__(
        self,
        path: Path | None,
        models: Sequence[ReadModel],
        schemas: Mapping[str, int] | None = None,
    ) -> None:
        self.path = path
        self._models = tuple(models)
        self._schemas = dict(schemas or {})
        known = {model.name: model.version for model in models} | self._schemas
        marks = [f"{name}@{version}" for name, version in known.items()]
        self._schema = ",".join([_SET_ASIDE, *marks])
        self._lock = RLock()
        with translating_errors(self._file):
            self.db = self._open()

    def catch_up(
        self,
        store: Store,
        progress: Progress | None = None,
        foretelling: Foretelling | None = None,
    ) -> int:
        """Take in what was stored since the last time; how many entries that were.

        ``progress`` hears how many are taken in, and of how many. ``foretelling`` is asked what
        many entries do, span by span.
        """
        self._take_back_if_mended(store)
        taken = total = 0
        for count in chain(
            self._take_in_foretold(store, foretelling) if foretelling is not None else (),
            iter(partial(self._take_in, store), 0),
        ):
            if progress is not None:
                total = total or max(count, store.position() - self.taken() + count)
                progress(min(taken + count, total), total)
            taken += count
        return taken

    def taken(self) -> int:
        """The number of the last entry that was taken in."""
        position: int = self.rows("SELECT position FROM tracking")[0]["position"]
        return position

    def rebuild(self) -> None:
        """Forget every row; the next ``catch_up`` starts from the first entry."""
        with self._transaction():
            self._create_tables(self.db)

    def write(self, statements: Iterable[Statement]) -> None:
        """What is worked out from records besides their entries, in one transaction."""
        with self._transaction():
            for sql, params in statements:
                self.db.conn.execute(sql, params)

    def rows(self, sql: str, params: Sequence[Any] | dict[str, Any] = ()) -> list[Body]:
        with self._lock, translating_errors(self._file):
            return list(self.db.query(sql, params))

    def search(self, table: str, words: str, limit: int = 50) -> list[Body]:
        """The rows of a searchable table that hold all the words, best first."""
        if not (terms := search_terms(words)):
            return []
        with self._lock, translating_errors(self._file):
            return list(self.db.table(table).search(terms, limit=limit))

    def close(self) -> None:
        self.db.close()

    @property
    def _file(self) -> Path:
        return self.path or Path(":memory:")

    def _open(self) -> Database:
        if self.path is None:
            return self._connect()
        try:
            files.claim(self.path, APPLICATION_ID, "tracking")
            return self._connect()
        except (sqlite3.DatabaseError, StoreError) as error:
            if not _is_damage(error):
                raise
            if not _bears_our_mark(self.path):
                raise StoreError("not_ours", path=self.path) from error
            for name in (self.path, *files.companions(self.path)):
                name.unlink(missing_ok=True)
            files.claim(self.path, APPLICATION_ID, "tracking")
            return self._connect()

    def _connect(self) -> Database:
        from sqlite_utils import Database

        connection = sqlite3.connect(
            self._file, isolation_level=None, check_same_thread=False, timeout=files.LOCK_TIMEOUT
        )
        try:
            switch_to_wal(connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            db = Database(connection)
            with _write(connection):
                if "tracking" not in db.table_names():
                    self._create_tables(db)
                db.execute(_CREATE_SET_ASIDE)  # tables of an earlier version have none
                if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        except BaseException:
            connection.close()
            raise
        return db

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, translating_errors(self._file), _write(self.db.conn):
            yield

    def set_aside(self) -> list[str]:
        """The streams with an entry that could not be read, and is left out."""
        rows = self.rows("SELECT stream FROM set_aside ORDER BY number")
        return [row["stream"] for row in rows]

    def _take_in(self, store: Store) -> int:
        """One batch: its rows and its place, or nothing."""
        try:
            return self._take_in_batch(store, self._project)
        except (*_UNFIT, IntegrityError):
            pass
        except StoreError as error:
            if error.key != "database_error":
                raise
        return self._take_in_batch(store, self._project_or_set_aside)

    def _take_in_batch(self, store: Store, project: Callable[[int, Stored], None]) -> int:
        with self._transaction():
            batch = store.follow(self._position(store), BATCH)
            for number, entry in batch:
                project(number, entry)
            if batch:
                position, last = batch[-1]
                self._reach(position, last.head)
        return len(batch)

    def _project(self, number: int, entry: Stored) -> None:
        _project(self.db, self._models, self._schemas, entry)

    def _project_or_set_aside(self, number: int, entry: Stored) -> None:
        """Project one entry; an unreadable one is skipped, the rows of others stay."""
        self.db.conn.execute("SAVEPOINT entry")
        try:
            self._project(number, entry)
        except StoreError:
            raise
        except _UNFIT:
            self.db.conn.execute("ROLLBACK TO entry")
            self.db.conn.execute(
                "INSERT INTO set_aside VALUES (?, ?, ?)", (number, entry.stream, entry.head)
            )
        self.db.conn.execute("RELEASE entry")

    def _take_back_if_mended(self, store: Store) -> None:
        """Make the tables anew, if an entry that was set aside is another one now."""
        for row in self.rows("SELECT number, head FROM set_aside"):
            found = store.follow(row["number"] - 1, limit=1)
            if found and found[0][0] == row["number"] and found[0][1].head != row["head"]:
                self.rebuild()
                return

    def _take_in_foretold(self, store: Store, foretelling: Foretelling) -> Iterator[int]:
        """The same, batch by batch as computed in parallel, while no other process catches up."""
        with self._transaction():
            reached = self._position(store)
        end = store.position()
        if end - reached < MANY:
            return
        spans = [EntryRange(at, min(at + BATCH, end)) for at in range(reached, end, BATCH)]
        with closing(foretelling(spans)) as coming:
            for entries, position, head, steps in coming:
                if not entries:
                    continue
                with self._transaction():
                    if self._position(store) != reached:
                        return
                    for step in steps:
                        if isinstance(step, NumberedEntry):
                            self._project_or_set_aside(*step)
                        else:
                            self.db.conn.execute(*step)
                    self._reach(position, head)
                reached = position
                yield entries

    def _reach(self, position: int, head: str) -> None:
        self.db.execute("UPDATE tracking SET position = ?, head = ?", (position, head))

    def _position(self, store: Store) -> int:
        """How far the tables are. What they know and the store does not is never dropped."""
        position: int
        position, head, schema = self.db.execute(
            "SELECT position, head, schema FROM tracking"
        ).fetchone()
        _refuse_forgetting(store, self._file, position, head)
        if schema == self._schema:
            return position
        self._create_tables(self.db)
        return 0

    def _create_tables(self, db: Database) -> None:
        for table in _own_tables(db):
            db.execute(f"DROP TABLE [{table}]")
        db.execute("CREATE TABLE tracking (position INTEGER, head TEXT, schema TEXT) STRICT")
        db.execute("INSERT INTO tracking VALUES (0, '', ?)", (self._schema,))
        db.execute(_CREATE_SET_ASIDE)
        for model in self._models:
            model.create(db)


def _project(
    db: Any, models: Iterable[ReadModel], schemas: Mapping[str, int], entry: Stored
) -> None:
    body = from_json(entry.body)
    if body["stream"] != entry.stream:
        raise ValueError("an entry of another record")
    if body["schema"] <= schemas.get(body["kind"], body["schema"]):
        for model in models:
            model(db, entry, body)


def project_apart(
    store: Store,
    span: EntryRange,
    models: Iterable[ReadModel],
    schemas: Mapping[str, int],
    known: Known,
    sums: Sums,
) -> ProjectedBatch:
    """Project a range of entries to SQL without the tables, for processes that share the work."""
    batch = [
        item for item in store.follow(span.after, span.upto - span.after) if item[0] <= span.upto
    ]
    steps: list[Statement | NumberedEntry] = []
    summed: dict[tuple[str, Any], int] = {}
    for number, entry in batch:
        absent = RecordingDatabase(known)
        try:
            _project(absent, models, schemas, entry)
        except (*_UNFIT, _ReadsTables):  # it reads the tables, or cannot be read itself
            steps.append(NumberedEntry(number, entry))
            summed.clear()
            continue
        for sql, params in absent.statements:
            if sql not in sums:
                steps.append((sql, params))
            elif (at := summed.setdefault((sql, params[-1]), len(steps))) < len(steps):
                steps[at] = (sql, sums[sql](steps[at][1], params))
            else:
                steps.append((sql, params))
    position, head = (batch[-1][0], batch[-1][1].head) if batch else (span.upto, "")
    return ProjectedBatch(len(batch), position, head, steps)


class _ReadsTables(Exception):
    """A projection wants to read the tables: it cannot be computed apart."""


class RecordingDatabase:
    """A stub for the database: records the SQL of a projection where the tables are not."""

    def __init__(self, known: Known) -> None:
        self.statements: list[Statement] = []
        self._known = known

    def execute(self, sql: str, params: Sequence[Any] = ()) -> _Answer:
        if sql in self._known:
            return _Answer(self._known[sql](*params))
        self.statements.append((sql, params))
        return _NO_ANSWER

    def __getattr__(self, name: str) -> Any:
        raise _ReadsTables


class _Answer:
    def __init__(self, row: tuple[Any, ...] | None) -> None:
        self._row = row

    def fetchone(self) -> tuple[Any, ...] | None:
        return self._row


class _NoAnswer(_Answer):
    def fetchone(self) -> tuple[Any, ...] | None:
        raise _ReadsTables

    def __getattr__(self, name: str) -> Any:
        raise _ReadsTables


_NO_ANSWER = _NoAnswer(None)


def check_lists(path: Path, store: Store) -> None:
    """Whether a file of read models is ours, and knows nothing that its store does not."""
    files.claim(path, APPLICATION_ID, "tracking")
    with translating_errors(path), closing(files.read_only(path)) as connection:
        position, head = connection.execute("SELECT position, head FROM tracking").fetchone()
    _refuse_forgetting(store, path, position, head)


def forget_lists(path: Path) -> None:
    """Remove a file of read models, which the next command makes again."""
    files.claim(path, APPLICATION_ID, "tracking")
    for name in (path, *files.companions(path)):
        name.unlink(missing_ok=True)


def _refuse_forgetting(store: Store, path: Path, position: int, head: str) -> None:
    """Rows made from entries that are gone are the last trace of them."""
    last = store.follow(position - 1, limit=1) if position else ()
    if position and head != (last[0][1].head if last else ""):
        raise StoreError("lists_know_more", path=path, known=position, found=store.position())


def search_terms(words: str) -> str:
    """What a full-text search is asked: all the words; nothing, if there are none."""
    return " ".join(f'"{word}"' for word in _WORD.findall(words))


def enable_search(db: Database, table: str, columns: Iterable[str]) -> None:
    """Full-text search in a table, kept up to date by triggers, blind to accents."""
    db.table(table).enable_fts(columns, create_triggers=True, tokenize=BLIND_TO_ACCENTS)


def create_index(db: Database, table: str) -> None:
    """A full-text index without stored content (contentless FTS5); rows are known by number."""
    db.execute(
        f"CREATE VIRTUAL TABLE [{table}]"
        f" USING fts5 (text, content='', tokenize='{BLIND_TO_ACCENTS}')"
    )


def _own_tables(db: Database) -> list[str]:
    """All tables, virtual ones first: those take their shadow tables with them."""
    rows = db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"
    ).fetchall()
    virtual = [name for (name,) in rows]
    plain = [
        name
        for name in db.table_names()
        if not name.startswith("sqlite_")
        and not any(name == table or name.startswith(f"{table}_") for table in virtual)
    ]
    return [*virtual, *plain]


def _is_damage(error: Exception) -> bool:
    """Whether the file cannot be read as a database."""
    if isinstance(error, StoreError):
        return error.key in ("not_a_database", "damaged")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def _bears_our_mark(path: Path) -> bool:
    """Whether a file that cannot be read was one of ours."""
    with path.open("rb") as file:
        header = file.read(100)
    return header[_MARK] == APPLICATION_ID.to_bytes(4, "big")


@contextmanager
def _write(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
