"""The club's own box: what it shows, page by page, confirmed or told otherwise."""

from __future__ import annotations

from answers.answer import Data
from answers.requests.rulebooks import BoxPageRequest, BoxRequest, KeyRequest
from answers.rulebooks.box_tour import BoxPageAnswer
from answers.rulebooks.games import game_name
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


class OwnBoxPage(Data):
    engine: str
    name: str
    asked: int
    told: int
    stop: BoxPageAnswer | None
    """Where one looks now; none where nothing of the box is assumed."""
    may_tell: bool


@page("box", "/box/{engine}")
def own_box(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    known = page_context.ask("kit-box", BoxRequest()).data
    wanted = page_context.query.get("page", "")
    asked = BoxPageRequest(page=wanted if wanted in {row.page for row in known.pages} else "")
    shown = OwnBoxPage(
        engine=engine,
        name=game_name(page_context.voice, engine),
        asked=known.asked,
        told=known.told,
        stop=page_context.ask("kit-page", asked).data if known.pages else None,
        may_tell=page_context.may("kit-told"),
    )
    title = page_context.voice.say("own_box.title", name=shown.name)
    return Shown("box", title, shown)


class KeyPage(Data):
    engine: str
    name: str
    drawing: str
    """Every component with its code, as SVG."""


@page("key", "/box/{engine}/key", slow=True)
def key(page_context: PageContext) -> Shown:
    shown = KeyPage(
        engine=page_context.path["engine"],
        name=game_name(page_context.voice, page_context.path["engine"]),
        drawing=page_context.file("kit-key", KeyRequest()).decode(),
    )
    return Shown("key", page_context.voice.say("own_box.key_of", name=shown.name), shown)
