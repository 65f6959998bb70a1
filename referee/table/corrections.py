"""Undo, redo and corrections: changes of the line, judged before they are recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from engines.kernel import Action, Engine, Judgement, Opening, evolve
from engines.kernel.dialogue.clause_text import RecordedLine
from referee.errors import Conflicting, Illegal, NotFound, Unfit
from referee.record.entries import (
    Adjusted,
    Corrected,
    EntryData,
    KitDeclared,
    Logged,
    Opened,
    Reinstated,
    Restored,
    Ruled,
    Said,
    TakenBack,
    action_data,
    verdict_data,
)
from referee.record.fold import must_be_open, supposed
from referee.record.game import Game, judge_opening
from referee.record.history import came_after
from referee.record.line import Item, JudgedItem
from referee.secrecy.query_guard import needs_everything
from referee.table.author import BY_SCRIBE, By
from referee.table.automatic_disputes import calls_for_a_judge, judged_anew
from referee.table.bench import Answer, Bench, once
from referee.table.takeback_barriers import check_take_back


@once(TakenBack)
def undo(
    bench: Bench,
    game: Game,
    count: int = 1,
    *,
    to: int | None = None,
    reason: str = "",
    by: By = BY_SCRIBE,
) -> Answer:
    """Take back the last action, or several, or everything after action ``to``."""
    must_be_open(game)
    data = taking_back(game, count, to, reason)
    check_take_back(game, data.numbers[-1], by.author)
    return bench.tell(game, [data], by)


@once(Restored)
def redo(bench: Bench, game: Game, count: int = 1, *, by: By = BY_SCRIBE) -> Answer:
    """Restore what was taken back last."""
    must_be_open(game)
    back = [item.number for item in reversed(game.undone)][:count]
    if len(back) < count or count < 1:
        raise Conflicting("nothing_to_restore", count=count, actions=len(game.undone))
    numbers = tuple(number for number in back if number is not None)
    return bench.tell(game, [Restored(numbers=numbers)], by)


@once(Corrected)
def correct(
    bench: Bench,
    game: Game,
    at: int,
    lines: Sequence[str | Action] = (),
    *,
    remove: int | Sequence[int] = 1,
    keep: Sequence[int] = (),
    stands: bool = False,
    reason: str = "",
    by: By = BY_SCRIBE,
    seats: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> Answer:
    """A splice: from action ``at`` on take ``remove`` actions out and put ``lines`` in.

    ``remove=0`` inserts before ``at``; ``at=0`` corrects the opening. What follows is
    judged anew. ``keep`` lets pending actions stand as they happened.
    """
    must_be_open(game)
    needs_everything(game, by.author.viewer, "correct")
    data = correction(
        game, at, lines, remove=remove, keep=keep, stands=stands, reason=reason, seats=seats
    )
    if data.remove or data.insert:
        check_take_back(game, at, by.author)
    return tell_with_calls(bench, game, [data], by, dry_run=dry_run)


def latest_correction(game: Game) -> Corrected | None:
    """The correction that the table can put back: nothing has changed the line since, and it was
    no judge's remedy."""
    for entry in reversed(game.entries):
        data = entry.data
        if isinstance(data, Corrected) and (data.remove or data.insert or data.keep):
            ordered = isinstance(game.entries[entry.seq - 1].data, Ruled)
            return data if not ordered and not data.keep and _can_return(game, data) else None
        if isinstance(data, _CHANGES_THE_LINE):
            return None
    return None


_CHANGES_THE_LINE = (Opened, Logged, TakenBack, Restored, Reinstated, Adjusted, KitDeclared, Ruled)


def _can_return(game: Game, data: Corrected) -> bool:
    """What was taken out are actions: an adjustment of the position cannot be said again."""
    return len(_said_before(game, data)) == len(data.remove)


def _said_before(game: Game, data: Corrected) -> list[Said]:
    """What a correction took out, as it was said; the opening as it was before."""
    said: dict[int, Said] = {}
    for entry in game.entries:
        if entry.data is data:
            break
        if isinstance(entry.data, Opened):
            opened = entry.data
            said[0] = Said(number=0, action=opened.opening, verdict=opened.verdict)
        elif isinstance(entry.data, Logged):
            said[entry.data.number] = entry.data
        elif isinstance(entry.data, Corrected):
            said.update({each.number: each for each in entry.data.insert})
        elif isinstance(entry.data, Reinstated) and entry.data.opening is not None:
            said[0] = entry.data.opening
    return [said[number] for number in data.remove if number in said]


