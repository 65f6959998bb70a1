"""Options: which actions are legal next, found by trying what the game offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from engines.kernel.engine.contract import K, S, Setting
from engines.kernel.engine.judge import AT_ANY_TIME, Judge
from engines.kernel.rules.actions import Action
from engines.kernel.rules.agenda import Duty
from engines.kernel.rules.hearing import LegalityDecided, Refused
from engines.kernel.rules.rulebook import Rulebook


class Options(Generic[S, K]):
    """What may be done next."""

    def __init__(self, judge: Judge[S, K], rules: Rulebook) -> None:
        self._judge = judge
        self._rules = rules

    def listed(self, setting: Setting[K], state: S) -> list[Action]:
        """Every legal next action that can be listed, in the order of the duties."""
        found: dict[Action, None] = {}
        for duty in state.agenda.duties:
            for action_type in self._rules.duties.get(duty.kind, ()):
                found |= dict.fromkeys(self._allowed(setting, state, duty, action_type))
        return list(found)

    def after_silence(self, setting: Setting[K], state: S) -> list[Action]:
        """What may be said next as well, and ends in silence what stands before it."""
        ends = self._judge.unsaid(setting, state)
        now = self.listed(setting, state) if ends else ()
        later = (action for each in ends for action in self.listed(setting, each))
        return list(dict.fromkeys(action for action in later if action not in now))

    def _allowed(
        self, setting: Setting[K], state: S, duty: Duty, action_type: type[Action]
    ) -> Iterator[Action]:
        """The legal ones of the candidates of a kind for a duty, with the seat that owes them.

        What they fulfil is asked once for all of the same seat, or of nobody, if no seat owes them.
        """
        offer = self._rules.offered.get(action_type)
        if offer is None or not action_type.enumerable:
            return
        trial, reducer = self._judge.probe(setting), self._rules.reducers.get(action_type)
        asked: str | None = ""
        owed, before = None, state
        for action in offer(state, duty.seat, setting):
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
            except LegalityDecided:
                pass
            except Refused:
                continue
            yield action

    def _nobodys(self, state: S, action_type: type[Action]) -> bool:
        """Whether no seat owes what such an action may fulfil now."""
        kinds = self._rules.kinds.get(action_type, AT_ANY_TIME)
        return not any(duty.seat for duty in state.agenda.duties if duty.kind in kinds)

    def due(self, setting: Setting[K], state: S) -> list[tuple[Duty, tuple[str, ...]]]:
        """What is owed now, or allowed and possible, and the verbs with which it can be done."""
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
        """What is due now and cannot be listed, and of whom."""
        found: dict[tuple[str | None, type[Action]], None] = {}
        for duty in state.agenda.duties:
            for action_type in self._rules.duties.get(duty.kind, ()):
                if not action_type.enumerable or action_type not in self._rules.offered:
                    found[duty.seat, action_type] = None
        return list(found)
