"""The line of a game: what counts of its record now, step by step, with states and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engines.kernel import Action, Finding, Setting, Verdict
from referee.record.entries import VerdictData


class Item(NamedTuple):
    """One thing in the line: an action, an adjustment, or a reading fixed from here on."""

    number: int | None
    action: Action | None = None
    stands: bool = False
    changes: Mapping[str, Any] | None = None
    reading: tuple[str, str] | None = None
    seq: int = 0


class Step(NamedTuple):
    """An item that counts, and where it leads."""

    item: Item
    state: Any
    setting: Setting[Any]
    verdict: Verdict

    @property
    def number(self) -> int | None:
        return self.item.number

    @property
    def action(self) -> Action | None:
        return self.item.action


class ClaimsAndFindings(NamedTuple):
    """What a step has left to be proven, by clauses, and what it has proven."""

    number: int
    claims: tuple[str, ...]
    findings: tuple[Finding, ...]


class DeferredSteps:
    """Steps that are judged when somebody looks at them: this much is known without."""

    __slots__ = ()

    numbers: Sequence[int | None]
    said: Sequence[ClaimsAndFindings]


def numbers_in(steps: Sequence[Step]) -> Sequence[int | None]:
    """The numbers of a part of a line."""
    if isinstance(steps, DeferredSteps):
        return steps.numbers
    return [step.item.number for step in steps]


def claims_in(steps: Sequence[Step]) -> Sequence[ClaimsAndFindings]:
    """What a part of a line has claimed and proven."""
    if isinstance(steps, DeferredSteps):
        return steps.said
    return [
        ClaimsAndFindings(
            step.number or 0, tuple(claim.clause for claim in said.claims), said.findings
        )
        for step in steps
        if (said := step.verdict).claims or said.findings
    ]


class Stood(NamedTuple):
    """An action as it was judged: from where, and where it led."""

    before: Step
    after: Step

    def is_of(self, item: Item, last: Step) -> bool:
        """Whether this item, said behind that step, is what was judged here."""
        judged = self.after.item
        return (
            self.before is last
            and judged.number == item.number
            and judged.stands == item.stands
            and item.action is not None
            and judged.action == item.action
        )


class Rejudged(NamedTuple):
    """An action whose verdict changed because something before it did."""

    number: int
    before: VerdictData
    after: VerdictData | None
    """None: it no longer holds, and is pending."""


class Change(NamedTuple):
    """What an entry did to the line besides adding to its end."""

    rejudged: tuple[Rejudged, ...] = ()
    pending: tuple[int, ...] = ()
    judged_again: int = 0
    """How many actions were judged anew."""


NO_CHANGE = Change()
