"""A table that talks to the bench: what is heard, refused, taken back, corrected."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel import ParseError, evolve
from engines.kernel.dialogue.clause_text import because
from engines.kernel.engine.judge import Judge
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, HeldUp, Illegal, Misused, NotAllowed, NotFound, Unfit
from referee.judging.disputes import dispute
from referee.judging.rulings import fix_reading
from referee.record import fold as fold_module
from referee.record.entries import Disputed, Held
from referee.record.fold import fold
from referee.record.line import Stood
from referee.record.positions import judge_from_position, position_file, read_position
from referee.table import openings
from referee.table.adjustments import adjust, declare_kit
from referee.table.author import JUDGE, SCRIBE, Author, By
from referee.table.bench import Bench, VersionConflict
from referee.table.corrections import correct, undo
from referee.table.lifecycle import close, hold, reopen, resume
from referee.table.openings import open_game
from referee.table.play import dry_run_together, log
from referee.untrusted.safe_toml import write_toml
from tests.kernel.toy import ENGINE as TOY
from tests.playing import playable_games


def play(bench: Bench, table: str, *lines: str) -> None:
    for line in lines:
        assert log(bench, table, line).accepted, line


def line_of(bench: Bench, table: str) -> list[str]:
    game = bench.game(table)
    return [game.engine.text(step.action) for step in game.steps[1:] if step.action]


def test_what_is_logged_is_judged_once_and_comes_out_as_the_record_tells_it(
    bench: Bench, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Any] = []
    judge = Judge.__call__
    monkeypatch.setattr(
        Judge, "__call__", lambda *said, **how: heard.append(said) or judge(*said, **how)
    )
    play(bench, table, "take 2", "B take 1")
    assert len(heard) == 2
    told, folded = bench.game(table), fold(table, bench.store.read(table))
    assert [*told.steps] == [*folded.steps]
    assert told.foreseen is None


def test_what_was_foreseen_from_another_position_is_judged_again(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    early = bench.game(table)
    foreseen = Stood(early.steps[-1], log(bench, table, "take 1").game.steps[-1])
    undo(bench, table, 2)
    play(bench, table, "take 3")
    item = foreseen.after.item
    later = bench.game(table)
    assert evolve(early, foreseen=foreseen).play(item) == foreseen.after
    step = evolve(later, foreseen=foreseen).play(item)
    assert step is not None
    assert step.state.heap == later.state.heap - 1


def test_a_refusal_names_its_clause_in_both_languages_and_records_nothing(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2")
    before = bench.game(table).head
    heard = log(bench, table, "prend 2")
    assert not heard.accepted
    assert heard.verdict.clause == "PEB-TAKE-2"
    engine, (breach,) = heard.game.engine, heard.verdict.breaches
    assert because(engine, breach, "en") == "2 were taken just before"
    assert because(engine, breach, "fr") == "2 viennent d’être pris"
    assert bench.game(table).head == before


def test_words_that_cannot_be_read_are_no_breach(bench: Bench, table: str) -> None:
    with pytest.raises(ParseError, match="unknown_verb"):
        log(bench, table, "tak 2")
    assert len(bench.game(table).entries) == 1


def test_an_illegal_action_stands_and_calls_for_a_judge(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    heard = log(bench, table, "take 2", stands=True)
    assert (heard.accepted, heard.stands, heard.disputes) == (True, True, ("d1",))
    assert heard.verdict.outcome == "illegal"
    assert heard.game.state.heap == 8
    dispute = heard.game.disputes["d1"]
    assert (dispute.numbers, dispute.clause, dispute.cause) == ((2,), "PEB-TAKE-2", "stands")


def test_a_judge_who_lets_it_stand_opens_no_dispute(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    heard = log(bench, table, "take 2", stands=True, by=By(Author(role="judge")))
    assert (heard.stands, heard.disputes) == (True, ())


def test_a_dry_run_records_nothing(bench: Bench, table: str) -> None:
    heard = log(bench, table, "take 2", dry_run=True)
    assert heard.accepted
    assert len(bench.game(table).entries) == 1


def test_a_rehearsal_hears_each_action_after_those_before_it(bench: Bench, table: str) -> None:
    lines = ["take 2", "take 2", "take 1"]
    assert [heard.accepted for heard in dry_run_together(bench, table, lines)] == [True, False]
    heard = list(dry_run_together(bench, table, ["take 2", "take 1", "take 3"]))
    assert [h.game.engine.text(h.action) for h in heard if h.action] == [
        "A take 2",
        "B take 1",
        "A take 3",
    ]
    assert len(bench.game(table).entries) == 1


def test_a_refusal_says_whether_it_could_stand(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    assert log(bench, table, "take 2").may_stand
    forest = open_game(bench, "benevolent", "table A=blue B=red first A").game.id
    pyramid = "swap_again gift_clover bargain lone_step / sale gift_feather cheap_crystal"
    play(bench, forest, "forest S1A S2A", f"pyramid {pyramid} / hoard convert_1")
    refused = log(bench, forest, "step z9")
    assert (refused.accepted, refused.may_stand) == (False, False)
    assert not log(bench, forest, "step z9", stands=True).accepted


def test_undo_to_an_action_takes_back_everything_after_it(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3")
    undo(bench, table, to=1)
    assert line_of(bench, table) == ["A take 2"]
    undo(bench, table, to=0)
    assert line_of(bench, table) == []
    with pytest.raises(Conflicting, match="nothing_to_take_back"):
        undo(bench, table)


def test_what_no_longer_holds_is_pending_until_the_table_decides(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3", "take 1")
    change = correct(bench, table, 2, ["take 3"]).change
    assert change.pending == (3, 4)
    assert [judged.number for judged in change.rejudged if judged.after is None] == [3, 4]
    assert line_of(bench, table) == ["A take 2", "B take 3"]
    with pytest.raises(Conflicting, match="pending"):
        log(bench, table, "take 1")
    kept = correct(bench, table, 3, remove=0, keep=[3]).change
    assert kept.pending == ()
    assert line_of(bench, table) == ["A take 2", "B take 3", "A take 3", "B take 1"]
    assert bench.game(table).step(3).verdict.outcome == "illegal"
    play(bench, table, "take 2")


def test_what_is_kept_although_illegal_calls_for_a_judge_unless_a_judge_keeps_it(
    bench: Bench, table: str
) -> None:
    other = open_game(bench, "pebbles", "table A B first A").game.id
    for game, author in ((table, SCRIBE), (other, JUDGE)):
        play(bench, game, "take 2", "take 1", "take 3", "take 1")
        correct(bench, game, 2, ["take 3"])
        correct(bench, game, 3, remove=0, keep=[3], by=By(author))
    (raised,) = bench.game(table).disputes.values()
    assert (raised.cause, raised.numbers) == ("stands", (3,))
    assert bench.game(other).disputes == {}


def test_a_reading_that_is_fixed_meanwhile_is_no_pending_action(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3", "take 1")
    correct(bench, table, 2, ["take 3"])
    fix_reading(bench, table, "last_pebble", "loses", by=By(JUDGE))
    assert bench.game(table).waiting == [3, 4]
    with pytest.raises(Conflicting, match="pending") as refusal:
        log(bench, table, "take 1")
    assert refusal.value.facts["numbers"] == [3, 4]


def test_an_illegal_correction_is_refused_where_it_would_stand(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1")
    entries = len(bench.game(table).entries)
    with pytest.raises(Unfit, match="PEB-TAKE-2"):
        correct(bench, table, 2, ["take 2"])
    assert len(bench.game(table).entries) == entries
    correct(bench, table, 2, ["take 2"], stands=True)
    assert bench.game(table).step(3).verdict.clause == "PEB-TAKE-2"


def test_a_correction_can_be_previewed(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3")
    entries = len(bench.game(table).entries)
    assert correct(bench, table, 2, ["take 3"], dry_run=True).change.pending == (3,)
    assert len(bench.game(table).entries) == entries


def test_a_count_that_differs_says_when_it_was_right_and_what_has_touched_it(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "audit heap 10", "take 1")
    (finding,) = log(bench, table, "audit heap 8").verdict.findings
    assert (finding.entries, finding.since) == ((3,), 2)
    (never,) = log(bench, table, "audit A 5").verdict.findings
    assert never.since is None


def test_an_adjustment_to_a_whole_position_keeps_nothing_of_the_present_one(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2")
    early = position_file(bench.game(table))["position"]
    play(bench, table, "take 3", "take 1")
    without_last = {name: value for name, value in early.items() if name != "last"}
    adjust(bench, table, without_last, "played again from there", whole=True)
    assert position_file(bench.game(table))["position"] == {**early, "last": 0}


@pytest.mark.parametrize("name", [game for game in playable_games() if game != "pebbles"])
def test_an_adjustment_to_the_table_as_it_is_records_nothing(bench: Bench, name: str) -> None:
    engine = load_engine(name)
    game = open_game(bench, name, engine.opening.usual(engine.seats[0])).game
    for same, whole in ((position_file(game)["position"], True), ({}, False)):
        with pytest.raises(Misused, match="nothing_to_adjust"):
            adjust(bench, game.id, same, "counted", whole=whole)
    assert bench.game(game.id).version == game.version


def test_an_adjustment_that_no_table_can_show_is_refused_unless_it_is_so(bench: Bench) -> None:
    game = open_game(bench, "benevolent", "table A=blue B=red first A").game.id
    log(bench, game, "forest S1A S2A")
    position = {"players": {"A": {"card": 9}}}
    with pytest.raises(Illegal) as refused:
        adjust(bench, game, position, "?")
    assert refused.value.facts["clause"] == "BEN-KIT-5"
    assert refused.value.facts["may_stand"]
    assert bench.game(game).last_number == 1
    adjust(bench, game, position, "they are from two boxes", stands=True)
    assert bench.game(game).state.players["A"].card == 9
    adjust(bench, game, {"players": {"A": {"leaves": 4}}}, "what it shows already is no news")
    with pytest.raises(Illegal):
        adjust(bench, game, {"players": {"B": {"card": 9}}}, "?")


def test_an_adjustment_to_nonsense_is_refused(bench: Bench, table: str) -> None:
    with pytest.raises(ParseError, match="bad_position"):
        adjust(bench, table, {"heap": "many"}, "?")
    assert len(bench.game(table).entries) == 1


def test_a_declared_datum_was_always_true(bench: Bench, table: str) -> None:
    play(bench, table, "take 3", "take 2", "take 3")
    change = declare_kit(bench, table, "heap", 7, "counted").change
    assert bench.game(table).steps[0].state.heap == 7
    assert change.pending == (3,)
    assert bench.game(table).sheet.provenance("heap") == "declared"


def test_an_unknown_datum_or_an_impossible_kit_is_refused(bench: Bench, table: str) -> None:
    with pytest.raises(ParseError, match="unknown_datum"):
        declare_kit(bench, table, "stones", 7, "counted")
    with pytest.raises(ParseError, match="bad_kit"):
        declare_kit(bench, table, "heap", "many", "counted")
    assert len(bench.game(table).entries) == 1


def test_an_audit_that_differs_names_the_actions_that_touched_the_count(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "audit heap 10", "take 1", "take 3")
    heard = log(bench, table, "audit heap 7")
    assert heard.accepted
    finding = heard.verdict.findings[0]
    assert (finding.status, finding.clause, finding.entries) == ("broken", "PEB-AUDIT-1", (3, 4))
    assert heard.game.state.heap == 6
    dispute = heard.entries[1].data
    assert isinstance(dispute, Disputed)
    assert (dispute.cause, dispute.numbers) == ("finding", (3, 4, 5))


def test_a_count_is_the_same_however_it_was_typed(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "compte TAS 10", "take 1", "take 3", "audit HEAP 06")
    heard = log(bench, table, "audit heap 5")
    assert heard.verdict.findings[0].entries == ()
    stored = [step.action for step in bench.game(table).steps if step.number in (2, 5)]
    assert [(audit.subject, audit.value) for audit in stored] == [
        (("heap",), "10"),
        (("heap",), "6"),
    ]


def test_a_dispute_may_hold_the_game_until_it_is_resumed(bench: Bench, table: str) -> None:
    play(bench, table, "take 2")
    dispute(bench, table, 1, text="there were three", seat="B", clause="PEB-TAKE-1", holds=True)
    with pytest.raises(HeldUp):
        log(bench, table, "take 1")
    with pytest.raises(NotAllowed):
        resume(bench, table)
    resume(bench, table, by=By(Author(role="judge")))
    play(bench, table, "take 1")
    for nonsense in ({"number": 9}, {"number": 1, "seat": "C"}, {"number": 1, "clause": "PEB-X-1"}):
        with pytest.raises(NotFound):
            dispute(bench, table, **nonsense)


def test_a_dispute_without_a_log_is_judged_from_a_declared_position(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "take 1")
    written = position_file(bench.game(table))
    assert "heap = 9" in write_toml(written)
    file = read_position(written)
    judged = judge_from_position(file, ["take 1"]).judged[0]
    assert judged.verdict.clause == "PEB-TAKE-2"
    assert judge_from_position(file, ["take 3"]).judged[0].accepted
    odd = read_position({**written, "position": {"heap": 99, "next": "A"}})
    wrong = judge_from_position(odd, ["take 1"])
    assert wrong.refused is not None
    assert wrong.refused.verdict.clause == "PEB-KIT-2"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kit", "heap = 3"),
        ("kit", ["heap"]),
        ("setup", 5),
        ("setup", "take 1"),
        ("house_rules", True),
        ("house_rules", [["PEB-TAKE-2"]]),
        ("position", "heap"),
        ("stands", "perhaps"),
        ("table", None),
        ("hous_rules", ["PEB-TAKE-2"]),
    ],
)
def test_a_position_file_of_another_form_is_told_so(
    bench: Bench, table: str, name: str, value: object
) -> None:
    with pytest.raises(ParseError) as refusal:
        read_position({**position_file(bench.game(table)), name: value})
    assert refusal.value.key == "bad_position"
    assert str(refusal.value.facts["field"]).partition(".")[0] == name


def test_a_finished_game_is_closed_with_its_result_and_can_be_reopened(
    bench: Bench, table: str
) -> None:
    with pytest.raises(Conflicting, match="not_over"):
        close(bench, table)
    play(bench, table, "take 3", "take 2", "take 3", "take 2", "take 1")
    closed = close(bench, table).game.closed
    assert closed is not None
    assert closed.places == (("A",), ("B",))
    for change in (
        lambda: log(bench, table, "take 1"),
        lambda: undo(bench, table),
        lambda: correct(bench, table, 1, ["take 2"]),
        lambda: close(bench, table),
    ):
        with pytest.raises(Conflicting, match="closed"):
            change()
    reopen(bench, table, reason="recount")
    assert undo(bench, table).game.state.heap == 2


def test_a_scribe_who_expects_another_last_action_is_told_what_was_missed(
    bench: Bench, table: str
) -> None:
    play(bench, table, "take 2", "take 1")
    with pytest.raises(Conflicting) as caught:
        log(bench, table, "take 3", after=1)
    assert caught.value.facts["missed"] == ["B take 1"]
    assert log(bench, table, "take 3", after=2).accepted


def test_two_scribes_on_one_game_never_overwrite_each_other(bench: Bench, table: str) -> None:
    other = Bench(bench.store)
    other.game(table)
    play(bench, table, "take 2")
    assert log(other, table, "take 1").number == 2
    assert log(bench, table, "take 3").number == 3
    assert fold(table, bench.store.read(table)).state == other.game(table).state


def test_a_scribe_who_is_too_late_is_told_and_sees_the_truth_after(
    bench: Bench, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Bench(bench.store)
    game = other.game(table)
    monkeypatch.setattr(other, "game", lambda game_id: game)
    play(bench, table, "take 2")
    with pytest.raises(Conflicting, match="someone_else"):
        log(other, table, "take 1")
    monkeypatch.undo()
    assert other.game(table).state.heap == 10


def test_games_are_found_by_the_beginning_of_their_id(bench: Bench, table: str) -> None:
    assert bench.find(table) == bench.find("00000001") == table
    open_game(bench, "pebbles", "table A B first B")
    with pytest.raises(NotFound, match="ambiguous"):
        bench.find("0000")
    with pytest.raises(NotFound, match="no_such_game"):
        bench.find("xyz")


def test_an_illegal_opening_is_refused_unless_it_is_of_the_structure(bench: Bench) -> None:
    heard = open_game(bench, "pebbles", "table A first A")
    assert not heard.accepted
    assert heard.verdict.clause == "PEB-SETUP-1"
    assert bench.store.streams() == ()


def test_house_rules_and_readings_are_pinned(bench: Bench) -> None:
    table = open_game(
        bench,
        "pebbles",
        "table A B first A",
        readings={"last_pebble": "loses"},
        house_rules=["PEB-TAKE-2"],
    ).game.id
    play(bench, table, "take 2", "take 2")
    opened = bench.game(table).opened
    assert opened.readings == {"last_pebble": "loses"}
    assert opened.house_rules == ("PEB-TAKE-2",)
    with pytest.raises(ParseError, match="clause_stays"):
        open_game(bench, "pebbles", "table A B first A", house_rules=["PEB-SETUP-1"])


def test_nothing_is_inserted_behind_an_undecided_action(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3", "take 1")
    correct(bench, table, 2, ["take 3"])
    with pytest.raises(Conflicting, match="pending"):
        correct(bench, table, 4, ["take 2"], remove=0)
    correct(bench, table, 3, ["take 2"])


def test_a_correction_that_changes_nothing_is_refused(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1")
    for remove in (0, []):
        with pytest.raises(Unfit, match="nothing_to_correct"):
            correct(bench, table, 2, remove=remove)


def test_a_correction_removes_nothing_that_came_before_it(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1", "take 3")
    with pytest.raises(Conflicting, match="remove_behind"):
        correct(bench, table, 3, remove=[1])
    with pytest.raises(NotFound, match="no_such_action"):
        correct(bench, table, 2, remove=[2, 9])
    assert line_of(bench, table) == ["A take 2", "B take 1", "A take 3"]


def test_behind_a_pending_action_even_what_would_be_legal_waits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The duties of the toy may be fulfilled in any order: a boast would do without the bid."""
    for module in (fold_module, openings):
        monkeypatch.setattr(module, "load_engine", lambda name: TOY)
    table = open_game(bench, "toy", "table A B").game.id
    play(bench, table, "A bid 1", "A boast red", "B boast blue", "B bid 2")
    change = correct(bench, table, 1, ["A bid 2"], remove=0).change
    assert change.pending == (1, 2, 3, 4)
    assert line_of(bench, table) == ["A bid 2"]
    assert bench.game(table).state.boasts == {}
    correct(bench, table, 1)
    assert line_of(bench, table) == ["A bid 2", "A boast red", "B boast blue", "B bid 2"]


