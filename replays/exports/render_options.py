"""Options of one rendered export: language, names, viewer, size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

from engines.kernel import Rearrangement
from engines.kernel.messages.catalogue import Language
from engines.kernel.picture.ground import Ground
from engines.kernel.picture.svg import Shape
from referee.store.sidecars.attachments import Attachment

ROOM_FOR_TWO = 960
"""More pixels than that hold two columns that can be read."""


class RenderOptions(Struct, frozen=True):
    """How a record is rendered; made from ``ExportOptions`` by what the caller may see."""

    lang: Language = "en"
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of people, if they may travel: pseudonym to name."""
    at: int | None = None
    """The action after which a single picture is drawn; the last one by default."""
    shape: Literal["auto", "tall", "wide"] = "auto"
    """Parts one below the other, or side by side; by itself wide where there is room for it."""
    width: int | None = None
    """Pixels of a raster picture; 720 for one, 480 for a moving one by default."""
    view: str = "judge"
    """As whom the game is seen: ``judge``, ``public`` or ``seat:A``."""
    raw_csv: bool = False
    """Leave cells as they are, even those a spreadsheet would run."""
    processes: int = 1
    """How many of them may draw a moving picture."""

    @property
    def drawn_as(self) -> Shape:
        if self.shape == "auto":
            return "wide" if (self.width or 0) > ROOM_FOR_TWO else "tall"
        return self.shape

    rearranged: Mapping[int, Rearrangement] = field(default_factory=dict)
    """What each change of the line moved on the table, by the number of its entry."""
    photo: Callable[[str], Attachment | None] = lambda digest: None
    """A photograph by its digest, if the store has it."""
    grounds: Mapping[str, Ground] = field(default_factory=dict)
    """The club's own boards that pictures are drawn on, where they travel along."""
    left_out: list[str] = field(default_factory=list)
    """Records that could not be read are added here, instead of ending an export of many."""
    progress: Callable[[int, int], None] = lambda done, total: None
