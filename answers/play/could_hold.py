"""Could somebody have held this then? Answered from what the asker may know of that moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import PartName, SeatLetter
from answers.permissions import EVERYBODY
from answers.privileged import step_at
from engines.kernel import LANGUAGES, Hand, Setting, seat_of
from engines.kernel.engine.engine import Engine
from engines.kernel.messages.catalogue import normalize
from engines.kernel.values.secret import Unknowable
from referee.errors import NotFound
from referee.record.entries import Number
from referee.record.game import Game
from referee.record.line import JudgedItem

Could = Literal["certainly", "possibly", "no", "unknown"]


class CouldHoldAnswer(Data):
    game: str
    seat: str
    thing: str
    at: int
    could: Could
    """``unknown``: what would tell is hidden from whoever asks."""
    honestly: bool
    """Only if that player has told the truth so far."""
    since: int
    """The action with which it became so; 0: it was so from the start."""
    line: str
    """That action."""
    proven: int | None = None
    """The later action that shows it, against what the player had said."""
    others: list[str]
    """What else the hand may have held then, where hands are hidden."""


class _Known:
    """What can be told of one thing at one seat, step by step."""

    def __init__(self, game: Game, seat: str, thing: str) -> None:
        self.game, self.seat, self.thing = game, seat, thing

    def at(self, step: JudgedItem) -> Could:
        try:
            hand = self._hand(step)
            if hand is None:
                return self._in_sight(step)
            if self.thing in hand.certain:
                return "certainly"
            return "possibly" if self.thing in hand.possible else "no"
        except Unknowable:
            return "unknown"

    def hand(self, step: JudgedItem) -> Hand | None:
        """What is known of the hidden hand, if such a thing is held in one."""
        try:
            return self._hand(step)
        except Unknowable:
            return None

    def _hand(self, step: JudgedItem) -> Hand | None:
        holdings = self.game.engine.holdings
        if holdings.hand is None or self.thing not in set(holdings.in_hands(step.setting)):
            return None
        return holdings.hand(step.state, step.setting, self.seat)

    def _in_sight(self, step: JudgedItem) -> Could:
        amounts = [
            one.amount
            for one in self.game.engine.holdings.held(step.state, step.setting)
            if seat_of(one.holder) == self.seat and one.thing == self.thing
        ]
        if None in amounts:
            return "unknown"
        return "certainly" if any(amounts) else "no"


@operation("could-hold", "GET /games/{game}/could-hold", grant=EVERYBODY)
def could_hold(
    caller: Caller, game_id: str, seat: SeatLetter, thing: PartName, *, at: Number | None = None
) -> Answered[CouldHoldAnswer]:
    """Whether a seat could have held a thing after action ``at``, and what decides it."""
    game = caller.game(game_id)
    seat = seat.upper()
    if seat not in game.setting.seats:
        raise NotFound("no_such_seat", seat=seat)
    step = step_at(game, at)
    known = _Known(game, seat, _meant(game, step.setting, thing))
    could, since = known.at(step), step
    text, hand = game.engine.text, known.hand(step)
    honestly = hand is not None and hand.honestly
    untrue = _untrue(game, seat, known.thing) if honestly and could != "certainly" else []
    earlier = [each for each in game.steps if (each.number or 0) <= (step.number or 0)]
    for before in reversed(earlier):
        if before is step:
            continue
        if known.at(before) != could or any(one.had(before) for one in untrue):
            break
        since = before
    proof = next((one.shown for one in untrue if one.had(step)), None)
    if proof is not None:
        could, since = "certainly", proof
    answer = CouldHoldAnswer(
        game=game.id,
        seat=seat,
        thing=known.thing,
        at=step.number or 0,
        could=could,
        honestly=honestly and not any(one.said <= (step.number or 0) for one in untrue),
        proven=None if proof is None else proof.number,
        since=since.number or 0,
        line=text(since.action) if since.action is not None else "",
        others=sorted(hand.possible - {known.thing}) if hand is not None else [],
    )

    def told(voice: Voice) -> Iterator[str]:
        words, word = game.engine.words, _word(answer.thing)
        noun = f"noun.{word}"
        name = words.say(noun, voice.lang) if noun in words else words.term(word, voice.lang)
        facts = {"seat": voice.called(seat, game.seats), "thing": name, "number": answer.at}
        yield voice.say(f"could.{could}", **facts)
        if answer.proven is not None:
            line = game.engine.text.tell_line(answer.line, voice.lang, caller.names_at(game))
            yield "  " + voice.say("could.proven", number=answer.proven, line=line)
            return
        if answer.line and answer.since:
            line = game.engine.text.tell_line(answer.line, voice.lang, caller.names_at(game))
            yield "  " + voice.say("could.since", number=answer.since, line=line)
        if answer.others:
            names = [game.engine.words.term(_word(one), voice.lang) for one in answer.others]
            yield "  " + voice.say("could.others", things=names)
        if answer.honestly and could != "unknown":
            yield "  " + voice.say("could.honestly")

    return Answered(lambda: answer, told)


class _Untrue(NamedTuple):
    """Something that a seat has said not to have, until an action showed it."""

    since: int
    """When the hand grew last before: the thing was in it from then on."""
    said: int
    shown: JudgedItem

    def had(self, step: JudgedItem) -> bool:
        return self.since <= (step.number or 0) < (self.shown.number or 0)


def _untrue(game: Game, seat: str, thing: str) -> list[_Untrue]:
    """What this seat has said of a thing and is proven untrue: the thing was there.

    A finding against a claim not to hold it says more than the claim, which it refutes.
    """
    found = []
    for later in game.steps:
        for finding in later.verdict.findings:
            about = finding.facts.get("seat") == seat and thing in finding.facts.values()
            if finding.status == "broken" and finding.entries and about:
                said = min(finding.entries)
                found.append(_Untrue(_grown(game, seat, said), said, later))
    return found


def _grown(game: Game, seat: str, upto: int) -> int:
    """The action, up to another one, with which the hand of a seat grew last."""

    def size(step: JudgedItem) -> int:
        return game.engine.holdings.sizes(step.state).get(f"hand.{seat}", 0)

    return max(
        (
            after.number or 0
            for before, after in pairwise(game.steps)
            if (after.number or 0) <= upto and size(before) < size(after)
        ),
        default=0,
    )


def _meant(game: Game, setting: Setting[Any], said: str) -> str:
    """The thing that somebody names: by its code, or by its name in either language."""
    wanted = normalize(said)
    for thing in _things(game, setting):
        if wanted in _names(game.engine, thing):
            return thing
    raise NotFound("no_such_thing", thing=said[:60])


def _things(game: Game, setting: Setting[Any]) -> Iterable[str]:
    holdings = game.engine.holdings
    found = dict.fromkeys(holdings.in_hands(setting))
    for step in game.steps:
        try:
            found |= dict.fromkeys(one.thing for one in holdings.held(step.state, step.setting))
        except Unknowable:
            continue
    return found


def _names(engine: Engine[Any, Any], thing: str) -> set[str]:
    word = _word(thing)
    called = {engine.words.term(word, lang) for lang in LANGUAGES}
    return {normalize(name) for name in (thing, word, *called)}


def _word(thing: str) -> str:
    """``card.T1`` is called as ``T1`` is."""
    return thing.rpartition(".")[2]
