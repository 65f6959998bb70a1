"""Studying a game in the browser: moments, lines that are tried, notes, comparisons, readings."""

from __future__ import annotations

import json
from threading import Event
from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from answers.play.analysis import trial
from answers.play.lifecycle import finish
from answers.review import collections
from answers.review.notes import add
from referee.table.author import Author
from referee.table.notes import Annotation
from service.thread_pool import Ended
from tests.pages.club import DESK, PHONE, Club, ready, turned, violations, waits
from tests.pages.player import data_of
from tests.pages.scenes import sample_lines
from tests.waiting import PATIENCE

pytestmark = pytest.mark.xdist_group("pages study")
HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.fixture
def game(club: Club) -> str:
    opening, lines = sample_lines("benevolent")
    return club.table("benevolent", opening, lines[:24], A="Ana", B=HOSTILE)


def opened(device: Any, game: str, query: str = "") -> Any:
    page = device.open(f"/games/{game}/study{query}")
    page.wait_for_selector("body[data-ready]")
    return page


def at(page: Any, number: int | None) -> None:
    """The page shows the table after this action."""
    waits(
        page,
        "(at) => JSON.parse(document.getElementById('data').textContent).at === at",
        arg=number,
    )


def test_moments_are_turned_by_keys_slider_and_swipes(devices: Any, game: str) -> None:
    page = opened(devices("judge", **PHONE), game, "?at=11")
    page.keyboard.press("ArrowRight")
    at(page, 12)
    page.click("[data-go=back]")
    at(page, 11)
    swipe = """([from, to]) => {
      const board = document.getElementById("board");
      const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 300 });
      const send = (kind, which, x) =>
        board.dispatchEvent(new TouchEvent(kind, { bubbles: true, [which]: [touch(x)] }));
      send("touchstart", "touches", from);
      send("touchend", "changedTouches", to);
    }"""
    page.evaluate(swipe, [300, 100])
    at(page, 12)
    page.evaluate(swipe, [100, 300])
    at(page, 11)
    page.evaluate(swipe, [100, 120])
    assert "at=11" in page.url


def test_from_the_opening_a_game_is_walked_to_its_end_by_moves_turns_and_by_itself(
    devices: Any, game: str
) -> None:
    page = opened(devices("judge", **DESK), game, "?at=11")
    page.keyboard.press("Home")
    at(page, 0)
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        at(page, number)
    assert page.locator("#moment-line b").inner_text() == "#3"
    seats = page.eval_on_selector_all(
        "#moves li.counts", "all => all.map(one => [Number(one.dataset.number), one.dataset.seat])"
    )
    assert seats == sorted(seats), "a game is read forward"
    played = [(number, seat) for number, seat in seats if number]
    begins = [
        number
        for (number, seat), (_, before) in zip(played[1:], played, strict=False)
        if number > 3 and seat != before
    ]
    page.click("[data-go=turn_on]")
    at(page, begins[0])
    page.keyboard.press("Shift+ArrowRight")
    at(page, begins[1])
    page.click("[data-go=turn_back]")
    at(page, begins[0])
    page.click("[data-go=play]")
    at(page, begins[0] + 1)
    page.click("[data-go=play]")
    page.keyboard.press("End")
    at(page, None)


def test_a_kept_variation_is_walked_by_the_same_keys(club: Club, devices: Any, game: str) -> None:
    scribe = Caller(club.store_context)
    then = trial(scribe, game, ["A gather"], at=11).data.options[0]
    add(scribe, game, "12", Annotation(text="so", instead=("A gather", then)))
    page = opened(devices("judge", **DESK), game, "?at=11&try=A+gather")
    page.keyboard.press("ArrowRight")
    waits(page, "() => new URLSearchParams(location.search).get('try')?.includes(';')")
    for left in ("A gather", None):
        page.keyboard.press("ArrowLeft")
        waits(page, "(left) => new URLSearchParams(location.search).get('try') === left", arg=left)
    assert "at=11" in page.url


