"""Logging what happened, or asking whether it would be legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from pydantic import Field

from answers.answer import Answered, Telling
from answers.context import Caller
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import ActionLines
from answers.permissions import TABLE, Writes
from answers.play.clock_doubts import clock_doubts
from answers.verdict_text import accepted, drawn_again, numbered, refusal
from answers.verdicts import HeardAnswer, heard_fields
from engines.kernel import Action, Engine
from engines.kernel.messages.catalogue import Phrase, Spoken
from engines.kernel.messages.errors import MessageError, ParseError
from referee.errors import Misused
from referee.record.entries import BySight, Number
from referee.record.game import Game
from referee.table import play
from referee.table.bench import line_key
from referee.table.play import Heard

AT_ONCE = 100
"""So many actions are recorded together at most."""


class LogAnswer(HeardAnswer):
    """The last action that was heard; where there were several, all of them."""

    lines: list[HeardAnswer]
    nearest: list[str] = Field(validation_alias="try", serialization_alias="try")
    """Legal lines near to the one that was refused."""
    forgotten: list[str] = []
    """Steps that are owed and were perhaps not said: with one of them before it, an illegal line
    would be legal. ``spy …`` is one of a kind, whichever it was."""
    labels: dict[str, str] = {}
    """What buttons call these lines: they may be somebody's whom the options do not list."""
    both: bool = False
    """The same was drawn or shown just before: perhaps both were."""


class _Spoken(NamedTuple):
    """One action of the input: its line, its place in the line, its text."""

    line: int
    place: int
    text: str


@operation("log", "POST /games/{game}/actions", grant=Writes("logged"), seats_need="seats_log")
def log(
    caller: Caller,
    game_id: str,
    lines: ActionLines,
    *,
    stands: bool = False,
    after: Number | None = None,
    by_sight: BySight | None = None,
    at_once: Callable[[Telling], None] | None = None,
) -> Answered[LogAnswer]:
    """Log line by line; the first refusal ends it, and what was accepted stays recorded.

    ``stands``: it really happened, whatever the rules say. ``after``: the number of the last action
    the caller has seen. ``by_sight``: a camera proposed it, and whoever logs it has confirmed it,
    or nobody yet. ``at_once`` is called with each action as soon as it is recorded; without
    it the answer contains all of them.
    """
    hearing = _Hearing(
        caller, game_id, lines, stands, after, at_once, dry_run=False, by_sight=by_sight
    )
    return hearing.answer()


@operation("check", "POST /games/{game}/check", grant=TABLE, kind="try", answer="log")
def check(
    caller: Caller,
    game_id: str,
    lines: ActionLines,
    *,
    stands: bool = False,
    after: Number | None = None,
    at_once: Callable[[Telling], None] | None = None,
) -> Answered[LogAnswer]:
    """The same answer as to ``log``, with nothing recorded."""
    return _Hearing(caller, game_id, lines, stands, after, at_once, dry_run=True).answer()


def in_words(engine: Engine[Any, Any], said: Sequence[str | Mapping[str, Any]]) -> list[str]:
    """Lines as people say them; actions as data are put into the words of the game."""
    return [
        each if isinstance(each, str) else engine.text(engine.text.load(dict(each)))
        for each in said
    ]


