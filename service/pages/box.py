"""The club's own box: what it shows, page by page, confirmed or told otherwise."""

from __future__ import annotations

import json

from answers.rulebooks.games import draws_key, game_name, has_boards
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


@page("box", "/box/{engine}")
def own_box(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    known = page_context.ask("kit-box").data
    wanted = page_context.query.get("page", "")
    known_page = wanted if wanted in {row.page for row in known.pages} else ""
    return Shown(
        "box",
        _title(page_context, "own_box.title"),
        engine=engine,
        known=known,
        stop=page_context.ask("kit-page", page=known_page).data if known.pages else None,
        may_tell=page_context.may("kit-told"),
        boards=has_boards(engine),
    )


def _title(page_context: PageContext, key: str) -> str:
    name = game_name(page_context.voice, page_context.path["engine"])
    return page_context.voice.say(key, name=name)


@page("box-board", "/box/{engine}/board")
def photo_board(page_context: PageContext) -> Shown:
    engine = page_context.path["engine"]
    wanted = page_context.query.get("board", "")[:80]
    return Shown(
        "box_board",
        _title(page_context, "board_page.title"),
        engine=engine,
        board=page_context.ask("kit-board", board=wanted).data if has_boards(engine) else None,
        may_tell=page_context.may("kit-place"),
    )


@page("box-pieces", "/box/{engine}/pieces")
def pieces(page_context: PageContext) -> Shown:
    return Shown(
        "box_pieces",
        _title(page_context, "pieces_page.title"),
        engine=page_context.path["engine"],
        shown=page_context.ask("kit-pieces").data,
        may_tell=page_context.may("kit-cut"),
    )


@page("box-share", "/box/{engine}/share")
def share(page_context: PageContext) -> Shown:
    known = page_context.ask("kit-box").data
    return Shown(
        "box_share",
        _title(page_context, "share_page.title"),
        engine=page_context.path["engine"],
        known=known,
        pictured=known.kit in known.boxes and not known.told,
        may_tell=page_context.may("kit-import"),
    )


@page("key", "/box/{engine}/key", slow=True)
def key(page_context: PageContext) -> Shown:
    """Every component with its code: drawn together, where the game does that, else one by one."""
    engine = page_context.path["engine"]
    together = draws_key(engine)
    listed = page_context.file("kit-key", format="json")
    may_see = page_context.may("kit-pieces")
    own = page_context.ask("kit-pieces").data.pieces if may_see else []
    return Shown(
        "key",
        _title(page_context, "own_box.key_of"),
        engine=engine,
        drawing=page_context.file("kit-key").decode() if together else "",
        chapters=json.loads(listed)["chapters"],
        pictures={row.code: row.picture for row in own if row.picture},
    )
