"""A seat's phone: its own actions, its word on the record, and secrets that stay with it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from answers.admin import access
from answers.context import Caller
from referee.record.game import seal_digest
from tests.answers.conftest import SETUP
from tests.pages.club import PHONE, Club
from tests.pages.player import data_of, logged, say_line, settled
from tests.photos import png

pytestmark = pytest.mark.xdist_group("pages seat")


@pytest.fixture
def game(club: Club) -> str:
    return club.table("benevolent", "A=blue B=red first A", SETUP, A="Ana", B="Bo")


@pytest.fixture
def phone(devices: Any, game: str) -> Any:
    device = devices("seat:A", game, **PHONE)
    device.open(f"/games/{game}/seat").wait_for_selector("body[data-ready]")
    return device


def test_a_seat_logs_its_own_actions_and_sees_whose_turn_it_is(
    club: Club, devices: Any, phone: Any, game: str
) -> None:
    other = devices("seat:B", game, **PHONE).open(f"/games/{game}/seat")
    other.wait_for_selector("body[data-ready]")
    assert phone.page.locator("#next.mine").count() == 1
    assert data_of(other)["lines"] == []
    say_line(phone.page, "A step c2")
    logged(phone.page, 7)
    say_line(phone.page, "A gather")
    other.wait_for_selector("#next.mine")
    assert club.lines(game)[-2:] == ["A step c2", "A gather"]


def test_where_the_scribe_logs_a_phone_does_not(club: Club, phone: Any, game: str) -> None:
    access.set_rules(Caller(club.store_context), game, seats_log=False)
    phone.page.reload()
    phone.page.wait_for_selector("body[data-ready]")
    assert phone.page.locator("#taps button").count() == 0


def test_a_seat_confirms_what_it_has_seen_and_objects_to_the_rest(
    club: Club, phone: Any, game: str
) -> None:
    page = phone.page
    page.click("#own [data-do=confirm]")
    page.wait_for_selector("#verdict.good")
    assert club.store_context.bench.game(game).confirmed["A"].seq == 6
    page.click("#moves [data-number='5'] [data-do=more]")
    page.click("#dialog [data-do=object-it]")
    page.fill("#dispute-text", "c1 was taken")
    page.set_input_files(
        "#dispute-photo", {"name": "t.png", "mimeType": "image/png", "buffer": png()}
    )
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#notices >> text=d1")
    (dispute,) = club.store_context.bench.game(game).disputes.values()
    assert (dispute.seat, dispute.numbers, dispute.text) == ("A", (5,), "c1 was taken")
    assert not dispute.holds
    page.wait_for_selector("#moves [data-photo]")
    (photo,) = club.store_context.bench.game(game).photos.values()
    assert photo.dispute == dispute.id


def test_a_seats_call_can_pause_the_game(club: Club, phone: Any, game: str) -> None:
    phone.page.click("#moves [data-number='5'] [data-do=more]")
    phone.page.click("#dialog [data-do=object-it]")
    phone.page.click("#dialog [data-do=send-hold]")
    phone.page.wait_for_selector("#notices >> text=Game paused")
    now = club.store_context.bench.game(game)
    assert now.held is not None
    assert now.disputes["d1"].holds


def test_a_secret_is_hashed_in_the_page_and_told_later(club: Club, phone: Any, game: str) -> None:
    page = phone.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    page.click("#own [data-do=seal]")
    page.fill("#dialog #what", "plan")
    page.fill("#dialog #secret", "crystal and amber")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#own .sealed")
    settled(page)
    assert not any("crystal" in body for body in sent)
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.click("#own [data-do=open]")
    page.click("#dialog [data-do=send]")
    page.wait_for_selector("#own >> text=crystal and amber")
    assert page.evaluate("localStorage.length") == 0
    assert len(club.store_context.bench.game(game).unsealed) == 1


def test_the_pages_hash_is_the_standards_and_the_records(phone: Any) -> None:
    sizes = [0, 1, 3, 55, 56, 63, 64, 65, 111, 119, 120, 1000]
    found = phone.page.evaluate(
        """async (sizes) => {
          const { sha256 } = await import("/static/sha256.js");
          return sizes.map((size) => sha256(new Uint8Array(size).map((_, n) => n * 7 + size)));
        }""",
        sizes,
    )
    texts = [bytes((n * 7 + size) % 256 for n in range(size)) for size in sizes]
    assert found == [hashlib.sha256(text).hexdigest() for text in texts]
    words = ["né", '«\u202f"quoted"\u202f»', "b\\c"]
    salt = "00ff" * 8
    made = phone.page.evaluate(
        """async ([salt, words]) => {
          const { digest } = await import("/static/seal.js");
          return digest("game-abc", "A", "hand", salt, words);
        }""",
        [salt, words],
    )
    assert made == seal_digest("game-abc", "A", "hand", salt, words)


def test_a_page_of_a_seat_is_for_that_seat_alone(club: Club, devices: Any, game: str) -> None:
    device = devices("scribe", game)
    reply = device.context.request.get(f"{club.url}/games/{game}/seat")
    assert reply.status == 403
