"""What lies openly on the board: all that is at a machine or in a section."""

from __future__ import annotations

from engines.bethel_woods.kit import Box
from engines.bethel_woods.state import Tableau
from engines.kernel import Setting, Sight
from engines.kernel.rules.sight import Spaces

OUT = 0.34
"""How far out a section lies on the way from the middle of the board to its machine."""


def spots(state: Tableau, setting: Setting[Box], board: str, spaces: Spaces) -> Spaces:
    """Machines where they were put, sections between them and the middle."""
    if not spaces:
        return {}
    mx, my = (sum(spot[axis] for spot in spaces.values()) / len(spaces) for axis in (0, 1))
    machines = {section.id: str(section.machine) for section in setting.kit.sections}
    sections = {
        f"section.{section}": (mx + OUT * (x - mx), my + OUT * (y - my))
        for section, machine in machines.items()
        if machine in spaces
        for x, y in [spaces[machine]]
    }
    return {f"machine.{machine}": spot for machine, spot in spaces.items()} | sections


def alike(kind: str) -> str:
    """The number of a spy is too small to be read from above."""
    return "spy" if kind.startswith("spy.") else kind


SIGHT = Sight(("machine", "section"), spots=spots, alike=alike)
