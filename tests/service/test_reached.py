"""No page of the house has to be known by its address: all are reached by taps from the first."""

from __future__ import annotations

import re

from starlette.routing import compile_path

from answers.admin import access
from answers.context import Caller
from answers.play.actions import log
from referee.table.author import Author
from referee.tournament.default_plans import usual_plan
from service.pages.rendering import PAGES
from tests.service.conftest import Club
from tests.tournament.asking import Stand

ORGANISER = Author("porg", "organiser")
ELSEWHERE = {"join-code", "join-short", "register", "offline", "embed", "overlay", "workbench"}
"""Pages behind a code, without a network, in a frame or a stream; that of who writes a game."""
NOTHING_YET = {"collection", "ruling", "season-player", "new"}
"""What there is none of here, and what leads to another role of the device."""
SUBJECTS = ("home", "play", "event", "rulebook", "table")
"""Pages of which several are looked at: one leads where another does not."""


def test_everything_is_reached_by_taps_from_the_first_page(club: Club, game: str) -> None:
    plan = usual_plan("benevolent", "swiss", 2, check_in=False)
    stand = Stand(plan, "Ana", "Bo", store_context=club.store_context)
    stand.start()
    access.set_rules(Caller(club.store_context, ORGANISER), stand.id, open_to="everybody")
    log(Caller(club.store_context), game, ["step c3"], stands=True)
    season = club.post("/seasons", "organiser", {"name": "Club year"}).json()["data"]["season"]
    club.post(f"/seasons/{season}/events", "organiser", {"tournament": stand.id})
    patterns = {each.name: compile_path(each.path)[0] for each in PAGES.values()}
    reached: dict[str, int] = {}
    for role, scope in (("organiser", ""), ("seat:A", game)):
        seen, left = set[str](), ["/"]
        while left:
            path = left.pop(0)
            name = next((name for name, form in patterns.items() if form.fullmatch(path)), None)
            often = 4 if name in SUBJECTS else 1
            if name is None or path in seen or reached.get(name, 0) >= often * (1 + (scope != "")):
                continue
            seen.add(path)
            page = club.client.get(path, headers={"Cookie": f"referee={club.token(role, scope)}"})
            assert page.status_code == 200, (role, path)
            reached[name] = reached.get(name, 0) + 1
            left += re.findall(r'(?:href|action)="(/[^"?#]*)', page.text)
    assert {*patterns} - {*reached} == ELSEWHERE | NOTHING_YET
