"""The codes of components (cards, tiles) as text, picture and PDF."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any

from answers.box_words import word
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, operation
from answers.file_answers import File
from answers.i18n import Voice, columns
from answers.limits import FormatName
from answers.permissions import EVERYBODY
from answers.rulebooks.boxes import club_kit
from answers.rulebooks.printing import printed
from engines.kernel import Engine, KitSheet, Setting, Verbatim
from engines.kernel.box.guide import Code
from engines.kernel.picture.layout import Part, stacked
from engines.kernel.picture.svg import Picture, joined, text
from engines.kernel.registry import load_engine
from referee.errors import Misused, NotFound
from replays.exports.rasterizer import rendered

WIDTH, MARGIN, LINE = 720.0, 12.0, 18.0
COLUMNS = 2
LONGEST = 46


def key_text(engine: Engine[Any, Any], sheet: KitSheet, voice: Voice) -> str:
    """Every code with what its component shows, a line each."""
    lines = []
    for heading, codes in _chapters(engine, sheet, voice):
        lines += [heading, *("  " + line for line in columns(codes))]
    return "\n".join(lines) + "\n"


def key_svg(engine: Engine[Any, Any], sheet: KitSheet, voice: Voice) -> str:
    """The same as a picture: the game's own, if it draws one."""
    readings = engine.default_readings
    if engine.card_key is not None:
        setting = Setting(engine.read_kit(sheet), readings, sheet=sheet)
        drawn = engine.card_key(setting, voice.lang)
    else:
        drawn = _drawn(list(_chapters(engine, sheet, voice)))
    codes = " ".join(code.code for code in engine.guide.codes(engine.read_kit(sheet)))
    name = engine.words.say("game", voice.lang)
    return drawn.svg(name, voice.say("kit.key", codes=codes), lang=voice.lang)


def key_png(engine: Engine[Any, Any], sheet: KitSheet, voice: Voice) -> bytes:
    return rendered(key_svg(engine, sheet, voice), 2 * int(WIDTH))


def key_pdf(engine: Engine[Any, Any], sheet: KitSheet, voice: Voice) -> bytes:
    """On paper: the codes by chapters."""
    data = {
        "lang": voice.lang,
        "title": engine.words.say("game", voice.lang),
        "chapters": [
            {"heading": heading, "rows": [list(code) for code in codes]}
            for heading, codes in _chapters(engine, sheet, voice)
        ],
    }
    return printed("key.typ", data)


def key_json(engine: Engine[Any, Any], sheet: KitSheet, voice: Voice) -> str:
    """The same as data, each component with its drawing, where the game draws it."""
    kit = engine.read_kit(sheet)
    setting = Setting(kit, engine.default_readings, sheet=sheet)
    chapters = [
        {
            "chapter": heading,
            "codes": [
                {"code": code, "shows": shows, "drawing": engine.thing(code, setting, voice.lang)}
                for code, shows in codes
            ],
        }
        for heading, codes in _chapters(engine, sheet, voice)
    ]
    return json.dumps({"game": engine.id, "chapters": chapters}, ensure_ascii=False)


FORMS: Mapping[str, Callable[[Engine[Any, Any], KitSheet, Voice], str | bytes]] = {
    "svg": key_svg,
    "png": key_png,
    "pdf": key_pdf,
    "txt": key_text,
    "json": key_json,
}
"""How a key can be had, by the ending of a file."""


@operation(
    "kit-key",
    "GET /engines/{engine}/key",
    grant=EVERYBODY,
    scope="public",
    file=NAMED_BY_FUNCTION,
    slow=True,
)
def key(caller: Caller, game: str, *, format: FormatName = "svg") -> File:
    """The key to the codes of a game's components: of the club's own box, where it has told one."""
    engine = load_engine(game)
    if format not in FORMS:
        formats = sorted(FORMS)
        raise Misused("no_such_format", format=Verbatim(format), formats=formats)
    sheet = club_kit(caller, engine, None) or engine.kit_sheet(None)
    made = FORMS[format](engine, sheet, caller.voice)
    content = made.encode() if isinstance(made, str) else made
    return File(f"{game}-key.{format}", content)


def _chapters(
    engine: Engine[Any, Any], sheet: KitSheet, voice: Voice
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    found = list(engine.guide.codes(engine.read_kit(sheet)))
    if not found:
        raise NotFound("no_card_key", game=engine.id)
    for chapter, codes in groupby(found, key=lambda code: code.chapter):
        rows = [(code.code, _shows(engine, voice, code)) for code in codes]
        yield word(voice, engine, chapter), rows


def _shows(engine: Engine[Any, Any], voice: Voice, code: Code) -> str:
    return " ".join(word(voice, engine, str(shown)) for shown in code.shows)


def _drawn(chapters: list[tuple[str, list[tuple[str, str]]]]) -> Picture:
    parts = [_chapter(heading, codes) for heading, codes in chapters]
    return stacked(parts, above=MARGIN, below=MARGIN).picture(width=WIDTH)


def _chapter(heading: str, codes: list[tuple[str, str]]) -> Part:
    drawn = [text(MARGIN, LINE, heading, 15, anchor="start", font_weight=700)]
    rows = -(-len(codes) // COLUMNS)
    beside = 8.0 * max(5, *(len(code) + 1 for code, _ in codes))
    for index, (code, shows) in enumerate(codes):
        column, row = divmod(index, rows)
        x = MARGIN + column * (WIDTH - 2 * MARGIN) / COLUMNS
        y = LINE * (row + 2.2)
        told = shows if len(shows) <= LONGEST else shows[: LONGEST - 1] + "…"
        drawn.append(text(x, y, code, 12, anchor="start", font_weight=700))
        drawn.append(text(x + beside, y, told, 11, anchor="start"))
    return Part(LINE * (rows + 2.6), joined(drawn))
