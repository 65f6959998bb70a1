"""The documentation as a site: built without a complaint, and at home in a browser.

Needs the extra ``site``; skipped where it is missing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pages.club import Club, open_club
from tests.tutorial import ROOT
from tests.waiting import PATIENCE

pytestmark = pytest.mark.xdist_group("pages docs")
QUIET = {"NO_MKDOCS_2_WARNING": "1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("material", reason="no mkdocs-material: pip install .[site]")
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Iterator[Club]:
    with open_club(tmp_path_factory.mktemp("club"), docs=site) as opened:
        yield opened


def test_nothing_that_a_page_loads_comes_from_elsewhere(site: Path) -> None:
    loads = re.compile(
        r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?((?:https?:)?//[^\s\">]+)"
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    assert [(page.name, found) for page in pages for found in loads.findall(page.read_text())] == []
    styles = "".join(sheet.read_text("utf-8") for sheet in site.rglob("*.css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", styles) == []


@pytest.mark.parametrize(
    ("lang", "words", "page", "told"),
    [
        ("en", "dispute", "settle-a-dispute.html", "Settle a dispute"),
        ("fr", "litige", "fr/settle-a-dispute.html", "Trancher un litige"),
    ],
)
@pytest.mark.parametrize("place", ["served", "folder"])
def test_a_page_is_found_by_its_words(
    request: pytest.FixtureRequest,
    browser: Any,
    site: Path,
    place: str,
    lang: str,
    words: str,
    page: str,
    told: str,
) -> None:
    """From a service, under its policy, and from a folder without any: no complaint, no request
    to anybody else."""
    troubles: list[str] = []
    if place == "served":
        home = request.getfixturevalue("club").url + "/docs/"
        start = home.removesuffix("/")
    else:
        home = site.as_uri() + "/"
        start = home + ("fr/index.html" if lang == "fr" else "index.html")
    context = browser.new_context(locale=lang, color_scheme="dark")
    tab = context.new_page()
    tab.on("console", lambda message: troubles.append(message.text))
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.on("request", lambda asked: None if ours(asked.url, home) else troubles.append(asked.url))
    tab.goto(start)
    assert tab.get_attribute("html", "lang") == lang
    assert tab.get_attribute("body", "data-md-color-scheme") == "slate"
    tab.fill("[data-md-component=search-query]", words)
    found = tab.locator(".md-search-result__link").first
    found.wait_for()
    found.click()
    tab.wait_for_url(f"**/{page}*")
    assert told in tab.locator("h1").inner_text()
    assert tab.get_attribute("html", "lang") == lang
    context.close()
    assert troubles == []


def ours(url: str, home: str) -> bool:
    return url.startswith((home, home.removesuffix("/"), "data:", "about:"))


def test_a_page_leads_to_itself_in_the_other_language(browser: Any, site: Path) -> None:
    context = browser.new_context()
    tab = context.new_page()
    tab.goto((site / "roles.html").as_uri())
    links = tab.locator(".md-select__link[hreflang=fr]")
    assert links.get_attribute("href") == "fr/roles.html"
    tabs = tab.locator(".md-tabs__item").all_inner_texts()
    assert "Write a game" in [each.strip() for each in tabs]
    tab.goto((site / "fr" / "roles.html").as_uri())
    assert tab.locator(".md-select__link[hreflang=en]").get_attribute("href") == "../roles.html"
    assert "Write a game" not in [
        each.strip() for each in tab.locator(".md-tabs__item").all_inner_texts()
    ]
    context.close()
