"""What all chapters of the rules share: who owes what, and how a table changes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from difflib import get_close_matches
from functools import wraps
from typing import Any, TypeVar

from engines.broom_service.actions import (
    Chase,
    ChooseHand,
    Deliver,
    End,
    FlyOn,
    Gather,
    HandInSet,
    LayDead,
    Move,
    OpenFist,
    Pass,
    PlaceCloud,
    PlaceTile,
    PlayRole,
    Position,
    Resource,
    RevealCursed,
    RevealEvent,
    TakeBonus,
    TakeEvent,
    UseTile,
)
from engines.broom_service.kit import Box
from engines.broom_service.state import Closed, Deed, Hand, Hoard, Tableau, deed_of
from engines.kernel import (
    Action,
    Agenda,
    Audit,
    Duty,
    Group,
    Hearing,
    ParseError,
    Rulebook,
    Step,
    evolve,
    with_player,
)

Rule = Hearing[Box]

rules = Rulebook(
    {
        "cloud": (PlaceCloud,),
        "tile": (PlaceTile,),
        "event": (RevealEvent,),
        "cursed": (RevealCursed,),
        "hand": (ChooseHand,),
        "plusone": (UseTile,),
        "lead": (PlayRole, LayDead),
        "answer": (PlayRole, LayDead, Pass),
        "gather": (Gather,),
        "move": (Move,),
        "deliver": (Deliver,),
        "chase": (Chase,),
        "bonus": (TakeBonus,),
        "take": (TakeEvent,),
        "use": (UseTile,),
        "circle": (FlyOn,),
        "end": (End,),
        "fist": (OpenFist,),
        "set": (HandInSet, End),
        "": (Audit, Position),
    },
    audit="BRM-AUD-1",
)


def check_name(word: str, field: str, there: Collection[str]) -> None:
    """A name that the board or the box must have, whatever the rules say."""
    if word not in there:
        near = get_close_matches(word, there, n=3)
        expected = tuple(sorted(there)[:24])
        raise ParseError("bad_word", field=field, word=word, expected=expected, near=tuple(near))


# Players


def with_hand(state: Tableau, seat: str, **changes: Any) -> Tableau:
    hand: Hand = evolve(state.players[seat].hand, **changes)
    return with_player(state, seat, hand=hand)


def with_hoard(state: Tableau, seat: str, **changes: Any) -> Tableau:
    hoard: Hoard = evolve(state.players[seat].hoard, **changes)
    return with_player(state, seat, hoard=hoard)


def with_turn(state: Tableau, **changes: Any) -> Tableau:
    return evolve(state, turn=evolve(state.turn, **changes))


def with_deed(state: Tableau, **changes: Any) -> Tableau:
    deed = state.turn.deed
    assert deed is not None
    return with_turn(state, deed=evolve(deed, **changes))


def score(state: Tableau, seat: str, vp: int) -> Tableau:
    return with_player(state, seat, vp=state.players[seat].vp + vp) if vp else state


def gain(state: Tableau, seat: str, *resources: Resource) -> Tableau:
    owned = dict(state.players[seat].resources)
    for resource in resources:
        owned[resource] += 1
    return with_player(state, seat, resources=owned)


def pay(state: Tableau, seat: str, *resources: Resource) -> Tableau:
    """Back to the supply; nobody pays what he does not have."""
    owned = dict(state.players[seat].resources)
    for resource in resources:
        owned[resource] = max(0, owned[resource] - 1)
    return with_player(state, seat, resources=owned)


def wands(number: int) -> tuple[Resource, ...]:
    wand: Resource = "w"
    return (wand,) * number


# The agenda


def forget(agenda: Agenda, kind: str, seat: str | None = None) -> Agenda:
    """Without the duties of a kind, wherever they stand: the table has moved past them."""
    stack = []
    for item in agenda:
        if isinstance(item, Group) and any(duty.kind == kind for duty in item):
            item = Group(
                *(d for d in item if d.kind != kind or (seat is not None and d.seat != seat))
            )
            if all(duty.optional for duty in item):
                continue
        stack.append(item)
    return Agenda(tuple(stack))


def kinds_due(agenda: Agenda) -> set[str]:
    """What is still owed, now or later in the round."""
    return {duty.kind for item in agenda if isinstance(item, Group) for duty in item}


# Permissions: optional duties beside the compulsory ``end`` of an action


def permission(kind: str, seat: str, source: str) -> Duty:
    return Duty(kind, seat, None, source, True)


def permitted(state: Tableau, kind: str, seat: str) -> tuple[Duty, ...]:
    """The open permissions of that kind, of the card before those of tiles and clouds."""
    if deed_of(state, seat) is None:
        return ()
    found = [duty for duty in state.agenda.duties if duty.kind == kind and duty.seat == seat]
    if len(found) > 1:
        found.sort(key=lambda duty: _SOURCE_ORDER.get(duty.why, 3))
    return tuple(found)


_SOURCE_ORDER: dict[str | None, int] = {"role": 0, "tile": 1, "cloud": 2}


def grant(state: Tableau, *permissions: Duty) -> Tableau:
    """Opens permissions in the action that is going on."""
    group = state.agenda.duties
    if not any(duty.kind == "end" for duty in group):
        return state
    agenda = Agenda((*state.agenda[:-1], Group(*permissions, *group)))
    return evolve(state, agenda=agenda)


def spend(state: Tableau, permit: Duty | None) -> Tableau:
    """Uses a permission up; with something done, the alternatives to the action are gone."""
    deed = state.turn.deed
    if deed is None or permit is None:
        return state
    left = list(state.agenda.duties)
    left.remove(permit)
    group = Group(*(duty for duty in left if duty.kind not in ("take", "use")))
    deed = evolve(deed, begun=True, spent=(*deed.spent, f"{permit.kind}.{permit.why}"))
    return evolve(
        state,
        turn=evolve(state.turn, deed=deed),
        agenda=Agenda((*state.agenda[:-1], group)),
    )


def has_spent(deed: Deed, kind: str, source: str) -> bool:
    return f"{kind}.{source}" in deed.spent


Doing = TypeVar("Doing", bound=Action)
Reducer = Callable[[Tableau, Doing, Rule], Tableau]


def in_own_action(reducer: Reducer[Doing]) -> Reducer[Doing]:
    """Who goes on with an action that has ended by itself is judged, and does it, within it.

    What breaks no rule of the action comes too late.
    """

    @wraps(reducer)
    def heard(state: Tableau, action: Doing, rule: Rule) -> Tableau:
        closed = closed_of(state, action.seat)
        if closed is None:
            return reducer(evolve(state, closed=None), action, rule)
        before = len(rule.breaches)
        agenda = Agenda((*state.agenda, closed.duties))
        own = reducer(evolve(state, turn=closed.turn, agenda=agenda), action, rule)
        if len(rule.breaches) == before:
            clause = "BRM-TRN-14" if closed.deed.brave else "BRM-TRN-4"
            rule(clause, False, seat=action.seat, acting=None)
        deed = own.turn.deed or closed.deed
        again = Closed(deed, evolve(closed.turn, deed=deed), closed.duties)
        return evolve(own, turn=state.turn, agenda=state.agenda, closed=again)

    return heard


def closed_of(state: Tableau, seat: str) -> Closed | None:
    """The action of this seat that has ended by itself, if nobody has gone on since."""
    closed = state.closed
    if closed is None or closed.deed.seat != seat or deed_of(state, seat) is not None:
        return None
    return closed


SETTLE = Step("settle")


def settle(state: Tableau) -> Tableau:
    """Lets an action end by itself when nothing is left of it."""
    return evolve(state, agenda=state.agenda.push(SETTLE))


def close_action(state: Tableau) -> Tableau:
    """Whatever is left of the action is given up."""
    agenda = state.agenda
    while agenda.owes("circle") or agenda.owes("end"):
        agenda = agenda.pop()
    return evolve(state, agenda=agenda, turn=evolve(state.turn, deed=None))
