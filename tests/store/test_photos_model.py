"""Photographs of several games, some of them the same picture, added, erased and carried about.

Beside them a dict: which record names which pictures, and which of them it has brought itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from answers.admin import maintenance, stores
from answers.context import Caller, open_store_context
from answers.proof.verification import stored_records, verify
from answers.review import photos
from answers.review.import_export import ExportOptions, export, take_records
from referee.archive.record_zip import read_packed
from referee.errors import Conflicting, NotFound
from referee.proof.keys import KeyRing
from referee.store.sidecars.attachments import Attachment
from referee.store.sqlite.files import sqlite_url
from referee.table.openings import open_game
from referee.untrusted.photos import read_photo
from tests.photos import png

SENT = [png(8, 8 + more) for more in range(3)]
MADE = [read_photo(sent) for sent in SENT]
DIGESTS = [Attachment(made.content, made.small).digest for made in MADE]
STEPS = 30


class Book:
    """What a store should have: of each game its photographs, and the pictures it brought."""

    def __init__(self) -> None:
        self.named: dict[str, list[tuple[str, bool]]] = {}
        """Digests in their order, and whether they stand."""
        self.brought: dict[str, dict[str, bool]] = {}
        """Whether each picture is still there: False once the game has erased it."""

    def stands(self, game: str, digest: str) -> bool:
        return (digest, True) in self.named[game]

    def has(self, game: str, digest: str) -> bool:
        return self.brought.get(game, {}).get(digest, False)

    def bring(self, game: str, digest: str) -> None:
        self.brought.setdefault(game, {}).setdefault(digest, True)


class World:
    """A club, a copy of it, a club that takes its games over; and a book of each."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance, self.folder = Random(seed), folder
        self.books = {"club": Book(), "copy": Book(), "guest": Book()}
        self.saved: tuple[Path, Book] | None = None
        self.done: Counter[str] = Counter()
        with self.at("club") as club:
            for _ in range(3):
                self.books["club"].named[
                    open_game(club.bench, "pebbles", "table A B first A").game.id
                ] = []

    def url(self, place: str) -> str:
        return sqlite_url(self.folder / f"{place}.db")

    @contextmanager
    def at(self, place: str) -> Iterator[Caller]:
        context = open_store_context(self.url(place))
        try:
            yield Caller(context)
        finally:
            context.close()

    def step(self) -> None:
        kinds = [
            self.add, self.add, self.add, self.erase, self.erase, self.send, self.send_alone,
            self.forge, self.copy, self.save, self.restore,
        ]  # fmt: skip
        kind = self.chance.choice(kinds)
        self.done[kind(self.books["club"]) or kind.__name__] += 1

    def game(self) -> str:
        return self.chance.choice([*self.books["club"].named])

    def add(self, book: Book) -> str | None:
        game, which = self.game(), self.chance.randrange(len(SENT))
        digest = DIGESTS[which]
        was_erased = (digest, False) in book.named[game] and not book.stands(game, digest)
        with self.at("club") as club:
            if was_erased:
                with pytest.raises(Conflicting, match="photo_was_erased"):
                    photos.add(club, game, SENT[which])
                return "add again"
            photos.add(club, game, SENT[which])
        book.named[game].append((digest, True))
        if not book.has(game, digest):
            book.brought.setdefault(game, {})[digest] = True
        return None

    def erase(self, book: Book) -> str | None:
        game = self.game()
        if not (standing := [n for n, (_, stands) in enumerate(book.named[game]) if stands]):
            return "nothing"
        number = self.chance.choice(standing)
        digest, _ = book.named[game][number]
        with self.at("club") as club:
            photos.erase(club, game, f"f{number + 1}")
        book.named[game][number] = digest, False
        if book.stands(game, digest):
            return "erase one of two"
        book.brought.setdefault(game, {})[digest] = False
        return None

    def send(self, book: Book) -> str | None:
        """A game with its photographs goes to the other club."""
        return self.arrive(book, "zip", set(DIGESTS))

    def send_alone(self, book: Book) -> str | None:
        return self.arrive(book, "record", set())

    def arrive(self, book: Book, format: str, along: set[str]) -> str | None:
        game, guest = self.game(), self.books["guest"]
        with self.at("club") as club, self.at("guest") as there:
            packet = export(club, game, format, ExportOptions()).content
            try:
                take_records(there, [read_packed(packet)], continues=True)
            except Conflicting:
                return "the guest knows more"  # than the club since it was restored
        guest.named[game] = list(book.named[game])
        for digest in along:
            if book.has(game, digest) and book.stands(game, digest):
                guest.bring(game, digest)
        return None

    def forge(self, book: Book) -> None:
        """Somebody brings a record that names a picture of others, without it."""
        elsewhere = Caller(open_store_context("memory:"))
        game = open_game(elsewhere.bench, "pebbles", "table A B first A").game.id
        which = self.chance.randrange(len(SENT))
        photos.add(elsewhere, game, SENT[which])
        record = export(elsewhere, game, "record", ExportOptions()).content
        with self.at("club") as club:
            take_records(club, [read_packed(record)])
            assert photos.photos(club, game).data.photos[0].state == "missing"
            with pytest.raises(NotFound, match="photo_missing"):
                photos.photo(club, game, "f1")
        book.named[game] = [(DIGESTS[which], True)]

    def copy(self, book: Book) -> None:
        stores.copy(self.url("club"), self.url("copy"))
        copy = self.books["copy"]
        copy.named = deepcopy(book.named)
        for game, pictures in book.brought.items():
            for digest, there in pictures.items():
                copy.bring(game, digest)
                copy.brought[game][digest] &= there

    def save(self, book: Book) -> None:
        file = self.folder / f"saved-{self.done.total()}.db"
        made = maintenance.backup(self.url("club"), file)
        assert len(made.data.photos_missing) == len(self.lost(book))
        assert bool(made.warnings) == bool(made.data.photos_missing)
        self.saved = file, deepcopy(book)

    def restore(self, book: Book) -> str | None:
        if self.saved is None:
            return "nothing"
        file, then = self.saved
        names = self.chance.random() < 0.4
        maintenance.restore(self.url("club"), file, over=True, names=names)
        self.books["club"] = Book()
        self.books["club"].named = deepcopy(then.named)
        taken = names and then.brought
        self.books["club"].brought = deepcopy(then.brought if taken else book.brought)
        for beside in self.folder.glob("copy*"):  # what was copied since is more than the club has
            beside.unlink() if beside.is_file() else None
        self.books["copy"] = Book()
        return "restore with names" if names else None

    def lost(self, book: Book) -> set[tuple[str, str]]:
        return {
            (game, f"f{number}")
            for game, named in book.named.items()
            for number, (digest, stands) in enumerate(named, 1)
            if stands and not book.has(game, digest)
        }

    def compare(self, place: str, ring: KeyRing) -> None:
        book = self.books[place]
        with self.at(place) as caller:
            for game, named in book.named.items():
                rows = photos.photos(caller, game).data.photos
                assert [row.digest for row in rows] == [digest for digest, _ in named]
                for row, (digest, stands) in zip(rows, named, strict=True):
                    there = book.has(game, digest)
                    assert row.state == (
                        "erased" if not stands else "there" if there else "missing"
                    )
                    if stands and there:
                        content = photos.photo(caller, game, row.id).content
                        assert content == MADE[DIGESTS.index(digest)].content
                packet = export(caller, game, "zip", ExportOptions()).content
                inside = {name for name in ZipFile(BytesIO(packet)).namelist() if "photos/" in name}
                kept = {d for d in DIGESTS if book.stands(game, d) and book.has(game, d)}
                assert inside == {f"photos/{digest}.jpg" for digest in kept}
            report = verify(caller, stored_records(caller, book.named), ring)
            told = {(f"game-{w.facts['game']}", w.facts["id"]) for w in report.warnings}
            assert told == self.lost(book)
            here = caller.store_context.attachments.kept() if book.brought else {}
        expected = {
            (game, d): there for game, of in book.brought.items() for d, there in of.items()
        }
        assert {key: state == "there" for key, state in here.items()} == expected


RARE = ("erase one of two", "add again", "forge", "restore", "restore with names", "send", "copy")


def test_each_game_has_the_pictures_that_it_brought_and_erases_no_others(tmp_path: Path) -> None:
    done: Counter[str] = Counter()
    for seed in (1, 4, 5):
        (folder := tmp_path / str(seed)).mkdir()
        world = World(seed, folder)
        for number in range(STEPS):
            world.step()
            places = world.books if number % 5 == 4 else ("club",)
            for place in places:
                world.compare(place, KeyRing(tmp_path))
        done += world.done
    assert [kind for kind in RARE if not done[kind]] == []
