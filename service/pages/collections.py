"""Collections: the list, and one of them, chapter by chapter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from answers.review.collections import CollectionAnswer
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.study import noted
from service.pages.table_common import sheet


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
    table: dict[str, Any] = {"info": None}
    if chapter is not None and chapter.game is not None:
        table = _stepped(page_context, chapter.game.game, chapter.at)
    return Shown("collection", found.name, all=found, chapter=chapter, **table)


def _stepped(page_context: PageContext, game: str, opens: int | None) -> dict[str, Any]:
    """The game of a chapter, at the moment of the address or where the chapter opens."""
    asked = dict(page_context.query)
    if "at" not in asked and opens is not None:
        asked["at"] = str(opens)
    there = replace(page_context.at_game(game), path={"game": game}, query=asked)
    table = sheet(there, noted=True)
    return {**vars(table), **noted(there, table)}
