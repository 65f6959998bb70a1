"""How heavy a table is that is opened for the first time, on a device that knows nothing yet."""

from __future__ import annotations

from typing import Any

import pytest

from replays.gallery import sample, samples
from tests.pages.club import PHONE, Club, ready

COLD = 120_000
"""Bytes, as they come over the line."""


@pytest.mark.parametrize("engine", samples())
def test_a_cold_table_is_light(club: Club, devices: Any, engine: str) -> None:
    recorded = sample(engine)
    line = recorded.engine.text(recorded.steps[0].action).removeprefix("table ")
    game = club.table(engine, line, [], **{seat: seat for seat in recorded.setting.seats})
    device = devices("scribe", game, service_workers="block", **PHONE)
    device.expected = ("Service Worker registration blocked",)
    weights: list[int] = []
    device.page.on(
        "requestfinished", lambda request: weights.append(request.sizes()["responseBodySize"])
    )
    ready(device.open(f"/games/{game}"))
    device.page.wait_for_load_state("load")
    print(f"{engine}: {sum(weights) / 1000:.1f} kB in {len(weights)} requests")
    assert len(weights) > 5
    assert sum(weights) <= COLD
