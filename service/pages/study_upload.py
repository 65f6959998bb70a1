"""A game from a file: studied like any other, and stored nowhere."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from answers.context import StoreContext
from answers.review.import_export import open_in_memory
from engines.kernel.messages.errors import MessageError
from service.auth import ReadOnlyAccess
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page
from service.pages.study import study
from service.problems import HttpRefusal, told

AT_HAND = 4
"""So many files are kept in memory, so that turning a page does not prove the whole game again."""


@page("open-file", "/study")
def asked_for(page_context: PageContext) -> Shown:
    return _asking(page_context, "")


def _asking(page_context: PageContext, problem: str) -> Shown:
    return Shown("study_upload", page_context.voice.say("opened.title"), problem=problem)


def opened(page_context: PageContext, content: bytes) -> Shown:
    """The study of the game in a file, or the page that asks for one and says what is wrong."""
    try:
        store_context, game = _unpacked(content)
    except MessageError as error:
        return _asking(page_context, told(error, page_context.voice)[1].message)
    access_control = ReadOnlyAccess(store_context)
    shown = study(
        replace(
            page_context,
            access_control=access_control,
            principal=access_control.reader(page_context.principal),
            path={"game": game},
        )
    )
    shown.it.file, shown.it.formats = content.decode("utf-8", "replace"), []
    return shown


@lru_cache(AT_HAND)
def _unpacked(content: bytes) -> tuple[StoreContext, str]:
    found = open_in_memory(content)
    if found is None:
        raise HttpRefusal("misused", "no_game_inside")
    return found
