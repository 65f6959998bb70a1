"""Who may do what: asked once, when it is told; never when a record is read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.archive.record_files import read_record, take_in
from referee.errors import Conflicting, HeldUp, NotAllowed
from referee.judging.disputes import dispute, withdraw
from referee.judging.rulings import Decision, cancel_penalty, fix_reading, issue, penalise
from referee.proof.commitments import Keep, seal_value
from referee.record.entries import KINDS, Corrected, Entry, Held, Remedy, Resumed, entry_data
from referee.record.fold import apply, fold, start_game
from referee.record.permissions import ENTRY_LABELS, permitted, role_table
from referee.store.envelopes import Draft
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench
from referee.table.corrections import correct, redo, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.notes import Annotation, annotate, remove_note
from referee.table.openings import open_game
from referee.table.play import log
from tests.record.conftest import make_bench
from tests.record.test_bench import play

DOCS = Path(__file__).parents[2] / "docs"
ANA, BO = Author("pana", "seat:A"), Author("pbo", "seat:B")
ORGANISER = Author("pora", "organiser")
SPECTATOR = Author("peve", "spectator")
EVERYBODY = (ORGANISER, JUDGE, SCRIBE, ANA, BO, SPECTATOR)


def roles(
    command: Callable[[Bench, str, Author], Any], *before: Callable[[Bench, str], Any]
) -> str:
    """The roles that may do this after ``take 2`` of A and whatever else was done before."""
    able = []
    for author in EVERYBODY:
        bench = make_bench()
        table = open_game(bench, "pebbles", "table A B first A").game.id
        play(bench, table, "take 2")
        for done in before:
            done(bench, table)
        version = bench.game(table).version
        try:
            command(bench, table, author)
        except NotAllowed:
            assert bench.game(table).version == version
        else:
            able.append(author.role)
    return " ".join(able)


KEEPERS = "organiser judge scribe"
TABLE = f"{KEEPERS} seat:A seat:B"
A_DECISION = Decision("so be it", "stands", numbers=(1,))


def ruled(bench: Bench, table: str) -> None:
    issue(bench, table, A_DECISION, by=By(JUDGE))


def judged(bench: Bench, table: str) -> None:
    annotate(bench, table, 1, Annotation("I was here"), by=By(JUDGE))


COMMANDS: dict[str, tuple[str, Callable[[Bench, str, Author], Any], tuple[Any, ...]]] = {
    "a seat opens no game": (
        KEEPERS,
        lambda b, t, who: open_game(b, "pebbles", "table A B first A", by=By(who)),
        (),
    ),
    "a seat logs its own actions": (
        f"{KEEPERS} seat:B",
        lambda b, t, who: log(b, t, "B take 1", by=By(who)),
        (),
    ),
    "all log what is nobody's": (
        TABLE,
        lambda b, t, who: log(b, t, "audit heap 10", by=By(who)),
        (),
    ),
    "a seat takes back its own last action": (
        f"{KEEPERS} seat:A",
        lambda b, t, who: undo(b, t, by=By(who)),
        (),
    ),
    "a seat restores its own last action": (
        f"{KEEPERS} seat:A",
        lambda b, t, who: redo(b, t, by=By(who)),
        (lambda b, t: undo(b, t),),
    ),
    "a judge takes back what was ruled": (
        "organiser judge",
        lambda b, t, who: undo(b, t, by=By(who)),
        (ruled,),
    ),
    "a judge corrects what was ruled": (
        "organiser judge",
        lambda b, t, who: correct(b, t, 1, ["take 3"], by=By(who)),
        (ruled,),
    ),
    "seats do not correct": (
        KEEPERS,
        lambda b, t, who: correct(b, t, 1, ["take 3"], by=By(who)),
        (),
    ),
    "seats do not adjust": (
        KEEPERS,
        lambda b, t, who: adjust(b, t, {"heap": 3}, "lost", stands=True, by=By(who)),
        (),
    ),
    "seats declare no kit": (
        KEEPERS,
        lambda b, t, who: declare_kit(b, t, "heap", 11, "counted", by=By(who)),
        (),
    ),
    "judges read the book": (
        "organiser judge",
        lambda b, t, who: fix_reading(b, t, "last_pebble", "loses", by=By(who)),
        (),
    ),
    "judges rule": ("organiser judge", lambda b, t, who: issue(b, t, A_DECISION, by=By(who)), ()),
    "judges penalise": (
        "organiser judge",
        lambda b, t, who: penalise(b, t, "A", "warning", "slow", by=By(who)),
        (),
    ),
    "judges cancel penalties": (
        "organiser judge",
        lambda b, t, who: cancel_penalty(b, t, "x1", "mistaken", by=By(who)),
        (lambda b, t: penalise(b, t, "A", "warning", "slow", by=By(JUDGE)),),
    ),
    "all hold": (TABLE, lambda b, t, who: hold(b, t, by=By(who)), ()),
    "what a judge holds": (
        "organiser judge",
        lambda b, t, who: resume(b, t, by=By(who)),
        (lambda b, t: hold(b, t, by=By(JUDGE)),),
    ),
    "what a dispute holds": (
        "organiser judge",
        lambda b, t, who: resume(b, t, by=By(who)),
        (lambda b, t: dispute(b, t, 1, holds=True, by=By(BO)),),
    ),
    "what the scribe holds": (
        KEEPERS,
        lambda b, t, who: resume(b, t, by=By(who)),
        (lambda b, t: hold(b, t),),
    ),
    "what a seat holds": (
        f"{KEEPERS} seat:A",
        lambda b, t, who: resume(b, t, by=By(who)),
        (lambda b, t: hold(b, t, by=By(ANA)),),
    ),
    "all dispute": (TABLE, lambda b, t, who: dispute(b, t, 1, by=By(who)), ()),
    "a seat disputes for itself": (
        f"{KEEPERS} seat:A",
        lambda b, t, who: dispute(b, t, 1, seat="A", by=By(who)),
        (),
    ),
    "who raised a dispute withdraws it": (
        f"{KEEPERS} seat:B",
        lambda b, t, who: withdraw(b, t, "d1", by=By(who)),
        (lambda b, t: dispute(b, t, 1, by=By(BO)),),
    ),
    "what came of itself a judge withdraws": (
        "organiser judge",
        lambda b, t, who: withdraw(b, t, "d1", by=By(who)),
        (lambda b, t: log(b, t, "B take 2", stands=True),),
    ),
    "a losing seat does not finish": (
        KEEPERS,
        lambda b, t, who: close(b, t, reason="I am losing", by=By(who)),
        (),
    ),
    "without a judge the scribe reopens": (
        KEEPERS,
        lambda b, t, who: reopen(b, t, reason="on", by=By(who)),
        (lambda b, t: close(b, t, reason="late"),),
    ),
    "where there is a judge only a judge reopens": (
        "organiser judge",
        lambda b, t, who: reopen(b, t, reason="on", by=By(who)),
        (judged, lambda b, t: close(b, t, reason="late")),
    ),
    "all note": (TABLE, lambda b, t, who: annotate(b, t, 1, Annotation("hm"), by=By(who)), ()),
    "a seat removes the note it wrote": (
        f"{KEEPERS} seat:B",
        lambda b, t, who: remove_note(b, t, "n1", by=By(who)),
        (lambda b, t: annotate(b, t, 1, Annotation("hm"), by=By(BO)),),
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_who_may(name: str) -> None:
    allowed, command, before = COMMANDS[name]
    assert roles(command, *before) == allowed


def again(bench: Bench, table: str) -> None:
    """What followed the first action waits now: nobody takes as many as the other just did."""
    correct(bench, table, 1, ["take 1"], by=By(JUDGE))


TOUCHED: dict[str, tuple[int, str, Callable[[Bench, str, Author], Any], tuple[Any, ...]]] = {
    "taken back": (3, f"{KEEPERS} seat:A", lambda b, t, who: undo(b, t, by=By(who)), ()),
    "taken back behind others": (1, KEEPERS, lambda b, t, who: undo(b, t, 3, by=By(who)), ()),
    "restored": (
        3,
        f"{KEEPERS} seat:A",
        lambda b, t, who: redo(b, t, by=By(who)),
        (lambda b, t: undo(b, t, by=By(JUDGE)),),
    ),
    "restored behind others": (
        3,
        KEEPERS,
        lambda b, t, who: redo(b, t, 3, by=By(who)),
        (lambda b, t: undo(b, t, 3, by=By(JUDGE)),),
    ),
    "taken out": (2, KEEPERS, lambda b, t, who: correct(b, t, 2, by=By(who)), ()),
    "taken out behind another": (
        3,
        KEEPERS,
        lambda b, t, who: correct(b, t, 2, remove=2, by=By(who)),
        (),
    ),
    "let stand": (
        2,
        KEEPERS,
        lambda b, t, who: correct(b, t, 2, remove=0, keep=[2], by=By(who)),
        (again,),
    ),
    "let stand behind another": (
        3,
        KEEPERS,
        lambda b, t, who: correct(b, t, 2, remove=0, keep=[2, 3], by=By(who)),
        (again,),
    ),
    "let stand where another goes": (
        3,
        KEEPERS,
        lambda b, t, who: correct(b, t, 2, remove=[2], keep=[3], by=By(who)),
        (again,),
    ),
}
"""Every way in which an action can be changed: its number, and who may where nothing was ruled."""


@pytest.mark.parametrize("way", TOUCHED)
def test_a_judge_alone_changes_what_was_ruled_in_whatever_way(way: str) -> None:
    number, usually, command, before = TOUCHED[way]
    decision = Decision("so be it", "stands", numbers=(number,))

    def played(bench: Bench, table: str) -> None:
        play(bench, table, "take 1", "take 3")

    def ruled(bench: Bench, table: str) -> None:
        issue(bench, table, decision, by=By(JUDGE))

    assert roles(command, played, judged, *before) == usually
    assert roles(command, played, ruled, *before) == "organiser judge"


REMEDIES = {
    "none": Decision("so be it", numbers=(1,)),
    "stands": Decision("so be it", "stands", numbers=(1,)),
    "taken_back": Decision("so be it", "taken_back", numbers=(1,)),
    "corrected": Decision("so be it", "corrected", numbers=(1,), lines=("take 3",)),
    "penalty": Decision("so be it", "penalty", numbers=(1,), seat="A", level="warning"),
}
SAID_BEHIND: dict[str, Callable[[Bench, str], Any]] = {
    "logged": lambda b, t: log(b, t, "take 1"),
    "seated otherwise": lambda b, t: correct(b, t, 0, seats={"A": "pana", "B": "pbo"}, remove=0),
    "put in the place of one": lambda b, t: (
        log(b, t, "take 1"),
        correct(b, t, b.game(t).last_number, ["audit heap 1"], stands=True),
    ),
    "put in before one": lambda b, t: (
        log(b, t, "take 1"),
        correct(b, t, b.game(t).last_number, ["audit heap 1"], remove=0, stands=True),
    ),
}


@pytest.mark.parametrize("remedy", get_args(Remedy))
@pytest.mark.parametrize("way", SAID_BEHIND)
def test_what_the_table_says_after_a_ruling_is_the_tables_own(
    way: str, remedy: str, bench: Bench, table: str
) -> None:
    """A judge's are what was ruled on and what was put in to carry it out, and nothing behind."""
    play(bench, table, "take 2")
    judges_own = {1, *numbers_in(issue(bench, table, REMEDIES[remedy], by=By(JUDGE)).entries)}
    SAID_BEHIND[way](bench, table)
    assert bench.game(table).ruled == judges_own


