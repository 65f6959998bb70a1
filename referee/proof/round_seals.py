"""Seals over all games of a round: one file that an organiser publishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, Field, ValidationError

from engines.kernel.messages.errors import first_mistake
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Unfit
from referee.proof.keys import KeyRing, Trusted, is_signed
from referee.store.canonical_json import canonical, digest
from referee.store.event_store import Store
from referee.untrusted.safe_json import MAX_INTEGER


class SealedGame(BaseModel):
    model_config = STRICT

    game: str = Field(pattern=r"^(game|tournament)-[a-z0-9]{1,40}$")
    entries: int = Field(ge=1, le=MAX_INTEGER)
    head: str = Field(pattern=r"^[0-9a-f]{64}$")


class RoundSeal(BaseModel):
    """A file the organiser publishes: after it, no game of the round can change unnoticed."""

    model_config = STRICT

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


class SealProblem(Struct, frozen=True):
    game: str
    key: str
    """A key of the catalogue: ``seal.<key>``."""
    breaks: bool = True
    """False: the seal is whole, but we do not know whose it is."""


def check_seal(store: Store, seal: RoundSeal, trusted: Mapping[str, Trusted]) -> list[SealProblem]:
    """What in the store differs from the seal."""
    problems = list(_problems_of_file(seal, trusted))
    for game in seal.games:
        rows = store.read(game.game)
        if len(rows) < game.entries:
            problems.append(SealProblem(game.game, "cut_off" if rows else "missing"))
        elif rows[game.entries - 1].head != game.head:
            problems.append(SealProblem(game.game, "rewritten"))
    return problems


def _problems_of_file(seal: RoundSeal, trusted: Mapping[str, Trusted]) -> Iterator[SealProblem]:
    if root_of(seal.games) != seal.root:
        yield SealProblem("", "root_wrong")
    if not seal.signature:
        yield SealProblem("", "unsigned", breaks=False)
        return
    owner = trusted.get(seal.key)
    if not is_signed(seal.key, seal_message(seal.title, seal.at, seal.root), seal.signature):
        yield SealProblem("", "signature_wrong")
    elif owner is None:
        yield SealProblem("", "signature_unknown", breaks=False)
    elif not owner.good_at(seal.at):
        yield SealProblem("", "signature_revoked")
    elif owner.revoked is not None:
        # The file says itself when it was made: whoever has the key may say anything.
        yield SealProblem("", "signature_in_doubt", breaks=False)


def read_seal(data: Mapping[str, Any]) -> RoundSeal:
    try:
        return RoundSeal.model_validate(data)
    except ValidationError as error:
        raise Unfit("bad_file", file="seal", problem=first_mistake(error).phrase) from None
