"""The result of a match is the same record, whichever door it comes through."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from answers.tournament.match_slips import results_of, tally
from referee.tournament.default_plans import usual_plan
from referee.tournament.events import Outcome, match_places
from referee.tournament.plan import Match
from tests.cli.transcripts import run
from tests.service.conftest import Club
from tests.tournament.asking import Stand

BEST_OF_THREE, BOARDS = Match(games=3), Match(games=3, boards=True)
WAYS = [
    *((BEST_OF_THREE, "".join(told.games)) for told in results_of(BEST_OF_THREE)),
    (BEST_OF_THREE, "AB="),
    *((BOARDS, way) for way in ("A=B", "==B", "BBA", "===")),
]


def event(club: Club, match: Match, tables: int) -> Stand:
    plan = usual_plan(
        "benevolent", "swiss", 1, check_in=False, match=match,
        time={"minutes": 50, "on_time": "judge"},
    )  # fmt: skip
    names = [f"Player {number}" for number in range(2 * tables)]
    stand = Stand(plan, *names, store_context=club.store_context)
    stand.start()
    return stand


@pytest.mark.parametrize(("match", "way"), WAYS, ids=str)
def test_a_match_is_told_alike_through_every_door(
    club: Club, tmp_path: Path, match: Match, way: str
) -> None:
    """At the command line, in a list, over HTTP, as the desk's page offers it, and on phones."""
    stand = event(club, match, 6)
    late = not match.is_over(way)
    word = way if match.boards else tally(tuple(way)).short  # type: ignore[arg-type]
    shell = f"referee --store sqlite://{tmp_path}/games.db tournament -t {stand.id}"
    for line in (f"{shell} result 1 {word}", f"{shell} result 2 --games {way}"):
        told, code = run(line + (" --timed-out" if late else ""))
        assert code == 0, told
    listed = tmp_path / "list.txt"
    listed.write_text(f"3 {word}{' time' if late else ''}\n", "utf-8")
    told, code = run(f"{shell} results {listed}")
    assert code == 0, told
    place = f"/tournaments/{stand.id}"
    said = {"games": word, "timed_out": late}
    assert (
        club.post(f"{place}/tables/4/result", "organiser", {**said, "reason": ""}).status_code
        == 200
    )
    page = club.client.get(
        f"{place}/desk", headers={"Authorization": f"Bearer {club.token('organiser')}"}
    ).text
    if match.boards:
        offered = re.findall(r'data-board="(\d)" data-won="([AB=])"', page)
        assert {(str(at), won) for at, won in enumerate(way, 1)} <= {*offered}
        tapped = {"games": way}
    elif "=" in way:
        tapped = said
    else:
        [(games, timed), *_] = re.findall(
            rf'data-games="({word.replace("–", "-")})"( data-late)?', page
        )
        tapped = {"games": games, "timed_out": bool(timed)}
    assert (
        club.post(f"{place}/tables/5/result", "organiser", {**tapped, "reason": ""}).status_code
        == 200
    )
    for player in stand.now.round(1).table(6).seats:
        _, token = club.store_context.access.give("player", stand.id, player)
        headers = {"Authorization": f"Bearer {token}"}
        assert club.post(f"{place}/tables/6/report", said=said, headers=headers).status_code == 200
    found = [stand.now.round(1).result(table) for table in range(1, 7)]
    outcomes = [entered.outcome for entered in found if entered is not None]
    assert len(outcomes) == 6
    places = match_places(tuple(way))  # type: ignore[arg-type]
    assert {outcome.places for outcome in outcomes} == {places}
    assert {tally(outcome.games) for outcome in outcomes} == {tally(tuple(way))}  # type: ignore[arg-type]
    assert {outcome.timed_out for outcome in outcomes} == {late}
    by_word = [outcome for at, outcome in enumerate(outcomes, 1) if at != 2]
    assert by_word == [by_word[0]] * 5
    assert outcomes[1] == Outcome(places=places, games=tuple(way), timed_out=late)  # type: ignore[arg-type]
