"""The line of a game: what counts of its record now, step by step, with states and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engines.kernel import Action, Finding, Setting, Verdict
from referee.record.entries import VerdictData


class Item(NamedTuple):
    """One item of the line: an action, an adjustment, or a reading fixed from here on."""

    number: int | None
    action: Action | None = None
    stands: bool = False
    changes: Mapping[str, Any] | None = None
    reading: tuple[str, str] | None = None
    seq: int = 0
    quietly: bool = False
    """It stands, but only a secret refutes it: nobody else may see that, and nobody has let it."""


class JudgedItem(NamedTuple):
    """An item that counts, with its verdict and the state after it."""

    item: Item
    state: Any
    setting: Setting[Any]
    verdict: Verdict
    stages: tuple[Any, ...] = ()
    """The states that hands went through on the way to this one."""

    @property
    def number(self) -> int | None:
        return self.item.number

    @property
    def action(self) -> Action | None:
        return self.item.action


class ClaimsAndFindings(NamedTuple):
    """The clauses that a step leaves to be proven, and what it proves."""

    number: int
    claims: tuple[str, ...]
    findings: tuple[Finding, ...]


class DeferredSteps:
    """Steps that are judged on first access; their numbers and claims are known before."""

    __slots__ = ()

    numbers: Sequence[int | None]
    said: Sequence[ClaimsAndFindings]


def numbers_in(steps: Sequence[JudgedItem]) -> Sequence[int | None]:
    """The action numbers of a chunk of the line, without judging deferred steps."""
    if isinstance(steps, DeferredSteps):
        return steps.numbers
    return [step.item.number for step in steps]


def claims_in(steps: Sequence[JudgedItem]) -> Sequence[ClaimsAndFindings]:
    """The claims and findings of a chunk of the line, without judging deferred steps."""
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
    """A judged action: the steps before and after it."""

    before: JudgedItem
    after: JudgedItem

    def is_of(self, item: Item, last: JudgedItem) -> bool:
        """Whether this judgement can be reused for the item after that step."""
        judged = self.after.item
        return (
            self.before is last
            and judged.number == item.number
            and judged.stands == item.stands
            and item.action is not None
            and judged.action == item.action
        )


def same_position(one: JudgedItem, other: JudgedItem) -> bool:
    """Whether judging from two steps cannot make a difference, not even in the order of facts.

    Equality leaves out who acted last, and the order of mappings, which ``repr`` tells.
    """
    if one is other:
        return True
    mine, theirs = one.state, other.state
    return (one.setting is other.setting or one.setting == other.setting) and (
        mine is theirs
        or (mine == theirs and mine.last_seat == theirs.last_seat and repr(mine) == repr(theirs))
    )


class Rejudged(NamedTuple):
    """An action whose verdict changed because something before it did."""

    number: int
    before: VerdictData
    after: VerdictData | None
    """None: it no longer holds, and is pending."""


class Change(NamedTuple):
    """What an entry changed in the line, besides appending to it."""

    rejudged: tuple[Rejudged, ...] = ()
    pending: tuple[int, ...] = ()
    judged_again: int = 0
    """How many actions were judged anew."""
    asked: int = 0
    """For how many of them the engine was asked: the others were judged from there before."""


NO_CHANGE = Change()
