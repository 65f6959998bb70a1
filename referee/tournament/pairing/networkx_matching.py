"""Minimum-cost matching by networkx. Its import is slow: import this where it is used."""

from __future__ import annotations

from collections.abc import Iterable

from referee.untrusted.optional_packages import load

nx = load("networkx", "tournament")


class Graph(nx.Graph):  # type: ignore[misc, name-defined]
    """A graph that returns its raw dictionaries instead of views.

    A matching of 200 players looks up ten million edges; creating a view for each would take longer
    than everything else.
    """

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        edges: dict[int, dict[str, int]] = self._adj[node]
        return edges


def cheapest_pairs(edges: Iterable[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """A maximum matching of least total cost."""
    graph = Graph()
    graph.add_weighted_edges_from((one, other, -cost) for one, other, cost in edges)
    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
    return found
