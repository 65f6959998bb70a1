"""Requests about proofs: heads, signatures, sealed values, round seals, verification."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from answers.declaration import Params
from answers.limits import EntryNumber
from referee.proof.commitments import SaltedValue
from referee.record.entries import Instant, Signed
from referee.tournament.values import Digest


class SignatureRequest(Params):
    """A signature made where the private key is, over all that it vouches for.

    That is ``referee signature 2`` and a line feed before the canonical JSON of the stream, the
    last entry (``seq`` is the one behind it) and its head, and of who signs: ``at``, ``by``,
    ``role`` (``GET /me``) and the ``Idempotency-Key`` of the request.
    """

    at: Instant
    entry: EntryNumber
    head: Digest
    key: Digest
    signature: Annotated[str, Field(pattern="^[0-9a-f]{128}$")]

    def to_args(self) -> dict[str, Any]:
        signed = Signed(
            form=2, seq=self.entry, head=self.head, key=self.key, signature=self.signature
        )
        return {"signed": signed, "at": self.at}


class RevealRequest(Params):
    salt: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    words: Annotated[
        list[Annotated[str, Field(max_length=200)]], Field(min_length=1, max_length=100)
    ]

    def to_args(self) -> dict[str, Any]:
        return {"secret": SaltedValue(salt=self.salt, words=tuple(self.words))}
