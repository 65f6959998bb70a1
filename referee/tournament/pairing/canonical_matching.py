"""The canonical one of several cheapest pairings, so that every program computes the same.

The first player in the list meets the highest player they can meet in any cheapest pairing; of the
pairings that are left, the next player meets the highest they can, and so on. Any other method that
finds a cheapest pairing and applies this rule has the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.tournament.pairing.blossom import PairingChoices, PerfectMatching

Meetings = dict[int, set[int]]
Graph = dict[int, dict[int, int]]
"""For every node its links by number, and where they lead."""

_NO_LINK = -1


def first_cheapest(costs: list[list[int]]) -> list[int]:
    """Everybody's partner. ``costs`` is as ``PerfectMatching`` wants it."""
    cheapest = PerfectMatching(costs)
    choices = list(cheapest.at_no_loss())
    if all(_is_forced(choice, cheapest.partner) for choice in choices):
        return cheapest.partner
    partner = list(cheapest.partner)
    possible: Meetings = {player: set() for player in range(len(costs))}
    for _, meetings in choices:
        for _, _, one, other in meetings:
            possible[one].add(other)
            possible[other].add(one)
    _settle_forced(possible)
    for group in _connected(possible):
        for one, other in _first_within(group, possible, cheapest):
            partner[one], partner[other] = other, one
    return partner


def _is_forced(choices: PairingChoices, partner: Sequence[int]) -> bool:
    """Whether there is only one perfect matching of the nodes.

    A perfect matching is the only one if it can be used up like this (Kotzig 1959): take out two
    nodes that are paired along a bridge, an edge whose removal disconnects the graph, and go on
    with what is left.
    """
    left_over, meetings = choices
    graph: Graph = {}
    paired = set()
    for number, (here, there, one, other) in enumerate(meetings):
        if left_over not in (here, there):
            graph.setdefault(here, {})[number] = there
            graph.setdefault(there, {})[number] = here
            if partner[one] == other:
                paired.add(number)
    while graph:
        bridges = [number for number in _bridges(graph) if number in paired]
        if not bridges:
            return False
        for number in bridges:
            here, there = meetings[number][:2]
            for gone in (here, there):
                for link, left in graph.pop(gone).items():
                    if left in graph:
                        del graph[left][link]
    return True


def _bridges(graph: Graph) -> Iterator[int]:
    """The bridges of the graph, whose removal would disconnect it (Tarjan 1974)."""
    reached: dict[int, int] = {}
    lowest: dict[int, int] = {}
    for root in graph:
        if root in reached:
            continue
        reached[root] = lowest[root] = len(reached)
        way = [(root, _NO_LINK, iter(graph[root].items()))]
        while way:
            node, came_by, links = way[-1]
            for link, other in links:
                if other not in reached:
                    reached[other] = lowest[other] = len(reached)
                    way.append((other, link, iter(graph[other].items())))
                    break
                if link != came_by:
                    lowest[node] = min(lowest[node], reached[other])
            else:
                way.pop()
                if way:
                    before = way[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                    if lowest[node] == reached[node]:
                        yield came_by


def _settle_forced(possible: Meetings) -> None:
    """Remove every player who has only one possible partner, with that partner."""
    forced = [player for player, others in possible.items() if len(others) == 1]
    while forced:
        player = forced.pop()
        if player not in possible:
            continue
        (other,) = possible[player]
        for gone in (player, other):
            for left in possible.pop(gone):
                if left in possible:
                    possible[left].discard(gone)
                    if len(possible[left]) == 1:
                        forced.append(left)


def _connected(possible: Meetings) -> Iterable[list[int]]:
    """The connected components, each in the order of the list."""
    seen: set[int] = set()
    for player in possible:
        if player not in seen:
            group, reached = set[int](), [player]
            while reached:
                one = reached.pop()
                if one not in group:
                    group.add(one)
                    reached += possible[one]
            seen |= group
            yield sorted(group)


def _first_within(
    group: list[int], possible: Meetings, cheapest: PerfectMatching
) -> Iterable[tuple[int, int]]:
    """The first cheapest pairing of a group.

    The choices of all players are the digits of a number, the first player's the highest digit:
    it is added to the costs less the shares, which are the same in sum for every pairing.
    """
    weights, above_all = _digits(group, possible)
    share = cheapest.share
    costs = [
        [above_all * (cheapest.costs[one][other] - share[one] - share[other]) for other in group]
        for one in group
    ]
    at = {player: place for place, player in enumerate(group)}
    for one in group:
        later = sorted(other for other in possible[one] if other > one)
        for digit, other in enumerate(later):
            costs[at[one]][at[other]] += 2 * digit * weights[one]
            costs[at[other]][at[one]] = costs[at[one]][at[other]]
    found = PerfectMatching(costs).partner
    return [(group[one], group[other]) for one, other in enumerate(found) if one < other]


def _digits(group: list[int], possible: Meetings) -> tuple[dict[int, int], int]:
    """The weight of everybody's digit, and an even number higher than all digits together."""
    weights, weight = {}, 1
    for player in reversed(group):
        weights[player] = weight
        weight *= max(1, sum(other > player for other in possible[player]))
    return weights, 2 * weight
