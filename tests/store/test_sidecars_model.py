"""Names, what is known of people, their pictures, boxes, and what addresses are owed: beside dicts.

Told, renamed, erased and brought from one store to the other at random: whoever was erased stays
so, and what a store knows already stays as it is.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from referee.store import StoreError
from referee.store.sidecars import people as sidecar
from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Boxes, Seen
from referee.store.sidecars.people import People
from referee.store.sidecars.webhooks import Owed, Webhooks
from referee.store.urls import open_boxes, open_people

STEPS = max(120, int(os.environ.get("REFEREE_CHAOS", "0")))
SEEDS = range(3)
NAMES = ("Ann Lee", "ann lee", "Émile Roy", "emile  roy", "Lee Bo", "Bo", "Zoé", "élan")
LAST = ("", "Lee", "Roy", "Bo")
POOL = ("paaaaaaaaaa", "pbbbbbbbbbb", "pcccccccccc")
"""Pseudonyms that come from elsewhere."""
EMBLEM = "tournament-x"
STRANGER = "pnobody2345"


def tidy(name: str) -> str:
    return " ".join(name.split())


def folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", tidy(name).casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


@dataclass
class Person:
    """Somebody without a name is erased."""

    name: str
    details: dict[str, str] = field(default_factory=dict)


class Book:
    """One store on paper."""

    def __init__(self, people: People) -> None:
        self.kept = people
        self.people: dict[str, Person] = {}
        self.faces: dict[str, bytes] = {}

    def known(self, person: str) -> bool:
        return person in self.people and self.people[person].name != ""

    def erase(self, person: str) -> None:
        self.people[person] = Person("")  # where it stands already, it keeps its place
        self.faces.pop(person, None)

    def rename(self, person: str, name: str) -> None:
        one = self.people[person]
        one.name, words = name, name.split()
        last = one.details.get("last_name", "")
        if last and name != last and last not in (words[0], words[-1]):
            del one.details["last_name"]

    def describe(self, person: str, **told: str) -> None:
        if self.known(person):
            details = self.people[person].details | told
            self.people[person].details = {key: value for key, value in details.items() if value}

    def take_from(self, other: Book) -> None:
        for person, theirs in other.people.items():
            if not theirs.name:
                self.erase(person)
            else:
                self.people.setdefault(person, Person(theirs.name))
                if self.known(person) and not self.people[person].details:
                    self.describe(person, **theirs.details)
        for owner, content in other.faces.items():
            if self.people.get(owner, Person("-")).name:
                self.faces.setdefault(owner, content)

    def says(self, everyone: list[str]) -> dict[str, Any]:
        named = {person: one.name for person, one in self.people.items() if one.name}
        return {
            "names": named,
            "one by one": [named.get(person) for person in everyone],
            "everybody": sorted(named.items(), key=lambda row: (folded(row[1]), row[0])),
            "found": [
                tuple(person for person, each in named.items() if folded(each) == folded(name))
                for name in NAMES
            ],
            "details": {p: one.details for p, one in self.people.items() if one.details},
            "faces": {
                owner: sha256(content).hexdigest()
                for owner, content in self.faces.items()
                if owner in everyone
            },
            "pictures": [self.faces.get(owner) for owner in everyone],
        }

    def kept_says(self, everyone: list[str]) -> dict[str, Any]:
        kept = self.kept
        details = kept.details(everyone)
        return {
            "names": kept.names(everyone),
            "one by one": [kept.name(person) for person in everyone],
            "everybody": kept.everybody(),
            "found": [kept.find(name) for name in NAMES],
            "details": {p: {k: v for k, v in each if v} for p, each in details.items()},
            "faces": kept.faces(everyone),
            "pictures": [kept.face(owner) for owner in everyone],
        }


@pytest.fixture
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidecar, "AT_ONCE", 2)


@pytest.fixture
def books(store_url: str, few_at_once: None) -> Iterator[tuple[Book, Book]]:
    with closing(open_people(store_url)) as ours, closing(People(None)) as theirs:
        yield Book(ours), Book(theirs)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_details_and_pictures_of_two_stores(books: tuple[Book, Book], seed: int) -> None:
    names_of_two_stores(books, seed)


@pytest.mark.usefixtures("few_at_once")
def test_names_details_and_pictures_of_two_stores_in_memory() -> None:
    with closing(People(None)) as ours, closing(People(None)) as theirs:
        names_of_two_stores((Book(ours), Book(theirs)), len(SEEDS))


def names_of_two_stores(books: tuple[Book, Book], seed: int) -> None:
    chance = Random(seed)
    everyone = [*POOL, EMBLEM, STRANGER]
    done = []
    for _ in range(STEPS):
        book, other = chance.sample(books, 2)
        person, name = chance.choice(everyone[:-1]), chance.choice(NAMES)
        deed = chance.choice(["add", *["adopt", "describe", "show", "copy"] * 3, "rename", "hide"])
        deed = "erase" if chance.random() < 0.05 else deed
        match deed:
            case "add" if len(everyone) < 12:
                person = book.kept.add(name)
                book.people[person] = Person(tidy(name))
                everyone.insert(0, person)
            case "adopt" if person != EMBLEM:
                book.kept.adopt(person, name)
                book.people.setdefault(person, Person(tidy(name)))
            case "rename" if book.known(person):
                book.kept.rename(person, name)
                book.rename(person, tidy(name))
            case "rename":
                with pytest.raises(StoreError, match="unknown_person"):
                    book.kept.rename(person, name)
            case "erase":
                book.kept.erase(person)
                book.erase(person)
            case "describe":
                told = {"last_name": chance.choice(LAST), "licence": chance.choice(["", "12"])}
                told = dict(chance.sample([*told.items()], chance.randint(1, 2)))
                book.kept.describe(person, **told)
                book.describe(person, **told)
            case "show":
                content = chance.choice([b"one", b"other"])
                assert book.kept.show(person, content) == sha256(content).hexdigest()
                book.faces[person] = content
            case "hide":
                assert book.kept.hide(person) == (book.faces.pop(person, None) is not None)
            case "copy":
                assert other.kept.copy_to(book.kept) == len(other.people)
                book.take_from(other)
        done.append(deed)
        for each in books:
            assert each.kept_says(everyone) == each.says(everyone), done[-6:]


# boxes


KITS = (("toy", "club"), ("toy", "other"), ("second", "club"))
PAGES = ("front", "back")
CLAUSES = ("TOY-1", "TOY-2")


@dataclass
class Box:
    data: dict[str, Seen] = field(default_factory=dict)
    photos: dict[str, Attachment] = field(default_factory=dict)
    boards: dict[str, Any] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    """The rulebook's own sentences, by clause; and photographs of them."""
    shown: dict[str, Attachment] = field(default_factory=dict)

    def tell(self, seen: Seen) -> None:
        """What is told last stands last."""
        self.data.pop(seen.path, None)
        self.data[seen.path] = seen


