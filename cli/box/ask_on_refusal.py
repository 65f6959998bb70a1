"""After a refusal that rests on assumed data of the box, asks the user and tries again.

A shipped kit has data that nobody has checked (provenance ``assumed``). Asking at the moment one of
them matters spares a table the whole tour of the box.
"""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered
from answers.box_words import question_at
from answers.play.actions import LogAnswer
from answers.rulebooks import boxes
from answers.rulebooks.boxes import OwnBox, shown_path
from cli.box.page_keys import PageKeys
from cli.box.tour import ask_page
from cli.i18n import say, write
from cli.keyboard import keyboard
from cli.session import Session
from engines.kernel.box.tour import Page


def ask_about(here: Session, game: str, answered: Answered[LogAnswer]) -> bool:
    """Prompt for the assumed data that a refusal rests on; whether anything was answered."""
    met = [
        doubt.datum
        for line in (answered.data, *answered.data.lines)
        for doubt in line.doubts
        if doubt.provenance == "assumed"
    ]
    engine = here.caller.game(game).engine.id
    told = False
    for page in _pages(boxes.own_box(here.caller, engine), here, game, met):
        write([say("keys.met")])
        with keyboard() as read:
            keys = ask_page(here, boxes.own_box(here.caller, engine), page, read)
        if keys.end == "told":
            _vouch(here, game, keys)
            told = True
    return told


def _pages(box: OwnBox, here: Session, game: str, met: list[str]) -> Iterator[Page]:
    """The pages of the tour, reduced to the questions that came up."""
    sheet = here.caller.game(game).sheet
    for page in box.tour.pages:
        paths = [shown_path(sheet, question.path) for question in page.questions]
        asked = tuple(
            question_at(box.engine, sheet, path)
            for path in paths
            if any(_within(path, datum) for datum in met)
        )
        if asked:
            yield page._replace(questions=asked)


def _within(path: str, datum: str) -> bool:
    return path == datum or path.startswith(f"{datum}.")


def _vouch(here: Session, game: str, keys: PageKeys) -> None:
    for path, value in keys.answers.items():
        write(boxes.vouch(here.caller, game, path, value).lines(here.voice))
