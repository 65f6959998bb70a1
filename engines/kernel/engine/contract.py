"""The interface between a game and its engine: what a game provides, what the engine returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from engines.kernel.box.kit import Kit, KitSheet
from engines.kernel.messages.catalogue import Speech
from engines.kernel.rules.actions import Action
from engines.kernel.rules.hearing import SealCheck, Verdict
from engines.kernel.rules.state import State
from engines.kernel.values.models import lost_without_null

if TYPE_CHECKING:
    from engines.kernel.picture.ground import Ground
    from engines.kernel.picture.layout import Sheet
    from engines.kernel.picture.svg import Picture

S = TypeVar("S", bound=State)
K = TypeVar("K", bound=Kit)


class Setting(Struct, Generic[K], frozen=True):
    """What a game pins when it opens: kit, readings and house rules.

    Pinned, so that later changes of their defaults do not change an old record.
    """

    kit: K
    readings: Mapping[str, str]
    house_rules: frozenset[str] = frozenset()
    sheet: KitSheet = field(default_factory=lambda: KitSheet({}))
    seats: tuple[str, ...] = ()
    engine: str = ""
    """The version of the engine that began the record; empty for today's."""
    grounds: Mapping[str, Ground] = field(default_factory=dict)
    """The club's own boards by name, for a picture that is drawn on their photographs."""

    def reading(self, name: str, /) -> str:
        return self.readings[name]


class Judgement(Struct, Generic[S], frozen=True):
    """The action as understood, the verdict on it, and the state it leads to.

    ``state`` is the state before the action if it was refused.
    """

    action: Action
    verdict: Verdict
    state: S
    accepted: bool
    stages: tuple[S, ...] = ()
    """The table as hands left it along the way, where it differs from before and after."""


class Result(Struct, frozen=True):
    """How a game ended: seats by place (several in one place are tied), and the clause."""

    places: tuple[tuple[str, ...], ...]
    clause: str
    scores: Mapping[str, int] = field(default_factory=dict)
    how: str | None = None
    """A key of the game's words."""
    won: bool | None = None
    """For cooperative games: whether the table won."""
    ranked: bool = True
    """Whether there is a ranking behind the winner."""

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """The places that the rules give."""
        return self.places if self.ranked else self.places[:1]

    @property
    def numbered(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Each place with its number: behind two who share the first comes the third."""
        before = accumulate(map(len, self.places), initial=1)
        return tuple(zip(before, self.places, strict=False))


class Choice(NamedTuple):
    """One word that may come next, and whether the line is complete with it."""

    word: str
    complete: bool
    options: int
    """How many complete actions continue with this word; 0 for a template."""


class Faces(Struct, Generic[S, K], frozen=True):
    """How a table is shown.

    ``describe(state, setting, speech)`` gives lines of words, ``picture(state, setting, speech,
    last)`` a picture with ``last``, the last action, highlighted: of one shape, or a sheet of parts
    that lie below or beside each other. ``card_key(setting, speech)``
    pictures which component has which code, ``thing(word, setting, speech)`` is a small drawing of
    one component, if there is one. ``spaces(state, setting)`` names the spaces of the picture
    without drawing it; without it, or where it gives ``None``, the picture is drawn.
    The others are handed the game's words in one language; who asks the engine names the language
    instead.
    """

    describe: Callable[[S, Setting[K], Speech], list[str]]
    picture: Callable[[S, Setting[K], Speech, Action | None], Picture | Sheet]
    card_key: Callable[[Setting[K], Speech], Picture] | None = None
    thing: Callable[[str, Setting[K], Speech], Picture | None] | None = None
    spaces: Callable[[S, Setting[K]], Iterable[str] | None] | None = None


class Positions(Struct, Generic[S, K], frozen=True):
    """The action that declares a whole state, and ``of(state, setting)`` that would declare it.

    ``in_any_order`` names the lists whose order means nothing (``players.*.pack``), so that two
    tables are found to be the same whichever way they came about.
    """

    action: type[Action]
    of: Callable[[S, Setting[K]], Action]
    in_any_order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if lost := lost_without_null(self.action):
            raise TypeError(f"null, and not the default, cannot be declared: {', '.join(lost)}")


class Secrecy(Struct, Generic[S, K], frozen=True):
    """What is hidden, and what may be sealed.

    ``hide(state, viewer, setting)`` leaves out what a seat may not see, and gives back the very
    same state where nothing is hidden; ``private_facts`` are the facts of verdicts that would
    tell it all the same. ``sealed`` names what a seat may seal (a hand, a look) and how it is
    checked when it is opened.
    """

    hide: Callable[[S, str, Setting[K]], S] = lambda state, viewer, setting: state
    private_facts: tuple[str, ...] = ()
    sealed: Mapping[str, SealCheck] = field(default_factory=dict)