@once(Corrected)
def put_back(bench: Bench, game: Game, at: int, *, reason: str = "", by: By = BY_SCRIBE) -> Answer:
    """Undo the last correction, which was made at action ``at``, as one thing: what it put in goes
    out, what it took out is said again."""
    must_be_open(game)
    needs_everything(game, by.author.viewer, "correct")
    made = latest_correction(game)
    if made is None or made.at != at:
        raise Conflicting("no_correction_to_undo", number=at)
    out = [said.number for said in made.insert]
    said = _said_before(game, made)
    place = out[0] if out else _place_of(game, made.remove[0])
    data = Corrected(
        at=place,
        remove=tuple(out),
        insert=_insertions(
            game,
            place,
            out,
            [game.engine.text.load(each.action) for each in said],
            stands=any(each.stands for each in said),
        )
        if said
        else (),
        reason=reason,
    )
    check_take_back(game, place, by.author)
    return tell_with_calls(bench, game, [data], by)


def _place_of(game: Game, number: int) -> int:
    """Before which action one that was taken out comes back; behind the last: its next number."""
    line, before = game.numbers(), came_after(game)[number]
    behind = line[line.index(before) + 1 :] if before else line
    return behind[0] if behind else game.last_number + 1


def tell_with_calls(
    bench: Bench, game: Game, data: Sequence[EntryData], by: By, *, dry_run: bool = False
) -> Answer:
    """Record entries that change the line, with the disputes their new verdicts raise.

    A dry run answers with the game as it would be.
    """
    after = supposed(game, data).game
    calls = calls_for_a_judge(game, list(judged_anew(game, after)), by_judge=by.author.judges)
    if dry_run:
        return evolve(bench.attempt(game, data, by), entries=())
    return bench.tell(game, [*data, *calls], by)


def taking_back(game: Game, count: int, to: int | None, reason: str) -> TakenBack:
    """The entry that takes back a number of actions, or everything after action ``to``."""
    if to is not None:
        numbers = game.numbers()
        if to and to not in numbers:
            raise NotFound("no_such_action", number=to)
        count = len(numbers) - (numbers.index(to) + 1 if to else 0)
    numbered = (item.number for item in game.backwards() if item.number is not None)
    last = tuple(islice(numbered, min(max(count, 0), len(game.entries))))
    if not 1 <= count == len(last):
        raise Conflicting("nothing_to_take_back", count=count, actions=len(game.numbers()))
    return TakenBack(numbers=last, reason=reason)


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
    """The entry of a correction; its insertions are judged where they will stand."""
    if seats is not None and not (lines or keep or remove):
        return Corrected(at=game.last_number + 1, seats=dict(seats), reason=reason)
    gone = _removed(game, at, remove)
    if not (gone or lines or keep or seats is not None):
        raise Unfit("nothing_to_correct")
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


def _removed(game: Game, at: int, remove: int | Sequence[int]) -> Sequence[int]:
    """The numbers of the actions to remove."""
    numbers = [0, *game.numbers()]
    if at not in numbers:
        raise NotFound("no_such_action", number=at)
    if not isinstance(remove, int):
        return remove
    start = numbers.index(at)
    gone = numbers[start : start + remove]
    if len(gone) < remove:
        raise NotFound("no_such_action", number=at + remove - 1)
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
    last = _last_before(game, at)
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


def _last_before(game: Game, at: int) -> JudgedItem:
    """The step before an insertion: the last step, if ``at`` is pending."""
    return game.before(at) if game.counts(at) else game.steps[-1]


def said_in(step: JudgedItem, number: int) -> Said:
    """A step in its stored form."""
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
    """The error for an action that cannot be inserted at its place."""
    return Illegal(
        "insertion_refused",
        line=RecordedLine(engine.text(judged.action), engine),
        clause=judged.verdict.clause,
        verdict=judged.verdict,
    )
