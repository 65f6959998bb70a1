"""The judge: what waits at all tables, and one dispute with everything that bears on it."""

from __future__ import annotations

from answers.answer import Data
from answers.judge.calls import CallAnswer
from answers.judge.disputes import DisputeShowAnswer, RemedyRow
from answers.rulebooks.rules import ReadingAnswer
from engines.kernel.registry import load_engine
from service.pages.guest import Guest
from service.pages.rendering import Shown, page
from service.routes.judge import Trial, Trying
from service.routes.play import Why


class CallsPage(Data):
    calls: list[CallAnswer]


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


@page("judge", "/judge")
def calls(guest: Guest) -> Shown:
    waiting = guest.ask("dispute-calls").data.calls
    return Shown("judge", guest.voice.say("judge.title"), CallsPage(calls=waiting))


@page("dispute", "/games/{game}/disputes/{dispute}")
def dispute(guest: Guest) -> Shown:
    correct = [line for line in guest.query.get("correct", "").split(";") if line.strip()][:20]
    brief = guest.ask("dispute-show", Trying(correct=correct)).data
    info = guest.ask("info").data
    engine = load_engine(info.engine)
    asked = {reading for row in brief.actions for reading in _asked(guest, row.number)}
    shown = DisputePage(
        game=info.game,
        engine=engine.id,
        name=engine.words.say("game", guest.voice.lang),
        title=info.title,
        seats=info.seats,
        version=info.entries - 1,
        brief=brief,
        before=guest.file("dispute-picture", Trial()).decode(),
        actions=[
            Asked(number=row.number, line=row.notation, why=_why(guest, row.number))
            for row in brief.actions
        ],
        remedies=[_tried(guest, row, correct) for row in brief.remedies],
        correct=correct,
        readings=[
            each
            for each in guest.ask("readings", engine=engine.id).data.readings
            if each.id in asked
        ],
        tournament=bool(info.tournament),
    )
    return Shown("dispute", f"{brief.id} · {shown.name} {shown.title}".strip(), shown)


def _why(guest: Guest, number: int) -> list[str]:
    return guest.ask("why", Why(line=str(number))).lines(guest.voice)


def _asked(guest: Guest, number: int) -> list[str]:
    return [*guest.ask("why", Why(line=str(number))).data.readings]


def _tried(guest: Guest, row: RemedyRow, correct: list[str]) -> Tried:
    """A remedy that changes the table is drawn; the others leave it as it is."""
    if not row.possible or row.remedy not in ("taken_back", "corrected"):
        return Tried(it=row, picture="")
    drawn = guest.file("dispute-picture", Trial(remedy=row.remedy, correct=correct))
    return Tried(it=row, picture=drawn.decode())
