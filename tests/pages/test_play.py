"""In play: a legal move is quiet, what is not legal says why, and what was done can be undone."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from answers.play.actions import log
from answers.play.clocks import set_clock
from answers.play.corrections import undo
from answers.play.lifecycle import finish
from answers.play.opening import NewAnswer, open_table
from answers.rulebooks.kits import declare
from engines.kernel.registry import load_engine
from service.device import as_cookie
from tests.answers.conftest import SETUP
from tests.pages.club import PHONE, TABLET, Club, ready, turned
from tests.pages.player import data_of, hold, logged, say_line, tool, type_line
from tests.pages.scenes import sample_lines
from tests.playing import tables_of

pytestmark = pytest.mark.xdist_group("pages play")
PLAYED = 6
"""The actions of the set-up."""


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="Bo")


def tablet(devices: Any, game: str, role: str = "table", **more: Any) -> Any:
    device = devices(role, game, **TABLET, **more)
    ready(device.open(f"/games/{game}"))
    return device


def test_a_legal_move_is_told_in_one_line_and_undone_beside_it(
    club: Club, devices: Any, game: str
) -> None:
    page = tablet(devices, game).page
    say_line(page, "A step c2")
    logged(page, PLAYED + 1)
    page.wait_for_selector("#verdict.brief p")
    page.click("#verdict [data-do=undo-it]")
    page.wait_for_selector("#moves li.taken_back")
    assert len(club.lines(game)) == PLAYED
    page.click("#tools [data-do=redo]")
    logged(page, PLAYED + 3)
    assert club.lines(game)[-1] == "A step c2"
    page.wait_for_selector("#tools [data-do=redo][disabled]")


def test_a_tap_on_what_is_not_legal_says_why_and_offers_what_is(
    club: Club, devices: Any, game: str
) -> None:
    device = tablet(devices, game)
    device.expected = ("422",)
    page = device.page
    page.locator("#board [data-word=a3]").first.click()
    page.wait_for_selector("#verdict.bad >> text=BEN-MOVE-3")
    assert len(club.lines(game)) == PLAYED
    page.locator("#verdict .near button").first.click()
    page.locator("#taps button.chosen").click()
    logged(page, PLAYED + 1)


def test_what_happened_all_the_same_is_a_judges_on_every_device(
    club: Club, devices: Any, game: str
) -> None:
    """Whoever logs it: the tablet on the table, the organiser's, a player's phone."""
    kinds = {"table": "", "organiser": "", "seat:A": "/seat"}
    for count, (role, place) in enumerate(kinds.items(), start=1):
        device = devices(role, game, **TABLET)
        device.expected = ("422",)
        page = ready(device.open(f"/games/{game}{place}"))
        type_line(page, "A step a3")
        page.click("#verdict [data-do=stands]")
        page.wait_for_selector(f"#notices >> text=d{count}")
        page.wait_for_selector("#moves .disputed")
        page.click("#verdict .close")
        assert len(club.store_context.bench.game(game).disputes) == count
        undo(Caller(club.store_context), game)


def test_what_was_forgotten_is_one_press_and_what_was_drawn_twice_another(
    club: Club, devices: Any
) -> None:
    """The refusal says it as data; the button logs it."""
    opened = "groves bear owl fox; elite EB2; elite EO6; elite EF6; venerables V6 V3 V9"
    drawn = [*opened.split("; "), "A draw 4", "A look t11"]
    grove = club.table("bloody_grove", "A=black B=green first A", drawn, A="Ana", B="Bo")
    opening, lines = sample_lines("roundforest")
    forest = club.table("roundforest", opening, [*lines[:42], "draw mortar"])
    cases = (
        (grove, "B look t8", "forgotten", {"forgotten": ["B draw 4"]}, ["B draw 4", "B look t8"]),
        (forest, "draw bottle", "stands", {"both": True, "forgotten": []}, ["draw bottle"]),
    )
    for game, line, button, data, logs in cases:
        device = tablet(devices, game)
        device.expected = ("422",)
        with device.page.expect_response(lambda reply: reply.status == 422) as refused:
            type_line(device.page, line)
        heard = refused.value.json()["data"]
        assert {name: heard.get(name) for name in data} == data
        before = club.lines(game)
        said = device.page.locator(f"#verdict [data-do={button}]")
        assert said.inner_text().startswith("Both" if "both" in data else "Forgotten")
        said.click()
        logged(device.page, len(before) + len(logs))
        assert club.lines(game)[len(before) :] == logs


def test_a_refusal_is_gone_when_something_else_happens(club: Club, devices: Any, game: str) -> None:
    device = tablet(devices, game)
    device.expected = ("422",)
    type_line(device.page, "A step a3")
    device.page.wait_for_selector("#verdict.bad")
    log(Caller(club.store_context), game, ["A step c2"])
    device.page.wait_for_selector("#verdict", state="hidden")


def test_a_correction_is_chosen_among_what_was_legal_there(
    club: Club, devices: Any, game: str
) -> None:
    page = tablet(devices, game, "scribe", locale="fr").page
    page.click("#moves [data-number='5'] [data-do=more]")
    page.click("#dialog [data-do=correct-it]")
    page.wait_for_selector("#legal-there button")
    labels = page.locator("#legal-there button").all_inner_texts()
    assert not any(label.startswith(("A ", "B ")) for label in labels), "words, not notation"
    was = club.lines(game)[4]
    other = page.locator("#legal-there button").evaluate_all(
        "(all, was) => all.map((each) => each.dataset.legal).find((each) => each !== was)", was
    )
    page.click(f"#legal-there button[data-legal='{other}']")
    page.click("#preview [data-do=send]")
    logged(page, PLAYED + 1)
    assert other in club.lines(game)


def test_several_moves_are_shown_before_they_are_undone(
    club: Club, devices: Any, game: str
) -> None:
    page = tablet(devices, game).page
    page.click("#moves [data-number='4'] [data-do=more]")
    page.click("#dialog [data-do=undo-to]")
    assert page.locator("#dialog .going li").count() == 3
    page.click("#dialog [data-do=send]")
    logged(page, PLAYED + 1)
    assert len(club.lines(game)) == 3


def test_a_game_that_is_over_names_its_winner_and_leads_on(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines, A="Ana", B="Bo")
    page = ready(devices("organiser", **TABLET).open(f"/games/{game}"))
    won = page.locator("#result .won").inner_text()
    assert "Ana" in won or "Bo" in won
    finish(Caller(club.store_context), game, yes=True)
    watching = ready(devices("organiser", game).open(f"/games/{game}/watch"))
    assert watching.locator("#result .won").inner_text() == won
    watching.click("#result a[href$='/study']")
    watching.wait_for_url(f"**/games/{game}/study")


def on_tables(club: Club, devices: Any, *games: str) -> Any:
    """A tablet with which somebody runs the house, and which lies on these tables besides."""
    device = devices(None, **TABLET)
    tokens = [club.token("organiser"), *(club.token("table", game) for game in games)]
    device.context.add_cookies([{"name": "referee", "value": as_cookie(tokens), "url": club.url}])
    return device


def test_more_than_the_table_is_opened_with_a_warning_for_that_game_until_the_page_is_left(
    club: Club, devices: Any
) -> None:
    hidden = "A=blue B=red first A readings open_holdings=no"
    first, second = (club.table("benevolent", hidden, SETUP, A="Ana", B="Bo") for _ in range(2))
    page = on_tables(club, devices, first, second).page

    def on_table() -> bool:
        """Whether the page that is open shows what everybody may know, and nothing else."""
        ready(page)
        more = page.locator("text=This page shows the secrets of all players.").count()
        shown = data_of(page)["on_table"]
        assert shown is (more == 0)
        return bool(shown)

    for opener in ("/", "/play"):  # whichever page of the house it was opened from
        page.goto(club.url + opener)
        page.locator(f"main a[href='/games/{first}']").first.click()
        page.wait_for_url(f"{club.url}/games/{first}")
        assert on_table()
    switch = page.locator("#secrets details")
    assert not switch.locator("p").is_visible()
    switch.locator("summary").click()
    assert "everyone there would see" in switch.locator("p").inner_text()
    switch.locator("a.button").click()
    page.wait_for_selector("text=This page shows the secrets of all players.")
    assert not on_table()
    say_line(page, "A step c2")
    logged(page, PLAYED + 1)
    assert not on_table()
    page.goto(f"{club.url}/games/{second}")
    assert on_table()
    page.go_back()
    assert on_table()
    page.goto(f"{club.url}/games/{first}")
    assert on_table()


@pytest.mark.parametrize("lies_there", [False, True])
def test_a_rematch_is_the_same_table_once_more(club: Club, devices: Any, lies_there: bool) -> None:
    """Whatever was agreed for a table holds at the next: nobody has to say it twice. A device that
    lies on the one lies on the other."""
    opening, lines = sample_lines("benevolent")
    reading = next(iter(load_engine("benevolent").readings.values()))
    other = next(value for value in reading.values if value != reading.default)
    scribe = Caller(club.store_context)
    opened = open_table(
        scribe,
        "benevolent",
        opening,
        players={"A": "Ana", "B": "Bo"},
        readings={reading.id: other},
        title="Friday",
    )
    assert isinstance(opened.data, NewAnswer)
    game = opened.data.game
    arrow = "dream_path.arrows.1.target"
    declare(scribe, game, arrow, 3, "seen on the board")
    set_clock(scribe, game, 600, per="seat", increment=5, at_zero="judge")
    access.set_rules(scribe, game, open_to="everybody", delay_entries=2, seats_log=False)
    log(scribe, game, lines, stands=True)
    device = on_tables(club, devices, *([game] if lies_there else []))
    page = ready(device.open(f"/games/{game}"))
    page.click("#result [data-do=rematch]")
    page.wait_for_url(lambda url: game not in url)
    assert data_of(ready(page))["on_table"] is lies_there
    assert page.locator("text=This page shows the secrets of all players.").count() == 0
    again = page.url.rpartition("/")[2]
    before, after = (club.store_context.bench.game(each) for each in (game, again))
    assert [step.number for step in after.steps] == [0]
    for same in ("seats", "sheet", "setting"):
        assert getattr(after, same) == getattr(before, same), same
    assert after.opened.title == "Friday"
    assert before.clock
    assert after.clock
    assert after.clock.rule == before.clock.rule
    rules = club.store_context.access.rules
    assert rules(again) == rules(game)


def before_the_hands(club: Club, more: str) -> str:
    """A table of Broom Service where all take their first hand."""
    recorded, lines = sample_lines("broom_service")
    first_hand = next(number for number, line in enumerate(lines) if " hand " in f" {line} ")
    return club.table("broom_service", recorded + more, lines[:first_hand], A="Ana", B="Bo")


LEFT_BEHIND = """async () => {
  const kept = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (request.url.includes("/static/")) continue;
      kept.push(request.url, await (await cache.match(request)).text());
    }
  }
  const typed = Array.from(document.querySelectorAll("input"), (each) => each.value);
  const stored = [localStorage, sessionStorage, history.state].map((each) => JSON.stringify(each));
  return [document.documentElement.outerHTML, ...typed, ...stored, location.href, ...kept.sort()];
}"""


def left_behind(page: Any, game: str) -> list[str]:
    """Whatever a page shows, keeps or is known by, whoever's game it is."""
    page.wait_for_selector("#verdict.brief")
    page.wait_for_selector("body:not([data-closed])")
    found = "\0".join(page.evaluate(LEFT_BEHIND)).replace(game, "GAME")
    return re.sub(r"\bt[a-z2-7]{8}\b|:\d{4,5}(?=/)", "", found).split("\0")


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_whoever_has_no_phone_chooses_a_secret_behind_a_long_press(
    club: Club, devices: Any, locale: str
) -> None:
    """A tap opens nothing; the long press opens that seat's own choices. Afterwards a device on
    which another hand was chosen is the same."""
    left = []
    for hand in ("fw hw mw vd", "pw pd wf rg"):
        game = before_the_hands(club, " readings sealed_hands=yes")
        page = tablet(devices, game, locale=locale).page
        assert not data_of(page)["lines"]
        page.locator("#secrets [data-do=tell-here]").first.click()
        assert page.locator("#dialog[open]").count() == 0
        before = club.store_context.bench.game(game).version
        hold(page, "B")
        for role in hand.split():
            page.click(f"#dialog [data-own={role}]")
        page.click("#dialog [data-do=own-log]")
        logged(page, before + 1)
        assert club.lines(game)[-1] == f"B hand 4 {hand}"
        assert club.store_context.bench.game(game).entries[-1].role == "seat:B"
        page.wait_for_selector("#secrets [data-do=tell-here][data-seat=B]", state="detached")
        assert page.locator("#dialog *").count() == 0
        left.append(left_behind(page, game))
    assert left[0] == left[1]


