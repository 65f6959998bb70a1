from engines.kernel import Agenda, Duty, Group, Step

agenda = Agenda().push(Duty("build", "A"), Duty("build", "B"))
assert agenda.seats == ("A",)  # B waits until A has built

together = Agenda().push(Group(Duty("choose", "A"), Duty("choose", "B")))
assert together.seats == ("A", "B")
left = together.fulfil(together.owes("choose", "B"))
assert left.seats == ("A",)

turn = Agenda().push(
    Group(Duty("play", "A", times=2), Duty("trade", "A", times=None, optional=True))
)
turn = turn.fulfil(turn.owes("trade"))
turn = turn.fulfil(turn.owes("play"))
assert [duty.kind for duty in turn.duties] == ["play", "trade"]
assert turn.fulfil(turn.owes("play")) == Agenda()  # what is only optional goes with it

assert Agenda().push(Step("income"), Duty("play", "B")).top == Step("income")

from engines.kernel import Hearing
from engines.kernel.rules.hearing import Refused

rule = Hearing(kit=None, readings={}, number=9)
rule("XYZ-TAKE-1", 2 <= 3, left=3)
rule.claim("XYZ-SHOW-1", face="fox")
rule.proves("XYZ-SHOW-2", 7, face="owl")
assert rule.verdict().outcome == "undecided"
assert rule.verdict().findings[0].entries == (7,)

try:
    rule("XYZ-TAKE-2", False)
except Refused:
    assert rule.verdict().clause == "XYZ-TAKE-2"

lenient = Hearing(kit=None, readings={}, lenient=True)
assert lenient("XYZ-TAKE-2", False, left=0) is False  # it goes on

from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import el, text, worded

square = worded("c3", el("rect", x=0, y=0, width=40, height=40, fill="none", stroke="black"))
heap = Part(60, square + text(20, 55, "c3"), {"heap": Frame(0, 0, 40, 40)})
drawn = heap.picture(["heap"], width=60)
assert 'data-word="c3"' in drawn.body
assert drawn.anchors.keys() == {"heap"}

from engines.kernel import SECRET, State, evolve


class Tableau(State, frozen=True):
    hands: dict[str, str | None]


def hide(state, viewer, setting):
    hidden = {seat: SECRET for seat in state.hands if seat != viewer}
    return evolve(state, hands={**state.hands, **hidden}) if hidden else state


def dealt(state, face, rule):
    held = sum(hand == face for hand in state.hands.values())
    rule("XYZ-BOX-1", held < 1, face=face)  # there is one of each in the box


table = Tableau({"A": "crown", "B": None})
known = Hearing(kit=None, readings={})
dealt(hide(table, "B", None), "crown", known)
assert (known.verdict().outcome, known.verdict().clause) == ("undecided", "XYZ-BOX-1")

full = Hearing(kit=None, readings={}, lenient=True)
dealt(table, "crown", full)
assert full.verdict().outcome == "illegal"

from msgspec import Struct


class Said(Struct, frozen=True):
    number: int
    face: str


def answer(said, face, rule):
    rule.claim("XYZ-ANSWER-1", face=face)
    return (*said, Said(rule.number, face))


def show(said, face, rule):
    for each in said:
        settle = rule.clears if each.face == face else rule.proves
        settle("XYZ-ANSWER-1", each.number, face=each.face)


answers = answer((), "fox", Hearing(kit=None, readings={}, number=4))
shown = Hearing(kit=None, readings={}, number=12)
show(answers, "owl", shown)
assert [(found.status, found.entries) for found in shown.verdict().findings] == [("broken", (4,))]

from engines.kernel import Bag

bag = Bag({"red": 2, "blue": 1})
rest = bag.take("blue")
drawing = Hearing(kit=None, readings={}, lenient=True)
drawing("XYZ-DRAW-1", rest["blue"] > 0, colour="blue")
assert drawing.verdict().outcome == "illegal"

choosing = Agenda().push(Group(*(Duty("choose", seat) for seat in "ABC")), Duty("reveal"))
for seat in "CAB":
    choosing = choosing.fulfil(choosing.owes("choose", seat))
assert choosing.duties[0] == Duty("reveal")

from engines.kernel import Holdings, Result

together = Result((("A", "B"),), "XYZ-END-1", won=True)
ranked = Result((("B",), ("A", "C")), "XYZ-END-2", scores={"A": 7, "B": 9, "C": 7})
assert ranked.numbered == ((1, ("B",)), (2, ("A", "C")))
points = Holdings(points=lambda state: {"A": 7})
assert points.points(None) == {"A": 7}
