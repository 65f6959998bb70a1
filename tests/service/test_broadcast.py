"""The broadcast of an event: for everybody what a stranger sees, and never more."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count, product
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answers.context import Caller
from answers.operations import routes
from referee.record.game import Game
from referee.store import open_store
from referee.store.sidecars.access import AccessPolicy, in_force
from referee.table.author import JUDGE, By
from referee.table.bench import Bench
from referee.table.lifecycle import close, reopen
from referee.table.notes import Annotation, annotate
from referee.table.openings import open_game
from referee.table.play import log
from referee.tournament import held_back
from referee.tournament.event_streams import ORGANISER
from referee.tournament.events import (
    Outcome,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    TournamentClosed,
    TournamentReopened,
)
from replays.gallery import samples
from service.auth import NOWHERE, Principal
from service.broadcast_delay import visible_entries
from service.middleware import IN_FRAMES, POLICY
from service.page_routes import PublicPages
from service.pages.rendering import PAGES
from service.problems import voice_in
from tests.answers.conftest import SETUP
from tests.opening import new_table
from tests.service.conftest import API, Club, embedded
from tests.service.running import events, serving
from tests.waiting import PATIENCE

NAMES = ("Ana", "Bo", "Cleo", "Dan")
HOUR = 3600
BEGUN = datetime(2026, 1, 2, 12, tzinfo=UTC)
ROLES = ("organiser", "judge", "scribe", "player", "spectator")
PUBLIC = ("broadcast", "overlay", "embed")


def told(house: Club, path: str, /, **said: Any) -> dict[str, Any]:
    reply = house.post(path, "organiser", said)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()["data"]
    return found


def seen(house: Club, event: str) -> dict[str, Any]:
    found: dict[str, Any] = house.get(f"/tournaments/{event}/broadcast").json()["data"]
    return found


def begun(club: Club, engine: str, rounds: int = 1) -> tuple[str, str]:
    """Round one of an event that everybody may watch, and the record of its first table."""
    event: str = told(club, "/tournaments", name="Cup", game=engine, rounds=rounds)["tournament"]
    at = f"/tournaments/{event}"
    told(club, f"{at}/players", players=[{"name": name} for name in NAMES])
    told(club, f"{at}/players/check-in", everybody=True)
    told(club, f"{at}/round/pairing", seed=1)
    told(club, f"{at}/round/start")
    game: str = told(club, f"{at}/tables/1")["game"]
    club.store_context.access.set_rules(event, AccessPolicy(open_to="everybody"))
    return event, game


@pytest.fixture
def event(club: Club) -> str:
    event, game = begun(club, "benevolent")
    told(club, f"/games/{game}/actions", lines=SETUP[:1])
    return event


@pytest.fixture
def recorded(club: Club, event: str) -> str:
    game: str = seen(club, event)["boards"][0]["game"]
    return game


def test_a_board_is_shown_as_late_as_the_event_says(club: Club, event: str, recorded: str) -> None:
    assert seen(club, event)["boards"] == [
        {"table": 1, "board": None, "game": recorded, "version": 1}
    ]
    for rules in (
        AccessPolicy(open_to="everybody", delay_entries=1),
        AccessPolicy(open_to="everybody", delay_seconds=HOUR),
    ):
        club.store_context.access.set_rules(event, rules)
        assert seen(club, event)["boards"][0]["version"] == 0
        whole = club.get(f"/tournaments/{event}/broadcast", "organiser").json()["data"]
        assert whole["boards"][0]["version"] == 1


def test_a_warning_is_between_a_player_and_the_judges(club: Club, event: str) -> None:
    """Whoever else asks learns nothing of it, also when it is cancelled; points are everybody's."""
    at, hub = f"/tournaments/{event}", club.client.app.state.hub  # type: ignore[attr-defined]
    routed = [route for route in routes() if route.reads and route.scope != "public"]
    places = [route.path.replace("{tournament}", event).replace("{player}", "Ana")
              for route in routed if "/tournaments/{tournament}" in route.path]  # fmt: skip

    def read() -> dict[str, list[str]]:
        """Every word about penalties, wherever it stands."""
        texts = {path: club.get(path).text for path in places if "{" not in path}
        texts["page"] = club.client.get(f"{at}/players/Ana").text
        return {path: re.findall("(?i)SECRET|(?:penalt|warning)", text)
                for path, text in texts.items()}  # fmt: skip

    def heard(role: str) -> list[str]:
        caller = hub.access_control.caller(
            Principal("x", role, "" if role == "judge" else NOWHERE),
            "tournament-events", {"tournament": event}, voice_in("en"),
        )  # fmt: skip
        _, feed, _ = hub.of_tournament(caller, event)
        return [event.content.decode() for event in feed._render(-1).events]

    before, told_before = read(), heard("spectator")
    made = told(club, f"{at}/penalties", name="Ana", halves=0, reason="SECRET")
    assert (read(), heard("spectator")) == (before, told_before)
    told(club, f"{at}/penalties/{made['events'][0]['number']}/cancellation", reason="SECRET")
    assert (read(), heard("spectator")) == (before, told_before)
    assert len(heard("judge")) == len(told_before) + 2
    told(club, f"{at}/penalties", name="Ana", halves=1, reason="SECRET")
    assert read() != before
    assert "SECRET" not in str(read()) + str(heard("spectator"))
    club.store_context.access.set_rules(event, AccessPolicy("everybody", delay_seconds=3600))
    assert (read(), heard("spectator")) == (before, told_before)
    assert len(heard("judge")) == len(told_before) + 3


