"""The archive: games found by what is known of them, notes and rulings by their words."""

from __future__ import annotations

from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from answers.judge.rulings import rule
from answers.play.actions import log
from answers.play.lifecycle import finish
from answers.review.notes import add
from answers.tournament.lifecycle import create
from referee.judging.rulings import Decision
from referee.table.author import Author
from referee.table.notes import Annotation
from referee.tournament.default_plans import usual_plan
from tests.answers.conftest import SETUP
from tests.pages.club import DESK, PHONE, Club, ready, violations
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages archive")
DATA = "link[rel=alternate][type='application/json']"
HOSTILE = '<img src=x onerror="document.title=1">'
JUDGE, ORGANISER = Author("pjudge", "judge"), Author("porg", "organiser")
OPENING = "A=blue B=red first A"
PAGES = (
    "/archive",
    "/archive?words=img",
    "/archive/tournaments",
    "/archive/players",
    "/rulings",
    "/statistics",
)


@pytest.fixture
def game(club: Club) -> str:
    """A game in play, whose every free text is hostile."""
    made = club.table("benevolent", OPENING, SETUP, A=HOSTILE[:40], B="Bo")
    judge = Caller(club.store_context, JUDGE)
    add(judge, made, "1", Annotation(text=f"dry well {HOSTILE}"))
    rule(judge, made, Decision(f"the leaf goes back {HOSTILE}", clauses=("BEN-MOVE-3",)))
    return made


@pytest.fixture
def closed(club: Club) -> str:
    opening, lines = sample_lines("bloody_grove")
    made = club.table("bloody_grove", opening, lines, A="Cleo", B="Dana")
    finish(Caller(club.store_context), made)
    return made


def listed(page: Any) -> list[str]:
    places = page.eval_on_selector_all(".tables a", "all => all.map(a => a.getAttribute('href'))")
    return [place.split("/")[2] for place in places]


def test_games_are_found_by_what_is_played_by_whom_and_whether_it_is_over(
    devices: Any, game: str, closed: str
) -> None:
    page = devices("organiser").open("/")
    page.click("text=Archive")
    assert {*listed(page)} == {game, closed}
    page.select_option("[name=engine]", "bloody_grove")
    page.click("form button.main")
    assert listed(page) == [closed]
    page.select_option("[name=engine]", "")
    page.fill("[name=player]", "Bo")
    page.press("[name=player]", "Enter")
    page.wait_for_url("**player=Bo*")
    assert listed(page) == [game]
    page.fill("[name=player]", "")
    page.select_option("[name=played]", "closed")
    page.click("form button.main")
    assert listed(page) == [closed]


@pytest.mark.deep
def test_a_tournament_leads_to_its_pages_and_its_games(club: Club, devices: Any, game: str) -> None:
    create(Caller(club.store_context, ORGANISER), HOSTILE, usual_plan("benevolent", "swiss", 3))
    page = devices("judge").open("/archive/tournaments")
    assert page.locator(".tables .what").inner_text() == HOSTILE
    page.click(".tables .what")
    page.wait_for_url("**/tournaments/tournament-*")
    assert page.locator("h1").inner_text() == HOSTILE
    page.go_back()
    page.click(".tables .also")
    page.wait_for_url("**tournament=tournament-*")
    assert listed(page) == []
    assert page.locator("h2").inner_text() == "0 games"


def test_words_are_found_in_moves_notes_and_rulings(devices: Any, game: str, closed: str) -> None:
    device = devices("judge")
    page = device.open("/archive")
    page.fill("[name=words]", "well")
    page.press("[name=words]", "Enter")
    page.wait_for_selector(".found a")
    assert page.locator(".found:has(a) li").inner_text().endswith(f"dry well {HOSTILE}")
    assert page.locator(".ruling").count() == 0
    page.fill("[name=words]", "leaf")
    page.press("[name=words]", "Enter")
    page.wait_for_selector(".ruling")
    assert HOSTILE in page.locator(".ruling").inner_text()
    page.fill("[name=words]", "pas c1 B")
    page.press("[name=words]", "Enter")
    page.wait_for_url("**words=pas*")
    move = page.locator("#found-moves ~ .found a")
    assert move.get_attribute("href") == f"/games/{game}/study?at=5"
    assert "B step c1" in page.locator("#found-moves ~ .found").inner_text()
    page.fill("[name=words]", "grove CLEO")
    page.press("[name=words]", "Enter")
    page.wait_for_url("**words=grove+CLEO*")
    assert listed(page) == [closed]
    link = page.get_attribute(DATA, "href")
    found = device.context.request.get(device.club.url + link).json()
    assert [row["game"] for row in found["data"]["games"]] == [closed]


@pytest.mark.deep
def test_a_long_archive_is_read_page_by_page_with_its_filters(club: Club, devices: Any) -> None:
    made = [club.table("benevolent", OPENING, []) for _ in range(31)]
    page = devices("organiser").open("/archive?engine=benevolent")
    first = listed(page)
    page.click("[rel=next]")
    page.wait_for_url("**start=30*")
    assert sorted(first + listed(page)) == sorted(made)
    assert page.locator("[name=engine]").input_value() == "benevolent"
    page.click("[rel=prev]")
    page.wait_for_url("**start=0*")
    assert listed(page) == first


@pytest.mark.deep
def test_the_book_of_rulings_is_searched_by_words_and_clauses(devices: Any, game: str) -> None:
    page = devices("judge").open("/rulings?search=leaf")
    assert page.locator(".ruling").count() == 1
    assert page.locator(".ruling a").first.get_attribute("href") == "/rules/benevolent/BEN-MOVE-3"
    page.fill("[name=clause]", "ben-move-4")
    page.click("form button.main")
    page.wait_for_url("**clause=ben-move-4*")
    assert page.locator(".ruling").count() == 0


