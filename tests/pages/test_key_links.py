"""The key to the codes is a tap away from every page that shows codes."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.judge.disputes import dispute
from tests.pages.club import DESK, Club

pytestmark = pytest.mark.xdist_group("pages box")
KEY = "a[href='/box/benevolent/key']"
PYRAMID = (
    "pyramid swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal / "
    "hoard convert_1"
)


def test_every_page_with_codes_leads_to_their_key(club: Club, devices: Any) -> None:
    lines = ["forest S1A S2B", PYRAMID, "A step a1", "A gather"]
    game = club.table("benevolent", "A=blue B=red first A", lines, A="Ana", B="Bo")
    dispute(Caller(club.store_context), game, 3, text="where?")
    places = {
        "organiser": (
            f"/games/{game}",
            f"/games/{game}/watch",
            f"/games/{game}/study",
            f"/games/{game}/disputes/d1",
            "/try/benevolent",
            "/rules/benevolent",
            "/rules/benevolent/BEN-MOVE-3",
            "/box/benevolent",
            "/box/benevolent/board",
            "/box/benevolent/pieces",
            "/box/benevolent/share",
        ),
        "seat:A": (f"/games/{game}/seat",),
    }
    for role, paths in places.items():
        device = devices(role, game if role != "organiser" else "", **DESK)
        found = {path: device.open(path).locator(KEY).count() for path in paths}
        assert found == dict.fromkeys(paths, 1)
