"""Rendering: a page is a few answers and a Jinja template, in one language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from answers.admin.access import role_name
from answers.answer import Data
from answers.i18n import Voice
from answers.judge.calls import waited
from answers.line_words import without_code
from answers.operations import OPERATIONS
from answers.play.analysis import TrialAnswer
from answers.play.info import progress_of, result_told
from answers.review.scores import stepping_words
from answers.rulebooks.games import (
    clause_ids,
    emblem,
    game_name,
    line_button,
    line_told,
    line_written,
    reading_told,
)
from answers.season.lifecycle import rules_in_words
from answers.season.tables import change_line, result_line, skill_cells
from answers.tournament.hall_map import map_sign
from answers.tournament.i18n import figure, points
from answers.tournament.lifecycle import published_rules
from answers.tournament.prizes import prize_lines, prize_rule, prizes_title, winners_text
from answers.tournament.round_view import game_score
from answers.tournament.standings import section_place, standings_table, standings_title, term_text
from answers.tournament.teams import best_text, boards_table, line_ups_text
from answers.verdict_text import cause_told
from service.pages.page_context import PageContext

PIECES = (
    *("red", "blue", "green", "yellow", "white", "black"),
    *("purple", "violet", "orange", "pink", "brown", "grey"),
)
"""Colours of pieces that the style sheet has; else a seat has the colour of its letter."""
LOOKS = ("system", "light", "dark")
SPOKEN: tuple[Callable[..., Any], ...] = (
    *(best_text, boards_table, cause_told, change_line, figure, game_name, line_button),
    *(
        line_told,
        line_ups_text,
        line_written,
        map_sign,
        points,
        prize_rule,
        prizes_title,
        published_rules,
        reading_told,
    ),
    *(result_line, result_told, role_name, rules_in_words, section_place, skill_cells),
    *(standings_table, standings_title, term_text, winners_text),
)
"""What templates call by name to put an answer into words; the reader's voice is given first."""


class Shown:
    """A page: its template, its title, and the answers that the template reads as ``it``."""

    def __init__(self, template: str, title: str, /, **it: Any) -> None:
        self.template, self.title, self.it = template, title, SimpleNamespace(**it)


Page = Callable[[PageContext], Shown]


@dataclass(frozen=True)
class Placed:
    """A registered page: its path and the function that asks for its answers."""

    name: str
    path: str
    show: Page
    slow: bool
    """It asks operations that may take seconds: it runs where slow operations do."""
    public: bool = False
    """Everybody sees the same: what a stranger sees, whoever asks. So nothing that an organiser's
    browser may see gets into a stream, and one rendering serves all who look on."""
    framed: bool = False
    """Other sites may show it in a frame; only a page that is ``public`` may be."""


PAGES: dict[str, Placed] = {}


def page(
    name: str, path: str, *, slow: bool = False, public: bool = False, framed: bool = False
) -> Callable[[Page], Page]:
    """Decorator: register a page at a path."""

    def placed(show: Page) -> Page:
        assert name not in PAGES, name
        assert public or not framed, name
        PAGES[name] = Placed(name, path, show, slow, public, framed)
        return show

    return placed


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("service", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["drawn"] = drawn
    made.filters["clauses"] = clauses_linked
    made.filters["offered"] = offered
    made.filters["zip"] = zip
    made.filters["without_code"] = without_code
    made.filters["plain"] = plain
    made.filters["api"] = lambda operation: f"/api/v1{OPERATIONS[operation].path}"
    made.filters["game_score"] = game_score
    made.filters["prize_lines"] = prize_lines
    made.filters["progress_of"] = progress_of
    made.globals["PIECES"] = PIECES
    made.globals["stepping_words"] = cache(stepping_words)
    made.filters["emblem"] = lambda engine: drawn(emblem(engine))
    return made


def plain(data: Data | None) -> Any:
    """Data as JSON for a script."""
    return None if data is None else data.model_dump(mode="json")


def drawn(svg: str) -> Markup:
    """Mark one of our SVG pictures as safe HTML: the kernel's builder has escaped its content."""
    return Markup(svg)


_CLAUSE = re.compile(r"\b[A-Z]{2,6}(?:-[A-Z0-9]+)+\b")


def clauses_linked(text: str, engine: str) -> Markup:
    """A text with a link from every clause to its page."""
    known = clause_ids(engine)

    def linked(found: re.Match[str]) -> str:
        clause = found[0]
        return f'<a href="/rules/{engine}/{clause}">{clause}</a>' if clause in known else clause

    return Markup(_CLAUSE.sub(linked, str(escape(text))))


def offered(tried: TrialAnswer | None) -> dict[str, Any]:
    """The lines that can be tapped next, as the script of taps wants them."""
    if tried is None:
        return {"may_log": False, "lines": [], "templates": [], "names": {}, "labels": {}}
    return {
        "may_log": tried.picture != "",
        "lines": tried.options,
        "templates": tried.templates,
        "names": tried.names,
        "labels": tried.labels,
    }


def render(
    shown: Shown,
    voice: Voice,
    *,
    role: str,
    look: str,
    page_context: PageContext | None = None,
    roles: Iterable[str] | None = None,
) -> bytes:
    """The HTML of a page; ``roles`` are those of the device, where the page is made for it."""
    template = _templates().get_template(f"{shown.template}.html")
    return template.render(
        it=shown.it,
        page=shown.template,
        title=shown.title,
        lang=voice.lang,
        say=voice.say,
        day=voice.day,
        moment=voice.moment,
        waited=waited,
        **{each.__name__: partial(each, voice) for each in SPOKEN},
        words=lambda *groups: spoken_in_the_browser(voice, *groups),
        other="en" if voice.lang == "fr" else "fr",
        role=role,
        look=look,
        looks=LOOKS,
        page_context=page_context,
        club=page_context.club if page_context is not None else getattr(shown.it, "club", ""),
        roles=None if roles is None else " ".join(roles),
        link=link,
    ).encode()


def spoken_in_the_browser(voice: Voice, *groups: str) -> dict[str, str]:
    """The messages of these groups, for scripts that fill in facts themselves."""
    found: dict[str, str] = {}
    for key in voice.words:
        group, _, name = key.partition(".")
        if group in groups:
            entry: Any = voice.words.entry(key)
            found[name] = entry[voice.lang]
    return found


def link(path: str, **query: Any) -> str:
    """A URL with query parameters."""
    asked = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(asked)}" if asked else path


_PLACE = re.compile(r"/(?![/\\])[\w./?=&%:,+-]*")


def safe_redirect(text: str) -> str:
    """A path of this service, else the home page: no open redirect."""
    return text if _PLACE.fullmatch(text) else "/"
