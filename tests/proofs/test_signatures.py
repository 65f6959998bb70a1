"""Signatures on a record, and what a forger can do about them."""

from __future__ import annotations

import json
from itertools import count
from random import Random

import pytest

from referee.proof.keys import KeyRing
from referee.proof.signatures import (
    Signer,
    check_signatures,
    sign,
    vouched,
    vouched_in_form_1,
)
from referee.proof.verify import VerificationReport, verify
from referee.record.entries import Signed
from referee.record.game import Game
from referee.table.author import Author, By
from referee.table.bench import Bench
from referee.table.notes import Annotation, annotate
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
    sign(bench, table, ring, "jo", by=By(JUDGE))
    log(bench, table, "take 1")
    return table


def prove(bench: Bench, table: str, ring: KeyRing, *signers: str) -> VerificationReport:
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
    bench.tell(other, [Signed(seq=1, head=other.head, **_hand(given))], By(JUDGE, None))
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
        game = old_signature(bench, table, ring, seq, head, of=table)
    head = game.entries[1].head
    game = old_signature(bench, table, ring, 1, head, of="game-other")
    statuses = [s.status for s in check_signatures(game.id, game.entries, ring.trusted())]
    assert statuses == ["wrong"] * 3


def old_signature(bench: Bench, table: str, ring: KeyRing, seq: int, head: str, *, of: str) -> Game:
    """A signature as 0.1.0 made it, told to the record."""
    signer = Signer(seq + 1, "", "", "", "")
    key, signature = ring.sign("jo", vouched_in_form_1(of, head, signer))
    signed = Signed(seq=seq, head=head, key=key, signature=signature)
    return bench.tell(bench.game(table), [signed], By(JUDGE)).game


def test_an_old_signature_vouches_for_the_record_and_not_for_its_signer(
    bench: Bench, table: str, ring: KeyRing
) -> None:
    ring.new("jo")
    game = bench.game(table)
    old_signature(bench, table, ring, game.version, game.head, of=table)
    report = prove(bench, table, ring, "jo")
    assert report.ok
    assert report.covered == 0
    assert ("signer", {"name": "jo", "entry": 1}) in report.unproven
    assert ("behind", {"first": 1, "last": 1}) in report.unproven


@pytest.mark.parametrize(
    "change",
    [
        {"role": "organiser"},
        {"role": "seat:A"},
        {"by": "pmallory"},
        {"at": "2026-01-01T12:00:01.000Z"},
        {"key": "another"},
    ],
)
def test_a_signature_covers_who_signs_in_which_role_and_when(
    bench: Bench, signed: str, ring: KeyRing, change: dict[str, str]
) -> None:
    rows = list(bench.store.read(signed))
    forged = rechained([*rows[:2], rewritten(rows[2], **change), *rows[3:]])
    report = verify(signed, forged, trusted=ring.trusted())
    assert ("signature", 2, "signature_wrong") in [(p.check, p.seq, p.key) for p in report.problems]


