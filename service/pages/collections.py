"""Collections: the list, and one of them, chapter by chapter."""

from __future__ import annotations

from answers.answer import Data
from answers.review.collections import ChapterRow, CollectionAnswer, CollectionRow
from service.pages.home import TableRow, table_row
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


class CollectionsPage(Data):
    collections: list[CollectionRow]
    may_make: bool


class CollectionPage(Data):
    it: CollectionAnswer
    chapter: ChapterRow | None
    """The one that is read."""
    table: TableRow | None
    picture: str
    address: str


@page("collections", "/collections")
def collections(page_context: PageContext) -> Shown:
    found = page_context.ask("collection-list").data.collections
    shown = CollectionsPage(collections=found, may_make=page_context.may("collection-new"))
    return Shown("collections", page_context.voice.say("archive.collections"), shown)


@page("collection", "/collections/{collection}")
def collection(page_context: PageContext) -> Shown:
    found: CollectionAnswer = page_context.ask("collection-show").data
    asked = page_context.query.get("chapter", "")
    chapter = next((one for one in found.content if one.id == asked), None)
    if chapter is None and found.content:
        chapter = found.content[0]
    table = picture = None
    if chapter is not None and chapter.game is not None:
        game = chapter.game.game
        table = table_row(page_context, chapter.game)
        wanted = {"at": chapter.at, "shape": page_context.shape, "names": True, "photo": True}
        there = page_context.at_game(game)
        picture = there.file("picture", **wanted, game=game).decode()
    shown = CollectionPage(
        it=found,
        chapter=chapter,
        table=table,
        picture=picture or "",
        address=f"{page_context.address}/collections/{found.collection}",
    )
    return Shown("collection", found.name, shown)
