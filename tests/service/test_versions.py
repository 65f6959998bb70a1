"""A node of an earlier version beside one that is newer, as long as an upgrade lasts."""

from __future__ import annotations

import pytest

from answers.context import Caller
from referee.store import Draft, StoreError
from referee.tournament.desk import Desk
from service.event_hub import _of_store
from tests.opening import new_table
from tests.service.conftest import Club
from tests.store.writers import SIGNED
from tests.tournament.hosting import duels

NEWER = (Draft("sung", 1, {"song": "ours"}, "newer"), Draft("noted", 99, {"on": "0"}, "newer"))
"""A kind of entry that is not known here, and a known one of a later schema."""


def opened(club: Club) -> str:
    return new_table(Caller(club.store_context), "benevolent", "A=blue B=red first A")


@pytest.mark.parametrize("draft", NEWER, ids=["kind", "schema"])
def test_what_a_newer_node_wrote_is_told_as_such_and_nothing_else_suffers(
    club: Club, draft: Draft
) -> None:
    newer, other = opened(club), opened(club)
    club.store_context.bench.game(newer)
    club.store_context.store.append(newer, [draft], expected=0, **SIGNED)
    for asked in (
        club.get(f"/games/{newer}", "organiser"),
        club.post(f"/games/{newer}/notes", "organiser", {"on": "0", "text": "hm"}),
    ):
        assert asked.status_code == 503
        assert asked.json()["code"] == "newer_entries"
        assert newer in asked.json()["detail"]
    assert club.get(f"/games/{other}", "organiser").status_code == 200
    listed = club.get("/games", "organiser").json()["data"]["games"]
    assert {one["game"] for one in listed} == {newer, other}
    told = _of_store(club.client.app.state.hub.access_control, Caller(club.store_context))(0).events  # type: ignore[attr-defined]
    assert [other.encode() in one.content for one in told] == [True]


def test_a_tournament_that_a_newer_node_runs_is_told_as_such(club: Club) -> None:
    desk = Desk(club.store_context.bench)
    hosted = desk.create("Spring", duels())
    draft = Draft("toasted", 1, {}, "newer")
    last = len(hosted.told) - 1
    club.store_context.store.append(hosted.id, [draft], expected=last, **SIGNED)
    with pytest.raises(StoreError, match="newer_entries"):
        desk.load(hosted.id)
