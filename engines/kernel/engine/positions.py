"""Declared positions: a whole table stated as data, adjusted, and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Generic

from pydantic import ValidationError

from engines.kernel.engine.contract import Judgement, K, Positions, S, Setting
from engines.kernel.engine.judge import Judge
from engines.kernel.engine.options import Options
from engines.kernel.messages.catalogue import Catalogue, Phrase
from engines.kernel.messages.errors import ParseError, first_mistake
from engines.kernel.rules.actions import refuse_beyond_limits
from engines.kernel.rules.hearing import Hearing, Outcome, Point, Refused, Verdict
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.values.structs import evolve


class DeclaredPositions(Generic[S, K]):
    """Converts between states and declared positions, and applies adjustments."""

    def __init__(
        self,
        game: str,
        judge: Judge[S, K],
        options: Options[S, K],
        rules: Rulebook,
        words: Catalogue,
        positions: Positions[S, K] | None,
        balance: Callable[[S, Setting[K]], Mapping[str, int]],
    ) -> None:
        self._id = game
        self._judge = judge
        self._options = options
        self._rules = rules
        self._words = words
        self._position = None if positions is None else positions.action
        self._position_of = None if positions is None else positions.of
        named = () if positions is None else positions.in_any_order
        self._in_any_order = tuple(tuple(path.split(".")) for path in named)
        self._balance = balance

    def checked(self, setting: Setting[K], heard: Judgement[S], lenient: bool) -> Judgement[S]:
        """Refuse a declared position from which play could not go on."""
        after = self._declared(setting, heard.state)
        if not lenient and not self._goes_on(setting, after):
            stuck = Phrase("flaw.stuck")
            raise ParseError("bad_position", field=self._owing(after), problem=stuck)
        return evolve(heard, state=after)

    def data_of(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """The position that declares this state, as JSON data without nulls (TOML has none)."""
        if self._position_of is None:
            raise ParseError("no_positions", game=self._id)
        try:
            position = self._position_of(state, setting)
        except ValidationError as error:  # more on the table than a position may declare
            wrong = first_mistake(error, self._words)
            raise ParseError("bad_position", field=wrong.place, problem=wrong.problem) from None
        return position.model_dump(mode="json", exclude={"verb", "by"}, exclude_none=True)

    def compared(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """The same data as two tables are compared by: without orders that mean nothing."""
        compared: dict[str, Any] = self._sorted(self.data_of(setting, state), ())
        return compared

    def _sorted(self, data: Any, path: tuple[str, ...]) -> Any:
        if isinstance(data, dict):
            return {name: self._sorted(value, (*path, name)) for name, value in data.items()}
        if isinstance(data, list) and any(_is_at(path, each) for each in self._in_any_order):
            return sorted(data, key=str)
        return data

    def changes_to(
        self, setting: Setting[K], state: S, position: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The merge patch with which ``adjust`` turns a state into this position."""
        return diff_merge_patch(self.data_of(setting, state), position)

    def alters(self, setting: Setting[K], state: S, changes: Mapping[str, Any]) -> bool:
        """Whether a merge patch says anything that the position does not."""
        current = self.data_of(setting, state)
        return bool(apply_merge_patch(current, changes) != current)

    def adjust(self, setting: Setting[K], state: S, changes: Mapping[str, Any]) -> S:
        """Apply a merge patch to the position of a state; conservation is counted anew from it."""
        rule = self._judge.hearing(setting, 0, True)
        try:
            after = self._laid_over(setting, state, changes, rule)
        except Refused as refused:
            raise ParseError(
                "bad_position", field=str(refused), problem=Phrase("flaw.stuck")
            ) from None
        return self._declared(setting, after)

    def contradictions(
        self, setting: Setting[K], state: S, changes: Mapping[str, Any]
    ) -> tuple[Verdict, bool]:
        """The rules that an adjustment contradicts, and whether it may be kept anyway.

        Rules that the position contradicts already, after something illegal, are left out.
        """
        refuse_beyond_limits(changes)
        rule = self._judge.hearing(setting, 0, True)
        may_stand = True
        try:
            self._laid_over(setting, state, changes, rule)
        except Refused:
            may_stand = False
        shown = self._judge.hearing(setting, 0, True)
        with suppress(Refused):
            self._laid_over(setting, state, {}, shown)
        breaches = _but_for(rule.breaches, shown.breaches)
        doubted = _but_for(rule.doubted, shown.doubted)
        outcome: Outcome = "illegal" if breaches else "legal"
        verdict = Verdict(outcome, breaches, readings=rule.readings_used, doubted=doubted)
        return verdict, may_stand

    def _laid_over(
        self, setting: Setting[K], state: S, changes: Mapping[str, Any], rule: Hearing[K]
    ) -> S:
        """The state that the position declares after a merge patch."""
        current = self.data_of(setting, state)
        assert self._position is not None
        try:
            position = self._position.model_validate(apply_merge_patch(current, changes))
            return self._judge.run_steps(
                self._rules.reducers[self._position](state, position, rule), rule
            )
        except ValidationError as error:
            wrong = first_mistake(error, self._words)
            raise ParseError("bad_position", field=wrong.place, problem=wrong.problem) from None
        except ParseError as error:
            raise error.in_words_of(self._words) from None

    def _goes_on(self, setting: Setting[K], state: S) -> bool:
        """Whether somebody has something to do, or the game is over."""
        return state.over or bool(
            self._options(setting, state) or self._options.unlisted(setting, state)
        )

    def _owing(self, state: S) -> str:
        """The open duties as a short text for error messages."""
        return ", ".join(
            f"{duty.seat} {duty.kind}" if duty.seat else duty.kind for duty in state.agenda.duties
        )

    def _declared(self, setting: Setting[K], state: S) -> S:
        """Store the current imbalance as offsets, so that conservation holds from this state on."""
        return evolve(state, offsets=dict(self._balance(state, setting)), last_seat=None)


def _but_for(points: Iterable[Point], known: Iterable[Point]) -> tuple[Point, ...]:
    """The points without as many of each clause as were there before."""
    left, others = Counter(point.clause for point in known), []
    for point in points:
        if left[point.clause]:
            left[point.clause] -= 1
        else:
            others.append(point)
    return tuple(others)


def diff_merge_patch(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Merge Patch (RFC 7396) that turns one table into the other."""
    changes: dict[str, Any] = {key: None for key in current if wanted.get(key) is None}
    for key, value in wanted.items():
        old = current.get(key)
        if value is None or value == old:
            continue
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            changes[key] = diff_merge_patch(old, value)
        else:
            changes[key] = value
    return changes


def apply_merge_patch(current: Any, changes: Any) -> Any:
    """Apply a JSON Merge Patch: tables are merged, all else is replaced, ``None`` removes a key."""
    if not isinstance(current, Mapping) or not isinstance(changes, Mapping):
        return changes
    merged = {key: value for key, value in current.items() if changes.get(key, "") is not None}
    for key, value in changes.items():
        if value is not None:
            merged[key] = apply_merge_patch(current.get(key), value)
    return merged


def _is_at(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a place in the data is meant by a pattern, in which ``*`` is any name."""
    return len(path) == len(pattern) and all(
        wanted in ("*", name) for name, wanted in zip(path, pattern, strict=True)
    )