def numbers_in(entries: Sequence[Entry]) -> list[int]:
    """What entries put into the line."""
    put_in = (entry.data.insert for entry in entries if isinstance(entry.data, Corrected))
    return [said.number for inserted in put_in for said in inserted]


def test_a_seat_and_the_scribe_seal_and_nobody_else(tmp_path: Path) -> None:
    keep = Keep(tmp_path)
    able = roles(lambda b, t, who: seal_value(b, t, keep, "A", "plan", ["x"], by=By(who)))
    assert able == "scribe seat:A"


def test_who_may_not_leaves_nothing_in_the_keep(bench: Bench, table: str, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed):
        seal_value(bench, table, Keep(tmp_path), "A", "plan", ["x"], by=By(BO))
    assert list(tmp_path.iterdir()) == []


def test_another_person_in_the_same_seat_does_not_remove_a_note(bench: Bench, table: str) -> None:
    annotate(bench, table, 0, Annotation("mine"), by=By(BO))
    with pytest.raises(NotAllowed, match="role_may_not"):
        remove_note(bench, table, "n1", by=By(Author("pother", "seat:B")))
    remove_note(bench, table, "n1", by=By(BO))


def test_a_table_of_a_tournament_has_a_judge_from_the_start(bench: Bench) -> None:
    ref = "tournament-abcdefgh/r1/t1"
    game = open_game(bench, "pebbles", "table A B first A", tournament=ref).game.id
    close(bench, game, reason="late")
    with pytest.raises(NotAllowed, match="judge_only"):
        reopen(bench, game, reason="on")


