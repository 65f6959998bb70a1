"""The rules as pages: headings, search, one clause with its readings and rulings."""

from __future__ import annotations

from typing import Any

import pytest

from answers.context import Caller
from answers.play.actions import log
from engines.kernel.registry import engine_ids, load_engine
from tests.pages.club import DESK, PHONE, Club, violations
from tests.pages.scenes import sample_lines

pytestmark = pytest.mark.xdist_group("pages rulebook")


def shown(page: Any) -> list[str]:
    return page.eval_on_selector_all(
        ".clauses > [data-words]:not([hidden])", "found => found.map(each => each.id)"
    )


@pytest.mark.deep
def test_every_clause_of_every_game_stands_under_its_heading(devices: Any) -> None:
    device = devices()
    page = device.open("/rules")
    listed = page.eval_on_selector_all(".tables a", "all => all.map(a => a.getAttribute('href'))")
    assert listed == [f"/rules/{engine}" for engine in engine_ids()]
    for engine in engine_ids():
        clauses = load_engine(engine).clauses
        page = device.open(f"/rules/{engine}")
        assert sorted(shown(page)) == sorted(clauses)
        headings = page.eval_on_selector_all(
            ".heading:has([data-words]) h2", "all => all.map(h => h.textContent)"
        )
        assert {*headings} == {clause.section for clause in clauses.values()}


def test_words_are_searched_while_they_are_typed_with_accents_or_without(devices: Any) -> None:
    page = devices(locale="fr-FR").open("/rules/benevolent")
    everything = shown(page)
    page.locator("#wanted").press_sequentially("reserve")
    found = shown(page)
    assert 0 < len(found) < len(everything)
    assert all("réserve" in load_engine("benevolent").clauses[each].fr.lower() for each in found)
    assert str(len(found)) in page.locator("#count").inner_text()
    page.fill("#wanted", "")
    assert shown(page) == everything


@pytest.mark.deep
def test_without_scripts_the_form_finds_the_same(devices: Any) -> None:
    with_scripts = devices().open("/rules/roundforest")
    with_scripts.fill("#wanted", "well")
    without = devices(java_script_enabled=False).open("/rules/roundforest")
    without.fill("#wanted", "well")
    without.click("#search button")
    assert "search=well" in without.url
    assert without.locator(".clauses > [data-words]").count() == len(shown(with_scripts)) > 0


@pytest.mark.deep
def test_a_search_that_finds_nothing_says_so(devices: Any) -> None:
    page = devices(java_script_enabled=False).open("/rules/roundforest?search=zeppelin")
    assert page.locator(".clauses").count() == 0
    assert page.locator("#count").inner_text() == "No matches."


def test_a_clause_leads_to_its_readings_and_neighbours(devices: Any) -> None:
    engine = load_engine("bethel_woods")
    reading = next(iter(engine.readings.values()))
    page = devices().open(f"/rules/bethel_woods/{reading.clauses[0]}")
    assert page.locator(".reading").count() >= 1
    page.click("[rel=next]")
    order = list(engine.clauses)
    after = order[order.index(reading.clauses[0]) + 1]
    assert page.locator("h1").inner_text() == after


@pytest.mark.deep
def test_a_clause_that_is_not_there_is_a_page_that_says_so(devices: Any) -> None:
    device = devices()
    device.expected = ("404",)
    page = device.open("/rules/benevolent/BEN-NONE-9")
    assert page.locator("body.page-problem").count() == 1
    page = device.open("/rules/chess")
    assert page.locator("body.page-problem").count() == 1


@pytest.mark.deep
@pytest.mark.parametrize("path", ["/rules", "/rules/broom_service", "/rules/benevolent/BEN-MOVE-3"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_people_with_other_senses(
    club: Club, devices: Any, axe: str, path: str, scheme: str
) -> None:
    size = PHONE if scheme == "dark" else DESK
    device = devices("judge", bypass_csp=True, color_scheme=scheme, **size)
    assert violations(device.open(path), axe) == []


def test_a_clause_has_examples_that_can_be_played(devices: Any) -> None:
    page = devices(**PHONE).open("/rules/benevolent/BEN-MOVE-3")
    broken = page.locator(".examples a:has(.verdict-illegal)").first
    said = broken.locator(".what").inner_text()
    broken.click()
    page.wait_for_selector("#trying li.bad")
    last = page.locator("#trying .tried > li").last
    assert said in last.inner_text()
    assert last.locator("a[href$='/BEN-MOVE-3']").count()
    link = page.locator("#link").input_value()
    assert "position=" in link


@pytest.mark.deep
def test_a_clause_is_counted_in_the_archive_for_who_may(club: Club, devices: Any) -> None:
    opening, lines = sample_lines("benevolent")
    game = club.table("benevolent", opening, lines[:6])
    log(Caller(club.store_context), game, ["A step a3"], stands=True)
    for clause, broken in (("BEN-MOVE-3", "1"), ("BEN-ACT-2", "0")):
        page = devices("judge").open(f"/rules/benevolent/{clause}")
        page.click("a[href='?counted=yes']")
        assert page.locator("#counted dd").first.inner_text() == broken
        stranger = devices().open(f"/rules/benevolent/{clause}?counted=yes")
        assert stranger.locator("#counted").count() == 0