def test_a_moment_is_shared_framed_by_others_and_played_on(
    club: Club, devices: Any, game: str
) -> None:
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    page = opened(devices("organiser", **DESK), game, "?at=11")
    assert "names=true" in (page.locator("#exports a").first.get_attribute("href") or "")
    page.click("summary:has-text('Share')")
    framed = (page.locator("#sharing textarea").input_value()).split('"')[1]
    assert framed == f"{club.url}/games/{game}/embed?at=11"
    stranger = devices(None, **DESK)
    shown = stranger.open(f"/games/{game}/embed?at=11")
    assert shown.locator("svg").count()
    ready(shown)
    assert not shown.locator("form, [data-do], [data-remove], [data-tells]").count()  # it steps
    reply = shown.request.get(framed)
    assert "frame-ancestors *" in reply.headers["content-security-policy"]
    assert "x-frame-options" not in reply.headers
    for other in (f"/games/{game}/study", f"/games/{game}/watch", "/archive", "/"):
        headers = shown.request.get(f"{club.url}{other}").headers
        assert headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
    picture = shown.request.get(f"{club.url}/games/{game}/qr.svg?at=11")
    assert b"<svg" in picture.body()
    page.click("#branch")
    page.wait_for_url(lambda url: url.endswith(url.rpartition("/")[2]) and game not in url)
    made = page.url.rpartition("/")[2]
    assert club.lines(made) == club.lines(game)[:11]


def test_games_become_chapters_of_a_study_with_notes_that_others_read(
    club: Club, devices: Any, game: str
) -> None:
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    ana = club.store_context.people.add("Ana")
    device = devices("judge", person=ana, **PHONE)
    page = device.open("/collections")
    page.fill("[name=name]", f"Openings {HOSTILE}")
    page.select_option("[name=visibility]", "public")
    page.click("form[data-tells] button.main")
    page.wait_for_url("**/collections/collection-*")
    place = page.url.removeprefix(club.url)
    page = opened(device, game, "?at=11")
    page.click("summary:has-text('collection')")
    page.click("form[data-tells] button")
    page.wait_for_url("**/collections/collection-*")
    page.click("summary:has-text('Add a note')")
    page.fill("[name=number]", "12")
    page.fill("[name=text]", f"better {HOSTILE}")
    page.fill("[name=instead]", "A gather")
    page.click("form:has([name=instead]) button.main")
    page.wait_for_selector(".notes li[id] a >> text=#12")
    stranger = devices(None, **DESK)
    shown = ready(stranger.open(place))
    assert "better <img" in shown.locator("#chapter-notes").inner_text()
    assert not shown.locator("form[data-tells]").count()
    assert "try=A+gather" in (shown.locator("#chapter-notes a").last.get_attribute("href") or "")
    shown.keyboard.press("ArrowRight")
    shown.wait_for_selector("#moment-line >> text=#12")
    shown.keyboard.press("End")
    shown.wait_for_selector(f"#moment-line >> text=#{len(club.lines(game))}")
    framed = ready(stranger.open(f"/games/{game}/embed?at=11"))
    framed.keyboard.press("ArrowLeft")
    framed.wait_for_selector("#moment-line >> text=#10")
    assert stranger.open("/collections").locator(".tables li").count() == 1


@pytest.mark.parametrize("kind", [PHONE, DESK], ids=["phone", "desk"])
def test_the_keys_are_in_sight_below_chapters_and_in_frames(
    club: Club, devices: Any, game: str, kind: dict[str, Any]
) -> None:
    """However high the board is; and a frame that is higher than broad has a board that is, too."""
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    author = Caller(club.store_context, Author(club.store_context.people.add("Ana"), "judge"))
    collection = collections.new(author, "Openings", visibility="public").data.collection
    collections.put(author, collection, game=game, at=11)
    stranger = devices(None, **kind)
    for address in (f"/collections/{collection}", f"/games/{game}/embed?at=11"):
        page = ready(stranger.open(address))
        for number in (11, 12):
            at(page, number)
            keys = page.locator("#slider").bounding_box()
            assert keys["y"] + keys["height"] <= page.viewport_size["height"], address
            page.keyboard.press("ArrowRight")
        drawn = page.locator("#board svg").get_attribute("viewBox").split()
        broad = float(drawn[2]) > float(drawn[3])
        assert broad == (kind is DESK)


