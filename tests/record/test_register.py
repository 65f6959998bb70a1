"""What a record keeps by a name of its own: beside what its stored bytes say, read naively.

Each deed comes behind each other, on several things of the same kind: the second confirmation of a
seat, a picture that two photographs show, another seal beside one that is open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.errors import Conflicting, RefereeError
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import cancel_penalty, penalise
from referee.proof.commitments import Keep, open_value, seal_value
from referee.proof.verify import verify
from referee.record.entries import EntryData, entry_data
from referee.record.fold import fold
from referee.record.game import Game
from referee.record.history import seen_by_camera
from referee.store.envelopes import Stored
from referee.store.sidecars.attachments import Attachments
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.confirmations import confirm, confirm_seen
from referee.table.lifecycle import close, reopen
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.photos import erase_photo, photograph
from referee.table.play import log
from referee.untrusted.photos import Photo

SEATS = (Author("pana", "seat:A"), Author("pbo", "seat:B"))
WORDS = ("one", "other")


class Told:
    """By name, from the bytes of a record; what was said last counts."""

    def __init__(self, rows: Iterable[Stored]) -> None:
        self.kept: dict[str, dict[str, Any]] = {}
        self.end: int | None = None
        for row in rows:
            entry = json.loads(row.body)
            kind, data = entry["kind"], entry["data"]
            named = self.of(kind)
            match kind:
                case "confirmed":
                    named[data["seat"]] = data
                case "unnoted":
                    del self.of("noted")[data["id"]]
                case "seen":
                    named |= {
                        str(number): data.get("confirmed", False) for number in data["numbers"]
                    }
                case "closed" | "reopened":
                    self.end = entry["seq"] if kind == "closed" else None
                case "opened" | "logged" | "dispute_closed":
                    pass
                case _:
                    named[data["id"]] = data

    def of(self, kind: str) -> dict[str, Any]:
        return self.kept.setdefault(kind, {})

    def showing(self) -> set[str]:
        erased = self.of("photo_erased")
        return {one["digest"] for id, one in self.of("photographed").items() if id not in erased}

    def agreed(self) -> bool:
        seqs = [self.of("confirmed").get(seat, {}).get("seq", -1) for seat in "AB"]
        return self.end is not None and min(seqs) >= self.end


def kept_by(game: Game) -> dict[str, Any]:
    """What the game says of all this, in the same words."""
    named: dict[str, Any] = {
        "sealed": game.seals, "unsealed": game.unsealed, "confirmed": game.confirmed,
        "photographed": game.photos, "photo_erased": game.photos_erased,
        "penalised": game.penalties, "penalty_cancelled": game.cancelled, "noted": game.notes,
        "disputed": game.disputes,
    }  # fmt: skip
    found = {kind: {id: plain(data) for id, data in each.items()} for kind, each in named.items()}
    seen = {str(number): how == "confirmed" for number, how in seen_by_camera(game).items()}
    return {**found, "seen": seen}


def plain(data: EntryData) -> Any:
    return json.loads(json.dumps(entry_data(data)))


class Table:
    def __init__(self, bench: Bench, id: str, folder: Path, chance: Random) -> None:
        self.bench, self.id, self.chance = bench, id, chance
        self.keep, self.attachments = Keep(folder), Attachments(None)

    @property
    def game(self) -> Game:
        return self.bench.game(self.id)

    def some(self, named: Iterable[str]) -> str:
        """Any of them, or one that there is not; the last two most often."""
        known = [*named]
        return self.chance.choice([*known, *known[-2:] * 3, "x0"])

    def seal(self) -> None:
        words = [self.chance.choice(WORDS)]
        seal_value(self.bench, self.id, self.keep, self.chance.choice("AB"), "hand", words)

    def reveal(self) -> None:
        """What was sealed is there, however much was sealed since."""
        name = self.some(game.seals) if (game := self.game).seals else "s0"
        seal = game.seals.get(name)
        secret = self.keep.get(self.id, seal.digest if seal else "")
        assert (secret is None) == (seal is None)
        if secret is not None:
            open_value(self.bench, self.id, name, secret)
            assert plain(self.game.unsealed[name])["value"] == [*secret.words]

    def confirm(self) -> None:
        confirm(self.bench, self.id, by=By(self.chance.choice(SEATS)))

    def photograph(self) -> None:
        """One that was erased is not taken again, one that is shown may be."""
        known = len(self.game.photos)
        photo = Photo(bytes([self.chance.randint(known // 3, known // 2 + 2)]), b"-", 4, 3)
        digest, told = sha256(photo.content).hexdigest(), self.told()
        was = {one["digest"] for one in told.of("photographed").values()}
        if digest in was - told.showing():
            with pytest.raises(Conflicting, match="photo_was_erased"):
                photograph(self.bench, self.id, self.attachments, photo)
        else:
            photograph(self.bench, self.id, self.attachments, photo)

    def erase(self) -> None:
        erase_photo(self.bench, self.id, self.some(self.game.photos), by=By(JUDGE))

    def penalise(self) -> None:
        penalise(self.bench, self.id, self.chance.choice("AB"), "warning", "slow", by=By(JUDGE))

    def cancel(self) -> None:
        cancel_penalty(self.bench, self.id, self.some(self.game.penalties), "no", by=By(JUDGE))

    def note(self) -> None:
        number = self.chance.randint(0, self.game.last_number)
        annotate(self.bench, self.id, number, Annotation(self.chance.choice(WORDS)))

    def unnote(self) -> None:
        remove_note(self.bench, self.id, self.some(self.game.notes))

    def dispute(self) -> None:
        dispute(self.bench, self.id, 0, seat=self.chance.choice("AB"))

    def withdraw(self) -> None:
        withdraw(self.bench, self.id, self.some(self.game.disputes), by=By(JUDGE))

    def log(self) -> None:
        sight: Any = self.chance.choice([None, *["unconfirmed"] * 3, "confirmed"])
        log(self.bench, self.id, "audit heap 12", by=By(SCRIBE), by_sight=sight)

    def see(self) -> None:
        doubtful = [number for number, how in seen_by_camera(self.game).items() if how[0] == "u"]
        confirm_seen(
            self.bench, self.id, self.chance.choice([*doubtful, *doubtful, 0]), by=By(SCRIBE)
        )

    def close(self) -> None:
        close(self.bench, self.id, reason="late", by=By(JUDGE))

    def reopen(self) -> None:
        reopen(self.bench, self.id, reason="on", by=By(JUDGE))

    def told(self) -> Told:
        return Told(self.bench.store.read(self.id))


FAMILIES = (
    ("seal", "reveal"), ("confirm", "close", "reopen"), ("photograph", "erase"),
    ("penalise", "cancel"), ("note", "unnote"), ("dispute", "withdraw"), ("log", "see"),
)  # fmt: skip
"""Deeds that touch the same things."""
IMPOSSIBLE = {("close", "close"), ("reopen", "reopen")}
MOST = 800
"""Steps until every pair has been there; usually some 200."""


@pytest.mark.parametrize("seed", range(2))
def test_what_is_kept_by_its_name_is_what_was_said_last_of_it(
    bench: Bench, table: str, tmp_path: Path, seed: int
) -> None:
    one = Table(bench, table, tmp_path, Random(seed))
    missing = {pair for family in FAMILIES for pair in product(family, repeat=2)} - IMPOSSIBLE
    last: dict[tuple[str, ...], str] = {}
    for _ in range(MOST):
        family = one.chance.choice(FAMILIES)
        deed = one.chance.choice(family)
        try:
            getattr(one, deed)()
        except RefereeError:
            continue
        missing.discard((last.get(family, ""), deed))
        last[family] = deed
        game, told = one.game, one.told()
        kept = {kind: each for kind, each in kept_by(game).items() if each}
        assert kept == {kind: each for kind, each in told.kept.items() if each}, deed
        assert {photo.digest for photo in game.standing_photos.values()} == told.showing()
        assert game.agreed == told.agreed()
        if not missing:
            break
    assert not missing
    assert kept_by(fold(table, bench.store.read(table))) == kept_by(one.game)
    assert verify(table, bench.store.read(table)).ok
