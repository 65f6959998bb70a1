"""A picture key: which card has which code. The codes are not printed on the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.bloody_grove import drawing as draw
from engines.bloody_grove.drawing import CARD_HEIGHT, CARD_WIDTH, INK, WORDS
from engines.bloody_grove.kit import Box, EliteSpirit, Spirit
from engines.bloody_grove.state import Token
from engines.kernel import Language, Setting
from engines.kernel.svg import Picture, Svg, text

WIDTH, MARGIN = 452.0, 10.0
COLUMNS, STEP = 3, 148.0
LINE = 18.0
NOTES = ("halves", "variable")


def card_key(setting: Setting[Box], lang: Language) -> Picture:
    """Every face of the box with its code, and what the signs mean."""
    parts = [text(WIDTH / 2, 22, WORDS.say("key.title", lang), 16, font_weight=700)]
    anchors: dict[str, tuple[float, float]] = {}
    y = 30.0
    for heading, spirits in _chapters(setting.kit, lang):
        parts.append(text(MARGIN, y + LINE, heading, 14, anchor="start", font_weight=700))
        y += LINE + 8
        for index, spirit in enumerate(spirits):
            line, place = divmod(index, COLUMNS)
            x, top = MARGIN + place * STEP, y + line * (CARD_HEIGHT + 4)
            parts.append(_entry(spirit, x, top, lang))
            anchors[spirit.id] = (x + CARD_WIDTH / 2, top + CARD_HEIGHT / 2)
        y += (CARD_HEIGHT + 4) * -(-len(spirits) // COLUMNS)
    y = _signs(parts, _tokens(parts, setting.kit, y, lang), lang)
    for note in NOTES:
        y += LINE
        parts.append(text(MARGIN, y, WORDS.say(f"key.{note}", lang), 10, anchor="start", fill=INK))
    return Picture(WIDTH, y + MARGIN, draw.joined(parts), anchors)


def _chapters(kit: Box, lang: Language) -> Iterator[tuple[str, Sequence[Spirit]]]:
    yield WORDS.say("key.base", lang), kit.base
    for animal in kit.animals:
        elites = [elite for elite in kit.elites if elite.animal == animal]
        yield WORDS.say("key.elite", lang, animal=animal), elites
    for back in ("plain", "red"):
        elders = [spirit for spirit in kit.venerables if spirit.back == back]
        yield WORDS.say(f"key.{back}", lang), elders


def _entry(spirit: Spirit, x: float, y: float, lang: Language) -> Svg:
    copies = spirit.copies if isinstance(spirit, EliteSpirit) else 1
    said = WORDS.say("key.copies", lang, count=copies) if copies > 1 else ""
    return draw.joined(
        [
            draw.card(spirit, x, y, lang),
            text(x + CARD_WIDTH + 4, y + 26, said, 12, anchor="start", fill=INK),
        ]
    )


def _tokens(parts: list[Svg], kit: Box, y: float, lang: Language) -> float:
    y += LINE
    parts.append(
        text(MARGIN, y, WORDS.say("key.tokens", lang), 14, anchor="start", font_weight=700)
    )
    for index, kind in enumerate(kit.tokens):
        x = MARGIN + 100 * index
        parts.append(draw.token(Token("", kind.value), x, y + 8))
        copies = WORDS.say("key.copies", lang, count=kind.count)
        parts.append(text(x + 40, y + 22, copies, 13, anchor="start"))
    return y + 34


def _signs(parts: list[Svg], y: float, lang: Language) -> float:
    for index, (name, sign) in enumerate(draw.SIGNS.items()):
        line, place = divmod(index, COLUMNS)
        x, middle = MARGIN + place * STEP, y + 12 + line * LINE
        parts.append(sign(x + 8, middle))
        parts.append(text(x + 22, middle + 4, WORDS.term(name, lang), 12, anchor="start"))
    x, middle = MARGIN + 2 * STEP, y + 12 + LINE
    parts.append(draw.star(x + 8, middle, ""))
    parts.append(text(x + 22, middle + 4, WORDS.term("domination", lang), 12, anchor="start"))
    return y + 16 + LINE
