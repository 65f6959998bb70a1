"""Looking on: the table live, and every moment of it again."""

from __future__ import annotations

from answers.review.scores import ScoreRow
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import TableView, sheet


class WatchPage(TableView):
    delay: str
    """How far behind the table those are who only look on; empty if they are not."""
    scores: list[ScoreRow]
    """How the points went, where the game counts them."""


@page("watch", "/games/{game}/watch")
def watch(page_context: PageContext) -> Shown:
    shown = sheet(page_context)
    title = f"{shown.name} {shown.title}".strip()
    scores = page_context.ask("scores").data.scores
    it = WatchPage(**dict(shown), delay=_delay(page_context), scores=scores)
    return Shown("watch", title, it)


def _delay(page_context: PageContext) -> str:
    rules = page_context.ask("game-rules").data
    if page_context.principal.kind != "spectator" or not (
        rules.delay_entries or rules.delay_seconds
    ):
        return ""
    say = page_context.voice.say
    return say("watch.delay", entries=rules.delay_entries, seconds=rules.delay_seconds)
