"""Asks every question of what the viewer may know, and refuses those that cannot be asked so.

A viewer is a seat, or ``""`` for the public. An answer made from the hidden state alone cannot leak
what is hidden, whatever the rules of the game compare; and whether a question is refused never
depends on the secret itself: else the refusal would leak it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.kernel import Action, Audit, Judgement, ParseError, Verdict, evolve
from engines.kernel.messages.errors import MessageError
from referee.errors import NotAllowed
from referee.record.entries import (
    Adjusted,
    Corrected,
    EntryData,
    Logged,
    Photographed,
    role_of,
)
from referee.record.game import Game
from referee.record.hidden_state import said_by_hidden
from referee.record.line import Item, JudgedItem, Stood


def hides(game: Game, step: JudgedItem, viewer: str) -> bool:
    """Whether this state holds something hidden from the viewer."""
    return game.engine.hide(step.state, viewer, step.setting) is not step.state


def known_step(game: Game, step: JudgedItem, viewer: str | None) -> JudgedItem:
    """The step from which a question of the viewer is answered; the very same if all is known."""
    if viewer is None:
        return step
    known = game.engine.hide(step.state, viewer, step.setting)
    return step if known is step.state else step._replace(state=known, stages=())


def as_known(game: Game, viewer: str | None) -> Game:
    """The game of which the viewer asks what may come next; the very same if all is known.

    Only its last position is hidden: for questions, not for display (``redaction.seen``).
    """
    last = game.steps.last
    known = known_step(game, last, viewer)
    if known is last:
        return game
    steps = game.steps.upto(len(game.steps) - 1).grown(known)
    return evolve(game, steps=steps, partial=True, foreseen=None)


def judged_as_known(
    game: Game,
    step: JudgedItem,
    action: Action,
    number: int,
    viewer: str | None,
    *,
    lenient: bool = False,
) -> tuple[JudgedItem, Judgement[Any]]:
    """What is said of an action to a viewer who asks, and from which step."""
    known = known_step(game, step, viewer)
    asked = game if known is step else evolve(game, partial=True)
    return known, asked.judged(action, known, number, lenient=lenient)


def known_after(game: Game, stood: Stood, viewer: str) -> JudgedItem:
    """An action with what is said of it, as the viewer may know it: without the breaches and the
    proofs that rest on what is hidden. Where nothing else is wrong, it looks as if it were legal.
    """
    before, step = stood
    action, verdict = step.action, step.verdict
    if action is None or not (verdict.breaches or verdict.findings):
        return step
    if game.state.over or tells_the_table(game, action) or not hides(game, before, viewer):
        return step
    try:
        asked = judged_as_known(game, before, action, step.number or 0, viewer, lenient=True)
        known = asked[1].verdict
    except MessageError:
        known = Verdict("legal")
    proven = {(finding.status, finding.clause) for finding in known.findings}
    findings = tuple(each for each in verdict.findings if (each.status, each.clause) in proven)
    broken = {point.clause for point in known.breaches}
    secret = {point.clause for point in verdict.breaches} - broken
    if not secret and findings == verdict.findings:
        return step._replace(verdict=evolve(verdict, breaches=known.breaches))
    usual = "undecided" if verdict.claims else "legal"
    shown = evolve(
        verdict,
        outcome="illegal" if broken else usual,
        breaches=known.breaches,
        findings=findings,
        asked=tuple(
            point._replace(held=True) if point.clause in secret and not point.effect else point
            for point in verdict.consulted
        ),
    )
    if broken:
        return step._replace(verdict=shown)
    stands = step.item.stands and not step.item.quietly
    return step._replace(item=step.item._replace(stands=stands, quietly=False), verdict=shown)


def keeps_secrets(game: Game, viewer: str) -> bool:
    """Whether anything in the record is hidden from the viewer, even if it no longer counts."""
    if any(hides(game, step, viewer) for step in game.steps):
        return True
    counting = {step.number for step in game.steps}
    said = (item for entry in game.entries for item in _said(game, entry.data))
    return not game.state.over and any(
        _tells(game, item, viewer, counts=item.number in counting) for item in said
    )


def hides_photo(game: Game, photo: Photographed, viewer: str) -> bool:
    """Whether a photograph is for another seat alone: until the game is over, even where the
    record keeps nothing secret, as what it shows may be known to nobody else at the table.
    """
    return photo.only not in (None, viewer) and not game.state.over


def needs_everything(game: Game, viewer: str | None, what: str) -> None:
    """Refuse data that cannot be redacted, unless the viewer sees everything (``None``)."""
    if viewer is not None and keeps_secrets(game, viewer):
        raise NotAllowed("needs_judge_view", what=what, view=view_of(viewer))


def check_question(
    game: Game, step: JudgedItem, action: Action, viewer: str | None, *, in_the_open: bool = False
) -> None:
    """Refuse a question about another seat's action while something is hidden.

    Whether another seat's action is legal, or a count is right, would leak what is hidden: such
    questions are for those who see everything (``None``). ``in_the_open``: it is no question, the
    seat has done it before everybody, and it is logged.
    """
    if viewer is None or not (game.partial or hides(game, step, viewer)):
        return
    by = said_by_hidden(game.engine, step.setting, step.state, action)
    if viewer and by not in (None, viewer):
        raise NotAllowed("own_seat_only", role=role_of(viewer), seat=by).at_table(game.seats)
    if (by not in (None, viewer) and not in_the_open) or tells_the_table(game, action):
        raise NotAllowed("needs_judge_view", what=action.verb, view=view_of(viewer))


def tells_the_table(game: Game, action: Action) -> bool:
    """Whether judging the action compares it with the whole table, hidden parts included."""
    return isinstance(action, Audit) or type(action) is game.engine.position


def view_of(viewer: str) -> str:
    """The name of the view of a seat, or of the public."""
    return role_of(viewer) if viewer else "public"


def told(game: Game, action: Action, viewer: str | None) -> str:
    """The line of an action, redacted for the viewer."""
    if viewer is None:
        return game.engine.text(action)
    if type(action) is game.engine.position and keeps_secrets(game, viewer):
        return action.verb
    return game.engine.text(action.known_to(viewer))


def _said(game: Game, data: EntryData) -> Iterator[Item]:
    if isinstance(data, Logged):
        yield Item(data.number, game.engine.text.load(data.action))
    elif isinstance(data, Corrected):
        yield from (Item(said.number, game.engine.text.load(said.action)) for said in data.insert)
    elif isinstance(data, Adjusted):
        yield Item(data.number, changes=data.changes)


def _tells(game: Game, item: Item, viewer: str, *, counts: bool) -> bool:
    """Whether an item has private content; a position in the line is covered by its state."""
    action = item.action
    if action is not None and type(action) is not game.engine.position:
        return action.known_to(viewer) != action
    return not counts and _would_hide(game, item, viewer)


def _would_hide(game: Game, item: Item, viewer: str) -> bool:
    """Whether a declared position that was taken back had hidden parts."""
    try:
        step = game.play(Item(0, item.action, stands=True, changes=item.changes), game.steps[0])
    except ParseError:
        return True
    return step is None or hides(game, step, viewer)
