"""Looking on: the table live, and every moment of it again."""

from __future__ import annotations

from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import sheet, title_of


@page("watch", "/games/{game}/watch")
def watch(page_context: PageContext) -> Shown:
    table = sheet(page_context)
    rules = page_context.ask("game-rules").data
    late = rules.delay_entries or rules.delay_seconds
    return Shown(
        "watch",
        title_of(page_context, table),
        **vars(table),
        rules=rules,
        delayed=late and page_context.principal.kind == "spectator",
        scores=page_context.ask("scores").data.scores,
    )
