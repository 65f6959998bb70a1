"""How single things look: cards, emblems, signs, tokens. Shapes and letters beside colours."""

from __future__ import annotations

from collections.abc import Iterator

from engines.bloody_grove.kit import ANIMALS, PER_ANIMAL, PER_VENERABLE, Spirit
from engines.bloody_grove.state import Token
from engines.kernel import Speech
from engines.kernel.picture.sprites import Sprites
from engines.kernel.picture.svg import INK, WHITE, Svg, group

GOLD, RED = "#a67c00", "#b00020"
COLOURS = {"bear": "#8c5a2b", "owl": "#6a4fa3", "fox": "#c85a00"}
DRUIDS = {"black": "#2b2b2b", "green": "#1c7a4a"}
TINTS = {"bear": "#f3e7da", "owl": "#ebe6f6", "fox": "#fde9d6", None: "#fbf3d5"}

CARD_WIDTH, CARD_HEIGHT = 118.0, 46.0
"""Of the strip that stays visible of every card in a column."""
FULL_HEIGHT = 104.0
"""Of a whole card."""
TOKEN_WIDTH, TOKEN_HEIGHT = 34.0, 18.0
TOKENS_PER_LINE = 3
SIGNS = ("ruse", "arcane", "look", "recruit", "bottom")

draw = Sprites("engines.bloody_grove", {**COLOURS, "gold": GOLD})


def emblem(animal: str | None, x: float, y: float, size: float, speech: Speech) -> Svg:
    """A square for the bear, a diamond for the owl, a disc for the fox; with its letter."""
    unit = size / 10
    if animal is None:
        return draw("venerable", x, y, unit, edge=1.5 / unit, letter_size=max(9 / unit, 11.0))
    letter = speech.term(animal)[:1].upper()
    return draw(animal, x, y, unit, colour=COLOURS[animal], letter=letter)


def card(
    spirit: Spirit, x: float, y: float, speech: Speech, height: float = CARD_HEIGHT - 3
) -> Svg:
    """A card: the strip that tells what it does, and below it, if it is seen whole, its face."""
    red, gold = spirit.id.startswith("R"), spirit.kind == "venerable"
    printed, size = strength(spirit)
    return draw(
        "card",
        x,
        y,
        id=spirit.id,
        height=height,
        inner=height - 6,
        stroke=RED if red else GOLD if gold else INK,
        edge=3.0 if gold else 1.2,
        dashes="7 2" if red else None,
        tint=TINTS[spirit.animal],
        face=face(spirit, CARD_WIDTH / 2, height - 32, speech) if height > 90 else None,
        strength=printed,
        strength_size=size,
        emblem=emblem(spirit.animal, 40, 14, 9, speech),
        signs=_signs(spirit, speech),
    )


def _signs(spirit: Spirit, speech: Speech) -> Iterator[Svg]:
    """Domination, what the card does, what it counts, and the halves of recruit symbols on its
    edges: bear high, owl in the middle, fox low."""
    if spirit.domination:
        worth = str(spirit.domination) if isinstance(spirit.domination, int) else "+"
        yield draw("star", CARD_WIDTH - 20, 14, worth=worth)
    signs = ["ruse"] * spirit.ruse + ["arcane"] * spirit.arcane + list(spirit.effects)
    for place, sign in enumerate(signs):
        yield draw(sign, 32 + 16 * place, 34)
    for place, counted in enumerate(_counted(spirit)):
        yield emblem(counted, 76 + 14 * place, 33, 5.5, speech)
    for place, animal in enumerate(ANIMALS):
        if animal in spirit.left:
            yield draw("left_half", 0, 9 + 13 * place, colour=COLOURS[animal])
        if animal in spirit.right:
            yield draw("right_half", CARD_WIDTH, 9 + 13 * place, colour=COLOURS[animal])


def face(spirit: Spirit, x: float, y: float, speech: Speech) -> Svg:
    """The head of the animal; a Venerable is a crowned sign."""
    if spirit.animal is None:
        return draw("venerable_face", x, y, emblem=emblem(None, 0, 0, 14, speech))
    return draw(f"{spirit.animal}_face", x, y)


def strength(spirit: Spirit) -> tuple[str, float]:
    """What is printed, and in which size."""
    return (str(spirit.strength), 20) if isinstance(spirit.strength, int) else ("V+", 14)


def _counted(spirit: Spirit) -> tuple[str | None, ...]:
    """What a variable strength or Domination counts in the column: animals, or Venerables."""
    if spirit.domination == PER_ANIMAL:
        return ANIMALS
    return (None,) if PER_VENERABLE in (spirit.strength, spirit.domination) else ()


def token(shown: Token, x: float, y: float) -> Svg:
    """Face down: dark, with its label; face up: what it shows, on white by night too."""
    if shown.value is None:
        label = draw("value", said=f"{shown.label}?", colour=WHITE)
        return draw("token", x, y, fill=INK, inside=label)
    destroys = shown.value == "destroy"
    face = draw("skull") if destroys else draw("value", said=f"+{shown.value}", colour=INK)
    return group(draw("token", x, y, fill=WHITE, inside=face), data_own_colours="yes")
