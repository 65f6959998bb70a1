"""Bar charts as SVG, and an HTML page with charts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from engines.kernel.picture.layout import Part, stacked
from engines.kernel.picture.svg import INK, Picture, Svg, el, fitting, joined, text

WIDTH, LABEL = 860.0, 340.0
NARROW = 400.0
"""On a phone: every label stands above its bar."""
BAR = 24.0
COLOUR = "#0072b2"


class BarChart(NamedTuple):
    """A horizontal bar chart; the longest bar sets the scale."""

    title: str
    bars: Sequence[tuple[str, float, str]]
    """Label, length, and what is written behind it."""


class HtmlTable(NamedTuple):
    """A table of the HTML page: headings and rows."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def drawn(charts: Iterable[BarChart], *, narrow: bool = False) -> Picture:
    part = _narrow if narrow else _part
    parts = (part(chart) for chart in charts if chart.bars)
    return stacked(parts, above=8, below=8).picture(width=NARROW if narrow else WIDTH)


def _part(chart: BarChart) -> Part:
    most = max(length for _, length, _ in chart.bars) or 1
    bars = []
    for index, (label, length, said) in enumerate(chart.bars):
        y = 38 + BAR * index
        wide = max(1.0, (WIDTH - LABEL - 130) * length / most)
        size = fitting(label, 15, LABEL - 20)
        bars += [text(LABEL - 8, y + 16, label, size, anchor="end", fill=INK)]
        bars += _bar(LABEL, y, wide, said)
    return Part(52 + BAR * len(chart.bars), joined([_heading(chart), *bars]))


def _narrow(chart: BarChart) -> Part:
    most = max(length for _, length, _ in chart.bars) or 1
    bars = []
    for index, (label, length, said) in enumerate(chart.bars):
        y = 38 + 2 * BAR * index
        wide = max(1.0, (NARROW - 170) * length / most)
        bars += [text(12, y + 17, label, fitting(label, 15, NARROW - 24), anchor="start", fill=INK)]
        bars += _bar(12, y + BAR - 2, wide, said)
    return Part(52 + 2 * BAR * len(chart.bars), joined([_heading(chart), *bars]))


def _heading(chart: BarChart) -> Svg:
    return text(12, 24, chart.title, 19, anchor="start", font_weight="bold", fill=INK)


def _bar(x: float, y: float, wide: float, said: str) -> list[Svg]:
    return [
        el("rect", x=x, y=y + 3, width=wide, height=BAR - 8, rx=3, fill=COLOUR),
        text(x + wide + 8, y + 16, said, 15, anchor="start", fill=INK),
    ]


_STYLE = (
    "body{font:1rem/1.4 'Atkinson Hyperlegible Next','DejaVu Sans',sans-serif;max-width:60rem;"
    "margin:1rem auto;padding:0 1rem;color:#1d1b16;background:#fdfcf8}"
    "svg{width:100%;height:auto}table{border-collapse:collapse;margin:1rem 0;width:100%}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #8a8473;text-align:left}"
    "td:not(:first-child){font-variant-numeric:tabular-nums}"
)


def page(title: str, lang: str, svg: str, tables: Iterable[HtmlTable]) -> str:
    """One page that asks the network for nothing. Whatever people wrote is text in it."""
    shown = "".join(_table(table) for table in tables if table.rows)
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{svg}{shown}</body></html>\n"
    )


def _table(table: HtmlTable) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    return (
        f"<h2>{escape(table.title)}</h2><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
