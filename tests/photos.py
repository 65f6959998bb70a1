"""Pictures to try as photographs."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image


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
