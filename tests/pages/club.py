"""A house with a server in a thread of its own, and the devices of those who come."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import uvicorn

from answers.context import Caller, StoreContext, open_store_context
from answers.play.actions import log
from service.app import make_app
from service.gc_tuning import GcFreezer
from service.server import BACKLOG, HttpServer, ListenAddress, listening, settings_for
from service.settings import Limits
from tests.opening import new_table
from tests.waiting import PATIENCE, ended

PLENTY = Limits(
    reads_a_second=100_000,
    reads_a_second_of_address=100_000,
    writes_a_second=100_000,
    wrong_codes_a_minute=100_000,
)
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
DESK: dict[str, Any] = {"viewport": {"width": 1400, "height": 900}}


_TAPS_WAIT = """
const sheet = new CSSStyleSheet();
sheet.replaceSync(":root:not([data-loaded]) * { pointer-events: none !important; }");
document.adoptedStyleSheets.push(sheet);
const loaded = () => { document.documentElement.dataset.loaded = ""; };
addEventListener("load", loaded);
addEventListener("beforeunload", () => {
  delete document.documentElement.dataset.loaded;
  setTimeout(loaded, 1000);  // a download leaves the page where it is
});
"""
"""A page that is being left, or is not there yet, takes no taps: the browser waits with them."""


@dataclass(frozen=True)
class Club:
    """A house, and where its pages are."""

    store_context: StoreContext
    url: str

    def table(self, engine: str, opening: str, lines: list[str], **players: str) -> str:
        """A table with so much played."""
        scribe = Caller(self.store_context)
        opened = new_table(scribe, engine, opening, players=players)
        if lines:
            assert log(scribe, opened, lines).outcome == "done"
        return opened

    def token(self, role: str, scope: str = "", person: str | None = None) -> str:
        usual = "anonymous" if role == "spectator" else f"p{role.replace(':', '')[:6].lower()}"
        return self.store_context.access.give(role, scope, person or usual)[1]

    def lines(self, game: str) -> list[str]:
        """The actions that count, as the record has them."""
        found = self.store_context.bench.game(game)
        return [found.engine.text(step.action) for step in found.steps[1:] if step.action]


def ready(page: Any, sign: str = "body[data-ready]") -> Any:
    """A page that hears taps."""
    page.wait_for_selector(sign)
    return page


def waits(page: Any, expression: str, arg: Any = None) -> None:
    """The page comes to be so. It is asked from here again and again, because the policy of our
    pages forbids them to evaluate a text by themselves, as ``wait_for_function`` does."""
    from playwright.sync_api import Error

    for _ in range(int(PATIENCE * 20)):
        with suppress(Error):  # a page that is being left
            if page.evaluate(expression, arg):
                return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never was: {expression}")


@contextmanager
def turned(page: Any) -> Iterator[None]:
    """What is done within leads to another page, or to this one again, which then hears taps."""
    with page.expect_navigation():
        yield
    ready(page)


@contextmanager
def open_club(folder: Path, docs: Path | None = None) -> Iterator[Club]:
    store_context = open_store_context(f"sqlite://{folder}/games.db")
    access_control, place = listening(ListenAddress(port=0, docs=docs))
    app = make_app(store_context, settings_for(place, PLENTY))
    config = uvicorn.Config(app, log_config=None, access_log=False, backlog=BACKLOG, lifespan="on")
    ready = Event()
    server = HttpServer(config, app.state.hub, app.state.threads, GcFreezer(), ready.set)
    thread = Thread(target=server.run, kwargs={"sockets": [access_control]}, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield Club(store_context, place.link("127.0.0.1"))
    finally:
        server.should_exit = True
        ended(thread)
        store_context.store.close()


class Device:
    """A browser of its own, let in with a token, and everything it does that it should not."""

    def __init__(
        self,
        browser: Any,
        club: Club,
        role: str | None,
        scope: str = "",
        person: str | None = None,
        **kind: Any,
    ) -> None:
        self.club = club
        self.context = browser.new_context(**kind)
        self.context.set_default_timeout(PATIENCE * 1000 / 4)
        if role is not None:
            cookie = {"name": "referee", "value": club.token(role, scope, person), "url": club.url}
            self.context.add_cookies([cookie])
        if kind.get("java_script_enabled", True):
            self.context.add_init_script(_TAPS_WAIT)
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.expected: tuple[str, ...] = ()
        """What the browser says of what is meant to go wrong."""
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self._complain("error", str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _said(self, message: Any) -> None:
        """The browser's advice (no form around what is typed in secret) is no trouble, and comes
        only where a page stays open long enough."""
        if message.type != "verbose":
            self._complain("console", message.text)

    def _complain(self, kind: str, text: str) -> None:
        if not any(each in text for each in self.expected):
            self.troubles.append(f"{kind}: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.club.url, "data:", "blob:")):
            self.troubles.append(f"request: {url}")

    def open(self, path: str) -> Any:
        self.page.goto(self.club.url + path)
        return self.page

    def close(self) -> None:
        self.context.close()
        assert not self.troubles, self.troubles


def axe_source(folder: Path) -> str | None:
    """axe-core, fetched for the occasion."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    fetched = subprocess.run(
        [npm, "pack", "axe-core@4.14.0"], cwd=folder, capture_output=True, timeout=PATIENCE
    )
    if fetched.returncode:
        return None
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        source = archive.extractfile("package/axe.min.js")
        assert source is not None
        return source.read().decode()


def violations(page: Any, axe: str) -> list[tuple[str, str]]:
    """What axe finds, of any weight; the page's context must pass over its content policy."""
    page.evaluate(axe)
    asked = "axe.run({resultTypes: ['violations']}).then((result) => result.violations)"
    found = page.evaluate(asked)
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
