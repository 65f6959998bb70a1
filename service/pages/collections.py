"""Collections: the list, and one of them, chapter by chapter."""

from __future__ import annotations

from answers.review.collections import CollectionAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.table_common import picture


@page("collections", "/collections")
def collections(page_context: PageContext) -> Shown:
    return Shown(
        "collections",
        page_context.voice.say("archive.collections"),
        collections=page_context.ask("collection-list").data.collections,
    )


@page("collection", "/collections/{collection}")
def collection(page_context: PageContext) -> Shown:
    found: CollectionAnswer = page_context.ask("collection-show").data
    asked = page_context.query.get("chapter", "")
    chapter = next((one for one in found.content if one.id == asked), None)
    if chapter is None and found.content:
        chapter = found.content[0]
    drawn = ""
    if chapter is not None and chapter.game is not None:
        game = chapter.game.game
        drawn = picture(page_context.at_game(game), game=game, at=chapter.at)
    return Shown("collection", found.name, all=found, chapter=chapter, picture=drawn)
