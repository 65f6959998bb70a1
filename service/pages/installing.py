"""What makes the pages an app: a manifest, and a page for when there is no network."""

from __future__ import annotations

from typing import Any

from answers.i18n import Voice
from service.pages.page_context import PageContext
from service.pages.rendering import Shown, page

PAPER, ACCENT = "#f8f5ee", "#00696b"


@page("offline", "/offline")
def offline(page_context: PageContext) -> Shown:
    return Shown("offline", page_context.voice.say("pages.no_network"))


def manifest(voice: Voice) -> dict[str, Any]:
    """The web app manifest, in one language."""
    return {
        "name": voice.say("pages.name"),
        "short_name": voice.say("pages.name"),
        "description": voice.say("pages.app"),
        "lang": voice.lang,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": ACCENT,
        "icons": [
            {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
            {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
            {
                "src": "/static/icon-mask.png",
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "maskable",
            },
        ],
    }