def test_what_is_framed_is_what_a_stranger_sees_whoever_looks(devices: Any, game: str) -> None:
    page = devices("organiser", **DESK).open("/")
    address = page.url.rstrip("/")
    assert page.request.get(f"{address}/games/{game}/embed").status == 401
    assert page.request.get(f"{address}/games/{game}/study").status == 200


def test_who_may_look_on_is_chosen_where_the_link_is(club: Club, devices: Any, game: str) -> None:
    stranger = devices()
    stranger.expected = ("401",)
    address = f"{club.url}/games/{game}/embed"
    page = opened(devices("scribe", game), game)
    page.click("summary:has-text('Share this moment')")
    assert stranger.page.request.get(address).status == 401
    page.select_option("#open-to", "link")
    page.wait_for_selector("text=Others cannot open this link yet.", state="detached")
    assert stranger.page.request.get(address).status == 200
    assert opened(devices("spectator", game), game).locator("#open-to").count() == 0


def test_it_is_asked_whether_somebody_could_have_held_something(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("broom_service")
    table = club.table("broom_service", opening, lines[:60], A="Ana", B="Bo")
    page = opened(devices("judge", locale="fr-FR", **PHONE), table, "?at=50")
    page.click("#asking > summary")
    page.click("summary:has-text('pouvait-il avoir')")
    page.fill("[name=thing]", "cueilleur de fruits")
    page.click("form:has([name=thing]) button")
    page.wait_for_selector("#could-hold p")
    assert "#50" in page.locator("#could-hold").inner_text()
    assert "at=50" in page.url
    unknown = opened(devices("judge"), table, "?at=50&seat=A&thing=unicorn")
    assert unknown.locator("#could-hold p").count() == 1


def test_a_variation_is_tapped_judged_and_kept_with_a_note(
    club: Club, devices: Any, game: str
) -> None:
    page = opened(devices("judge", **DESK), game, "?at=11")
    before = page.locator("#board").inner_html()
    line = "A gather"
    assert line in data_of(page)["lines"]
    page.click(f"#taps button[data-line={json.dumps(line)}]")
    page.wait_for_selector(".tried .good, .tried.good, li.notice.good")
    assert page.locator("#board").inner_html() != before
    assert "try=A+gather" in page.url
    page.click("#noting > summary")
    page.fill("[name=text]", f"quieter {HOSTILE}")
    page.check("[name=glyph][value=interesting]")
    page.click("#note button.main")
    page.wait_for_selector("#n1")
    (note,) = club.store_context.bench.game(game).notes.values()
    assert (note.number, note.text, note.glyphs) == (12, f"quieter {HOSTILE}", ("interesting",))
    assert len(note.variation) == 1
    with turned(page):
        page.click("#n1 a:has-text('A gather')")
    page.wait_for_selector("li.notice.good")
    page.click("[data-remove=n1]")
    page.wait_for_selector("#n1", state="detached")
    assert page.evaluate("document.title") != "1"


@pytest.mark.deep
def test_a_line_that_breaks_a_rule_is_tried_and_told_so(devices: Any, game: str) -> None:
    page = opened(devices("judge", **DESK), game, "?at=11")
    page.click("#composer > summary")
    page.fill("#typed", "A pick")
    page.press("#typed", "Enter")
    page.wait_for_selector("li.notice.bad >> text=BEN-ACT-2")
    page.click("text=As played")
    page.wait_for_url(f"**/games/{game}/study?at=11")
    assert page.locator("li.notice").count() == 0


def test_a_line_that_cannot_be_read_is_answered_without_scripts_too(
    devices: Any, game: str
) -> None:
    page = devices("judge", java_script_enabled=False).open(f"/games/{game}/study?at=11")
    page.click("#composer > summary")
    page.fill("#typed", "A fly to the moon")
    page.click("#composer button.main")
    assert "fly" in page.locator("#trying .notice.bad").inner_text()


@pytest.mark.deep
def test_two_moments_stand_beside_each_other(devices: Any, game: str) -> None:
    page = opened(devices("judge", **DESK), game, "?at=11")
    page.click("#asking > summary")
    page.click("text=Compare with another move")
    page.select_option("select[name=with]", "4")
    page.click("form:has(select[name=with]) button")
    page.wait_for_url("**with=4*")
    assert page.locator("#compared svg").count() == 1
    assert "Turn 2" in page.locator("#compared .why").inner_text()


@pytest.mark.deep
def test_two_games_stand_beside_each_other_and_where_they_part_is_told(
    club: Club, devices: Any, game: str
) -> None:
    opening, lines = sample_lines("benevolent")
    other = club.table("benevolent", opening, [*lines[:11], "A gather"], A="Cy", B=HOSTILE)
    stranger = club.table("pebbles", "A B first A", [])
    page = opened(devices("judge", **DESK), game, "?at=13")
    page.click("#asking > summary")
    page.click("text=Compare with another game")
    page.click("text=Choose a game")
    page.select_option("[name=other]", other)
    page.locator("form:has([name=other]) button").click()
    page.wait_for_selector("#compared svg")
    assert "up to #11" in page.locator("#compared").inner_text()
    assert page.locator("#compared h2").inner_text().endswith("after #12")
    for unfit in (stranger, "game-nobody"):
        page = opened(devices("judge"), game, f"?at=13&other={unfit}")
        assert page.locator("#compared .notice.bad").count() == 1
        assert page.locator("#compared svg").count() == 0


@pytest.mark.deep
def test_a_game_is_judged_under_other_readings(devices: Any, game: str) -> None:
    page = opened(devices("judge", **DESK), game)
    page.click("#asking > summary")
    page.click("text=Other readings")
    chosen = page.locator("select[name^='reading.']").first
    chosen.select_option(index=1)
    page.click("text=Recheck game")
    page.wait_for_selector("#differences li")


def test_on_paper_the_study_is_the_score_sheet(club: Club, devices: Any) -> None:
    """The moves in the order of play with names and verdicts, who has won, nothing to press."""
    opening, lines = sample_lines("broom_service")
    made = club.table("broom_service", opening, lines, A="Ana", B="Bo")
    finish(Caller(club.store_context), made)
    page = opened(devices("judge", **DESK), made)
    page.emulate_media(media="print")
    pressed = "button, input, select, textarea, summary, nav"
    assert page.locator(f":is({pressed}):visible").count() == 0
    assert not page.get_by_text("Board as text").is_visible()
    shown = page.locator("#moves li:visible .number").all_inner_texts()
    assert shown == [f"#{number}" for number in range(len(lines) + 1)]
    told = page.locator("main").inner_text()
    assert "Bo wins" in told
    assert "undecided BRM-FOL-2" in told
    sheets = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "1cm"))
    assert 1 < sheets.count(b"/Type /Page\n") <= 3


