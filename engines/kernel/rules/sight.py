"""Sight: what lies openly on the boards of a table, and where: what a photograph is compared with.

The drawing of a table is no such thing: it spreads pieces anew, and draws what nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from engines.kernel.rules.holdings import Holding, Holdings

if TYPE_CHECKING:
    from engines.kernel.picture.svg import Spot

Things = dict[tuple[str, str], int]
"""How many of a kind lie at a place, both called as in the holdings."""


Spaces = Mapping[str, "Spot"]
"""Where the spaces of a board lie on its photograph, in parts of its width and height."""


class Sight(Struct, frozen=True):
    """What can be seen of a game.

    ``held`` are the kinds of holders that lie openly on a board, ``machine`` for ``machine.3``: all
    that they hold is seen. ``more(state, setting)`` is what lies there and is nobody's holding.
    """

    held: tuple[str, ...] = ()
    more: Callable[[Any, Any], Iterable[Holding]] = lambda state, setting: ()
    spots: Callable[[Any, Any, str, Spaces], Spaces] = lambda state, setting, board, spaces: spaces
    """Where all places on a board lie, ``spots(state, setting, board, spaces)``, by where its
    spaces were put on a photograph."""
    alike: Callable[[str], str] = lambda kind: kind
    """What a kind looks like from above: kinds of one look are not told apart by a camera."""
    reach: Mapping[str, float] = field(default_factory=dict)
    """How far from its spot a kind of place reaches, in parts of the board's width; else half way
    to the next one."""

    def lying(self, holdings: Holdings, state: Any, setting: Any) -> Iterator[Holding]:
        for holding in holdings.held(state, setting):
            if place_kind(holding.holder) in self.held:
                yield holding
        yield from self.more(state, setting)

    def things(self, holdings: Holdings, state: Any, setting: Any) -> Things:
        """What lies where; amounts that a view conceals are left out."""
        found: Things = {}
        for place, kind, amount in self.lying(holdings, state, setting):
            if amount:
                found[place, kind] = found.get((place, kind), 0) + amount
        return found


def place_kind(place: str) -> str:
    return place.partition(".")[0]