def told_so_far(club: Club, event: str) -> dict[int, bool]:
    """By table of round one: whether a stranger is told its result, alike wherever it stands."""
    at = f"/tournaments/{event}"
    hub = club.client.app.state.hub  # type: ignore[attr-defined]
    caller = hub.access_control.caller(
        Principal("x"), "tournament-events", {"tournament": event}, voice_in("en")
    )
    _, feed, _ = hub.of_tournament(caller, event)
    heard = [
        json.loads(row.content.decode().partition("data: ")[2]) for row in feed._render(-1).events
    ]
    listed = club.get(f"{at}/round?round=1").json()["data"]["tables"]
    found = {row["table"]: row["outcome"] is not None for row in listed}
    streamed = {row["table"] for row in heard if row["kind"] == "result_entered"}
    assert streamed == {table for table, known in found.items() if known}
    rows = club.get(f"{at}/standings").json()["data"]["rows"]
    assert sum(row["values"][0][0] > 0 for row in rows) == len(streamed)
    resting = {row["kind"] for row in heard if row["kind"].endswith(("_closed", "_reopened"))}
    assert bool(resting) == (len(streamed) == 2), resting
    return found


def test_a_result_is_told_when_its_board_may_show_it(club: Club) -> None:
    """At once where nothing is recorded or the delay is until the result; the pairing of the next
    round tells whatever it rests on. Whoever sits there knows it."""
    event, game = begun(club, "benevolent", rounds=2)
    desk, access = club.store_context.desk, club.store_context.access
    late = AccessPolicy("everybody", delay_seconds=HOUR)
    access.set_rules(event, late)
    for table in (2, 1):
        desk.enter_result(event, 1, table, Outcome(places=(1, 2)), "slip")
    told(club, f"/tournaments/{event}/round/close")
    assert told_so_far(club, event) == {1: False, 2: True}
    sitting = club.store_context.bench.game(game).seats["A"]
    club.tokens["player", "there"] = access.give("player", event, sitting)[1]
    for role, scope in (("player", "there"), ("judge", event)):
        rows = club.get(f"/tournaments/{event}/round?round=1", role, scope=scope).json()["data"]
        assert all(row["outcome"] is not None for row in rows["tables"]), role
    by_entries = AccessPolicy("everybody", delay_entries=9)
    for rules in (late._replace(until_result=True), by_entries):
        access.set_rules(event, rules)
        assert told_so_far(club, event) == {1: True, 2: True}, rules
    access.set_rules(event, late)
    told(club, f"/tournaments/{event}/round/pairing", seed=2)
    assert told_so_far(club, event) == {1: True, 2: True}


