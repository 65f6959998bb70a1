"""Privileged queries: questions about a move, answered from what the caller may know.

They are the only readers of the unredacted game besides ``Caller.everything``; a test keeps it so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import category

from msgspec import Struct

from answers.context import Caller
from answers.line_words import CalledThing
from engines.kernel.engine.contract import Choice
from engines.kernel.engine.judge import UNKNOWABLE
from engines.kernel.messages.catalogue import LANGUAGES, Language, Phrase, normalize
from engines.kernel.messages.errors import ParseError, close_to
from engines.kernel.notation.usage import Typed, in_french
from engines.kernel.values.numbers import whole_number
from referee.errors import NotFound
from referee.record import claims
from referee.record.claims import Claim
from referee.record.game import Game, RecordError, moves_between
from referee.record.hidden_state import choices_hidden, judge_hidden, options_hidden
from referee.record.history import Status, status
from referee.record.line import Item, JudgedItem, Stood
from referee.secrecy.query_guard import (
    check_question,
    judged_as_known,
    known_step,
    tells_the_table,
)
from referee.secrecy.redaction import (
    EVERYTHING,
    judged_for,
    may_be_offered,
    steps_shown_to,
    viewer_of,
)
from referee.table.play import for_own_seat, may_be_tried

if TYPE_CHECKING:
    from engines.kernel import Action, Engine, Judgement, Moves, Setting

MOST_FITTING = 24
"""Words that are named to whoever has typed one that does not fit."""


class Explained(Struct, frozen=True):
    """A verdict with all clauses consulted, and legal lines close to a refused one."""

    game: Game
    judged: Judgement[Any]
    moves: Moves
    nearest: list[str]
    logged: tuple[int, Status] | None = None
    """Which action it is, and what became of it; none for a line that is only asked about."""


def step_at(game: Game, number: int | None) -> JudgedItem:
    """Where an action leads, or led when it last counted; the last one, if none is named."""
    return game.steps[-1] if number is None else _stood(game, number).after


def _stood(game: Game, number: int) -> Stood:
    try:
        return game.stood(number)
    except RecordError:
        raise NotFound("no_such_action", number=number) from None


def legal_actions(
    caller: Caller, game_id: str, at: int | None = None, *, in_silence: bool = False
) -> list[Action]:
    """What is legal as far as the caller may know, whoever holds what.

    To a seat, where something is hidden, its own lines; to the device on the table everybody's.

    ``in_silence``: only those that are legal because what is due before them ends unsaid.
    """
    game = caller.whole(game_id)
    return _legal(caller, game, step_at(game, at), in_silence=in_silence)


def _legal(
    caller: Caller, game: Game, step: JudgedItem, *, in_silence: bool = False
) -> list[Action]:
    view, known = caller.view(game), known_step(game, step, caller.author.viewer)
    if known is not step or game.partial:
        found = options_hidden(game.engine, known.setting, known.state, in_silence=in_silence)
    elif in_silence:
        found = game.engine.options.after_silence(step.setting, step.state)
    else:
        found = game.engine.options(step.setting, step.state)
    if caller.author.in_the_open:
        return found
    return [action for action in found if may_be_offered(game, step, action, view)]


class Outlook(Struct, frozen=True):
    """What may come next and after that, as far as the caller may know."""

    game: Game
    step: JudgedItem
    """The last one, without what is hidden."""
    offered: Callable[[Action], bool]

    def options(self, state: Any) -> list[Action]:
        found = options_hidden(self.game.engine, self.step.setting, state)
        return [action for action in found if self.offered(action)]

    def after(self, state: Any, action: Action) -> Any:
        """The state after an action; ``None``, where it is refused."""
        try:
            heard = judge_hidden(self.game.engine, self.step.setting, state, action)
        except ParseError:
            return None
        return heard.state if heard.accepted else None

    def refused(self, action: Action) -> Judgement[Any] | None:
        """What is said of an action that is refused now, with the state it would lead to."""
        engine, setting, state = self.game.engine, self.step.setting, self.step.state
        try:
            if not self.offered(action) or judge_hidden(engine, setting, state, action).accepted:
                return None
            return judge_hidden(engine, setting, state, action, lenient=True)
        except ParseError:
            return None


def outlook(caller: Caller, game_id: str) -> Outlook:
    """Options of options, asked of what the caller may know alone."""
    game = caller.whole(game_id)
    step, view = step_at(game, None), caller.view(game)
    known = known_step(game, step, caller.author.viewer)
    in_the_open = caller.author.in_the_open
    return Outlook(
        caller.game(game_id),
        known,
        lambda action: in_the_open or may_be_offered(game, step, action, view),
    )


def next_words(caller: Caller, game_id: str, prefix: str, lang: Language = "en") -> list[Choice]:
    """What may come next in a line, word by word: in the language named, or else in the one in
    which the line was begun.
    """
    asked = (_next_words(caller, game_id, prefix, each) for each in (lang, *LANGUAGES))
    return next(filter(None, asked), [])


def _next_words(caller: Caller, game_id: str, prefix: str, lang: Language) -> list[Choice]:
    """The same in one language.

    What fits may depend on what is hidden: a seat that does not see everything is told of legal
    actions alone, as far as they may be offered. The device on the table is told what fits the
    table as everybody sees it, from which nothing hidden can follow.
    """
    game = caller.whole(game_id)
    if caller.view(game) == EVERYTHING:
        return game.engine.options.choices(game.setting, game.state, prefix, lang)
    if caller.author.in_the_open:
        public = game.engine.hide(game.state, "", game.setting)
        return choices_hidden(game.engine, game.setting, public, prefix, lang)
    typed = [normalize(word) for word in prefix.split()]
    legal = legal_actions(caller, game_id)
    lines = [game.engine.text(action, lang).split() for action in legal]
    begun = [words for words in lines if [normalize(word) for word in words[: len(typed)]] == typed]
    nexts = [words[len(typed)] for words in begun if len(words) > len(typed)]
    ends = {words[-1] for words in begun if len(words) == len(typed) + 1}
    return [Choice(word, word in ends, count) for word, count in Counter(nexts).items()]


def read_as_said(
    caller: Caller, game: Game, line: str, of: Sequence[Action] | None = None
) -> Action:
    """An action as it is written, or as a button says it, in any language: the one of these, or of
    those that the caller is offered now."""
    try:
        return game.engine.read(line)
    except ParseError:
        offered = _legal(caller, game, game.steps[-1]) if of is None else of
        if caller.author.seat is not None:
            offered = [action for action in offered if action.by in (None, caller.author.seat)]
        text, names = game.engine.text, caller.voice.at(game.seats).names
        meant = {
            text(action): action
            for action in offered
            for lang in LANGUAGES
            if _as_said(text.label(action, lang, names)) == _as_said(line)
        }
        if len(meant) != 1:
            raise
        return meant.popitem()[1]


def _as_said(words: str) -> str:
    """Without what nobody types: marks around names, the kinds of spaces, a full stop."""
    plain = "".join(sign for sign in words if category(sign) != "Cf")
    return " ".join(normalize(plain).split()).rstrip(".")


def nearest_lines(caller: Caller, game: Game, text: str) -> list[str]:
    """Legal lines that look most like what was said; ``game`` is the whole one, as heard."""
    return may_be_tried(game, text, caller.view(game))


FORGOTTEN = 3
"""So many steps are named that may have been forgotten: of more nobody could choose."""
TRIED = 60
"""So many of the steps that are owed are tried."""


def forgotten_lines(caller: Caller, game: Game, before: JudgedItem, action: Action) -> list[str]:
    """What is owed and was perhaps not said: with it before, an illegal action would be legal.

    It is tried on what the caller knows of the table, so that it tells nobody a secret.
    """
    if game.partial:
        return []
    view = caller.view(game)
    known = known_step(game, before, None if view == EVERYTHING else viewer_of(view))
    engine, setting, state = game.engine, known.setting, known.state
    found = []
    for option in options_hidden(engine, setting, state)[:TRIED]:
        first = judge_hidden(engine, setting, state, option)
        if first.accepted and first.state != state and _is_legal(engine, setting, first, action):
            found.append(option)
    lines = [engine.text(option) for option in found]
    if len(lines) > FORGOTTEN:  # of one kind, whichever it was
        lines = [f"{option.by or ''} {option.verb} …".strip() for option in found]
    kinds = list(dict.fromkeys(lines))
    return kinds if len(kinds) <= FORGOTTEN else []


def _is_legal(
    engine: Engine[Any, Any], setting: Setting[Any], first: Judgement[Any], action: Action
) -> bool:
    try:
        heard = judge_hidden(engine, setting, first.state, action)
    except ParseError:
        return False
    return heard.accepted and heard.verdict is not UNKNOWABLE


def tell_what_fits(caller: Caller, game_id: str, text: str, error: ParseError) -> None:
    """Put into the refusal of a line what would fit at this table, the likeliest words first.

    Only whoever sees everything is told: what fits may depend on what is hidden.
    """
    game = caller.whole(game_id)
    flaw = error.facts.get("problem")
    facts = flaw.facts if isinstance(flaw, Phrase) else error.facts
    if error.key not in ("odd_word", "usage") or caller.view(game) != EVERYTHING:
        return
    word = facts.get("word")
    fits = game.engine.options.fitting(game.setting, game.state, text, word)
    near = close_to(str(word).lower(), fits) if word else ()
    if found := tuple(dict.fromkeys((*near, *fits)))[:MOST_FITTING]:
        words = game.engine.words
        error.facts["fits"] = tuple(Typed(each, in_french(each, words)) for each in found)


def explained(
    caller: Caller, game_id: str, words: Sequence[str], at: int | None = None
) -> Explained:
    """A logged action where it stood, or a line as if it were said now (or after ``at``)."""
    game = caller.whole(game_id)
    view = caller.view(game)
    start, heard = _judged(caller, game, words, at)
    judged = judged_for(game, heard, view)
    near = [] if judged.accepted else may_be_tried(game, game.engine.text(judged.action), view)
    number = _number(words)
    end = start._replace(item=Item(None, heard.action), state=heard.state, stages=heard.stages)
    return Explained(
        caller.shown(game),
        judged,
        moves_between(game, *steps_shown_to(game, (start, end), view)),
        near,
        None if number is None else (number, status(game, number)),
    )


def _number(words: Sequence[str]) -> int | None:
    """The number of a logged action, if that is what was asked about."""
    return whole_number(words[0].lstrip("#")) if len(words) == 1 else None


def _judged(
    caller: Caller, game: Game, words: Sequence[str], at: int | None
) -> tuple[JudgedItem, Judgement[Any]]:
    """Where a line is judged, and what is said of it."""
    if (number := _number(words)) is not None:
        return _logged(game, number, caller.author.viewer)
    step = step_at(game, at)
    line = " ".join(words)
    try:
        said = caller.said(game, line)
        action = game.engine.read(said[0] if len(said) == 1 else line)
    except ParseError as error:
        action = _use_of(game, words, error)
    action = for_own_seat(game, step, action, caller.author)
    check_question(game, step, action, caller.author.viewer)
    return judged_as_known(game, step, action, game.last_number + 1, caller.author.viewer)


def _use_of(game: Game, words: Sequence[str], error: ParseError) -> Action:
    """What is done with a thing that was named alone, if nothing else can be; raises what the
    thing is for, where it may be several things.

    It is told from what everybody may see: nothing hidden follows from it.
    """
    engine, seats = game.engine, game.setting.seats
    by = [words[0]] if len(words) == 2 and words[0] in seats else []
    things = words[len(by) :]
    if error.key != "unknown_verb" or len(things) != 1:
        raise error
    [word] = things
    public = engine.hide(game.state, "", game.setting)
    uses = engine.options.uses(game.setting, public, word)
    if not uses and word in seats:
        raise ParseError("of_a_seat", seat=word).in_words_of(engine.words)
    thing = CalledThing(engine, word)
    if not uses:
        if f"term.{word}" in engine.words:
            raise ParseError("only_shown", thing=thing).in_words_of(engine.words)
        raise error
    if [*uses.values()] == [True] and word not in seats:
        return engine.read(" ".join([*by, *(action.verb_of() for action in uses), word]))
    labels = (f"do.{action.verb_of()}" for action in uses)
    verbs = (
        Phrase(label if label in engine.words else label.replace("do", "verb", 1))
        for label in labels
    )
    told = tuple(Phrase("form.used", {"what": verb}) for verb in verbs)
    raise ParseError("takes_part", thing=thing, uses=told).in_words_of(engine.words)


def _logged(game: Game, number: int, viewer: str | None) -> tuple[JudgedItem, Judgement[Any]]:
    before, step = _stood(game, number)
    if step.action is None or number == 0:
        raise NotFound("no_such_action", number=number)
    stands = step.item.stands
    if viewer is None or (tells_the_table(game, step.action) and not stands):
        return before, game.judged(step.action, before, number, lenient=stands)
    return judged_as_known(game, before, step.action, number, viewer, lenient=stands)


def open_claims(caller: Caller, game_id: str) -> list[Claim]:
    """The open claims: everybody at the table has heard them, so nothing is redacted."""
    return claims.open_claims(caller.whole(game_id))