def test_a_key_that_begins_as_another_one_is_another_key(bench: Bench, table: str) -> None:
    assert log(bench, table, "take 2", by=By(key="k10")).number == 1
    assert log(bench, table, "take 1", by=By(key="k1")).number == 2
    assert line_of(bench, table) == ["A take 2", "B take 1"]


@pytest.mark.parametrize(
    "other",
    [
        lambda bench, table: log(bench, table, "take 1", by=By(key="k")),
        lambda bench, table: log(bench, table, "B take 2", by=By(key="k")),
        lambda bench, table: log(bench, table, "take 2", by=By(Author("pjo", "judge"), "k")),
        lambda bench, table: undo(bench, table, by=By(key="k")),
    ],
)
def test_a_key_stands_for_one_command(bench: Bench, table: str, other: Any) -> None:
    log(bench, table, "take 2", by=By(key="k"))
    with pytest.raises(Conflicting, match="key_reused"):
        other(bench, table)
    assert line_of(bench, table) == ["A take 2"]


def test_a_key_opens_one_game(bench: Bench) -> None:
    first = open_game(bench, "pebbles", "table A B first A", by=By(key="k")).game.id
    assert open_game(bench, "pebbles", "table A B first A", by=By(key="k")).game.id == first
    for line, author in (("table A B first B", SCRIBE), ("table A B first A", JUDGE)):
        with pytest.raises(Conflicting, match="key_reused"):
            open_game(bench, "pebbles", line, by=By(author, "k"))
    assert len(bench.game(first).entries) == 1


def test_trying_asks_the_store_for_nothing(bench: Bench, table: str) -> None:
    play(bench, table, "take 2", "take 1")
    game = bench.game(table)
    reads: list[str] = []
    read = bench.store.read
    bench.store.read = lambda stream, after=-1: reads.append(stream) or read(stream, after)  # type: ignore[method-assign]
    assert len(list(dry_run_together(bench, table, ["take 3", "take 1", "take 2"]))) == 3
    correct(bench, table, 1, ["take 3"], dry_run=True)
    declare_kit(bench, table, "heap", 11, "counted", dry_run=True)
    assert len(reads) == 3
    assert bench.game(table).version == game.version


def test_whoever_was_slower_catches_up_without_folding_from_the_start(
    bench: Bench, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the faster writer would win again and again."""
    slower = Bench(bench.store)
    seen = slower.game(table)
    log(bench, table, "take 1")
    with pytest.raises(VersionConflict):
        slower.tell(seen, [Held(reason="supper")], By(SCRIBE))
    monkeypatch.setattr("referee.table.bench.fold", None)
    assert slower.game(table).version == seen.version + 1
    hold(slower, table, reason="supper")
