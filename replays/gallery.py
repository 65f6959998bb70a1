"""A gallery of all games: one sample game each, in the middle and at its end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

from engines.kernel.messages.catalogue import Language
from referee.record.fold import fold
from referee.record.game import Game
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story
from replays.exports.text_formats import in_markdown
from replays.text_record import read_text


def samples() -> list[str]:
    """The games of which a whole sample game is shipped."""
    folder = resources.files("replays").joinpath("samples")
    names = (file.name for file in folder.iterdir())
    return sorted(name.removesuffix(".txt") for name in names if name.endswith(".txt"))


@cache
def sample(name: str) -> Game:
    file = resources.files("replays").joinpath(f"samples/{name}.txt")
    found = read_text(file.read_bytes())
    return fold(found.stream, found.rows)


def gallery(lang: Language) -> Iterator[tuple[str, str]]:
    """The files of the gallery: the page last, after the pictures it shows."""
    page: list[str] = []
    for name in samples():
        game = sample(name)
        story = Story(game, RenderOptions(lang=lang))
        if not page:
            page += [f"# {story.say('gallery.title')}", "", story.say("gallery.about"), ""]
        page += [f"## {in_markdown(game.engine.words.say('game', lang))}", ""]
        middle = game.steps[len(game.steps) // 2]
        for moment, step in (("middle", middle), ("end", game.steps[-1])):
            file = f"pictures/{name}-{moment}.svg"
            yield file, story.picture(step) + "\n"
            caption = story.say(f"gallery.{moment}", number=step.number, line=story.line(step))
            page += [f"![{in_markdown(caption)}]({file})", "", f"*{in_markdown(caption)}*", ""]
            described = story.described(step)
            page += [f"<details><summary>{story.say('page.words')}</summary>", ""]
            page += [f"- {in_markdown(line)}" for line in described if line.strip()]
            page += ["", "</details>", ""]
        page += [story.labelled("tag.result", in_markdown(story.result())), ""]
    yield "gallery.md", "\n".join(page)
