"""The agenda: who owes what next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.kernel import Agenda, Duty, Group, Step, to_plain

A_BUILDS, B_BUILDS = Duty("build", "A"), Duty("build", "B")
A_TRADES = Duty("trade", "A", times=None, optional=True)


def fulfilled(agenda: Agenda, kind: str, seat: str) -> Agenda:
    duty = agenda.owes(kind, seat)
    assert duty is not None
    return agenda.fulfil(duty)


def test_the_first_item_pushed_is_due_first_and_interrupts_go_on_top() -> None:
    agenda = Agenda().push(A_BUILDS, B_BUILDS)
    assert agenda.seats == ("A",)
    agenda = agenda.push(Duty("defend", "B"))
    assert agenda.duties == Group(Duty("defend", "B"))
    agenda = fulfilled(agenda, "defend", "B")
    assert agenda.duties == Group(A_BUILDS)
    assert fulfilled(agenda, "build", "A").duties == Group(B_BUILDS)


def test_a_group_is_fulfilled_in_any_order() -> None:
    both = Agenda().push(Group(A_BUILDS, B_BUILDS), Duty("end", "A"))
    assert both.seats == ("A", "B")
    for first, second in (("A", "B"), ("B", "A")):
        left = fulfilled(both, "build", first)
        assert left.seats == (second,)
        assert fulfilled(left, "build", second).duties == Group(Duty("end", "A"))


def test_what_is_optional_goes_with_the_last_compulsory_duty() -> None:
    agenda = Agenda().push(Group(A_TRADES, A_BUILDS))
    agenda = fulfilled(agenda, "trade", "A")
    agenda = fulfilled(agenda, "trade", "A")
    assert agenda.owes("build", "A")
    assert fulfilled(agenda, "build", "A") == Agenda()


def test_a_group_of_options_goes_with_whatever_is_done_first() -> None:
    agenda = Agenda().push(Group(A_TRADES, Duty("pass", "A", optional=True)), B_BUILDS)
    assert fulfilled(agenda, "trade", "A").duties == Group(B_BUILDS)
    assert fulfilled(agenda, "pass", "A").duties == Group(B_BUILDS)


def test_duties_owed_several_times_are_counted_down() -> None:
    agenda = Agenda().push(Duty("draw", "A", times=3))
    for left in (2, 1):
        agenda = fulfilled(agenda, "draw", "A")
        assert agenda.duties[0].times == left
    assert fulfilled(agenda, "draw", "A") == Agenda()


def test_equal_duties_are_fulfilled_one_at_a_time() -> None:
    twice = Agenda().push(Group(Duty("draw"), Duty("draw")))
    assert fulfilled(twice, "draw", "A").duties == Group(Duty("draw"))


def test_an_observation_may_be_stated_by_anybody() -> None:
    agenda = Agenda().push(Duty("reveal"))
    assert agenda.owes("reveal", "A") == agenda.owes("reveal", "B") == Duty("reveal")
    assert agenda.seats == ()


def test_a_seat_owes_only_its_own() -> None:
    agenda = Agenda().push(Group(A_BUILDS, Duty("trade", "B")))
    assert agenda.owes("build", "B") is None
    assert agenda.owes("trade") == Duty("trade", "B")


def test_nobody_owes_an_empty_group() -> None:
    assert Agenda().push(Group(), A_BUILDS, Group()) == Agenda().push(A_BUILDS)


def test_duties_can_be_dropped() -> None:
    agenda = Agenda().push(Group(A_BUILDS, B_BUILDS, Duty("draw", "B")), Duty("end", "A"))
    assert agenda.drop("build", "A").duties == Group(B_BUILDS, Duty("draw", "B"))
    assert agenda.drop("build").duties == Group(Duty("draw", "B"))
    assert agenda.drop("build").drop("draw").duties == Group(Duty("end", "A"))


def test_nothing_is_owed_while_a_step_is_due() -> None:
    agenda = Agenda().push(Step("score"), A_BUILDS)
    assert agenda.top == Step("score")
    assert agenda.duties == Group()
    assert agenda.pop().seats == ("A",)
    assert agenda.clear() == Agenda()


def test_it_is_shown_as_data() -> None:
    agenda = Agenda().push(Step("score"), Group(A_BUILDS, A_TRADES))
    assert to_plain(agenda) == [
        [
            {"kind": "build", "seat": "A", "times": 1, "optional": False},
            {"kind": "trade", "seat": "A", "optional": True},
        ],
        "score",
    ]


DUTIES = st.builds(
    Duty,
    st.sampled_from(["build", "draw"]),
    st.sampled_from(["A", "B", None]),
    st.integers(1, 3),
    optional=st.booleans(),
)


@given(st.lists(DUTIES, min_size=1, max_size=5), st.data())
def test_a_group_is_always_used_up(duties: list[Duty], data: st.DataObject) -> None:
    """However its duties are fulfilled, after as many times as are owed it is gone."""
    agenda = Agenda().push(Group(*duties))
    for _ in range(sum(duty.times or 0 for duty in duties)):
        if agenda:
            agenda = agenda.fulfil(data.draw(st.sampled_from(agenda.duties)))
    assert agenda == Agenda()