def test_a_signature_that_is_copied_to_a_later_place_is_wrong(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    rows = list(bench.store.read(signed))
    copied = rewritten(rows[2], key="again")
    report = verify(signed, rechained([*rows, copied]), trusted=ring.trusted())
    assert [(p.seq, p.key) for p in report.problems] == [(4, "signature_wrong")]


def test_an_old_form_cannot_be_claimed_for_a_new_signature(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    rows = list(bench.store.read(signed))
    body = json.loads(rows[2].body)
    del body["data"]["form"]
    forged = rechained([*rows[:2], rewritten(rows[2], data=body["data"]), *rows[3:]])
    report = verify(signed, forged, trusted=ring.trusted())
    assert [p.key for p in report.problems] == ["signature_wrong"]


def test_what_comes_after_the_last_signature_is_said_to_be_unproven(
    bench: Bench, signed: str, ring: KeyRing
) -> None:
    report = prove(bench, signed, ring)
    assert report.covered == 2
    assert report.unproven == [("behind", {"first": 3, "last": 3}), ("names", {})]
    head = bench.game(signed).head
    known = verify(signed, bench.store.read(signed), trusted=ring.trusted(), published=[head])
    assert known.unproven == [("names", {})]
    nobody = verify(signed, bench.store.read(signed))
    assert nobody.unproven == [("unsigned", {}), ("names", {})]


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
        sign(bench, table, ring, "jo", by=By(JUDGE))
        return bench, table

    def test_what_was_signed_before_is_in_doubt(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        """Whoever has the key could have written all of the record, dated back."""
        ring.revoke("jo", "2026-01-01T12:03:00.000Z", "lost")
        report = prove(*table, ring)
        assert [s.status for s in report.signatures] == ["doubtful"]
        assert report.ok
        assert ("unsigned", {}) in report.unproven
        assert [p.key for p in prove(*table, ring, "jo").problems] == ["not_signed"]

    def test_what_was_signed_before_is_good_if_somebody_else_signed_behind_it(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        ring.new("club")
        sign(*table, ring, "club", by=By(JUDGE))
        ring.revoke("jo", "2026-01-01T12:03:00.000Z", "lost")
        assert prove(*table, ring, "jo", "club").ok

    def test_what_was_signed_before_is_good_if_its_head_is_known(
        self, table: tuple[Bench, str], ring: KeyRing
    ) -> None:
        bench, game = table
        ring.revoke("jo", "2026-01-01T12:03:00.000Z", "lost")
        rows, trusted = bench.store.read(game), ring.trusted()
        earlier = verify(game, rows, trusted=trusted, signers=["jo"], published=[rows[1].head])
        assert not earlier.ok
        assert verify(game, rows, trusted=trusted, signers=["jo"], published=[rows[2].head]).ok

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
        back, head = "2026-01-01T12:00:30.000Z", rows[3].head
        signer = Signer(4, back, JUDGE.person, JUDGE.role, "stolen")
        _, signature = ring.sign("jo", vouched(game, head, signer))
        entry = Signed(form=2, seq=3, head=head, key=key.key, signature=signature)
        bench.tell(bench.game(game), [entry], By(JUDGE, "stolen", at=back))
        ring.revoke("jo", "2026-01-01T12:02:30.000Z", "stolen")
        statuses = [s.status for s in prove(bench, game, ring).signatures]
        assert statuses == ["doubtful", "revoked"]


DAY = "2026-01-01T"
SIGNERS = ("jo", "eva", "club")


@pytest.mark.parametrize("seed", range(24))
def test_several_signatures_are_believed_as_their_keys_and_each_other_allow(
    ring: KeyRing, seed: int
) -> None:
    """Beside a list: who signed where and when, and since when whose key is no longer good."""
    chance, bench, minutes = Random(seed), make_bench(), count()
    bench._clock = lambda: f"{DAY}12:{next(minutes):02}:00.000Z"
    table = open_game(bench, "pebbles", "table A B first A").game.id
    keys = {name: ring.new(name).key for name in SIGNERS}
    signed: list[tuple[int, str, str]] = []
    for _ in range(9):
        if chance.random() < 0.3:
            annotate(bench, table, 0, Annotation("hm"))
        name = SIGNERS[min(chance.randrange(3), chance.randrange(3))]
        entry = sign(bench, table, ring, name, by=By(JUDGE)).entries[0]
        signed.append((entry.seq, name, entry.at))
    ended = {
        name: f"{DAY}12:{chance.randrange(14):02}:30.000Z"
        for name in SIGNERS
        if chance.random() < 0.7
    }
    for name, moment in ended.items():
        ring.revoke(name, moment, "lost")
    trusted = {key: each for key, each in ring.trusted().items() if chance.random() < 0.9}
    known = [name for name in SIGNERS if keys[name] in trusted]
    heads = sorted(chance.sample(range(bench.game(table).version + 1), chance.randint(0, 3)))
    chance.shuffle(heads)
    sure = [seq for seq, name, _ in signed if name in known and name not in ended]
    borne_out = max([*sure, *heads, -1])
    statuses = [
        "unknown" if name not in known
        else "good" if name not in ended or (at < ended[name] and seq <= borne_out)
        else "doubtful" if at < ended[name]
        else "revoked"
        for seq, name, at in signed
    ]  # fmt: skip
    rows = bench.store.read(table)
    published = [rows[seq].head for seq in heads]
    report = verify(table, rows, trusted=trusted, published=published, signers=SIGNERS)
    told = [(one.seq, one.name, one.status) for one in report.signatures]
    assert told == [
        (seq, name if name in known else "", status)
        for (seq, name, _), status in zip(signed, statuses, strict=True)
    ]
    good = [
        (seq, name) for (seq, name, _), one in zip(signed, statuses, strict=True) if one == "good"
    ]
    assert report.covered == max([*(seq for seq, _ in good), *heads, -1])
    missing = [one.facts["name"] for one in report.problems if one.key == "not_signed"]
    assert missing == [name for name in SIGNERS if name not in {signer for _, signer in good}]
    revoked = [one.seq for one in report.problems if one.key == "signature_revoked"]
    assert revoked == [
        told[0] for told, one in zip(signed, statuses, strict=True) if one == "revoked"
    ]


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
    sign(bench, table, ring, "jo", passphrase="correct horse", by=By(JUDGE))
    stored = b"".join(row.body for row in bench.store.read(table))
    file = (ring.folder / "jo.key").read_text()
    private = file.partition('"private":"')[2].partition('"')[0]
    assert private
    assert private.encode() not in stored
    assert b"correct horse" not in stored
