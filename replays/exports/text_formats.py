"""The game for other programs: Markdown, CSV, BG Stats, and a text for comparing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from engines.kernel import Opening, to_plain
from referee.errors import Conflicting
from referee.record.game import Game
from referee.record.history import HistoryLine
from referee.untrusted.safe_csv import safe_csv
from replays.exports.chronicle import Happening
from replays.exports.render_options import RenderOptions
from replays.exports.story import ShownNote, Story

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$-])")
_BREAKABLE = re.compile(r"[^\S\u00a0\u202f]+")
"""Blanks and line ends; not the spaces of French typography."""


# Markdown


def md(game: Game, options: RenderOptions) -> bytes:
    return ("\n".join(_md_lines(Story(game, options))) + "\n").encode()


def _md_lines(story: Story) -> Iterator[str]:
    yield f"# {in_markdown(story.title)}"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for name, value in story.tags():
        yield f"| {in_markdown(name)} | {in_markdown(value)} |"
    yield ""
    names = ("number", "action", "verdict", "clauses", "notes")
    yield "| " + " | ".join(story.say(f"column.{name}") for name in names) + " |"
    yield "|---:|---|---|---|---|"
    remarks: dict[int, list[str]] = {}
    for note in story.game.notes.values():
        remarks.setdefault(note.number, []).append(remark_line(story, story.remark(note)))
    for line in story.book():
        if isinstance(line, Happening):
            yield f"| | *{in_markdown(line.text)}* | | | |"
            continue
        text = in_markdown(story.line_text(line))
        shown = text if line.status == "counts" else f"~~{text}~~"
        verdict = in_markdown(story.verdict(line))
        if line.status != "counts":
            verdict = f"{verdict}, {story.say(f'status.{line.status}')}"
        notes = "<br>".join(in_markdown(one) for one in remarks.get(line.number, ()))
        yield f"| {line.number} | {shown} | {verdict} | {' '.join(line.clauses)} | {notes} |"
    summary = list(story.summary())
    if summary:
        yield from ("", f"## {in_markdown(story.say('summary.title'))}")
    for heading, lines in summary:
        yield from ("", f"### {in_markdown(heading)}", "")
        yield from (f"- {in_markdown(told)}" for told in lines)


def remark_line(story: Story, remark: ShownNote) -> str:
    tried = "; ".join(remark.variation)
    about = (remark.on, story.labelled("story.instead", tried) if tried else "")
    parts = (remark.id, *(f"({part})" for part in about if part), *remark.glyphs, remark.text)
    return " ".join(part for part in parts if part)


def in_markdown(text: str) -> str:
    """Any text as plain words of a Markdown table."""
    return _MARKDOWN.sub(r"\\\1", _BREAKABLE.sub(" ", text).strip())


# CSV

Cell = Callable[[HistoryLine | Happening, str], object]
"""A cell of one row: of what happened, and the name of whoever wrote it down."""


def _of_action(cell: Callable[[HistoryLine], object]) -> Cell:
    """A column that is empty where no action was said but something else was recorded."""
    return lambda line, by: cell(line) if isinstance(line, HistoryLine) else ""


CSV_COLUMNS: Mapping[str, Cell] = {
    "number": _of_action(lambda line: line.number),
    "seat": _of_action(lambda line: line.seat or ""),
    "action": lambda line, by: line.text,
    "verdict": _of_action(lambda line: line.outcome),
    "stands": _of_action(lambda line: "yes" if line.stands else ""),
    "clauses": _of_action(lambda line: " ".join(line.clauses)),
    "status": _of_action(lambda line: line.status),
    "at": lambda line, by: line.at,
    "by": lambda line, by: by,
    "notes": _of_action(lambda line: "\n".join(line.notes)),
    "kind": lambda line, by: "action" if isinstance(line, HistoryLine) else line.kind,
    "settled": _of_action(lambda line: line.settled or ""),
}
"""The columns of the CSV file in their order, and what stands in each."""


def csv(game: Game, options: RenderOptions) -> bytes:
    """Everything that happened, one row each; no cell is a formula that a spreadsheet would run."""
    story = Story(game, options)
    rows: list[Iterable[object]] = [CSV_COLUMNS]
    for line in story.book():
        by = options.names.get(line.by, line.by)
        told: HistoryLine | Happening = line
        if isinstance(line, HistoryLine):
            told = line._replace(text=story.line_text(line))
        rows.append([cell(told, by) for cell in CSV_COLUMNS.values()])
    return ("\ufeff" + safe_csv(rows, raw=options.raw_csv)).encode()


# BG Stats


def bgstats(game: Game, options: RenderOptions) -> bytes:
    """A finished play for the BG Stats app: who sat where, scores and ranks."""
    result = game.engine.result(game.state)
    if result is None:
        raise Conflicting("not_over", seats=game.state.agenda.seats).at_table(game.seats)
    rank = {seat: place for place, seats in result.numbered for seat in seats}
    seats = list(game.setting.seats)
    people = [options.names.get(game.seats.get(seat, ""), seat) for seat in seats]
    opening = game.steps[0].action
    begins = opening.begins if isinstance(opening, Opening) else None
    name = game.engine.words.say("game", options.lang)
    modified = game.entries[-1].at[:19].replace("T", " ")
    data = {
        "games": [
            {
                "uuid": str(uuid5(NAMESPACE_URL, f"referee:game:{game.engine.id}")),
                "id": 1,
                "name": name,
                **({"bggId": game.engine.bgg} if game.engine.bgg is not None else {}),
                "cooperative": result.won is not None,
                "highestWins": True,
                "noPoints": not result.scores,
                "modificationDate": modified,
            }
        ],
        "players": [
            {
                "uuid": str(uuid5(NAMESPACE_URL, f"referee:seat:{game.id}:{seat}")),
                "id": number,
                "name": person,
                "isAnonymous": person == seat,
                "modificationDate": modified,
            }
            for number, (seat, person) in enumerate(zip(seats, people, strict=True), start=1)
        ],
        "locations": [],
        "plays": [
            {
                "uuid": str(uuid5(NAMESPACE_URL, f"referee:play:{game.id}")),
                "playDate": game.entries[0].at[:19].replace("T", " "),
                "entryDate": modified,
                "modificationDate": modified,
                "gameRefId": 1,
                "durationMin": _minutes(game),
                "board": _variant(game),
                "usesTeams": False,
                "ignored": False,
                "comments": _comments(Story(game, options)),
                "playerScores": [
                    {
                        "playerRefId": number,
                        "score": str(result.scores.get(seat, "")),
                        "winner": bool(result.won) if result.won is not None else rank[seat] == 1,
                        "rank": rank.get(seat, 0),
                        "seatOrder": number,
                        "startPlayer": seat == begins,
                        "newPlayer": False,
                    }
                    for number, seat in enumerate(seats, start=1)
                ],
            }
        ],
    }
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def _minutes(game: Game) -> int:
    """From the first entry to the last, in whole minutes."""
    first, last = (datetime.fromisoformat(game.entries[place].at) for place in (0, -1))
    return max(0, round((last - first).total_seconds() / 60))


def _variant(game: Game) -> str:
    """How the table was set up, as it was said."""
    opening = game.steps[0].action
    return game.engine.text(opening).partition(" ")[2] if opening is not None else ""


def _comments(story: Story) -> str:
    """The title, what a judge decided, and where the record is."""
    game = story.game
    decided = (line for _, lines in story.summary() for line in lines)
    return "\n".join([game.opened.title, *decided, f"{game.id} {game.head}"]).strip()


# for comparing


def playthrough(game: Game, options: RenderOptions) -> bytes:
    """Every step with its verdict, what it changed and what may come next: for golden files.

    Nothing in it depends on the day or on the record, so two runs differ only where the
    rules do.
    """
    return ("\n".join(_playthrough(Story(game, options), options)) + "\n").encode()


def _playthrough(story: Story, options: RenderOptions) -> Iterator[str]:
    game, engine = story.game, story.game.engine
    yield f"game {engine.id}"
    yield f"engine {game.opened.engine_version}"
    for name, value in sorted(game.opened.readings.items()):
        yield f"reading {name} = {value}"
    behind: dict[int | None, list[Happening]] = {}
    for happening in story.happenings:
        if happening.kind != "signed":
            behind.setdefault(happening.after, []).append(happening)
    before: dict[str, str] = {}
    for index, step in enumerate(game.steps):
        options.progress(index + 1, len(game.steps))
        verdict = step.verdict
        yield ""
        yield f"# {step.number if step.number is not None else '-'} {story.line(step)}"
        stands = ", stands" if step.item.stands else ""
        yield f"verdict {verdict.outcome}{stands}"
        for kind in ("breaches", "claims", "effects"):
            for point in getattr(verdict, kind):
                facts = json.dumps(to_plain(dict(point.facts)), ensure_ascii=False, sort_keys=True)
                yield f"  {kind} {point.clause} {facts}"
        for finding in verdict.findings:
            yield f"  {finding.status} {finding.clause} {list(finding.entries)}"
        for happening in behind.get(step.number, ()):
            yield f"  {happening.kind} {happening.text}"
        after = dict(_flat(engine.plain(step.state)))
        yield from _changes(before, after)
        before = after
        yield from _choices(game, index)


def _changes(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    for path in sorted(before.keys() | after.keys()):
        was, now = before.get(path), after.get(path)
        if was == now:
            continue
        if was is None:
            yield f"+ {path} = {now}"
        elif now is None:
            yield f"- {path} = {was}"
        else:
            yield f"~ {path} = {was} -> {now}"


def _choices(game: Game, index: int) -> Iterator[str]:
    step, engine = game.steps[index], game.engine
    lines = sorted(engine.text(action) for action in engine.options(step.setting, step.state))
    yield f"choices {len(lines)}"
    yield from (f"  {line}" for line in lines)
    for seat, usage in engine.options.templates(step.setting, step.state):
        yield f"  {seat or '-'} … {usage}"


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else str(key))
    else:
        yield path, json.dumps(value, ensure_ascii=False, sort_keys=True)
