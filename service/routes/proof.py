"""What proves a record: heads, signatures, sealed values, round seals, verification."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Annotated

from pydantic import Field

from answers.answer import Answered
from answers.proof import commitments, round_seals, signatures, verification
from answers.proof.commitments import SecretAnswer, SecretListAnswer, SecretOpenAnswer
from answers.proof.round_seals import SealCheckAnswer, SealMakeAnswer
from answers.proof.signatures import HeadAnswer, SignAnswer
from answers.proof.verification import Record, VerifyAnswer
from referee.archive.record_files import read_record
from referee.errors import Misused
from referee.proof.commitments import Secret
from referee.proof.keys import KeyRing
from referee.proof.round_seals import RoundSeal
from referee.record.entries import Instant, Signed
from service.routing import Ask, Params, route

NO_KEYS = KeyRing(Path("/nonexistent"))
"""The service trusts nobody's key by itself: whoever checks a signature has the keys."""
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Signature(Params):
    """A signature made where the private key is, over all that it vouches for.

    That is ``referee signature 2`` and a line feed before the canonical JSON of the stream, the
    last entry (``seq`` is the one behind it) and its head, and of who signs: ``at``, ``by``,
    ``role`` (``GET /me``) and the ``Idempotency-Key`` of the request.
    """

    at: Instant
    entry: Annotated[int, Field(ge=0)]
    head: Hash
    key: Hash
    signature: Annotated[str, Field(pattern="^[0-9a-f]{128}$")]

    def signed(self) -> Signed:
        return Signed(
            form=2, seq=self.entry, head=self.head, key=self.key, signature=self.signature
        )


class Sealing(Params):
    """The hash of a secret; value and salt stay with the seat."""

    seat: Annotated[str, Field(max_length=1)]
    what: Annotated[str, Field(max_length=60)]
    digest: Hash


class Opening(Params):
    salt: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    words: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=1)]


class Heads(Params):
    heads: list[Annotated[str, Field(max_length=80)]] = []
    """Heads that were published, as they stand on score sheets."""


class Sealed(Params):
    title: Annotated[str, Field(min_length=1, max_length=200)]
    games: list[str] | None = None


@route("head")
def head(ask: Ask) -> Answered[HeadAnswer]:
    return signatures.head(ask.caller, ask.game)


@route("sign")
def sign(ask: Ask, said: Signature) -> Answered[SignAnswer]:
    return signatures.add_signature(ask.caller, ask.game, said.signed(), said.at, key=_key(ask))


def _key(ask: Ask) -> str:
    if ask.key is None:
        raise Misused("signature_needs_key")
    return ask.key


@route("tournament-head", answer="head")
def tournament_head(ask: Ask) -> Answered[HeadAnswer]:
    return signatures.head(ask.caller, ask.tournament)


@route("tournament-sign", answer="sign")
def sign_tournament(ask: Ask, said: Signature) -> Answered[SignAnswer]:
    return signatures.add_signature(
        ask.caller, ask.tournament, said.signed(), said.at, key=_key(ask)
    )


@route("secret-list")
def list_secrets(ask: Ask) -> Answered[SecretListAnswer]:
    return commitments.secrets(ask.caller, ask.game)


@route("secret-seal")
def seal(ask: Ask, said: Sealing) -> Answered[SecretAnswer]:
    return commitments.seal_hashed(
        ask.caller, ask.game, said.seat, said.what, said.digest, key=ask.key
    )


@route("secret-open")
def open_secret(ask: Ask, said: Opening) -> Answered[SecretOpenAnswer]:
    secret = Secret(salt=said.salt, words=tuple(said.words))
    return commitments.open_sealed(ask.caller, ask.game, ask.path["secret"], secret, key=ask.key)


@route("verify")
def verify(ask: Ask, wanted: Heads) -> Answered[VerifyAnswer]:
    ask.caller.everything(ask.game, "verify")
    records = verification.stored_records(ask.caller, [ask.game])
    return verification.verify(ask.caller, records, NO_KEYS, heads=wanted.heads)


@route("verify-all", answer="verify")
def verify_all(ask: Ask) -> Answered[VerifyAnswer]:
    return verification.verify_all(ask.caller, NO_KEYS)


@route("verify-record", answer="verify", takes_file=True, rehearses=True, public=True)
def verify_record(ask: Ask) -> Answered[VerifyAnswer]:
    found = read_record(BytesIO(ask.content))
    return verification.verify(ask.caller, [Record(found.stream, found.rows)], NO_KEYS)


@route("seal-make", rehearses=True)
def make_seal(ask: Ask, said: Sealed) -> Answered[SealMakeAnswer]:
    return round_seals.make(ask.caller, said.title, said.games, NO_KEYS)


@route("seal-check", rehearses=True)
def check_seal(ask: Ask, said: RoundSeal) -> Answered[SealCheckAnswer]:
    return round_seals.check(ask.caller, said, NO_KEYS)