def test_what_is_typed_behind_the_long_press_is_not_repeated(club: Club, devices: Any) -> None:
    """It takes the words that every line takes, of the seat that holds; a refusal repeats none."""
    game = before_the_hands(club, " readings sealed_hands=yes")
    device = tablet(devices, game)
    device.expected = ("422", "400")
    page = device.page
    before = club.store_context.bench.game(game).version
    for line in ("forest witch brave", "hand 4 forest witch hill witch mountain witch"):
        hold(page, "A")
        page.click("#dialog summary")
        assert page.locator("#secret-line").get_attribute("type") == "password"
        page.fill("#secret-line", line)
        page.click("#dialog [data-do=send]")
        page.wait_for_selector("#dialog [role=status]:not(:empty)")
        assert "witch" not in page.locator("#dialog [role=status]").inner_text()
        page.click("#dialog [data-do=cancel]")
        assert page.locator("#dialog *").count() == 0
        assert page.locator("#verdict").is_hidden()
    assert club.store_context.bench.game(game).version == before
    hold(page, "A")
    page.click("#dialog summary")
    page.fill("#secret-line", "hand 4 fw hw mw vd")
    page.click("#dialog [data-do=send]")
    logged(page, before + 1)
    assert club.lines(game)[-1] == "A hand 4 fw hw mw vd"


