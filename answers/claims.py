"""Claims of seats that cannot be checked yet, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from answers.answer import Data
from answers.i18n import Voice
from referee.record.claims import Claim


class ClaimAnswer(Data):
    number: int
    clause: str
    status: Literal["open", "cleared", "broken"]
    by: int | None
    """The action that settled it."""
    seal: str | None
    """The sealed value that settled it, when it was opened."""


def claim_answers(claims: Iterable[Claim]) -> list[ClaimAnswer]:
    return [ClaimAnswer(**claim._asdict()) for claim in claims]


def open_claim_lines(voice: Voice, claims: Iterable[Claim]) -> Iterator[str]:
    """What nobody can check yet, in one line."""
    told = ", ".join(f"#{claim.number} {claim.clause}" for claim in claims)
    if told:
        yield voice.say("tell.claims_open", claims=told)
