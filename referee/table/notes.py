"""Annotations: comments, glyphs, marks, links to clauses, bookmarks, variations.

Notes are entries: they can be removed, and are never deleted. All their references are validated:
the glyphs, the spaces of the board, the clauses, every line of a variation.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engines.kernel.messages.errors import MessageError
from engines.kernel.values.numbers import whole_number
from engines.kernel.values.structs import evolve
from referee.errors import Misused, NotFound, Unfit
from referee.record.entries import Noted, Said, Unnoted
from referee.record.game import Game, RecordError
from referee.record.glyphs import GLYPHS, SIGNS
from referee.record.line import Item, JudgedItem
from referee.secrecy.query_guard import needs_everything
from referee.table.author import BY_SCRIBE, By
from referee.table.bench import Answer, Bench, once
from referee.table.corrections import refusal, said_in


class Annotation(Struct, frozen=True):
    """The content of a note. ``instead`` is a variation: lines played in place of the action."""

    text: str = ""
    glyphs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()
    clauses: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    bookmark: bool = False


@once(Noted)
def annotate(
    bench: Bench, game: Game, where: str | int, annotation: Annotation, *, by: By = BY_SCRIBE
) -> Answer:
    """Add a note to action 12, or to step 2 of the variation of note n3 (``n3.2``)."""
    number, on = _place(game, where)
    if annotation == Annotation():
        raise Misused("nothing_to_note")
    if annotation.instead:
        needs_everything(game, by.author.viewer, "note add --instead")
    note = Noted(
        id=f"n{game.notes_made + 1}",
        number=number,
        on=on,
        text=annotation.text,
        glyphs=_glyphs(annotation.glyphs),
        tags=annotation.tags,
        marks=annotation.marks,
        arrows=annotation.arrows,
        clauses=_clauses(game, annotation.clauses),
        variation=_variation(game, number, on, annotation.instead),
        bookmark=annotation.bookmark,
    )
    _check_spaces(game, note)
    return bench.tell(game, [note], by)


def annotated(game: Game, notes: Sequence[tuple[int, str, Sequence[str]]]) -> Game:
    """The game with notes that its record has not: the action, the text, and the lines instead.

    Lines that cannot be played there, as far as this view of the game shows, are told as text.
    """
    more = {}
    for place, (number, text, lines) in enumerate(notes, start=game.notes_made + 1):
        try:
            variation = _variation(game, number, None, lines)
        except MessageError:
            text, variation = " – ".join(filter(None, (text, " · ".join(lines)))), ()
        id = f"n{place}"
        more[id] = Noted(id=id, number=number, text=text, variation=variation)
    return evolve(game, notes={**game.notes, **more})


def check_note(game: Game, note: Noted) -> None:
    """Validate the references of a note against the game."""
    where = note.on if note.on is not None else note.number
    if _place(game, where) != (note.number, note.on):
        raise NotFound("no_such_note", note=str(where))
    check_glyphs(note.glyphs)
    _clauses(game, note.clauses)
    _check_spaces(game, note)
    steps = variation_steps(game, note)
    if tuple(said_in(step, note.number) for step in steps) != note.variation:
        raise Unfit("other_variation", note=note.id)
    if note == Noted(id=note.id, number=note.number, on=note.on):
        raise Misused("nothing_to_note")


@once(Unnoted)
def remove_note(
    bench: Bench, game: Game, note: str, *, reason: str = "", by: By = BY_SCRIBE
) -> Answer:
    found = game.note_named(note)
    return bench.tell(game, [Unnoted(id=found.id, reason=reason)], by)


def _place(game: Game, where: str | int) -> tuple[int, str | None]:
    text = str(where).lstrip("#")
    if (number := whole_number(text)) is not None:
        game.must_know(number)
        return number, None
    name, dot, step = text.partition(".")
    note = game.notes.get(name)
    if note is None or not dot or not 1 <= (whole_number(step) or 0) <= len(note.variation):
        raise NotFound("no_such_note", note=text)
    return note.number, text


def _glyphs(asked: Sequence[str]) -> tuple[str, ...]:
    names = []
    for word in asked:
        name = SIGNS.get(word, word)
        if name not in GLYPHS:
            raise NotFound("no_such_glyph", glyph=word, glyphs=list(GLYPHS))
        if name not in names:
            names.append(name)
    for kind in ("move", "position"):
        same = [name for name in names if GLYPHS[name].kind == kind]
        if len(same) > 1:
            raise Unfit("glyphs_exclude", glyphs=same)
    return tuple(names)


def _clauses(game: Game, asked: Sequence[str]) -> tuple[str, ...]:
    for clause in asked:
        game.must_cite(clause)
    return tuple(asked)


def check_glyphs(names: tuple[str, ...]) -> None:
    """Validate glyphs: known names, no duplicates, none that exclude each other."""
    if _glyphs(names) != names:
        raise Unfit("glyphs_exclude", glyphs=list(names))


def _variation(game: Game, number: int, on: str | None, lines: Sequence[str]) -> tuple[Said, ...]:
    """Judge the lines of a variation; an illegal one is refused."""
    if not lines:
        return ()
    last = variation_base(game, number, on)
    said = []
    for line in lines:
        for text in game.engine.notation.split(line):
            action = game.engine.read(text)
            step = game.play(Item(number, action), last)
            if step is None:
                judged = game.engine.judge(last.setting, last.state, action, number)
                raise refusal(game.engine, judged)
            last = step
            said.append(said_in(step, number))
    return tuple(said)


def variation_base(game: Game, number: int, on: str | None) -> JudgedItem:
    """The step from which a variation starts: before an action, or inside a variation."""
    if on is not None:
        name, _, step = on.partition(".")
        note = game.note_named(name)
        if step == "1":
            return variation_base(game, note.number, note.on)
        return _variation_step(game, note, int(step) - 1)
    try:
        return game.stood(number).before if number else game.steps[0]
    except RecordError:
        raise NotFound("no_such_action", number=number) from None


def _variation_step(game: Game, note: Noted, index: int) -> JudgedItem:
    """The step after the first lines of a variation."""
    steps = variation_steps(game, note)
    if not 1 <= index <= len(steps):
        raise NotFound("no_such_note", note=f"{note.id}.{index}")
    return steps[index - 1]


def variation_steps(game: Game, note: Noted) -> list[JudgedItem]:
    """The steps of a variation by today's engine, up to the first line that it refuses."""
    try:
        last = variation_base(game, note.number, note.on)
    except NotFound:
        return []
    steps: list[JudgedItem] = []
    for said in note.variation:
        step = game.play(Item(said.number, game.engine.text.load(said.action)), last)
        if step is None:
            break
        steps.append(step)
        last = step
    return steps


def _check_spaces(game: Game, note: Noted) -> None:
    """Marks and arrows must name spaces of the board at that step."""
    asked = [*note.marks, *(space for arrow in note.arrows for space in arrow)]
    if not asked:
        return
    spaces = spaces_at(game, note)
    for space in asked:
        if space not in spaces:
            raise NotFound("no_such_space", space=space, spaces=sorted(spaces)[:40])


def spaces_at(game: Game, note: Noted) -> set[str]:
    """The names of the spaces of the board at the step that a note is about."""
    if note.on is not None:
        name, _, index = note.on.partition(".")
        step = _variation_step(game, game.notes[name], int(index))
    else:
        try:
            step = game.step(note.number)
        except RecordError:
            step = game.steps[-1]
    return game.engine.spaces(step.state, step.setting, step.action)
