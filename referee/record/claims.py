"""Claims: statements of seats that cannot be checked at once, and how they are settled."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Literal, NamedTuple

from engines.kernel import Clause, Finding
from referee.record.game import Game
from referee.record.line import claims_in


class Claim(NamedTuple):
    """A statement that could not be checked when it was made, and how it was settled."""

    number: int
    clause: str
    status: Literal["open", "cleared", "broken"] = "open"
    by: int | None = None
    """The action that settled it."""
    seal: str | None = None
    """The sealed value that settled it, when it was opened."""


def claims(game: Game) -> dict[tuple[int, str], Claim]:
    """Every claim in the line, by action and clause, in the order they were made."""
    found: dict[int, dict[str, Claim]] = {}
    for number, clauses, findings in chain.from_iterable(map(claims_in, game.steps.parts)):
        for clause in clauses:
            found.setdefault(number, {})[clause] = Claim(number, clause)
        for finding in findings:
            _settle(found, game.engine.clauses, finding, by=number)
    for seal in game.unsealed:
        for finding in game.seal_findings(seal):
            _settle(found, game.engine.clauses, finding, seal=seal)
    return {(c.number, c.clause): c for made in found.values() for c in made.values()}


def open_claims(game: Game) -> list[Claim]:
    """The claims that are not settled yet."""
    return [claim for claim in claims(game).values() if claim.status == "open"]


def _settle(
    found: dict[int, dict[str, Claim]],
    clauses: Mapping[str, Clause],
    finding: Finding,
    *,
    by: int | None = None,
    seal: str | None = None,
) -> None:
    """Apply a finding to the claims it settles.

    These are the claims in its entries under the clause found, or under one whose ``settled_by``
    names it. If several entries are proven wrong together, any one of them may be right: they stay
    open.
    """
    if finding.status == "broken" and len(finding.entries) > 1:
        return
    for entry in finding.entries:
        made = found.get(entry, {})
        for clause, claim in made.items():
            settles = finding.clause in (clause, *clauses[clause].settled_by)
            if settles and claim.status != "broken":
                made[clause] = claim._replace(status=finding.status, by=by, seal=seal)
