"""Minimum-weight perfect matching (Edmonds' blossom algorithm), exact, with its own certificate.

A primal-dual method. Everybody has a *share*, the dual variable: no two players' shares together
exceed what their meeting costs, and whoever is paired pays exactly that, so no pairing is cheaper.
An odd group that has to send one of its members out is a *blossom* and earns a *bonus*, its own
dual variable, which two players inside it may exceed their costs by.

A tree of alternately *outer* and *inner* nodes grows from everybody unpaired, along meetings that
cost no more than the shares; where two trees touch, two more are paired, and both trees are gone.
Where nothing can grow, outer shares rise and inner ones fall: that is *time*. All meetings are
looked at, but each only as often as somebody joins the forest.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations
from operator import sub
from typing import NamedTuple

_NOBODY = -1
_OUTER, _INNER = 1, 2
_EXPANSION = -1

Link = tuple[int, int]


class PossiblePair(NamedTuple):
    """A possible pair: two players, and the two nodes they belong to."""

    here: int
    there: int
    one: int
    other: int


class PairingChoices(NamedTuple):
    """All possible pairs between some nodes that must be paired, except one."""

    left_over: int
    """The node whose partner is outside; none if all are paired with each other."""
    meetings: list[PossiblePair]


class PerfectMatching:
    """Pairs an even number of players, numbered from 0. Higher numbers are blossoms.

    ``costs`` is a symmetric table of even numbers; what stands in its diagonal is overwritten.
    """

    def __init__(self, costs: list[list[int]]) -> None:
        size = len(costs)
        self.costs = costs
        self.never = 4 * (size + 1) * (1 + max((max(map(abs, row)) for row in costs), default=0))
        for player, row in enumerate(costs):
            row[player] = self.never
        self.share: list[int] = []
        self.partner = [_NOBODY] * size
        self.top = list(range(size))
        self.parent = [_NOBODY] * size
        self.base = list(range(size))
        self.bonus = [0] * size
        self.members = [[player] for player in range(size)]
        self.children: list[list[int]] = [[] for _ in range(size)]
        """Round the odd cycle of a blossom, beginning with the one that is paired outside."""
        self.links: list[list[Link]] = [[] for _ in range(size)]
        """What joins each child to the next: the ends in that order."""
        self._unused: list[int] = []
        if size:
            self._first_shares()
            self._pair_at_once()
            self._outbid()
            _Forest(self, self._waiting())

    def at_no_loss(self) -> Iterator[PairingChoices]:
        """The tight edges (reduced cost zero): every cheapest pairing is made of them alone.

        First those between outermost nodes, then those between the children of every blossom.
        """
        share, top = self.share, self.top
        outermost = []
        for one, row in enumerate(self.costs):
            mine, here = share[one], top[one]
            outermost += [
                PossiblePair(here, top[other], one, other)
                for other, (cost, theirs) in enumerate(zip(row, share, strict=True))
                if cost - theirs == mine and other > one and top[other] != here
            ]
        yield PairingChoices(_NOBODY, outermost)
        for node in set(top):
            yield from self._at_no_loss_inside(node, 0)

    def _at_no_loss_inside(self, node: int, bonus: int) -> Iterator[PairingChoices]:
        bonus += self.bonus[node]
        children = self.children[node]
        if children:
            found = [
                PossiblePair(here, there, one, other)
                for here, there in combinations(children, 2)
                for one in self.members[here]
                for other in self.members[there]
                if self.costs[one][other] + bonus == self.share[one] + self.share[other]
            ]
            yield PairingChoices(children[0], found)
        for child in children:
            yield from self._at_no_loss_inside(child, bonus)

    # A good start: most are paired by it ------------------------------------------------------

    def _first_shares(self) -> None:
        """Initial dual variables: half the cost of a good partner.

        Not of the very best partner, because one player can be everybody's best; players whom many
        want are lowered first, so that the duals stay feasible.
        """
        costs = self.costs
        good = min(4, len(costs) - 2)
        wanted = [0] * len(costs)
        for row in costs:
            wanted[row.index(min(row))] += 1
        share = self.share = [sorted(row)[good] // 2 for row in costs]
        for player in sorted(range(len(costs)), key=lambda player: -wanted[player]):
            share[player] = min(share[player], min(map(sub, costs[player], share)))

    def _pair_at_once(self) -> None:
        """Greedy start: raise each share as far as it goes, and pair along tight edges."""
        share, partner = self.share, self.partner
        for player, costs in enumerate(self.costs):
            row = list(map(sub, costs, share))
            share[player] = low = min(row)
            if partner[player] == _NOBODY:
                other = _NOBODY
                for _ in range(row.count(low)):
                    other = row.index(low, other + 1)
                    if partner[other] == _NOBODY:
                        self.join(player, other)
                        break

    def _outbid(self) -> None:
        """Auction phase: the unpaired outbid others for their best partner, for a limited time."""
        share, partner = self.share, self.partner
        waiting = deque(self._waiting())
        for _ in range(2 * len(partner)):
            if not waiting:
                break
            player = waiting.pop()
            if partner[player] != _NOBODY:
                continue
            row = list(map(sub, self.costs[player], share))
            low = min(row)
            best = row.index(low)
            row[best] = self.never
            second = min(row)
            if second == low and partner[row.index(low)] == _NOBODY:
                best = row.index(low)
            share[player] = second
            share[best] -= second - low
            left = partner[best]
            self.join(player, best)
            if left != _NOBODY:
                partner[left] = _NOBODY
                (waiting.append if second > low else waiting.appendleft)(left)

    def _waiting(self) -> list[int]:
        return [player for player, other in enumerate(self.partner) if other == _NOBODY]

    # Blossoms ---------------------------------------------------------------------------------

    def join(self, one: int, other: int) -> None:
        self.partner[one], self.partner[other] = other, one

    def new_blossom(self, children: list[int], links: list[Link]) -> int:
        node = self._unused.pop() if self._unused else self._unused_number()
        self.children[node], self.links[node] = children, links
        self.base[node] = self.base[children[0]]
        self.bonus[node] = 0
        self.parent[node] = _NOBODY
        self.members[node] = [member for child in children for member in self.members[child]]
        for child in children:
            self.parent[child] = node
        for member in self.members[node]:
            self.top[member] = node
        return node

    def _unused_number(self) -> int:
        self.parent.append(_NOBODY)
        self.base.append(_NOBODY)
        self.bonus.append(0)
        self.members.append([])
        self.children.append([])
        self.links.append([])
        return len(self.base) - 1

    def release(self, node: int) -> None:
        """Dissolve a blossom: its children become nodes of their own."""
        for child in self.children[node]:
            self.parent[child] = _NOBODY
            for member in self.members[child]:
                self.top[member] = child
        self.children[node] = []
        self._unused.append(node)

    def release_worthless(self, node: int) -> None:
        children = self.children[node]
        if children and not self.bonus[node]:
            self.release(node)
            for child in children:
                self.release_worthless(child)

    def send_out(self, node: int, player: int) -> None:
        """Pair all members of a blossom with each other, except this player."""
        children, links = self.children[node], self.links[node]
        if self.base[node] == player:
            return
        child = self._child_of(node, player)
        self.send_out(child, player)
        at = children.index(child)
        for one, other in _alternate(links, at)[1::2]:
            self.send_out(self._child_of(node, one), one)
            self.send_out(self._child_of(node, other), other)
            self.join(one, other)
        self.children[node] = children[at:] + children[:at]
        self.links[node] = links[at:] + links[:at]
        self.base[node] = player

    def _child_of(self, node: int, player: int) -> int:
        child = player
        while self.parent[child] != node:
            child = self.parent[child]
        return child


def _alternate(links: Sequence[Link], at: int) -> list[Link]:
    """The even-length path along an odd cycle, from a child to the base, as links."""
    if at % 2:
        return list(links[at:])
    return [(other, one) for one, other in reversed(links[:at])]


class _Forest:
    """The search forest: finds augmenting paths until everybody is paired."""

    def __init__(self, pairing: PerfectMatching, roots: Sequence[int]) -> None:
        self.pairing = pairing
        self.now = 0
        self.label: dict[int, int] = {}
        self.since: dict[int, int] = {}
        self.entry: dict[int, Link] = {}
        """The meeting by which a node joined the forest: from within it, to the node."""
        self.root: dict[int, int] = {}
        self.nodes: dict[int, list[int]] = {}
        """All that ever joined a tree, by its root."""
        size = len(pairing.partner)
        self.level = [0] * size
        """The share of an outer player, less the time: it stays the same."""
        self.limit = [pairing.never] * size
        """The least cost less level that somebody in the forest offers so far."""
        self.events: list[tuple[int, int, int]] = []
        self.joined: list[int] = []
        self.outers: set[int] = set()
        for root in roots:
            # Even shares of all roots make all times whole numbers.
            pairing.share[root] -= pairing.share[root] % 2
            self.nodes[root] = []
            self._make_outer(root, root)
        self._grow()

    def _grow(self) -> None:
        pairing, label, limit = self.pairing, self.label, self.limit
        while self.nodes:
            while self.joined:
                self._look_around(self.joined.pop())
            time, one, other = heappop(self.events)
            if one == _EXPANSION:
                self._expand_at(time, other)
                continue
            node = pairing.top[other]
            is_outer = label.get(node) == _OUTER
            if is_outer:
                is_known = limit[other] == 2 * time + self.level[other]
            else:
                is_known = node not in label and limit[other] == time + pairing.share[other]
            if not is_known:
                continue
            if not self._still_offers(one, other):
                self._look_again(other)
            elif is_outer:
                self.now = time
                self._meet(one, other)
            else:
                self.now = time
                self._take_in(node, (one, other))

    def _still_offers(self, one: int, other: int) -> bool:
        """Whether a queued event is still valid: its tree may be gone since."""
        top, costs = self.pairing.top, self.pairing.costs
        return (
            one in self.outers
            and top[one] != top[other]
            and costs[one][other] - self.level[one] == self.limit[other]
        )

    def _meet(self, one: int, other: int) -> None:
        """A tight edge between outer players: contract a blossom, or augment between two trees."""
        here, there = (self.root[self.pairing.top[player]] for player in (one, other))
        if here == there:
            self._contract(one, other)
            self._look_again(other)
            return
        self._change_partners(one)
        self._change_partners(other)
        self.pairing.join(one, other)
        self._leave(here, there)

    # The tree grows ---------------------------------------------------------------------------

    def _take_in(self, node: int, entry: Link) -> None:
        base = self.pairing.base[node]
        end = self.pairing.partner[base]
        root = self.root[self.pairing.top[entry[0]]]
        self._make_inner(node, root, entry)
        self._make_outer(self.pairing.top[end], root, (base, end))

    def _make_outer(self, node: int, root: int, entry: Link | None = None) -> None:
        self._label(node, _OUTER, root, entry)
        self.joined += self.pairing.members[node]

    def _make_inner(self, node: int, root: int, entry: Link) -> None:
        self._label(node, _INNER, root, entry)
        if self.pairing.children[node]:
            event = (self.now + self.pairing.bonus[node] // 2, _EXPANSION, node)
            heappush(self.events, event)

    def _label(self, node: int, label: int, root: int, entry: Link | None) -> None:
        self.label[node], self.since[node], self.root[node] = label, self.now, root
        self.nodes[root].append(node)
        if entry is not None:
            self.entry[node] = entry
        for member in self.pairing.members[node]:
            self.limit[member] = -self.pairing.never

    def _look_around(self, player: int) -> None:
        """Queue events for when the edges of a new outer player become tight."""
        pairing, label, level, limit, events = (
            self.pairing, self.label, self.level, self.limit, self.events,
        )  # fmt: skip
        top, share = pairing.top, pairing.share
        node = top[player]
        mine = level[player] = share[player] - self.since[node]
        nearer = [
            (other, cost - mine)
            for other, (cost, most) in enumerate(zip(pairing.costs[player], limit, strict=True))
            if cost - mine < most
        ]
        for other, offer in nearer:
            there = top[other]
            if there != node:
                limit[other] = offer
                is_free = there not in label
                time = offer - share[other] if is_free else (offer - level[other]) // 2
                heappush(events, (time, player, other))
        limit[player] = pairing.never
        self.outers.add(player)

    def _look_again(self, player: int) -> None:
        """Recompute the best offer for a player after the trees have changed."""
        top, level, row = self.pairing.top, self.level, self.pairing.costs[player]
        node = top[player]
        offers = ((row[other] - level[other], other) for other in self.outers if top[other] != node)
        offer, nearest = min(offers, default=(self.pairing.never, _NOBODY))
        self.limit[player] = offer
        if nearest != _NOBODY:
            if node in self.label:
                time = (offer - level[player]) // 2
            else:
                time = offer - self.pairing.share[player]
            heappush(self.events, (time, nearest, player))

    # Blossoms come and go ---------------------------------------------------------------------

    def _contract(self, one: int, other: int) -> None:
        """Contract the cycle through two outer players of a tree into an outer blossom."""
        pairing = self.pairing
        meet = self._meeting_point(one, other)
        up, up_links = self._climb(pairing.top[one], meet)
        down, down_links = self._climb(pairing.top[other], meet)
        children = [meet, *reversed(up), *down]
        links = [*((high, low) for low, high in reversed(up_links)), (one, other), *down_links]
        for child in children:
            self._settle(child)
            if self.label[child] == _INNER:
                self.joined += pairing.members[child]
        node = pairing.new_blossom(children, links)
        root = self.root[meet]
        self.label[node], self.since[node], self.root[node] = _OUTER, self.now, root
        self.nodes[root].append(node)
        if meet in self.entry:
            self.entry[node] = self.entry[meet]

    def _meeting_point(self, one: int, other: int) -> int:
        """The lowest common ancestor of both."""
        here, there = self.pairing.top[one], self.pairing.top[other]
        seen = set()
        while here not in seen:
            if here != _NOBODY:
                seen.add(here)
                here = self._above(here)
            here, there = there, here
        return here

    def _above(self, node: int) -> int:
        if node not in self.entry:
            return _NOBODY
        top = self.pairing.top
        inner = top[self.entry[node][0]]
        return top[self.entry[inner][0]]

    def _climb(self, node: int, meet: int) -> tuple[list[int], list[Link]]:
        """The path of nodes up to the meeting point, with the edges between them."""
        path, links = [], []
        while node != meet:
            high, low = self.entry[node]
            path.append(node)
            links.append((low, high))
            node = self.pairing.top[high]
        return path, links

    def _expand_at(self, time: int, node: int) -> None:
        """Expand an inner blossom whose bonus (dual variable) has reached zero."""
        used = 2 * (time - self.since.get(node, 0))
        pairing = self.pairing
        if (
            self.label.get(node) == _INNER
            and pairing.parent[node] == _NOBODY
            and pairing.bonus[node] == used
        ):
            self.now = time
            self._expand(node)

    def _expand(self, node: int) -> None:
        """Expand a blossom: the even path from the entry to the base stays in the tree."""
        pairing = self.pairing
        self._settle(node)
        entry, root = self.entry[node], self.root[node]
        self._forget(node)
        children, links = pairing.children[node], pairing.links[node]
        pairing.release(node)
        into = pairing.top[entry[1]]
        self._make_inner(into, root, entry)
        way = _alternate(links, children.index(into))
        for paired, onward in zip(way[::2], way[1::2], strict=True):
            self._make_outer(pairing.top[paired[1]], root, paired)
            self._make_inner(pairing.top[onward[1]], root, onward)
        for child in children:
            if child not in self.label:
                for member in pairing.members[child]:
                    self._look_again(member)

    def _forget(self, node: int) -> None:
        del self.label[node], self.since[node], self.root[node]
        self.entry.pop(node, None)

    def _settle(self, node: int) -> None:
        """Write the current dual variables back to the matching."""
        passed = self.now - self.since[node]
        if passed:
            if self.label[node] == _INNER:
                passed = -passed
            share = self.pairing.share
            for member in self.pairing.members[node]:
                share[member] += passed
            if self.pairing.children[node]:
                self.pairing.bonus[node] += 2 * passed
            self.since[node] = self.now

    # Trees leave ------------------------------------------------------------------------------

    def _change_partners(self, player: int) -> None:
        """Augment: alternate partners along the path to the root, which frees this player."""
        pairing = self.pairing
        node = pairing.top[player]
        pairing.send_out(node, player)
        while node in self.entry:
            inner = pairing.top[self.entry[node][0]]
            one, other = self.entry[inner]
            pairing.send_out(inner, other)
            node = pairing.top[one]
            pairing.send_out(node, one)
            pairing.join(one, other)

    def _leave(self, *roots: int) -> None:
        """Remove trees whose roots are paired; others may now reach their nodes."""
        pairing = self.pairing
        left: list[int] = []
        outermost: list[int] = []
        for root in roots:
            for node in self.nodes.pop(root):
                if node in self.label and self.root[node] == root:
                    if pairing.parent[node] == _NOBODY:
                        self._settle(node)
                        left += pairing.members[node]
                        outermost.append(node)
                    self._forget(node)
        self.outers.difference_update(left)
        for node in outermost:
            pairing.release_worthless(node)
        for player in left:
            self._look_again(player)