@pytest.mark.deep
def test_every_format_that_is_offered_can_be_taken_along(devices: Any, game: str) -> None:
    device = devices("judge")
    page = opened(device, game, "?at=3")
    links = page.eval_on_selector_all("#exports a", "all => all.map(a => a.getAttribute('href'))")
    for link in [link for link in links if "/gif" not in link and "/webp" not in link]:
        assert device.context.request.get(device.club.url + link).ok, link


def test_who_looks_on_studies_without_writing_or_what_would_tell_a_secret(
    club: Club, devices: Any, game: str
) -> None:
    add(Caller(club.store_context), game, "12", Annotation(text=HOSTILE))
    access.set_rules(Caller(club.store_context), game, open_to="everybody")
    page = opened(devices(), game, "?at=11")
    assert page.locator("#n1").inner_text().endswith(HOSTILE)
    assert page.locator("#note, [data-remove], #taps button, select[name^='reading.']").count() == 0
    offered = page.eval_on_selector_all("#exports a", "all => all.map(a => a.getAttribute('href'))")
    assert not [link for link in offered if link.endswith(("/record", "/text", "/playthrough"))]


@pytest.mark.deep
@pytest.mark.parametrize(("kind", "lang"), [(DESK, "en"), (PHONE, "fr")])
def test_nothing_serious_and_nothing_beyond_the_edge(
    club: Club, devices: Any, game: str, axe: str, kind: dict[str, Any], lang: str
) -> None:
    add(Caller(club.store_context), game, "12", Annotation(text=HOSTILE, instead=("A gather",)))
    scheme = "dark" if lang == "fr" else "light"
    device = devices("judge", bypass_csp=True, locale=lang, color_scheme=scheme, **kind)
    for query in ("", "?at=11&with=4", "?at=11&try=A+gather"):
        page = opened(device, game, query)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert page.get_attribute("html", "lang") == lang
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), query
        assert violations(page, axe) == [], query


