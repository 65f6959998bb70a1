"""A picture key: which card has which code. The codes are not printed on the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.bloody_grove import symbols
from engines.bloody_grove.kit import Box, EliteSpirit, Spirit
from engines.bloody_grove.state import Token
from engines.bloody_grove.symbols import CARD_HEIGHT, CARD_WIDTH, draw
from engines.kernel import Setting, Speech
from engines.kernel.picture.layout import Frame, Part, stacked
from engines.kernel.picture.svg import INK, Picture, Svg, joined, text

WIDTH, MARGIN = 452.0, 10.0
COLUMNS, STEP = 3, 148.0
LINE = 18.0
NOTES = ("halves", "variable")


def card_key(setting: Setting[Box], speech: Speech) -> Picture:
    """Every face of the box with its code, and what the signs mean."""
    parts = [
        title(speech),
        *(chapter(*named, speech) for named in _chapters(setting.kit, speech)),
        tokens(setting.kit, speech),
        signs(speech),
        *(note(name, speech) for name in NOTES),
    ]
    return stacked(parts, below=MARGIN).picture(width=WIDTH)


def title(speech: Speech) -> Part:
    return Part(30, text(WIDTH / 2, 22, speech.say("key.title"), 16, font_weight=700))


def chapter(heading: str, spirits: Sequence[Spirit], speech: Speech) -> Part:
    drawn = [text(MARGIN, LINE, heading, 14, anchor="start", font_weight=700)]
    spaces: dict[str, Frame] = {}
    for index, spirit in enumerate(spirits):
        line, place = divmod(index, COLUMNS)
        x, y = MARGIN + place * STEP, LINE + 8 + line * (CARD_HEIGHT + 4)
        drawn.append(_entry(spirit, x, y, speech))
        spaces[spirit.id] = Frame(x, y, CARD_WIDTH, CARD_HEIGHT)
    lines = -(-len(spirits) // COLUMNS)
    return Part(LINE + 8 + lines * (CARD_HEIGHT + 4), joined(drawn), spaces)


def _chapters(kit: Box, speech: Speech) -> Iterator[tuple[str, Sequence[Spirit]]]:
    yield speech.say("key.base"), kit.base
    for animal in kit.animals:
        elites = [elite for elite in kit.elites if elite.animal == animal]
        yield speech.say("key.elite", animal=animal), elites
    for back in ("plain", "red"):
        elders = [spirit for spirit in kit.venerables if spirit.back == back]
        yield speech.say(f"key.{back}"), elders


def _entry(spirit: Spirit, x: float, y: float, speech: Speech) -> Svg:
    copies = spirit.copies if isinstance(spirit, EliteSpirit) else 1
    said = speech.say("key.copies", count=copies) if copies > 1 else ""
    beside = text(x + CARD_WIDTH + 4, y + 26, said, 12, anchor="start", fill=INK)
    return joined([symbols.card(spirit, x, y, speech), beside])


def tokens(kit: Box, speech: Speech) -> Part:
    heading = speech.say("key.tokens")
    drawn = [text(MARGIN, LINE, heading, 14, anchor="start", font_weight=700)]
    for index, kind in enumerate(kit.tokens):
        x = MARGIN + 100 * index
        copies = speech.say("key.copies", count=kind.count)
        drawn.append(symbols.token(Token("", kind.value), x, LINE + 8))
        drawn.append(text(x + 40, LINE + 22, copies, 13, anchor="start"))
    return Part(LINE + 34, joined(drawn))


def signs(speech: Speech) -> Part:
    """The signs of the effects, and last the star of Domination."""
    drawn = []
    for index, name in enumerate((*symbols.SIGNS, "domination")):
        line, place = divmod(index, COLUMNS)
        x, y = MARGIN + place * STEP, 12 + line * LINE
        drawn.append(draw("star" if name == "domination" else name, x + 8, y, worth=""))
        drawn.append(text(x + 22, y + 4, speech.term(name), 12, anchor="start"))
    return Part(16 + LINE, joined(drawn))


def note(name: str, speech: Speech) -> Part:
    return Part(LINE, text(MARGIN, LINE, speech.say(f"key.{name}"), 10, anchor="start", fill=INK))
