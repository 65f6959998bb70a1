"""What all chapters share: who owes what, and the ways cards and tokens move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from engines.bloody_grove import actions as act
from engines.bloody_grove.kit import Animal, Box, Spirit
from engines.bloody_grove.state import (
    Card,
    Column,
    Player,
    Tableau,
    Token,
    generation,
    next_generation,
)
from engines.bloody_grove.worlds import ANY
from engines.kernel import (
    Agenda,
    Audit,
    Bag,
    Duty,
    Group,
    Hearing,
    ParseError,
    Rulebook,
    RuleContext,
    evolve,
    with_player,
)

Rule = Hearing[Box]

rules = Rulebook(
    {
        "groves": (act.LayGroves,),
        "elite": (act.ShowElite,),
        "venerables": (act.ShowVenerables,),
        "first": (act.ChooseFirst,),
        "draw": (act.Draw,),
        "look": (act.Look,),
        "action": (act.Invoke, act.Transform),
        "pass": (act.Pass,),
        "ruse": (act.Ruse,),
        "arcane": (act.Arcane,),
        "recruit": (act.Recruit,),
        "end": (act.End,),
        "stow": (act.Stow,),
        "reveal": (act.Reveal,),
        "take": (act.Take,),
        "replace": (act.Replace,),
        "bottom": (act.Bottom,),
        "": (Audit, act.Position),
    },
    audit="GRV-HID-9",
)

GoesOn = Callable[[Tableau, Rule], Tableau]

FLOW: dict[str, GoesOn] = {}
"""By step of the flow: the chapter's function that goes on from there."""


def goes_on_from(step: act.StepName) -> Callable[[GoesOn], GoesOn]:
    def register(function: GoesOn) -> GoesOn:
        FLOW[step] = function
        return function

    return register


PASSED_OVER: dict[str, GoesOn] = {}
"""By step of the flow: how play goes on where the table has passed over what is due."""


def passed_over(step: act.StepName) -> Callable[[GoesOn], GoesOn]:
    def register(function: GoesOn) -> GoesOn:
        PASSED_OVER[step] = function
        return function

    return register


@rules.flows
def go_on(state: Tableau, rule: Rule) -> Tableau:
    if state.tokens.loose:
        return owes(state, due("reveal", times=len(state.tokens.loose)))
    if state.open.elites and rule.reading("elite_refill") == "at_once":
        return owes(state, elites_to_show(state))
    return FLOW[state.flow.step](state, rule)


def owes(state: Tableau, agenda: Agenda) -> Tableau:
    return evolve(state, agenda=agenda)


def all_due(*duties: Duty) -> Agenda:
    return Agenda((Group(*duties),))


@cache
def due(kind: str, seat: str | None = None, times: int = 1) -> Agenda:
    return all_due(Duty(kind, seat, times))


def again(state: Tableau, step: act.StepName, **changes: Any) -> Tableau:
    """The state with its flow moved on to a step; more may be due at once."""
    return evolve(state, flow=evolve(state.flow, step=step), **changes)


def elites_to_show(state: Tableau) -> Agenda:
    return due("elite", times=len(state.open.elites))


def side_of(state: Tableau, named: str | None, seat: str) -> str:
    """Whose card is meant: the acting seat's, if none is named."""
    side = named or seat
    if side not in state.seats:
        raise ParseError("who", seats=state.seats)
    return side


def turn_seat(state: Tableau, table: RuleContext[Box]) -> str:
    """The player on whose side the turn cube lies."""
    flow = state.flow
    first = flow.first or state.seats[0]
    if table.reading("turn_order") == "alternate":
        return first if flow.turn % 2 else state.other(first)
    return first if table.kit.turn_sides[flow.turn - 1] == "F" else state.other(first)


def active_grove(state: Tableau, kit: Box) -> int:
    return kit.active_grove[state.flow.turn - 1]


def spirit(face: str, kit: Box) -> Spirit:
    found = kit.spirits.get(face)
    if found is None:
        raise ParseError("unknown_card", face=face)
    return found


# players and columns


def with_column(state: Tableau, seat: str, grove: int, column: Column) -> Tableau:
    columns = state.players[seat].columns
    return with_player(state, seat, columns=(*columns[: grove - 1], column, *columns[grove:]))


def with_cards(state: Tableau, change: Callable[[Card], Card]) -> Tableau:
    """Every card of the columns, each as ``change`` makes it."""
    for seat, player in state.players.items():
        columns = tuple(tuple(map(change, column)) for column in player.columns)
        state = with_player(state, seat, columns=columns)
    return state