class _Hearing:
    """One call of ``log`` or ``check``."""

    def __init__(
        self,
        caller: Caller,
        game_id: str,
        lines: Sequence[str | Mapping[str, Any]],
        stands: bool,
        after: int | None,
        at_once: Callable[[Telling], None] | None,
        *,
        dry_run: bool,
        by_sight: BySight | None = None,
    ) -> None:
        self.caller, self.game_id, self.by_sight = caller, game_id, by_sight
        self.stands, self.after, self.dry_run = stands, after, dry_run
        self.key = None if dry_run else caller.key
        self.several, self.count = len(lines) > 1, len(lines)
        game = caller.game(game_id)
        self.version = game.version
        self.spoken = [
            _Spoken(number, place, text)
            for number, texts in enumerate(self._said(game, in_words(game.engine, lines)), start=1)
            for place, text in enumerate(texts)
        ]
        self.heard: list[Heard] = []
        self.nearest: list[str] = []
        self.forgotten: list[str] = []
        self.tellings: list[Telling] = []
        self.tell = at_once or self.tellings.append

    def answer(self) -> Answered[LogAnswer]:
        if not self.spoken:
            raise Misused("nothing_to_log")
        for heard in self._hearings():
            said = self.spoken[len(self.heard)]
            self.heard.append(heard)
            if not heard.accepted:
                self._refuse(said, heard)
                break
            self.forgotten = self._forgotten(heard) if heard.stands else []
            way_out = tuple(self.forgotten)
            self.tell(partial(accepted, heard=heard, logged=not self.dry_run, forgotten=way_out))
        return Answered(
            self._data,
            lambda voice: (line for telling in self.tellings for line in telling(voice)),
            "done" if self.heard[-1].accepted else "illegal",
            (*self._departures(), *self._clock_doubts()),
        )

    def _clock_doubts(self) -> Iterator[Phrase]:
        """A time is recorded for ever: one that can hardly be right is questioned at once."""
        heard = self.heard[-1]
        if not (heard.accepted or len(self.heard) > 1) or self.dry_run:
            return
        yield from clock_doubts(self.caller.bench, heard.game, self.version)

    def _said(self, game: Game, lines: Sequence[str]) -> list[list[str]]:
        """The actions of each line; repeated with its key, a line means what it meant at first."""
        if self.key is not None:
            own = line_key(self.key, self.count)
            self.caller.bench.check_key(game, self.key, own)
            beginnings = [
                line_key(self.key, self.count, number) for number in range(1, len(lines) + 1)
            ]
            if (first := self.caller.bench.first_with(game, beginnings)) is not None:
                game = self.caller.shown(self.caller.bench.before(game, first))
        return self.caller.said_now(game, lines)

    def _hearings(self) -> Iterator[Heard]:
        """What becomes of each action; an error says at which one it ended all."""
        try:
            yield from map(self.caller.heard, self._dry_run() if self.dry_run else self._logged())
        except MessageError as error:
            self._stopped_at(error, self.spoken[len(self.heard)])
            raise

    def _dry_run(self) -> Iterator[Heard]:
        bench, author = self.caller.bench, self.caller.author
        texts = [said.text for said in self.spoken]
        yield from play.dry_run_together(
            bench,
            self.game_id,
            texts,
            author=author,
            stands=self.stands,
            after=self.after,
            read=self._read,
        )

    def _logged(self) -> Iterator[Heard]:
        """Record the actions in batches: each batch is one append."""
        bench, author, after = self.caller.bench, self.caller.author, self.after
        for start in range(0, len(self.spoken), AT_ONCE):
            keyed = [(said.text, self._key(said)) for said in self.spoken[start : start + AT_ONCE]]
            heard, error = play.log_together(
                bench,
                self.game_id,
                keyed,
                author=author,
                stands=self.stands,
                after=after,
                by_sight=self.by_sight,
                read=self._read,
            )
            yield from heard
            if error is not None:
                raise error
            after = None

    def _read(self, game: Game, line: str, of: Sequence[Action] | None) -> Action:
        from answers.privileged import read_as_said

        return read_as_said(self.caller, game, line, of)

    def _key(self, said: _Spoken) -> str | None:
        return line_key(self.key, self.count, said.line, said.place) if self.key else None

    def _forgotten(self, heard: Heard) -> list[str]:
        from answers.privileged import forgotten_lines

        if heard.action is None or not heard.verdict.breaches or len(self.spoken) > 1:
            return []
        before = heard.game.steps.last if heard.steps is None else heard.steps[0]
        return forgotten_lines(self.caller, heard.game, before, heard.action)

    def _refuse(self, said: _Spoken, heard: Heard) -> None:
        from answers.privileged import nearest_lines

        self.nearest = nearest_lines(self.caller, heard.game, said.text)
        self.forgotten = self._forgotten(heard)
        if self.several:
            after = "_after" if self.heard[1:] and not self.dry_run else ""
            self.tell(lambda voice: [voice.say(f"log.refused{after}", line=said.line)])
        self.tell(
            lambda voice: refusal(
                voice, heard.game, heard, self.nearest, self.forgotten, insisted=self.stands
            )
        )

    def _stopped_at(self, error: MessageError, said: _Spoken) -> None:
        """An error ends the logging: say where, and what is recorded all the same."""
        if isinstance(error, ParseError) and not (self.dry_run and self.heard):
            from answers.privileged import tell_what_fits

            tell_what_fits(self.caller, self.game_id, said.text, error)
        if self.several:
            error.facts["line"] = said.line
        if recorded := [heard.number for heard in self.heard if heard.number is not None]:
            error.facts["recorded"] = recorded

    def _departures(self) -> Iterator[Spoken]:
        if self.dry_run or not self.heard[-1].game.opened.tournament:
            return
        from answers.tournament.deal_checks import departures_called

        numbers = {heard.number for heard in self.heard}
        yield from departures_called(self.caller, self.game_id, numbers)

    def _data(self) -> LogAnswer:
        each = [heard_fields(heard) for heard in self.heard]
        lines = [HeardAnswer(**fields) for fields in each] if len(each) > 1 else []
        last = self.heard[-1]
        engine, voice = last.game.engine, self.caller.voice.at(last.game.seats)
        whole = [line for line in (*self.nearest, *self.forgotten) if not line.endswith("…")]
        return LogAnswer(
            **each[-1],
            lines=lines,
            nearest=self.nearest,
            forgotten=self.forgotten,
            labels={
                line: engine.text.label(engine.read(line), voice.lang, voice.names)
                for line in whole
            },
            both=not last.accepted and drawn_again(last.game, last),
        )


def stopped_lines(voice: Voice, error: MessageError) -> Iterator[str]:
    """Where an error ended the logging of several lines, and what is recorded all the same."""
    if "line" in error.facts:
        yield voice.say("log.stopped_at", line=error.facts["line"])
    if "recorded" in error.facts:
        yield voice.say("log.recorded", numbers=numbered(error.facts["recorded"]))
