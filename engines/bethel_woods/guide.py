"""The way through a box of Bethel Woods: round the board, then the bag of malfunctions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.bethel_woods.kit import TYPE_NAMES, WORKER_NAMES, Box
from engines.kernel.box.board import Board, Space
from engines.kernel.box.guide import Code, Guide, Look, Spelling
from engines.kernel.box.tour import DIGITS
from engines.kernel.picture.chart import Chart

_RING = {"1": (1, 0), "2": (3, 0), "3": (4, 1), "4": (3, 2), "5": (1, 2), "6": (0, 1)}
_VALUES = 6


def looks(box: Box) -> Iterator[Look]:
    for index, machine in enumerate(box.machines):
        paths = (f"machines.{index}.icons", f"sections.{index}.accepts")
        yield Look(f"machines.{machine.id}", paths, "board", str(machine.id))
    rows = tuple(f"malfunctions.matrix.{name}" for name in TYPE_NAMES.values())
    yield Look("malfunctions", rows, "bag", "malfunctions")


def spelling(path: str) -> Spelling:
    """Two types on a machine; in the bag so many tokens of each value."""
    if path.endswith((".icons", ".accepts")):
        return Spelling(tuple(TYPE_NAMES.values()), 2)
    return Spelling(DIGITS, _VALUES) if path.startswith("malfunctions.matrix.") else Spelling()


def chart(box: Box, name: str) -> Chart | None:
    return Chart(_RING) if name == "board" else None


def codes(box: Box) -> Iterator[Code]:
    for letter, name in TYPE_NAMES.items():
        yield Code("malfunctions", f"{letter}1–{letter}6", (name,))
    for letter, name in WORKER_NAMES.items():
        yield Code("workers", letter, (name,))
    for machine in box.machines:
        yield Code("board", str(machine.id), tuple(TYPE_NAMES[icon] for icon in machine.icons))
    for tile in box.critical_tiles.kinds:
        yield Code("critical", tile, (tile,))
    for character in box.characters.ids:
        yield Code("characters", character, (character,))


def rests_on(box: Box, state: Any, clause: str, facts: Mapping[str, Any]) -> Iterator[str]:
    """Which workers a section takes is printed on the board."""
    numbers = [section.id for section in box.sections]
    section = facts.get("section", facts.get("at"))
    swap = facts.get("swap")  # an older record has fewer facts
    swapped = clause == "BTW-NOVA-2" and swap is not None and swap[0][0] != facts.get("worker")
    if (swapped or clause in ("BTW-BUILD-5", "BTW-NOVA-3")) and section in numbers:
        yield f"sections.{numbers.index(section)}.accepts"


def boards(box: Box) -> Iterator[Board]:
    """The ring of machines, each with the section that it stands in."""
    yield Board("board", tuple(_machine(box, at) for at in range(len(box.machines))))


def _machine(box: Box, at: int) -> Space:
    name = str(box.machines[at].id)
    x, y = _RING[name]
    asks = (f"machines.{at}.icons", f"sections.{at}.accepts")
    return Space(name, "machines", f"machines.{at}", asks, start=(0.14 + 0.18 * x, 0.2 + 0.3 * y))


GUIDE: Guide[Box] = Guide(
    looks=looks, spelling=spelling, chart=chart, codes=codes, rests_on=rests_on, boards=boards
)
