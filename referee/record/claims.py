"""Claims: what seats say that cannot be checked at once, and what becomes of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from engines.kernel import Finding
from referee.record.fold import Game


class Claim(NamedTuple):
    """What a seat has said that could not be checked, and what became of it."""

    number: int
    clause: str
    status: Literal["open", "cleared", "broken"]
    by: int | None = None
    """The action that settled it."""


def claims(game: Game) -> dict[tuple[int, str], Claim]:
    """Every claim of what counts, by its action and its clause."""
    found: dict[tuple[int, str], Claim] = {}
    for step in game.steps:
        number = step.number or 0
        for point in step.verdict.claims:
            found[number, point.clause] = Claim(number, point.clause, "open")
        for finding in step.verdict.findings:
            _settle(found, finding, number)
    for seal in game.unsealed:
        for finding in game.seal_findings(seal):
            _settle(found, finding, None)
    return found


def _settle(claims: dict[tuple[int, str], Claim], finding: Finding, number: int | None) -> None:
    """A finding settles what was claimed in its entries under a clause of the same chapter."""
    if finding.status == "broken" and len(finding.entries) > 1:
        return
    chapter = finding.clause.rpartition("-")[0]
    for entry in finding.entries:
        claimed = [key for key in claims if key[0] == entry and key[1].startswith(f"{chapter}-")]
        for _, clause in claimed or [(entry, finding.clause)]:
            claims[entry, clause] = Claim(entry, clause, finding.status, number)
