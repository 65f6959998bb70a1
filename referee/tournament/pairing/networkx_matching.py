"""The cheapest way to form pairs. Importing this takes a while: import it where it is used."""

from __future__ import annotations

from collections.abc import Iterable

from referee.untrusted.optional_packages import load

nx = load("networkx", "tournament")


class Graph(nx.Graph):  # type: ignore[misc, name-defined]
    """Gives its dictionaries as they are.

    A matching of 200 players looks up ten million edges; a view for each of them would take
    longer than everything else.
    """

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        edges: dict[int, dict[str, int]] = self._adj[node]
        return edges


def cheapest_pairs(edges: Iterable[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """As many pairs as possible, at the least cost in all."""
    graph = Graph()
    graph.add_weighted_edges_from((one, other, -cost) for one, other, cost in edges)
    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
    return found