def spot(page: Any, space: str) -> tuple[float, float]:
    """Where on the screen a space of the board lies."""
    page.evaluate("document.querySelector('#board svg').scrollIntoView({ block: 'center' })")
    x, y = page.evaluate(
        """(space) => {
          const point = document.querySelector(`#board [data-space="${space}"]`);
          const at = new DOMPoint(point.cx.baseVal.value, point.cy.baseVal.value);
          const { x, y } = at.matrixTransform(point.ownerSVGElement.getScreenCTM());
          return [x, y];
        }""",
        space,
    )
    return x, y


def test_marks_and_arrows_are_drawn_by_touch_or_chosen_by_keys_and_kept_with_the_note(
    club: Club, devices: Any, game: str
) -> None:
    page = opened(devices("judge", **PHONE), game, "?at=11")
    lines = data_of(page)["lines"]
    page.click("#noting > summary")
    page.click("#draw")
    page.touchscreen.tap(*spot(page, "c2"))
    page.wait_for_selector("#drawn li")
    page.mouse.move(*spot(page, "a1"))
    page.mouse.down()
    page.mouse.move(*spot(page, "b2"), steps=3)
    page.mouse.up()
    assert page.locator("#drawn li").count() == 2
    assert page.locator("#board .drawing > *").count() == 2
    assert (data_of(page)["at"], data_of(page)["lines"]) == (11, lines), "nothing else was tapped"
    page.locator(".points select").first.select_option("a2")
    page.press("#point", "Enter")
    assert page.locator("#drawn li").count() == 3
    page.click("#note button.main")
    page.wait_for_selector("#n1")
    (note,) = club.store_context.bench.game(game).notes.values()
    assert (note.number, note.marks, note.arrows) == (11, ("c2", "a2"), (("a1", "b2"),))
    assert page.locator("#drawn li").count() == 0
    again = opened(devices("judge"), game, "?at=11")
    kept = again.locator("#board svg > g:has([data-space]) circle[stroke-dasharray]:visible")
    assert kept.count() == 2


@pytest.mark.deep
def test_several_authors_note_at_once_and_each_sees_the_others(devices: Any, game: str) -> None:
    pages = [opened(devices("judge", **DESK), game, "?at=11") for _ in range(2)]
    for page, text in zip(pages, ("from one", "from the other"), strict=True):
        page.click("#noting > summary")
        page.fill("[name=text]", text)
    for page in pages:
        page.click("#note button.main")
    for page in pages:
        page.wait_for_selector("#notes >> text=from one")
        page.wait_for_selector("#notes >> text=from the other")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_long_download_shows_how_far_it_is_and_can_be_cancelled(
    devices: Any, game: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, ended = Event(), Event()

    def drawn(bench: Any, one: Any, format: str, options: Any) -> bytes:
        try:
            while not go_on.wait(0.02):
                options.progress(3, 8)
        except Ended:
            ended.set()
            raise
        return b"the animation"

    monkeypatch.setattr("service.progress.EVERY", 0.05)
    monkeypatch.setattr("answers.review.import_export.export_bytes", drawn)
    page = opened(devices("judge", locale=lang), game)
    page.click("details:has(#exports) > summary")
    link = page.locator("#exports a[href*='/exports/gif']")
    link.click()
    page.wait_for_selector("#exporting progress[value='3'][max='8']")
    assert page.locator("#exporting").inner_text().split() == [
        *link.inner_text().split(),
        {"en": "Cancel", "fr": "Interrompre"}[lang],
    ]
    page.click("#exporting button")
    page.wait_for_selector("#exporting", state="hidden")
    assert ended.wait(PATIENCE)
    assert page.locator("#export-problem").is_hidden()
    with page.expect_download() as downloaded:
        link.click()
        page.wait_for_selector("#exporting")
        go_on.set()
    assert downloaded.value.suggested_filename.endswith(".gif")
    assert downloaded.value.path().read_bytes() == b"the animation"
