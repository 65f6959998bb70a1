"""Which legal actions would change just what was seen: a beam over options of options.

Purely of what the caller may know: options and judgements are asked of the state that is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from engines.kernel.rules.actions import Action
from engines.kernel.rules.sight import Things

LONGEST = 5
"""So many actions are proposed in a row at most."""
BEAM = 10
JUDGED = 1500
"""So many actions are tried for one photograph at most."""
EXPLAINED = -1.6
"""A score from which on no longer sequence is sought."""
UNEXPLAINED = -2.6
"""Below this no legal action explains what was seen."""
CLEAR = 1.0
"""By so much the first must be better than the next to be called sure."""
LONGER = 0.4
"""What every further action of a sequence costs."""
ALIKE = 0.4
"""Kinds that come and go at the same places are not told apart by less."""
NOTHING = 22.0
"""Below so many changed pixels at every place nothing has happened."""

Look = frozenset[tuple[str, str, int]]
"""What a camera sees of a change: place, look of a kind, and how many more or fewer."""


class Proposal(NamedTuple):
    """Actions that would explain a photograph."""

    actions: tuple[Action, ...]
    visible: tuple[bool, ...]
    """Which of them change something that is seen."""
    look: Look
    score: float
    same: tuple[tuple[Action, ...], ...] = ()
    """Others of the same length that look just the same, or that cannot be told apart."""
    looks: tuple[Look, ...] = ()
    """Those of the others, where their kinds should look otherwise."""


class Asked(NamedTuple):
    """What the search asks of a game."""

    options: Callable[[Any], Iterable[Action]]
    after: Callable[[Any, Action], Any]
    """The state after an action; ``None`` where it is refused or cannot be known."""
    things: Callable[[Any], Things]
    alike: Callable[[str], str]
    seen: Callable[[str], bool]
    """Whether a place is on a photograph."""


class _Node(NamedTuple):
    state: Any
    actions: tuple[Action, ...]
    visible: tuple[bool, ...]
    look: Look
    score: float


def looks(was: Things, now: Things, asked: Asked) -> Look:
    """What a camera would see of the difference between two tables."""
    changes: dict[tuple[str, str], int] = {}
    for things, sign in ((now, 1), (was, -1)):
        for (place, kind), count in things.items():
            if asked.seen(place):
                key = place, asked.alike(kind)
                changes[key] = changes.get(key, 0) + sign * count
    return frozenset((*key, count) for key, count in changes.items() if count)


def signs(look: Look) -> tuple[frozenset[str], frozenset[str]]:
    """The places where something has gone, and those where something has come."""
    gone = frozenset(place for place, _, count in look if count < 0)
    return gone, frozenset(place for place, _, count in look if count > 0)


def proposals(
    state: Any, base: Things, asked: Asked, score: Callable[[Look], float]
) -> list[Proposal]:
    """What may have happened since a table looked like ``base``, the most likely first."""
    known: dict[Look, float] = {}

    def scored(look: Look, length: int) -> float:
        if look not in known:
            known[look] = score(look)
        return known[look] - LONGER * max(0, length - 1)

    here = looks(base, asked.things(state), asked)
    beam = [_Node(state, (), (), here, scored(here, 0))]
    found: list[_Node] = [*beam]
    tries = JUDGED
    for length in range(1, LONGEST + 1):
        children = []
        for node in beam:
            for action in asked.options(node.state):
                if tries == 0:
                    break
                tries -= 1
                after = asked.after(node.state, action)
                if after is None:
                    continue
                look = looks(base, asked.things(after), asked)
                actions, visible = (*node.actions, action), (*node.visible, look != node.look)
                children.append(_Node(after, actions, visible, look, scored(look, length)))
        found += children
        if tries == 0 or max((node.score for node in found), default=0.0) >= EXPLAINED:
            break
        beam = list(_kept(children))
    return list(_grouped(found))


def _kept(children: list[_Node]) -> Iterator[_Node]:
    """The most promising, of few kinds each: invisible steps are many and look the same."""
    of_a_kind: dict[object, int] = {}
    kept = 0
    for node in sorted(children, key=lambda node: -node.score):
        kind = node.look, tuple(action.verb for action in node.actions)
        of_a_kind[kind] = of_a_kind.get(kind, 0) + 1
        if of_a_kind[kind] <= 2:
            yield node
            kept += 1
        if kept == BEAM:
            return


def _grouped(found: list[_Node]) -> Iterator[Proposal]:
    """One proposal for all that looks the same: the shortest; a last step that changes nothing is
    left out, unless nothing else was done."""
    by_look: dict[Look, list[_Node]] = {}
    for node in found:
        if node.visible[-1:] != (False,):
            by_look.setdefault(node.look, []).append(node)
    best = []
    for look, nodes in by_look.items():
        shortest = min(len(node.actions) for node in nodes)
        first, *same = (node for node in nodes if len(node.actions) == shortest)
        others = tuple(node.actions for node in same)
        best.append(Proposal(first.actions, first.visible, look, first.score, others))
    best.sort(key=lambda proposal: -proposal.score)
    yield from _asked_together(best)


def _asked_together(best: list[Proposal]) -> Iterator[Proposal]:
    """What differs by its kind alone, and is not told apart by that, is one question."""
    told: dict[object, Proposal] = {}
    for proposal in best:
        key = signs(proposal.look), len(proposal.actions)
        first = told.get(key)
        if first is not None and proposal.actions and first.score - proposal.score < ALIKE:
            others = (*first.same, proposal.actions, *proposal.same)
            told[key] = first._replace(same=others, looks=(*first.looks, proposal.look))
        else:
            told[key if first is None else proposal.look] = proposal
    yield from sorted(told.values(), key=lambda proposal: -proposal.score)


def is_sure(ranked: list[Proposal]) -> bool:
    """Whether the first explains what was seen, and clearly better than the next."""
    if not ranked or ranked[0].score < EXPLAINED or ranked[0].same:
        return False
    return len(ranked) == 1 or ranked[0].score - ranked[1].score >= CLEAR


def nothing_happened(strength: Mapping[str, float]) -> bool:
    return max(strength.values(), default=0.0) < NOTHING
