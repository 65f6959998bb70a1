"""Actions: what can happen at a table, as frozen models with their notation."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, Field

from engines.kernel.messages.catalogue import Phrase, Verbatim
from engines.kernel.messages.errors import ParseError
from engines.kernel.messages.unsafe_text import harmful_in
from engines.kernel.values.models import STRICT

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Seat = Annotated[str, Field(pattern=r"^[A-H]$", description="a seat, A, B, C… clockwise")]
Place = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,24}$")]


def refuse_harmful(data: Any, *, allowed: str = "") -> Any:
    """Refuse control characters and the like: what is typed is shown on terminals and pages."""
    if (code := harmful_in(data, allowed=allowed)) is not None:
        raise ParseError("control_character", code=code)
    return data


def by_one_name(said: Iterable[tuple[str, V]], meant: Callable[[str], K]) -> dict[K, V]:
    """What is said by name, by the thing that is meant; refused where one thing has two names, of
    which only the later would count."""
    found, names = dict[K, V](), dict[K, str]()
    for name, value in said:
        thing = meant(name)
        if thing in found:
            raise ParseError("named_twice", name=Verbatim(names[thing]), other=Verbatim(name))
        found[thing], names[thing] = value, name
    return found


LARGEST = 9999
MOST_LISTED = 1000


def refuse_beyond_limits(data: Any, place: str = "") -> None:
    """Refuse numbers and lists in a newly declared position that no table has, whatever its fields
    say. What a record holds is read."""
    if isinstance(data, int) and abs(data) > LARGEST:
        limit = Phrase("flaw.larger_than", {"le": LARGEST})
        if data < 0:
            limit = Phrase("flaw.smaller_than", {"ge": -LARGEST})
        raise ParseError("bad_position", field=place[:80], problem=limit)
    if not isinstance(data, Mapping | list | tuple):
        return
    if len(data) > MOST_LISTED:
        facts = {"max_length": MOST_LISTED, "actual_length": len(data)}
        problem = Phrase("flaw.too_many", facts)
        raise ParseError("bad_position", field=place[:80], problem=problem)
    items = data.items() if isinstance(data, Mapping) else enumerate(data)
    for name, part in items:
        refuse_beyond_limits(part, f"{place}.{name}" if place else str(name))


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=60)]
Word = Annotated[str, Field(pattern=r"^\w[\w.,:/@+=’'-]*$", max_length=60)]
Stated = Annotated[str, Field(pattern=r"^-?\w[\w.,:/@+=’'-]*$", max_length=60)]
PlainText = Annotated[str, BeforeValidator(refuse_harmful)]


class Action(BaseModel):
    """One atomic thing that happened: a decision of a seat, or an observation.

    A subclass declares its ``verb`` as a ``Literal`` with a default, its fields, and

    - ``forms``: how its arguments are written, the first form that fits is the canonical
      one. ``{to}`` a word, ``{tokens...}`` one or more words, ``{saddle?}`` a flag word,
      ``[from {source}]`` an optional part, ``{worker}[@{at}]`` glued in one word;
    - ``french``: French verbs read as this verb;
    - ``also``: further whole forms, verb included, that are read but never written; one that
      begins with a field has no verb;
    - ``bare``: the forms begin with a field instead of the verb (a role code, say);
    - ``several``: whether one line may say it several times, as in ``drop S E``; each is an
      action of its own;
    - ``in_order``: the field that need not be said where things are laid one after the other,
      on the places that the rulebook fills in (``rules.fills``) for it;
    - ``enumerable``: whether ``options`` lists every legal one (else it gives a template);
    - ``observes``: whether it tells what chance or a secret brought to light (a draw, a
      reveal), and is no decision of a seat: where none is said, it is nobody's;
    - ``private``: fields that nobody but its seat may know;
    - ``amounts``: fields that say how many: no place or piece is meant by such a number.
    """

    model_config = STRICT

    forms: ClassVar[tuple[str, ...]] = ("",)
    french: ClassVar[tuple[str, ...]] = ()
    also: ClassVar[tuple[str, ...]] = ()
    bare: ClassVar[bool] = False
    several: ClassVar[bool] = False
    in_order: ClassVar[str] = ""
    enumerable: ClassVar[bool] = True
    observes: ClassVar[bool] = False
    private: ClassVar[tuple[str, ...]] = ()
    amounts: ClassVar[tuple[str, ...]] = ()

    verb: str
    by: Seat | None = None

    @property
    def seat(self) -> str:
        """The acting seat, once the judge has filled it in."""
        if self.by is None:
            raise ParseError("which_seat", seats=())
        return self.by

    @classmethod
    def verb_of(cls) -> str:
        verb: str = cls.model_fields["verb"].default
        return verb

    def known_to(self, viewer: str) -> Self:
        """Redact the private fields for a viewer (a seat, or ``""`` for the public)."""
        if not self.private or viewer == self.by:
            return self
        fields = type(self).model_fields
        blank = {name: fields[name].get_default(call_default_factory=True) for name in self.private}
        return self.model_copy(update=blank)

    def brings(self, word: str) -> bool:
        """Whether the action has this outcome anyway: a line may repeat it without effect."""
        return False

    def private_values(self) -> tuple[Any, ...]:
        """The values of its private fields."""
        return tuple(getattr(self, name) for name in self.private)


class Opening(Action):
    """The first action of every game: who sits where, and what was chosen before play.

    A game adds its seats and options; ``readings`` and ``kit`` are common to all and are
    written at the end of the line.
    """

    verb: Literal["table"] = "table"
    readings: dict[Name, Name] = Field(default_factory=dict)
    kit: Name | None = None

    enumerable: ClassVar[bool] = False

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the table, clockwise."""
        raise TypeError(f"{type(self).__name__} does not say its seats")

    @property
    def begins(self) -> str | None:
        """The seat that plays first, where the opening names one and no other."""
        named = getattr(self, "first", None)
        if isinstance(named, tuple):
            return named[0] if len(named) == 1 else None
        return named if isinstance(named, str) else None

    @property
    def colours(self) -> Mapping[str, str]:
        """The colour of each seat's pieces, by its English name; empty where pieces have none."""
        return {}

    @classmethod
    def usual(cls, players: int) -> str:
        """The opening line of a table with all defaults: seat A begins."""
        raise ParseError("no_usual_table")


class Audit(Action):
    """A count seen at the table: it changes nothing, and a difference becomes a finding."""

    verb: Literal["audit"] = "audit"
    subject: tuple[Word, ...] = Field(min_length=1)
    value: Stated

    forms: ClassVar[tuple[str, ...]] = ("{subject...} {value}",)
    french: ClassVar[tuple[str, ...]] = ("compte", "constat")
    enumerable: ClassVar[bool] = False


MANY = 999
"""So often a thing is there where nobody has counted it."""


class Tray(NamedTuple):
    """The things of one kind of action, and where they go. ``size`` of them make one line:
    its verb, the place, the things, and how the last one is turned.

    >>> tray = Tray(things={"red": 2, "blue": 1}, places=("f1",), size=2, only={"f1": ("red",)})
    >>> tray.only["f1"], tray.turns
    (('red',), ())
    """

    things: Mapping[str, int]
    """How often each is there."""
    places: Sequence[str] = ()
    """Those still open, the next one first; none where the things have no place of their own."""
    turns: Sequence[str] = ()
    """The ways in which a thing may lie, the usual one first."""
    size: int = 1
    apart: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The things that cannot be laid together with a thing: its other side."""
    only: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The things that fit a place, where not all do."""
