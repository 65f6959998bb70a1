"""Sealed values: a seat commits itself to a secret, and tells it later.

The record gets a salted hash, then salt and value. Until then they are in a file of the
seat's own, readable by nobody else. The opened value is checked by the engine like a claim.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from engines.kernel import Finding, Moment, OpenedSeal, Phrase
from engines.kernel.rules.actions import PlainText
from engines.kernel.values.models import STRICT
from referee.errors import Misused, Unfit
from referee.proof.keys import folder_lock, write_private
from referee.record.entries import Disputed, Entry, EntryData, SealedValue, Unsealed, findings_data
from referee.record.game import Game, seal_digest
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, IdempotencyKeyReused, once
from referee.untrusted.safe_toml import stem_of

_WHAT = re.compile(r"[a-z0-9][a-z0-9_ -]{0,59}")


class SaltedValue(BaseModel):
    model_config = STRICT

    salt: str = Field(pattern=r"^[0-9a-f]{32}$")
    words: tuple[PlainText, ...] = Field(min_length=1, max_length=100)


class _Kept(BaseModel):
    model_config = STRICT

    secrets: dict[str, SaltedValue] = {}


class Keep:
    """Private files, one per game, with the secrets that were committed here, by digest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, game_id: str, digest: str, secret: SaltedValue) -> None:
        """Write durably, under a lock against concurrent writers."""
        with folder_lock(self.folder):
            kept = {**self._read(game_id).secrets, digest: secret}
            write_private(self._path(game_id), _Kept(secrets=kept))

    def get(self, game_id: str, digest: str) -> SaltedValue | None:
        return self._read(game_id).secrets.get(digest)

    def _path(self, game_id: str) -> Path:
        return self.folder / f"{stem_of(game_id)}.json"

    def _read(self, game_id: str) -> _Kept:
        path = self._path(game_id)
        try:
            return _Kept.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return _Kept()
        except ValidationError:
            raise Unfit("bad_file", file=path.name, problem=Phrase("flaw.not_a_keep")) from None


def _sealed_again(
    game: Game,
    entries: tuple[Entry, ...],
    keep: Keep,
    seat: str,
    what: str,
    words: Sequence[str],
    **options: Any,
) -> Answer:
    """Idempotent replay of a sealing.

    A dry run cannot tell, because the salt is random: the kept words show whether it is the same.
    """
    sealed = entries[0].data
    assert isinstance(sealed, SealedValue)
    kept = keep.get(game.id, sealed.digest)
    if (sealed.seat, sealed.what) != (seat, what) or (kept and kept.words != tuple(words)):
        raise IdempotencyKeyReused("key_reused", key=entries[0].key, entry=entries[0].seq)
    return Answer(game, entries)


@once(SealedValue, again=_sealed_again)
def seal_value(
    bench: Bench,
    game: Game,
    keep: Keep,
    seat: str,
    what: str,
    words: Sequence[str],
    *,
    by: By = BY_SCRIBE,
) -> Answer:
    """Commit to a secret: record its salted hash.

    The secret is written to the keep first, so that no recorded hash is ever without one.
    """
    _check_name(game, seat, what)
    secret = SaltedValue(salt=secrets.token_hex(16), words=tuple(words))
    _check_form(game, seat, what, secret.words)
    digest = seal_digest(game.id, seat, what, secret.salt, list(secret.words))
    entry = _sealed(game, seat, what, digest)
    bench.attempt(game, [entry], by)
    keep.put(game.id, digest, secret)
    return bench.tell(game, [entry], by)


@once(SealedValue)
def seal_digest_of(
    bench: Bench, game: Game, seat: str, what: str, digest: str, *, by: By = BY_SCRIBE
) -> Answer:
    """Record a commitment that was computed elsewhere: value and salt stay there."""
    _check_name(game, seat, what)
    return bench.tell(game, [_sealed(game, seat, what, digest)], by)


def _sealed(game: Game, seat: str, what: str, digest: str) -> SealedValue:
    return SealedValue(id=f"s{len(game.seals) + 1}", seat=seat, what=what, digest=digest)


def _check_name(game: Game, seat: str, what: str) -> None:
    game.must_seat(seat)
    check_sealable(what)


@once(Unsealed)
def open_value(
    bench: Bench, game: Game, seal_id: str, secret: SaltedValue, *, by: By = BY_SCRIBE
) -> Answer:
    """Open a commitment. If it proves a breach, a dispute is raised automatically."""
    seal, words = game.closed_seal(seal_id), list(secret.words)
    opened = Unsealed(id=seal_id, salt=secret.salt, value=[*words])
    bench.attempt(game, [opened], by)
    findings = game.seal_findings(seal_id, words)
    opened = opened.model_copy(update={"findings": findings_data(findings)})
    entries: list[EntryData] = [opened, *seal_calls(game, seal, findings)]
    return bench.tell(game, entries, by)


def check_sealable(what: str) -> None:
    if not _WHAT.fullmatch(what):
        raise Misused("not_sealable", what=what[:60])


def _check_form(game: Game, seat: str, what: str, words: tuple[str, ...]) -> None:
    """Refuse words that can never be a valid value before they are sealed."""
    check = game.engine.sealed.get(what)
    if check is not None:
        moments = tuple(Moment(step.number, step.action, step.state) for step in game.steps)
        check(OpenedSeal(seat, words, moments, ()), game.setting)


def seal_calls(game: Game, seal: SealedValue, findings: Sequence[Finding]) -> list[Disputed]:
    """The disputes that an opened value raises, without those raised already."""
    proven = [set(d.numbers) for d in game.disputes.values() if d.cause == "finding"]
    broken = [
        finding
        for finding in findings
        if finding.status == "broken"
        and not (finding.entries and any(set(finding.entries) <= known for known in proven))
    ]
    last = game.last_counting
    return [
        Disputed(
            id=f"d{len(game.disputes) + count}",
            numbers=finding.entries or (last,),
            seat=None,
            clause=finding.clause,
            cause="finding",
            text=f"{seal.id} {seal.what}",
        )
        for count, finding in enumerate(broken, start=1)
    ]
