"""A state in words."""

from __future__ import annotations

from engines.bloody_grove.kit import Box
from engines.bloody_grove.state import Wood
from engines.kernel import Language, Setting


def describe(state: Wood, setting: Setting[Box], lang: Language) -> list[str]:
    return []
