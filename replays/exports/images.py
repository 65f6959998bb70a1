"""Pictures: SVG as it is, PNG, and the whole game moving."""

from __future__ import annotations

from importlib import resources
from io import BytesIO
from typing import Any

from referee.errors import NotFound
from referee.outside.extras import load
from referee.record.game import Game, RecordError
from referee.record.line import Step
from replays.exports.options import Options
from replays.exports.story import Story

STEP_MS = 900
LAST_MS = 3000
PAPER = "#fdfcf8"


def svg(game: Game, options: Options) -> bytes:
    return Story(game, options).picture(_step(game, options)).encode()


def png(game: Game, options: Options) -> bytes:
    return rendered(svg(game, options).decode(), options.width or 720)


def webp(game: Game, options: Options) -> bytes:
    return _animation(game, options, "WEBP", lossless=True, quality=30, method=1)


def gif(game: Game, options: Options) -> bytes:
    return _animation(game, options, "GIF", optimize=False)


def rendered(svg: str, width: int) -> bytes:
    """PNG of one of our own pictures, with the font we ship and no other."""
    resvg = load("resvg_py", "pictures")
    fonts = resources.files("replays").joinpath("fonts")
    files = [
        str(fonts.joinpath(f"AtkinsonHyperlegible-{name}.ttf")) for name in ("Regular", "Bold")
    ]
    # The font has no narrow no-break space, and would draw a box for it.
    shown = svg.replace("\u202f", "\u00a0")
    made: bytes = bytes(
        resvg.svg_to_bytes(
            svg_string=shown,
            width=width,
            skip_system_fonts=True,
            font_files=files,
            font_family="Atkinson Hyperlegible",
            sans_serif_family="Atkinson Hyperlegible",
        )
    )
    return made


def _step(game: Game, options: Options) -> Step:
    if options.at is None:
        return game.steps[-1]
    try:
        return game.stood(options.at).after
    except RecordError:
        raise NotFound("no_such_action", number=options.at) from None


def _animation(game: Game, options: Options, format: str, **settings: Any) -> bytes:
    image = load("PIL.Image", "pictures")
    story = Story(game, options)
    pictures = []
    for index, step in enumerate(game.steps, start=1):
        drawn = rendered(story.picture(step), options.width or 480)
        pictures.append(image.open(BytesIO(drawn)).convert("RGB"))
        options.progress(index, len(game.steps))
    height = max(picture.height for picture in pictures)
    sheets = [_on_paper(image, picture, height) for picture in pictures]
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


def _palette(image: Any, sheets: list[Any]) -> Any:
    """Few colours, the same for all frames: what does not move then costs nothing."""
    chosen = sheets[:: max(1, len(sheets) // 8)]
    width, height = sheets[0].size
    side_by_side = image.new("RGB", (width * len(chosen), height), PAPER)
    for index, sheet in enumerate(chosen):
        side_by_side.paste(sheet, (index * width, 0))
    return side_by_side.quantize(200, dither=0)


def _on_paper(image: Any, picture: Any, height: int) -> Any:
    """Pictures of one game differ in height when the table grows."""
    if picture.height == height:
        return picture
    sheet = image.new("RGB", (picture.width, height), PAPER)
    sheet.paste(picture, (0, 0))
    return sheet
