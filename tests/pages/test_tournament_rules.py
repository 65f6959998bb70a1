"""The rules of an event: chosen in the browser, read by everybody before round one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from answers.rulebooks.boxes import own_box, tell
from answers.tournament import lifecycle, results
from answers.tournament.i18n import fluent
from answers.tournament.lifecycle import rules_in_force
from answers.tournament.results import TournamentTableAnswer
from engines.kernel.registry import load_engine
from referee.tournament.default_plans import FORMATS, usual_plan
from referee.tournament.plan import Deal, PenaltyLevel, Plan
from tests.pages.club import DESK, PHONE, Club, ready
from tests.pages.event import Event, new_event, tab

pytestmark = pytest.mark.xdist_group("pages hall")


def choose_format(page: Any, format: str) -> None:
    page.locator(".formats details").evaluate("each => { each.open = true; }")
    page.check(f"[name=format][value={format}]")


def unfold(page: Any) -> None:
    """All rules, group by group."""
    page.locator("#all-rules, #all-rules .group, #revise .group").evaluate_all(
        "all => all.forEach(each => { each.open = true; })"
    )


def test_every_rule_is_chosen_in_the_browser_copied_and_changed(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    page.fill("#name", "Brooms")
    page.select_option("#game", "broom_service")
    choose_format(page, "pods")
    unfold(page)
    usual = page.locator("[data-usual=points]")
    assert "table of 3: 4 – 1.5 – 0" in usual.inner_text()
    assert page.get_attribute("[name=least]", "placeholder") == "As usual: 3"
    chosen = {"by_standings": "no", "points": "places", "table_numbers": "by_standings"}
    for name, value in {**chosen, "on_time": "judge"}.items():
        page.select_option(f"[name={name}]", value)
    typed = {"least": "3", "most": "5", "preferred": "4", "point_list": "5 3 1,5 0"}
    for name, text in {**typed, "size_3": "5 2 0", "bye": "2.5", "minutes": "90"}.items():
        page.fill(f"[name={name}]", text)
    page.locator("[name=tie_break]").nth(0).select_option("PTS")
    page.locator("[name=tie_break]").nth(1).select_option("FIRSTS")
    assert page.locator("[name=tie_break]").count() == 3
    assert not page.is_visible("[name=size_6]")
    assert usual.inner_text() == ""
    page.uncheck("[name=check_in]")
    for row, (level, off) in enumerate([("warning", ""), ("second warning", "0.5")]):
        page.locator("[name=penalty_level]").nth(row).fill(level)
        page.locator("[name=penalty_points]").nth(row).fill(off)
        page.locator("[name=penalty_points]").nth(row).blur()
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    desk = club.store_context.desk
    (first,) = desk.all()
    plan = first.now.plan
    assert (plan.scoring.kind, plan.scoring.bye) == ("places", 5)
    assert plan.scoring.places == (10, 6, 3, 0)  # type: ignore[union-attr]
    assert plan.scoring.by_size == {"3": (10, 4, 0)}  # type: ignore[union-attr]
    assert plan.tie_breaks == ("PTS", "FIRSTS")
    assert (plan.seats.least, plan.seats.preferred, plan.seats.most) == (3, 4, 5)
    assert plan.time is not None
    assert (plan.time.minutes, plan.time.on_time) == (90, "judge")
    assert (plan.table_numbers, plan.check_in, plan.unplayed_rounds) == (
        "by_standings", False, "fide_2026",
    )  # fmt: skip
    assert [(level.name, level.halves) for level in plan.penalties] == [
        ("warning", 0),
        ("second warning", 1),
    ]

    page.goto(f"{club.url}/tournaments")
    ready(page)
    page.fill("#name", "Brooms again")
    page.select_option("#like", first.id)
    page.wait_for_selector("#all-rules[open]")
    assert page.input_value("[name=minutes]") == "90"
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    copy = next(hosted for hosted in desk.all() if hosted.id != first.id)
    assert copy.now.plan == plan

    page.goto(f"{club.url}/tournaments/{copy.id}/rules")
    ready(page)
    unfold(page)
    page.fill("[name=minutes]", "75")
    page.fill("#reason", "the hall closes early")
    page.click("#revise button.main")
    page.wait_for_selector("text=75 minutes")
    assert desk.load(copy.id).now.plan == plan.model_copy(
        update={"time": plan.time.model_copy(update={"minutes": 75})}
    )


@pytest.mark.parametrize("width", [1280, 820, 390])
def test_a_team_event_is_begun_in_the_browser_and_a_refusal_keeps_what_was_typed(
    club: Club, devices: Any, width: int
) -> None:
    size = {"viewport": {"width": width, "height": 900}}
    device = devices("organiser", **size)
    device.expected = ("400 (Bad Request)",)
    page = ready(device.open("/tournaments"))
    page.fill("#name", "Club teams")
    page.select_option("[name=match]", "boards")
    page.fill("[name=match_games]", "4")
    page.fill("#people", "11")
    page.locator("#people").blur()
    assert page.input_value("#rounds") == "4"
    unfold(page)
    assert page.locator("[data-usual=order]").inner_text().startswith("As usual: points · ")
    page.locator("[name=more_game]").nth(0).select_option("bloody_grove")
    page.locator("[name=tie_break]").nth(0).select_option("KS")
    page.click("#new button.main")
    page.wait_for_selector("#problem:not([hidden])")
    assert (page.input_value("#name"), page.input_value("[name=match_games]")) == (
        "Club teams",
        "4",
    )
    page.locator("[name=tie_break]").nth(0).select_option("")
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    (hosted,) = club.store_context.desk.all()
    plan = usual_plan(
        *("benevolent", "swiss", 4),
        games=("benevolent", "bloody_grove"),
        match={"games": 4, "boards": True},
        unplayed_rounds=lifecycle.edition_today(),
    )
    assert hosted.now.plan == plan


@pytest.mark.parametrize("rest", ["", "/rules", "/wall"])
def test_everybody_reads_the_rules_before_round_one(club: Club, devices: Any, rest: str) -> None:
    event = new_event(club)
    event.open_to_everybody()
    page = devices(None, **PHONE).open(event.page(rest))
    text = page.locator("main").inner_text()
    for words in ("Swiss", "win – draw – loss", "Buchholz without the lowest", "FIDE", "Bye 1"):
        assert words in text
    paper = page.request.get(f"{club.url}/api/v1{Event.page(event, '/papers/rules')}").text()
    assert "Buchholz without the lowest" in paper


DEAL = Deal(name="one", game="bethel_woods", piles={"draw": ("M1", "S2")})
TOLD_APART: dict[str, dict[str, Any]] = {
    "several games": {
        "game": "benevolent",
        "games": ("benevolent", "bloody_grove", "benevolent"),
        "readings": {"benevolent": {"hoard_take": "all"}},
        "format": "swiss",
        "options": {"system": "dutch", "accelerated": True},
        "time": {"minutes": 50, "on_time": "finish_the_round"},
        "table_numbers": "by_standings",
        "check_in": False,
        "unplayed_rounds": "fide_2024",
    },
    "two lives": {
        "game": "benevolent",
        "format": "knockout",
        "options": {"lives": 2, "on_tie": "judge"},
        "scoring": {"kind": "duel", "win": 6, "draw": 2, "bye": 6, "half_bye": 2},
    },
    "places": {
        "game": "broom_service",
        "format": "pods",
        "options": {"by_standings": False},
        "scoring": {
            "kind": "places",
            "places": (14, 7, 2, 0, 0),
            "by_size": {"3": (14, 4, 0)},
            "tied_first": 3,
            "bye": 5,
        },
        "presets": {"broom_service": {"side": "back", "variants": "storm+hill", "removed": "2"}},
        "house_rules": {"broom_service": ("BS-SCORE-1",)},
    },
    "measures": {
        "game": "bethel_woods",
        "format": "ladder",
        "scoring": {
            "kind": "ladder",
            "measures": [{"name": "won"}, {"name": "spies"},
                         {"name": "turn_number", "better": "fewer"}],
        },
        "presets": {"bethel_woods": {"level": "hard"}},
    },
    "matches": {"game": "bloody_grove", "format": "swiss", "match": {"games": 5}},
    "boards": {"game": "benevolent", "format": "round_robin",
               "match": {"games": 4, "boards": True}},
    "board points": {"game": "benevolent", "format": "swiss", "like": "olympiad",
                     "match": {"games": 3, "bye_boards": 3}},
    "league": {"game": "roundforest", "format": "league", "options": {"counted": 1},
               "presets": {"roundforest": {"hard": "true", "kit": "roundforest"}}},
    "third place": {"game": "benevolent", "format": "knockout", "options": {"third_place": True},
                    "penalties": ({"name": "Late", "halves": 2}, {"name": "Phone rang"})},
    "several go on": {"game": "broom_service", "format": "knockout", "options": {"advance": 2},
                      "seats": {"least": 3, "most": 4, "preferred": 4},
                      "scoring": {"kind": "places", "places": (4, 2, 1, 0)}},
    "twice": {"game": "benevolent", "format": "round_robin", "options": {"twice": True},
              "scoring": {"kind": "duel", "win": 6, "draw": 4, "loss": 2},
              "time": {"minutes": 40, "on_time": "judge"}, "unplayed_rounds": "fide_2026"},
    "fixed bracket": {"game": "benevolent", "format": "double_elimination",
                      "options": {"on_tie": "judge"}},
    "places for who is away": {"game": "broom_service", "format": "pods",
                               "scoring": {"kind": "places", "places": (8, 4, 2, 0),
                                           "half_bye": 3}},
    "points of the game": {"game": "broom_service", "format": "pods",
                           "scoring": {"kind": "game", "bye": 20, "half_bye": 9}},
    "points of the game, usual": {"game": "broom_service", "format": "pods",
                                  "scoring": {"kind": "game"}},
    "ladder for who is away": {"game": "bethel_woods", "format": "ladder",
                               "scoring": {"kind": "ladder", "measures": [{"name": "won"}],
                                           "bye": 2, "half_bye": 1}},
    **{f"usual {format}": {"game": "bethel_woods" if format in ("duplicate", "ladder")
                           else "benevolent", "format": format}
       for format in FORMATS},
}  # fmt: skip


def _plan(game: str, format: str, options: dict[str, Any] | None = None, **more: Any) -> Plan:
    dealt = {"deals": [DEAL.ref] * 3} if format == "duplicate" else {}
    if "house_rules" in more:
        more["house_rules"] = {name: (_clauses(name)[0],) for name in more["house_rules"]}
    return usual_plan(game, format, 3, {**(options or {}), **dealt}, **more)


def _clauses(game: str) -> list[str]:
    return list(load_engine(game).clauses)


SAID_ELSEWHERE = {"rounds": "a question of every new event", "name": "of a deal",
                  "digest": "of a deal", "deals": "as many as rounds"}  # fmt: skip
"""What need not be told apart here."""


def test_every_field_of_a_plan_is_told_apart() -> None:
    """The plans below say each thing that a plan can say in two ways at least, so that whatever is
    added to its declaration is asked of the form, too."""
    plans = [_plan(**told) for told in TOLD_APART.values()]
    said: dict[tuple[type[BaseModel], str], set[str]] = {}
    rest: list[Any] = [*plans]
    while rest:
        value = rest.pop()
        if isinstance(value, BaseModel):
            for field in type(value).model_fields:
                said.setdefault((type(value), field), set()).add(repr(getattr(value, field)))
                rest.append(getattr(value, field))
        elif isinstance(value, Mapping):
            rest += value.values()
        elif isinstance(value, tuple):
            rest += value
    alike = {
        f"{model.__name__}.{field}"
        for model in declared_in(Plan)
        for field in model.model_fields
        if field not in {"kind", *SAID_ELSEWHERE} or (model is PenaltyLevel and field == "name")
        if len(said.get((model, field), ())) < 2
    }
    assert alike == set()


def declared_in(model: type[BaseModel]) -> set[type[BaseModel]]:
    """The model and all that its fields are made of."""
    found: set[type[BaseModel]] = set()
    rest: list[Any] = [model]
    while rest:
        each = rest.pop()
        if isinstance(each, type) and issubclass(each, BaseModel):
            if each not in found:
                found.add(each)
                rest += [field.annotation for field in each.model_fields.values()]
        else:
            rest += get_args(each)
    return found


def test_the_form_says_again_what_a_plan_says(club: Club, devices: Any) -> None:
    """Whatever can be published is shown, and published anew without a change."""
    page = devices("organiser", **DESK).open("/tournaments")
    desk = club.store_context.desk
    for name, told in TOLD_APART.items():
        plan = _plan(**told)
        caller = new_event(club).desk
        event = lifecycle.create(caller, name, plan).data.tournament
        published = desk.load(event).now.plan
        assert published.model_copy(update={"unplayed_rounds": plan.unplayed_rounds}) == plan
        page.goto(f"{club.url}/tournaments/{event}/rules")
        ready(page)
        page.fill("#reason", "once more")
        with page.expect_navigation():
            page.click("#revise button.main")
        hosted = desk.load(event)
        assert hosted.events[-1].KIND == "tournament_revised", name
        assert hosted.now.plan == published, name


def test_deals_are_made_published_printed_and_revealed_in_the_browser(
    club: Club, devices: Any, tmp_path: Path
) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    page.fill("#name", "Woods")
    page.select_option("#game", "bethel_woods")
    choose_format(page, "duplicate")
    page.fill("#rounds", "1")
    page.click("#deal-maker summary")
    assert "M1 M2" in page.input_value("[name='pile.draw']")
    page.fill("[name='pile.draw']", "M1*2 S2 D3")
    with page.expect_download() as saved:
        page.click("#make-deals")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    (hosted,) = club.store_context.desk.all()
    deal = Deal.model_validate_json(file.read_bytes())
    assert sorted(deal.piles["draw"]) == ["D3", "M1", "M1", "S2"]
    assert hosted.now.plan.format.deals == (deal.ref,)  # type: ignore[union-attr]

    event = Event(club, hosted.id)
    event.register(["The Owls", "The Foxes"])
    event.pair()
    event.start()
    tab(page, "papers").set_input_files("#deal-file", file)
    page.wait_for_selector("#cards [data-do=reveal]")
    assert f"1 {deal.piles['draw'][0]}" in page.locator("#cards").inner_text()
    page.click("#cards [data-do=reveal]")
    page.wait_for_selector("#told.good")
    assert event.now.deal_of(1) == deal
    page.set_input_files(
        "#deal-file", {"name": "no.json", "mimeType": "application/json", "buffer": b"[]"}
    )
    page.wait_for_selector("#told.bad")


def test_tables_of_an_event_are_opened_with_the_box_its_rules_name(club: Club) -> None:
    event = new_event(club, ["Ana", "Bo"], presets={"benevolent": {"kit": "own"}})
    page = own_box(event.desk, "benevolent").tour.pages[0]
    tell(event.desk, "benevolent", as_shown=[page.look.id])
    event.pair()
    event.start()
    opened = results.open_table(event.desk, event.id, 1).data
    assert isinstance(opened, TournamentTableAnswer)
    game = club.store_context.bench.game(opened.game)
    assert game.opened.kit["kit"] == "own"
    told = "\n".join(rules_in_force(fluent(event.desk.voice), event.now))
    assert "Options of Benevolent: box: the club’s own" in told


def test_the_form_says_that_nobody_beats_anybody_where_a_table_plays_together(
    club: Club, devices: Any
) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    for game, format, warns in (
        ("benevolent", "swiss", False),
        ("bethel_woods", "swiss", True),
        ("bethel_woods", "ladder", False),
    ):
        page.select_option("#game", game)
        choose_format(page, format)
        assert page.is_visible("#plays-together") == warns, (game, format)


def test_teams_of_a_ladder_enter_their_result_by_name(club: Club, devices: Any) -> None:
    page = ready(devices("organiser", **DESK).open("/tournaments"))
    page.fill("#name", "Woods")
    page.select_option("#game", "bethel_woods")
    choose_format(page, "ladder")
    page.click("#new button.main")
    page.wait_for_url("**/desk")
    (hosted,) = club.store_context.desk.all()
    event = Event(club, hosted.id)
    event.register(["The Owls", "The Foxes"])
    event.pair()
    event.start()
    page.reload()
    ready(page)
    row = page.locator("li[data-number='1']")
    row.locator("[name=won]").select_option("1")
    row.locator("[name=level]").fill("14")
    row.locator("form button").click()
    page.wait_for_selector("li[data-number='1'].done")
    entered = event.now.current_round.result(1)
    assert entered is not None
    assert entered.outcome.measures == (1, 14)
