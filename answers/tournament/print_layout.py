"""Layout of printed tournament papers, as an HTML page or a PDF."""

from __future__ import annotations

import io
import json
import re
from base64 import b64encode
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any

from referee.errors import Unfit
from referee.untrusted.optional_packages import load


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

    @property
    def code(self) -> str:
        segno = load("segno", "tournament")
        written = io.BytesIO()
        segno.make(self.text, error="m", micro=False).save(
            written, kind="svg", xmldecl=False, border=2, omitsize=True
        )
        return written.getvalue().decode()


@dataclass(frozen=True)
class PrintedPaper:
    lang: str
    title: str
    subtitle: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()
    slips: tuple[PrintedSlip, ...] = ()
    signatures: str = ""
    large: bool = False
    """For a wall: to be read from some way off."""
    wide: tuple[int, ...] = ()
    """The columns that share the width of a wall's paper."""
    colon: str = ":"
    footer: str = ""

    def enlarged(self) -> PrintedPaper:
        """The same for a wall."""
        return replace(self, large=True)


def html(paper: PrintedPaper) -> bytes:
    """A page that needs nothing from any network and runs no script."""
    style = _file("paper.css")
    safe = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{safe}'"
    body = "".join(_slip(paper, slip) for slip in paper.slips) or _table(paper)
    return (
        f'<!doctype html><html lang="{paper.lang}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(paper.title)}</title><style>{style}</style></head>"
        f'<body class="{"large" if paper.large else "small"}">'
        f"<main><h1>{escape(paper.title)}</h1><p>{escape(paper.subtitle)}</p>{body}</main>"
        f"<footer>{escape(paper.footer)}</footer></body></html>\n"
    ).encode()


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
    return (
        f'<section class="slip"><div><h2>{escape(slip.title)}</h2>{time}{seats}{boxes}'
        f'<p class="line">{escape(paper.signatures)} <span></span></p></div>'
        f"<figure>{slip.code}<figcaption><small>{escape(slip.text)}</small></figcaption></figure>"
        "</section>"
    )


def pdf(paper: PrintedPaper) -> bytes:
    """As PDF/A, which says so where a letter cannot be printed.

    Our own font first; for letters it does not have, those of the computer.
    """
    typst = load("typst", "pdf")
    slips = [{**asdict(slip), "code": slip.code} for slip in paper.slips]
    data = {**asdict(paper), "slips": slips}
    told = json.dumps(_breakable(data), ensure_ascii=False)
    unprinted = ""
    for bundled_only in (True, False):
        try:
            made: bytes = typst.compile(
                _file("paper.typ").encode(),
                format="pdf",
                font_paths=[str(resources.files("replays").joinpath("fonts"))],
                ignore_system_fonts=bundled_only,
                sys_inputs={"data": told},
                timestamp=0,
                pdf_standards="a-2b",
            )
        except typst.TypstError as error:
            missing = re.search(r'text `"(.*?)"` could not be displayed', str(error))
            if missing is None:
                raise
            unprinted = missing[1]
        else:
            return made
    raise Unfit("no_font", text=unprinted)


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
