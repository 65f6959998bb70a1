"""Bar charts as SVG, and an HTML page with charts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from engines.kernel.picture.layout import Part, stacked
from engines.kernel.picture.svg import INK, Picture, el, fitting, joined, text

WIDTH = 860.0
LABEL = 340.0
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


def drawn(charts: Iterable[BarChart]) -> Picture:
    return stacked((_part(chart) for chart in charts if chart.bars), above=8, below=8).picture()


def _part(chart: BarChart) -> Part:
    heading = text(12, 24, chart.title, 19, anchor="start", font_weight="bold", fill=INK)
    most = max(length for _, length, _ in chart.bars) or 1
    bars = []
    for index, (label, length, said) in enumerate(chart.bars):
        y = 38 + BAR * index
        wide = max(1.0, (WIDTH - LABEL - 130) * length / most)
        size = fitting(label, 15, LABEL - 20)
        bars += [
            text(LABEL - 8, y + 16, label, size, anchor="end", fill=INK),
            el("rect", x=LABEL, y=y + 3, width=wide, height=BAR - 8, rx=3, fill=COLOUR),
            text(LABEL + wide + 8, y + 16, said, 15, anchor="start", fill=INK),
        ]
    return Part(52 + BAR * len(chart.bars), joined([heading, *bars]))


_STYLE = (
    "body{font:1rem/1.4 'Atkinson Hyperlegible','DejaVu Sans',sans-serif;max-width:60rem;"
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
