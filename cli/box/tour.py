"""The guided tour of a box at a terminal: page by page, one key per answer."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from answers.box_words import title
from answers.problems import problem_of
from answers.rulebooks import boxes
from answers.rulebooks.boxes import OwnBox
from cli.box.page_keys import PageKeys
from cli.i18n import write
from cli.keyboard import ReadKey, keyboard
from cli.output import atomic_write
from cli.session import Session
from engines.kernel.box.tour import Page
from engines.kernel.messages.errors import MessageError

_CLEAR = "\x1b[2J\x1b[H"


def walk(here: Session, game: str, kit: str, picture: Path | None = None) -> None:
    """Ask page by page what nobody has told yet; whatever was told before stays told."""
    with keyboard() as read:
        _walk(here, game, kit, picture, read)


def _walk(here: Session, game: str, kit: str, picture: Path | None, read: ReadKey) -> None:
    seen: list[str] = []
    notice: list[str] = []
    page = _next_page(boxes.own_box(here.caller, game, kit))
    while page is not None:
        keys = _ask(here, boxes.own_box(here.caller, game, kit), page, picture, notice, read)
        told, notice = _kept(here, game, kit, keys)
        box = boxes.own_box(here.caller, game, kit)
        if keys.end == "stop":
            return
        if keys.end == "back":
            page = box.page(seen.pop() if seen else page.look.id)
        elif keys.end == "more" or not told:
            page = box.page(page.look.id)
        else:
            seen.append(page.look.id)
            page = _next_page(box)


def _next_page(box: OwnBox) -> Page | None:
    return next(iter(box.open_pages), None)


def _ask(
    here: Session,
    box: OwnBox,
    page: Page,
    picture: Path | None,
    notice: list[str],
    read: ReadKey,
) -> PageKeys:
    keys = PageKeys(box, page)
    if picture is not None:
        named = title(here.voice, box.engine, page)
        drawn = boxes.page_picture(here.voice, box, page)
        atomic_write(picture, drawn.svg(named, named, lang=here.voice.lang).encode())
    return _pressed(here, keys, read, lambda: _clear() + "\n".join(notice))


def ask_page(here: Session, box: OwnBox, page: Page, read: ReadKey) -> PageKeys:
    """One page below whatever is on the screen."""
    return _pressed(here, PageKeys(box, page), read, lambda: "")


def _pressed(here: Session, keys: PageKeys, read: ReadKey, above: Callable[[], str]) -> PageKeys:
    while keys.end is None:
        lines = keys.lines(here.voice, shutil.get_terminal_size().columns - 1)
        write(["\n".join([above(), *lines])])
        keys.press(read())
    return keys


def _clear() -> str:
    return _CLEAR if sys.stdout.isatty() and os.environ.get("TERM") != "dumb" else ""


def _kept(here: Session, game: str, kit: str, keys: PageKeys) -> tuple[bool, list[str]]:
    """Whether what was told is kept, and what there is to say about it."""
    whole = (keys.page.look.id,) if keys.end == "told" else ()
    if not keys.said and not whole:
        return True, []
    try:
        answered = boxes.keep(here.caller, game, keys.said, as_shown=whole, kit=kit)
    except MessageError as error:
        return False, [problem_of(error, here.voice).message]
    return True, answered.lines(here.voice)
