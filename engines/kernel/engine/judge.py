"""Judging: one action is checked against the rules, with implied ends and derived steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cache, cached_property
from typing import Any, Generic

from msgspec.structs import astuple

from engines.kernel.engine.contract import Judgement, K, S, Setting
from engines.kernel.messages.catalogue import Catalogue
from engines.kernel.messages.errors import ParseError
from engines.kernel.rules.actions import Action, Audit, Opening
from engines.kernel.rules.agenda import GO_ON, Duty, Group, Step
from engines.kernel.rules.audit import as_understood
from engines.kernel.rules.hearing import (
    Hearing,
    LegalityDecided,
    LegalityProbe,
    Refused,
    Remark,
    Verdict,
)
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.state import State
from engines.kernel.values.secret import Unknowable
from engines.kernel.values.structs import evolve

STEPS_AT_ONCE = 10_000
"""More derived steps than this in a row are taken for a rule that never ends."""
AT_ANY_TIME = ("",)
UNKNOWABLE = Verdict("undecided", warnings=(Remark("unknowable", {}),))
"""To whoever may not know what a rule asks."""


class Judge(Generic[S, K]):
    """Judges openings and actions. A judge is pure: state and setting are always passed in."""

    def __init__(
        self,
        game: str,
        rules: Rulebook,
        words: Catalogue,
        structure: Set[str],
        position: type[Action] | None,
        checked: Callable[[Setting[K], Judgement[S], bool], Judgement[S]],
    ) -> None:
        """``structure`` are the clauses without which play cannot go on; ``position`` is the
        action that declares a whole table, and ``checked(setting, heard, lenient)`` refuses one
        from which play could not go on."""
        self._id = game
        self._rules = rules
        self._words = words
        self._structure = structure
        self._position = position
        self._checked = checked

    def open(self, setting: Setting[K], opening: Opening, *, lenient: bool = False) -> Judgement[S]:
        """The first position. A refused opening leads to no state at all."""
        rule = self.hearing(setting, 0, lenient)
        try:
            self._rules.kit_check(setting.kit, rule)
            state = self.run_steps(self._rules.opening(opening, rule), rule)
        except ParseError as error:
            raise error.in_words_of(self._words) from None
        except Refused:
            nowhere: Any = None
            return Judgement(opening, rule.verdict(), nowhere, False)
        return Judgement(opening, rule.verdict(), state, True)

    def __call__(
        self,
        setting: Setting[K],
        state: S,
        action: Action,
        number: int = 0,
        *,
        lenient: bool = False,
    ) -> Judgement[S]:
        """Hear one action: strictly, or ``lenient`` as it happened at the table."""
        rule = self.hearing(setting, number, lenient)
        try:
            if type(action) is Audit:
                return self._audited(setting, state, action, rule)
            before = state
            duty, action = self.owed(setting, state, action)
            if duty is None:
                before, duty, action = self._understood(setting, state, action, rule)
            if (spelt := self._rules.spelt.get(type(action))) is not None:
                action = spelt(before, action, setting.kit)
            last = self._last_seat(before, action)
            before = self.fulfilled(before, duty, last)
            after = rule.stage(self.reduced(setting, before, action, duty, rule))
            after = self.run_steps(after, rule)
        except ParseError as error:
            if error.key == "which_seat":
                error.facts["seats"] = setting.seats
            raise error.in_words_of(self._words) from None
        except Refused:
            return Judgement(action, rule.verdict(), state, False)
        except Unknowable:
            # what was broken before that is known all the same
            return Judgement(action, rule.verdict() if rule.breaches else UNKNOWABLE, state, True)
        declares = type(action) is self._position
        if after.last_seat != last and not declares:
            after = evolve(after, last_seat=last)
        heard = Judgement(action, rule.verdict(), after, True, _apart(state, rule.stages))
        return self._checked(setting, heard, lenient) if declares else heard

    def fulfilled(self, state: S, duty: Duty | None, last_seat: str | None) -> S:
        """The state with a duty ticked off; a game with a flow computes its duties anew instead."""
        if duty is None or self._rules.flow is not None:
            return state
        return evolve(state, agenda=state.agenda.fulfil(duty), last_seat=last_seat)

    def reduced(
        self, setting: Setting[K], state: S, action: Action, duty: Duty | None, rule: Hearing[K]
    ) -> S:
        """Apply an action to a state in which its duty is already ticked off."""
        if duty is None and "" not in self._rules.kinds.get(type(action), AT_ANY_TIME):
            if self._confirms_an_end(state, action):
                return state
            self._refuse_now(setting, state, action, rule)
        reducer = self._rules.reducers.get(type(action))
        if reducer is None:
            raise ParseError("not_of_this_game", verb=action.verb)
        after: S = reducer(state, action, rule)
        if self._rules.flow is not None and after.agenda is state.agenda and after is not state:
            return evolve(after, agenda=GO_ON)
        return after

    def is_legal(
        self,
        setting: Setting[K],
        before: S,
        action: Action,
        duty: Duty | None,
        trial: LegalityProbe[K],
    ) -> bool:
        """Whether no rule refuses an action.

        Derived steps are not run: they never refuse anything.
        """
        try:
            self.reduced(setting, before, action, duty, trial)
        except (LegalityDecided, Unknowable):
            return True
        except Refused:
            return False
        return True

    def _last_seat(self, state: S, action: Action) -> str | None:
        """The seat assumed later for an action that names none: the last to act without ending."""
        unsaid, last = self._rules.unsaid, state.last_seat
        if action.by is None or action.observes:
            return last
        if last is None and unsaid is not None and type(action) in unsaid.afterwards:
            return None
        return None if type(action) is self._end else action.by

    @cached_property
    def _end(self) -> type[Action] | None:
        return None if self._rules.unsaid is None else self._rules.unsaid.end

    def _confirms_an_end(self, state: S, action: Action) -> bool:
        """Whether an end only confirms one that was implied already: then it changes nothing."""
        unsaid = self._rules.unsaid
        if unsaid is None or type(action) is not unsaid.end:
            return False
        if action.by is None or action.by != state.last_seat:
            return False
        owing = {duty.seat for duty in state.agenda.duties if not duty.optional} - {None}
        owes = action.by in (owing or state.agenda.seats or (action.by,))
        return (not owes or unsaid.fresh(state)) and unsaid.over(state, action.by)

    def _refuse_now(self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]) -> None:
        """Let the rulebook cite the clause against an action that is not due.

        If it stays (as it happened), it needs a seat.
        """
        if self._rules.refuse_now(state, action, rule):
            return
        if not (rule.breaches or setting.house_rules):
            raise TypeError(f"not_now cites no clause for {action!r}")
        if action.by is None and not action.observes:
            raise ParseError("which_seat", seats=setting.seats)

    def hearing(self, setting: Setting[K], number: int, lenient: bool) -> Hearing[K]:
        return Hearing(
            setting.kit,
            setting.readings,
            number,
            lenient,
            setting.house_rules,
            self._structure,
            setting.engine,
        )

    def probe(self, setting: Setting[K]) -> LegalityProbe[K]:
        return LegalityProbe(setting.kit, setting.readings, aside=setting.house_rules)

    def _understood(
        self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]
    ) -> tuple[S, Duty | None, Action]:
        """Infer seat and state of an action that is not due.

        A seat that is not named is the one that owes the action after implicit ends, else the seat
        that acted last. An observation belongs to no seat.
        """
        if "" in self._rules.kinds.get(type(action), AT_ANY_TIME):
            return state, None, action
        if self._confirms_an_end(state, action):
            return state, None, action  # it implies the end of nothing else
        later = self._after_silence(setting, state, action, rule)
        if later is not None:
            return later
        if action.by is None and not action.observes:
            due = state.agenda.seats
            seat = state.last_seat or (due[0] if len(due) == 1 else None)
            action = action.model_copy(update={"by": seat})
        return state, None, action

    def owed(self, setting: Setting[K], state: S, action: Action) -> tuple[Duty | None, Action]:
        """The duty that an action fulfils, and the action with the seat filled in."""
        kinds, by = self._rules.kinds.get(type(action), AT_ANY_TIME), action.by
        if by is not None:
            if setting.seats and by not in setting.seats:
                raise ParseError("no_such_seat", seat=by, seats=setting.seats)
            for duty in state.agenda.duties:
                if duty.kind in kinds and (duty.seat == by or duty.seat is None):
                    return duty, action
            return None, action
        due = [duty for duty in state.agenda.duties if duty.kind in kinds]
        if not due:
            return None, action
        duty = due[0]
        if len(due) > 1 and any(other.seat != duty.seat for other in due):
            duty = self._only_legal(setting, state, action, due)
        if duty.seat is not None and kinds != ("",):
            action = action.model_copy(update={"by": duty.seat})
        return duty, action

    def _only_legal(
        self, setting: Setting[K], state: S, action: Action, due: Sequence[Duty]
    ) -> Duty:
        """Disambiguate by legality: of several seats that owe this, the only one that can do it."""
        able: dict[str | None, Duty] = {}
        trial = self.probe(setting)
        for duty in due:
            meant = action.model_copy(update={"by": duty.seat})
            before = self.fulfilled(state, duty, state.last_seat)
            if self.is_legal(setting, before, meant, duty, trial):
                able.setdefault(duty.seat, duty)
        if len(able) != 1:
            seats = {duty.seat or "" for duty in due}
            raise ParseError("who", seats=tuple(sorted(seats)))
        return next(iter(able.values()))

    def _after_silence(
        self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]
    ) -> tuple[S, Duty | None, Action] | None:
        """Try the action after implicit ends; None if it is not due then either.

        ``rule`` takes over what the implicit ends brought about. An end that is said ends more of
        the same kind, and declines nothing that only the silence before it has opened. What is
        not due even then proves no end: one that would break a rule is not assumed for it.
        """
        ends = self.hearing(setting, rule.number, True)
        later, ended = state, {duty.kind for duty in state.agenda.duties}
        for later in self._ends_unsaid(setting, state, ends):
            duty, meant = self.owed(setting, later, action)
            if duty is not None and (type(action) is not self._end or duty.kind in ended):
                break
        else:
            if later is state or later.over or ends.breaches:
                return None
            if not self._comes_after(setting, state, action):
                return None
            duty, meant = None, action
        rule.join(ends)
        return later, duty, meant

    def _comes_after(self, setting: Setting[K], state: S, action: Action) -> bool:
        """Whether an observation that is not due is judged after the implicit ends.

        One that is legal already implies no end.
        """
        if not action.observes:
            return False
        return not self.is_legal(setting, state, action, None, self.probe(setting))

    def _ends_unsaid(self, setting: Setting[K], state: S, rule: Hearing[K]) -> Iterator[S]:
        """The states after each implicit end, one after the other."""
        unsaid = self._rules.unsaid
        if unsaid is None or setting.reading(unsaid.reading) != unsaid.value:
            return
        kinds = self._rules.kinds[unsaid.end]
        for _ in range(STEPS_AT_ONCE):
            owed = [duty for duty in state.agenda.duties if not duty.optional]
            if not owed or any(duty.kind not in kinds for duty in owed):
                return
            rule.reading(unsaid.reading)
            given_up = unsaid.gives_up(state)
            if not rule.effect(unsaid.clause, True, seat=owed[0].seat, given_up=given_up):
                return
            end = unsaid.end(by=owed[0].seat)  # type: ignore[call-arg]
            before = self.fulfilled(unsaid.in_silence(state), owed[0], state.last_seat)
            state = rule.stage(self.reduced(setting, before, end, owed[0], rule))
            state = self.run_steps(state, rule)
            yield state

    def unsaid(self, setting: Setting[K], state: S) -> tuple[S, ...]:
        """The states after implicit ends, one by one; none if an end would break a rule."""
        rule = self.hearing(setting, 0, True)
        try:
            ends = tuple(self._ends_unsaid(setting, state, rule))
        except Unknowable:
            return ()
        return () if rule.breaches else ends

    def said_by(self, setting: Setting[K], state: S, action: Action) -> str | None:
        """Infer the seat of an action that does not name one; None for an action of no seat."""
        if isinstance(action, Audit):
            return action.by
        duty, meant = self.owed(setting, state, action)
        if duty is None:
            rule = self.hearing(setting, 0, True)
            meant = self._understood(setting, state, action, rule)[2]
        return meant.by

    def _audited(
        self, setting: Setting[K], state: S, action: Audit, rule: Hearing[K]
    ) -> Judgement[S]:
        """Judge an audit: it is normalized and compared, and leaves the state unchanged."""
        audits = self._rules.audits
        asked = audits.understand(
            action, state, setting, setting.seats, self._words, strict=not rule.lenient
        )
        audits.hear(asked, state, rule)
        return Judgement(as_understood(action, asked), rule.verdict(), state, True)

    def run_steps(self, state: S, rule: Hearing[K]) -> S:
        flow = self._rules.flow
        for _ in range(STEPS_AT_ONCE):
            agenda = state.agenda
            if agenda is GO_ON and flow is not None:
                state = rule.stage(flow(state, rule))
                continue
            if not agenda:
                return state
            if isinstance(step := agenda[-1], Step):
                after = self._rules.steps[step.name](evolve(state, agenda=agenda.pop()), rule)
            elif (after := self._reconsidered(state, step, rule)) is state:
                return state
            state = rule.stage(after)
        raise RuntimeError(f"{self._id}: derived steps do not end")

    def _reconsidered(self, state: S, due: Group, rule: Hearing[K]) -> S:
        """The state without what can no longer be owed."""
        if not (asked := self._rules.reconsidered):
            return state
        for duty in due:
            if (reconsider := asked.get(duty.kind)) is not None:
                after: S = reconsider(state, duty, rule)
                if after is not state:
                    return after
        return state


def _apart(before: S, stages: list[S]) -> tuple[S, ...]:
    """The stages on which something lies elsewhere than on the stage before, and than at the end.

    The last one is the end. The others would cost memory, and tell nothing.
    """
    end = stages.pop()
    while stages and _same_table(stages[-1], end):
        stages.pop()
    kept: list[S] = []
    for stage in stages:
        if not _same_table(stage, kept[-1] if kept else before):
            kept.append(stage)
    return tuple(kept)


def _same_table(state: State, other: State) -> bool:
    lying = _lying(type(state))
    try:
        return astuple(state)[:lying] == astuple(other)[:lying]
    except Unknowable:
        return False


@cache
def _lying(kind: type[State]) -> int:
    """How many fields of a state lie on the table. What every state has comes after them."""
    own = len(kind.__struct_fields__) - len(State.__struct_fields__)
    if kind.__struct_fields__[own:] != State.__struct_fields__:
        raise TypeError(f"{kind.__qualname__}: its own fields must not be keyword-only")
    return own
