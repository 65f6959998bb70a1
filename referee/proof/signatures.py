"""Signatures over everything up to an entry, of a game or of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from engines.kernel.values.structs import evolve
from referee.errors import Conflicting, Misused, Unfit
from referee.proof.keys import KeyRing, Trusted, is_signed
from referee.record.entries import Entry, Signed
from referee.record.game import Game
from referee.store.canonical_json import canonical
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, once

SignatureStatus = Literal["good", "unknown", "doubtful", "revoked", "wrong", "unchecked"]


class Signer(NamedTuple):
    """Who signs, in which role and when, as the signing entry says it."""

    seq: int
    at: str
    by: str
    role: str
    key: str


def vouched(stream: str, before: str, signer: Signer) -> bytes:
    """The signed message: the record so far, and who signs it in which role and when.

    ``before`` is the head of the entry before the one that carries the signature. The record is
    named, so that the signature cannot be reused for another.
    """
    said = {**signer._asdict(), "head": before, "stream": stream}
    return b"referee signature 2\n" + canonical(said)


def vouched_in_form_1(stream: str, before: str, signer: Signer) -> bytes:
    """The signed message of version 0.1.0: the record alone."""
    said = {"game": stream, "head": before, "seq": signer.seq - 1}
    return b"referee signature 1\n" + canonical(said)


_FORMS = {1: vouched_in_form_1, 2: vouched}


def signature_of(
    ring: KeyRing, key_name: str, passphrase: str, stream: str, before: str, signer: Signer
) -> Signed:
    """The data of an entry that signs all that is before it."""
    public, signature = ring.sign(key_name, vouched(stream, before, signer), passphrase)
    return Signed(form=2, seq=signer.seq - 1, head=before, key=public, signature=signature)


@once(Signed)
def sign(
    bench: Bench,
    game: Game,
    ring: KeyRing,
    key_name: str,
    *,
    passphrase: str = "",
    by: By = BY_SCRIBE,
) -> Answer:
    """Sign the record as it stands now: everything up to its last entry."""
    at, key = bench.moment(game), by.key or bench.new_key()
    signer = Signer(game.version + 1, at, by.author.person, by.author.role, key)
    data = signature_of(ring, key_name, passphrase, game.id, game.head, signer)
    return bench.tell(game, [data], By(by.author, key, at))


@once(Signed)
def add_signature(
    bench: Bench, game: Game, signed: Signed, at: str, *, by: By = BY_SCRIBE
) -> Answer:
    """Record a signature that was made elsewhere, just now, with a key that stayed there."""
    assert by.key is not None, "a signature covers the idempotency key"
    signer = Signer(signed.seq + 1, at, by.author.person, by.author.role, by.key)
    if (signed.seq, signed.head) != (game.version, game.head) or at < game.entries[-1].at:
        raise Conflicting("signs_another", entry=signed.seq)
    if at > bench.moment(game) or not is_signed(
        signed.key, vouched(game.id, signed.head, signer), signed.signature
    ):
        raise Unfit("signature_wrong", entry=signed.seq)
    return bench.tell(game, [signed], By(by.author, by.key, at))


class CheckedSignature(Struct, frozen=True):
    seq: int
    """The entry that carries the signature."""
    signs: int
    """The last entry before it that it covers."""
    key: str
    name: str
    role: str
    """In which role the signer spoke."""
    at: str
    status: SignatureStatus
    covers_signer: bool
    """It covers author, role and time of the signer as well."""

    @property
    def covers(self) -> int:
        """The last entry that nobody has changed, if the signature is good."""
        return self.seq if self.covers_signer else self.signs


def check_signatures(
    stream: str,
    entries: Sequence[Entry],
    trusted: Mapping[str, Trusted],
    published: int = -1,
) -> list[CheckedSignature]:
    """Every signature of a record, and whether we believe it.

    ``published``: the last entry whose head is known from elsewhere.
    """
    checked = []
    latest, before = "", ""
    for entry in entries:
        latest = max(latest, entry.at)
        data = entry.data
        if isinstance(data, Signed):
            owner = trusted.get(data.key)
            checked.append(
                CheckedSignature(
                    entry.seq,
                    data.seq,
                    data.key,
                    owner.name if owner is not None else "",
                    entry.role,
                    entry.at,
                    _status(stream, before, entry, data, owner, latest),
                    data.form == 2,
                )
            )
        before = entry.head
    return _borne_out(checked, published)


def _status(
    stream: str, before: str, entry: Entry, data: Signed, owner: Trusted | None, latest: str
) -> SignatureStatus:
    """Whether to trust a signature.

    ``latest`` is the latest time in the chain so far: a signature cannot be dated back before it.
    """
    signer = Signer(entry.seq, entry.at, entry.by, entry.role, entry.key)
    message = _FORMS[data.form](stream, before, signer)
    try:
        right = (data.seq, data.head) == (entry.seq - 1, before) and is_signed(
            data.key, message, data.signature
        )
    except Misused:
        return "unchecked"
    if not right:
        return "wrong"
    if owner is None:
        return "unknown"
    if owner.revoked is None:
        return "good"
    return "doubtful" if owner.good_at(latest) else "revoked"


def _borne_out(found: list[CheckedSignature], published: int) -> list[CheckedSignature]:
    """Settle signatures by keys that were revoked later: good only if something backs them.

    With a stolen key somebody could write a whole record, dated back. A good signature of another
    key behind it, or a head known from elsewhere, rules that out.
    """
    known = max((one.covers for one in found if one.status == "good"), default=-1)
    known = max(known, published)
    return [
        evolve(one, status="good") if one.status == "doubtful" and one.seq <= known else one
        for one in found
    ]
