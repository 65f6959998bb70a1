"""The judge: what waits at all tables, and one dispute with everything that bears on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from answers.judge.disputes import RemedyRow
from answers.judge.precedents import RulingAnswer
from answers.judge.rulings import PenaltyGuideAnswer
from answers.left_out import readable
from answers.rulebooks.games import game_name
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.rulebook import own_words
from service.pages.table_common import shown_photos

LATEST = 8


@page("judge", "/judge")
def calls(page_context: PageContext) -> Shown:
    waiting = page_context.ask("dispute-calls").data
    title, decided = page_context.voice.say("judge.title"), _decided(page_context)
    games = page_context.ask("engine-list").data.engines
    return Shown("judge", title, calls=waiting.calls, now=waiting.now, decided=decided, games=games)


def _decided(page_context: PageContext) -> list[tuple[RulingAnswer, str, dict[str, str]]]:
    """The latest rulings of this house that settled a dispute and stand, which can be appealed
    against: each with the page of the dispute and who sits there."""
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
        (ruling, settled[ruling.reference], seats[ruling.reference.partition("/")[0]])
        for ruling in latest
        if ruling.reference in settled
    ]


@page("dispute", "/games/{game}/disputes/{dispute}")
def dispute(page_context: PageContext) -> Shown:
    correct = [line for line in page_context.query.get("correct", "").split(";") if line.strip()][
        :20
    ]
    stands = page_context.query.get("stands", "") != ""
    tried: dict[str, Any] = {"correct": correct, "stands": stands}
    brief = page_context.ask("dispute-show", **tried).data
    info = page_context.ask("info").data
    guide: PenaltyGuideAnswer = page_context.ask("penalty-guide").data
    at_event = replace(page_context, path={"tournament": guide.event})
    knows = guide.event != "" and at_event.may("tournament-penalty-next")
    hearings = {
        row.number: page_context.ask("why", line=str(row.number))
        for row in brief.actions
        if row.number  # nobody has said an opening
    }
    asked = {reading for hearing in hearings.values() for reading in hearing.data.readings}
    numbers = {row.number for row in brief.actions}
    ended = (None, "withdrawn", "undone")
    appealed = (brief.settled if brief.settled not in ended else brief.appeals) or ""
    table = info.title or game_name(page_context.voice, info.engine)
    return Shown(
        "dispute",
        f"{brief.id} · {table}",
        info=info,
        table=table,
        brief=brief,
        now=page_context.access_control.store_context.bench.now(),
        drawn=page_context.file("dispute-picture", photo=True).decode(),
        wording=own_words(page_context, engine=info.engine, clause=brief.broken.clause)
        if brief.broken
        else {},
        why={number: each.lines(page_context.voice) for number, each in hearings.items()},
        remedies=[(row, _tried(page_context, row, tried)) for row in brief.remedies],
        correct=correct,
        stands=stands,
        readings=[
            each
            for each in page_context.ask("readings", engine=info.engine).data.readings
            if each.id in asked
        ],
        appealed=appealed,
        guide=guide,
        event=guide.event if knows else "",
        players=guide.players if knows else {},
        photos=[
            photo
            for photo in shown_photos(page_context)
            if photo.dispute == brief.id or photo.number in numbers
        ],
    )


def _tried(page_context: PageContext, row: RemedyRow, tried: dict[str, Any]) -> str:
    """A remedy that changes the table is drawn; the others leave it as it is."""
    if not row.possible or not (row.gone or row.back or row.judged_again):
        return ""
    drawn = page_context.file("dispute-picture", **tried, remedy=row.remedy, photo=True)
    return drawn.decode()