def test_a_hold_is_not_lifted_by_holding(bench: Bench, table: str) -> None:
    dispute(bench, table, 0, holds=True, by=By(BO))
    with pytest.raises(Conflicting, match="held_already"):
        hold(bench, table)
    with pytest.raises(NotAllowed, match="judge_only"):
        resume(bench, table)
    with pytest.raises(HeldUp):
        log(bench, table, "take 2")
    resume(bench, table, by=By(JUDGE))
    assert log(bench, table, "take 2").accepted


def test_a_judge_takes_over_a_hold_and_the_scribe_no_longer_lifts_it(
    bench: Bench, table: str
) -> None:
    hold(bench, table, reason="supper")
    hold(bench, table, reason="I look into it", by=By(JUDGE))
    with pytest.raises(NotAllowed, match="judge_only"):
        resume(bench, table)
    with pytest.raises(Conflicting, match="held_already"):
        hold(bench, table, by=By(ORGANISER))


@pytest.mark.parametrize("newcomer", EVERYBODY[:-1], ids=lambda author: author.role)
@pytest.mark.parametrize("holder", EVERYBODY[:-1], ids=lambda author: author.role)
@pytest.mark.parametrize("disputed", [False, True])
def test_a_hold_is_taken_over_by_a_judge_from_a_player_or_the_scribe_and_never_from_a_dispute(
    bench: Bench, table: str, disputed: bool, holder: Author, newcomer: Author
) -> None:
    if disputed:
        dispute(bench, table, 0, holds=True, by=By(holder))
    else:
        hold(bench, table, reason="supper", by=By(holder))
    before = bench.game(table)
    judges = (ORGANISER, JUDGE)
    if not disputed and newcomer in judges and holder not in judges:
        after = hold(bench, table, reason="I look into it", by=By(newcomer)).game
        assert (after.holder, after.held) == (newcomer.role, Held(reason="I look into it"))
        return
    with pytest.raises(Conflicting, match="held_already"):
        hold(bench, table, by=By(newcomer))
    told = Entry(before.version + 1, before.entries[-1].at, "", newcomer.role, "", Held(), "")
    read = apply(before, told).game  # an earlier version has written it
    assert (read.holder, read.held) == (before.holder, before.held)