def test_what_rests_on_results_waits_with_the_first_of_them_that_waits(club: Club) -> None:
    """A round, and the event, closed and reopened for one correction after the other."""
    event, _ = begun(club, "benevolent")
    told(club, f"/tournaments/{event}/tables/2")
    late = AccessPolicy("everybody", delay_seconds=HOUR)
    club.store_context.access.set_rules(event, late)
    desk = club.store_context.desk
    for table in (2, 1):
        desk.enter_result(event, 1, table, Outcome(places=(1, 2)), "slip")
        assert told_so_far(club, event) == {1: False, 2: False}
    for table, places in ((1, (2, 1)), (2, (2, 1)), (1, (1, 2))):
        for step in (
            RoundClosed(round=1),
            TournamentClosed(),
            TournamentReopened(reason="a mistake"),
            RoundReopened(round=1, reason="a mistake"),
            ResultCorrected(round=1, table=table, outcome=Outcome(places=places), reason="so"),
        ):
            desk.tell(event, step, by=By(ORGANISER if "tournament" in step.KIND else JUDGE))
            assert told_so_far(club, event) == {1: False, 2: False}, step
    club.store_context.access.set_rules(event, AccessPolicy("everybody"))
    assert told_so_far(club, event) == {1: True, 2: True}


def test_a_result_waits_for_whichever_record_of_its_table_waits(club: Club) -> None:
    """A table has several where its game was played again; each is shown by rules of its own."""
    event, first = begun(club, "benevolent")
    games = (first, told(club, f"/tournaments/{event}/tables/1", again=True)["game"])
    rules = {
        "over": AccessPolicy(delay_seconds=60),
        "goes on": AccessPolicy(delay_seconds=HOUR),
        "entries": AccessPolicy(delay_entries=9),
    }
    club.store_context.desk.enter_result(event, 1, 1, Outcome(places=(1, 2)), "slip")
    for delays in product(rules, repeat=2):
        for game, delay in zip(games, delays, strict=True):
            club.store_context.access.set_rules(game, rules[delay])
        with patch.object(held_back, "datetime", wraps=datetime) as later:
            later.now.return_value = datetime.now(UTC) + timedelta(seconds=HOUR // 2)
            assert told_so_far(club, event) == {1: {*delays} == {"over"}, 2: False}, delays


@cache
def minute_by_minute(steps: tuple[str, ...]) -> Game:
    """What happens in each minute after the opening; what cannot happen then does not."""
    minute = 0
    bench = Bench(open_store("memory:"), clock=lambda: f"2026-01-02T12:{minute:02}:00.000Z")
    game = open_game(bench, "pebbles", "table A B first A").game.id
    for minute, step in enumerate(steps, 1):  # noqa: B007  # the clock reads it
        then = bench.game(game)
        closed = then.closed is not None
        if step == "take" and not closed:
            log(bench, game, f"take {1 + then.last_number % 2}")
        elif step == "note":
            annotate(bench, game, 0, Annotation("later"))
        elif step == "close" and not closed:
            close(bench, game, reason="supper")
        elif step == "reopen" and closed:
            reopen(bench, game, reason="not yet", by=By(JUDGE))
    return bench.game(game)


@example(("take", "take", "close", "reopen", "take", "take", "close"), 3, 0, 480, False)
@given(
    st.lists(st.sampled_from(("take", "take", "note", "close", "reopen", "")), max_size=9).map(
        tuple
    ),
    st.integers(0, 8),
    st.sampled_from([0, 1, 60, 150, 600]),
    st.integers(0, 1320),
    st.booleans(),
)
def test_an_entry_is_seen_once_it_is_old_enough_and_enough_have_come_behind_it(
    steps: tuple[str, ...], entries: int, seconds: int, later: int, until_result: bool
) -> None:
    """Of every game at least the opening; of one that is over everything if the delay is until
    the result, and else when as much time has passed since its end as its last entries took; what
    is added then, that long after it was."""
    game = minute_by_minute(steps)
    told = [(datetime.fromisoformat(each.at), each.data.KIND) for each in game.entries]
    now, late = BEGUN + timedelta(seconds=later), timedelta(seconds=seconds)
    is_over = False
    if game.closed is not None:
        last = max(at for at, (_, kind) in enumerate(told) if kind == "closed")
        took = told[last][0] - told[max(0, last - entries)][0]
        is_over = now >= told[last][0] + took
        late = max(late, took) if is_over else late
    seen = 0
    for number, (at, _) in enumerate(told, 1):
        if (not late or now - at >= late) and (is_over or len(told) - number >= entries):
            seen = number
    rules = in_force(AccessPolicy("everybody", entries, seconds, until_result=until_result))
    whole = game.closed is not None and rules.until_result
    assert visible_entries(game, rules, now) == (len(told) if whole else max(1, seen))


@pytest.mark.parametrize("over", [False, True])
def test_a_list_of_games_tells_what_their_records_tell_and_no_sooner(
    over: bool, club: Club
) -> None:
    moments = (BEGUN + timedelta(minutes=minute) for minute in count())
    club.store_context.bench._clock = lambda: f"{next(moments).isoformat()[:19]}.000Z"
    game = new_table(Caller(club.store_context), "pebbles", "A B first A", ["take 1", "take 2"] * 2)
    if over:
        close(club.store_context.bench, game, reason="supper")
    record = club.store_context.bench.game(game)
    end = datetime.fromisoformat(record.entries[-1].at)
    for entries, seconds, until in product((0, 2, 9), (0, 60, HOUR), (False, True)):
        policy = AccessPolicy("everybody", entries, seconds, until_result=until)
        club.store_context.access.set_rules(game, policy)
        for minutes in (0, 2, 4, 6, 59, 61):
            now = end + timedelta(minutes=minutes)
            with (
                patch("answers.known_games.datetime", wraps=datetime) as later,
                patch("service.broadcast_delay.datetime", later),
            ):
                later.now.return_value = now
                (row,) = club.get("/games").json()["data"]["games"]
            seen = visible_entries(record, in_force(policy), now)
            told = record.entries[:seen]
            assert (row["entries"], row["updated"], row["closed"]) == (
                seen, told[-1].at, told[-1].data.KIND == "closed",
            ), (policy, minutes)  # fmt: skip


def test_commentary_is_read_when_what_it_is_about_is_seen(club: Club, event: str) -> None:
    at = f"/tournaments/{event}/broadcast"
    told(club, f"{at}/comments", text="General")
    told(club, f"{at}/comments", text="A fine forest", table=1)
    texts = [each["text"] for each in seen(club, event)["comments"]]
    assert texts == ["A fine forest", "General"]
    rules = {
        AccessPolicy(open_to="everybody", delay_entries=1): ["General"],
        AccessPolicy(open_to="everybody", delay_seconds=HOUR): [],
    }
    for policy, expected in rules.items():
        club.store_context.access.set_rules(event, policy)
        assert [each["text"] for each in seen(club, event)["comments"]] == expected
        assert "A fine forest" not in club.client.get(f"/tournaments/{event}/broadcast").text
        members = club.get(at, "judge").json()["data"]["comments"]
        assert [each["text"] for each in members] == texts


def test_nobody_comments_without_a_name(club: Club, event: str) -> None:
    _, token = club.store_context.access.give("judge", event, "anonymous")
    reply = club.client.post(
        f"/api/v1/tournaments/{event}/broadcast/comments",
        json={"text": "hm"},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert (reply.status_code, reply.json()["code"]) == (400, "comment_needs_name")


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_page_is_the_same_for_everybody(
    name: str, club: Club, event: str, recorded: str
) -> None:
    """Whoever shares their screen shows nothing that they alone may see."""
    rules = AccessPolicy(open_to="everybody", delay_entries=1)
    club.store_context.access.set_rules(event, rules)
    path = PAGES[name].path.format(tournament=event, game=recorded)
    stranger = club.client.get(path).text
    PublicPages.LIFETIME, kept = 0.0, PublicPages.LIFETIME
    try:
        for role in ROLES:
            bearer = {"Authorization": f"Bearer {club.token(role)}"}
            assert club.client.get(path, headers=bearer).text == stranger, role
    finally:
        PublicPages.LIFETIME = kept


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_closed_to_strangers_is_shown_to_nobody_on_a_public_page(
    name: str, club: Club, event: str, recorded: str
) -> None:
    """Also where it was shown a moment ago: whether they may look is asked each time."""
    path = PAGES[name].path.format(tournament=event, game=recorded)
    assert club.client.get(path).status_code == 200
    club.store_context.access.set_rules(event, AccessPolicy(open_to="members"))
    for headers in ({}, {"Authorization": f"Bearer {club.token('organiser')}"}):
        for place in (path, f"{API}/tournaments/{event}/broadcast/events"):
            assert club.client.get(place, headers=headers).status_code == 401, place


def test_every_public_page_is_asked_above(club: Club) -> None:
    """The pages register themselves when the service is made: after this file was read."""
    assert {name for name, page in PAGES.items() if page.public} == set(PUBLIC)


def test_only_a_board_that_is_made_for_frames_can_be_framed(
    club: Club, event: str, recorded: str
) -> None:
    names = defaultdict(lambda: "x")
    names |= {
        "tournament": event, "game": recorded, "round": "1", "table": "1", "player": "1",
        "engine": "benevolent", "clause": "BEN-MOVE-1", "kit": "x", "dispute": "d1", "code": "x",
        "season": "season-x", "person": "x",
    }  # fmt: skip
    framed = set()
    for name, placed in PAGES.items():
        reply = club.client.get(placed.path.format_map(names), follow_redirects=False)
        policy = reply.headers["content-security-policy"]
        if policy == IN_FRAMES:
            framed.add(name)
            assert "x-frame-options" not in reply.headers
        else:
            assert "frame-ancestors 'none'" in policy
            assert reply.headers["x-frame-options"] == "DENY"
    assert framed == {"embed"} == {name for name, placed in PAGES.items() if placed.framed}
    assert IN_FRAMES.replace("frame-ancestors *", "frame-ancestors 'none'") == POLICY
    assert all(placed.public for placed in PAGES.values() if placed.framed)


def test_many_who_ask_at_once_are_served_by_one_rendering() -> None:
    made = []
    pages = PublicPages()
    pages.LIFETIME = PATIENCE

    def page() -> bytes:
        made.append(1)
        sleep(0.05)
        return b"page"

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(pages.content, ("broadcast",), page) for _ in range(50)]
        assert {each.result() for each in asked} == {b"page"}
    assert len(made) == 1
    pages.content(("other",), page)
    assert len(made) == 2


def test_the_desk_chooses_boards_and_what_is_not_a_table_is_refused(
    club: Club, event: str, recorded: str
) -> None:
    at = f"/tournaments/{event}/broadcast/featured"
    told(club, at, tables=[2])
    assert seen(club, event)["boards"] == [], "table 2 is not recorded"
    assert club.post(at, "organiser", {"tables": [9]}).json()["code"] == "no_such_table"
    told(club, at, tables=[])
    assert [each["table"] for each in seen(club, event)["boards"]] == [1]


def test_every_game_of_a_closed_event_is_in_its_archive(
    club: Club, event: str, recorded: str
) -> None:
    assert seen(club, event)["archive"] == []
    at = f"/tournaments/{event}"
    told(club, f"/games/{recorded}/finish", reason="late")
    told(club, f"{at}/tables/2/result", places=["A", "B"], reason="slip")
    told(club, f"{at}/tables/1/result", places=["A", "B"], reason="slip")
    told(club, f"{at}/round/close")
    told(club, f"{at}/close", anyway=True)
    assert seen(club, event)["archive"] == [{"round": 1, "table": 1, "game": recorded}]
    assert f"/games/{recorded}/watch" in club.client.get(f"{at}/broadcast").text
    told(club, f"{at}/wall", shows="standings")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_overlay_is_transparent_and_as_large_as_the_stream(
    club: Club, event: str, recorded: str, lang: str
) -> None:
    for size, shown in (("2160p", "2160p"), ("720p", "720p"), ("nonsense", "1080p")):
        page = club.client.get(
            f"/tournaments/{event}/overlay?size={size}&table=1", headers={"Accept-Language": lang}
        )
        assert page.status_code == 200
        assert f"size-{shown}" in page.text
        assert 'class="top"' not in page.text, "nothing around it"
    table, _ = club.get(f"/tournaments/{event}/round", "organiser").json()["data"]["tables"]
    assert all(each["name"] in page.text for each in table["seats"])
    style = (Path(__file__).parents[2] / "service/static/broadcast.css").read_text("utf-8")
    assert "background: transparent" in style


def test_the_wall_shows_what_the_desk_has_chosen_unless_it_has_a_view_of_its_own(
    club: Club, event: str
) -> None:
    told(club, f"/tournaments/{event}/wall", shows="clock", paused=True, leaf=3)
    wall = embedded(club.client.get(f"/tournaments/{event}/wall").text)
    assert (wall["shows"], wall["remote"]) == (
        "clock", {"shows": "clock", "paused": True, "leaf": 3, "section": ""},
    )  # fmt: skip
    own = embedded(club.client.get(f"/tournaments/{event}/wall?show=standings").text)
    assert own["shows"] == "standings"


def test_readers_are_told_that_there_is_something_new_and_how_many_they_are(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as running:
        said = {"name": "Cup", "game": "benevolent", "rounds": 1}
        event = running.ask("POST", "/tournaments", said)[1]["data"]["tournament"]
        at = f"/tournaments/{event}"
        running.ask("PATCH", f"{at}/access", {"open_to": "everybody"})
        with (
            running.listening(f"{at}/broadcast/events", 0) as first,
            running.listening(f"{at}/broadcast/events", 0) as second,
        ):
            found = [data for _, data in events(second, 2)]
            assert {"viewers": 2} in found
            (state,) = [data["state"] for data in found if "state" in data]
            told = [data for _, data in events(first, 2)]
            assert {"state": state} in told, json.dumps(told)
            item = {"at": "2026-11-21T09:30:00.000Z", "text": "Round 1"}
            running.ask("POST", f"{at}/broadcast/schedule", {"items": [item]})
            new = next(
                data for _, data in iter(lambda: events(second, 1)[0], None) if "state" in data
            )
            assert new["state"] != state


@pytest.mark.parametrize("engine", samples())
def test_a_score_is_shown_as_soon_as_points_are_won_in_play(club: Club, engine: str) -> None:
    event, game = begun(club, engine)
    played = club.store_context.bench.game(game)
    scores = played.engine.score(played.state)[1]
    shown = club.client.get(f"/tournaments/{event}/overlay?table=1").text
    assert shown.count('class="score"') == (len(scores) if any(scores.values()) else 0)
    if engine == "broom_service":
        assert any(scores.values()), "everybody begins with points"
