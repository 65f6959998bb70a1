"""The engine: judging, settling, adjusting, counting, offering."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, create_model

from engines.kernel import Action, Engine, Judgement, ParseError, Positions, Result, Setting
from tests.kernel.toy import ENGINE as TOY
from tests.kernel.toy import Bid
from tests.playing import replayed


class Table:
    """A game of the toy, or of another engine, played by lines."""

    def __init__(
        self,
        opening: str = "table A B",
        *lines: str,
        engine: Engine[Any, Any] = TOY,
        house_rules: tuple[str, ...] = (),
    ) -> None:
        self.engine = engine
        action: Any = engine.read(opening)
        self.setting: Setting[Any] = engine.setting(action, house_rules=house_rules)
        self.state: Any = engine.open(self.setting, action).state
        self.number = 0
        for line in lines:
            assert self.hear(line).accepted, line

    def hear(self, line: str, *, lenient: bool = False) -> Judgement[Any]:
        judgement = self.engine.judge(
            self.setting, self.state, self.engine.read(line), self.number + 1, lenient=lenient
        )
        if judgement.accepted:
            self.state = judgement.state
            self.number += 1
        return judgement

    def options(self) -> list[str]:
        return [self.engine.text(a) for a in self.engine.options(self.setting, self.state)]


# positions


class Due(BaseModel):
    times: int | None = 1


class Gap(BaseModel):
    spaces: tuple[int | None, ...] = ()


class Harmless(BaseModel):
    who: str | None = None


@pytest.mark.parametrize(
    ("part", "lost"), [(Due, "Due.times"), (Gap, "Gap.spaces"), (Harmless, None)]
)
def test_a_position_says_nothing_that_a_form_without_null_would_lose(
    part: type[BaseModel], lost: str | None
) -> None:
    position: Any = create_model("Position", __base__=Action, due=(tuple[part, ...], ()))  # type: ignore[valid-type]
    if lost is None:
        Positions(position, lambda state, setting: position())
        return
    with pytest.raises(TypeError, match=lost):
        Positions(position, lambda state, setting: position())


# judging


def test_a_refused_action_changes_nothing() -> None:
    table = Table()
    before = table.state
    judgement = table.hear("A bid 0")
    assert not judgement.accepted
    assert judgement.verdict.clause == "TOY-BID-1"
    assert judgement.state is before


def test_as_it_happened_the_same_action_stands_with_all_its_breaches() -> None:
    table = Table("table A B", "A bid 1")
    judgement = table.hear("A bid 7", lenient=True)
    assert judgement.accepted
    assert [p.clause for p in judgement.verdict.breaches] == ["TOY-TURN-1", "TOY-BID-2"]
    assert table.state.bids == {"A": 7}


def test_structure_is_refused_even_as_it_happened() -> None:
    table = Table()
    judgement = table.hear("A bid 1000", lenient=True)
    assert not judgement.accepted
    assert [p.clause for p in judgement.verdict.breaches] == ["TOY-BID-2", "TOY-BID-3"]
    assert table.state.bids == {}


def test_a_house_rule_sets_a_clause_aside_for_the_whole_game() -> None:
    table = Table(house_rules=("TOY-BID-2", "TOY-COUNT-2"))
    assert table.hear("A bid 9").verdict.outcome == "legal"
    assert table.hear("B bid 9").verdict.effects[0].clause == "TOY-COUNT-1"
    assert table.state.total == 18


@pytest.mark.parametrize(
    ("clause", "key"),
    [
        ("TOY-BID-9", "unknown_clause"),
        ("TOY-BID-3", "clause_stays"),
        ("TOY-BOAST-1", "clause_stays"),
    ],
)
def test_only_rules_and_effects_can_be_set_aside(clause: str, key: str) -> None:
    with pytest.raises(ParseError) as caught:
        Table(house_rules=(clause,))
    assert caught.value.key == key


def test_a_refused_opening_leads_nowhere() -> None:
    opening: Any = TOY.read("table A")
    judgement = TOY.open(TOY.setting(opening), opening, lenient=True)
    assert not judgement.accepted
    assert judgement.verdict.clause == "TOY-SEAT-1"
    assert judgement.state is None


def test_derived_steps_are_carried_out_in_the_same_judgement() -> None:
    table = Table("table A B", "B bid 2")
    judgement = table.hear("A bid 2")
    assert [point.clause for point in judgement.verdict.effects] == ["TOY-COUNT-1", "TOY-COUNT-2"]
    assert table.state.total == 8


def test_steps_that_never_end_are_an_error_not_a_hang() -> None:
    with pytest.raises(RuntimeError, match="do not end"):
        Table().hear("loop")


def test_claims_are_settled_later() -> None:
    table = Table()
    assert table.hear("A boast red").verdict.outcome == "undecided"
    table.hear("B boast blue")
    table.hear("B boast rouge")
    table.hear("A bid 1")
    table.hear("B bid 2")
    findings = table.hear("turn blue").verdict.findings
    assert [(f.status, f.clause, f.entries) for f in findings] == [
        ("broken", "TOY-BOAST-1", (1, 3)),
        ("cleared", "TOY-BOAST-1", (2,)),
    ]
    assert table.state.over


# whose action it is


def test_the_seat_is_filled_in_where_only_one_can_be_meant() -> None:
    table = Table("table A B", "A bid 1")
    assert table.hear("bid 2").action.by == "B"


def test_where_several_seats_may_be_meant_the_scribe_is_asked() -> None:
    with pytest.raises(ParseError) as caught:
        Table().hear("bid 2")
    assert (caught.value.key, caught.value.facts["seats"]) == ("who", ("A", "B"))


def test_an_observation_has_no_seat() -> None:
    table = Table("table A B", "A bid 1", "B bid 2")
    assert table.hear("turn red").action.by is None


def test_what_nobody_owes_was_said_by_whoever_acted_last() -> None:
    table = Table("table A B", "B bid 2", "A bid 1", "turn red")
    refused = table.hear("bid 1")
    assert (refused.verdict.clause, refused.action.by) == ("TOY-TURN-1", "A")
    assert table.hear("bid 1", lenient=True).action.by == "A"


def test_what_nobody_owes_needs_a_seat_to_stand_where_nobody_has_acted() -> None:
    table = Table()
    assert table.hear("turn red").verdict.clause == "TOY-TURN-1"
    with pytest.raises(ParseError) as caught:
        table.hear("turn red", lenient=True)
    assert (caught.value.key, caught.value.facts["seats"]) == ("which_seat", ("A", "B"))
    assert table.hear("B turn red", lenient=True).accepted


@pytest.mark.parametrize("lenient", [True, False])
def test_nobody_plays_from_a_seat_that_is_not_there(lenient: bool) -> None:
    with pytest.raises(ParseError) as caught:
        Table().hear("C bid 1", lenient=lenient)
    assert caught.value.key == "no_such_seat"


def test_a_second_opening_is_not_of_this_game() -> None:
    with pytest.raises(ParseError) as caught:
        Table().hear("table A B", lenient=True)
    assert caught.value.key == "not_of_this_game"


# what may come next


def test_options_are_the_offers_that_are_accepted() -> None:
    table = Table("table A B", "A bid 3")
    assert table.options() == [
        *(f"B bid {n}" for n in range(1, 6)),
        *(f"{seat} boast {colour}" for seat in "AB" for colour in ("red", "blue")),
    ]


def test_every_candidate_without_a_seat_is_of_the_seat_that_owes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("table A B", "A bid 3")
    offered = (Bid(amount=1), Bid(amount=0), Bid(by="A", amount=2), Bid(amount=3))
    monkeypatch.setitem(TOY.rules.offered, Bid, lambda state, seat, table: iter(offered))
    bids = [line for line in table.options() if "bid" in line]
    assert bids == ["B bid 1", "B bid 3"]


def test_what_cannot_be_listed_gives_a_template() -> None:
    table = Table("table A B", "A bid 1", "B bid 2")
    assert table.options() == []
    assert TOY.options.templates(table.setting, table.state) == [(None, "turn COLOUR")]
    assert TOY.options.choices(table.setting, table.state) == [("turn", False, 0)]


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("", ["B", "A"]),
        ("b", ["bid", "boast"]),
        ("B BID", ["1", "2", "3", "4", "5"]),
        ("A", ["boast"]),
        ("A bid", []),
        ("B bid 1", []),
    ],
)
def test_choices_come_word_by_word(prefix: str, words: list[str]) -> None:
    table = Table("table A B", "A bid 3")
    choices = TOY.options.choices(table.setting, table.state, prefix)
    assert [choice.word for choice in choices] == words


def test_choices_say_whether_the_line_is_whole_and_how_many_go_on(pebbles) -> None:
    table = Table("table A B first A", engine=pebbles)
    assert pebbles.options.choices(table.setting, table.state) == [("take", False, 3)]
    assert pebbles.options.choices(table.setting, table.state, "A take")[0] == ("1", True, 1)


# counting, declaring, adjusting


def test_an_audit_changes_nothing_and_proves_a_difference(pebbles) -> None:
    table = Table("table A B first A", "take 2", engine=pebbles)
    before = table.state
    right, wrong = table.hear("audit heap 10"), table.hear("audit heap 11")
    assert right.verdict.findings == ()
    assert wrong.verdict.outcome == "legal"
    assert wrong.verdict.findings[0].facts == {"subject": "heap", "stated": "11", "derived": "10"}
    assert table.state == before


def test_a_game_without_counts_or_positions_says_so() -> None:
    table = Table()
    with pytest.raises(ParseError) as audit:
        table.hear("audit bids 1")
    assert audit.value.key == "unknown_subject"
    with pytest.raises(ParseError) as adjusted:
        TOY.positions.adjust(table.setting, table.state, {})
    assert adjusted.value.key == "no_positions"


def test_an_adjustment_merges_into_the_position_and_the_laws_count_it(pebbles) -> None:
    table = Table("table A B first A", "take 2", engine=pebbles)
    state = pebbles.positions.adjust(table.setting, table.state, {"taken": {"B": 1}})
    assert (state.heap, state.taken, state.last) == (10, {"A": 2, "B": 1}, 2)
    assert state.offsets == pebbles.balance(state, table.setting) == {"pebbles": 1}
    table.state = state
    assert table.hear("take 1").accepted
    assert pebbles.balance(table.state, table.setting) == table.state.offsets
    back = pebbles.positions.adjust(table.setting, table.state, {"taken": {"B": None}, "heap": 10})
    assert back.offsets == {}


@pytest.mark.parametrize(
    "changes", [{"hepa": 1}, {"heap": "many"}, {"heap": -1}, {"next": None}, {"next": "C"}]
)
def test_an_adjustment_that_is_no_position_is_refused(pebbles, changes) -> None:
    table = Table("table A B first A", engine=pebbles)
    with pytest.raises(ParseError) as caught:
        pebbles.positions.adjust(table.setting, table.state, changes)
    assert caught.value.key == "bad_position"


def test_a_position_that_does_not_add_up_stands_only_as_it_happened(pebbles) -> None:
    table = Table("table A B first A", engine=pebbles)
    line = 'position {"heap":3,"next":"B"}'
    assert table.hear(line).verdict.clause == "PEB-KIT-2"
    assert table.hear(line, lenient=True).accepted
    assert table.state.offsets == {"pebbles": -9}


# settings and stored data


@pytest.mark.parametrize(
    ("opening", "key"),
    [
        ("table A B first A readings last_pebbel=wins", "unknown_reading"),
        ("table A B first A readings last_pebble=draws", "unknown_value"),
        ("table A B first A kit marbles", "unknown_kit"),
    ],
)
def test_an_opening_names_readings_and_kits_that_exist(pebbles, opening: str, key: str) -> None:
    with pytest.raises(ParseError) as caught:
        Table(opening, engine=pebbles)
    assert caught.value.key == key


def test_every_reading_is_pinned_when_the_table_opens(pebbles) -> None:
    assert Table("table A B first A", engine=pebbles).setting.readings == {"last_pebble": "wins"}
    other = Table("table A B first A readings last_pebble=loses", engine=pebbles)
    assert other.setting.readings == {"last_pebble": "loses"}


def test_a_declared_datum_that_does_not_fit_the_box_is_refused(pebbles) -> None:
    opening = pebbles.read("table A B first A")
    sheet = pebbles.kit_sheet(None).declare("heap", "many", "the table")
    with pytest.raises(ParseError) as caught:
        pebbles.setting(opening, sheet)
    assert (caught.value.key, caught.value.facts["datum"]) == ("bad_kit", "heap")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"verb": "fly"},
        {"verb": "take"},
        {"verb": "take", "pebbles": 1, "colour": "red"},
        {"verb": "take", "pebbles": 1, "by": "Z"},
        {"verb": "audit", "subject": [], "value": "1"},
        {"verb": "audit", "subject": ["heap; take 2"], "value": "1"},
    ],
)
def test_stored_data_that_are_no_action_are_refused(pebbles, data) -> None:
    with pytest.raises(ParseError) as caught:
        pebbles.text.load(data)
    assert caught.value.key == "bad_action"


def test_replay_ends_at_the_first_refusal(pebbles) -> None:
    opening = pebbles.read("table A B first A")
    actions = [pebbles.read(f"take {n}") for n in (2, 2, 3)]
    heard = list(replayed(pebbles, pebbles.setting(opening), opening, actions))
    assert [judgement.accepted for judgement in heard] == [True, True, False]


def test_a_rulebook_written_elsewhere_than_in_the_chapters_is_no_game(pebbles) -> None:
    with pytest.raises(TypeError, match="not named as chapters: pebbles"):
        pebbles.rules.written_in("another_package")
    with pytest.raises(TypeError, match=r"chapters without a rule: engines\.kernel\.values\.bags"):
        pebbles.rules.written_in("pebbles", "engines.kernel.values.bags")


def test_whoever_acts_must_be_said_where_nobody_can_tell(pebbles) -> None:
    action = pebbles.read("take 1")
    with pytest.raises(ParseError, match="which_seat"):
        _ = action.seat
    assert pebbles.read("B take 1").seat == "B"


def test_behind_seats_that_share_a_place_comes_the_place_after_all_of_them() -> None:
    result = Result((("A", "C"), ("B",), ("D", "E")), "TOY-END-1")
    assert result.numbered == ((1, ("A", "C")), (3, ("B",)), (4, ("D", "E")))
