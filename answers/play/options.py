"""What may come next at a table: legal actions, and the words that continue a line."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import Prefix, Search
from answers.line_words import begun, called, drawn_words, names_of
from answers.permissions import EVERYBODY
from answers.privileged import legal_actions, next_words, step_at
from answers.verdict_text import to_act
from answers.verdicts import ActionAnswer, action_answer
from engines.kernel.messages.catalogue import normalize
from engines.kernel.notation.usage import SEAT
from referee.record.entries import Number


class OptionAnswer(Data):
    notation: str
    action: ActionAnswer
    label: str = ""
    """What a button would say that does it, in the language of who asks."""
    secret: bool = False
    """It tells what only its seat may know."""


class OptionsAnswer(Data):
    game: str
    options: list[OptionAnswer]
    in_silence: list[OptionAnswer]
    """Legal as well: they end what stands before them."""
    templates: list[str]
    names: dict[str, str]
    """What the words of these lines are called, where that is not what is written."""
    drawings: dict[str, str] = {}
    """Small drawings of what these lines name, by its word, for whoever asks for them."""


class ChoiceRow(Data):
    word: str
    name: str
    """What it is called in the language of who asks."""
    complete: bool
    """The line is a legal action with it."""
    options: int
    """How many legal actions go on with it; 0 where they cannot be listed."""


class ChoicesAnswer(Data):
    game: str
    choices: list[ChoiceRow]


@operation("options", "GET /games/{game}/options", grant=EVERYBODY)
def options(
    caller: Caller,
    game_id: str,
    *,
    prefix: Search = "",
    at: Number | None = None,
    drawings: bool = False,
) -> Answered[OptionsAnswer]:
    """Every legal action that begins so, and the forms of those that cannot be listed."""
    game = caller.game(game_id)
    engine, step = game.engine, step_at(game, at)
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
        usage
        for _, usage in engine.options.templates(step.setting, step.state)
        if usage.startswith(prefix)
    ]

    def data() -> OptionsAnswer:
        people = {seat: caller.name(person) for seat, person in game.seats.items()}
        rows, later = (
            [
                OptionAnswer(
                    notation=text,
                    action=action_answer(each),
                    label=engine.text.label(each, caller.voice.lang, people),
                    secret=each.known_to("") != each,
                )
                for each, text in lines
            ]
            for lines in (found, silent)
        )
        said = [*(text for _, text in (*found, *silent)), *templates]
        return OptionsAnswer(
            game=game.id,
            options=rows,
            in_silence=later,
            templates=[*templates],
            names=names_of(engine, said, caller.voice.lang),
            drawings=drawn_words(engine, said, game.setting, caller.voice.lang) if drawings else {},
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
            yield f"  {voice.mark('bold', engine.text.verb_in(verb, voice.lang))}{meaning}"
            yield from (f"    {line}" for line in lines)
        if silent:
            yield voice.say("options.in_silence", count=len(silent))
            yield from (f"    {engine.text(action, voice.lang)}" for action, _ in silent)
        if templates:
            yield voice.say("options.templates")
            yield from (f"    {engine.words.show(usage, voice.lang)}" for usage in templates)

    return Answered(data, told)


@operation("choices", "GET /games/{game}/choices", grant=EVERYBODY)
def choices(caller: Caller, game_id: str, prefix: Prefix = "") -> Answered[ChoicesAnswer]:
    """The words that may come next in a line that begins so."""
    game, found = caller.game(game_id), next_words(caller, game_id, prefix)

    def data() -> ChoicesAnswer:
        engine, lang = game.engine, caller.voice.lang
        begins = not [word for word in prefix.split() if not SEAT.match(word)]
        name = begun if begins else called
        rows = [ChoiceRow(**each._asdict(), name=name(engine, each.word, lang)) for each in found]
        return ChoicesAnswer(game=game.id, choices=rows)

    def told(voice: Voice) -> list[str]:
        return [each.word for each in next_words(caller, game_id, prefix, voice.lang)]

    return Answered(data, told)


def _begins_with(prefix: str, *lines: str) -> bool:
    """Whether one of the lines begins so, with its seat or without."""
    asked = normalize(prefix)
    return any(
        normalize(line).startswith(asked) or normalize(line[2:]).startswith(asked) for line in lines
    )
