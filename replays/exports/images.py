"""Pictures: SVG as it is, PNG, and the whole game moving."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from engines.kernel.picture.svg import Picture, text
from referee.errors import NotFound
from referee.record.game import Game, RecordError
from referee.record.line import JudgedItem
from referee.untrusted.optional_packages import load
from replays.exports.fonts import font_file
from replays.exports.rasterizer import PAPER, LayeredRasterizer, rendered
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story

STEP_MS = 900
LAST_MS = 3000
CAPTION = 28
INK = "#1d1b16"


def svg(game: Game, options: RenderOptions) -> bytes:
    return Story(game, options).picture(_step(game, options)).encode()


def png(game: Game, options: RenderOptions) -> bytes:
    return rendered(svg(game, options).decode(), options.width or 720)


def webp(game: Game, options: RenderOptions) -> bytes:
    return _animation(game, options, "WEBP", lossless=True, quality=0, method=1, kmin=0, kmax=0)


def gif(game: Game, options: RenderOptions) -> bytes:
    return _animation(game, options, "GIF", optimize=True)


def _step(game: Game, options: RenderOptions) -> JudgedItem:
    if options.at is None:
        return game.steps[-1]
    try:
        return game.stood(options.at).after
    except RecordError:
        raise NotFound("no_such_action", number=options.at) from None


def _animation(game: Game, options: RenderOptions, format: str, **settings: Any) -> bytes:
    image = load("PIL.Image", "pictures")
    story, total = Story(game, options), 2 * len(game.steps)
    layers = LayeredRasterizer(options.width or 480)
    for done, step in enumerate(game.steps, start=1):
        layers.add(story.picture(step))
        options.progress(done, total)
    pictures, sheets = layers.pictures(options.processes), []
    for done, (step, picture) in enumerate(zip(game.steps, pictures, strict=True), 1):
        sheets.append(_captioned(image, picture, _caption(story, step)))
        options.progress(len(game.steps) + done, total)
    colours = _palette(image, sheets)
    frames = [sheet.quantize(palette=colours, dither=0) for sheet in sheets]
    if format == "WEBP":
        frames = [frame.convert("RGB") for frame in frames]
    made = BytesIO()
    durations = [*[STEP_MS] * (len(frames) - 1), LAST_MS]
    frames[0].save(
        made,
        format,
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        **settings,
    )
    return made.getvalue()


def _caption(story: Story, step: JudgedItem) -> str:
    number = f"#{step.number} " if step.number is not None else ""
    sign = {"illegal": " ✗", "undecided": " ?"}.get(step.verdict.outcome, "")
    return f"{number}{story.line(step)}{sign}"


def _captioned(image: Any, picture: Any, caption: str) -> Any:
    """The picture above the line that led to it; what is too long for a line ends in dots."""
    font = load("PIL.ImageFont", "pictures").truetype(font_file("Bold"), CAPTION * 0.6)
    sheet = image.new("RGB", (picture.width, picture.height + CAPTION), PAPER)
    sheet.paste(picture, (0, 0))
    shown = caption
    while font.getlength(shown) > picture.width - CAPTION:
        shown = shown.rstrip("…")[:-1] + "…"
    style = {"anchor": "start", "font_weight": "bold", "fill": INK}
    line = text(CAPTION / 2, CAPTION * 0.7, shown, CAPTION * 0.6, **style)
    drawn = rendered(Picture(picture.width, CAPTION, line).svg(shown, ""), picture.width)
    sheet.paste(image.open(BytesIO(drawn)), (0, picture.height))
    return sheet


def _palette(image: Any, sheets: list[Any]) -> Any:
    """One palette for all frames, so that unchanged pixels cost nothing in the file."""
    width, height = (edge // 2 for edge in sheets[0].size)
    chosen = [
        sheet.resize((width, height), image.Resampling.NEAREST)
        for sheet in sheets[:: max(1, len(sheets) // 8)]
    ]
    side_by_side = image.new("RGB", (width * len(chosen), height), PAPER)
    for index, sheet in enumerate(chosen):
        side_by_side.paste(sheet, (index * width, 0))
    return side_by_side.quantize(200, dither=0)
