"""The score sheet as a PDF: the same bytes for the same record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import resources

from referee.record.game import Game
from referee.record.history import HistoryLine
from replays.exports.chronicle import Happening
from replays.exports.fonts import typeset
from replays.exports.html import PageChapter
from replays.exports.render_options import RenderOptions
from replays.exports.story import Story
from replays.exports.text_formats import remark_line


def pdf(game: Game, options: RenderOptions) -> bytes:
    return _printed(sheet_data(Story(game, options)), game.entries[-1].at)


def collection_pdf(title: str, chapters: Sequence[PageChapter]) -> bytes:
    """The score sheets of several games, one after the other."""
    sheets = [
        sheet_data(Story(each.game, each.options)) | {"chapter": f"{place}. {each.title}"}
        for place, each in enumerate(chapters, start=1)
    ]
    about = {"title": title, "lang": chapters[0].options.lang, "sheets": sheets}
    return _printed(about, max(each.game.entries[-1].at for each in chapters))


def _printed(data: Mapping[str, object], last: str) -> bytes:
    template = resources.files("replays.exports").joinpath("score.typ").read_bytes()
    told = json.dumps(data, ensure_ascii=False)
    return typeset(template, told, int(datetime.fromisoformat(last).timestamp()))


def sheet_data(story: Story) -> dict[str, object]:
    """All that the template prints."""
    game = story.game
    remarks: dict[int, list[str]] = {}
    for note in game.notes.values():
        remarks.setdefault(note.number, []).append(remark_line(story, story.remark(note)))
    last = game.steps[-1]
    return {
        "lang": story.lang,
        "title": story.title,
        "record": f"{game.id}  {game.head}",
        "tags": list(story.tags()),
        "picture": story.picture(last),
        "alt": "\n".join(story.described(last)),
        "columns": [story.say(f"column.{name}") for name in ("number", "action", "verdict")],
        "lines": [_line(story, line, remarks) for line in story.book()],
        "summary": {
            "title": story.say("summary.title"),
            "parts": [{"heading": heading, "lines": told} for heading, told in story.summary()],
        },
        "scores": _scores(story),
        "signed": story.say("sheet.signed"),
        "signers": [_signer(story, seat) for seat in game.setting.seats]
        + ([{"who": story.say("sheet.judge"), "agreed": ""}] if game.has_judge else []),
        "moves": story.say("sheet.moves"),
    }


def _scores(story: Story) -> dict[str, object] | None:
    """A column for each seat, whose names stand above; from round to round what was won."""
    rows = story.scores()
    if not rows:
        return None
    seats = list(story.game.setting.seats)
    shown = []
    before: dict[str, int] = {}
    for name, points in rows:
        gains = [points.get(seat, 0) - before.get(seat, 0) for seat in seats]
        told = [str(points.get(seat, "–")) for seat in seats]
        shown.append({"name": name, "points": told, "gains": [f"{gain:+}" for gain in gains]})
        before = points
    return {"seats": seats, "rows": shown}


def _signer(story: Story, seat: str) -> dict[str, str]:
    confirmed = story.game.confirmed.get(seat)
    agreed = "" if confirmed is None else story.say("sheet.agreed", entry=confirmed.seq)
    return {"who": story.seated(seat), "agreed": agreed}


def _line(
    story: Story, line: HistoryLine | Happening, remarks: dict[int, list[str]]
) -> dict[str, object]:
    if isinstance(line, Happening):
        return {"happened": line.text}
    counts = line.status == "counts"
    return {
        "number": str(line.number),
        "text": story.told_text(line),
        "verdict": story.verdict(line) if counts else story.say(f"status.{line.status}"),
        "plain": counts and line.outcome == "legal" and not line.stands,
        "marked": line.outcome != "legal" and line.settled != "cleared",
        "gone": not counts,
        "clauses": list(line.clauses),
        "notes": remarks.get(line.number, []),
    }
