"""Seats agree with what the record says; what may follow the end is a short list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Conflicting, Misused, NotAllowed, NotFound
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, cancel_penalty, issue, penalise
from referee.proof.commitments import seal_digest_of
from referee.proof.verify import verify
from referee.record.entries import AFTER_THE_END, KINDS, Confirmed
from referee.record.fold import fold
from referee.record.game import RecordError
from referee.store.sidecars.attachments import Attachments
from referee.table.author import JUDGE, Author, By
from referee.table.bench import Bench
from referee.table.confirmations import confirm
from referee.table.corrections import undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.photos import erase_photo, photograph
from referee.untrusted.photos import Photo
from tests.record.test_bench import play

ANA, BO = Author("pana", "seat:A"), Author("pbo", "seat:B")

PHOTO = Photo(b"a photograph", b"small", 4, 3)


def finished(bench: Bench, table: str) -> str:
    play(bench, table, "take 3", "take 2")
    close(bench, table, reason="late")
    return table


def proven(bench: Bench, table: str) -> bool:
    return verify(table, bench.store.read(table)).ok


def test_a_result_is_agreed_when_every_seat_has_confirmed_the_closing_entry(
    bench: Bench, table: str
) -> None:
    confirm(bench, table, by=By(ANA))
    finished(bench, table)
    assert not bench.game(table).agreed
    confirm(bench, table, by=By(ANA))
    annotate(bench, table, 1, Annotation("a fine opening"))
    assert not bench.game(table).agreed
    confirm(bench, table, by=By(BO))
    assert bench.game(table).agreed
    assert proven(bench, table)


def test_a_record_with_confirmations_is_read_as_it_was_written(bench: Bench, table: str) -> None:
    finished(bench, table)
    for seat in (ANA, BO):
        confirm(bench, table, by=By(seat))
    read = fold(table, bench.store.read(table))
    assert read.agreed
    assert read.confirmed == bench.game(table).confirmed


def test_a_confirmation_names_the_entry_and_its_head(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    made = confirm(bench, table, by=By(ANA)).entries[0].data
    assert isinstance(made, Confirmed)
    assert (made.seat, made.seq) == ("A", 1)
    assert made.head == bench.game(table).entries[1].head
    again = confirm(bench, table, by=By(BO)).entries[0].data
    assert isinstance(again, Confirmed)
    assert again.seq == 1, "other confirmations are not confirmed"


def test_reopening_a_record_ends_the_agreement(bench: Bench, table: str) -> None:
    finished(bench, table)
    for seat in (ANA, BO):
        confirm(bench, table, by=By(seat))
    reopen(bench, table, reason="miscounted")
    assert not bench.game(table).agreed
    undo(bench, table)
    close(bench, table, reason="it was late")
    assert not bench.game(table).agreed


def test_only_a_seat_confirms_and_only_for_itself(bench: Bench, table: str) -> None:
    with pytest.raises(NotAllowed):
        confirm(bench, table, by=By(JUDGE))
    game = bench.game(table)
    with pytest.raises(NotAllowed):
        bench.tell(game, [Confirmed(seat="A", seq=0, head=game.head)], By(BO))


def test_what_is_not_there_cannot_be_confirmed(bench: Bench, table: str) -> None:
    with pytest.raises(NotFound):
        confirm(bench, table, by=By(ANA), seq=7)
    game = bench.game(table)
    with pytest.raises(RecordError):
        bench.tell(game, [Confirmed(seat="A", seq=0, head="0" * 64)], By(ANA))


def test_a_confirmation_given_again_with_its_key_is_one(bench: Bench, table: str) -> None:
    first = confirm(bench, table, by=By(ANA, "phone-1"))
    again = confirm(bench, table, by=By(ANA, "phone-1"))
    assert first.entries == again.entries
    assert bench.game(table).version == 1


def sealed(bench: Bench, table: str) -> Any:
    return seal_digest_of(bench, table, "A", "plan", "0" * 64, by=By(ANA))


AFTER: dict[str, Callable[[Bench, str], Any]] = {
    "disputed": lambda b, t: dispute(b, t, 1, by=By(ANA)),
    "dispute_closed": lambda b, t: withdraw(b, t, "d1", by=By(ANA)),
    "ruled": lambda b, t: issue(b, t, Decision("so be it", numbers=(1,)), by=By(JUDGE)),
    "penalised": lambda b, t: penalise(b, t, "A", "warning", "slow", by=By(JUDGE)),
    "penalty_cancelled": lambda b, t: cancel_penalty(b, t, "x1", "mistaken", by=By(JUDGE)),
    "confirmed": lambda b, t: confirm(b, t, by=By(ANA)),
    "noted": lambda b, t: annotate(b, t, 1, Annotation("well")),
    "unnoted": lambda b, t: remove_note(b, t, "n1"),
    "photographed": lambda b, t: photograph(b, t, Attachments(None), PHOTO),
    "photo_erased": lambda b, t: erase_photo(b, t, "f1"),
    "held": lambda b, t: hold(b, t),
    "resumed": lambda b, t: resume(b, t, by=By(JUDGE)),
    "sealed": sealed,
    "taken_back": lambda b, t: undo(b, t),
    "closed": lambda b, t: close(b, t, reason="again"),
    "reopened": lambda b, t: reopen(b, t, reason="miscounted", by=By(JUDGE)),
}


@pytest.mark.parametrize("kind", AFTER)
def test_little_may_follow_the_end(kind: str, bench: Bench, table: str) -> None:
    play(bench, table, "take 1")
    if kind == "resumed":
        hold(bench, table)
    close(bench, table, reason="late")
    for before in ("disputed", "penalised", "noted", "photographed"):
        AFTER[before](bench, table)
    if kind in AFTER_THE_END:
        AFTER[kind](bench, table)
        assert kind == bench.game(table).entries[-1].data.KIND
        assert proven(bench, table)
    else:
        with pytest.raises(Conflicting, match="closed"):
            AFTER[kind](bench, table)


def test_the_short_list_names_kinds_that_exist() -> None:
    assert set(KINDS) > AFTER_THE_END


def test_who_is_no_seat_is_told_to_speak_as_one(bench: Bench, table: str) -> None:
    from answers.context import Caller, StoreContext
    from answers.play.confirmation import confirm as asked

    with pytest.raises((Misused, NotAllowed)):
        asked(Caller(StoreContext(bench.store, bench)), table)
    assert not fold(table, bench.store.read(table)).confirmed