def test_a_secret_whose_answer_is_lost_is_recorded_once_however_often_it_is_said_again(
    club: Club, devices: Any
) -> None:
    game = before_the_hands(club, " readings sealed_hands=yes")
    device = tablet(devices, game)
    device.expected = ("ERR_FAILED",)
    page = device.page
    before = club.store_context.bench.game(game).version

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/actions", lose, times=2)
    hold(page, "A")
    page.click("#dialog summary")
    page.fill("#secret-line", "hand 4 fw hw mw vd")
    for _ in range(2):
        with page.expect_event("requestfailed"):
            page.click("#dialog [data-do=send]")
        assert club.store_context.bench.game(game).version == before + 1
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#dialog [data-do=send]", state="detached")
    assert club.store_context.bench.game(game).version == before + 1


@pytest.mark.parametrize(
    ("engine", "line"), [("broom_service", "A hand 4"), ("bloody_grove", "A draw 4")]
)
def test_what_tells_no_secret_is_a_plain_button_on_the_table(
    club: Club, devices: Any, engine: str, line: str
) -> None:
    recorded, lines = sample_lines(engine)
    first = next(number for number, each in enumerate(lines) if each.startswith(line))
    game = club.table(engine, recorded, lines[:first], A="Ana", B="Bo")
    page = tablet(devices, game).page
    version = club.store_context.bench.game(game).version
    page.click(f"#taps [data-line='{line}']")
    logged(page, version + 1)
    assert club.lines(game)[-1] == line


