"""What may come next: candidates, judged before they are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from engines.bethel_woods import actions as act
from engines.bethel_woods.kit import RING, TYPES, Type, in_order
from engines.bethel_woods.rules.abilities import can_reach, compared_value
from engines.bethel_woods.rules.book import AnyTable, rules
from engines.bethel_woods.rules.building import build_cost, section_reached
from engines.bethel_woods.rules.critical import can_lower
from engines.bethel_woods.rules.turn import spy_within_reach
from engines.bethel_woods.state import Tableau
from engines.kernel import Bag

_ALL_TOKENS = tuple(f"{kind}{value}" for kind in TYPES for value in RING)


def _picks(tokens: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """Every different handful of that size."""
    kinds = Counter(in_order(tokens))

    def picked(left: tuple[str, ...], size: int) -> Iterator[tuple[str, ...]]:
        if not size:
            yield ()
        if not 0 < size <= sum(kinds[kind] for kind in left):
            return
        for at, kind in enumerate(left):
            for count in range(min(size, kinds[kind]), 0, -1):
                for others in picked(left[at + 1 :], size - count):
                    yield (*(kind,) * count, *others)

    return picked(tuple(kinds), size)


def _of_type(tokens: Bag[str], kind: str) -> list[str]:
    return [token for token in tokens.elements() if token[0] == kind]


def _knowledge(state: Tableau, seat: str) -> Bag[str]:
    return state.players[seat].knowledge


def _fees(state: Tableau, held: Bag[str], *paid: str) -> Iterable[str | None]:
    """What could be paid, beside what an ability costs anyway, so that it may be used."""
    return in_order(held.take(*paid)) if state.tile_is_up("fee") else (None,)


# setup and observations


@rules.offers(act.DealCharacter)
def characters(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.DealCharacter]:
    return (act.DealCharacter(by=seat, character=name) for name in table.kit.characters.ids)


@rules.offers(act.DrawMalfunction)
def draws(state: Tableau, seat: None, table: AnyTable) -> Iterator[act.DrawMalfunction]:
    tokens = state.supply.tokens
    return (
        act.DrawMalfunction(token=t) for t in (_ALL_TOKENS if tokens is None else in_order(tokens))
    )


@rules.offers(act.RevealSpy)
def spies(state: Tableau, seat: None, table: AnyTable) -> Iterator[act.RevealSpy]:
    return (act.RevealSpy(value=spy) for spy in state.column.possible)


@rules.offers(act.RevealTile)
def tiles(state: Tableau, seat: None, table: AnyTable) -> Iterator[act.RevealTile]:
    machine = state.unrevealed
    if machine is not None:
        for tile in table.kit.critical_tiles.kinds:
            yield act.RevealTile(machine=machine, tile=tile)


# the turn


@rules.offers(act.TakeWorkers)
def pick_ups(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.TakeWorkers]:
    for number, machine in state.machines.items():
        if machine.workers:
            yield act.TakeWorkers(by=seat, machine=number, direction="cw")
            yield act.TakeWorkers(by=seat, machine=number, direction="ccw")


@rules.offers(act.DropWorker)
def drops(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.DropWorker]:
    hand = state.turn_of(seat).hand
    return (act.DropWorker(by=seat, worker=worker) for worker in TYPES if worker in hand)


@rules.offers(act.FixMalfunctions)
def fixes(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.FixMalfunctions]:
    window = state.turn.window
    if window is not None:
        tokens = _of_type(state.machines[window.machine].tokens, window.type)
        for size in range(1, min(window.left, len(tokens)) + 1):
            for handful in _picks(tokens, size):
                yield act.FixMalfunctions(by=seat, tokens=handful)


@rules.offers(act.UncoverSpy)
def uncoverings(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.UncoverSpy]:
    number = spy_within_reach(state)
    if number is None:
        return
    held = _knowledge(state, seat)
    one, other = table.kit.icons[state.machines[number].spies[0]]
    for first in _picks(_of_type(held, one), 1):
        for second in _picks(_of_type(held, other), 1):
            pay = (*first, *second)
            for plus in _supplements(state, held.take(*pay)):
                yield act.UncoverSpy(by=seat, pay=pay, plus=plus)
    if state.players[seat].character == "fenn" and not state.turn.ability_used:
        yield from _uncoverings_by_fenn(state, seat, (one, other))


def _uncoverings_by_fenn(
    state: Tableau, seat: str, cost: tuple[str, str]
) -> Iterator[act.UncoverSpy]:
    held = _knowledge(state, seat)
    for required in cost:
        for pay in _picks(_of_type(held, required), 1):
            for swap in _picks(held.take(*pay), 1):
                left = held.take(*pay, *swap)
                for plus in _supplements(state, left):
                    for fee in _fees(state, left if plus is None else left.take(plus)):
                        yield act.UncoverSpy(by=seat, pay=pay, swap=swap, plus=plus, fee=fee)


def _supplements(state: Tableau, left: Bag[str]) -> Iterable[str | None]:
    return in_order(left) if state.tile_is_up("spyplus") else (None,)


@rules.offers(act.Build)
def buildings(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.Build]:
    turn = state.turn_of(seat)
    section = section_reached(turn, table)
    worker = next((kind for kind in TYPES if kind == turn.hand), None)
    if worker is None or section is None or state.sections[section]:
        return
    held = _knowledge(state, seat)
    own, cost = _of_type(held, worker), build_cost(state, table)
    for pay in _picks(own, cost):
        yield act.Build(by=seat, worker=worker, pay=pay)
    if cost and state.players[seat].character == "nova" and not turn.ability_used:
        others = [token for token in held if token[0] != worker]
        for pay in _picks(own, cost - 1):
            for swap in _picks(others, 1):
                for fee in _fees(state, held, *pay, *swap):
                    yield act.Build(by=seat, worker=worker, pay=pay, swap=swap, fee=fee)


@rules.offers(act.Harris)
def moves_by_harris(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.Harris]:
    held = _knowledge(state, seat)
    pays = {worker: dict.fromkeys(_of_type(held, worker)) for worker in TYPES}
    for source, target, worker in _moves(state, table):
        for pay in pays[worker]:
            for fee in _fees(state, held, pay):
                yield act.Harris(
                    by=seat, worker=worker, source=source, target=target, pay=pay, fee=fee
                )


def _moves(state: Tableau, table: AnyTable) -> Iterator[tuple[int, int, Type]]:
    for source, machine in state.machines.items():
        for target in RING:
            if can_reach(source, target, table):
                yield from ((source, target, kind) for kind in TYPES if kind in machine.workers)


@rules.offers(act.Junas)
def gifts_by_junas(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.Junas]:
    held = _knowledge(state, seat)
    friends = [other for other in state.seating.seats if other != seat]
    for pay in in_order(held) if state.players[seat].character == "junas" else ():
        left = held.take(pay)
        any_type = table.reading("junas_type") == "as_each_other"
        for kind in TYPES if any_type else pay[0]:
            for size in (1, 2):
                for gift in _picks(_of_type(left, kind), size):
                    for fee in _fees(state, left, *gift):
                        for to in friends:
                            yield act.Junas(by=seat, pay=pay, give=gift, to=(to,), fee=fee)


@rules.offers(act.Linny)
def removals_by_linny(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.Linny]:
    held = _knowledge(state, seat)
    for pay in in_order(held) if state.players[seat].character == "linny" else ():
        for number, machine in state.machines.items():
            for token in machine.tokens:
                if compared_value(token, number, table) == int(pay[1]):
                    for fee in _fees(state, held, pay):
                        at = number if _lies_elsewhere(state, token, number) else None
                        yield act.Linny(by=seat, pay=pay, remove=token, at=at, fee=fee)


def _lies_elsewhere(state: Tableau, token: str, number: int) -> bool:
    return any(
        token in machine.tokens for other, machine in state.machines.items() if other != number
    )


@rules.offers(act.Violet)
def relief_by_violet(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.Violet]:
    held = _knowledge(state, seat)
    for kind in TYPES if state.players[seat].character == "violet" else ():
        for pay in _picks(_of_type(held, kind), 2):
            for fee in _fees(state, held, *pay):
                yield act.Violet(by=seat, pay=pay, fee=fee)


@rules.offers(act.LowerTile)
def lowerings(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.LowerTile]:
    for number, machine in state.machines.items():
        if can_lower(machine, table):
            yield act.LowerTile(by=seat, machine=number)


@rules.offers(act.EndTurn)
def turn_ends(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.EndTurn]:
    yield act.EndTurn(by=seat)


@rules.offers(act.DiscardKnowledge)
def discards(state: Tableau, seat: str, table: AnyTable) -> Iterator[act.DiscardKnowledge]:
    owes = 0 if state.owed is None else state.owed.counts.get(seat, 0)
    held = _knowledge(state, seat)
    for size in range(1, owes + 1):
        for tokens in _picks(held.elements(), size):
            yield act.DiscardKnowledge(by=seat, tokens=tokens)
