"""What a take-back, a correction or a declared datum did to everything behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from answers.answer import Data
from answers.context import Caller
from answers.i18n import Voice
from answers.verdict_text import action_line, hint_line, numbered, point_lines
from answers.verdicts import NOTHING_TO_MOVE, Outcome, RearrangedAnswer, table_answer
from referee.errors import NotAllowed
from referee.record.entries import CHANGES_THE_LINE, Disputed
from referee.record.game import rearranged
from referee.secrecy.redaction import judged_for

if TYPE_CHECKING:
    from engines.kernel import Point, Rearrangement
    from referee.record.entries import VerdictData
    from referee.record.game import Game
    from referee.record.line import Change
    from referee.table.bench import Answer


class RejudgedRow(Data):
    number: int
    before: Outcome
    after: Literal["legal", "illegal", "undecided", "pending"]
    clauses: list[str]


class ChangeAnswer(Data):
    game: str
    table: RearrangedAnswer = RearrangedAnswer()
    """What must be moved on the table now."""
    judged_again: int
    rejudged: list[RejudgedRow]
    pending: list[int]
    disputes_ended: list[str] = []
    """Open disputes of which nothing is left to decide."""


@dataclass(frozen=True)
class Changed:
    """Result of a change to the line: the game after it, and why pending actions are refused."""

    game: Game
    change: Change
    breaches: tuple[Point, ...] = ()
    disputes: tuple[str, ...] = ()
    """Those that it opened by itself."""
    ended: tuple[str, ...] = ()
    """Those of which nothing is left to decide."""
    table: Rearrangement = NOTHING_TO_MOVE
    waited: Sequence[int] = ()
    """The actions that were pending before."""

    def fields(self, voice: Voice) -> dict[str, Any]:
        """The fields of a ``ChangeAnswer``, its sentences in a voice."""
        told = self._rearranged(voice.at(self.game.seats))
        table = table_answer(self.table, told)
        own = {"game": self.game.id, "table": table, "disputes_ended": list(self.ended)}
        return {**own, **_change_fields(self.change)}

    def _rearranged(self, voice: Voice) -> list[str]:
        return self.table.told(self.game.engine.words.naming(voice.names), voice.lang)

    def table_lines(self, voice: Voice, *, dry_run: bool = False) -> Iterator[str]:
        """What hands must do at the table, in one block; nothing, where it lies as it should."""
        if self.game.waiting:
            yield "  " + voice.say("tell.table_waits")
        elif told := self._rearranged(voice.at(self.game.seats)):
            key = "tell.table_then" if dry_run else "tell.table_now"
            yield "  " + voice.mark("bold", voice.say(key))
            yield from (f"    {line}" for line in told)

    def lines(self, voice: Voice, *, helping: bool = True) -> Iterator[str]:
        """``helping``, not in a dry run: name each pending action, and what to do about them."""
        change, voice = self.change, voice.at(self.game.seats)
        if change.judged_again:
            yield "  " + voice.say("tell.rejudged", count=change.judged_again)
        yield from self._rejudged(voice, helping)
        if change.pending:
            yield "  " + voice.say("tell.pending", numbers=numbered(change.pending))
            for point in self.breaches:
                yield from point_lines(voice, self.game.engine, point, self.game.setting.readings)
            if helping:
                yield from hint_line(voice, "tell.pending_help", number=change.pending[0])
        for key, disputes in (("ended", self.ended), ("opened", self.disputes)):
            for dispute in disputes:
                yield "  " + voice.say(f"tell.dispute_{key}", id=dispute)

    def _rejudged(self, voice: Voice, helping: bool) -> Iterator[str]:
        sought = {judged.number for judged in self.change.rejudged} - {0}
        items = {
            item.number: item for item in (self.game.steps[0].item, *self.game.back_to(sought))
        }
        for judged in self.change.rejudged:
            if judged.after is None and not helping:
                continue
            if judged.after is not None and _says_the_same(judged.before, judged.after):
                continue
            item = items.get(judged.number)
            said = item.action if item is not None else None
            line = action_line(voice, self.game.engine, said)
            before = voice.say(f"outcome.{judged.before.outcome}")
            if judged.after is None:
                after = voice.mark("bad", voice.say("tell.pending_word"))
            else:
                clauses = " ".join(dict.fromkeys(point.clause for point in judged.after.breaches))
                after = f"{voice.say('outcome.' + judged.after.outcome)} {clauses}".strip()
            yield "  " + voice.labelled(f"#{judged.number} {line}", f"{before} → {after}")


def _says_the_same(before: VerdictData, after: VerdictData) -> bool:
    """Whether two verdicts differ only in facts, which are not told here."""
    then, now = ([point.clause for point in verdict.breaches] for verdict in (before, after))
    return before.outcome == after.outcome and then == now


def changed(caller: Caller, answer: Answer) -> Changed:
    """Told again, it is what it was then, whatever has happened in the game since."""
    game = answer.game
    if answer.entries and answer.entries[-1].seq < game.version:
        game = caller.bench.before(game, answer.entries[-1].seq + 1)
    return changed_game(caller, answer.before, game, answer.change, raised(answer))


def changed_game(
    caller: Caller,
    before: Game | None,
    game: Game,
    change: Change,
    disputes: tuple[str, ...] = (),
) -> Changed:
    """``game`` is the whole game after the change."""
    shown, table = caller.shown(game), NOTHING_TO_MOVE
    if before is not None and not game.waiting:
        table = rearranged(caller.shown(_as_it_lies(caller, before)), shown)
    were_open = before.open_disputes() if before is not None else []
    ended = tuple(one.id for one in were_open if game.ended_by(one) == "undone")
    waited = before.waiting if before is not None else ()
    return Changed(shown, change, _refused(caller, game, change), disputes, ended, table, waited)


def _as_it_lies(caller: Caller, game: Game) -> Game:
    """The game by which the table lies: while actions are pending, the last one without any.

    Nobody moves anything back that the table may decide to keep.
    """
    while game.waiting:
        changes = (e.seq for e in reversed(game.entries) if isinstance(e.data, CHANGES_THE_LINE))
        game = caller.bench.before(game, next(changes))
    return game


def _refused(caller: Caller, game: Game, change: Change) -> tuple[Point, ...]:
    """Why the first action that waits no longer holds, where the caller may know it."""
    first = game.pending[0] if change.pending and game.pending else None
    if first is None or first.action is None:
        return ()
    judged = game.engine.judge(game.setting, game.state, first.action, first.number or 0)
    try:
        return judged_for(game, judged, caller.view(game)).verdict.breaches
    except NotAllowed:
        return ()


def raised(answer: Answer) -> tuple[str, ...]:
    return tuple(entry.data.id for entry in answer.entries if isinstance(entry.data, Disputed))


def _change_fields(change: Change) -> dict[str, Any]:
    return {
        "judged_again": change.judged_again,
        "rejudged": [
            RejudgedRow(
                number=judged.number,
                before=judged.before.outcome,
                after=judged.after.outcome if judged.after is not None else "pending",
                clauses=[p.clause for p in judged.after.breaches] if judged.after else [],
            )
            for judged in change.rejudged
        ],
        "pending": list(change.pending),
    }