def lay(state: Tableau, seat: str, grove: int, card: Card) -> Tableau:
    """As the last card of a column."""
    return with_player(state, seat, columns=laid(state.players[seat].columns, grove, card))


def laid(columns: tuple[Column, ...], grove: int, card: Card) -> tuple[Column, ...]:
    return (*columns[: grove - 1], (*columns[grove - 1], card), *columns[grove:])


def find(player: Player, grove: int, face: str, nth: int) -> int | None:
    """The place of the n-th card of that face in a column."""
    column = player.columns[grove - 1]
    places = [place for place, card in enumerate(column) if card.face == face]
    return places[nth - 1] if nth <= len(places) else None


def refer(state: Tableau, seat: str, face: str, grove: int, nth: int) -> int:
    place = find(state.players[seat], grove, face, nth)
    if place is None:
        raise ParseError("no_such_card", card=f"{seat}:{face}@{grove}")
    return place


def pick_up(state: Tableau, seat: str, grove: int, place: int) -> tuple[Tableau, Card]:
    column = state.players[seat].columns[grove - 1]
    rest = column[:place] + column[place + 1 :]
    return with_column(state, seat, grove, rest), column[place]


def pick_from_pile(state: Tableau, seat: str, face: str) -> Tableau:
    pile = state.players[seat].pile
    if face not in pile:
        raise ParseError("no_such_card", card=f"{seat}:{face}@druid")
    place = pile.index(face)
    return with_player(state, seat, pile=pile[:place] + pile[place + 1 :])


def put_away(state: Tableau, seat: str, grove: int, place: int, kit: Box) -> tuple[Tableau, Card]:
    """A card of a column goes to the box, out of the game; its tokens are discarded."""
    column = state.players[seat].columns[grove - 1]
    card = column[place]
    name = f"{seat}:{card.face}" if card.face in kit.base_faces else card.face
    state = discard(evolve(state, box=(*state.box, name)), card.tokens)
    return pick_up(state, seat, grove, place)


# tokens


def discard(state: Tableau, tokens: Iterable[Token]) -> Tableau:
    """Face up beside the reserve; a face-down token is turned up first."""
    shown = [token.value for token in tokens if token.value is not None]
    loose = [token.label for token in tokens if token.value is None]
    if not shown and not loose:
        return state
    heap = state.tokens
    heap = evolve(heap, discard=heap.discard.add(*shown), loose=(*heap.loose, *loose))
    return evolve(state, tokens=heap)


def reshuffle(state: Tableau, rule: Rule) -> Tableau:
    """An exhausted reserve is made anew of the discard."""
    heap = state.tokens
    due = not heap.reserve and heap.discard.size > 0
    letter = next_generation(heap.issued)
    if not rule.effect("GRV-ARC-15", due, generation=letter, tokens=heap.discard.size):
        return state
    rule.stage(state)
    count = heap.discard.size
    heap = evolve(
        heap,
        reserve=tuple(f"{letter}{number}" for number in range(1, count + 1)),
        pools={**heap.pools, letter: heap.discard},
        issued={**heap.issued, letter: count},
        discard=Bag(),
    )
    return rule.stage(evolve(state, tokens=heap))


def reserve_token(state: Tableau, label: str, rule: Rule) -> str:
    """The token meant: its label on a grid, any of the heap otherwise."""
    heap = rule.reading("token_tracking") == "heap"
    rule("GRV-SET-18", (label == ANY) == heap, token=label)
    if label != ANY:
        known_label(state, label)
        return label
    seen = frozenset[str]().union(*(player.looked for player in state.players.values()))
    free = [token for token in state.tokens.reserve if token not in seen]
    return (free or list(state.tokens.reserve) or [""])[-1]


def known_label(state: Tableau, label: str) -> None:
    letter = generation(label)
    if not 1 <= int(label[len(letter) :]) <= state.tokens.issued.get(letter, 0):
        raise ParseError("unknown_token", token=label)


# the running turn


def refilled(state: Tableau, animal: Animal, rule: Rule) -> tuple[Animal, ...]:
    """The Elite decks that have to show a card, now that one was taken."""
    empty = state.elites[animal].unseen.size == 0
    rule.effect("GRV-REC-9", empty, animal=animal)
    return state.open.elites if empty else (*state.open.elites, animal)
