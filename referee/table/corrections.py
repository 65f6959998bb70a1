"""Going back and correcting: the entries that change what counts, judged before they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.kernel import Action, Engine, Judgement, Opening
from referee.errors import Conflicting, Illegal, NotFound, Unfit
from referee.record.entries import Corrected, Said, TakenBack, action_data, verdict_data
from referee.record.fold import Game, Item, Step, judge_opening


def taking_back(game: Game, count: int, to: int | None, reason: str) -> TakenBack:
    """The entry that takes back so many actions, or everything after action ``to``."""
    numbers = game.numbers()
    if to is not None:
        if to and to not in numbers:
            raise NotFound("no_such_action", number=to)
        count = len(numbers) - (numbers.index(to) + 1 if to else 0)
    if not 1 <= count <= len(numbers):
        raise Conflicting("nothing_to_take_back", count=count, actions=len(numbers))
    return TakenBack(numbers=tuple(reversed(numbers[-count:])), reason=reason)


def correction(
    game: Game,
    at: int,
    lines: Sequence[str | Action] = (),
    *,
    remove: int | Sequence[int] = 1,
    keep: Sequence[int] = (),
    stands: bool = False,
    reason: str = "",
    seats: Mapping[str, str] | None = None,
) -> Corrected:
    """The entry that makes a correction, its insertions judged where they will stand."""
    gone = _removed(game, at, remove, keep)
    waiting = game.waiting
    if lines and at in waiting and at != waiting[0]:
        raise Conflicting("pending", numbers=waiting[: waiting.index(at)])
    return Corrected(
        at=at,
        remove=tuple(gone),
        insert=_insertions(game, at, gone, lines, stands),
        keep=tuple(keep),
        reason=reason,
        seats=dict(seats) if seats is not None else None,
    )


def _removed(
    game: Game, at: int, remove: int | Sequence[int], keep: Sequence[int]
) -> Sequence[int]:
    """The numbers of the actions to take out, none of them before ``at``."""
    numbers = [0, *game.numbers()]
    if at not in numbers:
        raise NotFound("no_such_action", number=at)
    start = numbers.index(at)
    gone = numbers[start : start + remove] if isinstance(remove, int) else remove
    if isinstance(remove, int) and len(gone) < remove:
        raise NotFound("no_such_action", number=at + remove - 1)
    for number in (*gone, *keep):
        if number not in numbers:
            raise NotFound("no_such_action", number=number)
    if any(numbers.index(number) < start for number in gone):
        raise Conflicting("remove_behind", number=at)
    return gone


def _insertions(
    game: Game, at: int, gone: Sequence[int], lines: Sequence[str | Action], stands: bool
) -> tuple[Said, ...]:
    """The inserted actions with their verdicts, each judged where it will stand."""
    actions = [game.engine.read(line) if isinstance(line, str) else line for line in lines]
    if at == 0:
        if len(actions) != 1 or [*gone] != [0] or not isinstance(actions[0], Opening):
            raise Unfit("one_opening")
        return (_new_opening(game, actions[0]),)
    last = _last_before(game, at, gone)
    said = []
    for number, action in enumerate(actions, start=game.last_number + 1):
        step = game.play(Item(number, action), last)
        if step is None and stands:
            step = game.play(Item(number, action, stands=True), last)
        if step is None:
            raise refusal(game.engine, game.engine.judge(last.setting, last.state, action, number))
        last = step
        said.append(said_in(step, number))
    return tuple(said)


def _last_before(game: Game, at: int, gone: Sequence[int]) -> Step:
    """The step that an insertion follows, when what goes is gone."""
    last = game.steps[0]
    for step in game.steps:
        if step.number == at:
            break
        if step.number not in gone:
            last = step
    return last


def said_in(step: Step, number: int) -> Said:
    """A step as an entry keeps it."""
    assert step.action is not None
    return Said(
        number=number,
        action=action_data(step.action),
        verdict=verdict_data(step.verdict),
        stands=step.item.stands,
    )


def _new_opening(game: Game, opening: Opening) -> Said:
    house_rules = game.opened.house_rules
    _, judged = judge_opening(game.engine, opening, game.sheet, game.pinned, house_rules)
    if not judged.accepted:
        raise refusal(game.engine, judged)
    return Said(number=0, action=action_data(opening), verdict=verdict_data(judged.verdict))


def refusal(engine: Engine[Any, Any], judged: Judgement[Any]) -> Illegal:
    """Why an action cannot be put where it was to be."""
    return Illegal(
        "insertion_refused",
        line=engine.text(judged.action),
        clause=judged.verdict.clause,
        verdict=judged.verdict,
    )
