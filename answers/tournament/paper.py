"""What a tournament hangs on the wall or lays on the tables, as one HTML page or as a PDF."""

from __future__ import annotations

import io
import json
from base64 import b64encode
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import escape
from importlib import resources

from referee.outside.extras import load


@dataclass(frozen=True)
class Slip:
    """A table's own piece of paper: who sits where, and a code that names the table."""

    title: str
    seats: tuple[str, ...]
    text: str
    time: str = ""

    @property
    def code(self) -> str:
        segno = load("segno", "tournament")
        written = io.BytesIO()
        segno.make(self.text, error="m", micro=False).save(
            written, kind="svg", xmldecl=False, border=2, omitsize=True
        )
        return written.getvalue().decode()


@dataclass(frozen=True)
class Paper:
    lang: str
    title: str
    subtitle: str = ""
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    remarks: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    points: str = ""
    signatures: str = ""
    colon: str = ":"
    footer: str = ""


def html(paper: Paper) -> bytes:
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
        f"<body><main><h1>{escape(paper.title)}</h1><p>{escape(paper.subtitle)}</p>{body}</main>"
        f"<footer>{escape(paper.footer)}</footer></body></html>\n"
    ).encode()


def _table(paper: Paper) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in paper.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in paper.rows
    )
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in paper.remarks)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}"


def _slip(paper: Paper, slip: Slip) -> str:
    time = f"<p>{escape(slip.time)}</p>" if slip.time else ""
    seats = "".join(
        f'<p class="line">{escape(seat)} · {escape(paper.points)} <span></span></p>'
        for seat in slip.seats
    )
    return (
        f'<section class="slip"><div><h2>{escape(slip.title)}</h2>{time}{seats}'
        f'<p class="line">{escape(paper.signatures)} <span></span></p></div>'
        f"<figure>{slip.code}<figcaption><small>{escape(slip.text)}</small></figcaption></figure>"
        "</section>"
    )


def pdf(paper: Paper) -> bytes:
    typst = load("typst", "pdf")
    slips = [{**asdict(slip), "code": slip.code} for slip in paper.slips]
    made: bytes = typst.compile(
        _file("paper.typ").encode(),
        format="pdf",
        font_paths=[str(resources.files("replays").joinpath("fonts"))],
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps({**asdict(paper), "slips": slips}, ensure_ascii=False)},
        timestamp=0,
    )
    return made


def _file(name: str) -> str:
    return resources.files("answers.tournament").joinpath(name).read_text("utf-8")
