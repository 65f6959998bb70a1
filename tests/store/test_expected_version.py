"""Whoever has seen a version writes behind it, and behind what they wrote themselves."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from referee.store import open_store
from referee.store.envelopes import Conflict, Draft
from referee.store.expected_version import ExpectedVersionStore

KEY = "move-1"
OWN = ("move-1-1-2", "move-1-2-2", "move-1.2", "move-1-9-12-3")
OTHERS = ("move-12", "move-1a", "move-", "move", "MOVE-1-1-2", "xmove-1-1-2", "move-12.1", "other")


@pytest.mark.parametrize("first", [*OWN, *OTHERS])
@pytest.mark.parametrize("second", [*OWN[:2], *OTHERS[:2], None])
def test_an_entry_is_ones_own_by_its_whole_key_and_nothing_that_only_begins_alike(
    first: str, second: str | None
) -> None:
    store = open_store("memory:")
    written = [key for key in (first, second) if key is not None and key != KEY]
    for seq, key in enumerate(dict.fromkeys(["opening", *written])):
        store.append(
            "game-aaaa", [Draft("told", 1, {}, key)], expected=seq - 1, at="2025", by="p", role="r"
        )
    mine = ExpectedVersionStore(store, "game-aaaa", 0, KEY)
    refused = any(key in OTHERS for key in written)
    end = len(store.read("game-aaaa")) - 1
    with pytest.raises(Conflict) if refused else nullcontext():
        draft = Draft("told", 1, {}, f"{KEY}-3-3")
        mine.append("game-aaaa", [draft], expected=end, at="2025", by="p", role="r")