@pytest.mark.parametrize("kind", [PHONE, DESK], ids=["phone", "desk"])
def test_charts_of_statistics_can_be_read(
    devices: Any, game: str, closed: str, kind: dict[str, Any]
) -> None:
    page = devices("judge", **kind).open("/statistics")
    sizes = page.eval_on_selector_all(
        ".bars text", "all => all.map(text => text.getBoundingClientRect().height)"
    )
    assert sizes
    assert min(sizes) >= 10


@pytest.mark.deep
def test_statistics_are_bars_and_tables_of_what_is_chosen(
    devices: Any, game: str, closed: str
) -> None:
    page = devices("judge").open("/statistics")
    assert page.locator(".bars svg").count() > 1
    assert "Cleo" in page.locator("main").inner_text()
    page.select_option("[name=engine]", "benevolent")
    page.click("form button.main")
    page.wait_for_url("**engine=benevolent*")
    assert "Cleo" not in page.locator("main").inner_text()


def test_a_ruling_names_its_table_and_leads_to_the_disputed_move(club: Club, devices: Any) -> None:
    made = club.table("benevolent", OPENING, SETUP, A="Ana", B="Bo")
    log(Caller(club.store_context), made, ["step c3"], stands=True)
    (number,) = club.store_context.bench.game(made).disputes["d1"].numbers
    back = Decision("no step of hers beside it", dispute="d1", remedy="taken_back")
    rule(Caller(club.store_context, JUDGE), made, back)
    page = devices("judge", **DESK).open("/rulings")
    told = page.locator(".ruling").inner_text()
    assert "Ana places a step on c3" in told
    assert "Benevolent · Ana, Bo" in told
    page.click(".ruling >> text=replay")
    page.wait_for_url(f"**/study?at={number}")
    ready(page)
    shown = page.locator("#moment-line").inner_text()
    assert shown.startswith(f"#{number} Ana places a step on c3 undone")
    assert page.locator("#moment").input_value() == str(number - 1), "it stands behind the others"


def test_a_filter_that_there_is_not_is_refused(devices: Any, closed: str) -> None:
    device = devices("judge")
    for path, forms in (
        ("/archive", "form.filters"),
        ("/rulings", "form"),
        ("/statistics", "form"),
    ):
        page = device.open(path)
        known = page.eval_on_selector_all(
            f"main {forms} [name]", "all => all.map(each => each.name)"
        )
        reply = device.context.request.get(f"{device.club.url}{path}?{'=&'.join(known)}=")
        assert known
        assert reply.ok
        reply = device.context.request.get(f"{device.club.url}{path}?game=benevolent")
        assert reply.status == 400
        assert "“game”" in reply.text()


def test_who_has_no_token_finds_open_games_and_no_names_to_choose_from(
    club: Club, devices: Any, game: str, closed: str
) -> None:
    access.set_rules(Caller(club.store_context), closed, open_to="everybody")
    device = devices()
    device.expected = ("401",)
    page = device.open("/archive?words=grove")
    assert listed(page) == [closed]
    assert page.locator("#people, .found").count() == 0
    tabs = page.locator(".tabs a").all_inner_texts()
    assert tabs == ["Games", "Tournaments", "Collections"]
    for path in ("/archive/players", "/rulings", "/statistics"):
        assert device.open(path).locator("body.page-problem").count() == 1, path


@pytest.mark.deep
def test_a_seat_reads_beside_a_clause_what_was_ruled_at_its_own_table_alone(
    devices: Any, game: str, closed: str
) -> None:
    for scope, rulings in ((game, 1), (closed, 0)):
        page = devices("seat:A", scope).open("/rules/benevolent/BEN-MOVE-3")
        assert page.locator("h1").inner_text() == "BEN-MOVE-3"
        assert page.locator(".ruling").count() == rulings


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_nothing_serious_nothing_beyond_the_edge_and_names_are_inert(
    devices: Any, game: str, closed: str, axe: str, kind: dict[str, Any], scheme: str
) -> None:
    locale = "fr-FR" if scheme == "dark" else "en"
    device = devices("judge", bypass_csp=True, color_scheme=scheme, locale=locale, **kind)
    for path in PAGES:
        page = device.open(path)
        assert page.get_attribute("html", "lang") == locale[:2]
        assert page.evaluate("document.title") != "1"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert violations(page, axe) == [], path


def test_every_page_of_the_archive_leads_to_its_data(devices: Any, closed: str) -> None:
    device = devices("judge")

    def data(path: str) -> Any:
        link = device.open(path).get_attribute(DATA, "href")
        reply = device.context.request.get(device.club.url + link)
        assert reply.ok, (path, link)
        return reply.json()["data"]

    for path in (
        "/archive/tournaments",
        "/archive/players",
        "/collections",
        "/rulings?engine=benevolent&search=leaf",
        "/statistics?engine=benevolent&players=2",
    ):
        data(path)
    found = data("/archive?played=closed&engine=&player=&players=")
    assert [row["game"] for row in found["games"]] == [closed]


def test_a_player_has_a_page_with_games_results_and_who_they_met(
    devices: Any, game: str, closed: str
) -> None:
    page = devices("judge", **PHONE).open("/archive/players")
    page.tap("text=Cleo")
    page.wait_for_selector("h1 >> text=Cleo")
    assert listed(page) == [closed]
    told = page.locator("main").inner_text()
    assert "Bloody Grove" in told
    assert "Dana" in told
    assert "won by" in page.locator(".tables").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_player_is_found_without_accents_and_capitals(devices: Any, closed: str) -> None:
    page = devices("judge").open("/archive?player=cléo")
    assert listed(page) == [closed]
