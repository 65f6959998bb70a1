"""The rulebook of a game: a registry of reducers, derived steps, candidates and audits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from engines.kernel.rules.actions import Action, Tray
from engines.kernel.rules.audit import Audits, Subject, Values
from engines.kernel.rules.hearing import Remark

F = TypeVar("F", bound=Callable[..., Any])


class Unsaid(NamedTuple):
    """An implicit end: its action, the clause of the effect, and the reading that allows it."""

    end: type[Action]
    clause: str
    reading: str
    value: str
    over: Callable[..., bool]
    """``(state, seat)``: whether that seat, which owes nothing, has ended."""
    fresh: Callable[..., bool]
    """``(state)``: whether a turn has just begun, perhaps another one of the same seat."""
    gives_up: Callable[..., tuple[str, ...]]
    """``(state)``: what the end gives up, as words that have names."""
    in_silence: Callable[..., Any]
    """``(state) -> state``: without what only a spoken end would refer to."""
    afterwards: tuple[type[Action], ...]
    """What may be owed once a turn has ended: after a spoken end it opens no other."""


class Rulebook:
    """Filled by decorators, in the order of the printed rules, in modules that the engine names.

    ``duties`` says which actions fulfil which kind of duty; actions listed under the
    empty kind ``""`` are possible at any time. ``audit`` is the clause that a count seen at the
    table proves broken if it differs from the log.
    """

    def __init__(
        self, duties: Mapping[str, tuple[type[Action], ...]], *, audit: str | None = None
    ) -> None:
        self.duties = dict(duties)
        self.kinds: dict[type[Action], tuple[str, ...]] = {}
        for kind, actions in duties.items():
            for action in actions:
                self.kinds[action] = (*self.kinds.get(action, ()), kind)
        self.reducers: dict[type[Action], Callable[..., Any]] = {}
        self.spelt: dict[type[Action], Callable[..., Action]] = {}
        self.steps: dict[str, Callable[..., Any]] = {}
        self.reconsidered: dict[str, Callable[..., Any]] = {}
        self.flow: Callable[..., Any] | None = None
        self.offered: dict[type[Action], Callable[..., Iterator[Action]]] = {}
        self.filled: dict[tuple[type[Action], str], Callable[..., Iterable[str]]] = {}
        self.trays: dict[type[Action], Callable[..., Tray]] = {}
        self.details: dict[str, Callable[..., Remark]] = {}
        self.called: dict[type[Action], Callable[..., Mapping[str, str]]] = {}
        self.opening: Callable[..., Any] = _missing("opens")
        self.kit_check: Callable[..., None] = lambda kit, rule: None
        self.refuse_now: Callable[..., Any] = _missing("not_now")
        self.unsaid: Unsaid | None = None
        self.audits = Audits(audit)

    def opens(self, function: F) -> F:
        """``(opening, rule) -> state``: sets up the table.

        >>> @rules.opens
        ... def lay_out(opening, rule):
        ...     return Tableau(heap=9, agenda=Agenda().push(Duty("turn", opening.first)))
        """
        self.opening = function
        return function

    def checks_kit(self, function: F) -> F:
        """``(kit, rule)``: the box is what the rulebook says.

        >>> @rules.checks_kit
        ... def enough_pebbles(kit, rule):
        ...     rule("PEB-KIT-1", kit.heap >= 4, heap=kit.heap)
        """
        self.kit_check = function
        return function

    def hears(self, *actions: type[Action]) -> Callable[[F], F]:
        """``(state, action, rule) -> state``: the reducer of an action.

        >>> @rules.hears(Take)
        ... def take(state, action, rule):
        ...     rule("PEB-TAKE-4", action.pebbles <= state.heap, heap=state.heap)
        ...     return evolve(state, heap=max(0, state.heap - action.pebbles))
        """
        return _filed(self.reducers, *actions)

    def spells(self, *actions: type[Action]) -> Callable[[F], F]:
        """``(state, action, kit) -> action``: an action as it is recorded, its names in full.

        >>> @rules.spells(Take)
        ... def in_full(state, action, kit):
        ...     return action
        """
        return _filed(self.spelt, *actions)

    def derives(self, name: str) -> Callable[[F], F]:
        """``(state, rule) -> state``: a derived step of the agenda; it refuses nothing.

        >>> @rules.derives("refill")
        ... def refill(state, rule):
        ...     return evolve(state, heap=state.heap + 1)
        >>> Agenda().push(Step("refill"), Duty("turn", "B")).top
        Step(name='refill')
        """
        return _filed(self.steps, name)

    def reconsiders(self, *kinds: str) -> Callable[[F], F]:
        """``(state, duty, rule) -> state``: asked whenever such a duty is due.

        What stands may have taken away what the duty is about. The state is returned as it is, or
        with another agenda: nobody owes what nobody can do.

        >>> @rules.reconsiders("turn")
        ... def nothing_left(state, duty, rule):
        ...     return state if state.heap else evolve(state, agenda=state.agenda.clear())
        """
        return _filed(self.reconsidered, *kinds)

    def flows(self, function: F) -> F:
        """``(state, rule) -> state``: the one derived step of a game that keeps no agenda.

        It says all that is due from the rest of the state, after every action that changed
        something: duties are not ticked off. It leaves ``GO_ON`` to be called once more.

        >>> @rules.flows
        ... def what_is_due(state, rule):
        ...     return evolve(state, agenda=Agenda().push(Duty("turn", "A")))
        """
        self.flow = function
        return function

    def not_now(self, function: F) -> F:
        """``(state, action, rule)``: cites the clause an action breaks that nobody owes now.

        It must break one (``rule(clause, False, …)``), or return ``True`` to let the
        action through after all.

        >>> @rules.not_now
        ... def not_your_turn(state, action, rule):
        ...     rule("PEB-TURN-1", False, turn=state.agenda.seats)
        """
        self.refuse_now = function
        return function

    def ends_unsaid(
        self,
        end: type[Action],
        clause: str,
        *,
        reading: str,
        value: str,
        over: Callable[..., bool] = lambda state, seat: True,
        fresh: Callable[..., bool] = lambda state: False,
        gives_up: Callable[..., tuple[str, ...]] = lambda state: state.agenda.offered,
        in_silence: Callable[..., Any] = lambda state: state,
        afterwards: tuple[type[Action], ...] = (),
    ) -> None:
        """Declare an implicit end: a turn or action that ends when somebody else goes on.

        ``end`` is the action that would say so, ``clause`` the effect that is reported where nobody
        does, under this value of a reading. It applies only where the duties that ``end`` fulfils
        are all that is compulsory; else the next seat is told what is still owed, and by whom. If
        ``end`` is said after all, it changes nothing: it must come from the seat that acted last
        and owes nothing, once its turn is ``over``; or owes the first thing of a ``fresh`` turn.
        What an implicit end ``gives_up``, all that was optional, is a fact of the effect:
        ``given_up``. ``in_silence`` is the state it ends, where a spoken end would also refer to
        something that is over. What is done ``afterwards`` gives nobody a second end to say.
        """
        self.unsaid = Unsaid(
            end, clause, reading, value, over, fresh, gives_up, in_silence, afterwards
        )

    def offers(self, *actions: type[Action]) -> Callable[[F], F]:
        """``(state, seat, table) -> actions``: candidates, judged before they are listed.

        >>> @rules.offers(Take)
        ... def takes(state, seat, table):
        ...     for pebbles in (1, 2, 3):
        ...         yield Take(by=seat, pebbles=pebbles)
        >>> [each.pebbles for each in takes(None, "A", None)]
        [1, 2, 3]
        """
        return _filed(self.offered, *actions)

    def fills(self, action: type[Action], field: str) -> Callable[[F], F]:
        """``(state, table) -> words``: completions of a field, for an action not enumerated.

        >>> @rules.fills(Take, "pebbles")
        ... def pebbles(state, table):
        ...     return [str(count) for count in range(1, state.heap + 1)]
        >>> pebbles(Tableau(heap=2), None)
        ['1', '2']
        """
        return _filed(self.filled, (action, field))

    def lays(self, action: type[Action]) -> Callable[[F], F]:
        """``(state, table) -> tray``: the things that this action lays, to be tapped.

        >>> @rules.lays(Take)
        ... def colours(state, table):
        ...     return Tray(things={"red": 2, "blue": 1}, places=("f1", "f2"), size=2)
        >>> colours(None, None).places
        ('f1', 'f2')
        """
        return _filed(self.trays, action)

    def calls(self, action: type[Action]) -> Callable[[F], F]:
        """``(state, table) -> {name: word}``: things that may be typed instead of their places.

        >>> @rules.calls(Take)
        ... def by_name(state, table):
        ...     return {"red": "f1"}
        """
        return _filed(self.called, action)

    def names_due(self, kind: str) -> Callable[[F], F]:
        """``(state) -> remark``: what a duty of this kind asks for now, ``due.<key>`` in words.

        >>> @rules.names_due("turn")
        ... def how_many(state):
        ...     return Remark("turn", {"heap": state.heap})
        """
        return _filed(self.details, kind)

    @property
    def authors(self) -> set[str]:
        """The names of the modules in which rules are written."""
        helping = (*self.offered.values(), *self.filled.values(), *self.called.values())
        helping += (*self.details.values(), *self.trays.values())
        many = (*self.reducers.values(), *self.steps.values(), *helping)
        many += (*self.reconsidered.values(),)
        audited = (subject.count or subject.examine for subject in self.audits.subjects)
        single = (self.opening, self.kit_check, self.refuse_now, self.flow)
        written = filter(None, (*many, *audited, *single))
        return {function.__module__ for function in written} - {__name__}

    def written_in(self, package: str, *chapters: str) -> Rulebook:
        """Validate the rulebook: rules come only from these modules, and each chapter has one."""
        authors = self.authors
        if strangers := authors - {package, *chapters}:
            raise TypeError(f"{package}: not named as chapters: {', '.join(sorted(strangers))}")
        if idle := set(chapters) - authors:
            raise TypeError(f"{package}: chapters without a rule: {', '.join(sorted(idle))}")
        return self

    def counts(
        self,
        pattern: str,
        *,
        listed: bool = False,
        when: Callable[[str], bool] | None = None,
        stated: Values | None = None,
        **blanks: Values,
    ) -> Callable[[F], F]:
        """``(state, table, *blanks) -> value``: what an audit of this pattern finds in a state.

        ``{seat}`` is a seat of the table, other blanks name what may fill them. What is no
        number says in ``stated`` which words can be seen.

        >>> @rules.counts("heap")
        ... def counted(state, table):
        ...     return state.heap
        """

        def register(function: F) -> F:
            subject = Subject(pattern, blanks, function, listed=listed, when=when, stated=stated)
            self.audits.subjects.append(subject)
            return function

        return register

    def examines(self, pattern: str) -> Callable[[F], F]:
        """``(state, stated, rule)``: an audit of something that is seen, not counted.

        >>> @rules.examines("colours")
        ... def seen(state, stated, rule):
        ...     rule("PEB-AUDIT-1", True)
        """

        def register(function: F) -> F:
            self.audits.subjects.append(Subject(pattern, {}, examine=function))
            return function

        return register


def _filed(table: dict[Any, Any], *keys: Any) -> Callable[[F], F]:
    """A decorator that enters a function in a table, under each of these keys."""

    def register(function: F) -> F:
        table.update(dict.fromkeys(keys, function))
        return function

    return register


def _missing(name: str) -> Callable[..., Any]:
    def missing(*_: Any) -> Any:
        raise TypeError(f"the rulebook has no function marked {name!r}")

    return missing
