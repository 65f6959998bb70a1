"""What all chapters of the rules share: who owes what, and how a table changes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from difflib import get_close_matches
from functools import cache, wraps
from typing import Any, TypeVar

from engines.broom_service import actions as act
from engines.broom_service.actions import RESOURCES, Resource, Role
from engines.broom_service.kit import Box, in_full
from engines.broom_service.state import (
    Closed,
    Deed,
    Hand,
    Hoard,
    Tableau,
    Turn,
    Untimely,
    card_of_turn,
    deed_of,
)
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
        "cloud": (act.PlaceCloud,),
        "tile": (act.PlaceTile,),
        "event": (act.RevealEvent,),
        "cursed": (act.RevealCursed,),
        "hand": (act.ChooseHand,),
        "plusone": (act.UseTile,),
        "lead": (act.PlayRole, act.LayDead),
        "answer": (act.PlayRole, act.LayDead, act.Pass),
        "gather": (act.Gather,),
        "move": (act.Move,),
        "deliver": (act.Deliver,),
        "chase": (act.Chase,),
        "bonus": (act.TakeBonus,),
        "take": (act.TakeEvent,),
        "use": (act.UseTile,),
        "circle": (act.FlyOn,),
        "end": (act.End,),
        "fist": (act.OpenFist,),
        "set": (act.HandInSet, act.End),
        "": (Audit, act.Position, act.Announce),
    },
    audit="BRM-AUD-1",
)


_NAMES_SHOWN = 24


def check_name(word: str, field: str, there: Collection[str]) -> str:
    """A name that the board or the box must have, whatever the rules say: ``t2`` is ``t02``."""
    word = in_full(word, there)
    if word not in there:
        near = get_close_matches(word, there)
        known = sorted(there)
        expected = tuple(known) if len(known) <= _NAMES_SHOWN else (*known[:_NAMES_SHOWN], "…")
        raise ParseError("bad_word", field=field, word=word, expected=expected, near=tuple(near))
    return word


@rules.spells(act.PlaceCloud, act.Chase)
def spell_space(state: Tableau, action: act.PlaceCloud | act.Chase, kit: Box) -> Action:
    space = in_full(action.space, state.side(kit).cloud_spaces)
    return action if space == action.space else action.model_copy(update={"space": space})


@rules.spells(act.Deliver)
def spell_tower(state: Tableau, action: act.Deliver, kit: Box) -> Action:
    tower = in_full(action.tower, state.side(kit).towers)
    return action if tower == action.tower else action.model_copy(update={"tower": tower})


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
    """Pay resources back to the supply; never more than the player has."""
    owned = dict(state.players[seat].resources)
    for resource in resources:
        owned[resource] = max(0, owned[resource] - 1)
    return with_player(state, seat, resources=owned)


def wands(number: int) -> tuple[Resource, ...]:
    wand: Resource = "w"
    return (wand,) * number


def owns_set(state: Tableau, seat: str, kit: Box) -> bool:
    """Whether a seat could hand in a whole set of resources."""
    return not lacking(state, seat, kit)


def lacking(state: Tableau, seat: str, kit: Box) -> tuple[Resource, ...]:
    """The kinds of resources of which a seat has too few for a set."""
    owned, wanted = state.players[seat].resources, kit.events.full_set.set
    return tuple(kind for kind in RESOURCES if owned[kind] < wanted.get(kind, 0))


# The agenda


def forget(agenda: Agenda, kind: str, seat: str | None = None) -> Agenda:
    """Remove every duty of a kind, a seat's or nobody's: the table has moved past them."""
    stack = []
    for item in agenda:
        if isinstance(item, Group):
            item = Group(*(duty for duty in item if duty.kind != kind or duty.seat != seat))
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


@cache
def card_duties(kind: str, seat: str, instead: tuple[str, ...] = ()) -> Group:
    """What a card of this kind allows, and what the event or a tile offers instead."""
    return Group(
        permission(_ALLOWED[kind], seat, "role"),
        *(Duty(name, seat, None, None, True) for name in instead),
        Duty("end", seat, None),
    )


_ALLOWED: dict[str, str] = {
    "gatherer": "gather",
    "witch": "move",
    "druid": "deliver",
    "fairy": "chase",
}
"""What a card allows at first; a brave witch delivers only after her move."""


def permitted(state: Tableau, kind: str, seat: str) -> tuple[Duty, ...]:
    """The open permissions of that kind, of the card before those of tiles and clouds."""
    if deed_of(state, seat) is None:
        return ()
    found = [duty for duty in state.agenda.duties if duty.kind == kind]
    return tuple(sorted(found, key=lambda duty: _SOURCE_ORDER.get(duty.why, len(_SOURCE_ORDER))))


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
    if permit is None:
        return state
    deed = state.turn.deed
    assert deed is not None
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
    """Decorator: judge and apply an action within the card it belongs to, even out of time.

    A card that has ended by itself goes on where a table sets aside the rule that ended it.
    One out of time was refused before it came here; what it does counts for the card.
    """

    @wraps(reducer)
    def heard(state: Tableau, action: Doing, rule: Rule) -> Tableau:
        seat, turn = action.seat, state.turn
        if (closed := closed_of(state, seat)) is not None:
            return _in_closed_action(reducer, state, action, closed, rule)
        state = evolve(state, closed=None)
        at_its_moment = isinstance(action, act.TakeEvent | act.UseTile)
        if deed_of(state, seat) or turn.led is None or turn.dead or at_its_moment:
            return reducer(state, action, rule)
        begun = turn.untimely_of(seat) or _begun_by(state, seat, turn.led, rule)
        begun = _allowing(begun, action, rule)
        state, done = _within(reducer, state, action, evolve(turn, deed=begun.deed), begun, rule)
        done = _without_free(done)
        return evolve(state, turn=evolve(turn, untimely=(*turn.without_untimely(seat), done)))

    return heard


def _in_closed_action(
    reducer: Reducer[Doing], state: Tableau, action: Doing, closed: Closed, rule: Rule
) -> Tableau:
    before, turn = len(rule.breaches), state.turn
    over = Untimely(closed.deed, closed.duties)
    state, done = _within(reducer, state, action, closed.turn, over, rule)
    left = closed.duties if len(rule.breaches) > before else done.duties
    again = Closed(done.deed, evolve(closed.turn, deed=done.deed), left)
    return evolve(state, turn=turn, closed=again)


def _within(
    reducer: Reducer[Doing],
    state: Tableau,
    action: Doing,
    turn: Turn,
    begun: Untimely,
    rule: Rule,
) -> tuple[Tableau, Untimely]:
    """What an action does within a card that is not performed now; all else that is due stays.

    Only a flight is due at once.
    """
    flying = [item for item in state.agenda[-1:] if state.agenda.owes("circle", action.seat)]
    below = state.agenda[: len(state.agenda) - len(flying)]
    agenda = Agenda((*below, begun.duties, *flying))
    own = reducer(evolve(state, turn=turn, agenda=agenda), action, rule)
    left = [item for item in own.agenda[len(below) :] if isinstance(item, Group)]
    flights = [item for item in left if Agenda((item,)).owes("circle")]
    duties = Group(*(duty for item in left if item not in flights for duty in item))
    deed = own.turn.deed or begun.deed
    return evolve(own, agenda=Agenda((*below, *flights))), Untimely(deed, duties)


def _begun_by(state: Tableau, seat: str, role: Role, rule: Rule) -> Untimely:
    """The card of this turn that a seat begins to perform out of time."""
    card = card_of_turn(state, seat)
    brave = card is None or card.mode != "coward" or card.tile == "courage"
    deed = Deed(seat, role, brave)
    return Untimely(deed, card_duties(rule.kit.roles[role].kind, seat))


def _allowing(begun: Untimely, action: Action, rule: Rule) -> Untimely:
    """Permit the action for free where the called role does not, so that only one rule is broken.

    Not a delivery by a witch: her own card decides whether she may deliver.
    """
    own = _ALLOWED[rule.kit.roles[begun.deed.role].kind]
    kind = _DONE_BY.get(type(action), own)
    if kind == own or (own, kind) == ("move", "deliver"):
        return begun
    free = permission(kind, begun.deed.seat, _FREE)
    return evolve(begun, duties=Group(*begun.duties, free))


def _without_free(done: Untimely) -> Untimely:
    """Take the free permission back: it opens nothing later and counts for no tower."""
    duties = Group(*(duty for duty in done.duties if duty.why != _FREE))
    squares = tuple(source for source in done.deed.squares if source != _FREE)
    return Untimely(evolve(done.deed, squares=squares), duties)


_DONE_BY: dict[type[Action], str] = {
    act.Gather: "gather",
    act.Move: "move",
    act.Deliver: "deliver",
    act.Chase: "chase",
}
_FREE = "free"


def given_instead(state: Tableau, deed: Deed) -> str | None:
    """The clause by which something was taken instead of this action."""
    if has_spent(deed, "use", "five"):
        return "BRM-FOR-12"
    if not has_spent(deed, "take", "event"):
        return None
    return "BRM-EVT-4" if state.round.event == "secret_distillery" else "BRM-EVT-3"


def closed_of(state: Tableau, seat: str) -> Closed | None:
    """The action of this seat that has ended by itself, if nobody has gone on since."""
    closed = state.closed
    if closed is None or closed.deed.seat != seat or deed_of(state, seat) is not None:
        return None
    return closed


def refuse_more(
    clause: str, seat: str, deed: Deed | None, kind: str, rule: Rule, **facts: Any
) -> None:
    """An action of a kind that a card does not give, or has given already."""
    if deed is not None:
        done = deed.role if has_spent(deed, kind, "role") else None
        tile = "five" if has_spent(deed, "use", "five") else None
        facts |= {"role": deed.role, "done": done, "taken": tile}
        facts |= {"pawn": deed.pawn, "place": deed.place}
    rule(clause, False, seat=seat, **facts)


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


def taken_instead(state: Tableau, seat: str, what: str) -> Tableau:
    """The action is over: its player has taken something else; who tries it after all is told."""
    deed = state.turn.deed
    if deed is None or deed.seat != seat:
        return state
    deed = evolve(deed, begun=True, spent=(*deed.spent, what))
    over = Closed(deed, evolve(state.turn, deed=deed), Group(Duty("end", seat, None)))
    return evolve(close_action(state), closed=over)
