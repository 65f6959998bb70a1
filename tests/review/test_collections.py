"""Collections: chapters, notes and variations, and who sees and writes them."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode
from dataclasses import replace
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.context import Caller, StoreContext
from answers.review import collections
from answers.review.collection_files import collection_file
from answers.review.collections import OpensAt
from referee.archive.collections import (
    Collection,
    Write,
    folded,
    make_collection,
    read_collection,
    write_collection,
)
from referee.errors import Misused, NotAllowed, NotFound
from referee.record.entries import SPECTATOR
from referee.table.author import SCRIBE, Author, By
from tests.exports.tables import quiet_bench, recorded


@pytest.fixture
def store_context() -> StoreContext:
    return club_of_two_games()


def club_of_two_games() -> StoreContext:
    bench = quiet_bench()
    for _ in range(2):
        recorded(bench, "pebbles", limit=4)
    return StoreContext(bench.store, bench)


def person(store_context: StoreContext, name: str, role: str = "scribe", scope: str = "") -> Caller:
    found = store_context.people.find(name)
    known = found[0] if found else store_context.people.add(name)
    return Caller(store_context, Author(known, role), token="t", scope=scope)


GAMES = ("game-00000001", "game-00000002")


def test_a_study_has_chapters_in_an_order_with_notes_and_variations(
    store_context: StoreContext,
) -> None:
    ana = person(store_context, "Ana")
    made = collections.new(ana, "Ends", about="how it ends").data.collection
    for title, game in zip(("first", "second"), GAMES, strict=True):
        collections.put(ana, made, game=game, title=title, at=2)
    told = collections.put(ana, made, chapter="c2", place=1, title="now first").data
    assert [(one.id, one.title, one.at) for one in told.content] == [
        ("c2", "now first", 2), ("c1", "first", 2),
    ]  # fmt: skip
    played = store_context.bench.game(GAMES[0])
    action = played.steps[1].action
    assert action is not None
    first = played.engine.text(action)
    told = collections.note(ana, made, "c1", 1, "so it began", instead=[first]).data
    (note,) = told.content[1].notes
    assert (note.number, note.after, note.instead, note.author) == (1, 0, [first], "Ana")
    with pytest.raises(Misused, match="variation_illegal"):
        collections.note(ana, made, "c1", 1, instead=["A take 99"])
    with pytest.raises(NotFound, match="no_such_action"):
        collections.note(ana, made, "c1", 99, "beyond")
    with pytest.raises(Misused, match="nothing_to_note"):
        collections.note(ana, made, "c1", 1, " ")
    assert not collections.unnote(ana, made, "c1", note.id).data.content[1].notes
    assert [one.id for one in collections.remove(ana, made, "c2").data.content] == ["c1"]
    store = store_context.store
    assert read_collection(store, made) == folded(made, store.read(made))


def test_who_sees_it_and_who_writes_in_it(store_context: StoreContext) -> None:
    ana, bo = (person(store_context, name) for name in ("Ana", "Bo"))
    stranger = Caller(store_context, Author(role="spectator"))
    organiser = person(store_context, "Org", "organiser")
    made = collections.new(ana, "Ends").data.collection

    def readers() -> list[bool]:
        found = []
        for caller in (ana, bo, stranger, organiser):
            try:
                collections.collection(caller, made)
                found.append(True)
            except NotFound:
                found.append(False)
        return found

    def listing() -> list[int]:
        return [len(collections.collections(one).data.collections) for one in (ana, bo, stranger)]

    assert (readers(), listing()) == ([True, False, False, True], [1, 0, 0])
    collections.edit(ana, made, visibility="link")
    assert (readers(), listing()) == ([True] * 4, [1, 0, 0])
    with pytest.raises(NotAllowed, match="collection_of_others"):
        collections.put(bo, made, game=GAMES[0])
    collections.edit(ana, made, visibility="public")
    assert listing() == [1, 1, 1]
    with pytest.raises(NotAllowed, match="collection_of_others"):
        collections.edit(stranger, made, name="mine")
    collections.edit(ana, made, author="Bo")
    assert collections.put(bo, made, game=GAMES[0]).data.authors == ["Ana", "Bo"]
    collections.edit(ana, made, without="Bo")
    with pytest.raises(NotAllowed, match="collection_of_others"):
        collections.put(bo, made, game=GAMES[0])
    collections.edit(ana, made, without="Ana")
    assert collections.collection(ana, made).data.authors == ["Ana"]  # who made it stays


def test_a_game_that_one_may_not_see_is_not_seen_in_a_collection(
    store_context: StoreContext,
) -> None:
    ana = person(store_context, "Ana")
    made = collections.new(ana, "Ends", visibility="public").data.collection
    collections.put(ana, made, game=GAMES[0])
    collections.note(ana, made, "c1", 1, "a secret of the table")
    stranger = Caller(store_context, Author(role="spectator"), reaches=lambda stream, place: False)
    (chapter,) = collections.collection(stranger, made).data.content
    assert (chapter.game, chapter.notes) == (None, [])
    with pytest.raises(NotFound, match="no_such_game"):
        collections.put(replace(ana, reaches=lambda stream, place: False), made, game=GAMES[1])


def test_somebody_without_a_name_makes_none_and_a_repeated_request_makes_one(
    store_context: StoreContext,
) -> None:
    nameless = Caller(store_context, SCRIBE, token="t")
    with pytest.raises(NotAllowed, match="collection_needs_person"):
        collections.new(nameless, "Ends")
    ana = person(store_context, "Ana")
    made = {collections.new(ana, "Ends", key="once").data.collection for _ in range(2)}
    assert len(made) == 1
    for _ in range(2):
        told = collections.put(ana, *made, game=GAMES[0], key="twice").data
    assert len(told.content) == 1
    with pytest.raises(Misused, match="collection_needs_name"):
        collections.new(ana, "  ")


def test_two_who_write_at_once_are_both_heard(store_context: StoreContext) -> None:
    store = store_context.store
    made = make_collection(store, name="E", about="", visibility="private", by=By(SCRIBE))
    calls: list[int] = []

    def saying(now: Collection) -> Write:
        if not calls:
            calls.append(1)
            write_collection(
                store, made.id, lambda now: ("collection_changed", {"about": "b"}), by=By(SCRIBE)
            )
        return "collection_changed", {"name": "F"}

    after = write_collection(store, made.id, saying, by=By(SCRIBE))
    assert (after.name, after.about) == ("F", "b")


SHARED = cache(club_of_two_games)
PLACES = st.none() | st.integers(1, 6)
MOMENTS: st.SearchStrategy[OpensAt | None] = st.sampled_from([None, "end", 0, 2])
PUTTING = st.tuples(st.sampled_from(["add", "move", "remove"]), st.integers(0, 9), PLACES, MOMENTS)


@settings(max_examples=25)
@given(told=st.lists(PUTTING, max_size=9))
def test_chapters_stand_and_open_where_they_were_put(
    told: list[tuple[str, int, int | None, OpensAt | None]],
) -> None:
    """Beside a plain list: new ones, those that are moved, and what is left when one goes."""
    ana = person(SHARED(), "Ana")
    now = collections.new(ana, "Ends")
    made = now.data.collection
    order: list[str] = []
    opens: dict[str, OpensAt | None] = {}
    for number, (what, which, place, at) in enumerate(told):
        title = f"t{number}" if what == "add" else order[which % len(order)] if order else ""
        chapter = next((one.id for one in now.data.content if one.title == title), None)
        if what == "add":
            now = collections.put(ana, made, game=GAMES[0], title=title, at=at, place=place)
            order.insert(len(order) if place is None else place - 1, title)
        elif chapter is not None and what == "move":
            now = collections.put(ana, made, chapter=chapter, title=title, at=at, place=place)
            if place is not None:
                order.remove(title)
                order.insert(place - 1, title)
        elif chapter is not None:
            now = collections.remove(ana, made, chapter)
            order.remove(title)
        if at is not None:
            opens[title] = None if at == "end" else at
        assert [(one.title, one.at) for one in now.data.content] == [
            (title, opens.get(title)) for title in order
        ]


NOTING = st.tuples(
    st.sampled_from(["add", "remove", "note", "note", "note", "unnote"]), st.integers(0, 9)
)


@settings(max_examples=25)
@given(told=st.lists(NOTING, min_size=3, max_size=10))
def test_every_note_stays_where_it_was_written_until_it_is_taken_away(
    told: list[tuple[str, int]],
) -> None:
    """Beside lists of texts; an id that was given once is never given again."""
    ana = person(SHARED(), "Ana")
    made = collections.new(ana, "Ends").data.collection
    now = collections.put(ana, made, game=GAMES[0]).data
    given_ids, texts = {now.content[0].id}, list[list[str]]([[]])
    for number, (what, which) in enumerate(told):
        at = which % len(texts) if texts else 0
        before = {one.id for one in now.content} | {
            note.id for one in now.content for note in one.notes
        }
        if what == "add":
            now = collections.put(ana, made, game=GAMES[which % 2]).data
            texts.append([])
        elif not texts:
            continue
        elif what == "remove":
            now = collections.remove(ana, made, now.content[at].id).data
            del texts[at]
        elif what == "note":
            now = collections.note(ana, made, now.content[at].id, 1, f"n{number}").data
            texts[at].append(f"n{number}")
        elif texts[at]:
            gone = now.content[at].notes[which % len(texts[at])]
            now = collections.unnote(ana, made, now.content[at].id, gone.id).data
            texts[at].remove(gone.text)
        assert [[note.text for note in one.notes] for one in now.content] == texts
        after = {one.id for one in now.content} | {
            note.id for one in now.content for note in one.notes
        }
        assert (after - before).isdisjoint(given_ids)
        given_ids |= after


def test_a_whole_collection_is_one_page_with_its_own_notes(store_context: StoreContext) -> None:
    """Each chapter can be walked, opens where it says, and tells what the collection notes.
    Other formats are refused."""
    ana = person(store_context, "Ana")
    made = collections.new(ana, "Ends <b>", visibility="public").data.collection
    for game in GAMES:
        collections.put(ana, made, game=game, title=f"of {game}", at=2)
    line = store_context.bench.game(GAMES[0]).steps[2]
    instead = store_context.bench.game(GAMES[0]).engine.text(line.action) if line.action else ""
    collections.note(ana, made, "c1", 2, "a note of ours", instead=[instead])
    page = collection_file(ana, made).content
    told = [
        msgspec.json.decode(gzip.decompress(b64decode(packed)))
        for packed in re.findall(rb'id="story2?">([^<]*)<', page)
    ]
    assert [one["chapters"] for one in told] == [[f"of {game}" for game in GAMES]] * 2
    assert [one["at"] for one in told] == [2, 2]
    first, second = (one["languages"]["en"] for one in told)
    noted = [note["text"] for step in first["steps"] for note in step["notes"]]
    assert [text for text in noted if text.endswith("a note of ours")]
    assert [len(one["steps"]) for one in first["variations"]] == [1]
    assert not [note for step in second["steps"] for note in step["notes"]]
    assert b"<title>Ends &lt;b&gt;</title>" in page
    stranger = person(store_context, "Zoe", SPECTATOR, GAMES[1])
    with pytest.raises(NotFound):
        collection_file(stranger, made, "gif")
