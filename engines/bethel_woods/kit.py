"""The box of Bethel Woods: six machines round an orphanage, and what breaks them."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator

from engines.kernel import Bag, Flaw, Kit
from engines.kernel.box.kit import Few, Within
from engines.kernel.values.models import STRICT

TYPES: tuple[Literal["M", "S", "D", "E"], ...] = ("M", "S", "D", "E")
"""Mechanical, structural, digital, electrical: in this order everywhere."""
TYPE_NAMES = {"M": "mechanical", "S": "structural", "D": "digital", "E": "electrical"}
WORKER_NAMES = {"M": "mechanic", "S": "engineer", "D": "technician", "E": "electrician"}
RING = (1, 2, 3, 4, 5, 6)
"""The machines, clockwise."""

_LETTERS = {name: letter for names in (TYPE_NAMES, WORKER_NAMES) for letter, name in names.items()}


def _letter(word: Any) -> Any:
    return _LETTERS.get(word, word) if isinstance(word, str) else word


def in_order(items: Iterable[str]) -> tuple[str, ...]:
    """Tokens or workers by type, then by value."""
    return tuple(sorted(items, key=lambda item: (TYPES.index(item[0]), item)))


def line_up(workers: Sequence[str]) -> str:
    """Workers that stand together, as one word: ``SDE``."""
    return "".join([worker * workers.count(worker) for worker in TYPES])


Type = Annotated[Literal["M", "S", "D", "E"], BeforeValidator(_letter), Field(description="a type")]
MachineNumber = Annotated[int, Field(ge=1, le=6, description="a machine, 1 to 6 clockwise")]
Token = Annotated[str, Field(pattern=r"^[MSDE][1-6]$", description="type and printed value: E5")]
Tokens = Annotated[tuple[Token, ...], AfterValidator(in_order), Field(max_length=200)]
Workers = Annotated[
    str,
    Field(pattern=r"^[MSDE]*$", max_length=40, description="workers by their letters: SDE"),
    AfterValidator(line_up),
]
Tile = Literal["cap", "divert", "buildplus", "spyplus", "fee", "extra"]
Character = Literal["nova", "harris", "junas", "linny", "violet", "fenn"]
Level = Literal["normal", "hard", "insane", "impossible"]
_Count = Annotated[int, Field(ge=0, le=99)]
_Pair = tuple[Type, Type]


class _Sheet(BaseModel):
    model_config = STRICT


class MachineSheet(_Sheet):
    id: MachineNumber
    icons: _Pair


class SectionSheet(_Sheet):
    id: MachineNumber
    machine: MachineNumber
    accepts: _Pair


class Malfunctions(_Sheet):
    """How many tokens of each kind, or how many in all; nothing, if nobody has counted."""

    matrix: dict[Type, Annotated[tuple[_Count, ...], Field(min_length=6, max_length=6)]] | None = (
        None
    )
    total: Annotated[int, Field(ge=9, le=500)] | None = None

    @model_validator(mode="after")
    def _counted_in_one_way(self) -> "Malfunctions":
        if self.matrix is not None and self.total not in (None, self.count):
            raise Flaw("total_of_matrix")
        return self

    @property
    def count(self) -> int | None:
        return self.total if self.matrix is None else sum(map(sum, self.matrix.values()))


class CriticalTiles(_Sheet):
    kinds: Annotated[tuple[Tile, ...], Field(min_length=6, max_length=6)]


class Daydreamer(_Sheet):
    costs: Annotated[tuple[_Count, ...], Field(min_length=6, max_length=6)]


class Characters(_Sheet):
    ids: Annotated[tuple[Character, ...], Field(min_length=1), Within(1, 20)]


class Numbers(_Sheet):
    setup_malfunctions: _Count
    setup_max_per_machine: _Count
    malfunctions_per_turn: _Count
    critical_above: _Count
    knowledge_limit: _Count
    knowledge_limit_cap: _Count
    critical_machines_lose: _Count
    spies_lose: _Count


class Players(_Sheet):
    min: Few
    max: Few


class Box(Kit):
    says_all: ClassVar = frozenset({"malfunctions.total"})

    workers: Annotated[dict[Type, _Count], Field(min_length=4)]
    machines: Annotated[tuple[MachineSheet, ...], Field(min_length=6, max_length=6)]
    sections: Annotated[tuple[SectionSheet, ...], Field(min_length=6, max_length=6)]
    spies: Annotated[tuple[MachineNumber, ...], Field(min_length=6, max_length=6)]
    """Their values; each costs the icons of its machine."""
    malfunctions: Malfunctions
    critical_tiles: CriticalTiles
    daydreamer: Daydreamer
    characters: Characters
    numbers: Numbers
    levels: dict[Level, Annotated[tuple[_Count, ...], Within(0, 20)]]
    players: Players

    @model_validator(mode="after")
    def _each_once(self) -> "Box":
        for what, ids in (
            ("machine", [machine.id for machine in self.machines]),
            ("section", [section.id for section in self.sections]),
            ("spy", self.spies),
        ):
            if sorted(ids) != list(RING):
                raise Flaw("each_once", what=what)
        if len(set(self.critical_tiles.kinds)) != 6:
            raise Flaw("six_critical_tiles")
        return self

    @cached_property
    def icons(self) -> dict[int, _Pair]:
        return {machine.id: machine.icons for machine in self.machines}

    @cached_property
    def accepts(self) -> dict[int, _Pair]:
        return {section.id: section.accepts for section in self.sections}

    @cached_property
    def section_at(self) -> dict[int, int]:
        """The section that a path links to each machine."""
        return {section.machine: section.id for section in self.sections}

    @cached_property
    def tokens(self) -> Bag[str] | None:
        """All malfunctions of the box, if it is known which they are."""
        if self.malfunctions.matrix is None:
            return None
        return Bag(
            {
                f"{kind}{value}": count
                for kind, row in self.malfunctions.matrix.items()
                for value, count in enumerate(row, start=1)
            }
        )
