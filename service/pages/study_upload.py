"""A game from a file: studied like any other, and stored nowhere."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from answers.answer import Data
from answers.context import StoreContext
from answers.review.import_export import open_in_memory
from engines.kernel.messages.errors import MessageError
from service.auth import AccessControl, Principal
from service.pages.page_context import Guest
from service.pages.rendering import Shown, page
from service.pages.study import StudyPage, study
from service.problems import Refused, told

AT_HAND = 4
"""So many files are kept in memory, so that turning a page does not prove the whole game again."""


class OpenPage(Data):
    problem: str
    """Why a file could not be opened."""


@page("open-file", "/study")
def asked_for(guest: Guest) -> Shown:
    return _asking(guest, "")


def _asking(guest: Guest, problem: str) -> Shown:
    return Shown("opened", guest.voice.say("opened.title"), OpenPage(problem=problem))


def opened(guest: Guest, content: bytes) -> Shown:
    """The study of the game in a file, or the page that asks for one and says what is wrong."""
    try:
        house, game = _unpacked(content)
    except MessageError as error:
        return _asking(guest, told(error, guest.voice)[1].message)
    reader = Principal(guest.visitor.id, "judge", scope="")
    shown = study(replace(guest, door=AccessControl(house), visitor=reader, path={"game": game}))
    assert isinstance(shown.it, StudyPage)
    may = {**shown.it.may, "note-add": False, "note-remove": False}
    changes = {"file": content.decode("utf-8", "replace"), "may": may, "formats": []}
    return shown._replace(it=shown.it.model_copy(update=changes))


@lru_cache(AT_HAND)
def _unpacked(content: bytes) -> tuple[StoreContext, str]:
    found = open_in_memory(content)
    if found is None:
        raise Refused("misused", "no_game_inside")
    return found
