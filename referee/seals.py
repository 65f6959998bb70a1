"""Signatures on a record, and seals over all games of a round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engines.kernel.actions import PlainText
from referee.bench import Answer, Author, Bench
from referee.entries import Signed
from referee.errors import Unfit
from referee.keys import KeyRing, Trusted, is_signed
from referee.record import Game
from referee.store.base import Store
from referee.store.canon import canonical, digest

SignatureStatus = Literal["good", "unknown", "revoked", "wrong"]


def signed_message(game_id: str, seq: int, head: str) -> bytes:
    """What a signature is made over: the game is named, so that it fits no other."""
    return b"referee signature 1\n" + canonical({"game": game_id, "head": head, "seq": seq})


def sign(
    bench: Bench,
    game_id: str,
    ring: KeyRing,
    key_name: str,
    *,
    passphrase: str = "",
    author: Author,
    key: str | None = None,
) -> Answer:
    """Sign the record as it stands now: everything up to its last entry."""
    game = bench.game(game_id)
    message = signed_message(game.id, game.version, game.head)
    public, signature = ring.sign(key_name, message, passphrase)
    entry = Signed(seq=game.version, head=game.head, key=public, signature=signature)
    return bench.record(game, [entry], author, key)


@dataclass(frozen=True)
class CheckedSignature:
    seq: int
    """The entry that carries the signature."""
    signs: int
    """The last entry it covers."""
    key: str
    name: str
    status: SignatureStatus


def check_signatures(game: Game, trusted: Mapping[str, Trusted]) -> list[CheckedSignature]:
    """Every signature of a record, and whether we believe it."""
    checked = []
    for entry in game.entries:
        data = entry.data
        if not isinstance(data, Signed):
            continue
        owner = trusted.get(data.key)
        right = data.seq < entry.seq and game.entries[data.seq].head == data.head
        right = right and is_signed(
            data.key, signed_message(game.id, data.seq, data.head), data.signature
        )
        status: SignatureStatus = "wrong"
        if right:
            status = "unknown" if owner is None else "good"
            if owner is not None and not owner.good_at(entry.at):
                status = "revoked"
        name = owner.name if owner is not None else ""
        checked.append(CheckedSignature(entry.seq, data.seq, data.key, name, status))
    return checked


# seals of a round


class SealedGame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str = Field(pattern=r"^(game|tournament)-[a-z0-9]{1,40}$")
    entries: int = Field(ge=1)
    head: str = Field(pattern=r"^[0-9a-f]{64}$")


class RoundSeal(BaseModel):
    """A file the organiser publishes: after it, no game of the round can change unnoticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: PlainText = Field(max_length=200)
    at: PlainText = Field(max_length=40)
    games: tuple[SealedGame, ...] = Field(min_length=1, max_length=5000)
    root: str = Field(pattern=r"^[0-9a-f]{64}$")
    key: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    signature: str = Field(default="", pattern=r"^([0-9a-f]{128})?$")


def root_of(games: Iterable[SealedGame]) -> str:
    """One hash over the heads of all games, in the order of their ids."""
    rows = sorted((game.game, game.entries, game.head) for game in games)
    return digest(canonical([list(row) for row in rows]))


def seal_message(title: str, at: str, root: str) -> bytes:
    return b"referee seal 1\n" + canonical({"at": at, "root": root, "title": title})


def make_seal(
    store: Store,
    streams: Sequence[str],
    title: str,
    at: str,
    ring: KeyRing | None = None,
    key_name: str = "",
    passphrase: str = "",
) -> RoundSeal:
    games = []
    for stream in sorted(set(streams)):
        rows = store.read(stream)
        if not rows:
            raise Unfit("nothing_to_seal", game=stream)
        games.append(SealedGame(game=stream, entries=len(rows), head=rows[-1].head))
    if not games:
        raise Unfit("nothing_to_seal", game="–")
    root = root_of(games)
    key = signature = ""
    if ring is not None and key_name:
        key, signature = ring.sign(key_name, seal_message(title, at, root), passphrase)
    return RoundSeal(
        title=title, at=at, games=tuple(games), root=root, key=key, signature=signature
    )


@dataclass(frozen=True)
class SealProblem:
    game: str
    key: str
    """A key of the catalogue: ``seal.<key>``."""


def check_seal(store: Store, seal: RoundSeal, trusted: Mapping[str, Trusted]) -> list[SealProblem]:
    """What in the store is no longer as it was sealed."""
    problems = []
    if root_of(seal.games) != seal.root:
        problems.append(SealProblem("", "root_wrong"))
    if seal.signature:
        message = seal_message(seal.title, seal.at, seal.root)
        owner = trusted.get(seal.key)
        if not is_signed(seal.key, message, seal.signature):
            problems.append(SealProblem("", "signature_wrong"))
        elif owner is None:
            problems.append(SealProblem("", "signature_unknown"))
        elif not owner.good_at(seal.at):
            problems.append(SealProblem("", "signature_revoked"))
    for game in seal.games:
        rows = store.read(game.game)
        if len(rows) < game.entries:
            problems.append(SealProblem(game.game, "cut_off" if rows else "missing"))
        elif rows[game.entries - 1].head != game.head:
            problems.append(SealProblem(game.game, "rewritten"))
    return problems


def read_seal(data: Mapping[str, Any]) -> RoundSeal:
    try:
        return RoundSeal.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unfit("bad_file", file="seal", problem=f"{where}: {first['msg']}") from None