Shelf = dict[tuple[str, str], Box]
BOX_DEEDS = ("show", "hide", "place", "copy")
SHOWN: Any = (Attachment(b"one", b"1"), Attachment(b"other", b"2"), None)


def said_by(shelf: Shelf) -> dict[str, Any]:
    said: dict[str, Any] = {
        game: sorted(
            kit for (of, kit), box in shelf.items() if of == game and box.data | box.photos
        )
        for game in ("toy", "second")
    }
    for (game, kit), box in shelf.items():
        digests = {page: photo.digest for page, photo in box.photos.items()}
        wording = {
            clause: (box.said.get(clause, ""), shown.digest if shown else "", shown)
            for clause in CLAUSES
            if (shown := box.shown.get(clause)) or box.said.get(clause)
        }
        said[f"{game} {kit}"] = ([*box.data.values()], digests, box.photos, box.boards, wording)
    return said


def kept_in(boxes: Boxes) -> dict[str, Any]:
    said: dict[str, Any] = {game: boxes.names(game) for game in ("toy", "second")}
    for key in KITS:
        shown = {page: boxes.photo(*key, page) for page in PAGES}
        boards = {board: boxes.placing(*key, board) for board in boxes.boards(*key)}
        photos = {page: photo for page, photo in shown.items() if photo is not None}
        wording = {
            clause: (*one, boxes.wording_photo(*key, clause))
            for clause, one in boxes.wording(*key).items()
        }
        said[" ".join(key)] = (boxes.seen(*key), boxes.photos(*key), photos, boards, wording)
    return said


@pytest.mark.parametrize("seed", SEEDS)
def test_boxes_of_two_stores(store_url: str, seed: int) -> None:
    boxes_of_two_stores(store_url, seed)


def test_boxes_of_two_stores_in_memory() -> None:
    boxes_of_two_stores("memory:", len(SEEDS))


