"""The game as one page that works without any network, with the record inside."""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from itertools import count, pairwise
from string import Template
from typing import Any, NamedTuple

import msgspec

from engines.kernel.messages.catalogue import LANGUAGES, Phrase, Verbatim
from engines.kernel.values.structs import evolve
from referee.archive.record_files import MAX_BYTES
from referee.errors import Unfit
from referee.record.game import Game
from referee.record.line import JudgedItem
from replays.exports.chronicle import Happening
from replays.exports.render_options import RenderOptions
from replays.exports.stepping import (
    SCRIPT,
    STYLE,
    rounds_of,
    scores_shown,
    stepping_file,
    stepping_words,
)
from replays.exports.story import ShownNote, Story, StoryStep, words
from replays.exports.text_formats import remark_line

_RECORD = re.compile(rb'<script type="text/plain" id="record">\s*([A-Za-z0-9+/=\s]*)</script>')
GROUP = "<g"
"""Where a picture is cut into pieces; the page's script puts it between them again."""
_UI = (
    *("language", "moves", "words", "board", "about", "here", "keys", "import", "noscript"),
    *("judged", "why", "held", "broken", "effect", "full", "find", "walk", "leave", "instead"),
)


class PageChapter(NamedTuple):
    """One game of a page that has several: what the chapter is called, and where it opens."""

    title: str
    at: int | None
    game: Game
    options: RenderOptions


def page(game: Game, record: bytes, options: RenderOptions) -> bytes:
    """The whole page. ``record`` is the exchange format of the game, or nothing at all where
    the page shows less than the record tells."""
    title = Story(game, options).title
    return _page(title, [_story(game, options, kept=bool(record))], record, options)


def collection_page(title: str, chapters: Sequence[PageChapter]) -> bytes:
    """Several games on one page, by an address of each; they are no record that is imported."""
    told = [
        {"chapters": [each.title for each in chapters], "of": title, "at": one.at}
        | _story(one.game, one.options, kept=False)
        for one in chapters
    ]
    return _page(title, told, b"", chapters[0].options)


def _story(game: Game, options: RenderOptions, *, kept: bool) -> dict[str, Any]:
    """What the page's script needs of a game."""
    stories = {lang: Story(game, evolve(options, lang=lang)) for lang in LANGUAGES}
    pieces: dict[str, int] = defaultdict(count().__next__)
    told = {}
    for place, (lang, story) in enumerate(stories.items()):

        def progress(done: int, place: int = place) -> None:
            total = len(game.steps)
            options.progress(place * total + done, len(stories) * total)

        told[lang] = _language_data(story, pieces, progress)
        if not kept:
            told[lang]["ui"]["import"] = ""
    return {
        "start": options.lang,
        "languages": told,
        "pieces": list(pieces),
        "photos": list(_photos(game, options)),
        "chart": scores_shown(game, _names(game, options)),
    }


def _page(
    title: str, told: Sequence[dict[str, Any]], record: bytes, options: RenderOptions
) -> bytes:
    style, script, say = _style(), _script(), words().say
    first, *others = map(_packed, map(msgspec.json.encode, told))
    more = "".join(
        f'<script type="text/plain" id="story{place}">{story}</script>\n'
        for place, story in enumerate(others, start=2)
    )
    filled = Template(stepping_file("page.html")).substitute(
        lang=options.lang,
        title=escape(title),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        story=first,
        more=more,
        record=_packed(record) if record else "",
        **{key: escape(say(f"page.{key}", options.lang)) for key in ("noscript", "board", "here")},
    )
    return filled.encode()


def _names(game: Game, options: RenderOptions) -> dict[str, str]:
    known = options.names
    return {seat: known[person] for seat, person in game.seats.items() if person in known}


def _script() -> str:
    """One script: without modules, which a page opened from a file cannot load."""
    return stepping_file(SCRIPT).replace("\nexport ", "\n") + stepping_file("page.js")


def _photos(game: Game, options: RenderOptions) -> Iterator[dict[str, Any]]:
    """The small versions of the photographs that this viewer may see and the store has."""
    for photo in game.standing_photos.values():
        if (found := options.photo(photo.digest)) is None:
            continue
        source = f"data:image/jpeg;base64,{b64encode(found.small).decode()}"
        told = (photo.id, f"#{photo.number}", photo.about, photo.caption)
        caption = " ".join(filter(None, told))
        yield {"number": photo.number, "source": source, "caption": caption}


