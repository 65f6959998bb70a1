"""The result card of a game: who won, everybody's place and points, the final position.

One picture to be shared, as wide as the previews that chats and social networks show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engines.kernel.messages.catalogue import Verbatim, day_in_words
from engines.kernel.picture.svg import (
    GREY,
    INK,
    PAPER,
    Picture,
    Shape,
    Svg,
    el,
    fitting,
    group,
    joined,
    text,
)
from referee.record.game import Game
from replays.exports.rasterizer import rendered
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story

WIDTH, HEIGHT = 1200.0, 630.0
EDGE = 56.0
BOARD = 500.0
"""The width of the final position, at the right."""
ROOM = WIDTH - BOARD - 3 * EDGE
LIGHT = frozenset(("yellow", "white", "orange", "pink"))
"""Pieces on which a dark letter is read."""
COLOURS = {
    "red": "#c43e1c",
    "blue": "#1f6fb5",
    "green": "#00774f",
    "yellow": "#f0c419",
    "white": "#f7f5ee",
    "black": "#2b2b2b",
    "purple": "#7d4e9e",
    "violet": "#7d4e9e",
    "orange": "#e8912a",
    "pink": "#d98fb8",
    "brown": "#7a4f2b",
    "grey": "#5f645c",
}


SEATS = {"A": "#0067a3", "B": "#ab4a00", "C": "#00704f", "D": "#97446f", "E": "#8a5f00"}


class CardRow(NamedTuple):
    """A player on the card: the place, where the rules give one, and the points."""

    place: str
    seat: str
    name: str
    points: str


def card(game: Game, options: RenderOptions) -> bytes:
    return svg(game, options).encode()


def card_png(game: Game, options: RenderOptions) -> bytes:
    return rendered(svg(game, options), options.width or round(WIDTH))


def svg(game: Game, options: RenderOptions) -> str:
    story = Story(game, options)
    said, rows = headline(story), [*_rows(story)]
    body = group(
        el("rect", width=WIDTH, height=HEIGHT, fill=PAPER),
        el("rect", width=WIDTH, height=14.0, fill=_winning_colour(game)),
        group(_head(story), _result(said, rows, game), _foot(story)),
        _board(story),
    )
    told = ", ".join(" ".join(filter(None, row)) for row in rows)
    return Picture(WIDTH, HEIGHT, body).svg(f"{story.title} – {said}", told, lang=story.lang)


def headline(story: Story) -> str:
    """Who won, by name; of a game that is not over, that it is not."""
    result = story.game.engine.result(story.game.state)
    if result is None:
        return story.result()
    if result.won is not None:
        return story.say("card.won" if result.won else "card.lost")
    first = [_named(story, seat) for seat in result.places[0]]
    key = "card.winner" if len(first) == 1 else "card.winners"
    return story.say(key, names=Verbatim(" & ".join(first)))


def _named(story: Story, seat: str) -> str:
    return story.names.get(story.game.seats.get(seat, ""), seat)


def _rows(story: Story) -> Iterator[CardRow]:
    """Everybody, the winner first."""
    game = story.game
    result = game.engine.result(game.state)
    places = {
        seat: place
        for place, seats in (result.numbered[: len(result.told)] if result else ())
        for seat in seats
    }
    points = result.scores if result else {}
    order = {seat: at for at, group in enumerate(result.places if result else ()) for seat in group}
    for seat in sorted(game.setting.seats, key=lambda each: order.get(each, len(order))):
        place = f"{places[seat]}." if len(set(places.values())) > 1 and seat in places else ""
        yield CardRow(place, seat, _named(story, seat), str(points.get(seat, "")))


def _winning_colour(game: Game) -> str:
    result = game.engine.result(game.state)
    winners = result.places[0] if result and result.places and result.won is None else ()
    return _colour(game, winners[0]) if len(winners) == 1 else "#00696b"


def _colour(game: Game, seat: str) -> str:
    """That of the pieces; where they have none, of the seat."""
    return COLOURS.get(game.colours.get(seat, ""), SEATS.get(seat, COLOURS["grey"]))


def _head(story: Story) -> Svg:
    name = story.game.engine.words.say("game", story.lang)
    size, title = fitting(name, 34, ROOM - 88), story.game.opened.title
    quiet = text(EDGE + 88, 122, title, fitting(title, 20, ROOM - 88), anchor="start", fill=GREY)
    return joined(
        [
            el("svg", Svg(_inner(story.game.engine.emblem)), x=EDGE, y=58.0, **_box(story)),
            text(EDGE + 88, 92 if title else 103, name, size, anchor="start", fill=INK),
            quiet if title else "",
        ]
    )


def _box(story: Story) -> dict[str, object]:
    """The frame of the emblem: its own coordinates, in the size it has on the card."""
    opening = story.game.engine.emblem.partition(">")[0]
    _, _, behind = opening.partition('viewBox="')
    return {"width": 68.0, "height": 68.0, "viewBox": behind.partition('"')[0] or "0 0 24 24"}


def _inner(drawing: str) -> str:
    """What stands inside of an SVG document."""
    _, _, behind = drawing.partition("<svg")
    return behind.partition(">")[2].rpartition("</svg>")[0]


def _result(said: str, rows: list[CardRow], game: Game) -> Svg:
    size = fitting(said, 64, ROOM)
    drawn = [text(EDGE, 230, said, size, anchor="start", font_weight="bold", fill=INK)]
    step = min(62.0, 270.0 / max(1, len(rows)))
    for index, row in enumerate(rows):
        y = 298 + step * index
        drawn.append(
            _row(row, y, step, game, EDGE + (56 if any(each.place for each in rows) else 0))
        )
    return joined(drawn)


def _row(row: CardRow, y: float, step: float, game: Game, x: float) -> Svg:
    radius, colour = step * 0.36, game.colours.get(row.seat, "")
    letter = INK if colour in LIGHT else "#ffffff"
    name = x + 2 * radius + 16
    room = ROOM - (name - EDGE) - 110
    size = fitting(row.name, step * 0.5, room)
    points = text(EDGE + ROOM, y + size * 0.35, row.points, step * 0.5, anchor="end", fill=INK)
    return joined(
        [
            text(EDGE, y + step * 0.16, row.place, step * 0.45, anchor="start", fill=GREY),
            el(
                "circle",
                cx=x + radius,
                cy=y,
                r=radius,
                fill=_colour(game, row.seat),
                stroke=INK,
            ),
            text(
                x + radius,
                y + radius * 0.38,
                row.seat,
                radius * 1.1,
                fill=letter,
                font_weight="bold",
            ),
            text(name, y + size * 0.35, row.name, size, anchor="start", fill=INK),
            points if row.points else "",
        ]
    )


def _foot(story: Story) -> Svg:
    day = day_in_words(story.say, story.game.entries[-1].at)
    return text(EDGE, HEIGHT - 34, day, 20, anchor="start", fill=GREY)


def _board(story: Story) -> Svg:
    """The final position, as large as it fits."""
    game, step = story.game, story.game.steps[-1]
    names = {seat: _named(story, seat) for seat in game.seats}
    shapes: tuple[Shape, ...] = ("tall", "wide")
    drawn = (
        game.engine.picture(step.state, step.setting, story.lang, None, shape=shape, names=names)
        for shape in shapes
    )
    scale, picture = max(
        ((min(BOARD / one.width, (HEIGHT - 14 - EDGE) / one.height), one) for one in drawn),
        key=lambda each: each[0],
    )
    x = WIDTH - EDGE - BOARD + (BOARD - scale * picture.width) / 2
    y = 14 + (HEIGHT - 14 - scale * picture.height) / 2
    return group(picture.body, transform=f"translate({x:.2f} {y:.2f}) scale({scale:.4f})")
