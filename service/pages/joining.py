"""Coming in with a code: typed, or in the address that a phone's camera has read."""

from __future__ import annotations

from urllib.parse import quote

from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page


def _join(page_context: PageContext) -> Shown:
    """With a code that is in the address, or that is yet to be typed."""
    code = page_context.path.get("code", "")
    return Shown("join", page_context.voice.say("join.title"), code=code)


for name, path in (("join", "/join"), ("join-code", "/join/{code}"), ("join-short", "/j/{code}")):
    page(name, path)(_join)


def drawn_code(base: str, code: str) -> bytes:
    """The address of a code for a phone's camera, as a picture."""
    return drawn_address(f"{base}j/{quote(code[:40])}")


def drawn_address(link: str) -> bytes:
    """An address for a phone's camera."""
    from io import BytesIO

    import segno

    picture = BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=4, border=3, light="#ffffff")
    return picture.getvalue()