def _language_data(story: Story, pieces: dict[str, int], progress: Any) -> dict[str, Any]:
    """The data that the page's script needs in one language.

    Pictures are lists of piece numbers, one for each group: from step to step nearly all are the
    same.
    """
    tellings, rounds = story.tellings(), rounds_of(story.game)

    def shown(
        step: JudgedItem, telling: StoryStep, aside_from: JudgedItem | None = None
    ) -> dict[str, Any]:
        groups = story.picture(step, aside_from).split(GROUP)
        picture = list(map(pieces.__getitem__, groups))
        fate = story.fate(step) if aside_from is None else ""
        return {**_step(story, telling), "fate": fate, "picture": picture}

    steps = []
    for index, (step, telling) in enumerate(zip(story.game.steps, tellings, strict=True)):
        progress(index + 1)
        seat = step.action.by if step.action is not None else None
        round = rounds.get(step.number or 0)
        matters = telling.outcome == "illegal" or bool(telling.remarks or telling.judged)
        told = {"seat": seat, "round": round, "matters": matters}
        steps.append({**shown(step, telling), **told})
    gone = [shown(step, story.telling(step)) for _, step in story.gone()]
    variations: list[dict[str, Any]] = [
        {
            "id": note.id,
            "number": note.number,
            "steps": [
                shown(step, evolve(story.telling(step, before), remarks=(), judged=()), before)
                for before, step in pairwise(walked)
            ],
        }
        for note, walked in story.variations()
    ]
    walked_too = [step for one in variations for step in one["steps"]]
    asked = {clause for one in (*steps, *gone, *walked_too) for clause, _ in one["why"]}
    return {
        "lang": story.lang,
        "title": story.title,
        "tags": list(story.tags()),
        "ui": {key: story.say(f"page.{key}") for key in _UI},
        "stepping": stepping_words(story.lang),
        "steps": steps,
        "gone": gone,
        "variations": variations,
        "seats": {seat: story.seated(seat) for seat in story.game.setting.seats},
        "clauses": {clause: story.clause(clause) for clause in sorted(asked)},
        "lines": list(_lines(story, tellings)),
        "summary": [[heading, lines] for heading, lines in story.summary()],
    }


def _step(story: Story, telling: StoryStep) -> dict[str, Any]:
    return {
        "number": telling.number,
        "label": f"#{telling.number}" if telling.number is not None else "",
        "line": telling.told,
        "notation": telling.line if telling.line != telling.told else "",
        "outcome": telling.outcome,
        "verdict": telling.verdict,
        "reasons": [[one.clause, one.text, one.because] for one in telling.reasons],
        "findings": telling.findings,
        "moved": telling.moved,
        "judged": telling.judged,
        "why": telling.why,
        "notes": [_note(story, remark) for remark in telling.remarks],
    }


def _note(story: Story, remark: ShownNote) -> dict[str, Any]:
    more = []
    if remark.clauses:
        more.append(" ".join(remark.clauses))
    if remark.tags:
        more.append(" ".join(f"#{tag}" for tag in remark.tags))
    if remark.by:
        more.append(story.say("story.written_by", name=Verbatim(remark.by)))
    return {"id": remark.id, "text": remark_line(story, remark), "more": more}


def _lines(story: Story, tellings: list[StoryStep]) -> Iterator[dict[str, Any]]:
    """The list of moves: what counts can be gone to, what was taken back is crossed out."""
    steps = {one.number: index for index, one in enumerate(tellings) if one.number is not None}
    gone = {line.number: index for index, (line, _) in enumerate(story.gone())}
    rounds = {
        number: story.say("sheet.round", number=round)
        for number, round in rounds_of(story.game).items()
        if round is not None
    }
    for line in story.book():
        if isinstance(line, Happening):
            happened = {"happened": line.kind, "seq": line.seq, "after": line.after}
            yield {"step": None, "text": line.text, **happened}
            continue
        step = steps.get(line.number)
        glyphs = " ".join(
            sign
            for remark in (tellings[step].remarks if step is not None else ())
            if remark.of_play
            for sign in remark.glyphs
        )
        status = "" if line.status == "counts" else story.say(f"status.{line.status}")
        settled = story.verdict(line) if line.settled is not None else ""
        yield {
            "step": step,
            "gone": gone.get(line.number),
            "label": f"#{line.number}",
            "seat": line.seat,
            "round": rounds.get(line.number, ""),
            "text": tellings[step].told if step is not None else story.told_text(line),
            "outcome": line.outcome,
            "extra": " ".join(word for word in (glyphs, settled, status) if word),
        }


def _style() -> str:
    faces = []
    for weight, name in ((400, "Regular"), (700, "Bold")):
        font = resources.files("replays").joinpath(f"fonts/AtkinsonHyperlegibleNext-{name}.woff2")
        data = b64encode(font.read_bytes()).decode()
        faces.append(
            '@font-face{font-family:"Atkinson Hyperlegible Next";'
            f"font-weight:{weight};src:url(data:font/woff2;base64,{data})}}"
        )
    return "".join(faces) + stepping_file(STYLE) + stepping_file("page.css")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _packed(data: bytes) -> str:
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def record_inside(page: bytes) -> bytes:
    """The record that a page carries. Nothing else of the page is read."""
    found = _RECORD.findall(page)
    if len(found) != 1:
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.no_record_inside"))
    unpacker = zlib.decompressobj(wbits=31)
    try:
        packed = b64decode(b"".join(found[0].split()), validate=True)
        record = unpacker.decompress(packed, MAX_BYTES + 1)
    except (ValueError, zlib.error):
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.damaged_inside")) from None
    if len(record) > MAX_BYTES or not unpacker.eof:
        raise Unfit("bad_line", line=1, problem=Phrase("flaw.damaged_inside"))
    return record
