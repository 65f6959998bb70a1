"""PDFs about a box: the list of component codes, and a form to fill in at the table."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from answers.box_words import LETTERS, items, name_of, question_label, title, value_words
from answers.i18n import Voice
from answers.rulebooks.boxes import OwnBox, page_picture
from engines.kernel.box.tour import Page
from replays.exports.fonts import typeset


def printed(template: str, data: dict[str, Any], package: str = "answers.rulebooks") -> bytes:
    """A PDF of a package's template and its data, which is never read as markup."""
    told = json.dumps(data, ensure_ascii=False)
    return typeset(resources.files(package).joinpath(template).read_bytes(), told)


def sheet_pdf(box: OwnBox, voice: Voice) -> bytes:
    """What nobody has told yet, with room to write down what the box shows.

    Pages, numbers and letters are those of the tour, so that it is typed in as it was written.
    """
    pages = [_page(voice, box, page) for page in box.tour.pages if page.open]
    data = {
        "lang": voice.lang,
        "title": box.engine.words.say("game", voice.lang),
        "about": voice.say("box.sheet_about", game=box.engine.id),
        "as_shown": voice.say("box.sheet_as_shown"),
        "pages": pages,
    }
    return printed("sheet.typ", data)


def _page(voice: Voice, box: OwnBox, page: Page) -> dict[str, Any]:
    letters = dict(zip((q.path for q in page.questions), LETTERS, strict=False))
    named = title(voice, box.engine, page)
    number = [one.look.id for one in box.tour.pages].index(page.look.id) + 1
    picture = page_picture(voice, box, page)
    return {
        "title": f"{number} · {named}",
        "picture": picture.svg(named, named, lang=voice.lang),
        "rows": [
            [
                letters.get(question.path, ""),
                question_label(voice, box.engine, question)
                if place == 0
                else name_of(voice, box.engine, question),
                value_words(voice, box.engine, question),
            ]
            for thing in items(page)
            for place, question in enumerate(thing)
        ],
    }