@pytest.mark.parametrize("holds", [False, True])
@pytest.mark.parametrize("caller", EVERYBODY[:-1], ids=lambda author: author.role)
def test_who_calls_a_judge_and_withdraws_it_does_not_lift_what_a_judge_has_paused(
    bench: Bench, table: str, caller: Author, holds: bool
) -> None:
    hold(bench, table, reason="I look into it", by=By(JUDGE))
    dispute(bench, table, 0, holds=holds, by=By(caller))
    withdraw(bench, table, "d1", by=By(caller))
    with pytest.raises(HeldUp, match="held_by_judge"):
        log(bench, table, "take 2")
    with pytest.raises(NotAllowed, match="judge_only"):
        resume(bench, table)
    resume(bench, table, by=By(JUDGE))
    assert log(bench, table, "take 2").accepted


def test_what_earlier_versions_wrote_is_read_whatever_the_roles(bench: Bench, table: str) -> None:
    """Held over a dispute and resumed by the scribe, with nothing held in the end: readable."""
    dispute(bench, table, 0, holds=True, by=By(BO))
    withdrawn = [Held(reason=""), Resumed(reason=""), Resumed(reason="")]
    for seq, data in enumerate(withdrawn, start=1):
        draft = Draft(data.KIND, 1, entry_data(data), f"old-{seq}")
        made = {"at": "2026-01-01T12:00:00.000Z", "by": "anonymous", "role": "scribe"}
        bench.store.append(table, [draft], expected=seq, **made)
    game = bench.game(table)
    assert game.held is None
    assert log(bench, table, "take 2").accepted
    before = fold(table, bench.store.read(table)[:3])
    assert before.held is before.disputes["d1"]
    assert not permitted(before, game.entries[3])


