"""Precedents: rulings listed, searched, and exchanged between clubs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.known_games import known_games, known_rulings, people_of, places
from answers.left_out import left_out
from answers.limits import Clause, EngineName, Search, Source
from answers.permissions import EVERYBODY, JUDGES, KEEPERS
from answers.play.info import game_row
from answers.verdict_text import told_line
from engines.kernel.dialogue.clause_text import reading_in_words
from engines.kernel.registry import load_engine
from referee.archive.precedents import Book, BookRuling, book_of, read_book, take_over
from referee.errors import NotAllowed, NotFound
from referee.record.entries import Remedy
from referee.secrecy.query_guard import view_of


class RulingAnswer(Data):
    reference: str
    game: str
    date: str
    clauses: list[str]
    line: str
    facts: dict[str, Any]
    remedy: Remedy
    reason: str
    authority: str
    author: str
    readings: dict[str, str]
    precedents: list[str]
    overturned_by: str
    source: str
    """The club it was taken over from; empty for a ruling of this store."""
    number: int | None = None
    """The action it is about, where it is of this store and names one."""
    title: str = ""
    """What that table is called; may be empty."""
    players: dict[str, str] = {}
    """Who plays there, by seat, as far as the caller may know them."""


class RulingListAnswer(Data):
    rulings: list[RulingAnswer]


class BookTakenAnswer(Data):
    source: str
    rulings: int
    new: int


def ruling_answer(ruling: BookRuling, source: str) -> RulingAnswer:
    return RulingAnswer.made_of(ruling, source=source)


def _with_tables(caller: Caller, found: list[tuple[BookRuling, str]]) -> list[RulingAnswer]:
    """Rulings, each with the table it was made at."""
    tables = {row["game"]: row for row in known_games(caller)} if found else {}
    told = []
    for ruling, source in found:
        row = None if source else tables.get(ruling.reference.partition("/")[0])
        table = None if row is None else game_row(caller, row)
        named = {} if table is None else {"title": table.title, "players": table.players}
        told.append(ruling_answer(ruling, source).model_copy(update=named))
    return told


@operation("ruling-list", "GET /rulings", grant=EVERYBODY, scope="token")
def rulings(
    caller: Caller,
    *,
    game: EngineName | None = None,
    clause: Clause | None = None,
    search: Search = "",
) -> Answered[RulingListAnswer]:
    """Own and imported rulings, the newest first, within the caller's scope."""
    found = known_book(caller, game, clause, search)
    if search and caller.viewer is not None:
        found = [(ruling, source) for ruling, source in found if source or ruling.says(search)]

    def render(voice: Voice) -> Iterator[str]:
        people = people_of(caller) if found else {}
        for ruling, source in found:
            yield from _card(voice, caller, ruling, source, people)
        if not found:
            yield voice.say("ruling.none")

    return Answered(
        lambda: RulingListAnswer(rulings=_with_tables(caller, found)),
        render,
        warnings=left_out(caller),
    )


def known_book(
    caller: Caller, game: str | None = None, clause: str | None = None, search: str = ""
) -> list[tuple[BookRuling, str]]:
    """Rulings and their sources, as far as the caller may know them."""
    book = read_book(caller.store_context.store, game=game, clause=clause, words=search)
    played = places(caller)
    if caller.scope:
        book = [each for each in book if _concerns(caller, *each, played)]
    book = known_rulings(caller, book, played)
    return [(_shown(caller, ruling, source), source) for ruling, source in book]


@operation(
    "ruling-show",
    "GET /games/{game}/rulings/{ruling}",
    grant=EVERYBODY,
    etag="content",
)
def ruling(caller: Caller, ruling: str, game_id: str | None = None) -> Answered[RulingAnswer]:
    """One ruling; ``r2`` is of the game named."""
    found, source = find_ruling(caller, ruling, game_id)
    return Answered(
        lambda: _with_tables(caller, [(found, source)])[0],
        lambda voice: _card(voice, caller, found, source, people_of(caller)),
    )


def find_ruling(
    caller: Caller, reference: str, game_id: str | None = None
) -> tuple[BookRuling, str]:
    """A ruling and its source, ours before others'."""
    wanted = reference if "/" in reference or game_id is None else f"{game_id}/{reference}"
    book = sorted(read_book(caller.store_context.store), key=lambda pair: bool(pair[1]))
    named = [each for each in book if each[0].reference in (wanted, f"game-{wanted}")]
    for found, source in known_rulings(caller, named, places(caller) if named else {}):
        return _shown(caller, found, source), source
    raise NotFound("no_such_ruling", ruling=reference)


@operation("ruling-export", "GET /rulings/book", grant=KEEPERS, file="rulings.toml", slow=True)
def book(caller: Caller, source: Source, *, names: bool = False) -> Book:
    """Export of all rulings for other clubs; ``names`` includes the judges' names."""
    if caller.viewer is not None:
        raise NotAllowed("needs_judge_view", what="export", view=view_of(caller.viewer))
    store = caller.store_context.store
    authors = {ruling.author for ruling, _ in read_book(store)} - {"", "anonymous"}
    known = {person: caller.name(person) for person in authors} if names else {}
    return book_of(store, source, names=known)


@operation(
    "ruling-import",
    "POST /rulings/book",
    grant=JUDGES,
    params="referee.archive.precedents:Book",
    rename={"book": "*"},
    slow=True,
)
def take_over_book(caller: Caller, book: Book) -> Answered[BookTakenAnswer]:
    """Import the rulings of another club, kept beside our own."""
    new = take_over(caller.store_context.store, book, author=caller.author)
    count = len(book.ruling)
    return Answered(
        lambda: BookTakenAnswer(source=book.source, rulings=count, new=new),
        lambda voice: [voice.say("ruling.imported", source=book.source, count=count, new=new)],
    )


def _concerns(caller: Caller, ruling: BookRuling, source: str, places: Mapping[str, str]) -> bool:
    game = ruling.reference.partition("/")[0]
    return not source and caller.speaks_for(game, places.get(game, ""))


def _shown(caller: Caller, ruling: BookRuling, source: str) -> BookRuling:
    return ruling if source or caller.viewer is None else ruling.without_play()


def _card(
    voice: Voice,
    caller: Caller,
    ruling: BookRuling,
    source: str,
    people: Mapping[str, Mapping[str, str]],
) -> Iterator[str]:
    """One ruling, as it is read out; the ``people`` of a game of ours are called by name."""
    own = {} if source else people.get(ruling.reference.partition("/")[0], {})
    voice = voice.at(own)
    remedy = voice.say(f"remedied.{ruling.remedy}")
    head = f"{ruling.reference}  {voice.day(ruling.date)}  {ruling.game}  {remedy}"
    yield voice.mark("bold", head)
    line = told_line(voice, load_engine(ruling.game), ruling.line) if ruling.line else ""
    if about := [part for part in (" ".join(ruling.clauses), line) if part]:
        yield "  " + "  ".join(about)
    yield f"  {ruling.reason}"
    by = caller.name(ruling.author) if ruling.author not in ("", "anonymous") else ""
    if told := " · ".join(part for part in (by, ruling.authority, source) if part):
        yield f"  {voice.say('ruling.by', who=told)}"
    for name, value in ruling.readings.items():
        reading = reading_in_words(load_engine(ruling.game), name, value)
        yield f"  {voice.say('ruling.reads', reading=reading)}"
    if ruling.precedents:
        yield f"  {voice.say('ruling.cites', rulings=', '.join(ruling.precedents))}"
    if ruling.overturned_by:
        yield "  " + voice.say("ruling.overturned", by=ruling.overturned_by)
