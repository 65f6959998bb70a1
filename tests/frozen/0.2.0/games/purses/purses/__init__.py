"""Purses: everybody holds one card in secret. Ask for cards, answer truly, and find one."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec import Struct

from engines.kernel import (
    GO_ON,
    SECRET,
    Action,
    Agenda,
    Duty,
    Engine,
    Faces,
    Group,
    Hearing,
    Holding,
    Holdings,
    Kit,
    Opening,
    Result,
    Rulebook,
    Seat,
    Secrecy,
    Setting,
    State,
    evolve,
    next_seat,
    with_player,
)
from engines.kernel.picture.layout import Frame, Part
from engines.kernel.picture.svg import GREY, INK, PAPER, el, joined, text, worded


class Box(Kit):
    cards: dict[str, int]
    """How often each face is in the box."""
    questions: int
    """After so many the cards are shown."""


class Table(Opening):
    players: tuple[Seat, ...]
    forms: ClassVar = ("{players...}",)
    seats = property(lambda self: self.players)

    @classmethod
    def usual(cls, players: int) -> str:
        return f"table {' '.join('ABCD'[:players])}"


class Dealt(Action):
    """A card is dealt. Its seat may tell the referee which: nobody else sees it."""

    verb: Literal["dealt"] = "dealt"
    face: str | None = None
    forms: ClassVar = ("[{face}]",)
    french: ClassVar = ("reçoit",)
    private: ClassVar = ("face",)
    observes: ClassVar = True


class Ask(Action):
    verb: Literal["ask"] = "ask"
    of: Seat
    face: str
    forms: ClassVar = ("{of} {face}",)
    french: ClassVar = ("demande",)


class Answer(Action):
    verb: Literal["answer"] = "answer"
    says: Literal["yes", "no"]
    forms: ClassVar = ("{says}",)
    french: ClassVar = ("répond",)


class Show(Action):
    verb: Literal["show"] = "show"
    face: str
    forms: ClassVar = ("{face}",)
    french: ClassVar = ("montre",)
    observes: ClassVar = True


class Answered(Struct, frozen=True):
    number: int
    """The entry of the answer, for the day on which it is proven."""
    face: str
    says: str


class Player(Struct, frozen=True):
    dealt: bool = False
    face: str | None = None
    """What is held, where the referee was told; ``SECRET`` to the others."""
    answers: tuple[Answered, ...] = ()
    shown: str | None = None


class Tableau(State, frozen=True):
    players: dict[str, Player]
    turn: str
    stock: int
    questions: int
    """How many are left."""
    asked: tuple[str, str, str] | None = None
    """Who has asked whom for what."""
    winner: str | None = None


rules = Rulebook({"deal": (Dealt,), "ask": (Ask,), "answer": (Answer,), "show": (Show,)})


@rules.checks_kit
def enough_cards(kit: Box, rule: Hearing[Box]) -> None:
    rule("PUR-BOX-2", sum(kit.cards.values()) >= 4, cards=sum(kit.cards.values()))


@rules.opens
def open_table(opening: Table, rule: Hearing[Box]) -> Tableau:
    seats = opening.players
    fits = 2 <= len(seats) <= 4 and len(set(seats)) == len(seats)
    rule("PUR-SETUP-1", fits, seats=seats)
    cards, questions = sum(rule.kit.cards.values()), rule.kit.questions
    return Tableau(dict.fromkeys(seats, Player()), seats[0], cards, questions, agenda=GO_ON)


@rules.flows
def go_on(state: Tableau, rule: Hearing[Box]) -> Tableau:
    """What is due follows from the table: deal, ask, answer, and in the end show."""
    players = state.players
    if undealt := [seat for seat, one in players.items() if not one.dealt]:
        return evolve(state, agenda=_all_owe("deal", undealt))
    if state.asked is not None:
        return evolve(state, agenda=_all_owe("answer", [state.asked[1]]))
    if state.winner is None and state.questions > 0:
        return evolve(state, agenda=_all_owe("ask", [state.turn]))
    if hidden := [seat for seat, one in players.items() if one.shown is None]:
        return evolve(state, agenda=_all_owe("show", hidden))
    if not rule.effect("PUR-END-1", state.winner is not None, winner=state.winner):
        rule.effect("PUR-END-2", True)
    return evolve(state, agenda=Agenda())


def _all_owe(kind: str, seats: list[str]) -> Agenda:
    return Agenda((Group(*(Duty(kind, seat) for seat in seats)),))


@rules.hears(Dealt)
def dealt(state: Tableau, action: Dealt, rule: Hearing[Box]) -> Tableau:
    if action.face is not None:
        # Ask what is held as if all were known: who may not know it is told "undecided".
        held = sum(one.face == action.face for one in state.players.values())
        rule("PUR-BOX-1", held < rule.kit.cards.get(action.face, 0), face=action.face)
    taken = 0 if state.players[action.seat].dealt else min(1, state.stock)
    state = evolve(state, stock=state.stock - taken)
    return with_player(state, action.seat, dealt=True, face=action.face)


@rules.hears(Ask)
def ask(state: Tableau, action: Ask, rule: Hearing[Box]) -> Tableau:
    rule("PUR-ASK-1", action.of != action.seat and action.of in state.players, of=action.of)
    rule("PUR-ASK-2", action.face in rule.kit.cards, face=action.face)
    if action.of not in state.players:
        return state
    asked = (action.seat, action.of, action.face)
    return evolve(state, asked=asked, questions=max(0, state.questions - 1))


@rules.hears(Answer)
def answer(state: Tableau, action: Answer, rule: Hearing[Box]) -> Tableau:
    if state.asked is None:
        return state
    asker, asked, face = state.asked
    me = state.players[action.seat]
    if me.face is None:
        rule.claim("PUR-ANSWER-1", says=action.says, face=face)
    else:
        true = (me.face == face) == (action.says == "yes")
        rule("PUR-ANSWER-1", true, says=action.says, face=face)
    said = Answered(rule.number, face, action.says)
    state = with_player(state, action.seat, answers=(*me.answers, said))
    winner = asker if action.says == "yes" else None
    seats = tuple(state.players)
    return evolve(state, asked=None, winner=winner, turn=next_seat(seats, asker))


@rules.hears(Show)
def show(state: Tableau, action: Show, rule: Hearing[Box]) -> Tableau:
    me = state.players[action.seat]
    rule("PUR-SHOW-1", me.face is None or me.face == action.face, face=action.face)
    others = (one for seat, one in state.players.items() if seat != action.seat)
    held = sum((one.shown or one.face) == action.face for one in others)
    rule("PUR-BOX-1", held < rule.kit.cards.get(action.face, 0), face=action.face)
    for said in me.answers:
        if (said.face == action.face) == (said.says == "yes"):
            rule.clears("PUR-ANSWER-1", said.number, says=said.says, face=said.face)
        else:
            rule.proves("PUR-ANSWER-1", said.number, says=said.says, face=said.face)
    return with_player(state, action.seat, shown=action.face, face=action.face)


@rules.not_now
def not_now(state: Tableau, action: Action, rule: Hearing[Box]) -> None:
    rule("PUR-END-3", not state.over)
    rule("PUR-TURN-1", False, turn=state.agenda.seats)


@rules.offers(Dealt)
def deals(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Dealt]:
    yield Dealt(by=seat)
    yield from (Dealt(by=seat, face=face) for face in setting.kit.cards)


@rules.offers(Ask)
def asks(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Ask]:
    for of in state.players:
        yield from (Ask(by=seat, of=of, face=face) for face in setting.kit.cards)


@rules.offers(Answer)
def answers(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Answer]:
    yield from (Answer(by=seat, says="yes"), Answer(by=seat, says="no"))


@rules.offers(Show)
def shows(state: Tableau, seat: str, setting: Setting[Box]) -> Iterator[Show]:
    yield from (Show(by=seat, face=face) for face in setting.kit.cards)


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    """Every card that was dealt and not shown is secret, whether the referee was told or not."""
    hidden = {
        seat: evolve(one, face=SECRET)
        for seat, one in state.players.items()
        if seat != viewer and one.dealt and one.shown is None
    }
    return evolve(state, players={**state.players, **hidden}) if hidden else state


def _face(one: Player) -> str | None:
    """The face to be drawn: as shown, as known, or none."""
    if one.shown is not None:
        return one.shown
    return None if one.face is SECRET else one.face


def describe(state: Tableau, setting: Setting[Box], speech: Any) -> list[str]:
    lines = [speech.say("questions", count=state.questions)]
    for seat, one in state.players.items():
        face = _face(one)
        key = "holds" if face else "holds_something" if one.dealt else "waits"
        facts = {"face": speech.term(face)} if face else {}
        lines.append(speech.say(key, seat=seat, **facts))
    return lines


def picture(state: Tableau, setting: Setting[Box], speech: Any, last: Action | None) -> Any:
    """A card for each seat, and below them the faces that can be asked for."""
    faces = list(setting.kit.cards)
    width = max(80.0 * len(state.players), 80.0 * len(faces)) + 20
    drawn, frames = [], {}
    for place, (seat, one) in enumerate(state.players.items()):
        x = 10 + 80.0 * place
        face = _face(one)
        told = speech.term(face) if face else "?" if one.dealt else ""
        card = el("rect", x=x + 8, y=26.0, width=56.0, height=64.0, rx=6, fill=PAPER, stroke=INK)
        drawn += [text(x + 36, 18, seat), card, text(x + 36, 62, told)]
        frames[seat] = Frame(x + 8, 26, 56, 64)
    for place, face in enumerate(faces):
        x = 10 + 80.0 * place
        tile = el("rect", x=x, y=104.0, width=72.0, height=28.0, rx=6, fill=PAPER, stroke=GREY)
        drawn.append(worded(face, joined([tile, text(x + 36, 123, speech.term(face))])))
    part = Part(144, joined(drawn), frames)
    return part.picture([last.by] if last is not None and last.by else [], width=width)


def balance(state: Tableau, setting: Setting[Box]) -> dict[str, int]:
    dealt = sum(one.dealt for one in state.players.values())
    difference = state.stock + dealt - sum(setting.kit.cards.values())
    return {"cards": difference} if difference else {}


def held(state: Tableau, setting: Setting[Box]) -> Iterator[Holding]:
    yield Holding("stock", "card", state.stock)
    yield from (Holding(seat, "card", int(one.dealt)) for seat, one in state.players.items())


def result(state: Tableau) -> Result | None:
    if not state.over:
        return None
    if state.winner is None:
        return Result((tuple(state.players),), "PUR-END-2")
    others = tuple(seat for seat in state.players if seat != state.winner)
    return Result(((state.winner,), others), "PUR-END-1")


ENGINE = Engine(
    id="purses",
    package="purses",
    version="1.0",
    edition="first",
    seats=(2, 4),
    kit=Box,
    opening=Table,
    actions=(Dealt, Ask, Answer, Show),
    rules=rules,
    result=result,
    balance=balance,
    holdings=Holdings(held),
    faces=Faces(describe, picture),
    secrecy=Secrecy(hide),
)
