"""The rules of an event: what everybody reads, and the form in which an organiser chooses them."""

from __future__ import annotations

from types import SimpleNamespace

from answers.rulebooks.opening_form import questions, readings
from answers.tournament.lifecycle import TournamentInfoAnswer, edition_today, tie_break_names
from answers.tournament.rules_form import measures, piles, plays_together, usual
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.tournament.common import hall, tabs


def rules_form(page_context: PageContext) -> SimpleNamespace:
    """Everything that the rules of an event may say, game by game."""
    voice = page_context.voice
    games = [
        _game_rules(page_context, row.engine, row.name)
        for row in page_context.ask("engine-list").data.engines
    ]
    return SimpleNamespace(
        games=games,
        columns=tie_break_names(voice),
        measures=measures(voice, {game.engine: game.options for game in games}),
        edition=edition_today(),
        usual=usual(voice, games[0].engine),
    )


def _game_rules(page_context: PageContext, engine: str, name: str) -> SimpleNamespace:
    least, most = page_context.ask("engine-info", engine=engine).data.seats
    asked = questions(page_context.voice, engine, least)
    kits = [row.kit for row in page_context.ask("kit-list").data.kits if row.game == engine]
    return SimpleNamespace(
        engine=engine,
        name=name,
        least=least,
        most=most,
        cooperative=plays_together(engine),
        options=[one for one in asked if not one.seat and one.about != "first"],
        readings=readings(page_context.voice, engine),
        boxes=page_context.ask("kit-box", engine=engine).data.boxes,
        kits=kits,
        piles=piles(page_context.voice, engine),
    )


@page("event-rules", "/tournaments/{tournament}/rules")
def published_rules(page_context: PageContext) -> Shown:
    shown = tabs(page_context, hall(page_context), "rules")
    info: TournamentInfoAnswer = shown.info
    revised = not info.rounds and not info.closed and page_context.may("tournament-revise")
    form = rules_form(page_context) if revised else None
    usual = form.usual.model_dump() if form is not None else None
    return Shown(
        "tournament_rules",
        page_context.voice.say("hall.rules_of", name=info.name),
        **vars(shown),
        known={"plan": info.plan, "planned": info.plan["rounds"], "usual": usual},
        may_revise=not info.closed and page_context.may("tournament-revise"),
        form=form,
    )
