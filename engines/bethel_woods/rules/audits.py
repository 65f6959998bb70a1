"""Counts seen at the table, compared with what the log says."""

from __future__ import annotations

from engines.bethel_woods.kit import RING
from engines.bethel_woods.rules.book import AnyTable, rules
from engines.bethel_woods.state import Tableau

_MACHINES = tuple(map(str, RING))


@rules.counts("supply")
def supply(state: Tableau, table: AnyTable) -> int | None:
    return state.supply.count


@rules.counts("discard_pile")
def discard_pile(state: Tableau, table: AnyTable) -> int:
    return len(state.discard_pile)


@rules.counts("spies")
def spies(state: Tableau, table: AnyTable) -> int:
    return len(state.spies)


@rules.counts("built")
def built(state: Tableau, table: AnyTable) -> int:
    return state.built


@rules.counts("{seat} knowledge")
def knowledge(state: Tableau, table: AnyTable, seat: str) -> int:
    return state.players[seat].knowledge.size


@rules.counts("machine {machine} tokens", machine=_MACHINES)
def tokens(state: Tableau, table: AnyTable, machine: str) -> int:
    return state.machines[int(machine)].tokens.size


@rules.counts("machine {machine} workers", machine=_MACHINES)
def workers(state: Tableau, table: AnyTable, machine: str) -> int:
    return len(state.machines[int(machine)].workers)


@rules.counts("machine {machine} tile", machine=_MACHINES, stated=("up", "down"))
def side_of_tile(state: Tableau, table: AnyTable, machine: str) -> str:
    """Which side of its tile shows: the flip is easily forgotten."""
    return "up" if state.machines[int(machine)].up else "down"
