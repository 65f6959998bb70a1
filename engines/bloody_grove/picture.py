"""The picture of a state."""

from __future__ import annotations

from engines.bloody_grove.kit import Box
from engines.bloody_grove.state import Wood
from engines.kernel import Action, Language, Setting
from engines.kernel.svg import Picture, Svg


def picture(
    state: Wood, setting: Setting[Box], lang: Language, last: Action | None = None
) -> Picture:
    return Picture(100, 100, Svg(""))
