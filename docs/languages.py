"""Two languages in one site: French pages have French menus, and lead to the same page in English.

A hook of mkdocs. The plug-ins for languages want a folder for each of them; here English is
``docs/`` itself, where code hosts look for it.
"""

from __future__ import annotations

import re
from copy import copy
from typing import Any

NAMES = {"en": "English", "fr": "Français"}
_TITLE = re.compile(r"^(```\w+ title=)(\S+)$", re.MULTILINE)
_ALTERNATE = re.compile(r'\s*<link rel="alternate"[^>]*>')


def language_of(path: str) -> str:
    return "fr" if path.startswith("fr/") else "en"


def twin(path: str, lang: str, known: set[str]) -> str:
    """The same page in another language; where it has none, the first one."""
    own = path.removeprefix("fr/")
    wanted, first = (own, "index.md") if lang == "en" else (f"fr/{own}", "fr/index.md")
    return (wanted if wanted in known else first).removesuffix(".md") + ".html"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """As this generator wants it: names of files in quotes, and folds that say what is in them."""
    return _TITLE.sub(r'\1"\2"', markdown).replace("<details>", '<details markdown="1">')


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> Any:
    path = page.file.src_uri
    lang = language_of(path)
    config.theme["language"] = lang
    known = {each.file.src_uri for each in nav.pages}
    config.extra["alternate"] = [
        {"name": name, "lang": code, "link": twin(path, code, known)}
        for code, name in NAMES.items()
    ]
    context["nav"] = copy(nav)
    context["nav"].items = next(tree.children for tree in nav.items if tree.title == NAMES[lang])
    return context


def on_post_page(output: str, **_: Any) -> str:
    """For each of these the theme would fetch a site map, which is not there or, from a folder,
    must not be read; the links of the menu lead to the right page without it."""
    return _ALTERNATE.sub("", output)
