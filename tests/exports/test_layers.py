"""Moving pictures are drawn piece by piece, and look as if each had been drawn as a whole."""

from __future__ import annotations

import re
from io import BytesIO

import pytest

from referee.archive import process_pool
from replays.exports.images import gif
from replays.exports.rasterizer import LayeredRasterizer, rendered
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story
from replays.gallery import sample, samples
from tests.deep import few_or_many
from tests.exports.tables import quiet_bench, recorded

image = pytest.importorskip("PIL.Image", reason="no Pillow: pip install .[pictures]")
chops = pytest.importorskip("PIL.ImageChops")
pytest.importorskip("resvg_py", reason="no resvg: pip install .[pictures]")
WIDTH = 480


@pytest.mark.parametrize("count", few_or_many(2, 6))
@pytest.mark.parametrize("name", samples())
def test_a_picture_made_of_layers_is_the_picture(name: str, count: int) -> None:
    game = sample(name)
    story = Story(game, RenderOptions(lang="fr"))
    pictures = [story.picture(step) for step in game.steps[3 :: len(game.steps) // count]]
    layers = LayeredRasterizer(WIDTH)
    for picture in pictures:
        layers.add(picture)
    for svg, made in zip(pictures, layers.pictures(), strict=True):
        whole = image.open(BytesIO(rendered(on_sheet(svg, made.height), WIDTH))).convert("RGB")
        assert whole.size == made.size
        most = max(high for _, high in chops.difference(whole, made).getextrema())
        assert most <= 24, "more than the rounding of edges"


def on_sheet(svg: str, height: int) -> str:
    """The same picture on a sheet as high as the highest."""
    found = re.search(r'viewBox="0 0 (\S+) \S+" width="\S+" height="\S+"', svg)
    assert found is not None
    wide = float(found[1])
    high = height * wide / WIDTH
    sheet = f'viewBox="0 0 {wide} {high}" width="{WIDTH}" height="{height}"'
    return svg.replace(found[0], sheet)


def test_what_two_pictures_share_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def counted(svg: str, width: int) -> bytes:
        drawn.append(svg)
        return rendered(svg, width)

    monkeypatch.setattr("replays.exports.rasterizer.rendered", counted)
    game = sample("broom_service")
    picture = Story(game, RenderOptions()).picture(game.steps[-1])
    layers = LayeredRasterizer(WIDTH)
    for _ in range(3):
        layers.add(picture)
    first, *others = layers.pictures()
    assert len(drawn) == 2, "a coarse look and the picture"
    assert all(other.tobytes() == first.tobytes() for other in others)


def test_frames_carry_the_line_that_led_to_them() -> None:
    game = recorded(quiet_bench(), "benevolent", limit=3)
    moving = image.open(BytesIO(gif(game, RenderOptions(width=300))))
    strips = set()
    for index in range(moving.n_frames):
        moving.seek(index)
        shown = moving.convert("RGB")
        strips.add(shown.crop((0, shown.height - 28, 300, shown.height)).tobytes())
    assert len(strips) == len(game.steps)


def test_progress_is_told_from_the_first_picture_to_the_last() -> None:
    game = recorded(quiet_bench(), "benevolent", limit=3)
    told: list[tuple[int, int]] = []
    gif(game, RenderOptions(width=200, progress=lambda done, total: told.append((done, total))))
    total = 2 * len(game.steps)
    assert told == [(done, total) for done in range(1, total + 1)]


def test_several_processes_draw_the_same_moving_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    game = recorded(quiet_bench(), "benevolent", limit=4)
    alone = gif(game, RenderOptions(width=200))
    monkeypatch.setattr(process_pool, "FEW", 2)
    monkeypatch.setattr(process_pool, "SHARE", 2)
    monkeypatch.setattr("replays.exports.rasterizer.rendered", not_here)
    assert gif(game, RenderOptions(width=200, processes=2)) == alone


def not_here(svg: str, width: int) -> bytes:
    raise AssertionError("other processes draw")
