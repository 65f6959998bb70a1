"""What clients make up fills no memory."""

from __future__ import annotations

from service.pages import static_files
from tests.service.conftest import Club


def test_names_of_files_and_methods_that_are_made_up_are_not_remembered(club: Club) -> None:
    metrics = club.client.app.state.metrics  # type: ignore[attr-defined]
    for number in range(20):
        assert club.client.get(f"/static/{number}.js").status_code == 404
        assert club.client.request(f"M{number}", "/api/health").status_code == 405
    assert club.client.get("/static/common.js").status_code == 200
    assert static_files._all_files.cache_info().currsize == 1
    assert {method for method, *_ in metrics._requests} == {"GET", "other"}
    assert len(metrics._requests) == 3
