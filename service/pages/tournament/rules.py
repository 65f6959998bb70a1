"""The rules of an event: what everybody reads, and the form in which an organiser chooses them."""

from __future__ import annotations

from typing import Any

from answers.answer import Data
from answers.rulebooks.opening_form import FormQuestion, FormReading, questions, readings
from answers.tournament.lifecycle import TournamentInfoAnswer, edition_today, tie_break_names
from answers.tournament.rules_form import MeasureChoice, PileChoice, measures, piles, plays_together
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import Hall, hall, rules


class GameRules(Data):
    """What the rules of an event may say of one game."""

    engine: str
    name: str
    least: int
    most: int
    cooperative: bool
    """Nobody at a table beats anybody else there."""
    options: list[FormQuestion]
    """Those of the opening that are the same for every table."""
    readings: list[FormReading]
    boxes: list[str]
    kits: list[str]
    piles: list[PileChoice]


class RulesForm(Data):
    games: list[GameRules]
    columns: dict[str, str]
    """The tie-breaks, by name."""
    measures: list[MeasureChoice]
    edition: str
    """FIDE's that is in force."""


class RulesPage(Hall):
    rules: list[str]
    plan: dict[str, Any]
    form: RulesForm | None
    """Before the first pairing anything can still change: for who may do that."""
    called: str


def rules_form(page_context: PageContext) -> RulesForm:
    games = [
        _game_rules(page_context, row.engine, row.name)
        for row in page_context.ask("engine-list").data.engines
    ]
    voice = page_context.voice
    return RulesForm(
        games=games,
        columns=tie_break_names(voice),
        measures=measures(voice, {game.engine: game.options for game in games}),
        edition=edition_today(),
    )


def _game_rules(page_context: PageContext, engine: str, name: str) -> GameRules:
    least, most = page_context.ask("engine-info", engine=engine).data.seats
    asked = questions(page_context.voice, engine, least)
    own = page_context.ask("kit-box", engine=engine).data
    kits = [row.kit for row in page_context.ask("kit-list").data.kits if row.game == engine]
    return GameRules(
        engine=engine,
        name=name,
        least=least,
        most=most,
        cooperative=plays_together(engine),
        options=[one for one in asked if not one.seat and one.about != "first"],
        readings=readings(page_context.voice, engine),
        boxes=own.boxes,
        kits=kits,
        piles=piles(page_context.voice, engine),
    )


@page("event-rules", "/tournaments/{tournament}/rules")
def published_rules(page_context: PageContext) -> Shown:
    shown = hall(page_context)
    info: TournamentInfoAnswer = page_context.ask("tournament-info").data
    revised = not shown.rounds and not shown.closed and page_context.may("tournament-revise")
    it = RulesPage(
        **dict(shown),
        rules=rules(page_context),
        plan=info.plan,
        form=rules_form(page_context) if revised else None,
        called=shown.name,
    )
    title = page_context.voice.say("hall.rules_of", name=shown.name)
    return Shown("tournament_rules", title, it)