def test_every_entry_can_be_asked_about(bench: Bench, table: str) -> None:
    for role, expected in (("seat:B", False), ("judge", True)):
        closed = close(bench, table, reason="late", by=By(JUDGE)).entries[0]
        game = start_game(table, bench.game(table).entries[0])
        for entry in bench.game(table).entries[1 : closed.seq]:
            game = apply(game, entry).game
        assert permitted(game, closed._replace(role=role)) is expected
        reopen(bench, table, reason="on", by=By(JUDGE))


def test_a_record_that_goes_on_here_is_continued_by_a_judge(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    judged(bench, table)
    play(bench, table, "take 1")
    lines = [row.body for row in bench.store.read(table)]
    here = make_bench().store
    assert take_in(here, read_record(lines[:3]), author=SCRIBE)[1] == 3
    for author in (SCRIBE, ANA):
        with pytest.raises(NotAllowed, match="judge_only"):
            take_in(here, read_record(lines), author=author, continues=True)
    assert take_in(here, read_record(lines), author=JUDGE, continues=True)[1] == 1


def test_every_kind_and_circumstance_is_an_operation() -> None:
    cases = {(kind, case) for kind, data in KINDS.items() for case in data.TOLD_BY}
    assert set(ENTRY_LABELS) == cases
    assert all(data.TOLD_BY[""] for data in KINDS.values())


def test_the_page_has_the_table_of_the_code() -> None:
    assert table_of(DOCS / "roles.md") == [list(row) for row in role_table()]


def test_the_french_page_says_the_same_of_every_row() -> None:
    words = {"yes": "oui", "yes ¹": "oui ¹", "its own": "pour elle", "–": "–"}
    rows = table_of(DOCS / "fr" / "roles.md")
    assert [row[1:] for row in rows] == [[words[cell] for cell in row[1:]] for row in role_table()]
    assert len({row[0] for row in rows}) == len(rows)


def table_of(page: Path) -> list[list[str]]:
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    return [row.strip("| ").split(" | ") for row in rows[2:]]