def test_how_many_and_which_roles_are_rows_with_all_values(club: Club, devices: Any) -> None:
    """No pawn is a number, no drawn card is missing; other players' pawns do not glow."""
    recorded, lines = sample_lines("broom_service")
    opening, *laid = tables_of("broom_service").SETUPS["three, front"](random.Random(1))
    begun = [*laid, "event more_or_less", "cursed pw hg"]
    game = club.table("broom_service", opening.removeprefix("table "), begun)
    page = tablet(devices, game).page
    assert page.locator("#board [data-word='1']").count() == 3
    assert page.locator("#board [data-word='1'].lit").count() == 0
    numbers = page.locator("#taps .choices").first.locator("button").all_inner_texts()
    assert numbers == ["1", "2", "3", "4", "5"]
    page.click("#taps [data-tap='2']")
    version = club.store_context.bench.game(game).version
    page.click("#taps [data-line='A hand 2']")
    logged(page, version + 1)
    moving = club.table("broom_service", recorded, lines[: lines.index("B move 1 H1")])
    page = tablet(devices, moving).page
    assert page.locator("#board [data-word=B] [data-word='1'].lit").count() == 1
    assert page.locator("#board [data-word=A] [data-word].lit").count() == 0


def test_what_is_small_is_tapped_as_if_it_were_large_enough(club: Club, devices: Any) -> None:
    """A pawn of some pixels, inside of a region that glows as well, has a target of 24 pixels."""
    recorded, lines = sample_lines("broom_service")
    game = club.table("broom_service", recorded, lines[: lines.index("B move 1 H1")])
    device = devices("table", game, **PHONE)
    page = ready(device.open(f"/games/{game}"))
    pawn = page.locator("#board [data-word=B] [data-word='2'].lit")
    pawn.scroll_into_view_if_needed()
    box = pawn.bounding_box()
    assert min(box["width"], box["height"]) < 24
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 11, box["y"] + box["height"] / 2)
    page.wait_for_selector("#taps .tap >> text=2")


def test_the_organisers_role_leaves_the_tablet_on_the_table(
    club: Club, devices: Any, game: str
) -> None:
    device = devices("organiser", **TABLET)
    page = ready(device.open(f"/games/{game}"))
    with turned(page):
        tool(page, "on-table")
    page.click("#secrets [data-do=hand-on]")
    code = page.locator("#dialog .code").inner_text().replace("-", "")
    phone = devices(**PHONE).open(f"/j/{code}")
    phone.click("button.main")
    phone.wait_for_selector("header .role", state="attached")
    with turned(page):
        page.click("#dialog [data-do=send]")
    page.wait_for_selector("#secrets [data-do=hand-on]", state="detached")
    page.goto(f"{club.url}/me")
    assert "organiser" not in page.locator("main").inner_text().lower()
    assert data_of(ready(device.open(f"/games/{game}")))["may_log"]
