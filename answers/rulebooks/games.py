"""What a page says of a game before a table of it is open: name, usual opening, examples."""

from __future__ import annotations

from collections.abc import Collection

from answers.answer import Data
from answers.i18n import Voice
from answers.line_words import begun
from answers.verdict_text import near_line
from answers.verdicts import Outcome
from engines.kernel.dialogue.clause_text import clause_text, reading_in_words
from engines.kernel.messages.catalogue import NOBODY, Names
from engines.kernel.messages.errors import ParseError
from engines.kernel.registry import load_engine
from engines.kernel.values.structs import evolve
from referee.record.positions import PositionFile, judge_from_position
from replays.examples import Example, examples

LETTERS = "ABCDEFGH"


class ClauseExample(Data):
    """An example of a clause: what is said, and what the referee says of it."""

    number: int
    said: list[str]
    verdict: Outcome
    decided_by: str = ""
    """The clause that decides, where it is another one: a principle is applied by others."""
    because: str = ""
    """What that one says."""
    drawn: str = ""
    """The table, where nothing but its opening is said."""


def game_name(voice: Voice, engine: str) -> str:
    """What a game is called; by its id where it is not installed: lists name its tables too."""
    try:
        return load_engine(engine).words.say("game", voice.lang)
    except ParseError:
        return engine


def line_told(voice: Voice, engine: str, line: str, names: Names | None = None) -> str:
    """A recorded line in a sentence, people by their names."""
    return load_engine(engine).text.tell_line(line, voice.lang, names or NOBODY)


def line_button(voice: Voice, engine: str, line: str, names: Names | None = None) -> str:
    """A line as a button says it that does this."""
    return near_line(evolve(voice, names=names or NOBODY), load_engine(engine), line)


def reading_told(voice: Voice, engine: str, name: str, value: str) -> str:
    """An open question of the rules and the answer that was chosen."""
    return voice.spoken(reading_in_words(load_engine(engine), name, value))


def line_written(voice: Voice, engine: str, line: str) -> str:
    """A recorded line in the notation of the reader's language."""
    return load_engine(engine).text.told_in(line, voice.lang)


def form_label(voice: Voice, engine: str, form: str) -> str:
    """What a button says that begins a line of this form."""
    words = form.split()
    verb = words[1] if len(words) > 1 and len(words[0]) == 1 and words[0].isupper() else words[0]
    return begun(load_engine(engine), verb, voice.lang)


def emblem(engine: str) -> str:
    """A small drawing that stands for the game; none where it is not installed."""
    try:
        return load_engine(engine).emblem
    except ParseError:
        return ""


def clause_ids(engine: str) -> Collection[str]:
    return load_engine(engine).clauses


def sealable(voice: Voice, engine_id: str) -> dict[str, str]:
    """What a seat of this game may seal, and what it is called: the engine can check it when it
    is opened."""
    engine = load_engine(engine_id)
    return {what: begun(engine, what, voice.lang) for what in sorted(engine.sealed)}


def secret_verbs(engine: str) -> frozenset[str]:
    """The actions of this game that tell what only their seat may know."""
    return frozenset(action.verb_of() for action in load_engine(engine).actions if action.private)


def can_be_seen(engine: str) -> bool:
    """Whether a game says what lies openly, so that photographs of its tables can be looked at."""
    return load_engine(engine).sight is not None


def amount_verbs(engine: str) -> list[str]:
    """The actions of this game whose numbers say how many of something."""
    return sorted(action.verb_of() for action in load_engine(engine).actions if action.amounts)


def small_words(engine: str) -> frozenset[str]:
    """The words of this game that only join others in a line: nobody begins with them."""
    known = load_engine(engine)
    verbs = {action.verb_of() for action in known.actions}
    return frozenset().union(*map(known.notation.fixed_words, known.actions)) - verbs


def assumed_data(engine: str) -> int:
    """How many data of the usual box of this game are assumed."""
    sheet = next(iter(load_engine(engine).kits.values()))
    return sum(datum.provenance == "assumed" for datum in sheet.datums())


def has_boards(engine: str) -> bool:
    """Whether a board of this game can be put on a photograph."""
    found = load_engine(engine)
    return any(True for _ in found.guide.boards(found.read_kit(found.kit_sheet(None))))


def usual_opening(engine: str, players: int) -> tuple[str, list[str]]:
    """The opening line of a usual table without its first word, and its seats.

    The line is empty where the game names none.
    """
    found = load_engine(engine)
    try:
        line = found.opening.usual(players)
        seats = list(found.setting(found.read(line)).seats)  # type: ignore[arg-type]
    except ParseError:
        return "", list(LETTERS[:players])
    return line.removeprefix("table "), seats


def clause_examples(voice: Voice, engine: str, clause: str) -> list[ClauseExample]:
    """The examples of a clause; one that is an opening alone says the opening, and draws it."""
    known = examples(engine)
    found = enumerate(known.of(clause), start=1)
    return [
        _example(voice, clause, number, each, known.starts[each.start]) for number, each in found
    ]


def _example(
    voice: Voice, clause: str, number: int, example: Example, start: PositionFile
) -> ClauseExample:
    played = judge_from_position(start, example.lines)
    game, setting, lang = played.engine, played.setting, voice.lang
    last = next(filter(None, (*played.judged[-1:], played.refused)), None)
    decided_by = last.verdict.clause if last is not None else None
    if decided_by in (None, clause):
        decided_by = ""
    drawn = ""
    if not example.lines and played.state is not None:
        words = "\n".join(game.describe(played.state, setting, lang))
        picture = game.picture(played.state, setting, lang, None)
        drawn = picture.svg(game.words.say("game", lang), words, lang=lang)
    return ClauseExample(
        number=number,
        said=[game.text.tell_line(line, lang) for line in example.lines or (start.table,)],
        verdict=example.verdict,
        decided_by=decided_by,
        because=clause_text(game, decided_by, lang, setting.readings) if decided_by else "",
        drawn=drawn,
    )


def draws_key(engine: str) -> bool:
    """Whether a game draws all its components with their codes together."""
    return load_engine(engine).card_key is not None
