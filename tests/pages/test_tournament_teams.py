"""Teams in a browser: members and line-ups at the desk and on the captain's phone, boards shown."""

from __future__ import annotations

from typing import Any

import pytest

from referee.table.author import By
from referee.tournament.default_plans import usual_plan
from referee.tournament.events import ByHand, Outcome, ResultEntered, match_places
from referee.tournament.plan import Match
from tests.pages.club import DESK, PHONE, TABLET, Club, ready
from tests.pages.event import HOSTILE, ORGANISER, Event, fits, new_event, shot, tab, tap, told

pytestmark = pytest.mark.xdist_group("pages hall")


@pytest.fixture
def event(club: Club) -> Event:
    match = Match(games=3, boards=True)
    plan = usual_plan("benevolent", "swiss", 2, check_in=False, match=match)
    made = new_event(club, **dict(plan))
    made.register(["Rook", "Knight"], here=False)
    made.open_to_everybody()
    return made


def set_members(page: Any, team: str, members: str, captain: str = "") -> None:
    page.click(f"[data-do=more][data-player={team}]")
    page.click("dialog [data-of=team-set]")
    page.fill("dialog textarea", members)
    page.fill("dialog [name=captain]", captain)
    page.click("dialog button.main")
    told(page)


def names(event: Event, people: tuple[str, ...]) -> list[str]:
    return [event.club.store_context.people.name(person) or person for person in people]


def test_the_desk_names_members_the_captain_lines_up_and_everybody_sees_the_boards(
    devices: Any, event: Event
) -> None:
    rook, knight = event.player("Rook"), event.player("Knight")
    desk = ready(devices("organiser", event.id, **DESK).open(event.page("/players")))
    set_members(desk, rook, "Ana\nBo *\nCleo\nDan", "Ana")
    set_members(desk, knight, f"Eva\n{HOSTILE}", "Zoe")
    assert names(event, event.now.teams[rook].members) == ["Ana", "Bo", "Cleo", "Dan"]
    assert names(event, event.now.line_up(1, rook)) == ["Ana", "Cleo", "Dan"]
    desk.click(f"[data-do=more][data-player={rook}]")
    desk.click("dialog [data-of=team-set]")
    assert desk.input_value("dialog textarea").splitlines() == ["Ana", "Bo *", "Cleo", "Dan"]
    shot(desk, "roster-1440")
    desk.keyboard.press("Escape")

    event.pair()
    phone = devices("player", event.id, person=rook, **PHONE)
    mine = ready(phone.open(event.page(f"/players/{rook}")))
    mine.click("[data-do=line-up]")
    for board, name in enumerate(("Dan", "Ana", "Bo"), start=1):
        mine.select_option(f"dialog [name=board-{board}]", label=name)
    shot(mine, "line-up-360")
    mine.click("dialog button.main")
    told(mine)
    assert names(event, event.now.line_up(1, rook)) == ["Dan", "Ana", "Bo"]
    mine.locator("#now .boards li").first.filter(has_text="Dan").wait_for()
    assert HOSTILE not in mine.locator("#now .boards").inner_text(), "the other captain's"
    assert fits(mine)
    shot(mine, "captain-360")

    tap(desk, "line-ups-due")
    desk.fill("dialog [name=until]", "2001-02-03T13:45")
    desk.click("dialog button.main")
    told(desk)
    desk.locator("#waiting").get_by_text("No line-up in time").wait_for()
    assert "Knight" in desk.locator("#waiting").inner_text()
    mine.get_by_text("they were due until 3 Feb 2001, 13:45").wait_for()
    mine.wait_for_selector("[data-do=line-up]", state="detached")
    tap(desk, "line-ups-due")
    assert desk.input_value("dialog [name=until]") == "2001-02-03T13:45"
    desk.fill("dialog [name=until]", "")
    desk.click("dialog button.main")
    told(desk)
    mine.wait_for_selector("[data-do=line-up]")

    event.start()
    mine.wait_for_selector("[data-do=line-up]", state="detached")
    mine.locator("#now .boards").filter(has_text=HOSTILE).wait_for()
    tab(desk, "round").wait_for_selector("#round.started")
    desk.click(".boards-of summary")
    shot(desk, "boards-1440")
    assert desk.locator("[data-do=open-table][data-board]").count() == 2, "the third has one side"
    desk.click("[data-do=open-table][data-board='2']")
    desk.wait_for_url("**/games/**")
    opened = event.club.store_context.desk.boards(event.id)
    assert [*opened.values()] == [2]
    first = event.now.current_round.table(1).seats[0]
    games: Any = ("A", "=", "A" if first == rook else "B")
    outcome = Outcome(places=match_places(games), games=games)
    event.club.store_context.desk.tell(
        event.id,
        ResultEntered(round=1, table=1, outcome=outcome, source=ByHand(reason="slip")),
        by=By(ORGANISER),
    )
    for device, width in ((PHONE, 360), (TABLET, 820), (DESK, 1440)):
        seen = ready(devices("spectator", event.id, **device).open(event.page()))
        seen.click(".boards-of summary")
        assert seen.locator(".boards-of .boards li").count() == 3
        tab(seen, "standings").click("#boards summary")
        people = seen.locator("#boards tbody th").all_inner_texts()
        assert set(people) == {"Dan", "Ana", "Bo", "Eva", HOSTILE}
        assert fits(seen)
        shot(seen, f"event-{width}")
    table = ready(devices("spectator", event.id, **PHONE).open(event.page("/r1/t1")))
    assert "½–½" in table.locator(".boards").inner_text()
    shot(table, "table-360")
    again = ready(devices("judge", event.id, **DESK).open(event.page("/players")))
    again.click(f"[data-do=more][data-player={knight}]")
    again.click("dialog [data-of=line-up]")
    again.select_option("dialog [name=board-1]", label=HOSTILE)
    again.select_option("dialog [name=board-2]", label="Eva")
    again.click("dialog button.main")
    told(again)
    assert names(event, event.now.line_up(1, knight)) == [HOSTILE, "Eva"], "somebody else sat there"
    tab(again, "round").click(".boards-of summary")
    shot(again, "desk-1440")
