"""The judge: what waits at all tables, and one dispute with everything that bears on it."""

from __future__ import annotations

from answers.answer import Data
from answers.judge.calls import CallAnswer
from answers.judge.disputes import DisputeShowAnswer, RemedyRow
from answers.judge.precedents import RulingAnswer
from answers.requests.judge import Disputes, DisputeTrial, Rulings, Trying
from answers.requests.play import Why
from answers.rulebooks.games import game_name
from answers.rulebooks.rules import ReadingAnswer
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page

LATEST = 8


class Decided(Data):
    """A dispute that was settled by a ruling, which can be appealed against."""

    place: str
    line: str
    reason: str
    remedy: str
    date: str


class CallsPage(Data):
    calls: list[CallAnswer]
    decided: list[Decided]
    """The latest, for who may read the book."""


class Tried(Data):
    """A remedy, and how the table would look."""

    it: RemedyRow
    picture: str


class Asked(Data):
    """A disputed action: its line, and every rule that was asked about it, in sentences."""

    number: int
    line: str
    why: list[str]


class DisputePage(Data):
    game: str
    engine: str
    name: str
    title: str
    seats: dict[str, str]
    version: int
    brief: DisputeShowAnswer
    before: str
    """The picture of the position in question."""
    actions: list[Asked]
    remedies: list[Tried]
    correct: list[str]
    readings: list[ReadingAnswer]
    """Those that were asked about."""
    tournament: bool
    seat: str
    """Whoever did what is disputed."""


@page("judge", "/judge")
def calls(guest: Guest) -> Shown:
    waiting = guest.ask("dispute-calls").data.calls
    shown = CallsPage(calls=waiting, decided=_decided(guest))
    return Shown("judge", guest.voice.say("judge.title"), shown)


def _decided(guest: Guest) -> list[Decided]:
    """The latest rulings of this house that settled a dispute and stand."""
    if not guest.may("ruling-list"):
        return []
    book: list[RulingAnswer] = guest.ask("ruling-list", Rulings()).data.rulings
    own = [ruling for ruling in book if not ruling.source and not ruling.overturned_by]
    latest = sorted(own, key=lambda ruling: ruling.date, reverse=True)[:LATEST]
    settled: dict[str, str] = {}
    for game in {ruling.reference.partition("/")[0] for ruling in latest}:
        for row in guest.ask("dispute-list", Disputes(), game=game).data.disputes:
            settled[f"{game}/{row.settled}"] = f"/games/{game}/disputes/{row.id}"
    return [
        Decided(
            place=settled[ruling.reference],
            line=ruling.line,
            reason=ruling.reason,
            remedy=ruling.remedy,
            date=ruling.date,
        )
        for ruling in latest
        if ruling.reference in settled
    ]


@page("dispute", "/games/{game}/disputes/{dispute}")
def dispute(guest: Guest) -> Shown:
    correct = [line for line in guest.query.get("correct", "").split(";") if line.strip()][:20]
    brief = guest.ask("dispute-show", Trying(correct=correct)).data
    info = guest.ask("info").data
    asked = {reading for row in brief.actions for reading in _asked(guest, row.number)}
    shown = DisputePage(
        game=info.game,
        engine=info.engine,
        name=game_name(guest.voice, info.engine),
        title=info.title,
        seats=info.seats,
        version=info.entries - 1,
        brief=brief,
        before=guest.file("dispute-picture", DisputeTrial()).decode(),
        actions=[
            Asked(number=row.number, line=row.notation, why=_why(guest, row.number))
            for row in brief.actions
        ],
        remedies=[_tried(guest, row, correct) for row in brief.remedies],
        correct=correct,
        readings=[
            each
            for each in guest.ask("readings", engine=info.engine).data.readings
            if each.id in asked
        ],
        tournament=bool(info.tournament),
        seat=_acting(brief),
    )
    return Shown("dispute", f"{brief.id} · {shown.name} {shown.title}".strip(), shown)


def _acting(brief: DisputeShowAnswer) -> str:
    done = (row.action.model_dump().get("seat") for row in brief.actions if row.action is not None)
    return next((seat for seat in done if seat), "")


def _why(guest: Guest, number: int) -> list[str]:
    return guest.ask("why", Why(line=str(number))).lines(guest.voice)


def _asked(guest: Guest, number: int) -> list[str]:
    return [*guest.ask("why", Why(line=str(number))).data.readings]


def _tried(guest: Guest, row: RemedyRow, correct: list[str]) -> Tried:
    """A remedy that changes the table is drawn; the others leave it as it is."""
    if not row.possible or row.remedy not in ("taken_back", "corrected"):
        return Tried(it=row, picture="")
    drawn = guest.file("dispute-picture", DisputeTrial(remedy=row.remedy, correct=correct))
    return Tried(it=row, picture=drawn.decode())
