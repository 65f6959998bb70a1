"""A whole event in a browser, the server killed in the middle; ``make hall`` runs a long one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.pages.event import HOSTILE, fits
from tools.measure.hall import Run, whole_event

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.mark.deep
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (820, 1180), (390, 844)])
def test_an_event_is_run_from_end_to_end_and_a_killed_desk_loses_nothing(
    browser: Any, tmp_path: Path, width: int, height: int
) -> None:
    run = Run(browser, tmp_path, screen={"viewport": {"width": width, "height": height}})
    try:
        whole_event(run, ["Ana; North; 1500", "Bo", HOSTILE, "Dan", "Eva", "Fay", "Gil"], 2)
        assert run.desk.locator("main img:not([src*='qr.svg'])").count() == 0
        assert fits(run.desk)
    finally:
        run.close()
