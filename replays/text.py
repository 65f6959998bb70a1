"""A record as the scribe would write it: tags, then one action a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.record import Game


def text_record(game: Game, names: Mapping[str, str]) -> str:
    return "\n".join(_lines(game, names)) + "\n"


def _lines(game: Game, names: Mapping[str, str]) -> Iterator[str]:
    opened = game.opened
    yield f"# game {game.id}"
    yield f"# engine {opened.game} {opened.engine_version}"
    if opened.title:
        yield f"# title {opened.title}"
    for seat, person in game.seats.items():
        yield f"# seat {seat} {names.get(person, person)}"
    yield f"# head {game.head}"
    notes: dict[int, list[str]] = {}
    for note in game.notes.values():
        notes.setdefault(note.number, []).append(" ".join([*note.glyphs, note.text]).strip())
    for step in game.steps:
        if step.action is None:
            continue
        remarks = [f"#{step.number}"]
        if step.item.stands:
            broken = " ".join(point.clause for point in step.verdict.breaches)
            remarks.append(f"stands {broken}")
        remarks += [f"«{note}»" for note in notes.get(step.number or 0, ())]
        yield f"{game.engine.text(step.action)} # {' '.join(remarks)}"
