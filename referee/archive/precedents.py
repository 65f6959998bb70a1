"""The book of rulings: every ruling of a store, and those taken over from other clubs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from engines.kernel.box.kit import SAID_NOW, Within
from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.archive.read_models import BOOK, gone_games, is_clause, open_view
from referee.errors import Unfit
from referee.record.entries import ClauseId, Remedy, UnreadableEntry
from referee.store.canonical_json import canonical, digest
from referee.store.envelopes import Draft
from referee.store.event_store import Store
from referee.table.author import Author
from referee.table.bench import utc_now
from referee.untrusted.safe_toml import read_toml_file

MAX_BOOK_BYTES = 16_000_000
MAX_FOUND = 100_000


class BookRuling(BaseModel):
    """One ruling as clubs exchange it: readable without any tool."""

    model_config = STRICT

    reference: PlainText = Field(max_length=80)
    game: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    date: PlainText = Field(max_length=40)
    clauses: Annotated[tuple[Annotated[ClauseId, Within(1, 40)], ...], Within(0, 100)] = ()
    line: PlainText = Field(default="", max_length=1000)
    facts: dict[str, Any] = {}
    remedy: Remedy
    reason: PlainText = Field(max_length=2000)
    authority: PlainText = Field(default="", max_length=120)
    author: PlainText = Field(default="", max_length=60)
    readings: dict[str, Annotated[str, Within(0, 80)]] = {}
    precedents: tuple[Annotated[PlainText, Within(0, 120)], ...] = Field(default=(), max_length=32)
    overturned_by: PlainText = Field(default="", max_length=80)

    def without_play(self) -> BookRuling:
        """Redacted for a seat: the game that was ruled upon may still be hidden."""
        return self.model_copy(update={"line": "", "facts": {}})

    def says(self, words: str) -> bool:
        """Whether the text of the ruling contains every word."""
        text = " ".join((self.reference, *self.clauses, self.line, self.reason, self.authority))
        return all(word in text.lower() for word in words.lower().split())


class OwnRuling(BookRuling):
    """One of this store, which can be replayed; other clubs are not told where."""

    number: int | None
    """The first action that it is about, if it names one."""

    def without_play(self) -> BookRuling:
        return super().without_play().model_copy(update={"number": None})


class Book(BaseModel):
    """A file of rulings."""

    model_config = STRICT

    source: PlainText = Field(min_length=1, max_length=120)
    ruling: tuple[BookRuling, ...] = Field(max_length=5000)


class Precedent(NamedTuple):
    """A ruling that may be cited, and why it was found."""

    ruling: BookRuling
    source: str
    why: str
    """A key of the catalogue: ``precedent.<why>``."""


# reading the book


def read_book(
    store: Store, *, game: str | None = None, clause: str | None = None, words: str = ""
) -> list[tuple[BookRuling, str]]:
    """Rulings, the newest first, and the source of each (empty: this store)."""
    view = open_view(store)
    try:
        if words:
            rows = view.search("rulings", words, limit=MAX_FOUND)
        else:
            rows = view.rows("SELECT * FROM rulings ORDER BY at DESC, source, rowid DESC")
        apart = {row["game"] for row in view.rows("SELECT game FROM apart")} | {*gone_games(store)}
    finally:
        view.close()
    found = [
        (_ruling(row), row["source"])
        for row in rows
        if row["source"] or row["reference"].partition("/")[0] not in apart
    ]
    return [
        (ruling, source)
        for ruling, source in found
        if (game is None or ruling.game == game)
        and (clause is None or any(is_clause(one, clause) for one in ruling.clauses))
    ]


def _ruling(row: Mapping[str, Any]) -> BookRuling:
    made = BookRuling if row["source"] else partial(OwnRuling, number=row["number"])
    return made(
        reference=row["reference"],
        game=row["engine"],
        date=row["at"],
        clauses=tuple(row["clauses"].split()),
        line=row["action"],
        facts=json.loads(row["facts"]),
        remedy=row["remedy"],
        reason=row["reason"],
        authority=row["authority"],
        author=row["author"],
        readings=json.loads(row["readings"]),
        precedents=tuple(json.loads(row["precedents"])),
        overturned_by=row["overturned_by"],
    )


def relevant(
    store: Store,
    engine: str,
    clauses: Sequence[str],
    facts: Mapping[str, Any],
    *,
    here: str = "",
    limit: int = 8,
) -> list[Precedent]:
    """Earlier rulings on these clauses, each with the reason why it is relevant.

    Sorted: those of the same table (``here``), then those with the same broken facts, then the
    others; the newest first.
    """
    found: list[tuple[int, Precedent]] = []
    for ruling, source in read_book(store, game=engine):
        if not set(clauses) & set(ruling.clauses):
            continue
        if not source and here and ruling.reference.startswith(f"{here}/"):
            found.append((0, Precedent(ruling, source, "same_game")))
        elif facts and ruling.facts == dict(facts):
            found.append((1, Precedent(ruling, source, "same_facts")))
        else:
            found.append((2, Precedent(ruling, source, "same_clause")))
    return [precedent for _, precedent in sorted(found, key=lambda pair: pair[0])[:limit]]


# exchanging it


def book_of(store: Store, source: str, *, names: Mapping[str, str] | None = None) -> Book:
    """Export our own rulings. Authors are named only if their names are given."""
    names = names or {}
    own = [ruling for ruling, origin in read_book(store) if not origin]
    return Book(
        source=source,
        ruling=tuple(r.model_copy(update={"author": names.get(r.author, "")}) for r in own),
    )


def read_book_file(path: Path) -> Book:
    return check_book(read_toml_file(path, MAX_BOOK_BYTES))


def check_book(data: Mapping[str, Any]) -> Book:
    try:
        return Book.model_validate(data, context=SAID_NOW)
    except ValidationError as error:
        wrong = first_mistake(error)
        raise Unfit("bad_book", where=wrong.place, problem=wrong.problem) from None


def _stream_of(source: str) -> str:
    return BOOK + digest(canonical({"source": source}))[:16]


def take_over(store: Store, book: Book, *, author: Author) -> int:
    """Import the rulings of another club as precedents; returns how many are new here."""
    stream = _stream_of(book.source)
    known = {json.loads(row.body)["key"] for row in store.read(stream)}
    drafts = [draft for draft in _drafts(book) if draft.key not in known]
    if drafts:
        store.append(
            stream,
            drafts,
            expected=len(known) - 1,
            at=utc_now(),
            by=author.person,
            role=author.role,
        )
    return len(drafts)


def _drafts(book: Book) -> Iterable[Draft]:
    seen = set()
    for ruling in book.ruling:
        data = {"source": book.source, "ruling": ruling.model_dump(mode="json")}
        key = digest(canonical(data))
        if key not in seen:
            seen.add(key)
            yield Draft("precedent", 1, data, key)


def follow(now: None, body: Mapping[str, Any]) -> None:
    """One more stored ruling of another club, as verification replays it."""
    kind, data = body["kind"], body["data"]
    if kind != "precedent" or data.keys() != {"source", "ruling"}:
        raise UnreadableEntry("out_of_place", kind=kind[:40])
    book = check_book({"source": data["source"], "ruling": (data["ruling"],)})
    if body["stream"] != _stream_of(book.source):
        raise UnreadableEntry("out_of_place", kind=kind[:40])
