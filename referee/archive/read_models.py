"""Read models: projections of the records for lists, open calls and searches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from pydantic_core import from_json, to_json

from engines.kernel import LANGUAGES, Language, Opening, ParseError
from engines.kernel.registry import load_engine
from referee.archive.process_pool import map_store
from referee.record.entries import KINDS
from referee.store.derived.projections import (
    EntryRange,
    Progress,
    ProjectedBatch,
    Projections,
    create_index,
    enable_search,
    project_apart,
    read_model,
    search_terms,
    view_path,
)
from referee.store.envelopes import Stored, StoreError
from referee.store.event_store import Recorder, Store
from referee.store.sqlite.files import identity

if TYPE_CHECKING:
    from sqlite_utils import Database

MOST_FOUND = 50
BOOK = "book-"
"""Streams of rulings that came from elsewhere begin so."""


def _create_games(db: Database) -> None:
    db.table("games").create(
        {
            "game": str,
            "engine": str,
            "title": str,
            "people": str,
            "entries": int,
            "actions": int,
            "opened": str,
            "updated": str,
            "closed": int,
            "result": str,
            "tournament": str,
            "seats": int,
            "box": str,
            "readings": str,
            "disputes": int,
        },
        pk="game",
        strict=True,
    )


@read_model(version=4, create=_create_games)
def games(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row a game."""
    if not stored.stream.startswith("game-"):
        return
    kind, data = body["kind"], body["data"]
    if kind == "opened":
        db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, 1, 0, ?, ?, 0, '', ?, ?, ?, ?, 0)",
            (
                stored.stream,
                data["game"],
                data.get("title", ""),
                json.dumps(data.get("seats", {})),
                body["at"],
                body["at"],
                data.get("tournament", ""),
                _seats(data["game"], data.get("opening", {})) or len(data.get("seats", {})),
                str(data.get("kit", {}).get("kit", "")),
                json.dumps(data.get("readings", {})),
            ),
        )
        return
    db.execute(GONE_ON, (stored.seq + 1, body["at"], _more_actions(kind, data), stored.stream))
    if kind == "corrected":
        if data.get("seats") is not None:
            people = json.dumps(data["seats"])
            db.execute("UPDATE games SET people = ? WHERE game = ?", (people, stored.stream))
    elif kind == "disputed":
        db.execute("UPDATE games SET disputes = disputes + 1 WHERE game = ?", (stored.stream,))
    elif kind == "reading_fixed":
        db.execute(
            "UPDATE games SET readings = json_set(readings, ?, ?) WHERE game = ?",
            (f"$.{data['reading']}", data["value"], stored.stream),
        )
    elif kind in ("closed", "reopened"):
        result = json.dumps(data) if kind == "closed" else ""
        db.execute(
            "UPDATE games SET closed = ?, result = ? WHERE game = ?",
            (int(kind == "closed"), result, stored.stream),
        )


def _seats(game: str, opening: dict[str, Any]) -> int:
    """How many sit at the table; 0 where its game is not installed."""
    try:
        said = load_engine(game).text.load(opening)
    except ParseError:
        return 0
    return len(said.seats) if isinstance(said, Opening) else 0


GONE_ON = "UPDATE games SET entries = ?, updated = ?, actions = actions + ? WHERE game = ?"
Gone = tuple[int, str, int, str]


def _gone_on(first: Gone, then: Gone) -> Gone:
    """Merge two consecutive updates of a game's row."""
    return (*then[:2], first[2] + then[2], then[3])


def actions_counted(told: Iterable[tuple[str, dict[str, Any]]]) -> int:
    """How many actions count after these entries, by kind and data."""
    return sum(_more_actions(kind, data) for kind, data in told)


def _more_actions(kind: str, data: dict[str, Any]) -> int:
    """By how much an entry changes the number of actions that count."""
    if kind in ("logged", "adjusted"):
        return 1
    if kind in ("taken_back", "restored"):
        return len(data["numbers"]) * (1 if kind == "restored" else -1)
    if kind == "corrected":
        return len(data.get("insert", ())) - len(data.get("remove", ()))
    if kind == "reinstated":
        return len(data.get("back", ())) - len(data.get("out", ()))
    return 0


