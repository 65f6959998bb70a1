"""What can happen at the table, and how it is written."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from engines.benevolent.kit import (
    COLOURS,
    NEXT_GIFT,
    PERMANENT,
    SITES,
    Ephemeral,
    Face,
    Gift,
    Permanent,
    Site,
    Slot,
)
from engines.kernel import LANGUAGES, Action, Flaw, Opening, ParseError, Phrase, Seat, Verbatim
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.errors import close_to
from engines.kernel.messages.package_data import catalogue
from engines.kernel.notation.reader import plain_name
from engines.kernel.notation.usage import Typed
from engines.kernel.values.models import STRICT

HexName = Annotated[str, Field(pattern=r"^[a-z][0-9]{1,2}$", description="a hex, a1, a2, b1…")]
Space = Annotated[int, Field(ge=1, le=4, description="a space of the dream path")]
Count = Annotated[int, Field(ge=0, le=999)]
LaidSegment = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*[AB]$", description="segment and side")]
_HEX_AND_SITE = re.compile(r"(?i)([a-z]\d{1,2}(?:@[^=]*)?)=([^\W\d][^+]*)((?:\+\d)?)")


@cache
def _sites() -> dict[str, Site]:
    """The sites by whatever they are called."""
    words = catalogue("engines.benevolent")
    return {
        plain_name(entry[lang]): site
        for site in SITES
        for group in ("term", "picture")
        if (entry := words.entry(f"{group}.{site}")) is not None
        for lang in LANGUAGES
    } | {site: site for site in SITES}


def _known_site(word: Any) -> Any:
    """A hex with its site in the word of the notation, whatever it was called."""
    found = _HEX_AND_SITE.fullmatch(word) if isinstance(word, str) else None
    if found is None:
        return word
    place, said, grey = found.groups()
    site = _sites().get(plain_name(said))
    if site is None:
        likely_first = dict.fromkeys((*close_to(said, SITES), *SITES))
        raise ParseError(
            "bad_word", field="site", word=said, expected=tuple(map(Typed, likely_first))
        )
    return f"{place}={site}{grey}"


LaidHex = Annotated[
    str,
    Field(
        pattern=r"^[a-z][0-9]{1,2}(@-?[0-9]{1,2},-?[0-9]{1,2})?"
        rf"=({'|'.join(SITES)})(\+[0-9])?$",
        description="a hex, its site and its grey steps: a1=nest+1, or a1@0,-1=nest+1",
    ),
    BeforeValidator(_known_site),
]
Nothing = Literal["none"]
Phase = Literal["setup", "move", "action", "after"]
Base = Literal["swap", "sleep", "free_swap", "free_sleep"]
"""What can be repeated: an exchange or a sleep, of the hex or of a secret."""

Deed = Literal["swap", "sleep", "convert", "swap_repeated", "sleep_repeated", "lapsed", "acted"]
"""What a turn has seen, as far as it decides which clause a repeat breaks; ``acted``: the action
came before the move, or before the turn."""


@cache
def _colours() -> dict[str, str]:
    """The usual colours by their names in all languages."""
    words = catalogue("engines.benevolent")
    return {
        normalize(entry[lang]): colour
        for colour in COLOURS
        if (entry := words.entry(f"term.{colour}")) is not None
        for lang in LANGUAGES
    }


def _known_colour(word: Any) -> Any:
    """Colours may be named in any language; those that are known are kept in one."""
    if word in COLOURS or not isinstance(word, str):
        return word
    return _colours().get(normalize(word), word.lower())


OwnColour = Annotated[
    str,
    BeforeValidator(_known_colour),
    Field(pattern=r"^[^\W\d_]+$", min_length=2, max_length=16),
]
"""Which colours the box has the rulebook does not say: a table names its own."""


class Table(Opening):
    players: dict[Seat, OwnColour]
    first: tuple[Seat, ...] = ()

    forms: ClassVar = ("{players...} [first {first...}]",)

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(self.players)

    @property
    def colours(self) -> Mapping[str, str]:
        return self.players

    @classmethod
    def usual(cls, players: int) -> str:
        colours = ("blue", "red", "yellow", "green")[:players]
        sitting = (f"{seat}={colour}" for seat, colour in zip("ABCD", colours, strict=False))
        return f"table {' '.join(sitting)} first A"


class LayForest(Action):
    verb: Literal["forest"] = "forest"
    segments: tuple[LaidSegment, ...] = Field(default=(), max_length=9)
    hexes: tuple[LaidHex, ...] = Field(default=(), max_length=30)

    forms: ClassVar = ("{segments...}", "{hexes...}")
    french: ClassVar = ("forêt",)
    enumerable: ClassVar = False
    observes: ClassVar[bool] = True

    @model_validator(mode="after")
    def _one_way(self) -> "LayForest":
        if bool(self.segments) == bool(self.hexes):
            raise Flaw("segments_or_hexes")
        return self

    @property
    def laid(self) -> tuple[str, ...]:
        return self.segments or self.hexes


class LayPyramid(Action):
    verb: Literal["pyramid"] = "pyramid"
    bottom: tuple[Face, ...] = Field(min_length=1)
    middle: tuple[Face, ...] = Field(min_length=1)
    top: tuple[Face, ...] = Field(min_length=1)

    forms: ClassVar = ("{bottom...} / {middle...} / {top...}",)
    french: ClassVar = ("pyramide",)
    enumerable: ClassVar = False
    observes: ClassVar[bool] = True

    @property
    def rows(self) -> tuple[tuple[Face, ...], ...]:
        return self.bottom, self.middle, self.top


class Holding(BaseModel):
    """What lies before one player, in a declared position."""

    model_config = STRICT

    leaves: Count
    gifts: dict[Gift, Count] = {}
    card: Count
    forest: tuple[HexName, ...] = ()
    dream: Space
    ephemeral: tuple[Ephemeral, ...] = ()
    permanent: tuple[Permanent, ...] = ()
    hoard: Count = 0


class BegunTurn(BaseModel):
    """What a player has done of a turn that has not come yet."""

    model_config = STRICT

    arrival: HexName | None = None
    done: tuple[Deed, ...] = ()


class Position(Action):
    """A whole state declared by hand. River, reserve and box follow from it."""

    verb: Literal["position"] = "position"
    forest: tuple[LaidSegment | LaidHex, ...] = ()
    """As in ``forest …``; may be left out where the forest has been laid."""
    active: Seat
    phase: Phase
    arrival: HexName | None = None
    open_repeats: tuple[Base, ...] = ()
    players: dict[Seat, Holding]
    pyramid: dict[Slot, Face] = {}
    used: tuple[Ephemeral, ...] = ()
    """Secrets known to be in the box; other missing tiles are there with unknown faces."""
    turn: Annotated[int, Field(ge=1)] = 1
    done: tuple[Deed, ...] = ()
    begun: dict[Seat, BegunTurn] = {}
    """What others have played out of turn: it counts when their turn comes."""

    forms: ClassVar = ("{json}",)
    enumerable: ClassVar = False

    @model_validator(mode="after")
    def _arrival_after_the_move(self) -> "Position":
        if (self.arrival is None) != (self.phase in ("setup", "move")):
            raise Flaw("arrival_after_move")
        return self


class PlaceStep(Action):
    verb: Literal["step"] = "step"
    origin: HexName | None = None
    to: HexName
    declined: bool = False

    forms: ClassVar = ("{to} [{declined?none}]", "{origin} to {to} [{declined?none}]")
    french: ClassVar = ("pas", "pose", "poser", "avance", "avancer", "déplace", "déplacer")
    also: ClassVar = ("place {to}", "move {to}", "move {origin} to {to}")


class Gather(Action):
    verb: Literal["gather"] = "gather"
    leaves: Count | None = None
    """How many were taken, where somebody says so."""
    hoard: Literal["put", "take", "none"] | None = None

    forms: ClassVar = ("[{leaves}] [{hoard}]",)
    amounts: ClassVar = ("leaves",)
    french: ClassVar = ("ramasse", "ramasser")


TOLL = "[waive {waived...}] [{unpaid?}] [paid {paid}]"


class SiteAction(Action):
    """The action of the hex just stepped on; ``waived`` names owners who forgo their toll.

    ``unpaid``: the toll was forgotten. ``paid`` names whoever got it, where that was not its owner.
    """

    robbed: Seat | None = None
    waived: tuple[Seat, ...] = ()
    unpaid: bool = False
    paid: Seat | Literal["reserve"] | None = None


class Buy(SiteAction):
    verb: Literal["buy"] = "buy"
    gift: Gift | Nothing

    forms: ClassVar = (f"{{gift}} [from {{robbed}}] {TOLL}",)
    french: ClassVar = ("achète", "acheter")


class Pick(SiteAction):
    verb: Literal["pick"] = "pick"
    nothing: bool = False
    got: Gift | None = None
    """What was taken, where somebody says so."""

    forms: ClassVar = (f"[{{nothing?none}}] [{{got}}] [from {{robbed}}] {TOLL}",)
    french: ClassVar = ("cueille", "cueillir")


class Sleep(SiteAction):
    verb: Literal["sleep"] = "sleep"
    to: Space | Nothing
    gift: Gift | None = None
    declined: bool = False

    forms: ClassVar = (f"{{to}} [{{gift}}] [from {{robbed}}] [{{declined?none}}] {TOLL}",)
    french: ClassVar = ("dort", "dors", "dormir")


class Swap(SiteAction):
    verb: Literal["swap"] = "swap"
    give: Gift | Nothing
    got: Gift | None = None
    """What was taken for it, where somebody says so."""

    forms: ClassVar = (f"{{give}} [for {{got}}] [from {{robbed}}] {TOLL}",)
    french: ClassVar = ("échange", "échanger")

    @field_validator("got")
    @classmethod
    def _as_usual(cls, got: Gift | None, info: ValidationInfo) -> Gift | None:
        """``swap clover for feather`` says no more than ``swap clover``."""
        return None if got == NEXT_GIFT.get(info.data.get("give", "none")) else got

    def brings(self, word: str) -> bool:
        return any(word == got for given, got in NEXT_GIFT.items() if given == self.give)


class Learn(SiteAction):
    verb: Literal["learn"] = "learn"
    slot: Slot | Nothing

    forms: ClassVar = (f"{{slot}} {TOLL}",)
    french: ClassVar = ("apprend", "apprendre")


def _to_be_used(word: Any) -> Any:
    """Permanent secrets are not used, and it helps nobody to be told which others are."""
    if word in PERMANENT:
        problem = Phrase("flaw.acts_by_itself")
        raise ParseError("bad_value", field="secret", value=Verbatim(word), problem=problem)
    return word


class Use(Action):
    """An ephemeral secret; what it asks for is the gift bought or given, or the dream space."""

    verb: Literal["use"] = "use"
    face: Annotated[Ephemeral, BeforeValidator(_to_be_used)]
    to: Space | None = None
    gift: Gift | None = None
    robbed: Seat | None = None
    declined: bool = False
    waived: tuple[Seat, ...] = ()

    forms: ClassVar = (
        "{face} {to} [{gift}] [from {robbed}] [{declined?none}] [waive {waived...}]",
        "{face} [{gift}] [from {robbed}] [waive {waived...}]",
    )
    french: ClassVar = ("utilise", "utiliser")

    @model_validator(mode="after")
    def _asked_for(self) -> "Use":
        if (self.face == "free_sleep") != (self.to is not None):
            raise Flaw("space_for_sleep")
        if self.to is None and (self.face in ("sale", "free_swap")) != (self.gift is not None):
            raise Flaw("gift_for_sale")
        return self


class Again(Action):
    verb: Literal["again"] = "again"
    kind: Literal["swap", "sleep"]
    give: Gift | None = None
    to: Space | None = None
    gift: Gift | None = None
    robbed: Seat | None = None
    declined: bool = False

    forms: ClassVar = (
        "{kind} {give} [from {robbed}]",
        "{kind} {to} [{gift}] [from {robbed}] [{declined?none}]",
    )
    french: ClassVar = ("encore",)

    @model_validator(mode="after")
    def _asked_for(self) -> "Again":
        swap = self.kind == "swap"
        if swap != (self.give is not None) or swap != (self.to is None):
            raise Flaw("gift_or_space")
        return self


class End(Action):
    """The end of a turn, where nobody waits for the next player to act."""

    verb: Literal["end"] = "end"

    french: ClassVar = ("fin",)


SITE_ACTIONS: tuple[type[SiteAction], ...] = (Buy, Pick, Sleep, Swap, Learn)
