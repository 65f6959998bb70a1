"""A hand that was sealed and is now opened: what it says of the cards and passes since."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from engines.broom_service.actions import ROLES, ChooseHand, LayDead, Pass, PlayRole, Role
from engines.broom_service.kit import Box
from engines.broom_service.rules.rounds import repeated
from engines.broom_service.state import Tableau
from engines.kernel import Finding, Moment, OpenedSeal, ParseError, Setting


def check_hand(opened: OpenedSeal[Tableau], setting: Setting[Box]) -> list[Finding]:
    """The hand as it was when it was sealed, or when it was chosen if that came later."""
    roles = _roles(opened.words)
    play = _from_choice(opened)
    if not play:
        return []
    chosen = _chosen_at(opened, play[0])
    return [*_count(opened.seat, roles, play[0], chosen), *_follow(opened.seat, roles, play)]


def _roles(words: tuple[str, ...]) -> tuple[Role, ...]:
    for word in words:
        if word not in ROLES:
            raise ParseError("bad_word", word=word, field="role", expected=" ".join(ROLES))
    return cast("tuple[Role, ...]", words)


def _from_choice(opened: OpenedSeal[Tableau]) -> list[Moment[Tableau]]:
    """The moments of the round from the one in which the hand was there."""
    moments = [opened.before[-1], *opened.since]
    for index, moment in enumerate(moments):
        if moment.state.players[opened.seat].hand.chosen is not None:
            return moments[index:]
    return []


def _chosen_at(opened: OpenedSeal[Tableau], start: Moment[Tableau]) -> tuple[int, ...]:
    """The entry in which the seat has chosen this hand, if it was logged."""
    for moment in (start, *reversed(opened.before)):
        action = moment.action
        if isinstance(action, ChooseHand) and action.by == opened.seat:
            return () if moment.number is None else (moment.number,)
    return ()


def _count(
    seat: str, roles: tuple[Role, ...], start: Moment[Tableau], entries: tuple[int, ...]
) -> Iterator[Finding]:
    held = start.state.players[seat].hand.held
    if len(roles) != held:
        facts = {"seat": seat, "count": len(roles), "cards": held}
        yield Finding("broken", "BRM-RND-3", entries, facts)
    if twice := repeated(roles):
        yield Finding("broken", "BRM-SET-3", entries, {"seat": seat, "twice": twice})


def _follow(seat: str, roles: tuple[Role, ...], play: list[Moment[Tableau]]) -> Iterator[Finding]:
    """Every card laid must have been in the hand, every role passed must not."""
    left = set(roles)
    this_round = play[0].state.round.number
    had_extra = play[0].state.players[seat].hand.extra
    joker = False  # a card added by a tile after the sealing: nobody knows which
    passed: list[tuple[int, Role]] = []
    for before, moment in pairwise(play):
        if before.state.round.number != this_round:
            break
        if moment.state.players[seat].hand.extra and not had_extra:
            had_extra = joker = True
        action, number = moment.action, moment.number or 0
        if action is None or action.by != seat:
            continue
        if isinstance(action, PlayRole | LayDead):
            if action.role not in left and not joker:
                yield Finding("broken", "BRM-RND-4", (number,), {"seat": seat, "role": action.role})
            if action.role not in left:
                joker = False
                passed = [(entry, role) for entry, role in passed if role != action.role]
            left.discard(action.role)
        elif isinstance(action, Pass) and (led := before.state.turn.led) is not None:
            if led in left:
                yield Finding("broken", "BRM-FOL-2", (number,), {"seat": seat, "role": led})
            else:
                passed.append((number, led))
    if not joker:
        for number, role in passed:
            yield Finding("cleared", "BRM-FOL-2", (number,), {"seat": seat, "role": role})