ENGINE_OF = "SELECT engine FROM games WHERE game = ?"


def _engine_of(db: Database, game: str) -> str | None:
    """The engine of a game; None if a newer program opened it, so that it is not listed."""
    row = db.execute(ENGINE_OF, (game,)).fetchone()
    return row[0] if row is not None else None


def _create_said(db: Database) -> None:
    db.table("said").create(
        {"game": str, "number": int, "action": str, "broken": str},
        pk=("game", "number"),
        strict=True,
    )
    create_index(db, "moves")


@read_model(version=3, create=_create_said)
def said(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row an action: what was said, and what it broke or proved.

    Rulings join to it. ``moves`` holds the same lines as a full-text index, in both languages.
    """
    kind, data = body["kind"], body["data"]
    if kind not in ("logged", "corrected") or not stored.stream.startswith("game-"):
        return
    actions = [data] if kind == "logged" else data.get("insert", ())
    engine = _engine_of(db, stored.stream) if actions else None
    if engine is None:
        return
    for action in actions:
        told = _json(action["action"])
        db.execute(
            "INSERT OR REPLACE INTO said VALUES (?, ?, ?, ?)",
            (stored.stream, action["number"], told, _broken(action["verdict"])),
        )
        db.execute(
            "INSERT INTO moves (rowid, text) VALUES (last_insert_rowid(), ?)",
            (_in_all_words(engine, told),),
        )


def _create_clauses(db: Database) -> None:
    db.table("clauses").create({"game": str, "clause": str}, pk=("game", "clause"), strict=True)


@read_model(version=1, create=_create_clauses)
def clauses(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row per clause that was broken, disputed or ruled on in a game."""
    kind, data = body["kind"], body["data"]
    if not stored.stream.startswith("game-"):
        return
    met: list[str] = []
    if kind in ("logged", "corrected"):
        for action in [data] if kind == "logged" else data.get("insert", ()):
            met += [point["clause"] for point in _broken_points(action["verdict"])]
    elif kind == "disputed":
        met = [data["clause"]] if data.get("clause") else []
    elif kind == "ruled":
        met = list(data.get("clauses", ()))
    for clause in met:
        db.execute("INSERT OR IGNORE INTO clauses VALUES (?, ?)", (stored.stream, clause))


def _broken_points(verdict: dict[str, Any]) -> list[dict[str, Any]]:
    proven = [found for found in verdict.get("findings", ()) if found["status"] == "broken"]
    return [*verdict.get("breaches", ()), *proven]


def _broken(verdict: dict[str, Any]) -> str:
    broken = _broken_points(verdict)
    return _json(broken) if broken else "[]"


def _json(data: Any) -> str:
    return to_json(data).decode()


@lru_cache(maxsize=4096)
def _in_all_words(game: str, action: str) -> str:
    """The search text of an action: its recorded line, the French one, and the names in them.

    Memoized: the same actions come again and again.
    """
    try:
        engine = load_engine(game)
        said = engine.text.load(json.loads(action))
    except ParseError:
        return action
    lines = [engine.text(said, lang) for lang in LANGUAGES]
    terms = [word for word in lines[0].split() if f"term.{word}" in engine.words]
    called = (engine.words.term(word, lang) for word in terms for lang in LANGUAGES)
    return " ".join((*lines, *called))


def _create_rulings(db: Database) -> None:
    db.table("rulings").create(
        {
            "reference": str,
            "source": str,
            "engine": str,
            "at": str,
            "clauses": str,
            "action": str,
            "facts": str,
            "remedy": str,
            "reason": str,
            "authority": str,
            "author": str,
            "readings": str,
            "precedents": str,
            "overturned_by": str,
            "number": int,
        },
        pk=("source", "reference"),
        strict=True,
    )
    enable_search(db, "rulings", ["reason", "clauses", "action", "authority", "reference"])


@read_model(version=4, create=_create_rulings)
def rulings(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row a ruling, ours and others'."""
    kind, data = body["kind"], body["data"]
    if kind == "ruled":
        _add_own(db, stored, body, data)
    elif kind == "precedent" and stored.stream.startswith(BOOK):
        _add_ruling(db, data["ruling"], data["source"])


def _add_own(db: Database, stored: Stored, body: Mapping[str, Any], data: dict[str, Any]) -> None:
    engine = _engine_of(db, stored.stream)
    if engine is None:
        return
    found = [
        row
        for number in data.get("numbers", ())
        for row in db.execute(
            "SELECT action, broken FROM said WHERE game = ? AND number = ?",
            (stored.stream, number),
        ).fetchall()
    ]
    broken = [point for row in found for point in json.loads(row[1])]
    clauses = data.get("clauses") or [point["clause"] for point in broken]
    cited = [point for point in broken if point["clause"] in clauses]
    reference = f"{stored.stream}/{data['id']}"
    ruling = {
        "reference": reference,
        "game": engine,
        "date": body["at"],
        "clauses": clauses,
        "line": " ; ".join(in_words(engine, json.loads(row[0])) for row in found)[:1000],
        "facts": cited[0].get("facts", {}) if cited else {},
        "remedy": data.get("remedy", "none"),
        "reason": data["reason"],
        "authority": data.get("authority", ""),
        "author": body["by"],
        "readings": data.get("readings", {}),
        "precedents": data.get("precedents", []),
        "number": next(iter(data.get("numbers", ())), None),
    }
    _add_ruling(db, ruling, "")
    if "overturns" in data:
        db.execute(
            "UPDATE rulings SET overturned_by = ? WHERE source = '' AND reference = ?",
            (reference, f"{stored.stream}/{data['overturns']}"),
        )


def in_words(game: str, action: dict[str, Any], lang: Language = "en") -> str:
    """An action in the notation of its game, or as data where that game is not installed."""
    try:
        engine = load_engine(game)
        return engine.text(engine.text.load(action), lang)
    except ParseError:
        return json.dumps(action)


def _add_ruling(db: Database, ruling: Mapping[str, Any], source: str) -> None:
    db.execute(
        "INSERT OR REPLACE INTO rulings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ruling["reference"],
            source,
            ruling["game"],
            ruling["date"],
            " ".join(ruling.get("clauses", ())),
            ruling.get("line", ""),
            json.dumps(ruling.get("facts", {})),
            ruling["remedy"],
            ruling["reason"],
            ruling.get("authority", ""),
            ruling.get("author", ""),
            json.dumps(ruling.get("readings", {})),
            json.dumps(ruling.get("precedents", [])),
            ruling.get("overturned_by", ""),
            ruling.get("number"),
        ),
    )


def _create_notes(db: Database) -> None:
    db.table("notes").create(
        {"id": str, "game": str, "note": str, "number": int, "text": str, "tags": str},
        pk="id",
        strict=True,
    )
    enable_search(db, "notes", ["text", "tags"])


@read_model(version=1, create=_create_notes)
def notes(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row a note that has not been removed."""
    data = body["data"]
    if body["kind"] == "noted":
        db.execute(
            "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?)",
            (
                f"{stored.stream}/{data['id']}",
                stored.stream,
                data["id"],
                data["number"],
                data.get("text", ""),
                " ".join(data.get("tags", ())),
            ),
        )
    elif body["kind"] == "unnoted":
        db.execute("DELETE FROM notes WHERE id = ?", (f"{stored.stream}/{data['id']}",))


def _create_calls(db: Database) -> None:
    db.table("calls").create(
        {"stream": str, "id": str, "at": str}, pk=("stream", "id"), strict=True
    )


@read_model(version=3, create=_create_calls)
def calls(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row per open dispute, per game on hold, and per unanswered call of a tournament table."""
    kind, data = body["kind"], body["data"]
    if kind == "disputed" and data.get("holds"):  # it takes the place of the pause
        db.execute("DELETE FROM calls WHERE stream = ? AND id = ?", (stored.stream, HOLD))
    if kind in _CALLING:
        call = _CALLING[kind](stored, data)
        db.execute(
            "INSERT OR IGNORE INTO calls VALUES (?, ?, ?)", (stored.stream, call, body["at"])
        )
    elif kind in _ANSWERING:
        answered = _ANSWERING[kind](data)
        db.execute("DELETE FROM calls WHERE stream = ? AND id = ?", (stored.stream, answered))


_CALLING: dict[str, Callable[[Stored, dict[str, Any]], str]] = {
    "disputed": lambda stored, data: data["id"],
    "held": lambda stored, data: HOLD,
    "judge_called": lambda stored, data: str(stored.seq),
}
_ANSWERING: dict[str, Callable[[dict[str, Any]], str | None]] = {
    "dispute_closed": lambda data: data["id"],
    "ruled": lambda data: data.get("dispute"),
    "resumed": lambda data: HOLD,
    "call_answered": lambda data: str(data.get("call")),
}
HOLD = "hold"
"""The call of a game that is held, beside those of its disputes."""


INTAKE = "intake-"
"""Streams that say what became of a record from elsewhere begin so."""
KEPT_APART, TAKEN_IN = "kept_apart", "taken_in"


def _create_apart(db: Database) -> None:
    db.table("apart").create({"game": str}, pk="game", strict=True)


@read_model(version=1, create=_create_apart)
def apart(db: Database, stored: Stored, body: dict[str, Any]) -> None:
    """One row per imported record that is not accepted yet."""
    if not stored.stream.startswith(INTAKE):
        return
    game = (body["data"]["game"],)
    if body["kind"] == KEPT_APART:
        db.execute("INSERT OR IGNORE INTO apart VALUES (?)", game)
    elif body["kind"] == TAKEN_IN:
        db.execute("DELETE FROM apart WHERE game = ?", game)


def games_apart(store: Store) -> frozenset[str]:
    """The games that are kept apart."""
    if not store.streams(INTAKE):
        return frozenset()
    view = open_view(store)
    try:
        return frozenset(row["game"] for row in view.rows("SELECT game FROM apart"))
    finally:
        view.close()


MODELS = (games, said, clauses, rulings, notes, calls, apart)
SCHEMAS = {kind: data.SCHEMA for kind, data in KINDS.items()}


def open_view(store: Store, progress: Progress | None = None, *, processes: int = 1) -> Projections:
    """Open the read models of a store and catch up; ``progress`` is called with how far they are.

    With several ``processes`` the projections are computed in parallel, and written here.
    """
    view = _idle_view(store) or _opened_view(store)
    looked = _MOVED.get(store._recorder)
    due = looked is None or monotonic() - looked.at > LOOK_EVERY
    streams = store.streams("game-") if due else ()
    foretelling = partial(map_store, store, work=foretold, processes=processes)
    view.catch_up(store, progress, foretelling if processes > 1 else None)
    if looked is None or due:
        looked = _MOVED[store._recorder] = _look_for_moved(store, view, streams)
    _SET_ASIDE[store] = tuple(dict.fromkeys([*view.set_aside(), *looked.gone, *looked.unlisted]))
    return view


class Moved(NamedTuple):
    """Records that somebody has removed or renamed by other means than ours."""

    at: float
    gone: tuple[str, ...]
    """Games that the lists know, and the store does not have."""
    unlisted: tuple[str, ...]
    """Games of the store that do not begin as a game does."""


LOOK_EVERY = 5.0
"""Seconds after which whoever asks compares again which games there are."""
_MOVED: WeakKeyDictionary[Recorder, Moved] = WeakKeyDictionary()


def _look_for_moved(store: Store, view: Projections, streams: Sequence[str]) -> Moved:
    """Compare the lists with the names of the games, asked for before the lists caught up."""
    listed = [row["game"] for row in view.rows("SELECT game FROM games ORDER BY game")]
    newer = set(listed).difference(streams)
    gone = tuple(game for game in listed if game in newer and store.entry(game, 0) is None)
    unlisted = tuple(game for game in streams if game not in set(listed))
    return Moved(monotonic(), gone, unlisted)


def gone_games(store: Store) -> tuple[str, ...]:
    """The games that were removed when the lists were last compared with the store."""
    looked = _MOVED.get(store._recorder)
    return looked.gone if looked is not None else ()


def has_lists(store: Store) -> bool:
    """Whether the read models of a store were made before; asked without making them."""
    path = view_path(store.url)
    return path is not None and path.exists()


def _opened_view(store: Store) -> Projections:
    kept = _KEPT.get(store._recorder)
    if kept is None:
        return Projections(view_path(store.url), MODELS, SCHEMAS)
    return KeptView(kept, view_path(store.url), MODELS, SCHEMAS)


def _idle_view(store: Store) -> Projections | None:
    """A view that was opened before and is not in use, unless its file was replaced since."""
    kept = _KEPT.get(store._recorder)
    while kept:
        with suppress(IndexError):  # another thread was quicker
            view = kept.pop()
            if view.is_current:
                return view
            view.end()
    return None


class KeptView(Projections):
    """Read models that stay open for the next who asks: opening takes longer than asking."""

    def __init__(self, kept: list[KeptView], path: Path | None, *more: Any) -> None:
        super().__init__(path, *more)
        self._kept, self._is_sound = kept, True
        self._identity = path and identity(str(path))

    @property
    def is_current(self) -> bool:
        return self.path is None or identity(str(self.path)) == self._identity

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._noticing_damage(), super()._transaction():
            yield

    def rows(self, sql: str, params: Sequence[Any] | dict[str, Any] = ()) -> list[dict[str, Any]]:
        with self._noticing_damage():
            return super().rows(sql, params)

    @contextmanager
    def _noticing_damage(self) -> Iterator[None]:
        """A file that cannot be read is opened anew by the next who asks, who may mend it."""
        try:
            yield
        except StoreError:
            self._is_sound = False
            raise

    def close(self) -> None:
        if self._is_sound and len(self._kept) < MOST_KEPT:
            self._kept.append(self)
        else:
            self.end()

    def end(self) -> None:
        super().close()


MOST_KEPT = 4
_KEPT: WeakKeyDictionary[Recorder, list[KeptView]] = WeakKeyDictionary()


@contextmanager
def keeping_views(store: Store) -> Iterator[None]:
    """Keep read models open between two who ask, as a service does."""
    _KEPT[store._recorder] = []
    try:
        yield
    finally:
        for view in _KEPT.pop(store._recorder, []):
            view.end()


_SET_ASIDE: WeakKeyDictionary[Store, tuple[str, ...]] = WeakKeyDictionary()


def set_aside(store: Store) -> tuple[str, ...]:
    """The records that could not be read, or were gone, when the lists were last caught up."""
    return _SET_ASIDE.get(store, ())


def foretold(store: Store, span: EntryRange) -> ProjectedBatch:
    """Compute the projections of a range of entries, to be written by the parent process."""
    known = {ENGINE_OF: partial(_opened_as, store)}
    return project_apart(store, span, MODELS, SCHEMAS, known, {GONE_ON: _gone_on})


def _opened_as(store: Store, game: str) -> tuple[str] | None:
    """The engine row of a game, as ``games`` would have written it; memoized per store."""
    known = _OPENED_AS.setdefault(store, {})
    if game not in known:
        first = store.entry(game, 0)
        assert first is not None
        body = from_json(first.body)
        is_listed = body["schema"] <= SCHEMAS["opened"]
        if len(known) >= _GAMES_KEPT:
            known.clear()
        known[game] = (body["data"]["game"],) if is_listed else None
    return known[game]


_OPENED_AS: WeakKeyDictionary[Store, dict[str, tuple[str] | None]] = WeakKeyDictionary()
_GAMES_KEPT = 1024


def list_games(
    store: Store, progress: Progress | None = None, *, processes: int = 1, within: str = ""
) -> list[dict[str, Any]]:
    """All games, the most recently touched first; or those of the tournament ``within``."""
    view = open_view(store, progress, processes=processes)
    try:
        rows = view.rows(
            "SELECT *, game IN (SELECT game FROM apart) AS kept_apart, "
            "(SELECT COUNT(*) FROM calls WHERE stream = game AND id != 'hold') AS open_disputes "
            "FROM games "
            "WHERE :within = '' OR substr(tournament, 1, length(:within) + 1) = :within || '/' "
            "ORDER BY updated DESC, game",
            {"within": within},
        )
    finally:
        view.close()
    rows = _without_gone(store, rows, "game")
    for row in rows:
        row["people"] = json.loads(row["people"])
        row["result"] = json.loads(row["result"]) if row["result"] else None
        row["closed"] = bool(row["closed"])
        row["kept_apart"] = bool(row["kept_apart"])
        row["readings"] = json.loads(row["readings"])
    return rows


def _without_gone(store: Store, rows: list[dict[str, Any]], column: str) -> list[dict[str, Any]]:
    gone = gone_games(store)
    return [row for row in rows if row[column] not in gone] if gone else rows


def games_with_clause(store: Store, clause: str) -> frozenset[str]:
    """The games in which a clause, or one whose id begins so, was broken, disputed or ruled on."""
    view = open_view(store)
    try:
        rows = view.rows("SELECT game, clause FROM clauses")
    finally:
        view.close()
    return frozenset(row["game"] for row in rows if is_clause(row["clause"], clause))


def is_clause(clause: str, asked: str) -> bool:
    """Whether a clause is the one that is asked for, or one of its section (``BEN-MOVE``)."""
    wanted = asked.upper().rstrip("-")
    return clause == wanted or clause.startswith(f"{wanted}-")


class CallRow(NamedTuple):
    """A table that waits for a decision: since when, and about what."""

    stream: str
    """The id of the game with an open dispute, or of the tournament whose table has called."""
    id: str
    at: str


def open_calls(store: Store) -> list[CallRow]:
    """Everything that waits for a decision at any table, the oldest first."""
    view = open_view(store)
    try:
        rows = view.rows(
            "SELECT stream, id, at FROM calls WHERE stream NOT IN (SELECT game FROM apart) "
            "ORDER BY at, stream, id"
        )
    finally:
        view.close()
    return [CallRow(**row) for row in _without_gone(store, rows, "stream")]


def search_notes(store: Store, words: str) -> list[dict[str, Any]]:
    """Full-text search in the notes of all games, best match first."""
    view = open_view(store)
    try:
        rows = view.search("notes", words)
    finally:
        view.close()
    columns = ("game", "note", "number", "text", "tags")
    return [{name: row[name] for name in columns} for row in _without_gone(store, rows, "game")]


class MoveFound(NamedTuple):
    """A search hit: an action of a game, as it was recorded."""

    game: str
    engine: str
    number: int
    action: dict[str, Any]


def search_moves(store: Store, words: str) -> list[MoveFound]:
    """Full-text search in the actions of all games, latest first; also those taken back."""
    if not (terms := search_terms(words)):
        return []
    view = open_view(store)
    try:
        rows = view.rows(
            "SELECT game, engine, number, action FROM moves"
            " JOIN said ON said.rowid = moves.rowid JOIN games USING (game)"
            " WHERE moves MATCH ? ORDER BY moves.rowid DESC LIMIT ?",
            (terms, MOST_FOUND),
        )
    finally:
        view.close()
    return [
        MoveFound(**{**row, "action": json.loads(row["action"])})
        for row in _without_gone(store, rows, "game")
    ]
