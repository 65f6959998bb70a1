"""Looking at a table: its position, what may come next, why, what happened."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from answers.answer import Answered
from answers.claims import claim_answers, open_claim_lines
from answers.context import Caller
from answers.explanation import gone_lines, readings_asked, why_lines
from answers.i18n import Voice, columns
from answers.play.clocks import clock_answer, clock_told
from answers.privileged import explained, legal_actions, next_words, open_claims, step_at
from answers.verdict_text import to_act
from engines.kernel import to_plain
from engines.kernel.messages.catalogue import Language, Verbatim, normalize
from referee.record.game import Game
from referee.record.history import HistoryLine, Status, history, status
from referee.record.line import Step

if TYPE_CHECKING:
    from answers.play.looked import (
        ChoicesAnswer,
        DiffAnswer,
        MovesAnswer,
        OptionsAnswer,
        StateAnswer,
        WhyAnswer,
    )
    from engines.kernel import Engine
    from engines.kernel.picture.svg import Picture, Shape, Svg

ANSWERS = "answers.play.looked"
"""The module of these types: it is loaded when somebody asks for data."""

WIDEST_LINE = 48
"""What follows a longer line is not aligned: a set-up would push it off the screen."""
LONGEST_VALUE = 60


# the position


def state(
    caller: Caller, game_id: str, *, at: int | None = None, view: str | None = None
) -> Answered[StateAnswer]:
    """The position in words and as data."""
    game = caller.game(game_id, view)
    step = step_at(game, at)
    became: Status = "counts" if at is None else status(game, at)
    claims = open_claims(caller, game_id) if at is None else []

    def data() -> StateAnswer:
        from answers.play import looked

        return looked.StateAnswer(
            game=game.id,
            number=step.number or 0,
            state=game.engine.plain(step.state),
            words=game.engine.describe(step.state, step.setting, caller.voice.lang),
            claims=claim_answers(claims),
            clock=clock_answer(game),
            status=became,
        )

    def told(voice: Voice) -> Iterator[str]:
        yield from gone_lines(voice, step.number or 0, became)
        yield from game.engine.describe(step.state, step.setting, voice.lang)
        yield from open_claim_lines(voice, claims)
        if at is None and game.clock is not None:
            yield voice.labelled(voice.say("info.clock"), clock_told(voice, caller, game))
        if at is None:
            yield to_act(voice, game)

    return Answered(data, told)


def picture(
    caller: Caller,
    game_id: str,
    *,
    at: int | None = None,
    view: str | None = None,
    shape: Shape = "tall",
    names: bool = False,
    noted: bool = False,
) -> str:
    """The position as SVG, with what the last action moved.

    ``noted``: with the marks and arrows of the notes on it, and every space named."""
    game = caller.game(game_id, view)
    step, lang = step_at(game, at), caller.voice.lang
    people = {seat: caller.house.people.name(person) for seat, person in game.seats.items()}
    drawn = game.engine.picture(
        step.state,
        step.setting,
        lang,
        step.action,
        before=game.stood(step.number).before.state if step.number else None,
        shape=shape,
        names={seat: name for seat, name in people.items() if names and name},
    )
    marked = [] if at is None else gone_lines(caller.voice, at, status(game, at))
    described = [*marked, *game.engine.describe(step.state, step.setting, lang)]
    if marked:
        drawn = drawn.captioned(marked[0])
    title = " – ".join([game.engine.words.say("game", lang), *marked])
    over = _noted(game, step, drawn) if noted else None
    return drawn.svg(title, "\n".join(described), lang=lang, over=over)


def _noted(game: Game, step: Step, drawn: Picture) -> Svg:
    from engines.kernel.picture.svg import group
    from replays.exports.annotations import drawn_marks, named_spaces

    here = [note for note in game.notes.values() if note.number == step.number and not note.on]
    return group(drawn_marks(drawn, here), named_spaces(drawn))


def position(
    caller: Caller, game_id: str, *, at: int | None = None, view: str | None = None
) -> str:
    """The position as a file in TOML, from which lines can be judged without the record."""
    from referee.record.positions import position_file
    from referee.untrusted.safe_toml import write_toml

    return write_toml(position_file(caller.everything(game_id, "toml", view), at))


# what may come next


def options(
    caller: Caller, game_id: str, *, prefix: str = "", at: int | None = None
) -> Answered[OptionsAnswer]:
    """Every legal action that begins so, and the forms of those that cannot be listed."""
    game = caller.game(game_id)
    engine = game.engine
    found, silent = (
        [
            (action, text)
            for action in legal_actions(caller, game_id, at, in_silence=in_silence)
            for text in (engine.text(action),)
            if _begins_with(prefix, text, engine.text(action, caller.voice.lang))
        ]
        for in_silence in (False, True)
    )
    templates = [
        usage for _, usage in engine.templates(step_at(game, at).state) if usage.startswith(prefix)
    ]

    def data() -> OptionsAnswer:
        from answers.play import looked
        from answers.verdicts import action_answer

        rows, later = (
            [looked.OptionAnswer(notation=text, action=action_answer(each)) for each, text in lines]
            for lines in (found, silent)
        )
        said = [
            word
            for line in (*(text for _, text in (*found, *silent)), *templates)
            for word in line.split()
        ]
        return looked.OptionsAnswer(
            game=game.id,
            options=rows,
            in_silence=later,
            templates=[*templates],
            names=names_of(engine, said, caller.voice.lang),
        )

    def told(voice: Voice) -> Iterator[str]:
        if at is None:
            yield to_act(voice, game)
        yield voice.say("options.count", count=len(found))
        by_verb: dict[str, list[str]] = {}
        for action, _ in found:
            by_verb.setdefault(action.verb, []).append(engine.text(action, voice.lang))
        for verb, lines in by_verb.items():
            key = f"verb.{verb}"
            meaning = f"   {engine.words.say(key, voice.lang)}" if key in engine.words else ""
            yield f"  {voice.mark('bold', engine.verb_in(verb, voice.lang))}{meaning}"
            yield from (f"    {line}" for line in lines)
        if silent:
            yield voice.say("options.in_silence", count=len(silent))
            yield from (f"    {engine.text(action, voice.lang)}" for action, _ in silent)
        if templates:
            yield voice.say("options.templates")
            yield from (f"    {engine.words.show(usage, voice.lang)}" for usage in templates)

    return Answered(data, told)


def choices(caller: Caller, game_id: str, prefix: str = "") -> Answered[ChoicesAnswer]:
    """The words that may come next in a line that begins so."""
    game, found = caller.game(game_id), next_words(caller, game_id, prefix)

    def data() -> ChoicesAnswer:
        from answers.play import looked

        rows = [
            looked.ChoiceRow(
                **each._asdict(), name=called(game.engine, each.word, caller.voice.lang)
            )
            for each in found
        ]
        return looked.ChoicesAnswer(game=game.id, choices=rows)

    def told(voice: Voice) -> list[str]:
        return [each.word for each in next_words(caller, game_id, prefix, voice.lang)]

    return Answered(data, told)


def names_of(engine: Engine[Any, Any], said: Iterable[str], lang: Language) -> dict[str, str]:
    """What these words are called, where that is not what is written."""
    return {
        word: name for word in dict.fromkeys(said) if (name := called(engine, word, lang)) != word
    }


def called(engine: Engine[Any, Any], word: str, lang: Language) -> str:
    """A word of the notation as people say it: a component, a verb, or a small word of a form."""
    if f"term.{word}" in engine.words:
        return engine.words.term(word, lang)
    if lang == "fr":
        for action in engine.actions:
            if action.verb_of() == word and action.french:
                return str(action.french[0])
    entry = engine.words.entry(f"keyword.{word}")
    return entry[lang].split()[0] if entry is not None else word


# why


def why(
    caller: Caller, game_id: str, words: Sequence[str], *, at: int | None = None
) -> Answered[WhyAnswer]:
    """Every clause that was asked about a logged action (``["12"]``) or a line."""
    asked = explained(caller, game_id, words, at)
    game, verdict = asked.game, asked.judged.verdict

    def data() -> WhyAnswer:
        from answers.play import looked
        from answers.verdicts import verdict_fields

        return looked.WhyAnswer(
            **verdict_fields(verdict, asked.moves),
            game=game.id,
            notation=game.engine.text(asked.judged.action),
            consulted=[
                looked.ConsultedAnswer(
                    clause=each.clause,
                    held=each.held,
                    effect=each.effect,
                    facts=to_plain(dict(each.facts)),
                )
                for each in verdict.consulted
            ],
            readings=readings_asked(game.engine, game.setting, verdict),
            status=asked.logged[1] if asked.logged is not None else None,
            nearest=asked.nearest,
        )

    def told(voice: Voice) -> Iterator[str]:
        if asked.logged is not None:
            yield from gone_lines(voice, *asked.logged)
        yield from why_lines(
            voice, game.engine, game.setting, asked.judged, asked.moves, asked.nearest
        )

    return Answered(
        data,
        told,
        "illegal" if verdict.outcome == "illegal" else "done",
    )


# what happened


def moves(
    caller: Caller,
    game_id: str,
    *,
    start: int = 0,
    by: str | None = None,
    containing: str | None = None,
    everything: bool = False,
    view: str | None = None,
    bare: bool = False,
) -> Answered[MovesAnswer]:
    """The record, action by action; ``everything``: what no longer counts as well."""
    game = caller.game(game_id, view)
    lines = [
        line
        for line in history(game)
        if line.number >= start
        and (everything or line.status in ("counts", "pending"))
        and (by is None or line.seat == by.upper())
        and (containing is None or _is_in(containing, caller, game, line.text))
    ]

    def told(voice: Voice) -> list[str]:
        if bare:
            return [f"#{line.number} {line.text}" for line in lines]
        told_in = game.engine.told_in
        rows = (_move(voice, line, told_in(line.text, voice.lang)) for line in lines)
        return columns(rows, widest=WIDEST_LINE)

    def data() -> MovesAnswer:
        from answers.play import looked

        return looked.MovesAnswer(
            game=game.id, moves=[looked.MoveRow(**line._asdict()) for line in lines]
        )

    return Answered(data, told)


def _begins_with(prefix: str, *lines: str) -> bool:
    """Whether one of the lines begins so, with its seat or without."""
    asked = normalize(prefix)
    return any(
        normalize(line).startswith(asked) or normalize(line[2:]).startswith(asked) for line in lines
    )


def _is_in(words: str, caller: Caller, game: Game, line: str) -> bool:
    """Whether a line has these words, as it is recorded or as it is told."""
    told = game.engine.told_in(line, caller.voice.lang)
    return any(normalize(words) in normalize(text) for text in (line, told))


def _move(voice: Voice, line: HistoryLine, text: str) -> tuple[str, ...]:
    return (
        f"#{line.number}",
        line.at[11:19],
        text,
        _verdict(voice, line),
        " ".join(line.clauses),
        voice.say(f"moves.{line.status}") if line.status != "counts" else "",
        "  ".join(voice.say("quoted", text=Verbatim(note)) for note in line.notes),
    )


def _verdict(voice: Voice, line: HistoryLine) -> str:
    if line.settled is not None:
        return voice.say(f"moves.settled_{line.settled}", by=Verbatim(line.settled_by or ""))
    return voice.say(f"outcome.{line.outcome}") if line.outcome != "legal" else ""


# what changed


def diff(
    caller: Caller,
    game_id: str,
    start: int,
    end: int | None = None,
    *,
    view: str | None = None,
    fields: bool = False,
) -> Answered[DiffAnswer]:
    """What changed between two actions; ``fields`` tells it field by field as well."""
    game = caller.game(game_id, view)
    before, after = step_at(game, start), step_at(game, end)
    changes = list(differences(game.engine.plain(before.state), game.engine.plain(after.state)))

    def told(voice: Voice) -> Iterator[str]:
        lines = list(told_differences(voice, game.engine, before, after))
        lines += (_field(voice, *change) for change in changes) if fields else ()
        yield from lines or [voice.say("diff.same")]

    def data() -> DiffAnswer:
        from answers.play import looked

        rows = [looked.DiffRow(path=path, before=was, after=now) for path, was, now in changes]
        return looked.DiffAnswer(game=game.id, changes=rows)

    return Answered(data, told)


def told_differences(
    voice: Voice, engine: Engine[Any, Any], before: Step, after: Step
) -> Iterator[str]:
    """The sentences of the one position that are not those of the other."""
    was, now = (engine.describe(step.state, step.setting, voice.lang) for step in (before, after))
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
