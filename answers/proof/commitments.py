"""Commitments: a seat seals a value now (salted hash) and opens it later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from answers.answer import Answered, Data
from answers.changes import raised
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice, columns
from answers.limits import SeatLetter, Tag
from answers.permissions import EVERYBODY, NOBODY, Writes
from answers.verdict_text import finding_line, hint_line
from answers.verdicts import FindingAnswer
from engines.kernel import Verbatim
from referee.errors import NotFound
from referee.proof.commitments import Keep, SaltedValue, open_value, seal_digest_of, seal_value
from referee.record.entries import SealedValue, Unsealed
from referee.record.game import Game
from referee.table.bench import Answer
from referee.tournament.values import Digest


class SecretAnswer(Data):
    game: str
    id: str
    seat: str
    what: str
    digest: str
    value: Any
    """None as long as it is sealed."""


class SecretOpenAnswer(SecretAnswer):
    findings: list[FindingAnswer]
    disputes: list[str]


class SecretShowAnswer(Data):
    game: str
    id: str
    salt: str
    value: list[str]


class SecretListAnswer(Data):
    game: str
    secrets: list[SecretAnswer]


@operation(
    "secret-seal",
    "POST /games/{game}/secrets",
    grant=Writes("sealed"),
    served="seal_hashed",
    described=True,
)
def seal(
    caller: Caller, game_id: str, keep: Keep, seat: str, what: str, value: Sequence[str]
) -> Answered[SecretAnswer]:
    """Commit a seat to a secret; ``keep`` remembers value and salt for its owner."""
    answer = seal_value(caller.bench, game_id, keep, seat.upper(), what, [*value], by=caller.by)
    return _sealed(answer)


def seal_hashed(
    caller: Caller, game_id: str, seat: SeatLetter, what: Tag, digest: Digest
) -> Answered[SecretAnswer]:
    """The hash of a secret; value and salt stay with the seat."""
    return _sealed(seal_digest_of(caller.bench, game_id, seat.upper(), what, digest, by=caller.by))


def _sealed(answer: Answer) -> Answered[SecretAnswer]:
    made, game = answer.entries[0].data, answer.game
    assert isinstance(made, SealedValue)

    def render(voice: Voice) -> Iterator[str]:
        seat = voice.called(made.seat, game.seats)
        yield voice.say("secret.sealed", id=made.id, seat=seat, what=made.what)
        if made.what not in game.engine.sealed:
            yield "  " + voice.say("secret.not_checked", known=sorted(game.engine.sealed))

    return Answered(lambda: _secret(game, made), render)


@operation(
    "secret-open",
    "POST /games/{game}/secrets/{secret}/opening",
    grant=Writes("unsealed"),
    params="answers.requests.proof:RevealRequest",
    rename={"seal_id": "secret", "secret": "*"},
)
def open_sealed(
    caller: Caller, game_id: str, seal_id: str, secret: SaltedValue
) -> Answered[SecretOpenAnswer]:
    """Tell the secret; the engine says what it proves of the game."""
    answer = open_value(caller.bench, game_id, seal_id, secret, by=caller.by)
    game, disputes = answer.game, raised(answer)
    findings = game.seal_findings(seal_id)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("secret.opened", id=seal_id, value=Verbatim(" ".join(secret.words)))
        for finding in findings:
            yield f"  {finding_line(voice.at(game.seats), game.engine, finding)}"
        for dispute in disputes:
            yield f"  {voice.say('tell.dispute_opened', id=dispute)}"

    def data() -> SecretOpenAnswer:
        secret = _secret(game, game.seals[seal_id])
        return SecretOpenAnswer.made_of(secret, findings=findings, disputes=disputes)

    return Answered(data, render)


def kept_secret(caller: Caller, game_id: str, keep: Keep, seal_id: str) -> SaltedValue:
    """What is kept of a sealed value, for its owner."""
    game = caller.game(game_id)
    found = keep.get(game.id, game.seal_named(seal_id).digest)
    if found is None:
        raise NotFound("not_kept", id=seal_id)
    return found


@operation("secret-show", grant=NOBODY)
def show(caller: Caller, game_id: str, keep: Keep, seal_id: str) -> Answered[SecretShowAnswer]:
    """The secret itself, as long as it is sealed, to the seat that has sealed it."""
    game = caller.game(game_id)
    caller.author.must_speak_for(game.closed_seal(seal_id).seat, game.seats)
    return shown(game_id, seal_id, kept_secret(caller, game_id, keep, seal_id))


def shown(game_id: str, seal_id: str, kept: SaltedValue) -> Answered[SecretShowAnswer]:
    """A secret, told to its owner."""
    words = " ".join(kept.words)

    def render(voice: Voice) -> Iterator[str]:
        yield words
        yield from hint_line(voice, "secret.elsewhere", id=seal_id, value=words, salt=kept.salt)

    return Answered(
        lambda: SecretShowAnswer(game=game_id, id=seal_id, salt=kept.salt, value=[*kept.words]),
        render,
    )


@operation("secret-list", "GET /games/{game}/secrets", grant=EVERYBODY)
def secrets(caller: Caller, game_id: str) -> Answered[SecretListAnswer]:
    """The sealed secrets of a game, and which of them were opened."""
    game = caller.game(game_id)

    def render(voice: Voice) -> list[str]:
        rows = columns(
            (seal.id, seal.seat, seal.what, _status(voice, game.unsealed.get(seal.id)))
            for seal in game.seals.values()
        )
        return rows or [voice.say("secret.none")]

    def data() -> SecretListAnswer:
        rows = [_secret(game, seal) for seal in game.seals.values()]
        return SecretListAnswer(game=game.id, secrets=rows)

    return Answered(data, render)


def _status(voice: Voice, opened: Unsealed | None) -> str:
    if opened is None:
        return voice.say("secret.status_sealed")
    words = " ".join(map(str, opened.value)) if isinstance(opened.value, list) else "…"
    return voice.say("secret.status_open", value=Verbatim(words))


def _secret(game: Game, seal: SealedValue) -> SecretAnswer:
    opened = game.unsealed.get(seal.id)
    value = opened.value if opened is not None else None
    return SecretAnswer.made_of(seal, game=game.id, value=value)
