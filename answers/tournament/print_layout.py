"""Layout of printed tournament papers, as an HTML page or a PDF."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import escape
from importlib import resources
from itertools import groupby
from typing import Any

from referee.errors import Unfit
from referee.untrusted.optional_packages import load
from replays.exports.fonts import typeset


@dataclass(frozen=True)
class PrintedSlip:
    """A table's own piece of paper: who sits where, and a code that names the table."""

    title: str
    seats: tuple[str, ...]
    text: str
    time: str = ""
    asked: tuple[str, ...] = ()
    """What is to be written down for every seat."""
    boxes: tuple[str, ...] = ()
    """What is to be ticked for the table."""
    games: tuple[str, ...] = ()
    """The games of a match, or its boards: what is to be ticked is asked of each."""

    @property
    def code(self) -> str:
        return _qr(self.text)


def _qr(text: str) -> str:
    segno = load("segno", "tournament")
    written = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        written, kind="svg", xmldecl=False, border=2, omitsize=True
    )
    return written.getvalue().decode()


@dataclass(frozen=True)
class PrintedCard:
    """Something for one person: a badge to be cut out, or a certificate with a page of its own."""

    above: str
    name: str
    lines: tuple[str, ...]
    text: str = ""
    """What a scanner at the desk reads on a badge."""

    @property
    def code(self) -> str:
        return _qr(self.text) if self.text else ""


@dataclass(frozen=True)
class PrintedBracketTable:
    title: str
    seats: tuple[tuple[str, bool, str], ...]
    """Each by name, whether they go on, and a note."""
    result: str


@dataclass(frozen=True)
class PrintedBracketRound:
    part: str
    """With two lives: the bracket it belongs to."""
    title: str
    tables: tuple[PrintedBracketTable, ...]


@dataclass(frozen=True)
class PrintedPaper:
    lang: str
    title: str
    subtitle: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()
    slips: tuple[PrintedSlip, ...] = ()
    cards: tuple[PrintedCard, ...] = ()
    """Badges; certificates, where they are to be signed."""
    signatures: str = ""
    large: bool = False
    """For a wall: to be read from some way off."""
    wide: tuple[int, ...] = ()
    """The columns that share the width of a wall's paper."""
    colon: str = ":"
    bracket: tuple[PrintedBracketRound, ...] = ()
    """Instead of a table: round by round; with two lives those of the upper bracket first."""
    footer: str = ""

    def enlarged(self) -> PrintedPaper:
        """The same for a wall."""
        return replace(self, large=True)


def html(paper: PrintedPaper) -> bytes:
    """A page that needs nothing from any network and runs no script."""
    body = "".join(_slip(paper, slip) for slip in paper.slips)
    if paper.bracket:
        body = _bracket(paper.subtitle, paper.bracket)
    if paper.cards:
        body = f'<div class="cards">{"".join(_card(paper, card) for card in paper.cards)}</div>'
    kind = "large" if paper.large else "small"
    kind += " drawn" if paper.bracket or paper.cards else ""
    body = body or _table(paper)
    return _page(paper.lang, paper.title, paper.subtitle, body, paper.footer, kind)


def _page(lang: str, title: str, subtitle: str, body: str, footer: str, kind: str) -> bytes:
    style = _file("paper.css")
    safe = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{safe}'"
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body class="{kind}">'
        f"<main><h1>{escape(title)}</h1><p>{escape(subtitle)}</p>{body}</main>"
        f"<footer>{escape(footer)}</footer></body></html>\n"
    ).encode()


@dataclass(frozen=True)
class PrintedBook:
    """A whole event in one file: papers one after the other, each under a heading."""

    lang: str
    title: str
    subtitle: str
    contents: str
    """What the list of the headings is called."""
    papers: tuple[tuple[str, PrintedPaper], ...]
    bracket_title: str = ""
    bracket: tuple[PrintedBracketRound, ...] = ()
    """Round by round; with two lives those of the upper bracket first."""
    footer: str = ""


def book(printed: PrintedBook) -> bytes:
    """As a page that needs no other file and no network, and runs no script."""
    sections = [
        (heading, _list(paper) if len(paper.head) == 1 else _chapter(heading, paper))
        for heading, paper in printed.papers
    ]
    if printed.bracket:
        title = printed.bracket_title
        sections.insert(2, (title, _bracket(title, printed.bracket)))
    links = "".join(
        f'<li><a href="#s{at}">{escape(heading)}</a></li>'
        for at, (heading, _) in enumerate(sections)
    )
    body = "".join(
        f'<section id="s{at}"><h2>{escape(heading)}</h2>{content}</section>'
        for at, (heading, content) in enumerate(sections)
    )
    nav = f'<nav aria-label="{escape(printed.contents)}"><ul>{links}</ul></nav>'
    return _page(printed.lang, printed.title, printed.subtitle, nav + body, printed.footer, "book")


