"""Operations that are not one request: keys and secrets stay here, or there are several files."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from answers.answer import Answered
from answers.proof import commitments as sealing
from answers.proof import signatures
from answers.proof.commitments import SecretAnswer, SecretShowAnswer
from answers.proof.signatures import SignAnswer
from answers.review import import_export
from answers.review.import_export import ImportAnswer
from cli.remote import build_request
from cli.remote.client import ServiceClient
from cli.remote.http import Reply
from cli.remote.responses import answered
from referee.archive.record_files import RecordFile, is_tournament
from referee.errors import Conflicting, NotFound
from referee.proof.commitments import Keep, SaltedValue, check_sealable
from referee.proof.keys import KeyRing
from referee.proof.signatures import Signer, signature_of
from referee.record.game import seal_digest
from referee.table.bench import new_key

_OF_GAME = "GET /games/{game}/head", "POST /games/{game}/signatures", "game"
_OF_TOURNAMENT = (
    "GET /tournaments/{tournament}/head",
    "POST /tournaments/{tournament}/signatures",
    "tournament",
)


def sign(
    there: ServiceClient, stream: str, ring: KeyRing, key_name: str, passphrase: str = ""
) -> Answered[SignAnswer]:
    """Sign here with the local key; send the signature, with the time of the service."""
    head, sign, about = _OF_TOURNAMENT if is_tournament(stream) else _OF_GAME
    end = there.data(head, {about: stream})
    at, key = max(end["at"], there.connection.time), new_key()
    signer = Signer(end["entries"], at, there.author.person, there.author.role, key)
    made = signature_of(ring, key_name, passphrase, stream, end["head"], signer)
    said = {
        "at": at,
        "entry": made.seq,
        "head": made.head,
        "key": made.key,
        "signature": made.signature,
    }
    there.ask(sign, {about: stream}, said, key=key)
    return signatures.vouched(stream, made, key_name)


def seal(
    there: ServiceClient, game_id: str, keep: Keep, seat: str, what: str, value: Sequence[str]
) -> Answered[SecretAnswer]:
    """Commit: the service gets the hash; value and salt are stored here first."""
    check_sealable(what)
    secret = SaltedValue(salt=secrets.token_hex(16), words=tuple(value))
    digest = seal_digest(game_id, seat.upper(), what, secret.salt, list(secret.words))
    keep.put(game_id, digest, secret)
    said = {"seat": seat.upper(), "what": what, "digest": digest}
    reply = there.ask("POST /games/{game}/secrets", {"game": game_id}, said, key=there.key)
    assert isinstance(reply, Reply)
    return answered(sealing.seal, reply, there.voice)


def kept_secret(there: ServiceClient, game_id: str, keep: Keep, seal_id: str) -> SaltedValue:
    found = keep.get(game_id, _sealed(there, game_id, seal_id)["digest"])
    if found is None:
        raise NotFound("not_kept", id=seal_id)
    return found


def show(
    there: ServiceClient, game_id: str, keep: Keep, seal_id: str
) -> Answered[SecretShowAnswer]:
    sealed = _sealed(there, game_id, seal_id)
    if sealed["value"] is not None:
        raise Conflicting("already_open", id=seal_id)
    there.author.must_speak_for(sealed["seat"])
    return sealing.shown(game_id, seal_id, kept_secret(there, game_id, keep, seal_id))


def take_records(
    there: ServiceClient, records: Sequence[RecordFile], *, continues: bool = False, **_: Any
) -> Answered[ImportAnswer]:
    """Upload records one by one; those before a failing one stay imported."""
    replies = []
    for record in records:
        content = build_request.record_file(record)
        reply = there.ask("POST /imports", {}, {"continues": continues}, content=content)
        assert isinstance(reply, Reply)
        replies.append(reply)
    games = [game for reply in replies for game in reply.data["games"]]
    told = [line for reply in replies for line in reply.told]
    warnings = [line for reply in replies for line in reply.warnings]
    reply = Reply({"games": games}, told, warnings, "done")
    return answered(import_export.take_records, reply, there.voice)


def _sealed(there: ServiceClient, game_id: str, seal_id: str) -> dict[str, Any]:
    for sealed in there.data("GET /games/{game}/secrets", {"game": game_id})["secrets"]:
        if sealed["id"] == seal_id:
            return dict(sealed)
    raise NotFound("no_such_secret", id=seal_id)


APART: dict[Callable[..., Any], Callable[..., Any]] = {
    signatures.sign: sign,
    sealing.seal: seal,
    sealing.kept_secret: kept_secret,
    sealing.show: show,
    import_export.take_records: take_records,
}
"""The client-side implementation of each of these operations."""
