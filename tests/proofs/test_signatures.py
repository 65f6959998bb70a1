"""Signatures on a record, and what a forger can do about them."""

from __future__ import annotations

import pytest

from referee.proof.keys import KeyRing
from referee.proof.signatures import check_signatures, sign, signed_message
from referee.proof.verify import Report, verify
from referee.record.entries import Signed
from referee.table.author import Author
from referee.table.bench import Bench
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench
from tests.record.test_verify import rechained, rewritten

JUDGE = Author("pjo", "judge")


@pytest.fixture
def signed(bench: Bench, table: str, ring: KeyRing) -> str:
    """A game signed in its middle by the judge, then played on."""
    ring.new("jo")
    log(bench, table, "take 2")
    sign(bench, table, ring, "jo", author=JUDGE)
    log(bench, table, "take 1")
    return table


def prove(bench: Bench, table: str, ring: KeyRing, *signers: str) -> Report:
    return verify(table, bench.store.read(table), trusted=ring.trusted(), signers=signers)


def test_a_signature_vouches_for_everything_before_it(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    report = prove(bench, signed, ring, "jo")
    assert report.ok
    (found,) = report.signatures
    assert (found.seq, found.signs, found.name, found.role) == (2, 1, "jo", "judge")
    assert found.status == "good"


def test_an_unknown_key_is_named_but_proves_nothing(bench: Bench, signed: str) -> None:
    report = verify(signed, bench.store.read(signed), signers=["jo"])
    assert [signature.status for signature in report.signatures] == ["unknown"]
    assert [problem.key for problem in report.problems] == ["not_signed"]


def test_a_rewritten_beginning_does_not_fit_its_signature(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    rows = list(bench.store.read(signed))
    forged = rechained([rewritten(rows[0], by="pmallory"), *rows[1:]])
    report = verify(signed, forged, trusted=ring.trusted())
    assert [(p.check, p.seq, p.key) for p in report.problems] == [
        ("signature", 2, "signature_wrong")
    ]


def test_a_forger_who_drops_the_signature_is_asked_for_it(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    rows = list(bench.store.read(signed))
    forged = rechained([*rows[:2], *rows[3:]])
    assert verify(signed, forged, trusted=ring.trusted()).ok
    report = verify(signed, forged, trusted=ring.trusted(), signers=["jo"])
    assert [(p.check, p.key) for p in report.problems] == [("signature", "not_signed")]


def test_a_signature_fits_no_other_game(bench: Bench, signed: str, ring: KeyRing) -> None:
    given = bench.game(signed).entries[2].data
    assert isinstance(given, Signed)
    opened = open_game(bench, "pebbles", "table A B first A").game
    other = log(bench, opened.id, "take 2").game
    bench.tell(other, [Signed(seq=1, head=other.head, **_hand(given))], JUDGE, None)
    assert [s.status for s in prove(bench, other.id, ring).signatures] == ["wrong"]


def _hand(given: Signed) -> dict[str, str]:
    return {"key": given.key, "signature": given.signature}


def test_a_signature_over_another_entry_or_head_is_wrong(
    bench: Bench, table: str, ring: KeyRing
) -> None:
    ring.new("jo")
    log(bench, table, "take 2")
    game = bench.game(table)
    for seq, head in ((0, game.head), (1, game.entries[0].head)):
        key, signature = ring.sign("jo", signed_message(table, seq, head))
        signed = Signed(seq=seq, head=head, key=key, signature=signature)
        game = bench.tell(game, [signed], JUDGE).game
    key, signature = ring.sign("jo", signed_message("game-other", 1, game.entries[1].head))
    forged = Signed(seq=1, head=game.entries[1].head, key=key, signature=signature)
    game = bench.tell(game, [forged], JUDGE).game
    statuses = [s.status for s in check_signatures(game.id, game.entries, ring.trusted())]
    assert statuses == ["wrong"] * 3


def test_a_signature_cannot_cover_itself_or_the_future(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    rows = list(bench.store.read(signed))
    for seq in (2, 3, 99):
        body = rewritten(rows[2], data={**_data(rows[2].body), "seq": seq})
        report = verify(signed, rechained([*rows[:2], body, *rows[3:]]))
        assert (report.problems[0].key, report.problems[0].seq) == ("cannot_follow", 2)


def _data(body: bytes) -> dict[str, object]:
    import json

    data: dict[str, object] = json.loads(body)["data"]
    return data


class TestRevokedKeys:
    """The bench below writes one entry a minute, from 12:00 on."""

    @pytest.fixture
    def table(self, ring: KeyRing) -> tuple[Bench, str]:
        minutes = iter(range(60))
        bench = make_bench()
        bench._clock = lambda: f"2026-01-01T12:{next(minutes):02}:00.000Z"
        table = open_game(bench, "pebbles", "table A B first A").game.id
        ring.new("jo")
        log(bench, table, "take 2")
        sign(bench, table, ring, "jo", author=JUDGE)
        return bench, table

    def test_what_was_signed_before_stays_good(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        ring.revoke("jo", "2026-01-01T12:03:00.000Z", "lost")
        assert prove(*table, ring, "jo").ok

    def test_what_is_signed_afterwards_is_not(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        ring.revoke("jo", "2026-01-01T12:01:30.000Z", "lost")
        report = prove(*table, ring, "jo")
        assert [p.key for p in report.problems] == ["signature_revoked", "not_signed"]

    def test_a_thief_who_turns_the_clock_back_is_found_out(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        bench, game = table
        log(bench, game, "take 1")
        key = ring.find("jo")
        rows = list(bench.store.read(game))
        message = signed_message(game, 3, rows[3].head)
        _, signature = ring.sign("jo", message)
        bench._clock = lambda: "2026-01-01T12:00:30.000Z"
        entry = Signed(seq=3, head=rows[3].head, key=key.key, signature=signature)
        bench.tell(bench.game(game), [entry], JUDGE, None)
        ring.revoke("jo", "2026-01-01T12:02:30.000Z", "stolen")
        statuses = [s.status for s in prove(bench, game, ring).signatures]
        assert statuses == ["good", "revoked"]


def test_without_the_extra_signatures_are_listed_as_unchecked(
    bench: Bench, signed: str, ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.errors import Misused
    from referee.proof import signatures

    def missing(*_: object) -> bool:
        raise Misused("extra_missing", extra="keys")

    monkeypatch.setattr(signatures, "is_signed", missing)
    report = prove(bench, signed, ring)
    assert report.ok
    assert [s.status for s in report.signatures] == ["unchecked"]


def test_no_secret_gets_into_the_record(bench: Bench, table: str, ring: KeyRing) -> None:
    ring.new("jo", "correct horse")
    sign(bench, table, ring, "jo", passphrase="correct horse", author=JUDGE)
    stored = b"".join(row.body for row in bench.store.read(table))
    file = (ring.folder / "jo.key").read_text()
    private = file.partition('"private":"')[2].partition('"')[0]
    assert private
    assert private.encode() not in stored
    assert b"correct horse" not in stored
