"""A tournament has a head, signatures and seals, and is proven, as a game is."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from referee.archive.record_files import read_record, record_lines
from referee.errors import Conflicting, NotAllowed, Unfit
from referee.proof.head_codes import head_code
from referee.proof.keys import KeyRing
from referee.proof.round_seals import check_seal, make_seal
from referee.proof.verify import VerificationReport
from referee.store.canonical_json import canonical
from referee.store.envelopes import Stored
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.tournament.desk import Desk
from referee.tournament.events import LotDrawn, Outcome, RoundClosed, TournamentClosed
from referee.tournament.proof import examine_tournament, sign, verify_tournament
from referee.tournament.splitmix import SplitMix64
from tests.proofs.conftest import ring
from tests.record.test_verify import rechained
from tests.tournament.test_desk import PEBBLES, cup, desk, desk_over, play_out, started

__all__ = ["desk", "ring"]


@pytest.fixture
def event(desk: Desk) -> str:
    """A cup after its first round: one table was refereed, the other handed in a slip."""
    cup_id = cup(desk)
    number = started(desk, cup_id)
    play_out(desk, desk.open_table(cup_id, number, 1, PEBBLES)[0].game.id)
    desk.take_result(cup_id, number, 1)
    desk.enter_result(cup_id, number, 2, Outcome(places=(1, 2)), "paper slip", by=By(SCRIBE))
    desk.tell(cup_id, RoundClosed(round=number))
    return cup_id


def prove(
    desk: Desk, event: str, rows: list[Stored] | None = None, **known: Any
) -> VerificationReport:
    stored = desk.bench.store.read(event)
    return verify_tournament(desk, event, stored if rows is None else rows, **known)


def forged(desk: Desk, event: str, kind: str, change: Callable[[Any], object]) -> list[Stored]:
    """The stream with one event changed, by a forger who computes the chain anew."""
    rows = list(desk.bench.store.read(event))
    index = next(i for i, row in enumerate(rows) if row.topic.startswith(f"{kind}@"))
    body = json.loads(rows[index].body)
    change(body)
    rows[index] = rows[index]._replace(body=canonical(body))
    return rechained(rows)


def test_an_honest_tournament_proves_itself(desk: Desk, event: str) -> None:
    report = prove(desk, event)
    assert report.problems == []
    assert [what for what, _ in report.unproven] == ["unsigned", "names"]


def test_a_head_shows_what_was_turned_round(desk: Desk, event: str) -> None:
    head = desk.load(event).head
    turned = forged(
        desk,
        event,
        "result_entered",
        lambda body: body["data"].update(source={"kind": "hand", "reason": "slip"}),
    )
    assert not prove(desk, event, turned, published=[head_code(head)]).ok
    assert prove(desk, event, published=[head_code(head)]).unproven == [("names", {})]


@pytest.mark.parametrize(
    ("kind", "change", "check"),
    [
        ("result_entered", lambda b: b["data"]["outcome"]["places"].reverse(), "replay"),
        ("round_paired", lambda b: b["data"]["tables"][0]["seats"].reverse(), "replay"),
        ("round_paired", lambda b: b["data"].update(seed=8), "replay"),
        ("round_paired", lambda b: b.update(role="scribe"), "law"),
        ("round_closed", lambda b: b.update(role="scribe"), "law"),
        ("round_closed", lambda b: b.update(at="2019-01-01T00:00:00.000Z"), "law"),
        ("round_closed", lambda b: b["data"].update(round=7), "replay"),
        ("player_checked_in", lambda b: b["data"].update(player="pnobody"), "replay"),
        ("round_closed", lambda b: b.update(key=""), "form"),
        ("player_registered", lambda b: b["data"].pop("club"), "law"),
        ("round_paired", lambda b: b["data"]["tables"][0].update(number=True), "law"),
        ("tournament_created", lambda b: b["data"]["plan"].update(games=["pebblesx"]), "law"),
    ],
)
def test_a_forged_event_is_named(
    desk: Desk, event: str, kind: str, change: Callable[[Any], object], check: str
) -> None:
    report = prove(desk, event, forged(desk, event, kind, change))
    assert check in {problem.check for problem in report.problems}


def test_a_signature_covers_the_tournament_and_its_signer(
    desk: Desk, event: str, ring: KeyRing
) -> None:
    ring.new("club")
    desk.tell(event, TournamentClosed())
    hosted, signed = sign(desk, event, ring, "club", author=Author("pjo", "organiser"))
    assert signed.seq == len(hosted.told) - 2
    trusted = ring.trusted()
    report = prove(desk, event, trusted=trusted, signers=["club"])
    assert report.ok
    assert report.unproven == [("names", {})]
    for kind, change in (
        ("result_entered", lambda body: body.update(by="pmallory")),
        ("tournament_signed", lambda body: body.update(role="judge")),
        ("tournament_signed", lambda body: body.update(by="pmallory")),
    ):
        rows = forged(desk, event, kind, change)
        assert not prove(desk, event, rows, trusted=trusted).ok


def test_a_seat_or_spectator_does_not_sign(desk: Desk, event: str, ring: KeyRing) -> None:
    ring.new("ana")
    with pytest.raises(NotAllowed):
        sign(desk, event, ring, "ana", author=Author("pana", "spectator"))


def test_a_seal_pins_a_tournament(desk: Desk, event: str) -> None:
    store = desk.bench.store
    seal = make_seal(store, [event], "Round 1", "2026-01-02T00:00:00.000Z")
    desk.tell(event, TournamentClosed())
    assert [problem.key for problem in check_seal(store, seal, {})] == ["unsigned"]
    elsewhere = desk_over("memory:").bench.store
    assert "missing" in [problem.key for problem in check_seal(elsewhere, seal, {})]


# a file that travels


def test_a_tournament_travels_with_its_chain_and_signatures(
    desk: Desk, event: str, ring: KeyRing
) -> None:
    ring.new("club")
    sign(desk, event, ring, "club")
    lines = list(record_lines(desk.bench.store, event, {"pana": "Ana"}))
    elsewhere = desk_over("memory:")
    arrival = examine_tournament(elsewhere, read_record(lines))
    assert arrival.names == {"pana": "Ana"}
    elsewhere.bench.store.adopt_all([arrival.new])
    assert elsewhere.bench.store.read(event) == desk.bench.store.read(event)
    report = prove(elsewhere, event, trusted=ring.trusted(), signers=["club"])
    assert report.ok
    assert ("records", {"count": 1}) in report.unproven
    assert examine_tournament(elsewhere, read_record(lines)).new == ()


def test_a_forged_tournament_is_not_taken_in(desk: Desk, event: str) -> None:
    rows = forged(desk, event, "round_paired", lambda body: body["data"].update(seed=8))
    elsewhere = desk_over("memory:")
    with pytest.raises(Unfit, match="not_proven"):
        examine_tournament(elsewhere, read_record(row.body for row in rows))
    assert elsewhere.bench.store.streams() == ()


def test_a_tournament_that_goes_on_here_is_not_continued_from_a_file(
    desk: Desk, event: str
) -> None:
    lines = list(record_lines(desk.bench.store, event))
    elsewhere = desk_over("memory:")
    early = examine_tournament(elsewhere, read_record(lines[:5]))
    elsewhere.bench.store.adopt_all([early.new])
    with pytest.raises(Conflicting, match="would_continue_event"):
        examine_tournament(elsewhere, read_record(lines))


def test_only_an_organiser_takes_in_a_tournament(desk: Desk, event: str) -> None:
    lines = list(record_lines(desk.bench.store, event))
    with pytest.raises(NotAllowed):
        examine_tournament(desk_over("memory:"), read_record(lines), author=JUDGE)


def test_the_order_of_a_lot_is_drawn_again_from_its_seed(desk: Desk, event: str) -> None:
    players = [*desk.load(event).now.players]
    order = tuple(SplitMix64(5).shuffled(sorted(players)))
    desk.tell(event, LotDrawn(order=order, seed=5, reason="level"))
    by_hand = LotDrawn(order=tuple(reversed(order)), reason="drawn from a hat")
    desk.tell(event, by_hand)
    dice = SplitMix64(9)
    groups = [sorted(players[:2]), sorted(players[2:])]
    together = [
        LotDrawn(order=tuple(dice.shuffled(group)), seed=9, reason="cut") for group in groups
    ]
    desk.tell(event, *together)
    assert prove(desk, event).problems == []
    for other in list(permutations(order))[:6]:
        if other != order:
            rows = forged(desk, event, "lot_drawn", lambda b: b["data"].update(order=[*other]))  # noqa: B023
            assert "other_lot" in {problem.key for problem in prove(desk, event, rows).problems}
    rows = forged(desk, event, "lot_drawn", lambda b: b["data"].update(seed=6))
    assert "other_lot" in {problem.key for problem in prove(desk, event, rows).problems}
