"""Options: enumerates the legal next actions by judging the candidates that the game offers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Generic

from engines.kernel.engine.contract import K, S, Setting
from engines.kernel.engine.judge import AT_ANY_TIME, Judge
from engines.kernel.rules.actions import Action
from engines.kernel.rules.agenda import Duty
from engines.kernel.rules.hearing import LegalityDecided, Refused
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.values.secret import Unknowable


class Options(Generic[S, K]):
    """Enumerates what may be done next."""

    def __init__(self, judge: Judge[S, K], rules: Rulebook) -> None:
        self._judge = judge
        self._rules = rules

    def listed(self, setting: Setting[K], state: S) -> list[Action]:
        """Every legal next action that can be enumerated, in the order of the duties."""
        found: dict[Action, None] = {}
        for duty in state.agenda.duties:
            for action_type in self._rules.duties.get(duty.kind, ()):
                found |= dict.fromkeys(self._allowed(setting, state, duty, action_type))
        return list(found)

    def after_silence(self, setting: Setting[K], state: S) -> list[Action]:
        """Actions that are legal only after an implicit end, which they then imply."""
        ends = self._judge.unsaid(setting, state)
        now = self.listed(setting, state) if ends else ()
        later = (action for each in ends for action in self.listed(setting, each))
        return list(dict.fromkeys(action for action in later if action not in now))

    def _allowed(
        self, setting: Setting[K], state: S, duty: Duty, action_type: type[Action]
    ) -> Iterator[Action]:
        """The legal candidates of one action type for a duty, with their seat filled in.

        The duty is looked up once per seat, not once per candidate: there may be hundreds.
        """
        offer = self._rules.offered.get(action_type)
        if offer is None or not action_type.enumerable:
            return
        trial, reducer = self._judge.probe(setting), self._rules.reducers.get(action_type)
        asked: str | None = ""
        owed, before = None, state
        for action in _knowable(offer(state, duty.seat, setting)):
            if type(action) is not action_type:
                continue
            if action.by != asked:
                asked = action.by if action.by or self._nobodys(state, action_type) else ""
                found, action = self._judge.owed(setting, state, action)
                if found is not owed:
                    owed, before = found, self._judge.fulfilled(state, found, state.last_seat)
            try:
                if owed is None or reducer is None:
                    self._judge.reduced(setting, before, action, owed, trial)
                else:
                    reducer(before, action, trial)
            except (LegalityDecided, Unknowable):  # nobody may call illegal what he cannot know
                pass
            except Refused:
                continue
            yield action

    def _nobodys(self, state: S, action_type: type[Action]) -> bool:
        """Whether none of the duties that such an action fulfils belongs to a seat."""
        kinds = self._rules.kinds.get(action_type, AT_ANY_TIME)
        return not any(duty.seat for duty in state.agenda.duties if duty.kind in kinds)

    def due(self, setting: Setting[K], state: S) -> list[tuple[Duty, tuple[str, ...]]]:
        """What must or can be done now, and the verbs that do it."""
        found = []
        for duty in state.agenda.duties:
            verbs = tuple(
                action_type.verb_of()
                for action_type in self._rules.duties.get(duty.kind, ())
                if action_type not in self._rules.offered
                or not action_type.enumerable
                or any(self._allowed(setting, state, duty, action_type))
            )
            if verbs or not duty.optional:
                found.append((duty, verbs))
        return found

    def verbs_of(self, duty: Duty) -> tuple[str, ...]:
        """Every verb that may fulfil such a duty."""
        return tuple(kind.verb_of() for kind in self._rules.duties.get(duty.kind, ()))

    def unlisted(self, state: S) -> list[tuple[str | None, type[Action]]]:
        """Seat and type of the due actions that cannot be enumerated."""
        found: dict[tuple[str | None, type[Action]], None] = {}
        for duty in state.agenda.duties:
            for action_type in self._rules.duties.get(duty.kind, ()):
                if not action_type.enumerable or action_type not in self._rules.offered:
                    found[duty.seat, action_type] = None
        return list(found)


def _knowable(offered: Iterable[Action]) -> Iterator[Action]:
    """The candidates, as far as they can be told from what is not hidden."""
    with suppress(Unknowable):
        yield from offered
