"""The position in words."""

from __future__ import annotations

from engines.kernel import Language, Setting
from engines.roundforest.kit import Box
from engines.roundforest.state import Game


def describe(state: Game, setting: Setting[Box], lang: Language) -> list[str]:
    return [f"{lang}: {state.turn.seat}"]
