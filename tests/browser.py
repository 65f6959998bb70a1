"""The browser that the tests open: Debian's Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-gpu-rasterization"]
"""Debian's would draw by a graphics card that machines without one must imitate."""


def chromium() -> str | None:
    """Without its windows, where it is to be had: the same pages for a third of the work."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextmanager
def launched() -> Iterator[Any]:
    """One for all who look: a process can hold only one playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()