def _chapter(heading: str, paper: PrintedPaper) -> str:
    subtitle = f"<p>{escape(paper.subtitle)}</p>" if paper.subtitle else ""
    return subtitle + _scrolled(heading, _table(paper))


def _list(paper: PrintedPaper) -> str:
    return "<ul>" + "".join(f"<li>{escape(cell)}</li>" for (cell,) in paper.rows) + "</ul>"


def _bracket(title: str, drawn: Sequence[PrintedBracketRound]) -> str:
    return "".join(
        _bracket_part(title, part, list(rounds))
        for part, rounds in groupby(drawn, key=lambda each: each.part)
    )


def _bracket_part(title: str, part: str, rounds: Sequence[PrintedBracketRound]) -> str:
    above, heading = (f"<h3>{escape(part)}</h3>", "h4") if part else ("", "h3")
    drawn = "".join(
        f"<li><{heading}>{escape(each.title)}</{heading}>"
        f"<ol>{''.join(map(_bracket_table, each.tables))}</ol></li>"
        for each in rounds
    )
    return above + _scrolled(part or title, f'<ol class="bracket">{drawn}</ol>')


def _scrolled(label: str, content: str) -> str:
    """What may be wider than a phone, and is moved by keys as well."""
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
    return f"{region}{content}</div>"


def _bracket_table(table: PrintedBracketTable) -> str:
    seats = "".join(_bracket_seat(*seat) for seat in table.seats)
    result = f"<small>{escape(table.result)}</small>" if table.result else ""
    return f"<li><small>{escape(table.title)}</small>{seats}{result}</li>"


def _bracket_seat(name: str, through: bool, note: str) -> str:
    """One without a name is left empty, to be filled in by hand; the note says who comes there."""
    if not name:
        return f'<p class="blank">{f"<small>{escape(note)}</small>" if note else ""}</p>'
    called = f"<b>{escape(name)}</b>" if through else escape(name)
    return f"<p>{called}{f' <small>{escape(note)}</small>' if note else ''}</p>"


def _card(paper: PrintedPaper, card: PrintedCard) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in card.lines)
    kind = "certificate" if paper.signatures else "badge"
    signed = f'<p class="line">{escape(paper.signatures)} <span></span></p>'
    code = f"<figure>{card.code}</figure>" if card.text else ""
    return (
        f'<section class="{kind}"><p>{escape(card.above)}</p><h2>{escape(card.name)}</h2>{lines}'
        f"{code}{signed if paper.signatures else ''}</section>"
    )


def _table(paper: PrintedPaper) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in paper.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in paper.rows
    )
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in paper.remarks)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}"


def _slip(paper: PrintedPaper, slip: PrintedSlip) -> str:
    time = f"<p>{escape(slip.time)}</p>" if slip.time else ""
    asked = "".join(f" · {escape(label)} <span></span>" for label in slip.asked)
    seats = "".join(f'<p class="line"><b>{escape(seat)}</b>{asked}</p>' for seat in slip.seats)
    boxes = "".join(f"<p>☐ {escape(label)}</p>" for label in slip.boxes)
    if slip.games:
        each = "".join(f" &ensp;☐ {escape(label)}" for label in slip.boxes)
        boxes = "".join(f"<p>{escape(game)}{each}</p>" for game in slip.games)
    return (
        f'<section class="slip"><div><h2>{escape(slip.title)}</h2>{time}{seats}{boxes}'
        f'<p class="line">{escape(paper.signatures)} <span></span></p></div>'
        f"<figure>{slip.code}<figcaption><small>{escape(slip.text)}</small></figcaption></figure>"
        "</section>"
    )


def pdf(paper: PrintedPaper) -> bytes:
    """As PDF/A, which says so where a letter cannot be printed."""
    typst = load("typst", "pdf")
    coded = {
        name: [{**asdict(each), "code": each.code} for each in getattr(paper, name)]
        for name in ("slips", "cards")
    }
    data = {**asdict(paper), **coded}
    told = json.dumps(_breakable(data), ensure_ascii=False)
    try:
        return typeset(_file("paper.typ").encode(), told, pdf_standards="a-2b")
    except typst.TypstError as error:
        missing = re.search(r'text `"(.*?)"` could not be displayed', str(error))
        if missing is None:
            raise
        raise Unfit("no_font", text=missing[1]) from None


_LONGEST_WORD = 16


def _breakable(data: Any) -> Any:
    """The same with places where a very long word may be broken."""
    if isinstance(data, dict):
        return {key: data[key] if key == "code" else _breakable(data[key]) for key in data}
    if isinstance(data, list | tuple):
        return [_breakable(item) for item in data]
    if isinstance(data, str):
        return re.sub(rf"\w{{{_LONGEST_WORD}}}(?=\w)", lambda found: f"{found[0]}\u200b", data)
    return data


def _file(name: str) -> str:
    return resources.files("answers.tournament").joinpath(name).read_text("utf-8")
