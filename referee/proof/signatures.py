"""Signatures on a record: scribe, judge or seats vouch for everything up to an entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from referee.errors import Misused
from referee.proof.keys import KeyRing, Trusted, is_signed
from referee.record.entries import Entry, Signed
from referee.record.game import Game
from referee.store.canon import canonical
from referee.table.author import SCRIBE, Author
from referee.table.bench import Answer, Bench, once

SignatureStatus = Literal["good", "unknown", "revoked", "wrong", "unchecked"]


def signed_message(game_id: str, seq: int, head: str) -> bytes:
    """What a signature is made over: the game is named, so that it fits no other."""
    return b"referee signature 1\n" + canonical({"game": game_id, "head": head, "seq": seq})


@once(Signed)
def sign(
    bench: Bench,
    game: Game,
    ring: KeyRing,
    key_name: str,
    *,
    passphrase: str = "",
    author: Author = SCRIBE,
    key: str | None = None,
) -> Answer:
    """Sign the record as it stands now: everything up to its last entry."""
    message = signed_message(game.id, game.version, game.head)
    public, signature = ring.sign(key_name, message, passphrase)
    entry = Signed(seq=game.version, head=game.head, key=public, signature=signature)
    return bench.tell(game, [entry], author, key)


@dataclass(frozen=True)
class CheckedSignature:
    seq: int
    """The entry that carries the signature."""
    signs: int
    """The last entry it covers."""
    key: str
    name: str
    role: str
    """In which role the signer spoke."""
    status: SignatureStatus


def check_signatures(
    game_id: str, entries: Sequence[Entry], trusted: Mapping[str, Trusted]
) -> list[CheckedSignature]:
    """Every signature of a record, and whether we believe it."""
    checked = []
    latest = ""
    for entry in entries:
        latest = max(latest, entry.at)
        if isinstance(entry.data, Signed):
            owner = trusted.get(entry.data.key)
            before = entries[: entry.seq]
            checked.append(
                CheckedSignature(
                    entry.seq,
                    entry.data.seq,
                    entry.data.key,
                    owner.name if owner is not None else "",
                    entry.role,
                    _status(game_id, before, entry.data, owner, latest),
                )
            )
    return checked


def _status(
    game_id: str, before: Sequence[Entry], data: Signed, owner: Trusted | None, latest: str
) -> SignatureStatus:
    """``latest``: the latest time in the chain so far, so that nobody signs back in time."""
    try:
        right = (
            data.seq < len(before)
            and before[data.seq].head == data.head
            and is_signed(data.key, signed_message(game_id, data.seq, data.head), data.signature)
        )
    except Misused:
        return "unchecked"
    if not right:
        return "wrong"
    if owner is None:
        return "unknown"
    return "good" if owner.good_at(latest) else "revoked"
