"""The judge: what waits at all tables, and one dispute with everything that bears on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from answers.answer import Data
from answers.judge.calls import CallAnswer
from answers.judge.disputes import DisputeShowAnswer, RemedyRow
from answers.judge.precedents import RulingAnswer
from answers.judge.rulings import PenaltyGuideAnswer
from answers.left_out import readable
from answers.review.photos import PhotoAnswer
from answers.rulebooks.games import game_name
from answers.rulebooks.rules import ReadingAnswer
from answers.tournament.i18n import fluent, points
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import shown_photos

LATEST = 8


class Decided(Data):
    """A dispute that was settled by a ruling, which can be appealed against."""

    place: str
    engine: str
    seats: dict[str, str]
    line: str
    reason: str
    remedy: str
    date: str


class CallsPage(Data):
    calls: list[CallAnswer]
    decided: list[Decided]
    """The latest, for who may read the book."""
    now: str


class Tried(Data):
    """A remedy, and how the table would look."""

    it: RemedyRow
    picture: str


class AskedRules(Data):
    """A disputed action: its line, and every rule that was asked about it, in sentences."""

    number: int
    line: str
    why: list[str]


class GuideLevel(Data):
    """A level of penalty, and the points that it costs in the standings."""

    level: str
    points: str


class DisputePage(Data):
    game: str
    engine: str
    name: str
    title: str
    seats: dict[str, str]
    colours: dict[str, str]
    version: int
    brief: DisputeShowAnswer
    before: str
    """The picture of the position in question."""
    actions: list[AskedRules]
    remedies: list[Tried]
    correct: list[str]
    stands: bool
    """What is corrected happened so, even where it is illegal."""
    readings: list[ReadingAnswer]
    """Those that were asked about."""
    tournament: bool
    seat: str
    """Whoever did what is disputed."""
    appealed: str
    """The ruling that an appeal would overturn; empty while the dispute is open."""
    held: bool
    closed: bool
    guide: list[GuideLevel]
    guide_of: str
    """The tournament whose rules have the guide; empty where it is the usual one."""
    event: str
    """The tournament that has the player's earlier penalties, for whoever may know them."""
    players: dict[str, str]
    """Its players by seat."""
    photos: list[PhotoAnswer]
    """Of what is disputed: added to the dispute, or to the actions that it is about."""


@page("judge", "/judge")
def calls(page_context: PageContext) -> Shown:
    waiting = page_context.ask("dispute-calls").data
    shown = CallsPage(calls=waiting.calls, decided=_decided(page_context), now=waiting.now)
    return Shown("judge", page_context.voice.say("judge.title"), shown)


def _decided(page_context: PageContext) -> list[Decided]:
    """The latest rulings of this house that settled a dispute and stand."""
    if not page_context.may("ruling-list"):
        return []
    book: list[RulingAnswer] = page_context.ask("ruling-list").data.rulings
    own = [ruling for ruling in book if not ruling.source and not ruling.overturned_by]
    latest = sorted(own, key=lambda ruling: ruling.date, reverse=True)[:LATEST]

    def seated(game: str) -> tuple[str, dict[str, str]]:
        return game, page_context.ask("info", game=game).data.seats

    seats = dict(readable({ruling.reference.partition("/")[0] for ruling in latest}, seated))
    settled = {
        f"{game}/{row.settled}": f"/games/{game}/disputes/{row.id}"
        for game in seats
        for row in page_context.ask("dispute-list", game=game).data.disputes
    }
    return [
        Decided(
            place=settled[ruling.reference],
            engine=ruling.game,
            seats=seats[ruling.reference.partition("/")[0]],
            line=ruling.line,
            reason=ruling.reason,
            remedy=ruling.remedy,
            date=ruling.date,
        )
        for ruling in latest
        if ruling.reference in settled
    ]


@page("dispute", "/games/{game}/disputes/{dispute}")
def dispute(page_context: PageContext) -> Shown:
    correct = [line for line in page_context.query.get("correct", "").split(";") if line.strip()][
        :20
    ]
    stands = page_context.query.get("stands", "") != ""
    asked_for: dict[str, Any] = {"correct": correct, "stands": stands}
    brief = page_context.ask("dispute-show", **asked_for).data
    info = page_context.ask("info").data
    guide: PenaltyGuideAnswer = page_context.ask("penalty-guide").data
    at_event = replace(page_context, path={"tournament": guide.event})
    knows = guide.event != "" and at_event.may("tournament-penalty-next")
    asked = {reading for row in brief.actions for reading in _asked(page_context, row.number)}
    shown = DisputePage(
        game=info.game,
        engine=info.engine,
        name=game_name(page_context.voice, info.engine),
        title=info.title,
        seats=info.seats,
        colours=info.colours,
        version=info.entries - 1,
        brief=brief,
        before=page_context.file("dispute-picture", photo=True).decode(),
        actions=[
            AskedRules(number=row.number, line=row.notation, why=_why(page_context, row.number))
            for row in brief.actions
        ],
        remedies=[_tried(page_context, row, asked_for) for row in brief.remedies],
        correct=correct,
        stands=stands,
        readings=[
            each
            for each in page_context.ask("readings", engine=info.engine).data.readings
            if each.id in asked
        ],
        tournament=bool(info.tournament),
        seat=_acting(brief),
        appealed=brief.settled if brief.settled not in (None, "withdrawn", "undone") else "",
        held=info.held,
        closed=info.closed,
        guide=[
            GuideLevel(level=each.level, points=points(fluent(page_context.voice), each.halves))
            for each in guide.levels
        ],
        guide_of=guide.tournament,
        event=guide.event if knows else "",
        players=guide.players if knows else {},
        photos=[
            photo
            for photo in shown_photos(page_context)
            if photo.dispute == brief.id or photo.number in {row.number for row in brief.actions}
        ],
    )
    return Shown("dispute", f"{brief.id} · {shown.name} {shown.title}".strip(), shown)


def _acting(brief: DisputeShowAnswer) -> str:
    done = (row.action.model_dump().get("seat") for row in brief.actions if row.action is not None)
    return next((seat for seat in done if seat), "")


def _why(page_context: PageContext, number: int) -> list[str]:
    return page_context.ask("why", line=str(number)).lines(page_context.voice)


def _asked(page_context: PageContext, number: int) -> list[str]:
    return [*page_context.ask("why", line=str(number)).data.readings]


def _tried(page_context: PageContext, row: RemedyRow, tried: dict[str, Any]) -> Tried:
    """A remedy that changes the table is drawn; the others leave it as it is."""
    if not row.possible or not (row.gone or row.back or row.judged_again):
        return Tried(it=row, picture="")
    drawn = page_context.file("dispute-picture", **tried, remedy=row.remedy, photo=True)
    return Tried(it=row, picture=drawn.decode())
