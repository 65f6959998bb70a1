"""Undo, redo, corrections of logged actions, and adjustments of the position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from answers.answer import Answered, Data
from answers.changes import ChangeAnswer, Changed, changed, raised
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import Count, Lines, Name, Removed
from answers.permissions import Writes
from answers.verdict_text import (
    action_line,
    breach_lines,
    hint_line,
    insertion_refused,
    to_act,
)
from answers.verdicts import RearrangedAnswer, VerdictAnswer, verdict_fields
from engines.kernel import Seat
from engines.kernel.messages.catalogue import Verbatim
from referee.errors import Illegal, Misused
from referee.record.entries import Corrected, Number, Remark, Restored, TakenBack
from referee.record.game import Game
from referee.table import adjustments, corrections
from referee.table.bench import Answer


class UndoAnswer(ChangeAnswer):
    undone: list[int]


class RedoAnswer(ChangeAnswer):
    restored: list[int]


class CorrectAnswer(ChangeAnswer):
    inserted: list[int]
    disputes: list[str]


class InsertionRefusedAnswer(VerdictAnswer):
    """A line that is illegal where it was to stand; nothing was recorded."""

    game: str
    notation: str


class AdjustAnswer(Data):
    game: str
    number: int
    changes: dict[str, Any]
    table: RearrangedAnswer = RearrangedAnswer()
    """What lies otherwise than the record told."""


class AdjustRefusedAnswer(VerdictAnswer):
    """A table that contradicts itself; nothing was recorded."""

    game: str
    changes: dict[str, Any]
    may_stand: bool
    """Whether it can be recorded if it is so all the same."""


@operation("undo", "POST /games/{game}/undo", grant=Writes("taken_back"), seats_need="seats_log")
def undo(
    caller: Caller, game_id: str, count: Count = 1, *, to: Number | None = None, reason: Remark = ""
) -> Answered[UndoAnswer]:
    """Take back the last actions, or everything after action ``to``; nothing is deleted."""
    answer = corrections.undo(caller.bench, game_id, count, to=to, reason=reason, by=caller.by)
    made, after = answer.entries[0].data, changed(caller, answer)
    assert isinstance(made, TakenBack)
    return Answered(
        lambda: UndoAnswer(**after.fields(caller.voice), undone=list(made.numbers)),
        lambda voice: _moved(voice, "undo.done", made.numbers, after),
    )


@operation("redo", "POST /games/{game}/redo", grant=Writes("restored"), seats_need="seats_log")
def redo(caller: Caller, game_id: str, count: Count = 1) -> Answered[RedoAnswer]:
    """Bring back what was taken back last."""
    answer = corrections.redo(caller.bench, game_id, count, by=caller.by)
    made, after = answer.entries[0].data, changed(caller, answer)
    assert isinstance(made, Restored)
    return Answered(
        lambda: RedoAnswer(**after.fields(caller.voice), restored=list(made.numbers)),
        lambda voice: _moved(voice, "redo.done", made.numbers, after),
    )


def _moved(voice: Voice, key: str, numbers: Sequence[int], after: Changed) -> Iterator[str]:
    yield voice.say(key, numbers=", ".join(f"#{number}" for number in numbers))
    yield from after.lines(voice)
    yield from after.table_lines(voice)
    yield "  " + to_act(voice, after.game)


@operation("correct", "POST /games/{game}/corrections", grant=Writes("corrected"))
def correct(
    caller: Caller,
    game_id: str,
    number: Number,
    lines: Lines = (),
    *,
    remove: Removed = 1,
    drop: bool = False,
    keep: bool = False,
    stands: bool = False,
    back: bool = False,
    seats: Mapping[Seat, Name] = {},
    reason: Remark = "",
    dry_run: bool = False,
) -> Answered[CorrectAnswer | InsertionRefusedAnswer]:
    """From action ``number`` on take ``remove`` actions out and put ``lines`` in.

    ``drop`` puts nothing in, ``keep`` lets a pending action stand as it happened, ``back`` undoes
    the last correction, and ``seats`` says who sits where from now on, by name. What follows is
    judged anew; ``dry_run`` only tells what would be.
    """
    game = caller.game(game_id)
    actions = [text for line in lines for text in caller.said(game, line)]
    if back:
        return _put_back(caller, game, number, reason)
    if seats and not (actions or drop or keep):
        remove = 0
    elif not actions and not (drop or keep):
        raise Misused("nothing_to_correct")
    for seat in seats or {}:
        game.must_seat(seat)
    try:
        answer = corrections.correct(
            caller.bench,
            game_id,
            number,
            actions,
            remove=0 if keep else remove,
            keep=[number] if keep else [],
            stands=stands,
            seats=_sitting(caller, game, seats, dry_run=dry_run) if seats else None,
            reason=reason,
            by=caller.by,
            dry_run=dry_run,
        )
    except Illegal as refused:
        return insertion_answer(game, refused)
    after, inserted = changed(caller, answer), _inserted(answer)

    def render(voice: Voice) -> Iterator[str]:
        for seat, name in (seats or {}).items():
            yield voice.say("correct.sits_down", seat=seat, name=Verbatim(name))
        if seats and not (actions or drop or keep):
            return
        yield voice.say("correct.preview" if dry_run else "correct.done", number=number)
        yield from _corrected(voice, after, inserted, dry_run=dry_run)

    return Answered(
        lambda: CorrectAnswer(
            **after.fields(caller.voice), inserted=inserted, disputes=list(raised(answer))
        ),
        render,
    )


def _sitting(
    caller: Caller, game: Game, seats: Mapping[str, str], *, dry_run: bool
) -> dict[str, str]:
    """Everybody at the table from now on; whoever is new is known only once it is recorded."""
    if dry_run:
        return dict(game.seats)
    return {**game.seats, **{seat: caller.person(name) for seat, name in seats.items()}}


def _put_back(
    caller: Caller, game: Game, number: int, reason: str
) -> Answered[CorrectAnswer | InsertionRefusedAnswer]:
    try:
        answer = corrections.put_back(caller.bench, game.id, number, reason=reason, by=caller.by)
    except Illegal as refused:
        return insertion_answer(game, refused)
    after, inserted = changed(caller, answer), _inserted(answer)

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("correct.put_back", number=number)
        yield from _corrected(voice, after, inserted)

    return Answered(
        lambda: CorrectAnswer(
            **after.fields(caller.voice), inserted=inserted, disputes=list(raised(answer))
        ),
        render,
    )


def insertion_answer(game: Game, refused: Illegal) -> Answered[Any]:
    """The answer to a correction that is illegal where it was to stand."""
    return Answered(
        lambda: InsertionRefusedAnswer(
            **verdict_fields(refused.facts["verdict"]),
            game=game.id,
            notation=refused.facts["line"],
        ),
        lambda voice: insertion_refused(voice, game, refused),
        "illegal",
    )


def _inserted(answer: Answer) -> list[int]:
    """The numbers of the actions that the correction has put in."""
    entries = (entry.data for entry in answer.entries)
    return [said.number for data in entries if isinstance(data, Corrected) for said in data.insert]


def _corrected(
    voice: Voice, after: Changed, inserted: list[int], *, dry_run: bool = False
) -> Iterator[str]:
    game = after.game
    voice = voice.at(game.seats)
    for number in filter(game.counts, inserted):
        step = game.step(number)
        if step.action is not None:
            yield f"  + #{number} {action_line(voice, game.engine, step.action)}"
    yield from after.lines(voice, helping=not dry_run)
    yield from _released(voice, game, list(filter(game.counts, after.waited)))
    yield from after.table_lines(voice, dry_run=dry_run)
    if not dry_run:
        yield "  " + to_act(voice, game)


def _released(voice: Voice, game: Game, numbers: list[int]) -> Iterator[str]:
    """What was pending and counts again: because it fits, or because it happened all the same."""
    fitting = []
    for number in numbers:
        verdict = game.step(number).verdict
        if verdict.breaches:
            clauses = " ".join(point.clause for point in verdict.breaches)
            yield "  " + voice.say("tell.kept", number=number, clauses=clauses)
        else:
            fitting.append(f"#{number}")
    if fitting:
        yield "  " + voice.say("tell.released", numbers=", ".join(fitting))


@operation("adjust", "POST /games/{game}/adjustments", grant=Writes("adjusted"))
def adjust(
    caller: Caller,
    game_id: str,
    changes: Mapping[str, Any],
    reason: Remark,
    *,
    whole: bool = False,
    stands: bool = False,
) -> Answered[AdjustAnswer | AdjustRefusedAnswer]:
    """Bring the state in line with the real table: part of a position, or a whole one, and why.

    What no table can show is refused; if it is so all the same, it ``stands``.
    """
    try:
        answer = adjustments.adjust(
            caller.bench, game_id, changes, reason, whole=whole, stands=stands, by=caller.by
        )
    except Illegal as refused:
        return _contradiction(caller.game(game_id), changes, refused)
    after = changed(caller, answer)
    game, number = after.game, after.game.last_number

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("adjust.done", number=number)
        yield from after.table_lines(voice)
        yield "  " + to_act(voice, game)

    return Answered(
        lambda: AdjustAnswer(
            game=game.id,
            number=number,
            changes=dict(changes),
            table=after.fields(caller.voice)["table"],
        ),
        render,
    )


def _contradiction(
    game: Game, changes: Mapping[str, Any], refused: Illegal
) -> Answered[AdjustAnswer | AdjustRefusedAnswer]:
    """The answer to an adjustment that no table can show."""
    verdict, may_stand = refused.facts["verdict"], refused.facts["may_stand"]

    def render(voice: Voice) -> Iterator[str]:
        yield voice.say("adjust.refused")
        yield from breach_lines(voice.at(game.seats), game.engine, verdict, game.setting.readings)
        if may_stand:
            yield from hint_line(voice, "adjust.stands")

    return Answered(
        lambda: AdjustRefusedAnswer(
            **verdict_fields(verdict),
            game=game.id,
            changes=dict(changes),
            may_stand=may_stand,
        ),
        render,
        "illegal",
    )
