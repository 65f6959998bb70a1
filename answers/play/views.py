"""Looking at a table: its position in words, as a picture and as a file, and what changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from answers.answer import Answered, Data
from answers.claims import ClaimAnswer, claim_answers, open_claim_lines
from answers.context import Caller
from answers.declaration import operation
from answers.explanation import gone_lines
from answers.i18n import Voice
from answers.limits import Shape, View
from answers.permissions import EVERYBODY, TABLE
from answers.play.clocks import TableClockAnswer, clock_answer, clock_told
from answers.privileged import open_claims, step_at
from answers.verdict_text import to_act
from referee.record.entries import Number
from referee.record.game import Game
from referee.record.history import Status, status
from referee.record.line import JudgedItem

if TYPE_CHECKING:
    from engines.kernel import Engine
    from engines.kernel.picture.ground import Ground
    from engines.kernel.picture.svg import Picture, Svg

LONGEST_VALUE = 60


class StateAnswer(Data):
    game: str
    number: int
    state: dict[str, Any]
    words: list[str]
    claims: list[ClaimAnswer]
    clock: TableClockAnswer | None
    """As it stands now, whatever moment is shown."""
    status: Status
    """What became of the action: a position may be shown that no longer counts."""


class DiffRow(Data):
    path: str
    before: Any
    after: Any


class DiffAnswer(Data):
    game: str
    changes: list[DiffRow]


@operation("state", "GET /games/{game}/state", grant=EVERYBODY, etag="content")
def state(
    caller: Caller, game_id: str, *, at: Number | None = None, view: View = None
) -> Answered[StateAnswer]:
    """The position in words and as data."""
    game = caller.game(game_id, view)
    step = step_at(game, at)
    became: Status = "counts" if at is None else status(game, at)
    claims = open_claims(caller, game_id) if at is None else []

    def data() -> StateAnswer:
        return StateAnswer(
            game=game.id,
            number=step.number or 0,
            state=game.engine.plain(step.state),
            words=_described(caller, game, step),
            claims=claim_answers(claims),
            clock=clock_answer(game),
            status=became,
        )

    def told(voice: Voice) -> Iterator[str]:
        yield from gone_lines(voice, step.number or 0, became)
        names = voice.at(game.seats).names
        yield from game.engine.describe(step.state, step.setting, voice.lang, names)
        yield from open_claim_lines(voice, claims)
        if at is None and game.clock is not None:
            yield voice.labelled(voice.say("info.clock"), clock_told(voice, caller, game))
        if at is None:
            yield to_act(voice, game)

    return Answered(data, told)


def _described(caller: Caller, game: Game, step: JudgedItem) -> list[str]:
    """The position in words, about people by name."""
    names = caller.names_at(game)
    return game.engine.describe(step.state, step.setting, caller.voice.lang, names)


@operation(
    "picture", "GET /games/{game}/picture", grant=EVERYBODY, file="{game}.svg", etag="content"
)
def picture(
    caller: Caller,
    game_id: str,
    *,
    at: Number | None = None,
    view: View = None,
    shape: Shape = "tall",
    names: bool = False,
    noted: bool = False,
    photo: bool = False,
) -> str:
    """The position as SVG, with what the last action moved.

    ``noted``: with the marks and arrows of the notes on it, and every space named. ``photo``: on
    the club's own board, where it has put one on a photograph; the picture names its address."""
    game = caller.game(game_id, view)
    step, lang = step_at(game, at), caller.voice.lang
    drawn = game.engine.picture(
        step.state,
        step.setting,
        lang,
        step.action,
        before=game.stood(step.number).before.state if step.number else None,
        shape=shape,
        names=caller.names_at(game) if names else None,
        grounds=photographs(caller, game) if photo else None,
    )
    marked = [] if at is None else gone_lines(caller.voice, at, status(game, at))
    described = [*marked, *_described(caller, game, step)]
    if marked:
        drawn = drawn.captioned(marked[0])
    title = " – ".join([game.engine.words.say("game", lang), *marked])
    over = _noted(game, step, drawn) if noted else None
    return drawn.svg(title, "\n".join(described), lang=lang, over=over)


