"""The rulebook of a game: which function hears which action, and what may come next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from engines.kernel.actions import Action
from engines.kernel.errors import BadForm

F = TypeVar("F", bound=Callable[..., Any])


class Rulebook:
    """Filled by decorators, in the order of the printed rules.

    ``duties`` says which actions fulfil which kind of duty; actions listed under the
    empty kind ``""`` are possible at any time (audits).
    """

    def __init__(self, duties: Mapping[str, tuple[type[Action], ...]]) -> None:
        self.duties = dict(duties)
        self.kinds: dict[type[Action], tuple[str, ...]] = {}
        for kind, actions in duties.items():
            for action in actions:
                self.kinds[action] = (*self.kinds.get(action, ()), kind)
        self.reducers: dict[type[Action], Callable[..., Any]] = {}
        self.steps: dict[str, Callable[..., Any]] = {}
        self.flow: Callable[..., Any] | None = None
        self.offered: dict[type[Action], Callable[..., Iterator[Action]]] = {}
        self.opening: Callable[..., Any] = _missing("opens")
        self.kit_check: Callable[..., None] = lambda kit, rule: None
        self.refuse_now: Callable[..., Any] = _missing("not_now")
        self.counter: Callable[..., Any] = _no_count
        self.audit_clause: str | None = None

    def opens(self, function: F) -> F:
        """``(opening, rule) -> state``: sets up the table."""
        self.opening = function
        return function

    def checks_kit(self, function: F) -> F:
        """``(kit, rule)``: the box is what the rulebook says."""
        self.kit_check = function
        return function

    def hears(self, *actions: type[Action]) -> Callable[[F], F]:
        """``(state, action, rule) -> state``: the reducer of an action."""

        def register(function: F) -> F:
            for action in actions:
                self.reducers[action] = function
            return function

        return register

    def derives(self, name: str) -> Callable[[F], F]:
        """``(state, rule) -> state``: a derived step of the agenda; it refuses nothing."""

        def register(function: F) -> F:
            self.steps[name] = function
            return function

        return register

    def flows(self, function: F) -> F:
        """``(state, rule) -> state``: the one derived step of a game that keeps no agenda.

        It says all that is due from the rest of the state, so duties are not ticked off:
        every reducer leaves ``GO_ON`` behind. So may the flow, to be called once more.
        """
        self.flow = function
        return function

    def not_now(self, function: F) -> F:
        """``(state, action, rule)``: cites the clause an action breaks that nobody owes now.

        It must break one (``rule(clause, False, …)``), or return ``True`` to let the
        action through after all.
        """
        self.refuse_now = function
        return function

    def offers(self, *actions: type[Action]) -> Callable[[F], F]:
        """``(state, seat, table) -> actions``: candidates, judged before they are shown."""

        def register(function: F) -> F:
            for action in actions:
                self.offered[action] = function
            return function

        return register

    @property
    def can_count(self) -> bool:
        """Whether audits go by ``counts``; else the game hears them and names the entries."""
        return self.counter is not _no_count

    def counts(self, clause: str) -> Callable[[F], F]:
        """``(state, subject) -> value``: what an audit's subject is in the state.

        Raises ``BadForm`` for a subject that does not exist.
        """

        def register(function: F) -> F:
            self.counter = function
            self.audit_clause = clause
            return function

        return register


def _missing(name: str) -> Callable[..., Any]:
    def missing(*_: Any) -> Any:
        raise TypeError(f"the rulebook has no function marked {name!r}")

    return missing


def _no_count(state: Any, subject: tuple[str, ...]) -> Any:
    raise BadForm("unknown_subject", subject=" ".join(subject))
