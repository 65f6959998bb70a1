"""Heads for score sheets, signatures, and the keys they are made with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.permissions import EVERYBODY, NOBODY, Tells, Writes
from answers.verdict_text import short
from engines.kernel.messages.catalogue import Verbatim
from referee.archive.record_files import is_tournament
from referee.errors import Misused
from referee.proof import signatures
from referee.proof.head_codes import head_code
from referee.proof.keys import KeyBook, KeyRing, Trusted
from referee.record.entries import Signed
from referee.table.author import By
from referee.table.bench import Answer
from referee.untrusted.safe_toml import write_toml


class HeadAnswer(Data):
    game: str
    code: str
    head: str
    entries: int
    at: str
    """When the last of them was told."""


class SignAnswer(Data):
    game: str
    entry: int
    signs: int
    """The last entry that the signature covers."""
    code: str
    head: str
    key: str


class KeyAnswer(Data):
    key: str
    name: str
    revoked: str | None
    reason: str


class KeyRow(KeyAnswer):
    own: bool


class KeyListAnswer(Data):
    keys: list[KeyRow]


class KeysTakenAnswer(Data):
    new: int
    revoked: int


@operation("head", "GET /games/{game}/head", grant=EVERYBODY, rename={"stream": "game"})
@operation(
    "tournament-head",
    "GET /tournaments/{tournament}/head",
    grant=EVERYBODY,
    rename={"stream": "tournament"},
    answer="head",
)
def head(caller: Caller, stream: str) -> Answered[HeadAnswer]:
    """A code that pins the record of a game or a tournament so far."""
    whole, count, at = _end_of(caller, stream)
    code = head_code(whole)
    about = "head.about_event" if is_tournament(stream) else "head.about"
    return Answered(
        lambda: HeadAnswer(game=stream, code=code, head=whole, entries=count, at=at),
        lambda voice: [code, "  " + voice.say(about, game=short(stream), count=count)],
    )


def _end_of(caller: Caller, stream: str) -> tuple[str, int, str]:
    """The head of a record, how many entries it has, and when it was last added to."""
    if is_tournament(stream):
        hosted = caller.store_context.desk.load(stream)
        return hosted.head, len(hosted.told), hosted.told[-1].at
    game = caller.game(stream)
    return game.head, len(game.entries), game.entries[-1].at


@operation(
    "sign",
    "POST /games/{game}/signatures",
    grant=Writes("signed"),
    served="add_signature",
    params="answers.requests.proof:SignatureRequest",
    rename={"stream": "game"},
    key_as_said=True,
)
@operation(
    "tournament-sign",
    "POST /tournaments/{tournament}/signatures",
    grant=Tells("tournament_signed"),
    served="add_signature",
    params="answers.requests.proof:SignatureRequest",
    rename={"stream": "tournament"},
    answer="sign",
    key_as_said=True,
)
def sign(
    caller: Caller, stream: str, ring: KeyRing, key_name: str, passphrase: str = ""
) -> Answered[SignAnswer]:
    """Vouch for the record of a game or a tournament as it stands."""
    if is_tournament(stream):
        from referee.tournament import proof

        _, signed = proof.sign(
            caller.store_context.desk,
            stream,
            ring,
            key_name,
            passphrase=passphrase,
            author=caller.author,
        )
        return vouched(stream, signed, key_name)
    answer = signatures.sign(
        caller.bench, stream, ring, key_name, passphrase=passphrase, by=By(caller.author)
    )
    return vouched(stream, _signature_in(answer), key_name)


def add_signature(caller: Caller, stream: str, signed: Signed, at: str) -> Answered[SignAnswer]:
    """Vouch for the record with a signature that was made where the key is.

    It covers the idempotency key, which therefore cannot be left out.
    """
    if caller.key is None:
        raise Misused("signature_needs_key")
    if is_tournament(stream):
        from referee.tournament import proof

        proof.add_signature(caller.store_context.desk, stream, signed, at, by=caller.by)
        return vouched(stream, signed, signed.key[:16])
    answer = signatures.add_signature(caller.bench, stream, signed, at, by=caller.by)
    return vouched(stream, _signature_in(answer), signed.key[:16])


def _signature_in(answer: Answer) -> Signed:
    made = answer.entries[0].data
    assert isinstance(made, Signed)
    return made


def vouched(stream: str, made: Signed, name: str) -> Answered[SignAnswer]:
    """The answer to whoever has signed."""
    code = head_code(made.head)
    return Answered(
        lambda: SignAnswer(
            game=stream,
            entry=made.seq + 1,
            signs=made.seq,
            code=code,
            head=made.head,
            key=made.key,
        ),
        lambda voice: [voice.say("sign.done", name=name, signs=made.seq, code=code)],
    )


# keys


@operation("keys-new", grant=NOBODY)
def new_key(ring: KeyRing, name: str, passphrase: str = "") -> Answered[KeyAnswer]:
    made = ring.new(name, passphrase)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("keys.made", name=made.name, key=made.key)
        yield "  " + voice.say("keys.made_more", name=made.name)

    return Answered(lambda: _key(made), render)


@operation("keys-list", grant=NOBODY)
def keys(ring: KeyRing) -> Answered[KeyListAnswer]:
    known, own = list(ring.trusted().values()), ring.own()

    def render(voice: Voice) -> list[str]:
        rows = columns((key.name, key.fingerprint, _standing(voice, key, own)) for key in known)
        return rows or [voice.say("keys.none")]

    def data() -> KeyListAnswer:
        rows = [KeyRow(**key.model_dump(mode="json"), own=key.name in own) for key in known]
        return KeyListAnswer(keys=rows)

    return Answered(data, render)


@operation("keys-show", grant=NOBODY)
def key(ring: KeyRing, name: str) -> Answered[KeyAnswer]:
    found, own = ring.find(name), ring.own()

    def render(voice: Voice) -> Iterator[str]:
        yield f"{found.name}  {found.key}"
        if standing := _standing(voice, found, own):
            yield standing

    return Answered(lambda: _key(found), render)


@operation("keys-trust", grant=NOBODY)
def trust(ring: KeyRing, name: str, public: str) -> Answered[KeyAnswer]:
    known = ring.trust(name, public)
    message = "keys.trusted" if known.name == name else "keys.known_as"
    return Answered(
        lambda: _key(known), lambda voice: [voice.say(message, name=name, known=known.name)]
    )


@operation("keys-revoke", grant=NOBODY)
def revoke(ring: KeyRing, name: str, since: str, reason: str) -> Answered[KeyAnswer]:
    gone = ring.revoke(name, since, reason)
    return Answered(
        lambda: _key(gone),
        lambda voice: [voice.say("keys.revoked", name=gone.name, since=_since(voice, gone))],
    )


def keys_file(ring: KeyRing, names: Sequence[str] = ()) -> tuple[str, int]:
    """Public keys as a file in TOML, and how many they are; all of them, if none is named."""
    chosen = [ring.find(name) for name in names] or list(ring.trusted().values())
    return write_toml({"keys": [key.model_dump(mode="json") for key in chosen]}), len(chosen)


@operation("keys-import", grant=NOBODY)
def take_keys(ring: KeyRing, found: KeyBook) -> Answered[KeysTakenAnswer]:
    new, revoked = ring.take_in(found)
    return Answered(
        lambda: KeysTakenAnswer(new=new, revoked=revoked),
        lambda voice: [voice.say("keys.imported", new=new, revoked=revoked)],
    )


def _key(key: Trusted) -> KeyAnswer:
    return KeyAnswer(**key.model_dump(mode="json"))


def _since(voice: Voice, key: Trusted) -> Verbatim:
    return Verbatim(voice.moment(key.revoked) if key.revoked is not None else "")


def _standing(voice: Voice, key: Trusted, own: Sequence[str]) -> str:
    words = [voice.say("keys.own")] if key.name in own else []
    if key.revoked is not None:
        words.append(voice.say("keys.status_revoked", since=_since(voice, key), reason=key.reason))
    return ", ".join(words)
