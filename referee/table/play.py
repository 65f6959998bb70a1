"""Play: actions are parsed, judged and recorded."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import field

from engines.kernel import Action, Audit, Moves, ParseError, Verdict, evolve
from engines.kernel.engine.judge import UNKNOWABLE
from engines.kernel.messages.errors import MessageError
from referee.errors import Conflicting
from referee.record import entries as kinds
from referee.record.fold import must_go_on, supposed
from referee.record.game import Game, moves_between
from referee.record.hidden_state import options_hidden, said_by_hidden
from referee.record.line import Item, JudgedItem, Stood
from referee.record.persistent_vector import PersistentVector
from referee.secrecy.query_guard import (
    as_known,
    check_question,
    known_after,
    known_step,
    tells_the_table,
    told,
)
from referee.secrecy.redaction import EVERYTHING, shown_to, steps_shown_to, viewer_of
from referee.table.author import BY_SCRIBE, SCRIBE, Author, By
from referee.table.automatic_disputes import calls_for_a_judge, judged_at, judged_openly
from referee.table.bench import Answer, BatchBench, Bench, IdempotencyKeyReused, once

Reading = Callable[[Game, str, Sequence[Action] | None], Action]
"""What a line means at a table: how it is written, or what is said of one of these actions; of
those that may come next, where none are named."""


def as_written(game: Game, line: str, of: Sequence[Action] | None = None) -> Action:
    return game.engine.read(line)


class Heard(Answer, frozen=True, dict=True):
    """The answer to an action: accepted and recorded, or refused."""

    action: Action | None = None
    verdict: Verdict = field(default_factory=lambda: Verdict("legal"))
    accepted: bool = True
    number: int | None = None
    stands: bool = False
    may_stand: bool = False
    """Refused, but it could be recorded as it happened."""
    disputes: tuple[str, ...] = ()
    steps: tuple[JudgedItem, JudgedItem] | None = None
    """The steps before and after it; None if it does not count."""

    @cached_property
    def moves(self) -> Moves:
        """What it moved on the table."""
        return moves_between(self.game, *self.steps) if self.steps else Moves()


def _heard_again(
    game: Game,
    entries: tuple[kinds.Entry, ...],
    said: str | Action,
    *,
    read: Reading = as_written,
    **options: Any,
) -> Heard:
    """Idempotent replay: rebuild the answer to a line whose first answer was lost."""
    logged = entries[0].data
    assert isinstance(logged, kinds.Logged)
    stored = game.engine.text.load(logged.action)
    action = read(game, said, [stored]) if isinstance(said, str) else said
    if not _says_the_same(action, stored):
        raise IdempotencyKeyReused("key_reused", key=entries[0].key, entry=entries[0].seq)
    return Heard(
        game,
        entries,
        action=stored,
        verdict=kinds.stored_verdict(logged.verdict),
        number=logged.number,
        stands=logged.stands,
        disputes=_raised(entries),
        steps=_steps(game, logged.number),
    )


def _steps(game: Game, number: int) -> tuple[JudgedItem, JudgedItem] | None:
    """The steps before and after an action; None if it no longer counts."""
    return (game.before(number), game.step(number)) if game.counts(number) else None


def _says_the_same(action: Action, stored: Action) -> bool:
    """Whether a repeated action equals the stored one, which has its seat filled in.

    Audits are normalized when they are stored, so they are not compared in detail.
    """
    if isinstance(action, Audit):
        return isinstance(stored, Audit)
    return (action if action.by else action.model_copy(update={"by": stored.by})) == stored


def _raised(entries: Iterable[kinds.Entry]) -> tuple[str, ...]:
    return tuple(entry.data.id for entry in entries if isinstance(entry.data, kinds.Disputed))


@once(kinds.Logged, again=_heard_again)
def log(
    bench: Bench,
    game: Game,
    said: str | Action,
    *,
    by: By = BY_SCRIBE,
    stands: bool = False,
    after: int | None = None,
    dry_run: bool = False,
    by_sight: kinds.BySight | None = None,
    read: Reading = as_written,
) -> Heard:
    """Judge one action and record it, unless it is refused.

    ``stands``: it really happened, record it even if it is illegal. ``after``: the number of the
    last action the caller has seen. ``by_sight``: a camera proposed it. Whoever does not see
    everything is answered from what they may know: what only others know to be illegal stands. A
    seat calls a judge by it; the device on the table writes for all, and would learn a hand by
    trying: there a judge is called in the end.
    """
    check_ready(game, by.author, after)
    action = read(game, said, None) if isinstance(said, str) else said
    known = as_known(game, by.author.viewer)
    action = for_own_seat(known, known.steps[-1], action, by.author)
    in_the_open = by.author.in_the_open and not dry_run
    check_question(known, known.steps[-1], action, by.author.viewer, in_the_open=in_the_open)
    asked = hear(known, action, stands=stands) if known is not game else None
    if asked is not None and (dry_run or not asked.accepted):
        return evolve(asked, game=game)
    if asked is not None and asked.action is not None and in_the_open:
        action = action if action.by else action.model_copy(update={"by": asked.action.by})
    heard = hear(game, action, stands=stands)
    if heard.may_stand and asked is not None:
        heard = hear(game, action, stands=True)  # a refusal that costs nothing would be an answer
    if dry_run or heard.steps is None:
        return heard
    logged = _logged(game, heard)
    judged = judged_openly if in_the_open else judged_at
    called = judged(game, Stood(*heard.steps))
    disputes = calls_for_a_judge(game, called, by_judge=by.author.judges)
    seen = [] if by_sight is None else [_seen(logged.number, by_sight)]
    answer = bench.tell(_foreseen(game, heard), [logged, *disputes, *seen], by)
    return Heard(
        answer.game,
        answer.entries,
        answer.change,
        action=heard.action,
        verdict=answer.game.step(logged.number).verdict,
        number=logged.number,
        stands=heard.stands,
        disputes=_raised(answer.entries),
        steps=_steps(answer.game, logged.number),
    )


def log_together(
    bench: Bench,
    game_id: str,
    said: Iterable[tuple[str, str | None]],
    *,
    author: Author = SCRIBE,
    stands: bool = False,
    after: int | None = None,
    by_sight: kinds.BySight | None = None,
    read: Reading = as_written,
) -> tuple[list[Heard], MessageError | None]:
    """Log several lines in one batch, each with its own idempotency key.

    It stops at the first line that is refused, or that cannot be parsed: then its error is
    returned.
    """
    batch, heard, error = BatchBench(bench), list[Heard](), None
    try:
        for line, key in said:
            by = By(author, key)
            heard.append(
                log(
                    batch, game_id, line,
                    by=by, stands=stands, after=after, by_sight=by_sight, read=read,
                )
            )  # fmt: skip
            if not heard[-1].accepted:
                break
            after = None
    except MessageError as stopped:
        error = stopped
    entries = batch.commit(game_id).entries
    return [_as_stored(each, entries) for each in heard], error


def _as_stored(heard: Heard, stored: PersistentVector[kinds.Entry]) -> Heard:
    """The answer with the heads that the store has computed."""
    return evolve(
        heard,
        game=evolve(heard.game, entries=stored.upto(len(heard.game.entries))),
        entries=tuple(stored[entry.seq] for entry in heard.entries),
    )


def dry_run_together(
    bench: Bench,
    game_id: str,
    lines: Iterable[str],
    *,
    author: Author = SCRIBE,
    stands: bool = False,
    after: int | None = None,
    read: Reading = as_written,
) -> Iterator[Heard]:
    """Dry run of several actions: each is judged as if those before it were recorded."""
    whole = bench.game(game_id)
    check_ready(whole, author, after)
    game = as_known(whole, author.viewer)
    for line in lines:
        action = for_own_seat(game, game.steps[-1], read(game, line, None), author)
        check_question(game, game.steps[-1], action, author.viewer)
        heard = hear(game, action, stands=stands)
        yield heard
        if not heard.accepted or heard.verdict is UNKNOWABLE:
            return
        game = supposed(_foreseen(game, heard), [_logged(game, heard)]).game


def for_own_seat(game: Game, step: JudgedItem, action: Action, author: Author) -> Action:
    """The action as its author means it: a seat that does not say who speaks for itself.

    What chance brought to light stays nobody's.
    """
    if author.seat is None or action.by is not None or tells_the_table(game, action):
        return action
    known = known_step(game, step, author.seat)
    try:
        said_by = said_by_hidden(game.engine, known.setting, known.state, action)
    except ParseError:
        said_by = author.seat
    if said_by is None and action.observes:
        return action
    return action.model_copy(update={"by": author.seat})


def _foreseen(game: Game, heard: Heard) -> Game:
    """A game that caches the judgement of the next action, so that it is not judged twice."""
    return game if heard.steps is None else evolve(game, foreseen=Stood(*heard.steps))


def hear(game: Game, action: Action, *, stands: bool = False) -> Heard:
    """Judge an action now, without recording it."""
    number = game.last_number + 1
    step = game.play(Item(number, action))
    if step is None and stands:
        step = game.play(Item(number, action, stands=True))
    if step is None:
        judged = game.engine.judge(game.setting, game.state, action, number, lenient=stands)
        return Heard(
            game,
            action=judged.action,
            verdict=judged.verdict,
            accepted=False,
            may_stand=not stands and _may_stand(game, judged.action, number),
        )
    return Heard(
        game,
        action=step.action,
        verdict=step.verdict,
        stands=step.item.stands,
        steps=(game.steps[-1], step),
    )


def _logged(game: Game, heard: Heard) -> kinds.Logged:
    """The entry of an accepted action."""
    assert heard.action is not None
    return kinds.Logged(
        number=game.last_number + 1,
        action=kinds.action_data(heard.action),
        verdict=kinds.verdict_data(heard.verdict),
        stands=heard.stands,
    )


def _seen(number: int, by_sight: kinds.BySight) -> kinds.Seen:
    return kinds.Seen(numbers=(number,), confirmed=by_sight == "confirmed")


def _may_stand(game: Game, action: Action, number: int) -> bool:
    """Whether the illegal action could physically have happened, so that it can be recorded."""
    try:
        return game.play(Item(number, action, stands=True)) is not None
    except ParseError:
        return False


def check_ready(game: Game, author: Author, after: int | None = None) -> None:
    """Refuse if something is pending, or if the author has not seen the last action.

    The fold does not check this: records on which engines disagree must stay readable.
    """
    must_go_on(game)
    check_decided(game)
    if after is not None and after != (last := game.last_counting):
        missed = [step.action for step in game.steps if (step.number or 0) > after]
        raise Conflicting(
            "expected_other",
            after=after,
            last=last,
            missed=[told(game, action, author.viewer) for action in missed if action][:5],
        )


def check_decided(game: Game) -> None:
    if game.pending:
        raise Conflicting("pending", numbers=game.waiting)


# what may be told of it


def heard_by(heard: Heard, view: str) -> Heard:
    """Redact an answer for a view."""
    if view == EVERYTHING or heard.action is None:
        return heard
    stands, verdict = heard.stands, heard.verdict
    if heard.number is not None:
        stood = heard.game.stood(heard.number)
        known = known_after(heard.game, stood, viewer_of(view))
        if known is not stood.after:
            stands, verdict = known.item.stands, known.verdict
    action, verdict = shown_to(heard.game, heard.action, verdict, view)
    steps = heard.steps and steps_shown_to(heard.game, heard.steps, view)
    return evolve(heard, action=action, verdict=verdict, stands=stands, steps=steps)


def nearest(game: Game, text: str, count: int = 3, *, viewer: str | None = None) -> list[str]:
    """Suggestions: the legal lines most similar to the text, for a viewer only their own.

    What chance brings after an implicit end is nothing to try, unless that is what was said.
    """
    engine, setting = game.engine, game.setting
    options = partial(options_hidden, engine) if game.partial else engine.options
    states = _sayable(game)
    if viewer is not None:
        states = tuple(state for state in states if set(state.agenda.seats) <= {viewer})
    said = text.split()
    found = {
        action: None
        for state in states
        for action in options(setting, state)
        if state is game.state or not action.observes or action.verb in said
    }
    lines = [engine.text(action) for action in found]
    ranked = sorted(lines, key=lambda line: -difflib.SequenceMatcher(None, text, line).ratio())
    return ranked[:count]


def _sayable(game: Game) -> tuple[Any, ...]:
    """The states in which the next line may be judged: now, and after implicit ends."""
    return (game.state, *game.engine.judge.unsaid(game.setting, game.state))


def may_be_tried(game: Game, text: str, view: str) -> list[str]:
    """Suggestions for a view, without those that would leak what another seat holds."""
    if view == EVERYTHING:
        return nearest(game, text)
    known = as_known(game, viewer_of(view))
    return nearest(known, text, viewer=viewer_of(view) if known.partial else None)