def boxes_of_two_stores(store_url: str, seed: int) -> None:
    """Of what both have, that of the store from which they are brought counts."""
    chance = Random(seed)
    with closing(open_boxes(store_url)) as ours, closing(Boxes(None)) as theirs:
        kept, shelves = [ours, theirs], [{key: Box() for key in KITS} for _ in range(2)]
        for _ in range(STEPS):
            at, key, page = chance.randrange(2), chance.choice(KITS), chance.choice(PAGES)
            boxes, box = kept[at], shelves[at][key]
            clause, shown = chance.choice(CLAUSES), chance.choice(SHOWN)
            match chance.choice([*["tell", "word", "photograph"] * 2, *BOX_DEEDS]):
                case "word":
                    box.said[clause] = chance.choice(["as it stands", "é", ""])
                    boxes.word(*key, clause, box.said[clause])
                case "photograph":
                    boxes.show_wording(*key, clause, shown)
                    box.shown.pop(clause, None)
                    if shown is not None:
                        box.shown[clause] = shown
                case "tell":
                    paths = chance.sample(["hats", "pegs", "page.x"], chance.randint(1, 3))
                    values = ["é", 0, None, [1, 2]]
                    seen = [Seen(path, chance.choice(values), "counted") for path in paths]
                    boxes.tell(*key, seen)
                    for each in seen:
                        box.tell(each)
                case "show":
                    photo = chance.choice(SHOWN[:2])
                    boxes.show(*key, page, photo)
                    box.photos[page] = photo
                case "hide":
                    boxes.hide(*key, page)
                    box.photos.pop(page, None)
                case "place":
                    placing = chance.choice([{"places": {"F1": [1, 2]}}, {}, None, 0])
                    boxes.place(*key, page, placing)
                    box.boards[page] = placing
                case "copy":
                    from_there = shelves[1 - at]
                    told = sum(len(each.data) for each in from_there.values())
                    assert kept[1 - at].copy_to(boxes) == told
                    for where, theirs_there in from_there.items():
                        for one in theirs_there.data.values():
                            shelves[at][where].tell(one)
                        shelves[at][where].photos |= theirs_there.photos
                        shelves[at][where].boards |= theirs_there.boards
                        shelves[at][where].shown |= theirs_there.shown
                        told_there = {
                            name: said for name, said in theirs_there.said.items() if said
                        }
                        shelves[at][where].said |= told_there
            assert [kept_in(each) for each in kept] == [said_by(shelf) for shelf in shelves]


@dataclass
class Address:
    """Who is told of what, on paper."""

    position: int
    owed: set[Owed] = field(default_factory=set)
    failures: int = 0
    problem: str = ""
    disabled: bool = False
    standings: dict[str, str] = field(default_factory=dict)


@pytest.mark.parametrize("seed", SEEDS)
def test_addresses_and_what_each_of_them_is_owed(seed: int) -> None:
    """Several of one entry, of two streams; what becomes of one is nothing to the others."""
    chance = Random(seed)
    streams, happenings = ("game-a", "tournament-b"), ("game_over", "result_in", "round_paired")
    with closing(Webhooks(None)) as kept:
        book: dict[str, Address] = {}
        for step in range(STEPS):
            if len(book) < 2 or (len(book) < 4 and chance.random() < 0.1):
                made = kept.add("", f"http://x/{step}", happenings[:2], "en", step % 5, f"k{step}")
                assert kept.add("", "http://y", (), "fr", 9, f"k{step}") == made, "asked again"
                book[made.id] = Address(made.position)
            id = chance.choice([*book])
            mine, stream = book[id], chance.choice(streams)
            match chance.choice(["owe", "owe", "settle", "settle", "back", *DEEDS]):
                case "owe":
                    upto = mine.position + chance.randint(0, 2)
                    found = [
                        Owed(id, number, each, stream, number)
                        for number in range(mine.position, upto + 1)
                        for each in chance.sample(happenings, 2)
                    ]
                    known = {each[:3] for each in mine.owed}
                    mine.owed |= {each for each in found if each[:3] not in known}
                    mine.position = upto
                    kept.owe(id, upto, found)
                case "settle" if mine.owed:
                    gone = chance.choice(sorted(mine.owed))
                    mine.owed.discard(gone)
                    kept.settle(gone)
                case "back":
                    mine.position = max(0, mine.position - chance.randint(0, 3))
                    mine.owed = {each for each in mine.owed if each.number <= mine.position}
                    kept.go_back(id, mine.position)
                case "remove":
                    kept.remove(id)
                    del book[id]
                case "enable" | "arrival" as deed:
                    mine.failures, mine.problem = 0, ""
                    mine.disabled = mine.disabled and deed == "arrival"
                    (kept.enable if deed == "enable" else kept.note_arrival)(id)
                case "failure":
                    mine.disabled = chance.random() < 0.3
                    mine.failures, mine.problem = mine.failures + 1, f"error {step}"
                    wait = None if mine.disabled else timedelta(seconds=5)
                    kept.note_failure(id, mine.problem, wait)
                case "standings":
                    mine.standings[stream] = f"digest {step}"
                    kept.note_standings(id, stream, f"digest {step}")
            assert {
                each.id: (each.position, each.failures, each.problem, bool(each.disabled))
                for each in kept.all()
            } == {
                id: (one.position, one.failures, one.problem, one.disabled)
                for id, one in book.items()
            }
            for id, one in book.items():
                assert kept.owed(id) == sorted(one.owed)
                told = {stream: kept.standings_told(id, stream) for stream in streams}
                assert told == dict.fromkeys(streams, "") | one.standings


DEEDS = ("remove", "enable", "arrival", "failure", "standings")
"""What else becomes of an address."""
