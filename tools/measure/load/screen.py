"""A phone in a hand: how soon a table page shows its picture, and a tap its verdict."""

from __future__ import annotations

from statistics import median
from typing import Any, NamedTuple

from tests.browser import launched
from tests.pages.club import PHONE

TIMES = 15
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_TAPPED = """(button) => new Promise((told) => {
  const begun = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => told(performance.now() - begun));
  });
  watch.observe(document.getElementById("verdict"), { childList: true, subtree: true });
  button.click();
})"""
"""From the tap that logs a line until its verdict is on the screen."""


class Seen(NamedTuple):
    """In milliseconds, the middle of several."""

    picture: float
    verdict: float


def on_a_phone(url: str, game: str, token: str) -> Seen:
    """The page is opened anew each time, as by somebody who just came; then a line is logged."""
    pictures, verdicts = [], []
    with launched() as browser:
        for _ in range(TIMES):
            context = browser.new_context(**PHONE)
            context.add_cookies([{"name": "referee", "value": token, "url": url}])
            page = context.new_page()
            page.goto(f"{url}/games/{game}")
            page.wait_for_selector("body[data-ready]")
            pictures.append(page.evaluate(_PAINTED))
            verdicts.append(_logged(page))
            context.request.post(f"{url}/api/v1/games/{game}/undo", data={})
            context.close()
    return Seen(median(pictures), median(verdicts))


def _logged(page: Any) -> float:
    taken: float = page.locator("#taps button[data-line]").first.evaluate(_TAPPED)
    return taken