def photographs(caller: Caller, game: Game) -> Mapping[str, Ground]:
    """The club's own boards that the pictures of a table can be drawn on."""
    from answers.rulebooks.box_boards import grounds

    return grounds(caller, game)


def _noted(game: Game, step: JudgedItem, drawn: Picture) -> Svg:
    from engines.kernel.picture.svg import group
    from replays.exports.annotations import drawn_marks, named_spaces

    here = [note for note in game.notes.values() if note.number == step.number and not note.on]
    return group(drawn_marks(drawn, here), named_spaces(drawn))


@operation("position", "GET /games/{game}/position", grant=TABLE, file="{game}.toml")
def position(caller: Caller, game_id: str, *, at: Number | None = None, view: View = None) -> str:
    """The position as a file in TOML, from which lines can be judged without the record."""
    from referee.record.positions import position_file
    from referee.untrusted.safe_toml import write_toml

    return write_toml(position_file(caller.everything(game_id, "toml", view), at))


# what changed


@operation("diff", "GET /games/{game}/diff", grant=EVERYBODY)
def diff(
    caller: Caller,
    game_id: str,
    start: Number,
    end: Number | None = None,
    *,
    view: View = None,
    fields: bool = False,
) -> Answered[DiffAnswer]:
    """What changed between two actions; ``fields`` tells it field by field as well."""
    game = caller.game(game_id, view)
    before, after = step_at(game, start), step_at(game, end)
    changes = list(differences(game.engine.plain(before.state), game.engine.plain(after.state)))

    def told(voice: Voice) -> Iterator[str]:
        lines = list(told_differences(voice.at(game.seats), game.engine, before, after))
        lines += (_field(voice, *change) for change in changes) if fields else ()
        yield from lines or [voice.say("diff.same")]

    def data() -> DiffAnswer:
        rows = [DiffRow(path=path, before=was, after=now) for path, was, now in changes]
        return DiffAnswer(game=game.id, changes=rows)

    return Answered(data, told)


def told_differences(
    voice: Voice, engine: Engine[Any, Any], before: JudgedItem, after: JudgedItem
) -> Iterator[str]:
    """The sentences of the one position that are not those of the other."""
    was, now = (
        engine.describe(step.state, step.setting, voice.lang, voice.names)
        for step in (before, after)
    )
    yield from differing_sentences(voice, was, now)


def differing_sentences(voice: Voice, was: list[str], now: list[str]) -> Iterator[str]:
    for kind, first, last, start, end in SequenceMatcher(None, was, now, False).get_opcodes():
        gone, come = was[first:last], now[start:end]
        if kind == "equal":
            continue
        if len(gone) == len(come):
            for old, new in zip(gone, come, strict=True):
                yield voice.mark("bad", f"− {_abridged(old, new)}")
                yield voice.mark("good", f"+ {_abridged(new, old)}")
        else:
            yield from (voice.mark("bad", f"− {line}") for line in gone)
            yield from (voice.mark("good", f"+ {line}") for line in come)


def _abridged(sentence: str, other: str) -> str:
    """The beginning, which says what it is about, and those parts that the other has not."""
    mark = "; " if "; " in sentence else ", "
    same, shown = {part.rstrip(".") for part in other.split(mark)}, []
    for place, part in enumerate(sentence.split(mark)):
        if place == 0 or part.rstrip(".") not in same:
            shown.append(part)
        elif shown[-1] != "…":
            shown.append("…")
    return mark.join(shown)


def _field(voice: Voice, path: str, was: Any, now: Any) -> str:
    """A field by its path, as a declared position and ``adjust`` name it."""
    gone = [voice.mark("bad", f"− {_shown(was)}")] if was is not None else []
    come = [voice.mark("good", f"+ {_shown(now)}")] if now is not None else []
    return voice.labelled(path, " ".join([*gone, *come]))


def _shown(value: Any) -> str:
    """A part of the position on one line; the data has all of a large one."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The paths at which two states differ, with both values."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            if key != "agenda":
                where = f"{path}.{key}" if path else key
                yield from differences(before.get(key), after.get(key), where)
    elif before != after:
        yield path, before, after
