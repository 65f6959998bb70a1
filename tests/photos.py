"""Pictures to try as photographs."""

from __future__ import annotations

import random
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw


def picture(
    width: int = 40, height: int = 30, format: str = "PNG", colour: str = "green", **more: Any
) -> bytes:
    made = BytesIO()
    mode = more.pop("mode", "RGB")
    Image.new(mode, (width, height), colour).save(made, format, **more)
    return made.getvalue()


def png(width: int = 40, height: int = 30, colour: str = "green") -> bytes:
    return picture(width, height, "PNG", colour)


def jpeg(width: int = 40, height: int = 30, **more: Any) -> bytes:
    return picture(width, height, "JPEG", **more)


def art(seed: int, size: tuple[int, int] = (720, 576)) -> Image.Image:
    """A board with much on it to be recognised by."""
    rng = random.Random(seed)
    made = Image.new("RGB", size, (150, 160, 140))
    pen = ImageDraw.Draw(made)
    for _ in range(700):
        x, y, r = rng.randrange(size[0]), rng.randrange(size[1]), rng.randrange(3, 16)
        red, green, blue = (rng.randrange(90, 220) for _ in range(3))
        pen.ellipse((x - r, y - r, x + r, y + r), fill=(red, green, blue))
    return made


def jpeg_of(picture: Image.Image) -> bytes:
    made = BytesIO()
    picture.save(made, "JPEG", quality=90)
    return made.getvalue()
